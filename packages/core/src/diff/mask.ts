import { annotationLastApplied } from '../argo/index.ts'
import { canonicalJson, defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'
import { deducedType, type Manifest } from '../kube/index.ts'
import { normalizeSecret } from '../normalize/index.ts'
import { hmacSha256, textToBytes, toHex } from '../text/index.ts'
import { diffPairs, type ResourceDiff } from './pairs.ts'
import type { DiffRules } from './rules.ts'
import { isOpenField, isSecret, lastAppliedWithin, plusSigns, withKey } from './secrets.ts'

export interface SecretPair {
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

/**
 * Both sides of a Secret with plus signs for values: equal values of one key get equally many, different ones different
 * numbers, so that one sees what differs and nothing else. What was applied last is masked with them; where it cannot be
 * read it goes as a whole, as do fields that no Secret has. `annotations` are masked like data.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go HideSecretData
 */
export function maskSecrets(pair: SecretPair, annotations: readonly string[]): SecretPair {
  const target = readSide(pair.target)
  const live = readSide(pair.live)
  const inOrder = [target?.object, live?.object, target?.applied, live?.applied]
  const masks = new Masks(
    inOrder.filter((object) => object !== undefined),
    annotations,
  )
  return { target: target && masks.side(target), live: live && masks.side(live) }
}

interface Side {
  readonly object: JsonObject
  readonly applied: JsonObject | undefined
  /** What was applied last is there, but cannot be read. */
  readonly unreadable: boolean
}

function readSide(manifest: Manifest | undefined): Side | undefined {
  if (manifest === undefined) return undefined
  const applied = lastAppliedWithin(manifest)
  return {
    object: normalizeSecret(manifest),
    applied:
      applied === undefined || applied === 'unreadable' ? undefined : normalizeSecret(applied),
    unreadable: applied === 'unreadable',
  }
}

class Masks {
  readonly #data = new Map<string, ReadonlyMap<string, string>>()
  readonly #annotations = new Map<string, ReadonlyMap<string, string>>()
  readonly #hidden: ReadonlySet<string>

  constructor(objects: readonly JsonObject[], annotations: readonly string[]) {
    this.#hidden = new Set(annotations)
    const maps = (pick: (object: JsonObject) => Json | undefined): readonly JsonObject[] =>
      objects.map(pick).filter(isObject)
    number(
      this.#data,
      maps((object) => object['data']),
    )
    const all = maps((object) =>
      isObject(object['metadata']) ? object['metadata']['annotations'] : undefined,
    )
    number(this.#annotations, all)
  }

  side({ object, applied, unreadable }: Side): Manifest {
    const masked = this.#object(object)
    if (applied === undefined && !unreadable) return masked as Manifest
    const hideAll = unreadable || applied === undefined || this.#hidden.has(annotationLastApplied)
    const text = hideAll ? plusSigns : canonicalJson(this.#object(applied))
    const metadata = masked['metadata'] as JsonObject
    const annotations = metadata['annotations'] as JsonObject
    return withKey(
      masked,
      'metadata',
      withKey(metadata, 'annotations', withKey(annotations, annotationLastApplied, text)),
    ) as Manifest
  }

  #object(object: JsonObject): JsonObject {
    const out: { [field: string]: Json } = {}
    for (const field of Object.keys(object)) {
      const value = object[field] as Json
      defineKey(out, field, this.#field(field, value))
    }
    return out
  }

  #field(name: string, value: Json): Json {
    if (name === 'metadata') return isObject(value) ? this.#metadata(value) : hidden(value)
    if (name === 'data' && isObject(value)) return replaced(value, this.#data)
    return isOpenField(name) && typeof value !== 'object' ? value : hidden(value)
  }

  #annotation(key: string, value: Json): Json {
    // what is no text is out of place
    if (key === annotationLastApplied || typeof value === 'object') return hidden(value)
    return this.#hidden.has(key) ? maskOf(this.#annotations, key, value) : value
  }

  #metadata(metadata: JsonObject): JsonObject {
    if (!Object.hasOwn(metadata, 'annotations')) return metadata
    const annotations = metadata['annotations'] as Json
    if (!isObject(annotations)) return withKey(metadata, 'annotations', hidden(annotations))
    const out: { [key: string]: Json } = {}
    for (const key of Object.keys(annotations)) {
      const value = annotations[key] as Json
      defineKey(out, key, this.#annotation(key, value))
    }
    return withKey(metadata, 'annotations', out)
  }
}

function hidden(value: Json): Json {
  return value === null ? null : plusSigns
}

/** Gives each distinct value of a key its mask, in the order in which the values come. */
function number(
  masks: Map<string, ReadonlyMap<string, string>>,
  maps: readonly JsonObject[],
): void {
  for (const map of maps) {
    for (const key of Object.keys(map)) {
      const known = masks.get(key) ?? new Map<string, string>()
      const id = identity(map[key] as Json)
      if (known.has(id)) continue
      const mask = plusSigns + '++++'.repeat(known.size)
      masks.set(key, new Map([...known, [id, mask]]))
    }
  }
}

function maskOf(
  masks: ReadonlyMap<string, ReadonlyMap<string, string>>,
  key: string,
  value: Json,
): string {
  return masks.get(key)?.get(identity(value)) ?? plusSigns
}

function replaced(
  map: JsonObject,
  masks: ReadonlyMap<string, ReadonlyMap<string, string>>,
): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(map)) defineKey(out, key, maskOf(masks, key, map[key] as Json))
  return out
}

function identity(value: Json): string {
  if (value === null) return 'text '
  return typeof value === 'string' ? `text ${value}` : `json ${canonicalJson(value)}`
}

/**
 * A diff for showing: of Secrets nothing but masks, other kinds as they are. The comparison of a Secret is made anew with
 * the masks, except for server-side diff, whose result is masked.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go hideSecretData
 */
export function maskDiff(
  diff: ResourceDiff,
  rules: DiffRules,
  annotations: readonly string[],
): ResourceDiff {
  const { target, live } = diff
  if (!isSecret(target) && !isSecret(live)) return diff
  const masked = maskSecrets({ target, live }, annotations)
  if (diff.strategy === 'server-side') {
    const { target: predictedLive, live: normalizedLive } = maskSecrets(
      { target: diff.predictedLive, live: diff.normalizedLive },
      annotations,
    )
    return { ...diff, ...masked, predictedLive, normalizedLive }
  }
  const plain: DiffRules = {
    ...rules,
    serverSideDiff: false,
    structuredMerge: false,
    // the manager of no entry: nothing counts as applied before
    fieldManager: '',
    mergeTypes: () => deducedType,
  }
  const [again] = diffPairs([{ key: diff.key, ...masked }], plain)
  return { ...again!, strategy: diff.strategy }
}

export interface SecretChange {
  readonly key: string
  readonly change: 'add' | 'remove' | 'modify' | 'same'
  /** With a key for hashing: the first half of an HMAC-SHA256 of the key's name and value, in hex. */
  readonly before?: string
  readonly after?: string
}

/**
 * The keys of a Secret and whether their values changed, sorted by name; never the values. `stringData` counts as data.
 * With `hashKey` equal values can be told across reports, by those who do not have the key.
 */
export function secretChanges(
  before: Manifest | undefined,
  after: Manifest | undefined,
  hashKey?: Uint8Array,
): readonly SecretChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const hash = (side: 'before' | 'after', key: string, value: string | undefined): object =>
    hashKey === undefined || value === undefined ? {} : { [side]: fingerprint(hashKey, key, value) }
  return [...new Set([...old.keys(), ...now.keys()])].sort().map((key): SecretChange => {
    const [a, b] = [old.get(key), now.get(key)]
    const change =
      a === undefined ? 'add' : b === undefined ? 'remove' : a === b ? 'same' : 'modify'
    return { key, change, ...hash('before', key, a), ...hash('after', key, b) }
  })
}

/** Values by key; fields that no Secret has count as keys. */
function valuesOf(manifest: Manifest | undefined): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  if (manifest === undefined) return out
  const secret = normalizeSecret(manifest)
  for (const field of Object.keys(secret)) {
    const value = secret[field] as Json
    if (field === 'data' && isObject(value)) {
      for (const key of Object.keys(value)) out.set(key, identity(value[key] as Json))
    } else if (!isOpenField(field) && value !== null) out.set(field, identity(value))
  }
  return out
}

function fingerprint(hashKey: Uint8Array, key: string, value: string): string {
  const message = textToBytes(`${key.length} ${key} ${value}`)
  return toHex(hmacSha256(hashKey, message)).slice(0, 32)
}
