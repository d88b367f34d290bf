// A world in memory in which the recorded sync cases run: a repository of files, objects, Applications, a clock that is
// moved by hand. It remembers what was written and answers as the recording did; it imitates nothing of an API server
// beyond that an object is there, is gone, or is held by a finalizer.
import type { ApplyOptions, Cluster, LitecdEvent, WriteResult } from '@litecd/core/adapters'
import {
  decideAutoSync,
  type OperateInput,
  operate,
  type SyncCompareRequest,
  type SyncComparison,
} from '@litecd/core/app'
import {
  type Application,
  type ApplicationSource,
  type AppProject,
  type Condition,
  defaultSettings,
  isHook,
  isSkipped,
  type OperationState,
  type ResourceStatus,
  type Settings,
  type SyncResultResource,
  trackingNameOf,
} from '@litecd/core/argo'
import { ClusterError, SourceError } from '@litecd/core/errors'
import { deepEqual, getPath, type JsonObject, mergePatch, setPath } from '@litecd/core/json'
import {
  type ClusterFacts,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
  scopeOfBuiltIn,
} from '@litecd/core/kube'
import { normalizeTargets } from '@litecd/core/normalize'
import { type Assessment, pairTargets, projectPermissions } from '@litecd/core/sync'
import { loadAll } from 'js-yaml'
import { type Commit, type FileContent, fileOf, type Names } from './argocd-cases.ts'

export interface RecordedApp {
  readonly operationState?: OperationState
}

const kindsWithHealth: ReadonlySet<string> = new Set(
  'Pod Job Deployment PersistentVolumeClaim StatefulSet DaemonSet ReplicaSet Ingress'.split(' '),
)

/** `group/version/Kind` of what the recorded cluster served, as far as the cases touch it. */
const served: readonly string[] = [
  ...'Namespace ConfigMap Secret ServiceAccount Service Pod PersistentVolumeClaim LimitRange ResourceQuota'
    .split(' ')
    .map((kind) => `v1/${kind}`),
  ...'Deployment StatefulSet DaemonSet ReplicaSet'.split(' ').map((kind) => `apps/v1/${kind}`),
  ...'Job CronJob'.split(' ').map((kind) => `batch/v1/${kind}`),
  ...'Role RoleBinding ClusterRole ClusterRoleBinding'
    .split(' ')
    .map((kind) => `rbac.authorization.k8s.io/v1/${kind}`),
  ...'NetworkPolicy Ingress IngressClass'.split(' ').map((kind) => `networking.k8s.io/v1/${kind}`),
  'policy/v1/PodDisruptionBudget',
  'storage.k8s.io/v1/StorageClass',
  'scheduling.k8s.io/v1/PriorityClass',
  'autoscaling/v1/HorizontalPodAutoscaler',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  'argoproj.io/v1alpha1/Application',
]

const anything: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' }

interface AppRecord {
  app: Application
  /** The revision that the last refresh saw. */
  revision: string
  conditions: readonly Condition[]
  events: LitecdEvent[]
  /** Earliest time at which anything happens by itself. */
  wakeAt: number | undefined
  refresh: boolean
}

export class RecordedWorld {
  readonly names: Names
  now: number = Date.parse('2026-01-02T03:04:05Z')
  readonly objects: Map<string, Manifest> = new Map()
  readonly projects: Map<string, AppProject> = new Map([['default', anything]])
  readonly apps: Map<string, AppRecord> = new Map()
  /** What Argo CD answered after the beat that is played: the script for the answers of the cluster. */
  want: (app: string) => RecordedApp | undefined = () => undefined
  /** What it answered next, where the beat that is played was not recorded. */
  after: (app: string) => RecordedApp | undefined = () => undefined
  /** What it answered before, latest first; it holds for objects of which the latest answer says nothing. */
  before: (app: string) => readonly RecordedApp[] = () => []
  private readonly settings: Settings
  private readonly trees: { readonly [path: string]: FileContent }[] = []
  private readonly refs: Map<string, number> = new Map()
  private branch = 'main'

