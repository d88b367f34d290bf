import { sortStrings } from '../json/index.ts'
import type { YamlDialect } from './problem.ts'

const letter = /\p{L}/u
const digit = /\p{Nd}/u

function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  return letter.test(String.fromCodePoint(code))
}

function isDigit(code: number): boolean {
  if (code < 0x80) return code >= 0x30 && code <= 0x39
  return digit.test(String.fromCodePoint(code))
}

/**
 * The order in which go-yaml writes the keys of a mapping: numbers inside names count as numbers, letters come last.
 *
 * Because: the order is not transitive (`a9` < `a10` < `a1b` < `a9` in v2), and Go's answer for such keys differs from
 * run to run. Sorting byte-wise first makes ours the same every time.
 *
 * Source: go.yaml.in/yaml v2.4.3 and v3.0.4 sorter.go
 */
export function sortKeys(keys: readonly string[], dialect: YamlDialect): string[] {
  const sorted = sortStrings([...keys])
  return sorted.every(isPlainName) && dialect === 'v2'
    ? sorted
    : sorted.sort((a, b) => compareKeys(a, b, dialect))
}

/** Names of letters only sort byte-wise in both orders. */
function isPlainName(key: string): boolean {
  return /^[A-Za-z]+$/.test(key)
}

export function compareKeys(a: string, b: string, dialect: YamlDialect): number {
  let at = 0
  const shorter = Math.min(a.length, b.length)
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === shorter) return a.length - b.length
  // both halves of a surrogate pair belong to one character
  if (at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800) at--

  const x = a.codePointAt(at)!
  const y = b.codePointAt(at)!
  const xLetter = isLetter(x)
  const yLetter = isLetter(y)
  if (xLetter && yLetter) return x - y
  if (xLetter || yLetter) {
    const behindDigit = dialect === 'v3' && at > 0 && isDigit(codeBefore(a, at))
    return xLetter === behindDigit ? -1 : 1
  }
  let carry = 0n
  if (x === 0x30 || y === 0x30) {
    for (let i = at; i > 0; ) {
      const before = codeBefore(a, i)
      if (!isDigit(before)) break
      if (before !== 0x30) {
        carry = 1n
        break
      }
      i -= before > 0xffff ? 2 : 1
    }
  }
  const left = digitRun(a, at, carry)
  const right = digitRun(b, at, carry)
  if (left.value !== right.value) return left.value < right.value ? -1 : 1
  return left.length - right.length || x - y
}

function codeBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1)
  return (low & 0xfc00) === 0xdc00 && at > 1 ? text.codePointAt(at - 2)! : low
}

/** The number that a run of digits stands for, in int64 that overflows as Go's does, and how many characters it has. */
function digitRun(text: string, start: number, carry: bigint): { value: bigint; length: number } {
  let value = carry
  let length = 0
  for (let i = start; i < text.length; length++) {
    const code = text.codePointAt(i)!
    if (!isDigit(code)) break
    value = BigInt.asIntN(64, value * 10n + BigInt(code - 0x30))
    i += code > 0xffff ? 2 : 1
  }
  return { value, length }
}
