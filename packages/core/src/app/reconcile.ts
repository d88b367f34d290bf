import type { Adapters, Instant, LitecdEvent } from '../adapters/index.ts'
import {
  type Application,
  type ApplicationSpec,
  type ApplicationStatus,
  type AppProject,
  type Condition,
  type ConditionType,
  encodeSource,
  hasMultipleSources,
  instanceNameOf,
  type Operation,
  type Settings,
  sourcesOf,
  trackingNameOf,
} from '../argo/index.ts'
import type { ResourceDiff } from '../diff/index.ts'
import { isLitecdError, RenderError } from '../errors/index.ts'
import { deepEqual, isObject, type Json, parseJson } from '../json/index.ts'
import type { ClusterFacts, Manifest } from '../kube/index.ts'
import { normalizeTargets, type TargetSet } from '../normalize/index.ts'
import { type KnownCluster, resolveDestination } from '../project/index.ts'
import { finishManifests } from '../render/index.ts'
import { formatTime } from '../sync/index.ts'
import {
  type Comparison,
  compareResources,
  type Pair,
  pairResources,
  permittedLive,
  sharedResourceConditions,
} from './compare.ts'
import { setConditions } from './conditions.ts'
import { decideAutoSync, noAutoSync } from './decide.ts'
import { diffResources } from './diffs.ts'
import { withManagedNamespace } from './managed-namespace.ts'
import { orphansOf } from './orphans.ts'
import type { RefreshDecision } from './refresh.ts'
import {
  kindlessFailure,
  type RenderedSource,
  type RenderFailure,
  type RenderOutcome,
  renderApplication,
  sourceRequestOf,
} from './render.ts'
import { decideRollback } from './rollback.ts'
import { normalizeSpec } from './spec.ts'
import { summarize } from './summary.ts'
import { validateApplication } from './validate.ts'

export interface ReconcileContext {
  readonly project: AppProject | undefined
  /** Every cluster the host knows. */
  readonly clusters: readonly KnownCluster[]
  readonly settings: Settings
  readonly refresh: RefreshDecision
  /** Whether a tracking name is that of an Application that exists, for projects that look for orphans. */
  readonly isKnown?: (instance: string) => boolean
  /** When this Application's source first failed to load, if it has not loaded since. */
  readonly sourceErrorSince?: Instant | undefined
  readonly signal?: AbortSignal
}

/** What a look at an Application came to. Nothing has been written anywhere yet. */
export interface Reconciliation {
  /** The whole new status; undefined when nothing is to be written, not even the end of the refresh annotation. */
  readonly status: ApplicationStatus | undefined
  /** The spec, where normalising changed it. */
  readonly spec?: ApplicationSpec
  /** An automated sync or a rollback that begins now. */
  readonly operation?: Operation
  /** Annotations to store before that. */
  readonly annotations?: { readonly [key: string]: string }
  readonly events: readonly LitecdEvent[]
  /** Look again, at level 2, no later than this. */
  readonly requeueAfterMs?: number
  /** The source could not be loaded: remember since when. */
  readonly sourceError: boolean
  /** Whether the targets hold hooks for the deletion of the Application; undefined when that is not known. */
  readonly deleteHooks?: { readonly pre: boolean; readonly post: boolean }
  /** What was compared, for whoever shows it or syncs it. */
  readonly detail?: ComparisonDetail
}

export interface ComparisonDetail {
  readonly outcome: RenderOutcome
  readonly targets: TargetSet
  readonly pairs: readonly Pair[]
  readonly modified: readonly boolean[] | undefined
  /** The comparison of each pair; undefined when it failed. */
  readonly diffs: readonly ResourceDiff[] | undefined
  readonly comparison: Comparison
  readonly revisions: readonly string[]
}

const validationTypes: readonly ConditionType[] = ['InvalidSpecError', 'UnknownError']
/** The condition types that a comparison evaluates. */
export const comparisonTypes: readonly ConditionType[] = [
  'ComparisonError',
  'SharedResourceWarning',
  'RepeatedResourceWarning',
  'ExcludedResourceWarning',
]

/**
 * Looks at one Application and decides: Application → status, events, perhaps an Operation. Reads the world through the
 * adapters and changes nothing.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go processAppRefreshQueueItem, controller/state.go CompareAppState
 */
