import type { Json } from '../../json/index.ts'
import type { Field, FieldType, ScalarType, StructType } from '../schema/index.ts'
import {
  atomicList,
  deducedType,
  type MergeMap,
  type MergeScalar,
  type MergeType,
  mapOf,
  untyped,
  untypedScalar,
} from './merge-type.ts'

const scalars: { readonly [name in ScalarType]: MergeScalar } = {
  string: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  bytes: 'string',
  quantity: 'untyped',
  intOrString: 'untyped',
  time: 'untyped',
  microTime: 'untyped',
  raw: 'untyped',
  fields: 'untyped',
}

const known = new Map<StructType, MergeType>()

export function structType(struct: StructType): MergeType {
  let type = known.get(struct)
  if (type === undefined) {
    // a struct without fields may hold anything
    const map =
      struct.fields.length === 0
        ? mapOf(deducedType, { deduced: true })
        : new StructMap(struct, struct.atomic)
    type = { map }
    known.set(struct, type)
  }
  return type
}

/** The named fields of a struct; their types are made when they are asked for. */
class StructMap implements MergeMap {
  readonly atomic: boolean
  readonly rest: undefined = undefined
  readonly deduced: boolean = false
  readonly #struct: StructType
  #fields: ReadonlyMap<string, Field> | undefined
  readonly #types = new Map<string, MergeType>()

  constructor(struct: StructType, atomic: boolean) {
    this.#struct = struct
    this.atomic = atomic
  }

  #find(name: string): Field | undefined {
    this.#fields ??= new Map(this.#struct.fields.map((field) => [field.name, field]))
    return this.#fields.get(name)
  }

  field(name: string): MergeType | undefined {
    const known = this.#types.get(name)
    if (known !== undefined) return known
    const field = this.#find(name)
    if (field === undefined) return undefined
    const type = typeOfField(field)
    this.#types.set(name, type)
    return type
  }

  keyDefault(name: string): Json | undefined {
    return this.#find(name)?.keyDefault
  }
}

function typeOfField({ type, ownership, listKeys }: Field): MergeType {
  const plain = type.kind === 'pointer' ? type.to : type
  switch (plain.kind) {
    case 'list': {
      const item = typeOf(plain.of)
      if (ownership === 'set' || ownership === 'keyed') {
        return { list: { item, ownership, keys: listKeys } }
      }
      return { list: atomicList(item) }
    }
    case 'map':
      return { map: mapOf(typeOf(plain.of), { atomic: ownership === 'atomic' }) }
    case 'struct':
      if (ownership === undefined) return structType(plain.struct)
      return { map: new StructMap(plain.struct, ownership === 'atomic') }
    default:
      return typeOf(plain)
  }
}

function typeOf(type: FieldType): MergeType {
  switch (type.kind) {
    case 'pointer':
      return typeOf(type.to)
    case 'list':
      return { list: atomicList(typeOf(type.of)) }
    case 'map':
      return { map: mapOf(typeOf(type.of), {}) }
    case 'struct':
      return structType(type.struct)
    case 'scalar':
      if (type.scalar === 'raw') return untyped
      if (type.scalar === 'fields') return { map: mapOf(deducedType, { deduced: true }) }
      return scalars[type.scalar] === 'untyped' ? untypedScalar : { scalar: scalars[type.scalar] }
  }
}