  constructor(names: Names) {
    this.names = names
    this.settings = {
      ...defaultSettings,
      selfHeal: { ...defaultSettings.selfHeal },
      timeouts: { ...defaultSettings.timeouts, syncWaveDelayMs: 1_000 },
    }
  }

  // ---- the repository

  commit({ files, tag, annotatedTag, branch }: Commit): void {
    const head = this.trees.length
    if (branch !== undefined) {
      const start = this.refs.get(branch) ?? this.refs.get(this.branch)
      this.branch = branch
      if (start !== undefined) this.refs.set(branch, start)
    }
    const parent = this.refs.get(this.branch)
    const tree: { [path: string]: FileContent } = {
      ...(parent === undefined ? {} : this.trees[parent]),
    }
    for (const [path, content] of Object.entries(files)) {
      if (content === null) delete tree[path]
      else tree[path] = content
    }
    this.trees.push(tree)
    this.refs.set(this.branch, head)
    this.refs.set('HEAD', head)
    for (const name of [tag, annotatedTag]) if (name !== undefined) this.refs.set(name, head)
  }

  private resolve(revision: string): number {
    const named = this.refs.get(revision === '' ? 'HEAD' : revision)
    if (named !== undefined) return named
    const index = this.names.commits.findIndex(
      (sha, i) => i < this.trees.length && revision.length >= 7 && sha.startsWith(revision),
    )
    if (index !== -1) return index
    throw new SourceError(
      'SOURCE_REVISION_UNKNOWN',
      `rpc error: code = Unknown desc = unable to resolve '${revision}' to a commit SHA`,
    )
  }