export async function reconcile(
  app: Application,
  context: ReconcileContext,
  adapters: Adapters,
): Promise<Reconciliation> {
  const { settings, refresh } = context
  const now = adapters.clock.now()
  const before = app.status ?? {}
  const problems = validateApplication(app, context.project, context.clusters, settings)
  const validated = setConditions(before.conditions ?? [], problems, validationTypes, now)
  if (problems.length > 0 || context.project === undefined) {
    const status = withVerdict(before, 'Unknown', 'Unknown', validated, now)
    return { status, events: eventsOf(before, status), sourceError: false }
  }

  const manifests = before.operationState?.operation.sync?.manifests
  const result = await compareApplication(
    app,
    context.project,
    manifests === undefined ? context : { ...context, manifests },
    adapters,
  )
  if (result.sourceFailure && refresh.level < 3) {
    const since = context.sourceErrorSince ?? now
    if (now - since < settings.timeouts.repoErrorGraceMs) {
      return { status: undefined, events: [], sourceError: true }
    }
  }
  const spec = normalizeSpec(app)
  const normalized: Application = spec === app.spec ? app : { ...app, spec }
  const { comparison } = result
  const compared = setConditions(
    validated,
    result.conditions,
    comparisonTypes,
    adapters.clock.now(),
  )
  const rollback = decideRollback(normalized, context.project, {
    health: comparison.health,
    revisions: result.revisions,
    loaded: result.loaded,
    settings,
    now: adapters.clock.now(),
  })
  const decision = rollback.holds
    ? noAutoSync
    : decideAutoSync(normalized, context.project, {
        status: comparison.status,
        resources: comparison.resources,
        revisions: result.revisions,
        settings,
        now: adapters.clock.now(),
      })
  const decided =
    decision.evaluated === false
      ? compared
      : setConditions(compared, decision.conditions, ['SyncError'], adapters.clock.now())
  const rolledBack = setConditions(
    decided,
    rollback.conditions,
    ['RolledBackWarning'],
    adapters.clock.now(),
  )
  const conditions = setConditions(
    rolledBack,
    await orphanWarnings(app, context, context.project, result, adapters),
    ['OrphanedResourceWarning'],
    adapters.clock.now(),
  )

  const operation = rollback.operation ?? decision.operation
  const summary = await summaryOf(app, result, adapters)
  const status = withoutUndefined({
    ...withVerdict(before, comparison.status, comparison.health, conditions, now),
    resources: comparison.resources,
    sync: syncOf(app, comparison, result),
    summary,
    ...sourceTypesOf(app, result),
    reconciledAt:
      before.reconciledAt === undefined || refresh.level >= 2
        ? formatTime(now)
        : before.reconciledAt,
    controllerNamespace: settings.controllerNamespace,
    resourceHealthSource: 'appTree' as const,
  })
  return {
    status,
    ...(spec === app.spec ? {} : { spec }),
    ...(operation === undefined ? {} : { operation }),
    ...(rollback.annotations === undefined ? {} : { annotations: rollback.annotations }),
    events: [...eventsOf(before, status), ...rollback.events, ...decision.events],
    ...(decision.requeueAfterMs === undefined ? {} : { requeueAfterMs: decision.requeueAfterMs }),
    sourceError: result.sourceFailure,
    ...(result.loaded
      ? {
          deleteHooks: { pre: result.targets.preDeleteHooks, post: result.targets.postDeleteHooks },
        }
      : {}),
    detail: result,
  }
}

/** The status codes, conditions and health time of an Application, everything else as it was. */
function withVerdict(
  before: ApplicationStatus,
  sync: 'Unknown' | 'Synced' | 'OutOfSync',
  health: NonNullable<ApplicationStatus['health']>['status'],
  conditions: readonly Condition[],
  now: Instant,
): ApplicationStatus {
  const healthTime =
    before.health?.status === health && before.health.lastTransitionTime !== undefined
      ? before.health.lastTransitionTime
      : formatTime(now)
  return withoutUndefined({
    ...before,
    sync: { ...before.sync, status: sync },
    health: { status: health, lastTransitionTime: healthTime },
    conditions: conditions.length > 0 ? conditions : undefined,
  })
}

function withoutUndefined(
  status: { [K in keyof ApplicationStatus]?: ApplicationStatus[K] | undefined },
): ApplicationStatus {
  return Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined && !isEmptyValue(value)),
  ) as ApplicationStatus
}

/** Absent and empty mean the same in a stored status; absent is what Argo CD writes. */
function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

export interface CompareOutcome extends ComparisonDetail {
  readonly conditions: readonly Condition[]
  /** True when a source could not be resolved, fetched or rendered. */
  readonly sourceFailure: boolean
  /** True when targets are known. */
  readonly loaded: boolean
  readonly facts: ClusterFacts
  /** Live objects that take part, hooks among them. */
  readonly live: readonly Manifest[]
}

const noTargets: TargetSet = {
  resources: [],
  hooks: [],
  preDeleteHooks: false,
  postDeleteHooks: false,
  conditions: [],
}

