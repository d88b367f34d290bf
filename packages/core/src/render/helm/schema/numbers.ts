/** A number with its digits in groups of three, as messages for readers of English have it. */
export function groupDigits(value: number): string {
  return String(value).replace(
    /^(-?)(\d+)/,
    (_, sign: string, digits: string) => sign + digits.replace(/\B(?=(\d{3})+$)/g, ','),
  )
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** As `groupDigits` from 0.0001 to a million; beyond as `1.5×10⁰⁶`. */
export function decimalText(value: number | bigint): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return String(number)
  const [mantissa = '', exponent = ''] = number.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return groupDigits(number)
  const digits = String(Math.abs(power)).padStart(2, '0')
  const raised = digits.replace(/\d/g, (digit) => superscripts[Number(digit)]!)
  return `${mantissa}×10${power < 0 ? '⁻' : ''}${raised}`
}

/** value × 10^-scale of a number's shortest decimal. */
function decimalOf(value: number | bigint): readonly [bigint, number] {
  if (typeof value === 'bigint') return [value, 0]
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!
  const fraction = match[3] ?? ''
  const scale = fraction.length - Number(match[4] ?? 0)
  const digits = BigInt(match[1]! + match[2]! + fraction)
  return scale < 0 ? [digits * 10n ** BigInt(-scale), 0] : [digits, scale]
}

/** Exactly, by decimals. */
export function isMultiple(value: number | bigint, of: number | bigint): boolean {
  const [a, scaleA] = decimalOf(value)
  const [b, scaleB] = decimalOf(of)
  if (b === 0n) return true
  const scale = Math.max(scaleA, scaleB)
  return (a * 10n ** BigInt(scale - scaleA)) % (b * 10n ** BigInt(scale - scaleB)) === 0n
}
