import type { Instant } from '../../adapters/index.ts'
import {
  type Application,
  type AppProject,
  type Condition,
  instanceNameOf,
  type Operation,
  type Settings,
  type SyncOperation,
  trackingNameOf,
} from '../../argo/index.ts'
import { compileDiffRules, diffPairs } from '../../diff/index.ts'
import { assessHealth } from '../../health/index.ts'
import { deepEqual, isObject } from '../../json/index.ts'
import {
  apiVersionOf,
  type ClusterFacts,
  type FrozenChange,
  formatKey,
  keyOf,
  type Manifest,
  type ResourceKey,
  type Scope,
} from '../../kube/index.ts'
import type { TargetSet } from '../../normalize/index.ts'
import { decideWindows, type KnownCluster, windowsOf } from '../../project/index.ts'
import {
  type Assessment,
  type Forecast,
  forecastSync,
  newOperationState,
  newSyncResult,
  objectOf,
  projectPermissions,
} from '../../sync/index.ts'
import {
  compareResources,
  type Pair,
  pairResources,
  permittedLive,
  sharedResourceConditions,
} from '../compare.ts'
import { decideAutoSync } from '../decide.ts'
import { ignoredKeeper } from '../ignored.ts'
import { withManagedNamespace } from '../managed-namespace.ts'
import { objectionOf, type SyncComparison, syncTargetsOf, syncWorldOf } from '../operate.ts'
import { validateApplication } from '../validate.ts'
import { hintFor, type RefusalWorld, Refuser, reasonOf } from './refusals.ts'
import { placed, stepsOf } from './steps.ts'
import type { Refusal, SyncPlan } from './types.ts'

export interface PlanSyncInput {
  readonly app: Application
  readonly settings: Settings
  /** Undefined where it is not known: then nothing is forbidden, and the plan says so. */
  readonly project: AppProject | undefined
  /** The destination; undefined where it is not known. */
  readonly cluster: KnownCluster | undefined
  readonly targets: TargetSet<unknown>
  /** Tracked live objects and those at the places of targets; or what the last sync would have left. */
  readonly live: readonly Manifest[]
  readonly facts: ClusterFacts
  readonly refusals: RefusalWorld
  /** The destination namespace is there; undefined where nobody knows. */
  readonly namespaceExists: boolean | undefined
  readonly revision: string
  /** For sync windows; undefined leaves them out. */
  readonly now: Instant | undefined
  /** A sync by hand prunes. An automated one does as the Application says. */
  readonly prune: boolean
}

const anything: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

/**
 * The next sync of an Application, without a cluster: the decision to sync, and the machine that runs syncs, run forward.
 * Tasks come in the order in which the controller would ask for them.
 *
 * Throws CompareError where target and live object cannot be compared, as a comparison does.
 */
export function planSync(given: PlanSyncInput): SyncPlan {
  const input = { ...given, facts: rememberedFacts(given.facts) }
  const { app, settings } = input
  const project = input.project ?? anything
  const compared = compare(input, project)
  const decision = decide(input, project, compared)
  const { operation, trigger } = decision
  const start = input.now ?? 0
  const state = { ...newOperationState(operation, start) }
  const sync = state.operation.sync ?? {}
  const comparison = comparisonOf(input, project, compared)
  const objection = objectionOf(sync, comparison)
  const refuser = new Refuser({
    ...input.refusals,
    // live objects may differ in fields that do not count and are written all the same
    ...(input.refusals.isSnapshot ? {} : { isSame: (target) => compared.same.has(target) }),
  })
  const targets = syncTargetsOf(app, sync, comparison)
  const world = syncWorldOf({ app, settings }, comparison, targets)
  const forecast = forecastSync(
    { ...state, syncResult: newSyncResult(app, state.operation) },
    world,
    {
      namespaceExists: input.namespaceExists ?? false,
      refuses: (request) => refuser.refuses(request),
    },
  )
  const blocked = [...decision.refusals, ...(objection === undefined ? [] : objections(objection))]
  const inside = refusalsOf(forecast, refuser, input)
  const { modified, same, foreign } = compared
  const shown = { facts: input.facts, modified, same, foreign, refuser }
  const nothing = compared.status === 'Synced'
  return {
    kind: 'sync',
    trigger,
    verdict: nothing ? 'nothing' : blocked.length > 0 ? 'blocked' : verdictOf(forecast),
    message: nothing || blocked.length > 0 ? (objection?.message ?? '') : forecast.end.message,
    operation: sync,
    retries: state.operation.retry?.limit ?? 0,
    refusals: [...blocked, ...inside],
    steps: stepsOf(forecast.beats, shown),
    remarks: remarksOf(input, sync),
  }
}

