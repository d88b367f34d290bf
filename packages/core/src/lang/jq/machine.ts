import { isObject, type Json } from '../../json/index.ts'
import { at, getPath, orderedEntries, slice } from './paths.ts'
import { described, JqError } from './values.ts'

/**
 * Where a value came from, while `path(…)` is being computed. It follows the control flow, not the value: a value that
 * is not the one at the end of the path has lost its path, and only indexing it further is an error.
 */
export interface Path {
  readonly before: Path | undefined
  /** Undefined for the start of the path. */
  readonly key: Json | undefined
  readonly value: Json
}

/** Variables, functions and closures in scope, innermost first. */
export interface Scope {
  readonly entry: Json | Closure | FunctionValue
  readonly outer: Scope | undefined
}

export interface Closure {
  readonly node: Node
  readonly scope: Scope | undefined
}

export interface FunctionValue {
  readonly parameters: readonly string[]
  readonly body: () => Node
}

/** What is done with each output of a node. */
export interface Next {
  accept(machine: Machine, value: Json, path: Path | undefined): void
}

/** One piece of a compiled program: takes a value and hands its outputs, one after the other, to `next`. */
export interface Node {
  run(
    machine: Machine,
    value: Json,
    path: Path | undefined,
    scope: Scope | undefined,
    next: Next,
  ): void
}

/** A place to come back to when an output was used up, or something failed after it. */
export interface Fork {
  /** Goes on from here; false when there is nothing more. */
  retry(machine: Machine): boolean
  /** Looks at a failure on its way out: 'handled' when it goes on here, else the failure to pass on. */
  rescue?(machine: Machine, failure: Failure): Failure | 'handled' | 'swallowed'
}

/** What is on its way out: an error, or a `break` to a label. */
export interface Failure {
  readonly error: JqError
  readonly label: object | undefined
  /** `try`s whose body was already left when it happened; they do not catch it. */
  readonly left: ReadonlySet<object>
}

/** The program used up its steps. */
export class StepsExhausted extends Error {}

/** Runs nodes without recursion: every step is counted, and depth costs memory only. */
export class Machine {
  private steps: number
  private readonly forks: Fork[] = []
  private node: Node | undefined
  private next: Next | undefined
  private value: Json = null
  private path: Path | undefined
  private scope: Scope | undefined
  private output: { readonly value: Json } | undefined

  constructor(maxSteps: number) {
    this.steps = maxSteps
  }

  start(node: Node, input: Json): void {
    this.eval(node, input, undefined, undefined, {
      accept: (_machine, value) => {
        this.output = { value }
      },
    })
  }

  /** Runs a node next. */
  eval(
    node: Node,
    value: Json,
    path: Path | undefined,
    scope: Scope | undefined,
    next: Next,
  ): void {
    this.node = node
    this.value = value
    this.path = path
    this.scope = scope
    this.next = next
  }

  /** Hands an output on. */
  give(next: Next, value: Json, path: Path | undefined): void {
    this.node = undefined
    this.next = next
    this.value = value
    this.path = path
  }

  /** No (further) output here. */
  backtrack(): void {
    this.node = undefined
    this.next = undefined
  }

  fork(fork: Fork): void {
    this.forks.push(fork)
  }

  /** Counts work that is not a step of its own, such as the items of a list. */
  charge(amount: number): void {
    this.steps -= amount
    if (this.steps < 0) throw new StepsExhausted()
  }

  /** The next output, or undefined when there are no more. Throws JqError for a failure that nothing caught. */
  resume(): { readonly value: Json } | undefined {
    if (this.node === undefined && this.next === undefined) this.goBack(undefined)
    for (;;) {
      if (this.output !== undefined) {
        const { output } = this
        this.output = undefined
        this.backtrack()
        return output
      }
      if (this.node === undefined && this.next === undefined) return undefined
      if (--this.steps < 0) throw new StepsExhausted()
      const { node, next, value, path, scope } = this
      this.node = undefined
      this.next = undefined
      try {
        if (node !== undefined) node.run(this, value, path, scope, next!)
        else next!.accept(this, value, path)
        if (this.output === undefined && this.node === undefined && this.next === undefined) {
          this.goBack(undefined)
        }
      } catch (error) {
        this.goBack(failureOf(error))
      }
    }
  }

