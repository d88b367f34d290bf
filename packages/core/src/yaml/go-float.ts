/**
 * A float64 as Go's `strconv.FormatFloat(value, 'g', -1, bits)` writes it: the shortest digits that read back as the
 * same number, with an exponent where it is below -4 or above 5.
 */
export function formatFloatG(number: number, bits: 32 | 64 = 64): string {
  const value = bits === 32 ? Math.fround(number) : number
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [mantissa, power] = scientific(value, bits)
  const exponent = Number(power)
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  if (exponent < -4 || exponent > 5) {
    const fraction = digits.length > 1 ? '.' + digits.slice(1) : ''
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0')
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`
}

function scientific(value: number, bits: 32 | 64): readonly [string, string] {
  let text = value.toExponential()
  if (bits === 32) {
    for (let precision = 0; precision <= 9; precision++) {
      text = value.toExponential(precision)
      if (Math.fround(Number(text)) === value) break
    }
  }
  const [mantissa, power] = text.split('e')
  return [mantissa!.includes('.') ? mantissa!.replace(/\.?0+$/, '') : mantissa!, power!]
}
