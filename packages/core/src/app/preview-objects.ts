import { annotationTrackingId, type HookType, hookTypesOf, isHook, waveOf } from '../argo/index.ts'
import { type FieldChange, fieldChanges } from '../diff/index.ts'
import { deepEqual } from '../json/index.ts'
import { formatKey, type ResourceKey } from '../kube/index.ts'
import type { Origin } from '../render/index.ts'
import { type ChangeExplanation, maxExplained, type RenderedTarget } from './explain.ts'
import {
  isSecret,
  type SecretKeyChange,
  secretChanges,
  withoutSecretValues,
} from './preview-secrets.ts'
import { pairRenamed } from './renames.ts'

export type ObjectChangeKind = 'added' | 'removed' | 'changed'

export interface ObjectChange {
  readonly key: ResourceKey
  readonly apiVersion: string
  readonly change: ObjectChangeKind
  readonly wave: number
  /** Hook types; empty for ordinary resources. */
  readonly hooks: readonly HookType[]
  /** The place in the repository; that of the base for removed objects. */
  readonly origin: Origin
  /** Differences, Secret values left out. Empty for removed objects, and for added ones that are no renamed ones. */
  readonly fields: readonly FieldChange[]
  /** What made each of `fields`, in the same order. Absent unless {@link PreviewOptions.explain} asks for it. */
  readonly explanations?: readonly ChangeExplanation[]
  /** For Secrets: keys that differ, never their values. */
  readonly secretKeys: readonly SecretKeyChange[]
  /** Of an added object: the removed one that it seems to continue under another name or in another namespace. */
  readonly renamedFrom?: ResourceKey
  /** Of a removed object: the added one that continues it. */
  readonly renamedTo?: ResourceKey
  /** What a sync will do with it beyond applying it, one short sentence; undefined when nothing is to say. */
  readonly remark?: string
}

export type Explain = (
  fields: readonly FieldChange[],
  before: RenderedTarget,
  after: RenderedTarget,
) => readonly ChangeExplanation[]

/** What changes between the targets of two revisions, sorted by wave and then by key. */
export function compareTargets(
  before: readonly RenderedTarget[],
  after: readonly RenderedTarget[],
  fateOf: (target: RenderedTarget) => string,
  explain: Explain | undefined,
): readonly ObjectChange[] {
  const oldByKey = new Map(before.map((target) => [formatKey(target.key), target]))
  const newKeys = new Set(after.map((target) => formatKey(target.key)))
  const gone = before.filter((target) => !newKeys.has(formatKey(target.key)))
  const come = after.filter((target) => !oldByKey.has(formatKey(target.key)))
  const renamed = pairRenamed(gone, come)
  const out: ObjectChange[] = []
  let explained = 0
  const explainSome: Explain | undefined =
    explain && ((...args) => (explained++ < maxExplained ? explain(...args) : []))
  for (const target of after) {
    const old = oldByKey.get(formatKey(target.key))
    if (old === undefined) {
      const from = renamed.get(target)
      out.push(
        from === undefined
          ? describe(target, 'added', noChanges)
          : {
              ...describe(target, 'added', changesOf(from, target, explainSome)),
              renamedFrom: from.key,
            },
      )
    } else if (!deepEqual(old.manifest, target.manifest)) {
      out.push(describe(target, 'changed', changesOf(old, target, explainSome)))
    }
  }
  const continued = new Map([...renamed].map(([target, old]) => [old, target]))
  for (const target of gone) {
    const to = continued.get(target)
    out.push({
      ...describe(target, 'removed', noChanges),
      ...(to === undefined ? {} : { renamedTo: to.key }),
      remark: fateOf(target),
    })
  }
  return out.sort((a, b) => a.wave - b.wave || (formatKey(a.key) < formatKey(b.key) ? -1 : 1))
}

type Changes = Pick<ObjectChange, 'fields' | 'secretKeys' | 'explanations'>

const noChanges: Changes = { fields: [], secretKeys: [] }

function changesOf(
  old: RenderedTarget,
  target: RenderedTarget,
  explain: Explain | undefined,
): Changes {
  const secret = isSecret(target.manifest)
  const fields = fieldChanges(
    secret ? withoutSecretValues(old.manifest) : old.manifest,
    secret ? withoutSecretValues(target.manifest) : target.manifest,
  ).filter(({ path }) => sameKey(old, target) || !namesObject(path))
  const secretKeys = secret ? secretChanges(old.manifest, target.manifest) : []
  if (explain === undefined) return { fields, secretKeys }
  return { fields, secretKeys, explanations: explain(fields, old, target) }
}

function sameKey(a: RenderedTarget, b: RenderedTarget): boolean {
  return formatKey(a.key) === formatKey(b.key)
}

/** Name, namespace and tracking of an object differ because it is another one. */
function namesObject(path: FieldChange['path']): boolean {
  const text = path.join('.')
  return (
    text === 'metadata.name' ||
    text === 'metadata.namespace' ||
    text === `metadata.annotations.${annotationTrackingId}`
  )
}

function describe(
  target: RenderedTarget,
  change: ObjectChangeKind,
  changes: Changes,
): ObjectChange {
  return {
    key: target.key,
    apiVersion: target.manifest.apiVersion ?? '',
    change,
    wave: waveOf(target.manifest),
    hooks: isHook(target.manifest) ? hookTypesOf(target.manifest) : [],
    origin: target.origin.origin,
    ...changes,
  }
}
