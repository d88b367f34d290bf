import type { State } from './state.ts'
import type { Value } from './value.ts'

/** What a statement asks the loop around it to do: go on, break, continue. */
export type Signal = 0 | 1 | 2
/** A compiled statement or list of them. */
export type Exec = (state: State, dot: Value) => Signal
/** A compiled expression. */
export type Eval = (state: State, dot: Value) => Value
/** A stage of a pipeline; `final` is the value of the stage before, where there is one. */
export type Stage = (state: State, dot: Value, final: Value) => Value

/** The slot at which a state may know of what a dot or variable is an element, for the type that errors name. */
export type Origin = number | undefined

/**
 * What a nil result of an expression becomes: `null`, a nil interface, where it is an argument, and `undefined`, an
 * invalid value, where it ends a pipeline.
 */
export type Nil = null | undefined
