import { formatFloat } from '../../text/index.ts'

/** The text of a number in output and in string concatenation: whole numbers in full, others with 17 digits. */
export function numberText(value: number): string {
  return Number.isInteger(value) ? wholeText(value) : formatFloat(value, 'g', 17)
}

/** Go's `%.0f` of a whole number. */
export function wholeText(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0' : String(value)
  return BigInt(value).toString()
}

/** The fewest digits that read back as the same number, never with an exponent. */
export function shortestText(value: number): string {
  const text = String(value)
  if (Object.is(value, -0) || text.includes('e')) return formatFloat(value, 'f', -1)
  return text
}