  private render(source: ApplicationSource, index: number): readonly Manifest[] {
    const folder = `${source.path ?? ''}/`
    return Object.entries(this.trees[index] ?? {})
      .filter(([path]) => path.startsWith(folder) && /\.(ya?ml|json)$/.test(path))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, content]) => {
        const file = fileOf(content)
        if (!('bytes' in file)) throw new Error('links are not rendered here')
        return loadAll(new TextDecoder().decode(file.bytes)).filter(
          (document) => document !== null && document !== undefined,
        ) as Manifest[]
      })
  }

  // ---- objects

  put(object: Manifest): void {
    if (object.kind === 'AppProject') {
      this.projects.set(nameOf(object), object as unknown as AppProject)
      return
    }
    const { manager: _manager, ...manifest } = object as JsonObject
    const stripped = stripPlace(manifest as Manifest)
    this.objects.set(formatKey(keyOf(stripped)), stripped)
  }

  get(key: ResourceKey): Manifest | undefined {
    return this.objects.get(formatKey(placeOf(key)))
  }

  remove(key: ResourceKey): void {
    const object = this.get(key)
    if (object === undefined) return
    const finalizers = getPath(object, 'metadata', 'finalizers')
    if (Array.isArray(finalizers) && finalizers.length > 0) {
      this.put(setPath(object, ['metadata', 'deletionTimestamp'], '2026-01-02T03:04:05Z'))
    } else {
      this.objects.delete(formatKey(placeOf(key)))
    }
  }

  patch(key: ResourceKey, merge: JsonObject): Manifest | undefined {
    const object = this.get(key)
    if (object === undefined) return undefined
    const changed = mergePatch(object, merge) as Manifest
    const finalizers = getPath(changed, 'metadata', 'finalizers')
    const held = Array.isArray(finalizers) && finalizers.length > 0
    if (getPath(changed, 'metadata', 'deletionTimestamp') !== undefined && !held) {
      this.objects.delete(formatKey(placeOf(key)))
    } else {
      this.put(changed)
    }
    return changed
  }

  private facts(): ClusterFacts {
    const defined = [...this.objects.values()].flatMap((object) => {
      if (object.kind !== 'CustomResourceDefinition') return []
      const spec = object['spec'] as {
        group: string
        names: { kind: string }
        versions: { name: string }[]
      }
      return spec.versions.map((version) => `${spec.group}/${version.name}/${spec.names.kind}`)
    })
    const kinds = [...served, ...defined]
    const groups = new Set(kinds.map((kind) => kind.slice(0, kind.lastIndexOf('/'))))
    return {
      kubeVersion: 'v1.36.1',
      apiVersions: [...groups, ...kinds].sort(),
      scopeOf: (kind) =>
        scopeOfBuiltIn(kind) ??
        (kinds.some(
          (entry) => entry.startsWith(`${kind.group}/`) && entry.endsWith(`/${kind.kind}`),
        )
          ? 'Namespaced'
          : undefined),
    }
  }

  // ---- Applications

  applyApp(manifest: JsonObject): void {
    const app = manifest as unknown as Application
    const known = this.apps.get(app.metadata.name)
    const status = known?.app.status
    this.apps.set(app.metadata.name, {
      app: { ...app, ...(status === undefined ? {} : { status }) },
      revision: known?.revision ?? '',
      conditions: known?.conditions ?? [],
      events: known?.events ?? [],
      wakeAt: undefined,
      refresh: true,
    })
  }

  patchApp(name: string, merge: JsonObject): void {
    const record = this.record(name)
    const { status, ...rest } = merge
    record.app = mergePatch(record.app as unknown as JsonObject, rest) as unknown as Application
    if (status !== undefined) {
      record.app = mergePatch(record.app as unknown as JsonObject, {
        status,
      }) as unknown as Application
    }
    if (merge['spec'] !== undefined) record.refresh = true
  }

  patchProject(name: string, merge: JsonObject): void {
    const project = this.projects.get(name) as unknown as JsonObject
    this.projects.set(name, mergePatch(project, merge) as unknown as AppProject)
    for (const record of this.apps.values()) record.refresh = true
  }

  record(name: string): AppRecord {
    const record = this.apps.get(name)
    if (record === undefined) throw new Error(`no Application ${name}`)
    return record
  }

  refresh(name: string): void {
    this.record(name).refresh = true
  }

  /** Runs everything until nothing changes any more; where `forward`, the clock moves to what is due next. */
  async settle(forward: boolean): Promise<void> {
    for (let round = 0; round < 500; round++) {
      let busy = false
      for (const record of this.apps.values()) busy = (await this.visit(record)) || busy
      if (busy) continue
      const due = [...this.apps.values()].flatMap(({ wakeAt }) =>
        wakeAt === undefined ? [] : [wakeAt],
      )
      if (!forward || due.length === 0) return
      this.now = Math.max(this.now, Math.min(...due))
      for (const record of this.apps.values()) {
        if (record.wakeAt !== undefined && record.wakeAt <= this.now) {
          record.wakeAt = undefined
          record.refresh = true
        }
      }
    }
    throw new Error('nothing settles')
  }

  private async visit(record: AppRecord): Promise<boolean> {
    this.now += 10
    let busy = false
    if (record.refresh) {
      record.refresh = false
      busy = this.autoSync(record) || busy
    }
    if (record.app.operation === undefined || record.app.operation === null) return busy
    const before = JSON.stringify([record.app, [...this.objects]])
    const result = await operate(this.inputOf(record), {
      clock: { now: () => this.now },
      save: async ({ patch }) => {
        record.app = mergePatch(
          record.app as unknown as JsonObject,
          patch,
        ) as unknown as Application
      },
    })
    record.events.push(...result.events)
    if (result.refreshLevel !== undefined) record.refresh = true
    const changed = JSON.stringify([record.app, [...this.objects]]) !== before
    // a pause is over before anybody looks again; a retry is waited for
    if (result.pauseMs > 0) this.now += result.pauseMs
    const waits = result.state?.phase === 'Running' && result.state.finishedAt !== undefined
    record.wakeAt =
      waits && result.requeueAfterMs !== undefined ? this.now + result.requeueAfterMs : undefined
    return busy || changed || record.refresh
  }

  private inputOf(record: AppRecord): OperateInput {
    const { app } = record
    const name = app.spec.project || 'default'
    const project = this.projects.get(name)
    return {
      app,
      settings: this.settings,
      project,
      projectError: `error getting app project "${name}": appproject.argoproj.io "${name}" not found`,
      compare: async (request) => this.compare(app, request, project ?? anything),
      connect: async () => this.clusterOf(app.metadata.name),
    }
  }

  private compare(
    app: Application,
    request: SyncCompareRequest,
    project: AppProject,
  ): SyncComparison {
    const source = request.sources[0]!
    const asked = request.revisions[0] ?? ''
    const facts = this.facts()
    const base = {
      comparedTo: { source },
      facts,
      permits: projectPermissions(project, cluster),
      assess: (live: Manifest) => this.assess(app.metadata.name, live),
      modified: (key: ResourceKey) => {
        const target = targets.find((item) => sameObject(item, key))
        const live = this.get(key)
        return target === undefined || live === undefined ? undefined : differs(target, live)
      },
    }
    const failed = (message: string): SyncComparison => ({
      ...base,
      revision: asked,
      conditions: [{ type: 'ComparisonError', message }],
      targets: [],
      live: [],
    })
    let manifests: readonly Manifest[]
    let revision = ''
    let targets: readonly Manifest[] = []
    if (request.manifests.length > 0) {
      try {
        manifests = request.manifests.map((text) => JSON.parse(text) as Manifest)
      } catch {
        // Go's words for what is no JSON
        const text = `invalid character '${request.manifests[0]![0]}' looking for beginning of value`
        return failed(`Failed to load local manifests: ${text}`)
      }
    } else {
      try {
        const index = this.resolve(asked === '' ? (source.targetRevision ?? '') : asked)
        manifests = this.render(source, index)
        revision = this.names.commits[index]!
      } catch (error) {
        const where = 'failed to generate manifest for source 1 of 1'
        return failed(`Failed to load target state: ${where}: ${(error as Error).message}`)
      }
    }
    targets = this.targetsOf(app, manifests, facts)
    const live = this.liveOf(app, targets)
    return { ...base, revision, conditions: this.sharedWarning(app, targets), targets, live }
  }

  private targetsOf(
    app: Application,
    manifests: readonly Manifest[],
    facts: ClusterFacts,
  ): readonly Manifest[] {
    const set = normalizeTargets(
      manifests.map((manifest) => ({ manifest: tracked(manifest, app, facts), origin: '' })),
      {
        instance: app.metadata.name,
        namespace: app.spec.destination.namespace ?? '',
        server: cluster.server,
        facts,
        settings: this.settings,
      },
    )
    return [...set.resources, ...set.hooks].map(({ manifest }) => manifest)
  }

  private liveOf(app: Application, targets: readonly Manifest[]): readonly Manifest[] {
    const wanted = new Set(
      targets.filter((target) => !isHook(target)).map((target) => formatKey(keyOf(target))),
    )
    return [...this.objects]
      .filter(
        ([key, object]) =>
          wanted.has(key) || trackingNameOf(object, this.settings.tracking) === app.metadata.name,
      )
      .map(([, object]) => object)
  }

  private sharedWarning(app: Application, targets: readonly Manifest[]): readonly Condition[] {
    return targets.flatMap((target) => {
      const live = this.get(keyOf(target))
      const owner = live === undefined ? undefined : trackingNameOf(live, this.settings.tracking)
      if (owner === undefined || owner === app.metadata.name) return []
      const message = `${target.kind}/${nameOf(target)} is part of applications argocd/${app.metadata.name} and ${owner}`
      return [{ type: 'SharedResourceWarning' as const, message }]
    })
  }

  /** Whether an automated sync begins, on a comparison by plain equality. */
  private autoSync(record: AppRecord): boolean {
    const { app } = record
    const source = app.spec.source
    if (source === undefined) return false
    const index = this.resolve(source.targetRevision ?? '')
    record.revision = this.names.commits[index]!
    const facts = this.facts()
    const targets = this.targetsOf(app, this.render(source, index), facts)
    const namespace = app.spec.destination.namespace ?? ''
    const { pairs } = pairTargets(targets, this.liveOf(app, targets), namespace, facts)
    const resources: ResourceStatus[] = pairs.map(({ target, live }) => {
      const object = (target ?? live)!
      const common = {
        kind: object.kind,
        name: nameOf(object),
        ...(groupOf(object.apiVersion) === '' ? {} : { group: groupOf(object.apiVersion) }),
      }
      if (isHook(object) || isSkipped(object))
        return { ...common, hook: true, requiresPruning: true }
      if (target === undefined) return { ...common, status: 'OutOfSync', requiresPruning: true }
      const same = live !== undefined && !differs(target, live)
      return { ...common, status: same ? 'Synced' : 'OutOfSync' }
    })
    const outOfSync = resources.some(({ status }) => status === 'OutOfSync')
    const decision = decideAutoSync(app, this.projects.get(app.spec.project) ?? anything, {
      status: outOfSync ? 'OutOfSync' : 'Synced',
      revisions: [record.revision],
      resources,
      settings: this.settings,
      now: this.now,
    })
    if (decision.evaluated) record.conditions = decision.conditions
    record.events.push(...decision.events)
    if (decision.requeueAfterMs !== undefined) record.wakeAt = this.now + decision.requeueAfterMs
    if (decision.operation === undefined) return false
    const { operationState: _old, ...status } = app.status ?? {}
    record.app = { ...app, status, operation: decision.operation }
    return true
  }

  // ---- the script

  private rowOf(app: string, key: ResourceKey): SyncResultResource | undefined {
    return findRow([this.want(app) ?? {}, ...this.before(app)], key)
  }

  private assess(app: string, live: Manifest): Assessment {
    const answers = [this.want(app) ?? this.after(app) ?? {}, ...this.before(app)]
    const row = findRow(answers, keyOf(live))
    const hasHealth = kindsWithHealth.has(live.kind)
    if (!hasHealth) return { health: undefined }
    if (row === undefined) return { health: { status: 'Healthy' } }
    const spoken = isKubectlLine(row.message ?? '', live) ? '' : (row.message ?? '')
    if (row.hookPhase === 'Succeeded') return { health: { status: 'Healthy', message: spoken } }
    if (row.hookPhase === 'Failed' && spoken !== 'Terminated') {
      return { health: { status: 'Degraded', message: spoken } }
    }
    return { health: { status: 'Progressing' } }
  }

  private clusterOf(app: string): Cluster {
    const state = (): OperationState | undefined => this.want(app)?.operationState
    /** Throws where the recording says that this object was refused at this stage. */
    const check = (target: Manifest, dry: boolean): void => {
      const row = this.rowOf(app, keyOf(target))
      if (row?.status !== 'SyncFailed' || row.hookPhase !== 'Failed') return
      const inDryRun = state()?.message?.endsWith('(dry run)') ?? false
      if (inDryRun === dry) throw refused(row.message ?? '')
    }
    const write = (
      target: Manifest,
      options: Pick<ApplyOptions, 'dryRun'>,
      word: string,
    ): WriteResult => {
      const dry = options.dryRun !== 'none'
      check(target, dry)
      const line = findRow([this.want(app) ?? {}], keyOf(target))?.message ?? ''
      if (!dry) this.put(target)
      const plain = `${resourceName(target)}/${nameOf(target)} ${word}${dry ? ' (dry run)' : ''}`
      return { live: target, message: isKubectlLine(line, target) ? line : plain }
    }
    const unexpected = (what: string) => async (): Promise<never> => {
      throw new Error(`${what} is not in the script`)
    }
    return {
      facts: async () => this.facts(),
      managedLiveObjects: unexpected('managedLiveObjects'),
      descendants: unexpected('descendants'),
      topLevel: unexpected('topLevel'),
      get: async (key) => this.get(key),
      apply: async (target, options) => {
        const live = this.get(keyOf(target))
        const word = options.serverSide
          ? 'serverside-applied'
          : live === undefined
            ? 'created'
            : differs(target, live)
              ? 'configured'
              : 'unchanged'
        return write(target, options, word)
      },
      create: async (target, options) => write(target, options, 'created'),
      replace: async (target, options) => write(target, options, 'replaced'),
      update: async (target, options) => write(target, options, 'updated').live as Manifest,
      delete: async (key) => {
        const row = this.rowOf(app, key)
        if (row?.status === 'SyncFailed') throw refused(row.message ?? '')
        if (this.get(key) === undefined) throw notFound(key)
        this.remove(key)
      },
      patch: async (key, _apiVersion, request) => {
        const { resourceVersion: _version, ...metadata } = (
          request.patch as { metadata: JsonObject }
        ).metadata
        const changed = this.patch(key, { metadata })
        if (changed === undefined) throw notFound(key)
        return changed
      },
    }
  }
}

