import { isHook, isIgnoredHook } from '../argo/index.ts'
import { getPath } from '../json/index.ts'
import {
  type ClusterFacts,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
} from '../kube/index.ts'

/** What should be and what is, under one key. Never both absent. */
export interface SyncPair {
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

export interface PairedTargets {
  /** Targets with their live objects, then live objects without target. Hooks that are live are among the latter. */
  readonly pairs: readonly SyncPair[]
  readonly hooks: readonly Manifest[]
}

/**
 * Finds the live object of every target that is no hook; each live object is taken once, and what nobody took is left to
 * prune. A kind of unknown scope is looked for in the namespace first, then as cluster-scoped, so that an object is not
 * missed and pruned.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/reconcile.go Reconcile
 */
export function pairTargets(
  targets: readonly Manifest[],
  live: readonly Manifest[],
  namespace: string,
  facts: Pick<ClusterFacts, 'scopeOf'>,
): PairedTargets {
  const wanted = targets.filter((target) => !isIgnoredHook(target))
  const hooks = wanted.filter(isHook)
  const resources = wanted.filter((target) => !isHook(target))
  const left = new Map(
    withoutTwins(live, resources).map((object) => [formatKey(keyOf(object)), object]),
  )
  const pairs = new Map<string, SyncPair>()
  for (const target of resources) {
    const found = candidateKeys(target, namespace, facts).find((key) => left.has(key))
    const object = found === undefined ? undefined : left.get(found)
    if (found !== undefined) left.delete(found)
    // of several targets with one key the last one counts
    pairs.set(formatKey(keyOf(object ?? target)), { target, live: object })
  }
  for (const [key, object] of left) pairs.set(key, { target: undefined, live: object })
  return { pairs: [...pairs.values()], hooks }
}

function candidateKeys(
  target: Manifest,
  namespace: string,
  facts: Pick<ClusterFacts, 'scopeOf'>,
): readonly string[] {
  const group = groupOf(target.apiVersion)
  const { kind } = target
  const name = nameOf(target)
  const scope = facts.scopeOf({ group, kind })
  const placed = formatKey({ group, kind, namespace: namespaceOf(target) || namespace, name })
  const global = formatKey({ group, kind, namespace: '', name })
  if (scope === 'Namespaced') return [placed]
  if (scope === 'Cluster') return [global]
  return [placed, global]
}

/**
 * Drops second views of one object, which some API servers show under two groups: of the objects that share a uid those
 * that are no target go, but one always stays.
 */
function withoutTwins(
  live: readonly Manifest[],
  resources: readonly Manifest[],
): readonly Manifest[] {
  const byUid = new Map<string, number>()
  for (const object of live) {
    const uid = uidOf(object)
    if (uid !== '') byUid.set(uid, (byUid.get(uid) ?? 0) + 1)
  }
  const wanted = new Set(resources.map((target) => formatKey(keyOf(target))))
  return live.filter((object) => {
    const uid = uidOf(object)
    const copies = byUid.get(uid) ?? 1
    if (copies === 1 || wanted.has(formatKey(keyOf(object)))) return true
    byUid.set(uid, copies - 1)
    return false
  })
}

function uidOf(object: Manifest): string {
  const uid = getPath(object, 'metadata', 'uid')
  return typeof uid === 'string' ? uid : ''
}
