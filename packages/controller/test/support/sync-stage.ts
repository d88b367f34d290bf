// One sync of one Application in namespaces of its own, and what must not depend on where its controller died.
import type { Application, Operation } from '@litecd/core/argo'
import { getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { applications } from '@litecd/k8s-adapter/argocd'
import { type KubeClient, namespaces, type ResourceRef } from '@litecd/k8s-adapter/client'
import type { ProxiedCall } from '../../../../test/apiserver/index.ts'

export interface StageScenario {
  readonly name: string
  readonly operation: Operation
  /** YAML documents of the repository. `$NS` is the destination, `$OLD` another namespace. */
  readonly manifests: readonly string[]
  /** What is in the cluster before, tracked by the Application but for the names of `foreign`. */
  readonly live: readonly JsonObject[]
  readonly foreign: readonly string[]
}

const kinds: readonly ResourceRef[] = [
  { group: '', version: 'v1', plural: 'configmaps', namespaced: true },
  { group: '', version: 'v1', plural: 'pods', namespaced: true },
  { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true },
  { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
  { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', namespaced: true },
]

/** The objects of all stages, by namespace. */
export type Snapshot = ReadonlyMap<string, readonly Manifest[]>

/** Applications alone stand under their own names. */
export async function takeSnapshot(
  client: KubeClient,
  what: 'applications' | 'everything',
): Promise<Snapshot> {
  const snapshot = new Map<string, Manifest[]>()
  const put = (namespace: string, item: Manifest): void => {
    const known = snapshot.get(namespace)
    if (known === undefined) snapshot.set(namespace, [item])
    else known.push(item)
  }
  for (const kind of what === 'everything' ? kinds : []) {
    for await (const { items } of client.pages(kind)) {
      for (const item of items) put(namespaceOf(item), item)
    }
  }
  for await (const { items } of client.pages(applications)) {
    for (const item of items) put(nameOf(item), item)
  }
  return snapshot
}

export class SyncStage {
  readonly app: string
  readonly namespace: string
  readonly old: string
  readonly scenario: StageScenario
  private readonly argocd: string
  private readonly client: KubeClient

  constructor(client: KubeClient, argocd: string, name: string, scenario: StageScenario) {
    this.client = client
    this.argocd = argocd
    this.app = name
    this.namespace = `${name}-new`
    this.old = `${name}-old`
    this.scenario = scenario
  }

  /** The repository's file for this stage. */
  get manifests(): string {
    return this.place(this.scenario.manifests.join('---\n'))
  }

  /** Everything but the operation. */
  async prepare(repoURL: string): Promise<void> {
    const { client, argocd, old } = this
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: old } }
    await client.create(namespaces, namespace)
    for (const object of this.scenario.live) await this.put(object)
    await client.create(
      applications,
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: this.app, namespace: argocd },
        spec: {
          project: 'default',
          source: { repoURL, path: this.app, targetRevision: 'main' },
          destination: { server: 'https://kubernetes.default.svc', namespace: this.namespace },
        },
      },
      { namespace: argocd },
    )
  }

  async begin(): Promise<void> {
    const operation = { initiatedBy: { username: 'admin' }, ...this.scenario.operation }
    const patch = { operation } as unknown as Json
    await this.client.patch(applications, this.app, 'merge', patch, { namespace: this.argocd })
  }

  applicationIn(snapshot: Snapshot): Application {
    return snapshot.get(this.app)?.[0] as unknown as Application
  }

  isCompared(snapshot: Snapshot): boolean {
    return this.applicationIn(snapshot)?.status?.sync?.status === 'OutOfSync'
  }

  isOver(snapshot: Snapshot): boolean {
    const app = this.applicationIn(snapshot)
    const phase = app.status?.operationState?.phase
    const ended = phase === 'Succeeded' || phase === 'Failed' || phase === 'Error'
    return ended && (app.operation ?? undefined) === undefined
  }

  /** Status, objects, and how often the server has made and deleted something. */
  outcome(snapshot: Snapshot, calls: readonly ProxiedCall[]): JsonObject {
    const { status } = this.applicationIn(snapshot)
    const { startedAt: _s, finishedAt: _f, ...state } = status?.operationState ?? {}
    const outcome = {
      operation: state,
      sync: status?.sync?.status ?? null,
      health: status?.health?.status ?? null,
      resources: status?.resources ?? [],
      conditions: (status?.conditions ?? []).map(({ type, message }) => ({ type, message })),
      history: (status?.history ?? []).map(({ id, revision, source }) => ({
        id,
        revision,
        source,
      })),
      objects: this.objectsIn(snapshot),
      created: tally(calls, ({ method, status }) => status === 201 && method !== 'DELETE'),
      deleted: eachPodOnce(
        tally(calls, ({ method, status }) => method === 'DELETE' && status < 300),
      ),
    }
    return this.neutral(outcome as unknown as JsonObject)
  }

  private objectsIn(snapshot: Snapshot): JsonObject {
    const found: { [key: string]: Json } = {}
    for (const namespace of [this.namespace, this.old]) {
      for (const item of snapshot.get(namespace) ?? []) {
        const field = (name: string): Json => getPath(item, 'metadata', name) ?? null
        if (field('ownerReferences') !== null || nameOf(item) === 'kube-root-ca.crt') continue
        found[`${item.kind}/${namespace}/${nameOf(item)}`] = {
          annotations: field('annotations'),
          finalizers: field('finalizers'),
          deleting: field('deletionTimestamp') !== null,
          managers: managersOf(item),
          data: item['data'] ?? null,
          rules: item['rules'] ?? null,
        }
      }
    }
    return sorted(found)
  }

  private place(text: string): string {
    return text.replaceAll('$NS', this.namespace).replaceAll('$OLD', this.old)
  }

  private async put(object: JsonObject): Promise<void> {
    const manifest = JSON.parse(this.place(JSON.stringify(object))) as Manifest
    const group = groupOf(manifest.apiVersion)
    const [namespace, name] = [namespaceOf(manifest), nameOf(manifest)]
    const resource = await this.client.discovery.find({ group, kind: manifest.kind }, 'v1')
    if (resource === undefined) throw new Error(`${manifest.kind} is not served`)
    const metadata = manifest['metadata'] as JsonObject
    const own = !this.scenario.foreign.includes(name)
    const annotations = {
      ...(isObject(metadata['annotations']) ? metadata['annotations'] : {}),
      ...(own
        ? {
            'argocd.argoproj.io/tracking-id': `${this.app}:${group}/${manifest.kind}:${namespace}/${name}`,
          }
        : {}),
    }
    const tracked = { ...manifest, metadata: { ...metadata, annotations } }
    await this.client.create(resource, tracked, { namespace })
  }

  /** Without what differs from stage to stage: names, times, and whether an apply came first or again. */
  private neutral(value: JsonObject): JsonObject {
    const text = JSON.stringify(value)
      .replaceAll(this.app, '$APP')
      .replaceAll(/\b[0-9a-f]{40}\b/g, '<revision>')
      .replaceAll(/ (created|configured|unchanged)"/g, ' (applied)"')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replaceAll(/ at \d+:\d\d[AP]M\./g, ' at <time>.')
    return JSON.parse(text) as JsonObject
  }
}

/** A Pod takes its time to go, and every look at it until then deletes it again, as in Argo CD. */
function eachPodOnce(counts: JsonObject): JsonObject {
  const once = Object.entries(counts).map(([path, count]) => [
    path,
    /\/pods\/[^/]+$/.test(path) ? 1 : count,
  ])
  return Object.fromEntries(once) as JsonObject
}

/** By path; an Event tells of something and is no part of it. */
function tally(calls: readonly ProxiedCall[], counts: (call: ProxiedCall) => boolean): JsonObject {
  const found: { [path: string]: number } = {}
  for (const call of calls) {
    if (call.dryRun || call.path.endsWith('/events') || !counts(call)) continue
    found[call.path] = (found[call.path] ?? 0) + 1
  }
  return sorted(found)
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function managersOf(item: Manifest): Json {
  const entries = getPath(item, 'metadata', 'managedFields')
  const names = (Array.isArray(entries) ? entries : []).map(
    (entry) => `${getPath(entry, 'manager')} ${getPath(entry, 'operation')}`,
  )
  return [...new Set(names)].filter((name) => name.startsWith('argocd')).sort()
}
