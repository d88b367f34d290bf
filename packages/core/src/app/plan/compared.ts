import type { Instant } from '../../adapters/index.ts'
import {
  type Application,
  type AppProject,
  type Condition,
  instanceNameOf,
  type Settings,
  trackingNameOf,
} from '../../argo/index.ts'
import { compileDiffRules, diffPairs } from '../../diff/index.ts'
import { assessHealth } from '../../health/index.ts'
import { deepEqual, isObject } from '../../json/index.ts'
import { type ClusterFacts, formatKey, type Manifest, type ResourceKey } from '../../kube/index.ts'
import type { TargetSet } from '../../normalize/index.ts'
import type { KnownCluster } from '../../project/index.ts'
import { type Assessment, projectPermissions } from '../../sync/index.ts'
import {
  compareResources,
  type Pair,
  pairResources,
  permittedLive,
  sharedResourceConditions,
} from '../compare.ts'
import { ignoredKeeper } from '../ignored.ts'
import { withManagedNamespace } from '../managed-namespace.ts'
import type { SyncComparison } from '../operate.ts'
import { validateApplication } from '../validate.ts'
import type { RefusalWorld } from './refusals.ts'

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

export interface Compared {
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

export function compare(input: PlanSyncInput, project: AppProject): Compared {
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

export function comparisonOf(
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
