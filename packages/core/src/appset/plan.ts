import {
  type Application,
  type ApplicationSpec,
  annotationRollbackState,
  type IgnoreDifference,
  type Operation,
} from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import {
  compareStrings,
  createMergePatch,
  deepEqual,
  type Json,
  type JsonObject,
} from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  applyIgnoreRules,
  compileIgnoreRules,
  compileJqDeletion,
  type IgnoreRules,
} from '../normalize/index.ts'
import { type KnownCluster, resolveDestination } from '../project/index.ts'
import { encodeSpec, unlessNone } from './encode.ts'
import { appsetError } from './fail.ts'
import { isSameOwner, ownerReferenceTo } from './owner.ts'
import type { ApplicationSet } from './types.ts'

/** What a set may do to Applications besides creating them. */
export interface SetPolicy {
  readonly update: boolean
  readonly delete: boolean
}

/**
 * The policy of a set: its own `applicationsSync` where that may override the controller's. One that is not known allows
 * creation only.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/policy.go
 */
export function policyOf(
  set: ApplicationSet,
  controllerPolicy: string,
  override: boolean,
): SetPolicy {
  const own = set.spec.syncPolicy?.applicationsSync
  const policy = override && own !== undefined ? own : controllerPolicy
  return {
    update: policy === 'sync' || policy === 'create-update',
    delete: policy === 'sync' || policy === 'create-delete',
  }
}

/**
 * What is wrong with generated Applications, by name. Those are neither created nor updated, and not deleted either.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go validateGeneratedApplications
 */
export function validateGenerated(
  set: ApplicationSet,
  applications: Iterable<Application>,
  projectExists: (name: string) => boolean,
  clusters: readonly KnownCluster[],
): ReadonlyMap<string, string> {
  const problems = new Map<string, string>()
  const seen = new Set<string>()
  for (const { metadata, spec } of applications) {
    const { name } = metadata
    if (seen.has(name)) {
      problems.set(
        name,
        `ApplicationSet ${set.metadata.name} contains applications with duplicate name: ${name}`,
      )
      continue
    }
    seen.add(name)
    const project = spec.project ?? ''
    if (!projectExists(project)) {
      problems.set(name, `application references project ${project} which does not exist`)
      continue
    }
    const resolved = resolveDestination(spec.destination ?? {}, clusters)
    if ('error' in resolved) {
      problems.set(name, `application destination spec is invalid: ${resolved.error}`)
    }
  }
  return problems
}

/** The one message of several problems: the last by name, and how many more there are. */
export function summaryOf(problems: ReadonlyMap<string, string>): string | undefined {
  const last = [...problems.keys()].sort(compareStrings).at(-1)
  if (last === undefined) return undefined
  const more = problems.size > 1 ? ` (and ${problems.size - 1} more)` : ''
  return `${problems.get(last)}${more}`
}

export interface PlannerOptions {
  /** Keys that are kept as they are on existing Applications, besides those of the set. */
  readonly preservedAnnotations: readonly string[]
  readonly preservedLabels: readonly string[]
  /** The spec as the application controller writes it back. */
  readonly normalizeSpec: (app: Application) => ApplicationSpec
}

export type Write = { readonly create: Manifest } | { readonly patch: JsonObject }

const alwaysKept = [
  'notified.notifications.argoproj.io',
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
  annotationRollbackState, // ours: without it a bad revision would be synced again
]
const keptFinalizers = [
  'pre-delete-finalizer.argocd.argoproj.io',
  'post-delete-finalizer.argocd.argoproj.io',
]

/**
 * Decides the write of one generated Application after the other.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/createOrUpdate.go, controllers/applicationset_controller.go
 * createOrUpdateInCluster
 */
export class Planner {
  private readonly set: ApplicationSet
  private readonly options: PlannerOptions
  private rules: IgnoreRules | undefined

  constructor(set: ApplicationSet, options: PlannerOptions) {
    this.set = set
    this.options = options
  }

  /**
   * What is to be written, a sync that is to be started included; undefined when the live Application is as wanted.
   * Throws APPSET_FAILED where another controller owns it, or a path expression of ignoreApplicationDifferences does not
   * compile.
   */
  decide(
    generated: Application,
    live: Application | undefined,
    operation?: Operation,
  ): Write | undefined {
    const desired = this.desired(generated, live)
    const sync = operation === undefined ? {} : { operation: operation as unknown as Json }
    if (live === undefined) return { create: { ...desired, ...sync } }
    const before = this.normalized(live)
    const patch = createMergePatch(...this.withoutIgnored(before, desired))
    return patch === undefined && operation === undefined
      ? undefined
      : { patch: { ...patch, ...sync } }
  }

  /**
   * Whether the spec of a live Application is to be changed; metadata does not count. Throws as `decide` does for path
   * expressions.
   *
   * Source: argo-cd v3.5.1 applicationset/utils/createOrUpdate.go SpecsEquivalent
   */
  specDiffers(generated: Application, live: Application): boolean {
    const spec = this.options.normalizeSpec({ ...generated, spec: encodeSpec(generated.spec) })
    const desired = manifestOf({ ...generated, spec }, generated.metadata)
    const [before, after] = this.withoutIgnored(this.normalized(live), desired)
    return !deepEqual(before['spec'], after['spec'])
  }

