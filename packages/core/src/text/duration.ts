/** Milliseconds, possibly a fraction, or Go's own words about what is wrong. */
export type ParsedDuration = { readonly ms: number } | { readonly error: string }

const unitMs: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  // the micro sign and the Greek letter mu
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

const maxMs = 2 ** 63 / 1e6

/**
 * Go's time.ParseDuration: a sign, then numbers with units (`1h30m`, `-1.5s`); a bare `0` needs no unit. Errors are
 * Go's texts, since Argo CD shows them.
 *
 * Source: go 1.26 time/format.go
 */
export function parseDuration(text: string): ParsedDuration {
  const invalid = { error: `time: invalid duration ${quote(text)}` }
  const sign = text.startsWith('-') ? -1 : 1
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return { ms: 0 }
  if (rest === '') return invalid
  let total = 0
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest)!
    const digits = (number[1] ?? '') + (number[2] ?? '')
    if (digits === '') return invalid
    rest = rest.slice(number[0].length)
    const unit = /^[^.\d]*/.exec(rest)![0]
    if (unit === '') return { error: `time: missing unit in duration ${quote(text)}` }
    const factor = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined
    if (factor === undefined) {
      return { error: `time: unknown unit ${quote(unit)} in duration ${quote(text)}` }
    }
    total += Number(`${number[1] || '0'}.${number[2] || '0'}`) * factor
    if (total > maxMs) return invalid
    rest = rest.slice(unit.length)
  }
  return { ms: sign * total }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
