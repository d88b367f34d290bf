import { formatJson, isObject, type Json, type JsonObject } from '@litecd/core/json'
import type { ApiResource } from '@litecd/k8s-adapter/client'
import type { ParityCase, RecordedBeat } from '../../packages/core/test/corpus/argocd-cases.ts'
import { type Api, ownManager } from './api.ts'
import { recordManaged } from './managed.ts'
import { type ArgoKind, argoNamespace, argoVersion } from './store.ts'

const trackingId = 'argocd.argoproj.io/tracking-id'
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** Controllers of Kubernetes, the stand-in for the kubelet, and the runner's own hand. */
const silentManagers = new Set(['kube-controller-manager', 'kubelet', ownManager])

/** Kinds that come and go by themselves, and Argo CD's own. */
const leftOut = new Set([
  '/Event',
  'events.k8s.io/Event',
  'coordination.k8s.io/Lease',
  'discovery.k8s.io/EndpointSlice',
  'apps/ControllerRevision',
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'argoproj.io/AppProject',
])

function metaOf(object: JsonObject): JsonObject {
  return object['metadata'] as JsonObject
}

function textAt(map: Json | undefined, key: string): string | undefined {
  const value = isObject(map) ? map[key] : undefined
  return typeof value === 'string' ? value : undefined
}

function filled(part: Json | undefined): part is Json {
  if (Array.isArray(part)) return part.length > 0
  return isObject(part) ? Object.keys(part).length > 0 : part !== undefined
}

/** Leaves out undefined values, so that parts can be written as one literal. */
function compact(map: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(map).filter(([, value]) => value !== undefined),
  ) as JsonObject
}

function managersOf(meta: JsonObject): readonly string[] {
  const entries = (meta['managedFields'] ?? []) as readonly JsonObject[]
  const names = entries
    .filter((entry) => !silentManagers.has(entry['manager'] as string))
    .map((entry) => `${entry['manager']} ${entry['operation']}`)
  return [...new Set(names)].sort()
}

function objectEntry(object: JsonObject, groupKind: string, of: ParityCase): JsonObject {
  const meta = metaOf(object)
  const owner = (meta['ownerReferences'] as readonly JsonObject[] | undefined)?.[0]
  const { [lastApplied]: _, ...annotations } = (meta['annotations'] ?? {}) as JsonObject
  const managers = managersOf(meta)
  return compact({
    object: `${groupKind}/${meta['namespace'] ?? ''}/${meta['name']}`,
    owner: owner === undefined ? undefined : `${owner['kind']}/${owner['name']}`,
    'tracking-id': textAt(annotations, trackingId),
    labels: filled(meta['labels']) ? meta['labels'] : undefined,
    managers: managers.length > 0 ? managers : undefined,
    annotations: of.annotations && filled(annotations) ? annotations : undefined,
    finalizers: filled(meta['finalizers']) ? meta['finalizers'] : undefined,
    deleting: meta['deletionTimestamp'] === undefined ? undefined : true,
    data: groupKind === 'ConfigMap' && filled(object['data']) ? object['data'] : undefined,
  })
}

/** True when the metadata of an object holds the name of the case. */
export function namesCase(object: JsonObject, app: string): boolean {
  const { managedFields: _, ...meta } = metaOf(object)
  return formatJson(meta).includes(app)
}

function belongs(object: JsonObject, kind: ApiResource, of: ParityCase): boolean {
  const meta = metaOf(object)
  const hasOwner = filled(meta['ownerReferences'])
  if ((kind.kind === 'Pod' || kind.kind === 'ReplicaSet') && hasOwner && !of.pods) return false
  if (kind.kind === 'ServiceAccount' && meta['name'] === 'default') return false
  return !(kind.kind === 'ConfigMap' && meta['name'] === 'kube-root-ca.crt')
}

async function recordObjects(
  api: Api,
  of: ParityCase,
  app: string,
  namespace: string,
): Promise<readonly JsonObject[]> {
  // The recorder, too, learned of a kind that a sync had defined only when a verb named that kind.
  const known = await api.listable('known')
  const kinds = known.filter((kind) => !leftOut.has(`${kind.group}/${kind.kind}`))
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const items = await api.list(kind, kind.namespaced ? namespace : undefined)
      const groupKind = kind.group === '' ? kind.kind : `${kind.group}/${kind.kind}`
      return items
        .filter((item) => kind.namespaced || namesCase(item, app))
        .filter((item) => belongs(item, kind, of))
        .map((item) => objectEntry(item, groupKind, of))
    }),
  )
  return lists.flat()
}

/** Events that one case has seen, so that each recorded beat tells only the new ones. */
export class EventLog {
  readonly #counts = new Map<string, number>()
  /** Texts per ApplicationSet, by uid: its writer raises a count instead of writing the same event again. */
  readonly #told = new Set<string>()

