/** path.Clean of Go: '' is '.', a rooted path cannot leave the root. */
export function goClean(path: string): string {
  if (path === '') return '.'
  const rooted = path[0] === '/'
  const out: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') out.push(step)
    else if (out.length > 0 && out.at(-1) !== '..') out.pop()
    else if (!rooted) out.push('..')
  }
  const text = (rooted ? '/' : '') + out.join('/')
  return text === '' ? '.' : text
}

/** path.Base. */
export function goBase(path: string): string {
  if (path === '') return '.'
  const trimmed = path.replace(/\/+$/, '')
  if (trimmed === '') return '/'
  return trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

/** path.Dir. */
export function goDir(path: string): string {
  return goClean(path.slice(0, path.lastIndexOf('/') + 1))
}

/** path.Ext: from the last dot of the last segment. */
export function goExt(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot)
}

/** path.Join: empty parts are left out; nothing left gives ''. */
export function goJoin(...parts: readonly string[]): string {
  const kept = parts.filter((part) => part !== '')
  return kept.length === 0 ? '' : goClean(kept.join('/'))
}

/**
 * filepath.Match of Go on Unix: `*` and `?` do not match `/`; `[a-z]`, `[^a]`; backslash escapes.
 *
 * Undefined for a malformed pattern (which Go notices only as far as it reads; here the whole pattern is checked).
 */
export function matchPath(pattern: string, name: string): boolean | undefined {
  const parts = compilePathPattern(pattern)
  if (parts === undefined) return undefined
  const chars = [...name]
  let p = 0
  let n = 0
  let star = -1
  let mark = 0
  while (n < chars.length) {
    const part = parts[p]
    if (part === '*') {
      star = p++
      mark = n
    } else if (part !== undefined && part !== '*' && part(chars[n]!)) {
      p++
      n++
    } else if (star >= 0 && chars[mark] !== '/') {
      p = star + 1
      n = ++mark
    } else return false
  }
  while (parts[p] === '*') p++
  return p === parts.length
}

type PathPart = '*' | ((char: string) => boolean)

function compilePathPattern(pattern: string): PathPart[] | undefined {
  const chars = [...pattern]
  const out: PathPart[] = []
  let i = 0
  const member = (): string | undefined => {
    let char = chars[i++]
    if (char === undefined || char === '-' || char === ']') return undefined
    if (char === '\\') char = chars[i++]
    return i < chars.length ? char : undefined
  }
  while (i < chars.length) {
    const char = chars[i++]!
    if (char === '*') out.push('*')
    else if (char === '?') out.push((c) => c !== '/')
    else if (char === '[') {
      const negated = chars[i] === '^'
      if (negated) i++
      const ranges: [string, string][] = []
      while (!(chars[i] === ']' && ranges.length > 0)) {
        const low = member()
        if (low === undefined) return undefined
        let high = low
        if (chars[i] === '-') {
          i++
          const end = member()
          if (end === undefined) return undefined
          high = end
        }
        ranges.push([low, high])
      }
      i++
      const inside = (c: string): boolean =>
        ranges.some(([a, b]) => c.codePointAt(0)! >= a.codePointAt(0)! && c.codePointAt(0)! <= b.codePointAt(0)!)
      out.push((c) => c !== '/' && inside(c) !== negated)
    } else if (char === '\\') {
      const escaped = chars[i++]
      if (escaped === undefined) return undefined
      out.push((c) => c === escaped)
    } else out.push((c) => c === char)
  }
  return out
}
