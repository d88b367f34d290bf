import { enter, fail, machine } from './machine.ts'
import type { Caller } from './site.ts'
import {
  type Frame,
  type FunctionDef,
  FunctionValue,
  type Slot,
  Thunk,
  type Value,
} from './values.ts'

/** Arguments by name, in the order of the call. */
export interface NamedSlots {
  readonly names: readonly string[]
  readonly slots: readonly Slot[]
}

/** Calls any function. The order of work and of errors is go-jsonnet's. */
export function call(
  fn: FunctionValue,
  positional: readonly Slot[],
  named: NamedSlots | undefined,
  caller: Caller,
): Value {
  const { def } = fn
  if (def.native !== undefined) {
    return def.native(bindArguments(def, positional, named, caller), caller)
  }
  return run(def, bindFrame(fn, positional, named, caller), caller)
}

/** Calls a function with one argument, as library functions do most. */
export function call1(fn: FunctionValue, argument: Slot, caller: Caller): Value {
  const { def } = fn
  if (def.native !== undefined || def.parameters.length !== 1) {
    return call(fn, [argument], undefined, caller)
  }
  const frame = def.makeFrame(fn.frame)
  frame[1] = argument
  return run(def, frame, caller)
}

export function call2(fn: FunctionValue, first: Slot, second: Slot, caller: Caller): Value {
  const { def } = fn
  if (def.native !== undefined || def.parameters.length !== 2) {
    return call(fn, [first, second], undefined, caller)
  }
  const frame = def.makeFrame(fn.frame)
  frame[1] = first
  frame[2] = second
  return run(def, frame, caller)
}

function run(def: FunctionDef, frame: Frame, caller: Caller): Value {
  enter(caller)
  const value = def.code(frame)
  machine.depth--
  return value
}

/** The frame of a call to a closure, with fallbacks for what is left out. */
export function bindFrame(
  fn: FunctionValue,
  positional: readonly Slot[],
  named: NamedSlots | undefined,
  caller: Caller,
): Frame {
  const { def } = fn
  const slots = bindArguments(def, positional, named, caller)
  const frame = def.makeFrame(fn.frame)
  for (let i = 0; i < slots.length; i++) frame[i + 1] = slots[i]
  for (let i = 0; i < slots.length; i++) {
    if (slots[i] === undefined) frame[i + 1] = def.fallbacks[i]!(frame)
  }
  return frame
}

/**
 * One slot for each parameter, undefined where it is left out and optional.
 * Source: go-jsonnet 0.22 value.go checkArguments
 */
function bindArguments(
  def: FunctionDef,
  positional: readonly Slot[],
  named: NamedSlots | undefined,
  caller: Caller,
): readonly (Slot | undefined)[] {
  const { parameters, fallbacks } = def
  const count = parameters.length
  if (positional.length > count) {
    fail(`function expected ${count} positional argument(s), but got ${positional.length}`, caller)
  }
  if (named === undefined && positional.length === count) return positional
  const slots: (Slot | undefined)[] = [...positional]
  while (slots.length < count) slots.push(undefined)
  named?.names.forEach((name, i) => {
    // of two parameters with one name the last one is bound
    const at = parameters.lastIndexOf(name)
    if (at === -1) fail(`function has no parameter ${name}`, caller)
    if (slots[at] !== undefined) fail(`Argument ${name} already provided`, caller)
    slots[at] = named.slots[i]
  })
  for (let i = 0; i < count; i++) {
    if (slots[i] === undefined && fallbacks[i] === undefined) {
      fail(`Missing argument: ${parameters[i]}`, caller)
    }
  }
  return slots
}

/** What a tail call returns to whoever opened the frame that it replaces. Not a value; it never gets further. */
export const tailCall: FunctionValue = new FunctionValue(
  {
    parameters: [],
    fallbacks: [],
    required: 0,
    makeFrame: (parent) => [parent],
    code: () => null,
    native: undefined,
  },
  [],
)

interface Pending {
  readonly def: FunctionDef
  readonly frame: Frame
  readonly caller: Caller
  readonly strict: boolean
}

let pending: Pending | undefined

/** Closes the innermost frame early, if a tail call may replace it. */
export function trim(): boolean {
  if (machine.trimmable !== machine.depth) return false
  machine.depth--
  machine.trimmable = -1
  return true
}

/** Leaves a call to {@link trampoline}, after {@link trim}. */
export function leave(def: FunctionDef, frame: Frame, caller: Caller, strict: boolean): Value {
  pending = { def, frame, caller, strict }
  return tailCall
}

/** Evaluates all arguments of a frame, as `tailstrict` asks. */
export function forceArguments(def: FunctionDef, frame: Frame, caller: Caller): void {
  for (let i = 1; i <= def.parameters.length; i++) {
    const slot = frame[i]
    if (slot instanceof Thunk) frame[i] = slot.force(caller)
  }
}

/** Runs a `tailstrict` call and the calls in tail position that follow from it, in one frame. */
export function trampoline(def: FunctionDef, frame: Frame, caller: Caller): Value {
  const { depth, trimmable } = machine
  let next: Pending = { def, frame, caller, strict: true }
  for (;;) {
    enter(next.caller)
    machine.trimmable = next.strict ? machine.depth : -1
    const value = next.def.code(next.frame)
    if (value !== tailCall) {
      machine.depth = depth
      machine.trimmable = trimmable
      return value
    }
    next = pending!
    pending = undefined
  }
}