  private desired(generated: Application, live: Application | undefined): Manifest {
    const { metadata } = generated
    const { preservedFields } = this.set.spec
    const annotations = keep(metadata.annotations, live?.metadata.annotations, [
      ...(preservedFields?.annotations ?? []),
      ...this.options.preservedAnnotations,
      ...alwaysKept,
    ])
    const labels = keep(metadata.labels, live?.metadata.labels, [
      ...(preservedFields?.labels ?? []),
      ...this.options.preservedLabels,
    ])
    const finalizers = [
      ...(metadata.finalizers ?? []),
      ...keptFinalizers.flatMap((prefix) =>
        (live?.metadata.finalizers ?? []).filter((one) => one.startsWith(prefix)),
      ),
    ]
    const spec = encodeSpec(generated.spec)
    return manifestOf(
      { ...generated, spec: this.options.normalizeSpec({ ...generated, spec }) },
      { annotations, labels, finalizers, ownerReferences: this.owners(generated, live) },
    )
  }

  private normalized(live: Application): Manifest {
    const spec = this.options.normalizeSpec({ ...live, spec: encodeSpec(live.spec) })
    return manifestOf({ ...live, spec }, live.metadata)
  }

  private owners(generated: Application, live: Application | undefined): readonly JsonObject[] {
    const own = ownerReferenceTo(this.set)
    const before = live?.metadata.ownerReferences ?? []
    const other = before.find((one) => one['controller'] === true && !isSameOwner(one, own))
    if (other !== undefined) {
      const { name, namespace = '' } = generated.metadata
      throw appsetError(
        `error while wrapping using MutateFn: Object ${namespace}/${name} is already owned by another ${other['kind']} controller ${other['name']}`,
      )
    }
    return before.some((one) => isSameOwner(one, own))
      ? before.map((one) => (isSameOwner(one, own) ? own : one))
      : [...before, own]
  }

  private withoutIgnored(before: Manifest, after: Manifest): [Manifest, Manifest] {
    const ignore = this.set.spec.ignoreApplicationDifferences ?? []
    if (ignore.length === 0) return [before, after]
    this.rules ??= compileRules(ignore)
    return [withoutIgnored(before, this.rules), withoutIgnored(after, this.rules)]
  }
}

function compileRules(
  ignore: NonNullable<ApplicationSet['spec']['ignoreApplicationDifferences']>,
): IgnoreRules {
  const entries = ignore.map(
    (entry): IgnoreDifference => ({ ...entry, group: 'argoproj.io', kind: 'Application' }),
  )
  try {
    return compileIgnoreRules(entries, {}, compileJqDeletion)
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'JQ_INVALID') throw error
    throw appsetError(
      `failed to apply ignore differences: failed to normalize application spec: ${error.message}`,
      error,
    )
  }
}

/** Rules cannot change what an Application is called. */
function withoutIgnored(manifest: Manifest, rules: IgnoreRules): Manifest {
  const left = applyIgnoreRules(manifest, rules).manifest ?? {}
  const metadata = manifest['metadata'] as JsonObject
  return {
    spec: {},
    ...left,
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    metadata: {
      ...(((left as JsonObject)['metadata'] as JsonObject | undefined) ?? {}),
      name: metadata['name'] as Json,
      namespace: metadata['namespace'] as Json,
    },
  }
}

function manifestOf(
  { metadata, spec }: Application,
  {
    labels,
    annotations,
    finalizers,
    ownerReferences,
  }: Pick<Application['metadata'], 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'>,
): Manifest {
  const parts = { labels, annotations, finalizers, ownerReferences }
  const filled = Object.entries(parts).filter(([, value]) => unlessNone(value) !== undefined)
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      ...(Object.fromEntries(filled) as unknown as JsonObject),
    },
    spec: spec as unknown as Json,
  }
}

function keep(
  wanted: { readonly [key: string]: string } | undefined,
  live: { readonly [key: string]: string } | undefined,
  keys: readonly string[],
): { readonly [key: string]: string } {
  const kept = keys.filter((key) => live !== undefined && Object.hasOwn(live, key))
  return { ...wanted, ...Object.fromEntries(kept.map((key) => [key, live?.[key] ?? ''])) }
}

/** Applications of a set that it does not generate any more. */
export function surplusOf(
  current: Iterable<Application>,
  generated: Iterable<Application>,
): readonly Application[] {
  const wanted = new Set(Array.from(generated, ({ metadata }) => metadata.name))
  return [...current]
    .filter(({ metadata }) => !wanted.has(metadata.name))
    .sort((a, b) => compareStrings(a.metadata.name, b.metadata.name))
}

/**
 * The finalizers that an Application has to be left with before it is deleted, because its cluster is not known and
 * nobody could delete its resources; undefined when they stay.
 */
export function finalizersWithoutCluster(
  app: Application,
  clusters: readonly KnownCluster[],
): readonly string[] | undefined {
  const { finalizers = [] } = app.metadata
  const left = finalizers.filter((one) => one !== 'resources-finalizer.argocd.argoproj.io')
  if (left.length === finalizers.length) return undefined
  return 'error' in resolveDestination(app.spec.destination, clusters) ? left : undefined
}
