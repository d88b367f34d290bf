/** True when the whole text matches. */
export type GlobMatcher = (text: string) => boolean

type Node =
  | { readonly type: 'text'; readonly char: string }
  | { readonly type: 'one' }
  | { readonly type: 'run' }
  | { readonly type: 'super' }
  | { readonly type: 'class'; readonly negated: boolean; readonly test: (char: string) => boolean }
  | { readonly type: 'either'; readonly branches: readonly (readonly Node[])[] }

const maxStates = 20_000

/**
 * Compiles a glob of the gobwas dialect: `*` and `?` stop at separators, `**` does not, `[a-z]` `[!abc]`, nested
 * `{a,b}`, `\` escapes. Without separators `*` crosses everything, as Argo CD uses it for directory include/exclude,
 * projects and resource rules. Matching takes time linear in text × pattern.
 *
 * Returns undefined for an invalid pattern, which in Argo CD matches nothing.
 */
export function compileGlob(pattern: string, separators = ''): GlobMatcher | undefined {
  if (!/[*?[\]{}\\]/.test(pattern)) return (text) => text === pattern
  const nodes = new GlobParser(pattern).parse()
  if (nodes === undefined) return undefined
  const machine = new Machine(separators)
  if (!machine.add(nodes)) return undefined
  // alone, `?` and a negated class take no text for a character that they match
  const [only] = nodes
  const takesNothing =
    nodes.length === 1 && (only!.type === 'one' || (only!.type === 'class' && only!.negated))
  return (text) => (text === '' && takesNothing) || machine.matches(text)
}

const cache = new Map<string, GlobMatcher | undefined>()

/** {@link compileGlob} without separators and with a small cache; false for an invalid pattern. */
export function matchGlob(pattern: string, text: string): boolean {
  if (!cache.has(pattern)) {
    if (cache.size >= 1_000) cache.clear()
    cache.set(pattern, compileGlob(pattern))
  }
  return cache.get(pattern)?.(text) ?? false
}

class GlobParser {
  private readonly chars: readonly string[]
  private at = 0

  constructor(pattern: string) {
    this.chars = [...pattern]
  }

  parse(): readonly Node[] | undefined {
    const nodes = this.sequence(0)
    return this.at === this.chars.length ? nodes : undefined
  }

  /** Up to the end, or to `,` or `}` inside braces. A brace that is never closed ends with the pattern. */
  private sequence(depth: number): Node[] | undefined {
    const nodes: Node[] = []
    while (this.at < this.chars.length) {
      const char = this.chars[this.at]!
      if (depth > 0 && (char === ',' || char === '}')) break
      this.at++
      if (char === '\\') {
        // the last one of a pattern escapes nothing and is gone
        const escaped = this.chars[this.at++]
        if (escaped === undefined) this.at = this.chars.length
        else nodes.push({ type: 'text', char: escaped })
      } else if (char === '*') {
        if (this.chars[this.at] === '*') {
          while (this.chars[this.at] === '*') this.at++
          nodes.push({ type: 'super' })
        } else nodes.push({ type: 'run' })
      } else if (char === '?') nodes.push({ type: 'one' })
      else if (char === '[') {
        const node = this.characterClass()
        if (node === undefined) return undefined
        nodes.push(node)
      } else if (char === '{') {
        if (depth >= 50) return undefined
        const branches: Node[][] = []
        for (;;) {
          const branch = this.sequence(depth + 1)
          if (branch === undefined) return undefined
          branches.push(branch)
          const end = this.chars[this.at++]
          if (end !== ',') break
        }
        if (this.at > this.chars.length) this.at = this.chars.length
        nodes.push({ type: 'either', branches })
      } else nodes.push({ type: 'text', char })
    }
    return nodes
  }

  /** Either one range of two characters, where nothing is escaped, or a list. */
  private characterClass(): Node | undefined {
    const negated = this.chars[this.at] === '!'
    if (negated) this.at++
    const first = this.chars[this.at]
    if (this.chars[this.at + 1] === '-') {
      const low = first!
      const high = this.chars[this.at + 2]
      if (high === undefined || high < low || this.chars[this.at + 3] !== ']') return undefined
      this.at += 4
      return { type: 'class', negated, test: (char) => char >= low && char <= high }
    }
    const set = new Set<string>()
    for (;;) {
      let char = this.chars[this.at++]
      if (char === ']') break
      if (char === '\\') char = this.chars[this.at++]
      if (char === undefined) return undefined
      set.add(char)
    }
    return set.size === 0 ? undefined : { type: 'class', negated, test: (char) => set.has(char) }
  }
}

interface State {
  readonly test: ((char: string) => boolean) | undefined
  readonly loop: boolean
  readonly next: number[]
}

/** A nondeterministic automaton; state 0 is the start, the last one added accepts. */
class Machine {
  private readonly states: State[] = []
  private readonly separators: string
  private accept = 0

  constructor(separators: string) {
    this.separators = separators
  }

  add(nodes: readonly Node[]): boolean {
    const start = this.state(undefined, false)
    const end = this.chain(nodes, start)
    if (end === undefined) return false
    this.accept = end
    return true
  }

  private state(test: State['test'], loop: boolean): number {
    this.states.push({ test, loop, next: [] })
    return this.states.length - 1
  }

  private chain(nodes: readonly Node[], from: number): number | undefined {
    let last = from
    for (const node of nodes) {
      if (this.states.length > maxStates) return undefined
      if (node.type === 'either') {
        const join = this.state(undefined, false)
        for (const branch of node.branches) {
          const begin = this.state(undefined, false)
          this.states[last]!.next.push(begin)
          const end = this.chain(branch, begin)
          if (end === undefined) return undefined
          this.states[end]!.next.push(join)
        }
        last = join
        continue
      }
      const next = this.state(this.testOf(node), node.type === 'run' || node.type === 'super')
      this.states[last]!.next.push(next)
      last = this.state(undefined, false)
      this.states[next]!.next.push(last)
    }
    return last
  }

  private testOf(node: Exclude<Node, { type: 'either' }>): (char: string) => boolean {
    switch (node.type) {
      case 'text':
        return (char) => char === node.char
      case 'one':
      case 'run':
        return (char) => !this.separators.includes(char)
      case 'super':
        return () => true
      case 'class':
        return (char) => node.test(char) !== node.negated
    }
  }

  /** Adds `index` and everything reachable without reading: states with a test wait, loops may also be skipped. */
  private close(index: number, into: Set<number>): void {
    if (into.has(index)) return
    into.add(index)
    const state = this.states[index]!
    if (state.test === undefined || state.loop)
      for (const next of state.next) this.close(next, into)
  }

  matches(text: string): boolean {
    let current = new Set<number>()
    this.close(0, current)
    for (const char of text) {
      const following = new Set<number>()
      for (const index of current) {
        const state = this.states[index]!
        if (state.test === undefined || !state.test(char)) continue
        if (state.loop) this.close(index, following)
        else for (const next of state.next) this.close(next, following)
      }
      if (following.size === 0) return false
      current = following
    }
    return current.has(this.accept)
  }
}