  private goBack(thrown: Failure | undefined): void {
    let failure = thrown
    for (;;) {
      const fork = this.forks.pop()
      if (fork === undefined) {
        if (failure !== undefined) throw failure.error
        return
      }
      if (--this.steps < 0) throw new StepsExhausted()
      try {
        if (failure === undefined) {
          if (fork.retry(this)) return
        } else if (fork.rescue !== undefined) {
          const result = fork.rescue(this, failure)
          if (result === 'handled') return
          failure = result === 'swallowed' ? undefined : result
        }
      } catch (error) {
        failure = failureOf(error)
      }
    }
  }
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof JqError) return { error: thrown, label: undefined, left: new Set() }
  if (thrown instanceof Break) {
    const error = new JqError(`label not defined: ${thrown.name}`)
    return { error, label: thrown.label, left: new Set() }
  }
  throw thrown
}

/** `break` to a label. */
export class Break {
  readonly label: object
  readonly name: string
  constructor(label: object, name: string) {
    this.label = label
    this.name = name
  }
}

/** Whether a value is still the one at the end of the path. */
function isIntact(value: Json, path: Path): boolean {
  return value === path.value || (Number.isNaN(value) && Number.isNaN(path.value))
}

/** The path one key further. Throws when the value is not what the path leads to. */
export function extended(
  path: Path | undefined,
  from: Json,
  key: Json,
  value: Json,
): Path | undefined {
  if (path === undefined) return undefined
  if (!isIntact(from, path)) throw new JqError(`invalid path against: ${described(from)}`)
  return { before: path, key, value }
}

/** The keys of a path. Throws when `value` is not what it leads to. */
export function keysOf(path: Path, value: Json): readonly Json[] {
  if (!isIntact(value, path)) throw new JqError(`invalid path against: ${described(value)}`)
  const keys: Json[] = []
  for (let at: Path | undefined = path; at?.key !== undefined; at = at.before) keys.push(at.key)
  return keys.reverse()
}

export function giveIndex(
  machine: Machine,
  value: Json,
  key: Json,
  path: Path | undefined,
  next: Next,
): void {
  const found = at(value, key)
  machine.give(next, found, extended(path, value, key, found))
}

export function giveSlice(
  machine: Machine,
  value: Json,
  bounds: { readonly start: Json; readonly end: Json },
  path: Path | undefined,
  next: Next,
): void {
  const found = slice(value, bounds.start, bounds.end)
  if (Array.isArray(found)) machine.charge(found.length)
  machine.give(next, found, extended(path, value, { ...bounds }, found))
}

export function giveAtPath(
  machine: Machine,
  value: Json,
  keys: Json,
  path: Path | undefined,
  next: Next,
): void {
  const found = getPath(value, keys)
  if (path === undefined) {
    machine.give(next, found, undefined)
    return
  }
  let longer: Path = path
  if (!isIntact(value, path)) throw new JqError(`invalid path against: ${described(value)}`)
  for (const key of keys as readonly Json[]) longer = { before: longer, key, value: found }
  machine.give(next, found, longer)
}

/** Hands on the items of a list or the values of an object, in the order of keys. */
export function giveEach(machine: Machine, value: Json, path: Path | undefined, next: Next): void {
  const entries: readonly (readonly [Json, Json])[] | undefined = Array.isArray(value)
    ? (value as readonly Json[]).map((item, i) => [i, item])
    : isObject(value)
      ? orderedEntries(value)
      : undefined
  if (entries === undefined) throw new JqError(`cannot iterate over: ${described(value)}`)
  if (path !== undefined && !isIntact(value, path)) {
    throw new JqError(`invalid path on iterating against: ${described(value)}`)
  }
  machine.charge(entries.length)
  giveNth(machine, entries, 0, path, next)
}

function giveNth(
  machine: Machine,
  entries: readonly (readonly [Json, Json])[],
  index: number,
  path: Path | undefined,
  next: Next,
): void {
  const entry = entries[index]
  if (entry === undefined) {
    machine.backtrack()
    return
  }
  if (index + 1 < entries.length) {
    machine.fork({
      retry: (again) => {
        giveNth(again, entries, index + 1, path, next)
        return true
      },
    })
  }
  const [key, value] = entry
  machine.give(next, value, path === undefined ? undefined : { before: path, key, value })
}
