import { CompareError } from '../errors/index.ts'
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
  const held = struct && throughStruct(object, struct, { strict: false, fields: 'held' })
  if (struct === undefined || held === undefined) return object
  const patch = defaultsPatch(held, struct, kind)
  if (patch === undefined) return object
  return withContext(`failed to construct strategic merge patch for ${what} state`, () =>
    applyStrategicMerge(object, patch, kind),
  )
}

/**
 * The same for the structured merge. Here an object that its struct cannot hold is an error, as are patches that do not
 * fit: CompareError PATCH_FAILED with Argo CD's words.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go normalizeTypedValue
 */
export function addDefaultsOrFail(object: JsonObject, kind: PatchKind): JsonObject {
  const struct = structOfKind(kind.apiVersion, kind.kind)
  if (struct === undefined) return object
  const held = throughStruct(object, struct, { strict: false, fields: 'held' })
  if (held === undefined) {
    throw new CompareError(
      'PATCH_FAILED',
      `error unmarshaling merged bytes into object: ${kind.kind} cannot hold its fields`,
    )
  }
  const patch = withContext(
    'error applying defaults: error generating patch for default values',
    () => defaultsPatch(held, struct, kind),
  )
  if (patch === undefined) return object
  return withContext('error applying defaults: error applying patch for default values', () =>
    applyStrategicMerge(object, patch, kind),
  )
}

/** Undefined when there is nothing to put in. */
function defaultsPatch(
  held: JsonObject,
  struct: StructType,
  kind: PatchKind,
): JsonObject | undefined {
  const full = withDefaults(held, struct)
  if (full === held && !isAlwaysPatched(held, { kind: 'struct', struct })) return undefined
  const all = { strict: false, fields: 'all' } as const
  const before = throughStruct(held, struct, all)!
  const after = throughStruct(full, struct, all)!
  return withContext('failed to create two way merge patch', () =>
    twoWayStrategicMerge(before, after, kind),
  )
}

/**
 * True when even equal objects give a patch that does something: maps that are replaced as a whole stand in every patch,
 * and an item of a keyed list without its key makes any patch fail. Keys are only missing where Go leaves an empty one
 * out, as in `imagePullSecrets: [{name: ""}]`.
 */
function isAlwaysPatched(value: Json | undefined, type: FieldType): boolean {
  switch (type.kind) {
    case 'pointer':
      return isAlwaysPatched(value, type.to)
    case 'list':
      return Array.isArray(value) && value.some((item: Json) => isAlwaysPatched(item, type.of))
    case 'map':
      return isObject(value) && Object.values(value).some((item) => isAlwaysPatched(item, type.of))
    case 'scalar':
      return false
    case 'struct':
      return (
        isObject(value) &&
        placesBelow(type.struct).some(({ field, key }) => {
          const inner = value[field.name]
          if (isReplaced(field)) return isObject(inner)
          if (isAlwaysPatched(inner, field.type)) return true
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

function isReplaced(field: Field): boolean {
  return field.patchStrategy === 'replace'
}

interface Place {
  readonly field: Field
  /** The key that may be left out; '' where there is none. */
  readonly key: string
}

const places = new Map<StructType, readonly Place[]>()

/** The fields of a struct that make a difference here, themselves or by what is below them. */
function placesBelow(struct: StructType): readonly Place[] {
  const known = places.get(struct)
  if (known !== undefined) return known
  places.set(struct, [])
  const found = struct.fields.flatMap((field): readonly Place[] => {
    if (isReplaced(field)) return [{ field, key: '' }]
    const inner = structIn(field.type)
    if (inner === undefined) return []
    const key = field.mergeKey !== '' && inner.field(field.mergeKey)?.omitEmpty === true
    if (key) return [{ field, key: field.mergeKey }]
    return placesBelow(inner).length > 0 ? [{ field, key: '' }] : []
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
