import { CompareError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { type FieldType, structOfKind } from '../schema/index.ts'
import { goText, goTypeOf } from './go-values.ts'

export interface PatchKind {
  readonly apiVersion: string
  readonly kind: string
}

/** How the elements below a field merge. */
export interface FieldPatch {
  readonly type: FieldType
  readonly strategy: 'merge' | 'replace' | ''
  readonly retainKeys: boolean
  readonly mergeKey: string
}

export function patchFailed(message: string): CompareError {
  return new CompareError('PATCH_FAILED', message)
}

/** The struct of a built-in kind as the root of a patch. Throws CompareError for any other kind. */
export function rootType({ apiVersion, kind }: PatchKind): FieldType {
  const struct = structOfKind(apiVersion, kind)
  if (struct === undefined) {
    throw patchFailed(`strategic merge patch format is not supported for ${apiVersion} ${kind}`)
  }
  return { kind: 'struct', struct }
}

const goKinds: { readonly [kind in FieldType['kind']]: string } = {
  scalar: 'string',
  pointer: 'ptr',
  list: 'slice',
  map: 'map',
  struct: 'struct',
}

// scalars that are structs in Go
const structScalars: { readonly [scalar: string]: string } = {
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Time',
  microTime: 'MicroTime',
  raw: 'RawExtension',
  fields: 'FieldsV1',
}

/** What is known of an object-valued field. Throws when the struct does not have it. */
export function objectField(parent: FieldType, key: string): FieldPatch {
  const type = parent.kind === 'pointer' ? parent.to : parent
  if (type.kind === 'scalar' && structScalars[type.scalar] !== undefined) {
    throw unknownField(structScalars[type.scalar]!, key)
  }
  if (type.kind !== 'struct') {
    throw patchFailed(
      `merging an object in json but data type is not struct, instead is: ${goKinds[type.kind]}`,
    )
  }
  const field = type.struct.field(key)
  if (field === undefined) {
    throw unknownField(type.struct.name.slice(type.struct.name.indexOf('.') + 1), key)
  }
  return {
    type: field.type,
    strategy: field.patchStrategy,
    retainKeys: field.retainKeys,
    mergeKey: field.mergeKey,
  }
}

/** The same for a list-valued field; `type` is that of the elements. */
export function listField(parent: FieldType, key: string): FieldPatch {
  const found = objectField(parent, key)
  if (found.type.kind === 'pointer') {
    const { to } = found.type
    return { ...found, type: to.kind === 'list' ? to.of : to }
  }
  if (found.type.kind !== 'list') {
    throw patchFailed(`expected slice or array type, but got: ${goKinds[parent.kind]}`)
  }
  if (found.type.of.kind === 'list') throw patchFailed('unexpected slice of slice')
  return { ...found, type: found.type.of }
}

function unknownField(struct: string, key: string): CompareError {
  return patchFailed(
    `unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`,
  )
}

/** The one Go type of all items. Throws when they differ, are lists, or there are none. */
export function elementType(...lists: readonly (readonly Json[])[]): string {
  let type: string | undefined
  for (const item of lists.flat()) {
    const found = goTypeOf(item)
    if (found === '[]interface {}') throw patchFailed('lists of lists are not supported')
    type ??= found
    if (found !== type) {
      throw patchFailed(`list element types are not identical: ${goText(lists)}`)
    }
  }
  if (type === undefined) throw patchFailed('no elements in any of the given slices')
  return type
}