/** The scope of a kind is asked for with every object. */
function rememberedFacts(facts: ClusterFacts): ClusterFacts {
  const known = new Map<string, Map<string, Scope | undefined>>()
  return {
    kubeVersion: facts.kubeVersion,
    apiVersions: facts.apiVersions,
    scopeOf: (kind) => {
      let scopes = known.get(kind.kind)
      if (scopes === undefined) known.set(kind.kind, (scopes = new Map()))
      if (!scopes.has(kind.group)) scopes.set(kind.group, facts.scopeOf(kind))
      return scopes.get(kind.group)
    },
  }
}

function verdictOf({ end }: Forecast): SyncPlan['verdict'] {
  if (end.phase === 'Running') return 'waits'
  return end.phase === 'Succeeded' ? 'succeeds' : 'fails'
}

interface Compared {
  readonly targets: TargetSet<unknown>
  readonly live: readonly Manifest[]
  readonly modified: ReadonlyMap<string, boolean>
  /** Targets that do not differ from what is there. */
  readonly same: ReadonlySet<Manifest>
  /** Places of targets where another Application tracks the object so far, with its name. */
  readonly foreign: ReadonlyMap<string, string>
  readonly status: 'Unknown' | 'Synced' | 'OutOfSync'
  readonly resources: ReturnType<typeof compareResources>['resources']
  readonly conditions: readonly Condition[]
}

function compare(input: PlanSyncInput, project: AppProject): Compared {
  const { app, settings, facts } = input
  const instance = instanceNameOf(app, settings.controllerNamespace)
  const server = input.cluster?.server ?? app.spec.destination.server ?? ''
  const namespace = app.spec.destination.namespace ?? ''
  const live = permittedLive(input.live, { project, settings, facts, server })
  const targets = withManagedNamespace(app, input.targets, live)
  const pairs = pairResources(targets, live, { namespace, facts })
  const modified = pairs.map(modifiedBy(input))
  const { status, resources, conditions } = compareResources({
    app,
    project,
    settings,
    facts,
    instance,
    server,
    targets,
    pairs,
    modified,
    failed: false,
    withoutHealth: true,
  })
  return {
    targets,
    live,
    modified: new Map(pairs.map(({ key }, i) => [formatKey(key), modified[i]!])),
    same: new Set(
      pairs.flatMap(({ target }, i) => (target === undefined || modified[i]! ? [] : [target])),
    ),
    foreign: new Map(
      pairs.flatMap(({ key, target, live: object }) => {
        const owner =
          target === undefined || object === undefined
            ? undefined
            : trackingNameOf(object, settings.tracking)
        return owner === undefined || owner === instance ? [] : [[formatKey(key), owner] as const]
      }),
    ),
    status,
    resources,
    conditions: [
      ...problemsOf(input),
      ...targets.conditions,
      ...conditions,
      ...sharedResourceConditions(app, pairs, instance, settings),
    ],
  }
}

/** What the project, where it is known, says against the Application as a whole. */
function problemsOf({ app, project, cluster, settings }: PlanSyncInput): readonly Condition[] {
  if (project === undefined || cluster === undefined) return []
  return validateApplication(app, project, [cluster], settings)
}

