import type { Instant } from '../../adapters/index.ts'
import {
  type Application,
  type AppProject,
  instanceNameOf,
  isDeleteHook,
  isHook,
  type Settings,
  trackingNameOf,
} from '../../argo/index.ts'
import { type DataLoss, guardData, Inventory } from '../../guard/index.ts'
import {
  type ClusterFacts,
  formatKey,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '../../kube/index.ts'
import type { TargetSet } from '../../normalize/index.ts'
import type { KnownCluster } from '../../project/index.ts'
import { deletePoliciesOf, type SyncRequest } from '../../sync/index.ts'
import { type PreviewSide, previewTargets } from '../preview.ts'
import type { RenderFailure } from '../render.ts'
import { planDeletion } from './deletion.ts'
import { departuresOf, shrinkagesOf } from './departures.ts'
import { planSync } from './sync.ts'
import type { AppPlan } from './types.ts'

export interface PlanOptions {
  readonly settings: Settings
  /** What a cluster serves. With no `apiVersions` nobody was asked, and every kind is taken to be served. */
  readonly facts: ClusterFacts
  readonly project: AppProject | undefined
  /** The destination; undefined where it is not known. */
  readonly cluster: KnownCluster | undefined
  /** What lies in the cluster; undefined plans against what the base would have left there. */
  readonly live: readonly Manifest[] | undefined
  /** What else is known of the cluster, for the guard: manifests of other Applications. */
  readonly known?: readonly Manifest[]
  readonly revision: string
  /** For sync windows; undefined leaves them out. */
  readonly now: Instant | undefined
  /** A sync by hand prunes. */
  readonly prune: boolean
  /** For an Application that goes: whether the change alone deletes it, and how. */
  readonly removal?: { readonly certain: boolean; readonly cause: string }
  /** Without live objects: what another Application of the base has put at a place. */
  readonly inherited?: (key: ResourceKey) => Manifest | undefined
  /** The name of another Application that renders an object after the change. */
  readonly takenOver?: (key: ResourceKey) => string | undefined
  /** Whether the destination namespace is there, where somebody has looked. */
  readonly namespaceExists?: boolean | undefined
  /** What a cluster answered to dry runs of writes. */
  readonly told?: (request: SyncRequest) => string | undefined
}

/**
 * What happens to one Application when a change lands, and which data that destroys: its next sync, or, where the head
 * has it no more, its deletion. `base` is undefined for a new Application. Nothing is asked of any cluster.
 *
 * Throws CompareError where a target and its live object cannot be compared.
 */
export function planApplication(
  base: PreviewSide | undefined,
  head: PreviewSide | undefined,
  options: PlanOptions,
): AppPlan | { readonly failure: RenderFailure } {
  const side = (head ?? base) as PreviewSide
  const now = previewTargets(side, options)
  if ('failure' in now && head !== undefined) return now
  if ('failure' in now && options.live === undefined) return unknownDeletion(side.app, options)
  const targets = 'failure' in now ? noTargets : setOf(now)
  const live = liveOf(base, side.app, targets, options)
  const known = [...(options.live ?? live), ...(options.known ?? [])]
  const plan =
    head === undefined
      ? planDeletion({
          app: side.app,
          live,
          hooks: deletionHooks(side),
          facts: options.facts,
          ...(options.removal ?? deleted),
        })
      : planSync({
          ...options,
          app: side.app,
          targets,
          live,
          refusals: {
            isSnapshot: options.live !== undefined,
            namespaces: namespacesOf(options.live),
            serves: servedBy(options.facts),
            expands: growth(known, options.live !== undefined),
            ...(options.told === undefined ? {} : { told: options.told }),
          },
          namespaceExists: options.namespaceExists ?? namespaceExists(base, side.app, options),
        })
  const guard = guardData({
    departures: departuresOf(plan, live, side.app, options.takenOver),
    shrinkages: head === undefined ? [] : shrinkagesOf(targets, live),
    known,
    isSnapshot: options.live !== undefined,
    tracking: options.settings.tracking,
  })
  return { plan, guard }
}

const noTargets: TargetSet = {
  resources: [],
  hooks: [],
  preDeleteHooks: false,
  postDeleteHooks: false,
  conditions: [],
}

/** An Application goes of which nobody can tell what it has. */
function unknownDeletion(app: Application, { facts, removal = deleted }: PlanOptions): AppPlan {
  const plan = planDeletion({ app, live: [], hooks: [], facts, ...removal })
  if (!plan.cascades) return { plan, guard: { losses: [], kept: [] } }
  const { name, namespace = '' } = app.metadata
  const loss: DataLoss = {
    key: { group: 'argoproj.io', kind: 'Application', namespace, name },
    apiVersion: app.apiVersion,
    verdict: removal.certain ? 'possible' : 'conditional',
    what: `whatever Application ${name} has in the cluster`,
    path: [
      `Application ${name} is deleted with its objects (${removal.cause})`,
      'it cannot be rendered at the base, so that its objects are not known here',
    ],
  }
  return { plan, guard: { losses: [loss], kept: [] } }
}

const deleted = { certain: true, cause: 'it is deleted' }

function setOf(
  rendered: Exclude<ReturnType<typeof previewTargets>, { failure: unknown }>,
): TargetSet {
  const { targets, conditions } = rendered
  return {
    resources: targets.filter(({ manifest }) => !isHook(manifest)),
    hooks: targets.filter(({ manifest }) => isHook(manifest)),
    preDeleteHooks: false,
    postDeleteHooks: false,
    conditions,
  }
}

/** What lies in the cluster for an Application: what it tracks, and what lies where its targets go. */
function liveOf(
  base: PreviewSide | undefined,
  app: Application,
  targets: TargetSet,
  options: PlanOptions,
): readonly Manifest[] {
  const { live, settings } = options
  if (live === undefined) {
    const own = base === undefined ? [] : leftBy(base, options)
    return [...own, ...inheritedBy(targets, own, options)]
  }
  const instance = instanceNameOf(app, settings.controllerNamespace)
  const wanted = new Set(
    [...targets.resources, ...targets.hooks].map(({ manifest }) => formatKey(keyOf(manifest))),
  )
  return live.filter(
    (object) =>
      trackingNameOf(object, settings.tracking) === instance ||
      wanted.has(formatKey(keyOf(object))),
  )
}

/** Objects that move here from another Application are there already. */
function inheritedBy(
  targets: TargetSet,
  own: readonly Manifest[],
  { inherited }: PlanOptions,
): readonly Manifest[] {
  if (inherited === undefined) return []
  const known = new Set(own.map((object) => formatKey(keyOf(object))))
  return targets.resources.flatMap(({ key }) => {
    const object = known.has(formatKey(key)) ? undefined : inherited(key)
    return object === undefined ? [] : [object]
  })
}

/** What the last sync of the base left: its resources, and hooks that no policy has removed. */
function leftBy(base: PreviewSide, options: PlanOptions): readonly Manifest[] {
  const rendered = previewTargets(base, options)
  if ('failure' in rendered) return []
  return rendered.targets
    .map(({ manifest }) => manifest)
    .filter((manifest) => {
      if (!isHook(manifest)) return true
      return nameOf(manifest) !== '' && !deletePoliciesOf(manifest).includes('HookSucceeded')
    })
}

function deletionHooks({ outcome }: PreviewSide): readonly Manifest[] {
  if ('failure' in outcome) return []
  return outcome.sources
    .flatMap(({ manifests }) => manifests.map(({ manifest }) => manifest))
    .filter(
      (manifest) => isDeleteHook(manifest, 'PreDelete') || isDeleteHook(manifest, 'PostDelete'),
    )
}

/** Undefined where the snapshot holds no Namespaces at all. */
function namespacesOf(live: readonly Manifest[] | undefined): ReadonlySet<string> | undefined {
  const names = (live ?? []).filter(
    ({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1',
  )
  return names.length === 0 ? undefined : new Set(names.map(nameOf))
}

function namespaceExists(
  base: PreviewSide | undefined,
  app: Application,
  { live }: PlanOptions,
): boolean | undefined {
  const namespace = app.spec.destination.namespace ?? ''
  if (live === undefined) {
    return base?.app.spec.destination.namespace === app.spec.destination.namespace
      ? true
      : undefined
  }
  const known = namespacesOf(live)
  if (known !== undefined) return known.has(namespace)
  return live.some((object) => namespaceOf(object) === namespace) ? true : undefined
}

/** By the class of the claim, where it is known. */
function growth(
  known: readonly Manifest[],
  isSnapshot: boolean,
): (claim: Manifest) => boolean | undefined {
  let inventory: Inventory | undefined
  return (claim) => {
    inventory ??= new Inventory(known, isSnapshot)
    const storage = inventory.classOf(claim)
    if (storage === 'none') return false
    return storage === undefined ? undefined : storage['allowVolumeExpansion'] === true
  }
}

function servedBy({ apiVersions }: ClusterFacts): (object: Manifest) => boolean | undefined {
  if (apiVersions.length === 0) return () => undefined
  const served = new Set(apiVersions)
  return ({ apiVersion, kind }) => served.has(`${apiVersion}/${kind}`)
}
