import type { Run } from './run.ts'

/**
 * A Go value as templates see it.
 *
 * - `undefined` is Go's invalid value (an untyped nil), `null` a nil held in an interface: a missing or null entry of a
 *   map or list. Most code treats both alike; field access and argument checks tell them apart, as Go does.
 * - `number` is float64, `bigint` is int, other integers are {@link SizedInt}.
 * - `string` holds invalid bytes as lone surrogates, see text/go-string.
 * - an array is `[]interface {}`, a `Map` is `map[string]interface {}`; both are shared and mutable as in Go.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Value[]
  | ValueMap
  | GoObject

export type ValueMap = Map<string, Value>

/** reflect.Kind by its name. */
export type Kind =
  | 'invalid'
  | 'bool'
  | 'int'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint64'
  | 'float64'
  | 'complex128'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'

/**
 * The Go type of a parameter, spelled as Go's errors spell it.
 *
 * `reflect.Value` takes anything and keeps the difference between an invalid and a nil interface value.
 */
export type ParamType =
  | 'interface {}'
  | 'reflect.Value'
  | 'string'
  | 'bool'
  | 'int'
  | 'int64'
  | 'uint32'
  | 'float64'
  | 'map[string]interface {}'
  | '[]interface {}'
  | 'time.Time'
  | 'time.Duration'
  | '*semver.Version'
  | 'sprig.certificate'
  | 'io.Writer'

/** What a function may ask of the execution that calls it. */
export interface CallContext {
  readonly run: Run
  /** Runs a template of the current set. Throws a FunctionFailure when there is none of that name. */
  include(name: string, data: Value): string
  /**
   * Runs a text as a template of its own over the current set; its defines are seen by itself alone.
   *
   * Throws the TemplateError of its parsing or running.
   */
  evaluate(text: string, data: Value): string
}

/**
 * A function or method that templates call.
 *
 * Arguments arrive checked: strings, `bigint` for int, `number` for float64, a `Map` (or undefined for a nil one) for
 * maps. Throw a FunctionFailure for an error that Go would return or a panic it would recover.
 */
export interface FunctionDef {
  readonly params: readonly ParamType[]
  /** The last parameter may be given any number of times. */
  readonly variadic?: boolean
  /** `and` and `or` stop evaluating their arguments when the answer is known. */
  readonly shortCircuit?: 'and' | 'or'
  readonly call: (args: Value[], context: CallContext) => Value
}

export type FunctionTable = ReadonlyMap<string, FunctionDef>

/** Everything whose Go type needs a name of its own. */
export abstract class GoObject {
  /** As `%T` prints it. */
  abstract readonly goType: string
  abstract readonly kind: Kind
  /** A method that templates may call. */
  method(_name: string): FunctionDef | undefined {
    return undefined
  }
  /** What error or String would print; undefined when the type has neither. */
  text(): string | undefined {
    return undefined
  }
  /** What `%#v` prints when the type says so itself. */
  goSyntax(): string | undefined {
    return undefined
  }
  /** What an action prints when the value was reached by field access, so that pointer methods count. */
  addressableText(): string | undefined {
    return this.text()
  }
}

/** An integer that is not `int`. */
export class SizedInt extends GoObject {
  override readonly goType: string
  override readonly kind: Kind
  readonly value: bigint
  private readonly show: ((value: bigint) => string) | undefined

  constructor(
    kind: 'int32' | 'int64' | 'uint8' | 'uint64' | 'int',
    value: bigint,
    named?: { readonly goType: string; readonly text: (value: bigint) => string },
  ) {
    super()
    this.kind = kind
    this.goType = named?.goType ?? kind
    this.value = value
    this.show = named?.text
  }

  override text(): string | undefined {
    return this.show?.(this.value)
  }
}

/** complex128; only literals make one. */
export class ComplexNumber extends GoObject {
  override readonly goType: string = 'complex128'
  override readonly kind: Kind = 'complex128'
  readonly real: number
  readonly imaginary: number
  constructor(real: number, imaginary: number) {
    super()
    this.real = real
    this.imaginary = imaginary
  }
}

/** A slice whose element type is not `interface {}`, or a nil slice. */
export class TypedSlice extends GoObject {
  override readonly goType: string
  override readonly kind: Kind = 'slice'
  /** As `%T` prints an element; `interface {}` for a nil `[]interface {}`. */
  readonly elementType: string
  readonly items: readonly Value[]
  readonly isNil: boolean
  private readonly methods: { readonly [name: string]: FunctionDef } | undefined

  constructor(
    elementType: string,
    items: readonly Value[],
    options: {
      readonly isNil?: boolean
      readonly goType?: string
      readonly methods?: { readonly [name: string]: FunctionDef }
    } = {},
  ) {
    super()
    this.elementType = elementType
    this.items = items
    this.isNil = options.isNil ?? false
    this.goType = options.goType ?? '[]' + elementType
    this.methods = options.methods
  }

  override method(name: string): FunctionDef | undefined {
    return this.methods !== undefined && Object.hasOwn(this.methods, name)
      ? this.methods[name]
      : undefined
  }

