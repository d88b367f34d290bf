import { deepEqual, getPath, type Json, type JsonObject } from '../../json/index.ts'
import { at, type FrozenChange, frozen, type RuleFacts, specOf } from './rule.ts'

const claimWords =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

const expansionWords =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

export function claim(
  before: JsonObject,
  after: JsonObject,
  { expands }: RuleFacts,
): readonly FrozenChange[] {
  const [was, is] = [specOf(before), specOf(after)]
  const out: FrozenChange[] = []
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (field === 'volumeAttributesClassName' || field === 'resources') continue
    if (deepEqual(was[field] ?? null, is[field] ?? null)) continue
    const filledIn = field === 'storageClassName' || field === 'volumeName'
    // what nobody set the cluster has filled in, and one may happen to say the same
    const certain = !filledIn || was[field] !== undefined
    out.push(frozen(`spec.${field}`, claimWords, certain))
  }
  const size = (spec: JsonObject): number | undefined =>
    quantityOf(getPath(spec, 'resources', 'requests', 'storage'))
  const [old, wanted] = [size(was), size(is)]
  const field = 'spec.resources.requests.storage'
  const phase = at(before, 'status.phase')
  if (old !== undefined && wanted !== undefined && wanted < old) {
    out.push(frozen(field, 'field can not be less than status.capacity'))
  } else if (old !== wanted && phase !== undefined && phase !== 'Bound') {
    out.push(frozen(field, claimWords))
  } else if (old !== wanted && expands !== true) {
    out.push(frozen(field, expansionWords, expands === false))
  }
  if (
    !deepEqual(
      getPath(was, 'resources', 'limits') ?? null,
      getPath(is, 'resources', 'limits') ?? null,
    )
  ) {
    out.push(frozen('spec.resources.limits', claimWords))
  }
  return out
}

const volumeFree = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
])

export function volume(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const [was, is] = [specOf(before), specOf(after)]
  const source = (spec: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => !volumeFree.has(field)))
  const out: FrozenChange[] = []
  if (!deepEqual(source(was), source(is))) {
    const words = 'spec.persistentvolumesource is immutable after creation'
    out.push(frozen('spec.persistentvolumesource', words))
  }
  if (!deepEqual(was['volumeMode'] ?? null, is['volumeMode'] ?? null)) {
    out.push(frozen('volumeMode'))
  }
  return out
}

const factors: { readonly [suffix: string]: number } = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** A quantity as a number, good enough to compare sizes; undefined for what is none. */
function quantityOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const match = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(value)
  const number = match === null ? Number.NaN : Number(match[1])
  return Number.isNaN(number) ? undefined : number * factors[match?.[2] ?? '']!
}
