import { RE2JS } from 're2js'
import { quoteGo } from './go-quote.ts'
import { byteLength } from './go-string.ts'

/** A compiled RE2 expression with Go's meaning: leftmost-first, linear time. */
export interface GoRegexp {
  readonly source: string
  test(text: string): boolean
  /** The leftmost match; undefined when there is none. */
  find(text: string): string | undefined
  /** At most `limit` matches, all when negative; undefined when there are none, as Go's nil. */
  findAll(text: string, limit: number): string[] | undefined
  /** Where at most `limit` matches and their groups stand, all when negative; a group that took no part is undefined. */
  findSubmatches(text: string, limit: number): readonly RegexpMatch[]
  /** The name of each group, the whole match first; '' where it has none. */
  readonly groupNames: readonly string[]
  /** Replaces every match; `$1`, `${name}` and `$$` in the template are expanded. */
  replaceAll(text: string, template: string, grown?: Grown): string
  replaceAllLiteral(text: string, replacement: string, grown?: Grown): string
  /** At most `limit` parts, all when negative; undefined when `limit` is 0. */
  split(text: string, limit: number): string[] | undefined
}

/** Told how long a result has become while it is made; throw to stop. */
export type Grown = (length: number) => void

/** Go's text of a syntax error: `error parsing regexp: missing closing ]: `[`` . */
export class RegexpIssue {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const cache = new Map<string, GoRegexp | RegexpIssue>()
const maxCached = 500

/** regexp.Compile, with a small cache. */
export function compileRegexp(source: string): GoRegexp | RegexpIssue {
  let known = cache.get(source)
  if (known === undefined) {
    known = compile(source)
    if (cache.size >= maxCached) cache.clear()
    cache.set(source, known)
  }
  return known
}

interface Group {
  readonly start: number
  readonly end: number
}

/** One match: the whole and its groups, in UTF-16 units; a group that took no part is undefined. */
export type RegexpMatch = readonly (Group | undefined)[]
type Match = RegexpMatch

function compile(source: string): GoRegexp | RegexpIssue {
  let program: RE2JS
  try {
    program = RE2JS.compile(source)
  } catch (error) {
    return new RegexpIssue(issueText(error))
  }
  const names = new Map<string, number>(Object.entries(program.namedGroups()))
  /** Go's rule: an empty match directly after another match is not counted. */
  function* matches(text: string): Generator<Match> {
    const matcher = program.matcher(text)
    let position = 0
    let last = -1
    while (position <= text.length && matcher.find(position)) {
      const groups: (Group | undefined)[] = []
      for (let i = 0; i <= matcher.groupCount(); i++) {
        const start = matcher.start(i)
        groups.push(start < 0 ? undefined : { start, end: matcher.end(i) })
      }
      const { start, end } = groups[0]!
      const accepted = end !== position || start !== last
      position = end === position ? position + stepAt(text, position) : end
      last = end
      if (accepted) yield groups
    }
  }
  return {
    source,
    test: (text) => program.matcher(text).find(),
    find: (text) => {
      const matcher = program.matcher(text)
      return matcher.find() ? text.slice(matcher.start(0), matcher.end(0)) : undefined
    },
    findAll: (text, limit) => {
      const out: string[] = []
      for (const [all] of matches(text)) {
        if (limit >= 0 && out.length >= limit) break
        out.push(text.slice(all!.start, all!.end))
      }
      return out.length === 0 ? undefined : out
    },
    findSubmatches: (text, limit) => {
      const out: Match[] = []
      for (const match of matches(text)) {
        if (limit >= 0 && out.length >= limit) break
        out.push(match)
      }
      return out
    },
    groupNames: Array.from(
      { length: program.matcher('').groupCount() + 1 },
      (_, i) => [...names].find(([, index]) => index === i)?.[0] ?? '',
    ),
    replaceAll: (text, template, grown) =>
      replace(text, matches(text), (match) => expand(template, text, match, names), grown),
    replaceAllLiteral: (text, replacement, grown) =>
      replace(text, matches(text), () => replacement, grown),
    split: (text, limit) => {
      if (limit === 0) return undefined
      if (source.length > 0 && text.length === 0) return ['']
      const out: string[] = []
      let start = 0
      let end = 0
      for (const [all] of matches(text)) {
        if (limit > 0 && out.length === limit - 1) break
        end = all!.start
        if (all!.end !== 0) out.push(text.slice(start, end))
        start = all!.end
      }
      if (end !== text.length) out.push(text.slice(start))
      return out
    },
  }
}

function stepAt(text: string, at: number): number {
  const point = text.codePointAt(at)
  return point !== undefined && point > 0xffff ? 2 : 1
}

const piecesAtOnce = 10_000

function replace(
  text: string,
  found: Iterable<Match>,
  by: (match: Match) => string,
  grown: Grown | undefined,
): string {
  // small pieces are put together now and then: millions of them take many times the memory of the text
  const parts: string[] = []
  let pieces: string[] = []
  let last = 0
  let length = 0
  let any = false
  for (const match of found) {
    const { start, end } = match[0]!
    const replacement = by(match)
    pieces.push(text.slice(last, start), replacement)
    length += start - last + replacement.length
    grown?.(length)
    last = end
    any = true
    if (pieces.length >= piecesAtOnce) {
      parts.push(pieces.join(''))
      pieces = []
    }
  }
  return any ? [...parts, ...pieces, text.slice(last)].join('') : text
}

/** regexp.Expand: the longest name after `$` counts, an unknown name gives nothing. */
function expand(
  template: string,
  text: string,
  match: Match,
  names: ReadonlyMap<string, number>,
): string {
  return template.replace(/\$(?:(\$)|\{(\w+)\}|(\w+))?/g, (all, dollar, braced, bare) => {
    if (dollar !== undefined) return '$'
    const name: string | undefined = braced ?? bare
    if (name === undefined) return all
    const index = /^(0|[1-9]\d*)$/.test(name) ? Number(name) : names.get(name)
    const group = index === undefined ? undefined : match[index]
    return group === undefined ? '' : text.slice(group.start, group.end)
  })
}

function issueText(error: unknown): string {
  const raw = error instanceof Error ? error.message : String(error)
  const text = raw.startsWith('error parsing regexp: ') ? raw : `error parsing regexp: ${raw}`
  return text.endsWith('`') ? text : text + ': ``'
}

/** regexp.QuoteMeta. */
export function quoteRegexp(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}

/** The text of the panic of regexp.MustCompile. */
export function mustCompileText(source: string, issue: RegexpIssue): string {
  const quoted = /[`\n]/.test(source) ? quoteGo(source) : '`' + source + '`'
  return `regexp: Compile(${quoted}): ${issue.message}`
}

/** Bytes of a pattern and of the text it is run on, for budgets: matching takes time proportional to their product. */
export function regexpCost(source: string, text: string): number {
  return (1 + byteLength(source)) * (1 + byteLength(text))
}
