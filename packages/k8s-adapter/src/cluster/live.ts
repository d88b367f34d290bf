import type { LiveQuery, LiveRoot } from '@litecd/core/adapters'
import { getPath, isObject } from '@litecd/core/json'
import { apiVersionOf, formatKey, keyOf, type Manifest, type ResourceKey } from '@litecd/core/kube'
import { type ApiResource, isNotFound, type KubeClient } from '../client/index.ts'
import { findPlace } from './objects.ts'

/** Where live objects come from: a watch cache, or the server itself. */
export interface LiveSource {
  managedLiveObjects(query: LiveQuery): Promise<readonly Manifest[]>
  descendants(roots: readonly Manifest[]): Promise<readonly Manifest[]>
  topLevel(namespace: string): Promise<readonly LiveRoot[]>
}

const parallel = 8 // ours; argo-cd v3.5.1 has 50, which costs a small server more than it gains

/** UIDs of an object's owners; none for a root. */
export function ownersOf(object: Manifest): readonly string[] {
  const owners = getPath(object, 'metadata', 'ownerReferences')
  return Array.isArray(owners) ? owners.filter(isObject).map((owner) => String(owner['uid'])) : []
}

export function uidOf(object: Manifest): string {
  return String(getPath(object, 'metadata', 'uid') ?? '')
}

/** Kinds whose objects are nobody's to manage. Source: argo-cd v3.5.1 util/settings/resources_filter.go. */
function isNeverManaged(group: string, kind: string): boolean {
  return (
    group === 'events.k8s.io' ||
    group === 'metrics.k8s.io' ||
    (group === '' && kind === 'Event') ||
    (group === 'coordination.k8s.io' && kind === 'Lease')
  )
}

/** Every kind once, in its preferred version, that has all `verbs` and may be managed. */
export function managedKinds(
  resources: readonly ApiResource[],
  verbs: readonly string[],
): readonly ApiResource[] {
  const seen = new Set<string>()
  return resources.filter((resource) => {
    const key = `${resource.group}/${resource.kind}`
    if (seen.has(key) || isNeverManaged(resource.group, resource.kind)) return false
    seen.add(key)
    return verbs.every((verb) => resource.verbs.includes(verb))
  })
}

/** `work` over all items, a few at a time; the first failure ends it. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker))
}

/** What is known of a target's object without asking the server: it, that it is absent, or nothing. */
export type Peek = (key: ResourceKey) => Manifest | 'absent' | undefined

/**
 * The roots and, for every target that is not among them, the object at its key in the version of the target, asked of
 * the server where `peek` does not know. Objects of other versions are read again in that of their target.
 */
export async function withTargets(
  client: KubeClient,
  query: LiveQuery,
  roots: readonly Manifest[],
  peek: Peek,
): Promise<readonly Manifest[]> {
  const found = new Map(roots.map((root) => [formatKey(keyOf(root)), root]))
  await inParallel(query.targets, async ({ key, apiVersion }) => {
    const resource = await client.discovery.peek(key)
    const place = resource?.namespaced === false ? { ...key, namespace: '' } : key
    const known = found.get(formatKey(place)) ?? peek(place)
    if (known === 'absent') return
    if (known !== undefined && known.apiVersion === apiVersion) {
      found.set(formatKey(place), known)
      return
    }
    const live = await (await findPlace(client, place, apiVersion))?.find()
    if (live === undefined) found.delete(formatKey(place))
    else found.set(formatKey(place), live)
  })
  return [...found.values()]
}

/** Shows every object of every kind that may be managed, by lists; nothing is kept. */
export async function listObjects(
  client: KubeClient,
  visit: (object: Manifest) => void,
): Promise<void> {
  const kinds = managedKinds((await client.discovery.surface()).resources, ['list'])
  await inParallel(kinds, async (kind) => {
    const own = { apiVersion: apiVersionOf(kind.group, kind.version), kind: kind.kind }
    try {
      for await (const page of client.pages(kind)) {
        for (const item of page.items) visit({ ...item, ...own })
      }
    } catch (error) {
      // The kind went away since discovery saw it.
      if (!isNotFound(error)) throw error
    }
  })
}

/** Live objects by lists, for programs that look once: a list of every kind for each question. */
export function listingSource(
  client: KubeClient,
  instanceOf: (live: Manifest) => string | undefined = () => undefined,
): LiveSource {
  const all = (visit: (object: Manifest) => void): Promise<void> => listObjects(client, visit)
  return {
    async managedLiveObjects(query) {
      const roots: Manifest[] = []
      await all((object) => {
        if (ownersOf(object).length > 0) return
        if (query.instanceOf(object) === query.instance) roots.push(object)
      })
      return withTargets(client, query, roots, () => undefined)
    },
    async descendants(roots) {
      const children = new Map<string, Manifest[]>()
      await all((object) => {
        for (const owner of ownersOf(object)) {
          const siblings = children.get(owner)
          if (siblings === undefined) children.set(owner, [object])
          else siblings.push(object)
        }
      })
      return below(roots, (uid) => children.get(uid) ?? [])
    },
    async topLevel(namespace) {
      const found: LiveRoot[] = []
      await all((object) => {
        if (getPath(object, 'metadata', 'namespace') !== namespace) return
        if (ownersOf(object).length === 0) {
          found.push({ manifest: object, instance: instanceOf(object) })
        }
      })
      return found
    },
  }
}

/** Everything below `roots`, each object once, roots not included. */
export function below(
  roots: readonly Manifest[],
  childrenOf: (uid: string) => Iterable<Manifest>,
): readonly Manifest[] {
  const seen = new Set(roots.map(uidOf))
  const found: Manifest[] = []
  const queue = [...roots]
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const child of childrenOf(uidOf(parent))) {
      const uid = uidOf(child)
      if (seen.has(uid)) continue
      seen.add(uid)
      found.push(child)
      queue.push(child)
    }
  }
  return found
}
