import { enter, machine, spend } from '../machine.ts'
import { type Caller, Phase } from '../site.ts'
import { ArrayValue, force, type Slot, Thunk, type Value } from '../values.ts'

/** Evaluates an argument and counts the work of going through it. */
function take(slot: Slot, caller: Caller): Value {
  const value = force(slot, caller)
  charge(value, caller)
  return value
}

/** Counts the work of going through a large argument once. */
function charge(value: Value, caller: Caller): void {
  if (typeof value === 'string') {
    if (value.length > 1000) spend(value.length >> 5, caller)
  } else if (value instanceof ArrayValue && value.items.length > 100) {
    spend(value.items.length >> 3, caller)
  }
}

/** A library function before it becomes a value. */
export interface Definition {
  readonly parameters: readonly string[]
  /** Values of optional parameters; undefined in the list marks a required one. */
  readonly defaults: readonly (Value | Optional | undefined)[]
  /** Set where all arguments are evaluated in order before anything else. */
  readonly strict: AnyStrict | undefined
  readonly run: (slots: readonly (Slot | undefined)[], caller: Caller) => Value
}

export type AnyStrict = (
  a: Value,
  b: Value | undefined,
  c: Value | undefined,
  caller: Caller,
) => Value

/** Marks an optional parameter that has no value when it is left out. */
export interface Optional {
  readonly optional: true
}

export const optional: Optional = { optional: true }

export interface Definitions {
  readonly [name: string]: Definition
}

export function strict1(parameter: string, fn: (x: Value, caller: Caller) => Value): Definition {
  return {
    parameters: [parameter],
    defaults: [undefined],
    strict: (a, _b, _c, caller) => {
      charge(a, caller)
      return fn(a, caller)
    },
    run: (slots, caller) => fn(take(slots[0]!, caller), caller),
  }
}

export function strict2(
  parameters: readonly [string, string],
  fn: (x: Value, y: Value, caller: Caller) => Value,
): Definition {
  return {
    parameters,
    defaults: [undefined, undefined],
    strict: (a, b, _c, caller) => {
      charge(a, caller)
      charge(b!, caller)
      return fn(a, b!, caller)
    },
    run: (slots, caller) => {
      const x = take(slots[0]!, caller)
      return fn(x, take(slots[1]!, caller), caller)
    },
  }
}

export function strict3(
  parameters: readonly [string, string, string],
  fn: (x: Value, y: Value, z: Value, caller: Caller) => Value,
): Definition {
  return {
    parameters,
    defaults: [undefined, undefined, undefined],
    strict: (a, b, c, caller) => {
      charge(a, caller)
      charge(b!, caller)
      charge(c!, caller)
      return fn(a, b!, c!, caller)
    },
    run: (slots, caller) => {
      const x = take(slots[0]!, caller)
      const y = take(slots[1]!, caller)
      return fn(x, y, take(slots[2]!, caller), caller)
    },
  }
}

/** Strict with optional parameters; `defaults` are the values of the last ones. */
export function strictN(
  parameters: readonly string[],
  defaults: readonly (Value | Optional)[],
  fn: (values: readonly Value[], caller: Caller) => Value,
): Definition {
  const required = parameters.length - defaults.length
  return {
    parameters,
    defaults: [...new Array<undefined>(required).fill(undefined), ...defaults],
    strict: undefined,
    run: (slots, caller) => {
      const values = slots.map((slot, i) => {
        if (slot !== undefined) return take(slot, caller)
        const value = defaults[i - required]
        return isOptional(value) ? (undefined as unknown as Value) : value!
      })
      return fn(values, caller)
    },
  }
}

export function isOptional(value: Value | Optional | undefined): value is Optional {
  return value === optional
}

/** Arguments of a function that looks at them when it needs them. */
export class Arguments {
  /** The place that stands in stack traces for the inside of the function. */
  readonly caller: Caller
  private readonly slots: readonly Slot[]
  private readonly paths: readonly (readonly Caller[])[]

  constructor(slots: readonly Slot[], caller: Caller, paths: readonly (readonly Caller[])[]) {
    this.slots = slots
    this.caller = caller
    this.paths = paths
  }

  /** The argument as it is, perhaps not evaluated. */
  slot(index: number): Slot {
    return this.slots[index]!
  }

  get(index: number): Value {
    const slot = this.slots[index]!
    const value = slot instanceof Thunk ? (slot.value ?? this.force(slot, index)) : slot
    charge(value, this.caller)
    return value
  }

  private force(slot: Thunk, index: number): Value {
    if (slot.value === null) return null
    const path = this.paths[index]
    if (path === undefined) return slot.force(this.caller)
    const { depth } = machine
    const last = path.length - 1
    for (let i = 0; i < last; i++) enter(path[i]!)
    const value = slot.force(path[last]!)
    machine.depth = depth
    return value
  }
}

export interface LazyOptions {
  /** Values of the last parameters. */
  readonly defaults?: readonly Value[]
  /**
   * For each parameter the places that go-jsonnet passes through to evaluate it, outermost first, in the notation of
   * {@link places}.
   */
  readonly paths?: readonly string[]
}

/** Places in go-jsonnet's library: `34:16-27 34:25-26t`. `t` marks a thunk, `b` what has no surroundings. */
export function places(text: string): readonly Caller[] {
  return text.split(' ').map((place) => {
    const [, range = '', mark = ''] = /^(.*?)([tb]?)$/.exec(place) ?? []
    return new Phase(`<std>:${range}`, surroundings[mark])
  })
}

const surroundings: Readonly<Record<string, string>> = {
  '': 'function <anonymous>',
  t: 'thunk from <function <anonymous>>',
  b: '',
}

/**
 * A function that go-jsonnet defines in Jsonnet: it has a frame of its own and evaluates arguments on demand.
 * `place` is where its errors come from in go-jsonnet's library, or just its line.
 */
export function lazy(
  parameters: readonly string[],
  place: string,
  fn: (args: Arguments) => Value,
  options: LazyOptions = {},
): Definition {
  const inside = new Phase(`<std>${place}`, 'function <anonymous>')
  const defaults = options.defaults ?? []
  const paths = (options.paths ?? []).map(places)
  const required = parameters.length - defaults.length
  return {
    parameters,
    defaults: [...new Array<undefined>(required).fill(undefined), ...defaults],
    strict: undefined,
    run: (slots, caller) => {
      const filled = slots.map((slot, i) => (slot === undefined ? defaults[i - required]! : slot))
      enter(caller)
      const value = fn(new Arguments(filled, inside, paths))
      machine.depth--
      return value
    },
  }
}
