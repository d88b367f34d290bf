import { describe, expect, it } from 'vitest'
import {
  compileRegexp,
  type GoRegexp,
  mustCompileText,
  quoteRegexp,
  RegexpIssue,
} from './go-regexp.ts'
import { formatGoUrl, type GoUrl, hostnameOf, parseGoUrl, queryEscape, UrlIssue } from './go-url.ts'

const re = (source: string): GoRegexp => compileRegexp(source) as GoRegexp

it.each([
  ['a*', 'baac', 'x', 'xbxcx'],
  ['', 'abc', '-', '-a-b-c-'],
  ['a', 'banana', '$$', 'b$n$n$'],
  ['(a)(x)?', 'ba', '[$1|$2|$1W|${1}W]', 'b[a||' + '|aW]'],
  ['^a', 'aaa', 'x', 'xaa'],
  ['(?P<n>b)', 'abc', '<${n}$n>', 'a<bb>c'],
])('replaceAll(%s, %s, %s)', (source, text, template, want) => {
  expect(re(source).replaceAll(text, template)).toBe(want)
})

it.each([
  ['a', 'banana', -1, ['b', 'n', 'n', '']],
  ['a', 'banana', 2, ['b', 'nana']],
  ['x*', 'axbxc', 5, ['a', 'b', 'c']],
  ['a', '', -1, ['']],
  ['a', 'banana', 0, undefined],
])('split(%s, %s, %d)', (source, text, limit, want) => {
  expect(re(source).split(text, limit)).toEqual(want)
})

it('finds all, none as undefined', () => {
  expect(re('a*').findAll('baac', -1)).toEqual(['', 'aa', '', ''].slice(0, 3))
  expect(re('z').findAll('baac', -1)).toBeUndefined()
  expect(re('a$').test('a\n')).toBe(false)
})

it('says what is wrong in Go’s words', () => {
  const issue = compileRegexp('[') as RegexpIssue
  expect(issue).toBeInstanceOf(RegexpIssue)
  expect(mustCompileText('[', issue)).toBe(
    'regexp: Compile(`[`): error parsing regexp: missing closing ]: `[`',
  )
  expect(quoteRegexp('a.b*')).toBe('a\\.b\\*')
})

describe('URLs', () => {
  it.each([
    ['http://u:p@h:80/a%20b?q=1#f', 'h', '/a b', 'q=1'],
    ['mailto:x@y', '', '', ''],
    ['//h/p', 'h', '/p', ''],
    ['http://[::1]:8/', '::1', '/', ''],
  ])('parses %s', (text, hostname, path, query) => {
    const url = parseGoUrl(text) as GoUrl
    expect([hostnameOf(url), url.path, url.rawQuery]).toEqual([hostname, path, query])
    expect(formatGoUrl(url)).toBe(text)
  })
  it.each([
    ['http://a b', 'parse "http://a b": invalid character " " in host name'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['a:b', undefined],
    ['1:b', 'parse "1:b": first path segment in URL cannot contain colon'],
    ['%zz', 'parse "%zz": invalid URL escape "%zz"'],
  ])('%s: %s', (text, message) => {
    const url = parseGoUrl(text)
    expect(url instanceof UrlIssue ? url.message : undefined).toBe(message)
  })
  it('escapes queries', () => {
    expect(queryEscape('a b&é')).toBe('a+b%26%C3%A9')
  })
})