  /** The same type over other elements. */
  copiedWith(items: readonly Value[]): TypedSlice {
    const { elementType, isNil, goType, methods } = this
    const own = methods === undefined ? {} : { methods }
    return new TypedSlice(elementType, items, { isNil, goType, ...own })
  }
}

/** Methods by name. */
export type MethodTable = { readonly [name: string]: FunctionDef }

/** A map with a named type, another element type, methods, or that is nil. */
export class TypedMap extends GoObject {
  override readonly goType: string
  override readonly kind: Kind = 'map'
  readonly map: ValueMap
  readonly elementType: string
  /** What a missing key gives. */
  readonly zero: Value
  readonly isNil: boolean
  private methods: MethodTable | (() => MethodTable) | undefined

  constructor(
    goType: string,
    map: ValueMap,
    options: {
      readonly elementType?: string
      readonly zero?: Value
      readonly isNil?: boolean
      /** A function is asked once, when a method is looked for. */
      readonly methods?: MethodTable | (() => MethodTable)
    } = {},
  ) {
    super()
    this.goType = goType
    this.map = map
    this.elementType = options.elementType ?? 'interface {}'
    this.zero = options.zero === undefined ? null : options.zero
    this.isNil = options.isNil ?? false
    this.methods = options.methods
  }

  override method(name: string): FunctionDef | undefined {
    if (typeof this.methods === 'function') this.methods = this.methods()
    return this.methods !== undefined && Object.hasOwn(this.methods, name)
      ? this.methods[name]
      : undefined
  }

  /** The same type over other entries. */
  copiedWith(map: ValueMap): TypedMap {
    const { elementType, zero, isNil, methods } = this
    return new TypedMap(this.goType, map, {
      elementType,
      zero,
      isNil,
      ...(methods === undefined ? {} : { methods }),
    })
  }
}

/** A struct or a pointer to one. Fields keep their order. */
export class Struct extends GoObject {
  override readonly goType: string
  override readonly kind: Kind
  readonly fields: ReadonlyMap<string, Value>
  private readonly methods: { readonly [name: string]: FunctionDef } | undefined
  private readonly show: { readonly value?: () => string; readonly pointer?: () => string }
  /** What JSON is made of, for types that do not marshal by their fields. */
  readonly json: (() => Value) | undefined
  readonly exportedOnly: (() => Struct) | undefined

  constructor(
    goType: string,
    fields: Iterable<readonly [string, Value]>,
    options: {
      readonly json?: () => Value
      readonly methods?: { readonly [name: string]: FunctionDef }
      /** A copy made field by field, which does not see those that are not exported. */
      readonly exportedOnly?: () => Struct
      /** The String method of the value; `pointer` is one that only the pointer has. */
      readonly text?: { readonly value?: () => string; readonly pointer?: () => string }
    } = {},
  ) {
    super()
    this.goType = goType
    this.kind = goType.startsWith('*') ? 'ptr' : 'struct'
    this.fields = new Map(fields)
    this.methods = options.methods
    this.show = options.text ?? {}
    this.json = options.json
    this.exportedOnly = options.exportedOnly
  }

  override method(name: string): FunctionDef | undefined {
    return this.methods !== undefined && Object.hasOwn(this.methods, name)
      ? this.methods[name]
      : undefined
  }
  override text(): string | undefined {
    return this.show.value?.()
  }
  override addressableText(): string | undefined {
    return (this.show.pointer ?? this.show.value)?.()
  }

  /** The value as a function receives it: methods that need an address are gone. */
  copied(): Struct {
    if (this.kind === 'ptr' || this.show.pointer === undefined) return this
    return new Struct(this.goType, this.fields, {
      text: this.show.value === undefined ? {} : { value: this.show.value },
      ...(this.exportedOnly === undefined ? {} : { exportedOnly: this.exportedOnly }),
    })
  }
}

/** `%T` of a value. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'float64'
    case 'bigint':
      return 'int'
    case 'boolean':
      return 'bool'
    default:
  }
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (value instanceof Map) return 'map[string]interface {}'
  if (value instanceof Uint8Array) return '[]uint8'
  return value.goType
}

/** The name of the kind of a value, as `kindOf` prints it. */
export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'float64'
    case 'bigint':
      return 'int'
    case 'boolean':
      return 'bool'
    default:
  }
  if (value === null || value === undefined) return 'invalid'
  if (Array.isArray(value) || value instanceof Uint8Array) return 'slice'
  if (value instanceof Map) return 'map'
  return value.kind
}

/** The elements of any slice but a byte slice (whose elements are made on demand); undefined for anything else. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value
  if (value instanceof TypedSlice) return value.items
  if (value instanceof Uint8Array)
    return Array.from(value, (byte) => new SizedInt('uint8', BigInt(byte)))
  return undefined
}

/** The entries of any map; undefined for anything else. */
export function mapOf(value: Value): ValueMap | undefined {
  if (value instanceof Map) return value
  return value instanceof TypedMap ? value.map : undefined
}

/** The value of any integer kind; undefined for anything else. */
export function integerOf(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return value instanceof SizedInt ? value.value : undefined
}

/** Wraps to 64 bits and makes an int64. */
export function int64(value: bigint): SizedInt {
  return new SizedInt('int64', BigInt.asIntN(64, value))
}
