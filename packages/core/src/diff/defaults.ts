import { isObject, type Json, type JsonObject } from '../json/index.ts'
import {
  applyStrategicMerge,
  type Field,
  type FieldType,
  type PatchKind,
  type StructType,
  structOfKind,
  throughStruct,
  twoWayStrategicMerge,
  withDefaults,
} from '../kube/index.ts'
import { withContext } from './context.ts'

/**
 * An object with the defaults of Kubernetes 1.36 for its kind, put in by a strategic merge patch as Argo CD does it: what
 * the struct does not know stays, and of two list items with one merge key the first gets the defaults of both. An
 * object that its struct cannot hold comes back as it is.
 *
 * `what` stands in the message: `live` or `predicted`. Throws CompareError PATCH_FAILED where the patch does not fit.
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go applyPatch
 */
export function addDefaults(object: JsonObject, kind: PatchKind, what: string): JsonObject {
  const struct = structOfKind(kind.apiVersion, kind.kind)
  if (struct === undefined) return object
  const held = throughStruct(object, struct, { strict: false, fields: 'held' })
  if (held === undefined) return object
  const full = withDefaults(held, struct)
  if (full === held && !lacksMergeKeys(held, { kind: 'struct', struct })) return object
  const all = { strict: false, fields: 'all' } as const
  const before = throughStruct(held, struct, all)!
  const after = throughStruct(full, struct, all)!
  const patch = withContext('failed to create two way merge patch', () =>
    twoWayStrategicMerge(before, after, kind),
  )
  return withContext(`failed to construct strategic merge patch for ${what} state`, () =>
    applyStrategicMerge(object, patch, kind),
  )
}

/**
 * True when some item of a keyed list has no key, which makes any patch fail. It can only be where Go leaves an empty key
 * out, as in `imagePullSecrets: [{name: ""}]`.
 */
function lacksMergeKeys(value: Json | undefined, type: FieldType): boolean {
  switch (type.kind) {
    case 'pointer':
      return lacksMergeKeys(value, type.to)
    case 'list':
      return Array.isArray(value) && value.some((item: Json) => lacksMergeKeys(item, type.of))
    case 'map':
      return isObject(value) && Object.values(value).some((item) => lacksMergeKeys(item, type.of))
    case 'scalar':
      return false
    case 'struct':
      return (
        isObject(value) &&
        optionalKeysBelow(type.struct).some(({ field, key }) => {
          const inner = value[field.name]
          if (lacksMergeKeys(inner, field.type)) return true
          return (
            key !== '' && Array.isArray(inner) && inner.some((item: Json) => lacksKey(item, key))
          )
        })
      )
  }
}

function lacksKey(item: Json, key: string): boolean {
  return isObject(item) && (item[key] ?? '') === ''
}

interface Place {
  readonly field: Field
  /** The key that may be left out; '' where there is none and only something below may lack its key. */
  readonly key: string
}

const places = new Map<StructType, readonly Place[]>()

function optionalKeysBelow(struct: StructType): readonly Place[] {
  const known = places.get(struct)
  if (known !== undefined) return known
  places.set(struct, [])
  const found = struct.fields.flatMap((field): readonly Place[] => {
    const inner = structIn(field.type)
    if (inner === undefined) return []
    const key = field.mergeKey !== '' && inner.field(field.mergeKey)?.omitEmpty === true
    if (key) return [{ field, key: field.mergeKey }]
    return optionalKeysBelow(inner).length > 0 ? [{ field, key: '' }] : []
  })
  places.set(struct, found)
  return found
}

function structIn(type: FieldType): StructType | undefined {
  switch (type.kind) {
    case 'pointer':
      return structIn(type.to)
    case 'list':
    case 'map':
      return structIn(type.of)
    case 'struct':
      return type.struct
    case 'scalar':
      return undefined
  }
}
