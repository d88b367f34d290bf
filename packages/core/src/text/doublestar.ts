import { compileGlob, type GlobMatcher } from './glob.ts'

/**
 * Compiles a path glob of the doublestar dialect: `*`, `?`, `[a-z]` and `{a,b}` stay inside one segment, `**` as a whole
 * segment stands for any number of segments, also none.
 *
 * Returns undefined for an invalid pattern. Matching takes time linear in segments of pattern × path.
 */
export function compileDoublestar(pattern: string): GlobMatcher | undefined {
  const segments: (GlobMatcher | '**')[] = []
  for (const segment of pattern.split('/')) {
    if (segment === '**') {
      if (segments.at(-1) !== '**') segments.push('**')
      continue
    }
    const matcher = compileGlob(segment, '/')
    if (matcher === undefined) return undefined
    segments.push(matcher)
  }
  return (text) => matchSegments(segments, text.split('/'))
}

function matchSegments(pattern: readonly (GlobMatcher | '**')[], path: readonly string[]): boolean {
  // which prefixes of the pattern can have consumed what was read so far
  let reachable = new Set<number>()
  const add = (into: Set<number>, index: number): void => {
    into.add(index)
    if (pattern[index] === '**') add(into, index + 1)
  }
  add(reachable, 0)
  for (const segment of path) {
    const next = new Set<number>()
    for (const index of reachable) {
      const part = pattern[index]
      if (part === '**') add(next, index)
      else if (part?.(segment) === true) add(next, index + 1)
    }
    reachable = next
  }
  return reachable.has(pattern.length)
}