  /** `Kind/name` → texts, new since the last call. */
  async since(api: Api, app: string, distinct: boolean): Promise<ReadonlyMap<string, string[]>> {
    const resource = await api.resourceOf('v1', 'Event')
    const fresh = new Map<string, string[]>()
    for (const event of await api.list(resource, argoNamespace)) {
      const about = event['involvedObject'] as JsonObject
      const kind = about['kind'] as string
      const name = about['name'] as string
      if (!name.includes(app)) continue
      const series = event['series']
      const count = Number((isObject(series) ? series['count'] : event['count']) ?? 1) || 1
      const uid = metaOf(event)['uid'] as string
      const before = this.#counts.get(uid) ?? 0
      this.#counts.set(uid, count)
      const text = `${event['type']} ${event['reason']}: ${event['message']}`
      const key = `${kind}/${name}`
      const list = fresh.get(key) ?? []
      fresh.set(key, list)
      if (kind === 'ApplicationSet') {
        const told = `${about['uid']} ${text}`
        if (count > before && !this.#told.has(told)) list.push(text)
        this.#told.add(told)
      } else {
        for (let i = before; i < count; i++) {
          if (!distinct || !list.includes(text)) list.push(text)
        }
      }
    }
    return fresh
  }
}

function ownersOf(meta: JsonObject): readonly string[] {
  return ((meta['ownerReferences'] ?? []) as readonly JsonObject[]).map((owner) =>
    [
      `${owner['kind']}/${owner['name']}`,
      ...(owner['controller'] === true ? ['controller'] : []),
      ...(owner['blockOwnerDeletion'] === true ? ['blocks'] : []),
    ].join(' '),
  )
}

function applicationEntry(
  object: JsonObject,
  events: readonly string[],
  of: ParityCase,
): JsonObject {
  const meta = metaOf(object)
  const owners = ownersOf(meta)
  const full = of.specs || owners.some((owner) => owner.startsWith('ApplicationSet/'))
  return compact({
    status: object['status'],
    operation: object['operation'],
    deleting: meta['deletionTimestamp'] === undefined ? undefined : true,
    ...(full
      ? {
          labels: filled(meta['labels']) ? meta['labels'] : undefined,
          annotations: filled(meta['annotations']) ? meta['annotations'] : undefined,
          finalizers: filled(meta['finalizers']) ? meta['finalizers'] : undefined,
          spec: object['spec'],
          owners: owners.length > 0 ? owners : undefined,
        }
      : {}),
    events: events.length > 0 ? events : undefined,
  })
}

function setEntry(object: JsonObject, events: readonly string[]): JsonObject {
  const meta = metaOf(object)
  return compact({
    status: object['status'],
    annotations: filled(meta['annotations']) ? meta['annotations'] : undefined,
    finalizers: filled(meta['finalizers']) ? meta['finalizers'] : undefined,
    deleting: meta['deletionTimestamp'] === undefined ? undefined : true,
    events: events.length > 0 ? events : undefined,
  })
}

function projectEntry(object: JsonObject): JsonObject {
  const meta = metaOf(object)
  return compact({
    status: filled(object['status']) ? object['status'] : undefined,
    finalizers: filled(meta['finalizers']) ? meta['finalizers'] : undefined,
    deleting: meta['deletionTimestamp'] === undefined ? undefined : true,
  })
}

function nameIn(object: JsonObject): string {
  return metaOf(object)['name'] as string
}

/** What is there after a beat, in the shape of a recorded answer but with the names of this run. */
export async function recordBeat(
  label: string,
  of: ParityCase,
  api: Api,
  names: { readonly app: string; readonly namespace: string },
  log: EventLog,
  /** Where the controller tells its comparisons; undefined when it does not. */
  controllerUrl: string | undefined,
): Promise<RecordedBeat> {
  const ofCase = async (kind: ArgoKind): Promise<readonly JsonObject[]> => {
    const list = await api.list(await api.resourceOf(argoVersion, kind), argoNamespace)
    return list.filter((object) => (metaOf(object)['name'] as string).includes(names.app))
  }
  const [applications, sets, projects, objects, events] = await Promise.all([
    ofCase('Application'),
    ofCase('ApplicationSet'),
    ofCase('AppProject'),
    recordObjects(api, of, names.app, names.namespace),
    log.since(api, names.app, of.events === 'distinct'),
  ])
  const eventsOf = (kind: string, object: JsonObject): readonly string[] =>
    of.events === 'none' ? [] : (events.get(`${kind}/${metaOf(object)['name']}`) ?? [])
  const named = (list: readonly JsonObject[], entry: (object: JsonObject) => JsonObject): Json =>
    Object.fromEntries(list.map((object) => [metaOf(object)['name'] as string, entry(object)]))
  const managed =
    of.diff && controllerUrl !== undefined
      ? { managed: await recordManaged(controllerUrl, applications.map(nameIn)) }
      : {}
  return {
    ...managed,
    beat: label,
    applications: named(applications, (object) =>
      applicationEntry(object, eventsOf('Application', object), of),
    ),
    applicationsets: named(sets, (object) => setEntry(object, eventsOf('ApplicationSet', object))),
    ...(of.projects ? { projects: named(projects, projectEntry) } : {}),
    objects,
  }
}
