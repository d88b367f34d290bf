import { describe, expect, it } from 'vitest'
import { decodeBase32, decodeBase64, encodeBase32, encodeBase64 } from './base64.ts'
import { formatGoDuration, parseGoDuration, roundGoDuration } from './go-duration.ts'
import { goBase, goClean, goDir, goExt, goJoin } from './go-path.ts'
import { quoteGo, quoteRune, unquoteGo } from './go-quote.ts'
import { byteLength, bytesToText, healText, sliceBytes, textToBytes } from './go-string.ts'
import { fields, lowerRune, titleWords, toLower, toUpper, trimSpace } from './go-unicode.ts'
import { adler32, sha1, sha256, sha512, toHex } from './sha.ts'

const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list)

describe('text that is not UTF-8', () => {
  it.each([
    [bytes(0xff, 0x41), '\udcffA'],
    [bytes(0xc3), '\udcc3'],
    [bytes(0xed, 0xa0, 0x80), '\udced\udca0\udc80'],
    [bytes(0xf0, 0x9f, 0x98, 0x80, 0x80), '😀\udc80'],
  ])('%j survives the way there and back', (raw, text) => {
    expect(bytesToText(raw)).toBe(text)
    expect(textToBytes(text)).toEqual(raw)
    expect(byteLength(text)).toBe(raw.length)
  })
  it('cuts inside a character and heals when put together', () => {
    const [a, b] = [sliceBytes('aé', 0, 2), sliceBytes('aé', 2)]
    expect(a).toBe('a\udcc3')
    expect(healText(a + b)).toBe('aé')
  })
})

it.each([
  ['a"b\\', '"a\\"b\\\\"'],
  ['é\u200b\u0000\n', '"é\\u200b\\x00\\n"'],
  ['\u{10ffff}', '"\\U0010ffff"'],
  ['\udcff', '"\\xff"'],
  ['\u00a0', '"\\u00a0"'],
])('quoteGo(%j)', (text, want) => {
  expect(quoteGo(text)).toBe(want)
})

it('quotes to ASCII and quotes runes', () => {
  expect(quoteGo('é', true)).toBe('"\\u00e9"')
  expect(quoteRune("'")).toBe("'\\''")
})

it.each([
  ['"a\\tb\\u00e9\\x41\\101"', 'a\tbéAA'],
  ['`raw\\n`', 'raw\\n'],
  ['"\\xc3\\xa9"', 'é'],
  ['"\\q"', undefined],
  ['"\\ud800"', undefined],
  ["'\\''", "'"],
  ["'ab'", undefined],
])('unquoteGo(%s)', (literal, want) => {
  expect(unquoteGo(literal)).toBe(want)
})

it('changes case rune by rune', () => {
  expect(toUpper('straße ñ ᾳ')).toBe('STRAßE Ñ ᾼ')
  expect(toLower('ÀΣ')).toBe('àσ')
  expect(lowerRune('\u0130')).toBe('i')
  expect(titleWords("it's foo-bar foo_bar éa 1a")).toBe("It'S Foo-Bar Foo_bar Éa 1a")
})

it('knows Go’s white space', () => {
  expect(trimSpace('\u0085\u00a0 a b\ufeff\u3000')).toBe('a b\ufeff')
  expect(fields('  a \t b\n')).toEqual(['a', 'b'])
})

it.each([
  ['1h30m', 5_400_000_000_000n, '1h30m0s'],
  ['-1.5s', -1_500_000_000n, '-1.5s'],
  ['1500us', 1_500_000n, '1.5ms'],
  ['0', 0n, '0s'],
])('duration %s', (text, nanos, shown) => {
  expect(parseGoDuration(text)).toBe(nanos)
  expect(formatGoDuration(nanos)).toBe(shown)
})

it('refuses and rounds durations', () => {
  expect(parseGoDuration('1')).toBeUndefined()
  expect(parseGoDuration('')).toBeUndefined()
  expect(roundGoDuration(-1_500_000_000n, 1_000_000_000n)).toBe(-2_000_000_000n)
})

it.each([
  ['', '.', '.', '.', ''],
  ['a/b/', 'b', 'a/b', 'a/b', ''],
  ['/a/../../b.tar.gz', 'b.tar.gz', '/', '/b.tar.gz', '.gz'],
  ['../a//b', 'b', '../a', '../a/b', ''],
])('path %j', (path, base, dir, clean, ext) => {
  expect([goBase(path), goDir(path), goClean(path), goExt(path)]).toEqual([base, dir, clean, ext])
})

it('joins paths', () => {
  expect(goJoin('', 'a', '../b')).toBe('b')
  expect(goJoin('')).toBe('')
})

it.each([
  ['a\udcffb', 'A\ufffdB', 'a\ufffdb', 'A\ufffdb'],
  ['\u01c6x', '\u01c4X', '\u01c6x', '\u01c5x'],
  ['\u01f2', '\u01f1', '\u01f3', '\u01f2'],
])('maps %j by runes, bytes that are no UTF-8 to U+FFFD', (text, upper, lower, title) => {
  expect([toUpper(text), toLower(text), titleWords(text)]).toEqual([upper, lower, title])
})

describe('hashes and encodings', () => {
  const text = textToBytes('abc')
  it('knows the standard answers', () => {
    expect(toHex(sha1(text))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d')
    expect(toHex(sha256(text))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(toHex(sha512(text)).slice(0, 32)).toBe('ddaf35a193617abacc417349ae204131')
    expect(adler32(text)).toBe(0x024d0127)
  })
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('reads back %d bytes', (size) => {
    const raw = Uint8Array.from({ length: size }, (_, i) => (i * 37 + 200) & 255)
    expect(decodeBase64(textToBytes(encodeBase64(raw)))).toEqual(raw)
    expect(decodeBase32(textToBytes(encodeBase32(raw)))).toEqual(raw)
  })
  it.each([
    ['!!', 0],
    ['YQ', 0],
    ['YQ=', 3],
    ['YQ==x', 4],
  ])('base64 %j is wrong at %d', (text, errorAt) => {
    expect(decodeBase64(textToBytes(text))).toEqual({ errorAt })
  })
})
