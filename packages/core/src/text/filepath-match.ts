import { isAscii } from './go-string.ts'

/**
 * Go's filepath.Match: `*` any run without `/`, `?` one character that is no `/`, `[a-z]`, `[^a-z]`, `\` escapes.
 *
 * Returns undefined for a malformed pattern (Go's ErrBadPattern).
 */
export function filepathMatch(pattern: string, text: string): boolean | undefined {
  return compileFilepathMatch(pattern)?.(text)
}

/** {@link filepathMatch} with one pattern for many texts; undefined for a malformed pattern. */
export function compileFilepathMatch(pattern: string): ((text: string) => boolean) | undefined {
  const simple = isAscii(pattern) && !/[?[\\]/.test(pattern)
  const star = pattern.indexOf('*')
  if (simple && star === -1) return (text) => text === pattern
  if (simple && star === pattern.lastIndexOf('*')) {
    return oneStar(pattern.slice(0, star), pattern.slice(star + 1))
  }
  const tokens = tokenize([...pattern])
  return tokens && ((text) => matches(tokens, text))
}

function oneStar(before: string, after: string): (text: string) => boolean {
  const least = before.length + after.length
  return (text) => {
    if (text.length < least || !text.startsWith(before) || !text.endsWith(after)) return false
    const slash = text.indexOf('/', before.length)
    return slash === -1 || slash >= text.length - after.length
  }
}

function matches(tokens: readonly Token[], text: string): boolean {
  const chars = [...text]
  // Greedy with one point to come back to is enough: only the latest star can be given more text.
  let at = 0
  let token = 0
  let starToken = -1
  let starAt = 0
  while (at < chars.length || token < tokens.length) {
    const current = tokens[token]
    if (current === '*') {
      starToken = token++
      starAt = at
      continue
    }
    if (current !== undefined && at < chars.length && current(chars[at]!)) {
      token++
      at++
      continue
    }
    if (starToken === -1 || starAt >= chars.length || chars[starAt] === '/') return false
    starAt++
    at = starAt
    token = starToken + 1
  }
  return true
}

type Token = '*' | ((char: string) => boolean)

function tokenize(chars: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*')
    } else if (char === '?') tokens.push((other) => other !== '/')
    else if (char === '\\') {
      const escaped = chars[++i]
      if (escaped === undefined) return undefined
      tokens.push((other) => other === escaped)
    } else if (char === '[') {
      const set = readClass(chars, i + 1)
      if (set === undefined) return undefined
      tokens.push(set.test)
      i = set.end
    } else tokens.push((other) => other === char)
  }
  return tokens
}

function readClass(
  chars: readonly string[],
  from: number,
): { readonly test: (char: string) => boolean; readonly end: number } | undefined {
  let i = from
  const negated = chars[i] === '^'
  if (negated) i++
  const ranges: (readonly [string, string])[] = []
  const one = (): string | undefined => {
    const char = chars[i++]
    if (char === undefined || char === '-' || char === ']') return undefined
    return char === '\\' ? chars[i++] : char
  }
  while (chars[i] !== ']' || ranges.length === 0) {
    const low = one()
    if (low === undefined) return undefined
    let high: string | undefined = low
    if (chars[i] === '-') {
      i++
      high = one()
    }
    if (high === undefined) return undefined
    ranges.push([low, high])
  }
  return {
    test: (char) => ranges.some(([low, high]) => char >= low && char <= high) !== negated,
    end: i,
  }
}
