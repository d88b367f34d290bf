import { enter, fail, machine } from './machine.ts'
import type { Caller } from './site.ts'
import type { Source } from './source.ts'

export type Value = null | boolean | number | string | ArrayValue | ObjectValue | FunctionValue
/** What a variable, an element or an argument holds: a value, or how to get it. */
export type Slot = Value | Thunk
/** See scope.ts for what stands where. */
export type Frame = unknown[]
/** A compiled expression. */
export type Code = (frame: Frame) => Value
/** A compiled expression that is not needed yet: a value where that costs nothing, a thunk otherwise. */
export type Delay = (frame: Frame) => Slot

/** A value that is worked out when it is first asked for. */
export class Thunk {
  value: Value | undefined = undefined
  private code: Code | undefined
  private frame: Frame | undefined

  constructor(code: Code, frame: Frame) {
    this.code = code
    this.frame = frame
  }

  force(caller: Caller): Value {
    if (this.value !== undefined) return this.value
    enter(caller)
    const value = this.code!(this.frame!)
    machine.depth--
    this.value = value
    this.code = undefined
    this.frame = undefined
    return value
  }
}

export function force(slot: Slot, caller: Caller): Value {
  return slot instanceof Thunk ? slot.force(caller) : slot
}

export class ArrayValue {
  readonly items: Slot[]

  constructor(items: Slot[]) {
    this.items = items
  }

  /** The element at a valid index. */
  at(index: number, caller: Caller): Value {
    const item = this.items[index]!
    if (!(item instanceof Thunk)) return item
    const value = item.force(caller)
    this.items[index] = value
    return value
  }
}

/** What all closures of one function expression share, or a function of the standard library. */
export interface FunctionDef {
  readonly parameters: readonly string[]
  /** One for each parameter, undefined where it must be given. */
  readonly fallbacks: readonly (Delay | undefined)[]
  readonly required: number
  /** Makes the frame of a call, with parameters from slot 1 on and everything undefined. */
  readonly makeFrame: (parent: Frame) => Frame
  readonly code: Code
  /** Of library functions: takes the slots, undefined for an argument left out. `code` and `makeFrame` are unused. */
  readonly native: ((slots: readonly (Slot | undefined)[], caller: Caller) => Value) | undefined
}

export class FunctionValue {
  readonly def: FunctionDef
  readonly frame: Frame

  constructor(def: FunctionDef, frame: Frame) {
    this.def = def
    this.frame = frame
  }
}

/** A field as its literal says it. Visibility: 0 inherits, 1 hidden, 2 visible. */
export interface Field {
  readonly name: string
  readonly visibility: 0 | 1 | 2
  /** Set where the value is known without running anything. */
  readonly constant: Value | undefined
  readonly code: Code
  /** True where `code` needs the object's own frame; otherwise it runs in the frame around the literal. */
  readonly framed: boolean
  /** Of comprehensions: the frame of the step that made the field. */
  readonly frame: Frame | undefined
  /** Where it is written; absent for fields that no literal has. */
  readonly written?: { readonly source: Source; readonly begin: number } | undefined
}

/** The static side of an object literal; shared by all its instances where the names of fields are literal. */
export interface Shape {
  readonly fields: readonly Field[]
  readonly index: ReadonlyMap<string, number>
  readonly asserts: readonly Code[]
  readonly makeFrame: (parent: Frame, self: ObjectValue, depth: number) => Frame
  /** Names of visible fields, sorted; worked out when first needed. */
  visible: readonly string[] | undefined
}

/** A field of a composite object, at the place where it was found. */
export interface FoundField {
  readonly leaf: ObjectValue
  readonly field: Field
  readonly position: number
  readonly depth: number
  value: Value | undefined
  /** The same name further to the left; null when there is none, undefined when nobody has looked. */
  next: FoundField | null | undefined
}

/**
 * An object: a leaf (one literal), a sum of two objects, or an object from which std.objectRemoveKey took a field.
 * The functions in object.ts know how to read it.
 */
export class ObjectValue {
  /** Of leaves. */
  readonly shape: Shape | undefined
  readonly frame: Frame
  /** Of sums; `left` alone with `retained` for a removed key. */
  readonly left: ObjectValue | undefined
  readonly right: ObjectValue | undefined
  readonly retained: ReadonlyMap<string, 0 | 1 | 2> | undefined
  /** Layers below and including this one; go-jsonnet's inheritance size. */
  readonly size: number
  /** Whether any layer has a removed key. */
  readonly restricted: boolean
  /** Whether any layer has asserts. */
  readonly asserted: boolean
  /** Whether they have yet to run, for this object as self. */
  pending: boolean

  /** Leaf: values by position of the field. */
  values: (Value | undefined)[] | undefined = undefined
  /** Leaf: the frame of its fields when it is its own self. Composite: one frame for each layer. */
  frames: (Frame | undefined)[] | undefined = undefined
  /** Composite: layers from right to left. */
  layers: readonly ObjectValue[] | undefined = undefined
  /** Composite: fields found so far. */
  found: Map<string, FoundField> | undefined = undefined
  visible: readonly string[] | undefined = undefined

  constructor(
    shape: Shape | undefined,
    frame: Frame,
    left: ObjectValue | undefined,
    right: ObjectValue | undefined,
    retained: ReadonlyMap<string, 0 | 1 | 2> | undefined,
    size: number,
    restricted: boolean,
    asserted: boolean,
  ) {
    this.shape = shape
    this.frame = frame
    this.left = left
    this.right = right
    this.retained = retained
    this.size = size
    this.restricted = restricted
    this.asserted = asserted
    this.pending = asserted
  }
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'function'

export function typeName(value: Value): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      if (value === null) return 'null'
      if (value instanceof ObjectValue) return 'object'
      return value instanceof ArrayValue ? 'array' : 'function'
  }
}

export function wrongType(value: Value, expected: TypeName | undefined, caller: Caller): never {
  const wanted = expected === undefined ? '' : `, expected ${expected}`
  fail(`Unexpected type ${typeName(value)}${wanted}`, caller)
}