/** Manifests of a base are compared as they are, live objects by the rules of the Application. */
function modifiedBy({ app, settings, refusals }: PlanSyncInput): (pair: Pair) => boolean {
  if (!refusals.isSnapshot) {
    return ({ target, live }) =>
      target === undefined || live === undefined || !deepEqual(target, live)
  }
  const rules = { ...compileDiffRules(app, settings), serverSideDiff: false }
  return (pair) => {
    if (pair.target === undefined || pair.live === undefined) return true
    return diffPairs([pair], rules)[0]?.modified ?? true
  }
}

interface Decision {
  readonly trigger: SyncPlan['trigger']
  readonly operation: Operation
  readonly refusals: readonly Refusal[]
}

/** Whether the controller begins by itself, and with what; else what somebody would ask for by hand. */
function decide(input: PlanSyncInput, project: AppProject, compared: Compared): Decision {
  const { app, settings, now } = input
  const state = {
    status: compared.status,
    revisions: [input.revision],
    resources: compared.resources,
    settings,
    now: now ?? 0,
  }
  const fresh: Application = { ...app, operation: undefined as never, status: {} }
  const open: AppProject = { ...project, spec: { ...project.spec, syncWindows: [] } }
  const automated = decideAutoSync(fresh, open, state)
  const wipe = automated.conditions.map(
    ({ message }): Refusal => ({
      reason: 'wipe',
      message,
      certain: true,
      hint: 'Set automated.allowEmpty.',
    }),
  )
  const isAutomated = automated.operation !== undefined || wipe.length > 0
  const refusals = [...wipe, ...windowRefusals(input, project, !isAutomated)]
  if (automated.operation !== undefined) {
    return { trigger: 'automated', operation: automated.operation, refusals }
  }
  const policy = app.spec.syncPolicy
  const options = policy?.syncOptions ?? []
  const prune = isAutomated || input.prune
  const operation: Operation = {
    sync: {
      ...(input.revision === '' ? {} : { revision: input.revision }),
      ...(prune ? { prune } : {}),
      ...(options.length === 0 ? {} : { syncOptions: options }),
    },
    ...(isAutomated ? { initiatedBy: { automated: true } } : {}),
    ...(policy?.retry === undefined || policy.retry === null ? {} : { retry: policy.retry }),
  }
  return { trigger: isAutomated ? 'automated' : 'manual', operation, refusals }
}

function windowRefusals(
  { app, now }: PlanSyncInput,
  project: AppProject,
  manual: boolean,
): readonly Refusal[] {
  if (now === undefined) return []
  const { allowed, error } = decideWindows(project, app, { manual }, now)
  if (allowed) return []
  const windows = windowsOf(project, app).map(
    ({ kind, schedule, duration, timeZone }) =>
      `${kind ?? ''} "${schedule ?? ''}" for ${duration ?? ''}${timeZone === undefined ? '' : ` (${timeZone})`}`,
  )
  const message = `Sync operation blocked by sync window${error === undefined ? '' : `: ${error}`}`
  const hint = `Windows of project ${project.metadata.name}: ${windows.join(', ')}.`
  return [{ reason: 'window', message, certain: true, hint }]
}

function objections({ message }: { readonly message: string }): readonly Refusal[] {
  const shared = message.startsWith('Shared resource found')
  const forbidden = /is not permitted|do not match any of the allowed/.test(message)
  const reason = shared ? 'shared' : forbidden ? 'project' : 'spec'
  const hint = 'It begins once the other Application does not track the object any more.'
  return [{ reason, message, certain: true, ...(shared ? { hint } : {}) }]
}

function comparisonOf(
  input: PlanSyncInput,
  project: AppProject,
  { targets, live, modified, conditions }: Compared,
): SyncComparison {
  const { app, settings } = input
  const { server = '', name = '' } = app.spec.destination
  const cluster = input.cluster ?? { server, name }
  return {
    revision: input.revision,
    comparedTo: {},
    conditions,
    targets: [...targets.resources, ...targets.hooks].map(({ manifest }) => manifest),
    live,
    facts: input.facts,
    permits: input.project === undefined ? () => undefined : projectPermissions(project, cluster),
    assess: hopeful(settings),
    modified: (key: ResourceKey) => modified.get(formatKey(key)),
    keepIgnored: ignoredKeeper(app, settings),
  }
}

