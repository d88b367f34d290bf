const unitNanos: { readonly [unit: string]: bigint } = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const limit = 1n << 63n

/** time.ParseDuration in nanoseconds; undefined for an invalid text or one that does not fit 64 bits. */
export function parseGoDuration(text: string): bigint | undefined {
  const negative = text[0] === '-'
  let rest = text[0] === '-' || text[0] === '+' ? text.slice(1) : text
  if (rest === '0') return 0n
  if (rest === '') return undefined
  let total = 0n
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^\d.]+)/.exec(rest)
    if (match === null) return undefined
    const [all, whole, fraction] = match as unknown as [string, string, string | undefined]
    if (whole === '' && (fraction ?? '') === '') return undefined
    const unit = Object.hasOwn(unitNanos, match[3]!) ? unitNanos[match[3]!] : undefined
    if (unit === undefined) return undefined
    let nanos = BigInt(whole === '' ? '0' : whole) * unit
    if (fraction !== undefined && fraction !== '') {
      // as Go does, in floating point once the digits no longer fit
      const digits = fraction.slice(0, 18)
      nanos += BigInt(Math.trunc(Number(digits) * (Number(unit) / 10 ** digits.length)))
    }
    total += nanos
    if (total > limit) return undefined
    rest = rest.slice(all.length)
  }
  if (negative) return -total
  return total === limit ? undefined : total
}

/** time.Duration.String: `1h2m3.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s'
  const sign = nanos < 0n ? '-' : ''
  const value = nanos < 0n ? -nanos : nanos
  if (value < 1_000_000_000n) {
    if (value < 1_000n) return `${sign}${value}ns`
    if (value < 1_000_000n) return sign + withFraction(value, 1_000n) + 'µs'
    return sign + withFraction(value, 1_000_000n) + 'ms'
  }
  const seconds = value / 1_000_000_000n
  const minutes = seconds / 60n
  const hours = minutes / 60n
  let out = withFraction(value - minutes * 60_000_000_000n, 1_000_000_000n) + 's'
  if (minutes > 0n) out = `${minutes % 60n}m${out}`
  if (hours > 0n) out = `${hours}h${out}`
  return sign + out
}

function withFraction(value: bigint, unit: bigint): string {
  const rest = value % unit
  if (rest === 0n) return (value / unit).toString()
  const digits = rest
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  return `${value / unit}.${digits}`
}

/** time.Duration.Round: to the nearest multiple, halves away from zero. */
export function roundGoDuration(nanos: bigint, unit: bigint): bigint {
  if (unit <= 0n) return nanos
  const magnitude = nanos < 0n ? -nanos : nanos
  const rest = magnitude % unit
  const rounded = rest + rest < unit ? magnitude - rest : magnitude + unit - rest
  return nanos < 0n ? -rounded : rounded
}
