import { parseGoDuration } from './go-duration.ts'

/** Milliseconds, possibly a fraction, or Go's own words about what is wrong. */
export type ParsedDuration = { readonly ms: number } | { readonly error: string }

const units: ReadonlySet<string> = new Set(['ns', 'us', '\u00b5s', '\u03bcs', 'ms', 's', 'm', 'h'])

/**
 * Go's time.ParseDuration: a sign, then numbers with units (`1h30m`, `-1.5s`); a bare `0` needs no unit. Errors are
 * Go's texts, since Argo CD shows them.
 *
 * Source: go 1.26 time/format.go
 */
export function parseDuration(text: string): ParsedDuration {
  const nanos = parseGoDuration(text)
  return nanos === undefined ? { error: explain(text) } : { ms: Number(nanos) / 1e6 }
}

function explain(text: string): string {
  let rest = text.replace(/^[-+]/, '')
  while (rest !== '') {
    const [number, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?/.exec(rest)!
    if (whole + fraction === '') break
    rest = rest.slice(number.length)
    const unit = /^[^.\d]*/.exec(rest)![0]
    if (unit === '') return `time: missing unit in duration ${quote(text)}`
    if (!units.has(unit)) return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`
    rest = rest.slice(unit.length)
  }
  return `time: invalid duration ${quote(text)}`
}

/** As package time quotes: bytes beyond printable ASCII in hexadecimal. */
function quote(text: string): string {
  let out = ''
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte)
    if (byte < 0x20 || byte >= 0x80) out += `\\x${byte.toString(16).padStart(2, '0')}`
    else out += char === '"' || char === '\\' ? `\\${char}` : char
  }
  return `"${out}"`
}