/** Everything turns out healthy, except what its own spec keeps from running. */
function hopeful(settings: Settings): (live: Manifest) => Assessment {
  const options = { overrides: settings.overrides, health: settings.health, clock: () => 0 }
  const byKind = new Map<string, Assessment>()
  const look = (live: Manifest): Assessment => {
    const { status: _status, ...bare } = live
    const { health } = assessHealth(bare as Manifest, options)
    if (health === undefined || health.status === 'Suspended') return { health }
    return { health: { status: 'Healthy' } }
  }
  return (live) => {
    const { spec } = live
    const held =
      isObject(spec) &&
      (spec['paused'] !== undefined ||
        spec['suspend'] !== undefined ||
        spec['suspended'] !== undefined)
    // whether there is health at all is a matter of the kind
    if (held) return look(live)
    const kind = `${live.apiVersion} ${live.kind}`
    const known = byKind.get(kind) ?? look(live)
    byKind.set(kind, known)
    return known
  }
}

function refusalsOf(
  { end, beats }: Forecast,
  refuser: Refuser,
  { facts }: PlanSyncInput,
): readonly Refusal[] {
  // rows, requests and refusals go by the keys of the machine, in which cluster-scoped objects carry a namespace
  const failed = end.resources.filter(({ status }) => status === 'SyncFailed')
  if (failed.length + refuser.doubtful.size === 0) return []
  const objects = new Map<string, Manifest>()
  for (const { request } of beats.flatMap(({ actions }) => actions)) {
    const object = objectOf(request.task)
    objects.set(formatKey(keyOf(object)), object)
  }
  const refused = failed.map((row): Refusal => {
    const name = formatKey(row)
    const message = row.message ?? ''
    const reason = refuser.reasons.get(name) ?? reasonOf(message)
    const hint = hintFor(reason, objects.get(name))
    return {
      reason,
      message,
      key: placed(row, facts),
      apiVersion: apiVersionOf(row.group, row.version),
      certain: true,
      ...(hint === undefined ? {} : { hint }),
    }
  })
  const doubtful = [...refuser.doubtful].flatMap(([name, changes]): readonly Refusal[] => {
    const object = objects.get(name)
    if (object === undefined) return []
    return [
      {
        reason: 'immutable',
        message: changes.map(({ field, message }) => `${field}: ${message}`).join('; '),
        key: placed(keyOf(object), facts),
        apiVersion: object.apiVersion,
        certain: false,
        hint: doubtHint(changes),
      },
    ]
  })
  return [...refused, ...doubtful]
}

function remarksOf(input: PlanSyncInput, sync: SyncOperation): readonly string[] {
  const { app, project, namespaceExists } = input
  const namespace = app.spec.destination.namespace ?? ''
  const owns = input.targets.resources.some(
    ({ key }) => key.kind === 'Namespace' && key.group === '' && key.name === namespace,
  )
  const makes = !owns && (sync.syncOptions ?? []).includes('CreateNamespace=true')
  return [
    ...(project === undefined
      ? [
          `project ${app.spec.project || 'default'} is not known here: nothing of what it forbids is checked`,
        ]
      : []),
    ...(input.cluster === undefined && project !== undefined
      ? ['the destination cluster is not known here']
      : []),
    ...(makes && namespaceExists === undefined
      ? [`whether namespace ${namespace} is there is not known; the plan makes it`]
      : []),
  ]
}

function doubtHint(changes: readonly FrozenChange[]): string {
  return changes.some(({ message }) => message.includes('must support resize'))
    ? 'It passes only where the StorageClass says allowVolumeExpansion: true.'
    : 'It passes only where the cluster holds this value already.'
}