function findRow(
  answers: readonly RecordedApp[],
  key: ResourceKey,
): SyncResultResource | undefined {
  return answers
    .flatMap(({ operationState }) => operationState?.syncResult?.resources ?? [])
    .find(
      (row) =>
        row.kind === key.kind &&
        row.group === key.group &&
        (row.namespace === key.namespace || isClusterScoped(key)) &&
        matchesName(row.name, key.name),
    )
}

function refused(message: string): ClusterError {
  return new ClusterError('CLUSTER_REFUSED', message, { status: 422, reason: 'Invalid' })
}

function notFound(key: ResourceKey): ClusterError {
  const message = `${key.kind.toLowerCase()}s "${key.name}" not found`
  return new ClusterError('CLUSTER_NOT_FOUND', message, { status: 404, reason: 'NotFound' })
}

function resourceName(object: Manifest): string {
  const group = groupOf(object.apiVersion)
  return object.kind.toLowerCase() + (group === '' ? '' : `.${group}`)
}

function isKubectlLine(message: string, object: Manifest): boolean {
  return (
    message.startsWith(`${resourceName(object)}/`) ||
    message.startsWith(`${resourceName(object)} "`) ||
    message.startsWith(`${object.kind}/`)
  )
}

/** Names of generated hooks hold the time, which the recording leaves out. */
function matchesName(recorded: string, name: string): boolean {
  return recorded === name || recorded === name.replace(/-\d{10}$/, '-<unix>')
}