export interface CompareRequest {
  readonly settings: Settings
  readonly clusters: readonly KnownCluster[]
  readonly refresh: RefreshDecision
  /** Revisions to look at instead of those of the spec, by index of the source. */
  readonly revisions?: readonly (string | undefined)[]
  /** Manifests (JSON texts) that take the place of rendered ones. */
  readonly manifests?: readonly string[]
  readonly signal?: AbortSignal
}

/** Targets against live objects: the part of a reconcile that a sync does too. */
export async function compareApplication(
  app: Application,
  project: AppProject,
  context: CompareRequest,
  adapters: Adapters,
): Promise<CompareOutcome> {
  const { settings } = context
  const facts = await adapters.cluster.facts()
  const instance = instanceNameOf(app, settings.controllerNamespace)
  const resolved = resolveDestination(app.spec.destination, context.clusters)
  const server = 'cluster' in resolved ? resolved.cluster.server : ''
  const namespace = app.spec.destination.namespace ?? ''
  const conditions: Condition[] = []
  const wanted = context.revisions ?? recentRevisions(app, context.refresh)
  const outcome =
    (context.manifests?.length ?? 0) > 0
      ? localManifests(app, context.manifests ?? [], settings)
      : await renderApplication(app, adapters, {
          settings,
          facts,
          project,
          revisions: wanted,
          ...(context.refresh.hard ? { hard: true } : { compared: comparedRevisions(app) }),
          noRevisionCache: context.refresh.level === 3,
          ...(context.signal === undefined ? {} : { signal: context.signal }),
        })
  const failure: RenderFailure | undefined =
    'failure' in outcome ? outcome.failure : kindlessFailure(outcome.sources)
  let failed = false
  if (failure !== undefined) {
    failed = true
    conditions.push({
      type: 'ComparisonError',
      message: `${loadFailure(context)}: ${failure.message}`,
    })
  }
  const rendered = failure === undefined && 'sources' in outcome ? outcome.sources : []
  let targets =
    failure === undefined
      ? normalizeTargets(
          rendered.flatMap((source) => source.manifests),
          { instance, namespace, server, facts, settings },
        )
      : noTargets
  conditions.push(...targets.conditions)

  let live: readonly Manifest[] = []
  try {
    live = await adapters.cluster.managedLiveObjects({
      instance,
      instanceOf: (manifest) => trackingNameOf(manifest, settings.tracking),
      // hooks too: a hook that ran is found even where its tracking was lost
      targets: [...targets.resources, ...targets.hooks].map(({ key, manifest }) => ({
        key,
        apiVersion: manifest.apiVersion,
      })),
    })
  } catch (error) {
    if (!isLitecdError(error)) throw error
    failed = true
    conditions.push({
      type: 'ComparisonError',
      message: `Failed to load live state: ${error.message}`,
    })
  }
  const permitted = permittedLive(live, { project, settings, facts, server })
  targets = withManagedNamespace(app, targets, permitted)
  const pairs = pairResources(targets, permitted, { namespace, facts })
  conditions.push(...sharedResourceConditions(app, pairs, instance, settings))

  let diffs: readonly ResourceDiff[] | undefined
  try {
    diffs = await diffResources(pairs, app, settings, adapters.cluster, facts, adapters.jq)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    failed = true
    conditions.push({
      type: 'ComparisonError',
      message: `Failed to compare desired state to live state: ${error.message}`,
    })
  }
  const modified = diffs?.map((diff) => diff.modified)
  const comparison = compareResources({
    app,
    project,
    settings,
    facts,
    instance,
    server,
    targets,
    pairs,
    modified,
    failed,
    now: adapters.clock.now(),
  })
  return {
    outcome,
    targets,
    pairs,
    modified,
    diffs,
    comparison,
    conditions: [...conditions, ...comparison.conditions],
    sourceFailure: failure !== undefined,
    loaded: failure === undefined,
    revisions: failure === undefined ? rendered.map((source) => source.revision) : [],
    facts,
    live: permitted,
  }
}

/** Revisions that the last comparison looked at, where it looked at these very sources. */
function comparedRevisions(app: Application): readonly (string | undefined)[] {
  const { sync } = app.status ?? {}
  if (hasMultipleSources(app.spec)) return sync?.revisions ?? []
  const same = deepEqual(
    (sync?.comparedTo?.source ?? null) as unknown as Json,
    (sourcesOf(app.spec).map(encodeSource)[0] ?? null) as unknown as Json,
  )
  return same && sync?.revision !== undefined ? [sync.revision] : []
}

function loadFailure(context: CompareRequest): string {
  return (context.manifests?.length ?? 0) > 0
    ? 'Failed to load local manifests'
    : 'Failed to load target state'
}

