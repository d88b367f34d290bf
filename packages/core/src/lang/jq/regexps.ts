import { isObject, type Json } from '../../json/index.ts'
import { compileRegexp, type GoRegexp, quoteGo, RegexpIssue } from '../../text/index.ts'
import type { JqFunctions } from './native.ts'
import { add } from './operators.ts'
import { cannotApply, slice } from './paths.ts'
import { described, JqError } from './values.ts'

function compiled(
  name: string,
  value: Json,
  pattern: Json,
  flags: Json,
): { readonly regexp: GoRegexp; readonly text: string; readonly all: boolean } {
  const isValid =
    typeof value === 'string' &&
    typeof pattern === 'string' &&
    (flags === null || typeof flags === 'string')
  if (!isValid) throw cannotApply(name, [pattern, flags], value)
  const letters = flags ?? ''
  if (/[^gim]/.test(letters)) {
    throw new JqError(`unsupported regular expression flag: ${quoteGo(letters)}`)
  }
  const prefix = (letters.includes('m') ? '(?s)' : '') + (letters.includes('i') ? '(?i)' : '')
  const regexp = compileRegexp(prefix + pattern)
  if (regexp instanceof RegexpIssue) {
    throw new JqError(`invalid regular expression ${quoteGo(prefix + pattern)}: ${regexp.message}`)
  }
  return { regexp, text: value, all: letters.includes('g') }
}

/** Positions count characters, not UTF-16 units. */
function characters(text: string, end: number): number {
  let count = 0
  for (let i = 0; i < end; count++) i += text.codePointAt(i)! > 0xffff ? 2 : 1
  return count
}

function matches(value: Json, pattern: Json, flags: Json): readonly Json[] {
  const { regexp, text, all } = compiled('match', value, pattern, flags)
  return regexp.findSubmatches(text, all ? -1 : 1).map((groups): Json => {
    const described = groups.map((group, i): { [key: string]: Json } => {
      const name = regexp.groupNames[i] || null
      if (group === undefined) return { name, offset: -1, length: 0, string: null }
      const offset = characters(text, group.start)
      const string = text.slice(group.start, group.end)
      return { name, offset, length: [...string].length, string }
    })
    const { name: _, ...whole } = described[0]!
    return { ...whole, captures: described.slice(1) }
  })
}

/** An object of the named groups. */
function captures(value: Json): Json {
  if (!Array.isArray(value)) throw new JqError(`expected an array but got: ${described(value)}`)
  const named = value.filter(isObject).filter((group) => typeof group['name'] === 'string')
  return Object.fromEntries(named.map((group) => [group['name'], group['string']])) as Json
}

/** The pieces of a text between matches. */
function split(value: Json, pattern: Json, flags: Json): Json {
  const out: Json[] = []
  let from = 0
  for (const match of matches(value, pattern, flags)) {
    const { offset, length } = match as { offset: number; length: number }
    out.push(slice(value, from, offset))
    from = offset + length
  }
  return [...out, slice(value, from, null)]
}

interface Replacing {
  /** How many characters of the text are done. */
  readonly done?: number
  readonly texts?: readonly Json[]
}

/** One match replaced by each of its replacements; the nth goes to the nth text. */
function replaceOne(state: Json, text: Json, match: Json, by: Json): Json {
  const { done = 0, texts = [] } = state as Replacing
  const { offset, length } = match as { offset: number; length: number }
  const between = slice(text, done, offset)
  const next = [...texts]
  for (const [nth, replacement] of (by as readonly Json[]).entries()) {
    next[nth] = add(next[nth] ?? null, add(between, replacement))
  }
  return { done: offset + length, texts: next }
}

function replaced(state: Json, text: Json): Json {
  const { done = 0, texts = [] } = state as Replacing
  if (texts.length === 0) return [text]
  return texts.map((found) => add(found, slice(text, done, null)))
}

export const regexpFunctions: JqFunctions = {
  ' match/2': (value, [pattern, flags], charge) => {
    const found = matches(value, pattern!, flags!)
    charge(found.length)
    return found
  },
  ' test/2': (value, [pattern, flags]) => {
    const { regexp, text } = compiled('test', value, pattern!, flags!)
    return regexp.test(text)
  },
  ' captures/0': captures,
  ' split/2': (value, [pattern, flags]) => split(value, pattern!, flags!),
  ' replace/3': (state, [text, match, by]) => replaceOne(state, text!, match!, by!),
  ' replaced/1': (state, [text]) => replaced(state, text!),
}