function isClusterScoped(kind: { readonly group: string; readonly kind: string }): boolean {
  return scopeOfBuiltIn(kind) === 'Cluster'
}

function placeOf(key: ResourceKey): ResourceKey {
  return isClusterScoped(key) ? { ...key, namespace: '' } : key
}

function stripPlace(object: Manifest): Manifest {
  if (!isClusterScoped(keyOf(object)) || namespaceOf(object) === '') return object
  const { namespace: _namespace, ...metadata } = object['metadata'] as JsonObject
  return { ...object, metadata }
}

function sameObject(target: Manifest, key: ResourceKey): boolean {
  const own = keyOf(target)
  return formatKey(placeOf(own)) === formatKey(placeOf(key))
}

/** Every value of the target is in the live object, but for the parts that Argo CD does not compare. */
function differs(target: Manifest, live: Manifest): boolean {
  const { status: _status, ...wanted } = target
  const { stringData, ...rest } = wanted as JsonObject & { stringData?: JsonObject }
  const [a, b] = [stripPlace({ ...rest, ...(stringData ? { stringData } : {}) } as Manifest), live]
  return !deepEqual(mergePatch(b, a), b)
}

function tracked(manifest: Manifest, app: Application, facts: ClusterFacts): Manifest {
  const scope = facts.scopeOf({ group: groupOf(manifest.apiVersion), kind: manifest.kind })
  const namespace =
    scope === 'Cluster' ? '' : namespaceOf(manifest) || (app.spec.destination.namespace ?? '')
  const id = `${app.metadata.name}:${groupOf(manifest.apiVersion)}/${manifest.kind}:${namespace}/${nameOf(manifest)}`
  return setPath(manifest, ['metadata', 'annotations', 'argocd.argoproj.io/tracking-id'], id)
}
