import type { Eval, Exec, Stage } from './code.ts'
import { isTrue } from './compare.ts'
import type { Rounds } from './range.ts'
import type { State } from './state.ts'
import { type TracedRead, tracerOf } from './tracer.ts'
import { integerOf, type Value } from './value.ts'

// What compiled code does in place of its plain work when a run has a tracer.

/** A statement at `pos`. */
export function tracedStatement(pos: number, exec: Exec): Exec {
  return (state, dot) => {
    if (state.marks !== undefined) state.mark(state.marks, pos)
    tracerOf(state.run)!.at(state.out.length, pos)
    return exec(state, dot)
  }
}

/** An `if` or a `with`. */
export function tracedBranch(
  pos: number,
  evaluate: Eval,
  isWith: boolean,
  list: Exec,
  otherwise: Exec | undefined,
): Exec {
  return (state, dot) => {
    const tracer = tracerOf(state.run)!
    const { result, reads } = tracer.collect(() => evaluate(state, dot))
    if (isTrue(result)) {
      return tracer.inside(reads, !isWith, pos, () => list(state, isWith ? result : dot))
    }
    if (otherwise === undefined) return 0
    return tracer.inside(reads, true, pos, () => otherwise(state, dot))
  }
}

/** What a loop goes over, and what each of its rounds depends on. */
export interface TracedLoop {
  readonly over: Value
  /** The reads of a round: those of the list, narrowed to its element where that has a path. */
  readsOf(rounds: Rounds, i: number): ReadonlyMap<string, TracedRead>
}

export function tracedLoop(state: State, dot: Value, evaluate: Eval): TracedLoop {
  const tracer = tracerOf(state.run)!
  const { result: over, reads } = tracer.collect(() => evaluate(state, dot))
  const path = tracer.pathOf(over)
  return {
    over,
    readsOf(rounds, i) {
      if (path === undefined) return reads
      const index = rounds.index(i)
      const own = [...path, typeof index === 'string' ? index : String(integerOf(index) ?? i)]
      const rest = new Map(reads)
      rest.delete(path.join('\0'))
      return rest.set(own.join('\0'), { path: own, value: rounds.element(i) })
    },
  }
}

/** A pipeline that sets variables. */
export function tracedDeclaration(
  evaluate: Eval,
  slots: readonly number[],
  set: (state: State, value: Value) => void,
): Eval {
  return (state, dot) => {
    const tracer = tracerOf(state.run)!
    const { result, reads } = tracer.collect(() => evaluate(state, dot))
    set(state, result)
    for (const slot of slots) tracer.assign(state, slot, reads)
    return result
  }
}

/** A variable by itself. */
export function tracedVariable(slot: number, stage: Stage): Stage {
  return (state, dot, final) => {
    const value = stage(state, dot, final)
    const tracer = tracerOf(state.run)!
    if (!tracer.take(value, [], value)) tracer.use(state, slot)
    return value
  }
}

/** `.` by itself. */
export function tracedDot(evaluate: Eval): Eval {
  return (state, dot) => {
    tracerOf(state.run)!.take(dot, [], dot)
    return evaluate(state, dot)
  }
}

/** Fields of the dot, of a variable (`slot`), or of what `make` is given a way to evaluate. */
export function tracedChain(
  base: Eval | undefined,
  slot: number | undefined,
  fields: readonly string[],
  make: (base: Eval | undefined) => Stage,
): Stage {
  let seen: Value
  const stage = make(
    base === undefined
      ? undefined
      : (state, dot) => {
          seen = base(state, dot)
          return seen
        },
  )
  return (state, dot, final) => {
    const value = stage(state, dot, final)
    const from = base === undefined ? dot : seen
    const tracer = tracerOf(state.run)!
    if (!tracer.take(from, fields, value) && slot !== undefined) tracer.use(state, slot)
    return value
  }
}

/** Functions that look something up in their map. */
const lookups: { readonly [name: string]: (args: readonly Value[]) => readonly Value[] } = {
  index: (args) => args,
  get: (args) => args,
  dig: (args) => [args.at(-1), ...args.slice(0, -2)],
}

/** Notes what `index`, `get` and `dig` find. */
export function tracedCall(name: string, state: State, args: readonly Value[], value: Value): void {
  const [map, ...keys] = lookups[name]?.(args) ?? []
  if (map === undefined || keys.length === 0) return
  const path = keys.map((key) => (typeof key === 'string' ? key : String(integerOf(key) ?? '')))
  tracerOf(state.run)!.take(map, path, value)
}

/** Functions whose calls {@link tracedCall} wants to see. */
export function isLookup(name: string): boolean {
  return Object.hasOwn(lookups, name)
}