/** Manifests that an operation brings along, as if a directory source had rendered them. */
function localManifests(
  app: Application,
  texts: readonly string[],
  settings: Settings,
): RenderOutcome {
  const [source = { repoURL: '' }] = sourcesOf(app.spec)
  try {
    const manifests = texts.map((text, index) => {
      const value = parseJson(text, (issue) => {
        throw new RenderError('JSON_INVALID', issue.message)
      })
      if (!isObject(value)) {
        throw new RenderError('MANIFEST_INVALID', `manifest ${index + 1} is no object`)
      }
      return { manifest: value as Manifest, origin: { path: `manifest ${index + 1}` } }
    })
    const tracked = finishManifests(manifests, {
      appName: instanceNameOf(app, settings.controllerNamespace),
      namespace: app.spec.destination.namespace ?? '',
      tracking: settings.tracking,
    })
    const rendered: RenderedSource = {
      source,
      request: sourceRequestOf(source),
      revision: '',
      sourceType: '',
      manifests: tracked,
      reads: { files: [], absent: [], folders: [], links: [] },
      remote: [],
    }
    return { sources: [rendered] }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { failure: { message: error.message, error, source: 0, reads: undefined } }
  }
}

/** At levels 0 and 1 the revisions that were compared last, otherwise those that the spec names. */
function recentRevisions(
  app: Application,
  refresh: RefreshDecision,
): readonly (string | undefined)[] {
  if (refresh.level > 1) return []
  const sync = app.status?.sync
  if (hasMultipleSources(app.spec)) return sync?.revisions ?? []
  return sync?.revision === undefined ? [] : [sync.revision]
}

function syncOf(
  app: Application,
  comparison: Comparison,
  result: CompareOutcome,
): NonNullable<ApplicationStatus['sync']> {
  const { spec } = app
  const several = hasMultipleSources(spec)
  const sources = sourcesOf(spec).map(encodeSource)
  const comparedTo = {
    destination: spec.destination,
    ...(several ? { sources } : sources[0] === undefined ? {} : { source: sources[0] }),
    ...((spec.ignoreDifferences?.length ?? 0) > 0 && spec.ignoreDifferences !== undefined
      ? { ignoreDifferences: spec.ignoreDifferences }
      : {}),
  }
  if (several) {
    return {
      status: comparison.status,
      comparedTo,
      ...(result.revisions.length > 0 ? { revisions: result.revisions } : {}),
    }
  }
  const revision = result.revisions[0] || (sources[0]?.targetRevision ?? '')
  return { status: comparison.status, comparedTo, ...(revision === '' ? {} : { revision }) }
}

function sourceTypesOf(
  app: Application,
  result: CompareOutcome,
): { [K in 'sourceType' | 'sourceTypes']: ApplicationStatus[K] | undefined } {
  const sources = result.loaded && 'sources' in result.outcome ? result.outcome.sources : []
  const types = sources.map((source) => source.sourceType)
  if (hasMultipleSources(app.spec)) {
    return { sourceType: undefined, sourceTypes: types.length > 0 ? types : undefined }
  }
  const [only] = types
  return {
    sourceType: only === undefined || only === '' ? undefined : only,
    sourceTypes: undefined,
  }
}

async function orphanWarnings(
  app: Application,
  context: ReconcileContext,
  project: AppProject,
  result: CompareOutcome,
  adapters: Adapters,
): Promise<readonly Condition[]> {
  if (project.spec.orphanedResources?.warn !== true) return []
  const orphans = await orphansOf(
    {
      project,
      namespace: app.spec.destination.namespace ?? '',
      managed: result.pairs.map(({ key }) => key),
      isKnown: context.isKnown ?? (() => false),
    },
    adapters.cluster,
  )
  if (orphans.length === 0) return []
  return [
    {
      type: 'OrphanedResourceWarning',
      message: `Application has ${orphans.length} orphaned resources`,
    },
  ]
}

async function summaryOf(
  app: Application,
  result: CompareOutcome,
  adapters: Adapters,
): Promise<ApplicationStatus['summary']> {
  const roots = result.pairs.flatMap(({ live }) => (live === undefined ? [] : [live]))
  const below = await adapters.cluster.descendants(roots)
  const missing = result.pairs.flatMap(({ target, live }) =>
    live === undefined && target !== undefined && target.kind === 'Application' ? [target] : [],
  )
  return summarize(app, [...roots, ...below, ...missing])
}

function eventsOf(before: ApplicationStatus, after: ApplicationStatus): readonly LitecdEvent[] {
  const events: LitecdEvent[] = []
  const updated = (what: string, old: string, now: string): void => {
    if (old === now) return
    events.push({
      type: 'Normal',
      reason: 'ResourceUpdated',
      message: `Updated ${what} status: ${old} -> ${now}`,
    })
  }
  updated('sync', before.sync?.status ?? '', after.sync?.status ?? '')
  updated('health', before.health?.status ?? '', after.health?.status ?? '')
  return events
}
