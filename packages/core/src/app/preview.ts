import {
  type Application,
  type Condition,
  finalizerResources,
  isHook,
  type Settings,
  type SourceType,
  syncOptionOf,
} from '../argo/index.ts'
import { type FieldChange, fieldChanges } from '../diff/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import type { ClusterFacts, Manifest } from '../kube/index.ts'
import { normalizeTargets } from '../normalize/index.ts'
import { explainChanges, type RenderedTarget, rulesOf } from './explain.ts'
import { compareTargets, type Explain, type ObjectChange } from './preview-objects.ts'
import { maskKindless, withoutQuotations } from './preview-secrets.ts'
import { kindlessFailure, type RenderFailure, type RenderOutcome } from './render.ts'

/** What one revision of the repository asks of the cluster for one Application. */
export interface PreviewSide {
  readonly app: Application
  readonly outcome: RenderOutcome
}

export interface ApplicationPreview {
  readonly namespace: string
  readonly name: string
  readonly project: string
  readonly destination: Application['spec']['destination']
  readonly change: 'added' | 'removed' | 'changed' | 'unchanged' | 'failed'
  readonly specFields: readonly FieldChange[]
  /** Sorted by wave, then as Argo CD sorts resources. */
  readonly objects: readonly ObjectChange[]
  /** Objects at the head (at the base for a removed Application). */
  readonly objectCount: number
  readonly sourceTypes: readonly (SourceType | '')[]
  readonly conditions: readonly Condition[]
  /** Set when the head cannot be rendered; `objects` is then empty. */
  readonly failure?: RenderFailure
  /** True when the base could not be rendered: `objects` then lacks what there was before. */
  readonly failedBefore?: boolean
}

export interface PreviewOptions {
  readonly settings: Settings
  readonly facts: Pick<ClusterFacts, 'scopeOf'>
  /** Also tell what made each changed field, as far as the sides were rendered with `traceFields`. */
  readonly explain?: boolean
}

/**
 * What a change does to one Application: `base` is undefined when the change adds it, `head` when it removes it.
 *
 * Pure; nothing is said about the live state of a cluster.
 */
export function previewApplication(
  base: PreviewSide | undefined,
  head: PreviewSide | undefined,
  options: PreviewOptions,
): ApplicationPreview {
  const app = (head ?? base)?.app as Application
  const before = base === undefined ? undefined : targetsOf(base, options)
  const after = head === undefined ? undefined : targetsOf(head, options)
  const specFields = base === undefined || head === undefined ? [] : specChanges(base.app, head.app)
  const common = {
    namespace: app.metadata.namespace ?? options.settings.controllerNamespace,
    name: app.metadata.name,
    project: app.spec.project || 'default',
    destination: app.spec.destination,
    specFields,
  }
  const broken = after?.failure
  if (broken !== undefined) {
    return {
      ...common,
      change: 'failed',
      objects: [],
      objectCount: 0,
      sourceTypes: [],
      conditions: [],
      failure: broken,
      failedBefore: before?.failure !== undefined,
    }
  }
  const fateOf =
    head === undefined
      ? () => fateWithApplication(app)
      : (target: RenderedTarget) => fate(target, head.app)
  const rules = options.explain === true ? rulesOf(app, options.settings) : undefined
  const explain: Explain | undefined =
    options.explain === true
      ? (fields, old, target) => explainChanges(fields, old, target, rules, options.settings)
      : undefined
  const objects = compareTargets(before?.targets ?? [], after?.targets ?? [], fateOf, explain)
  const changed = objects.length > 0 || specFields.length > 0 || before?.failure !== undefined
  return {
    ...common,
    change:
      base === undefined
        ? 'added'
        : head === undefined
          ? 'removed'
          : changed
            ? 'changed'
            : 'unchanged',
    objects,
    objectCount: (after ?? before)?.targets.length ?? 0,
    sourceTypes: (after ?? before)?.sourceTypes ?? [],
    conditions: after?.conditions ?? [],
    ...(before?.failure === undefined ? {} : { failedBefore: true }),
  }
}

interface Side {
  readonly targets: readonly RenderedTarget[]
  readonly sourceTypes: readonly (SourceType | '')[]
  readonly conditions: readonly Condition[]
  readonly failure?: RenderFailure
}

function targetsOf(side: PreviewSide, options: PreviewOptions): Side {
  const none = { targets: [], sourceTypes: [], conditions: [] }
  if ('failure' in side.outcome) {
    return { ...none, failure: withoutQuotations(side.outcome.failure) }
  }
  const kindless = kindlessFailure(
    side.outcome.sources.map((source) => ({
      ...source,
      manifests: source.manifests.map((one) => ({
        ...one,
        manifest: maskKindless(one.manifest),
      })),
    })),
  )
  if (kindless !== undefined) return { ...none, failure: kindless }
  const set = normalizeTargets(
    side.outcome.sources
      .flatMap((source) => source.manifests)
      .map((rendered) => ({ manifest: rendered.manifest, origin: rendered })),
    {
      instance: instanceOf(side.app, options.settings),
      namespace: side.app.spec.destination.namespace ?? '',
      server: side.app.spec.destination.server ?? '',
      facts: options.facts,
      settings: options.settings,
    },
  )
  return {
    targets: [...set.resources, ...set.hooks],
    sourceTypes: side.outcome.sources.map((source) => source.sourceType),
    conditions: set.conditions,
  }
}

function instanceOf(app: Application, settings: Settings): string {
  const namespace = app.metadata.namespace ?? ''
  return namespace === '' || namespace === settings.controllerNamespace
    ? app.metadata.name
    : `${namespace}_${app.metadata.name}`
}

/** The targets of one rendered Application, ready to be printed or applied; the failure where there is one. */
export function previewTargets(
  side: PreviewSide,
  options: PreviewOptions,
):
  | { readonly targets: readonly RenderedTarget[]; readonly conditions: readonly Condition[] }
  | { readonly failure: RenderFailure } {
  const { targets, conditions, failure } = targetsOf(side, options)
  return failure === undefined ? { targets, conditions } : { failure }
}

function specChanges(base: Application, head: Application): readonly FieldChange[] {
  const view = (app: Application): Manifest =>
    ({
      apiVersion: app.apiVersion,
      kind: app.kind,
      metadata: pick(app.metadata as unknown as JsonObject, [
        'labels',
        'annotations',
        'finalizers',
      ]),
      spec: app.spec,
    }) as unknown as Manifest
  return fieldChanges(withoutTracking(view(base)), withoutTracking(view(head)))
}

function pick(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) =>
      object[field] === undefined ? [] : [[field, object[field] as Json]],
    ),
  )
}

/** Who renders an Application shows in its tracking; that alone is no change of the Application. */
function withoutTracking(manifest: Manifest): Manifest {
  const metadata = { ...(manifest['metadata'] as JsonObject) }
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field]
    if (!isObject(map)) continue
    const kept = Object.fromEntries(
      Object.entries(map).filter(
        ([key]) => key !== 'argocd.argoproj.io/tracking-id' && key !== 'app.kubernetes.io/instance',
      ),
    )
    if (Object.keys(kept).length === 0) delete metadata[field]
    else metadata[field] = kept
  }
  return { ...manifest, metadata }
}

/** What becomes of the objects of an Application that is deleted. */
function fateWithApplication(app: Application): string {
  const cascades = (app.metadata.finalizers ?? []).some(
    (finalizer) =>
      finalizer === finalizerResources || finalizer.startsWith(`${finalizerResources}/`),
  )
  return cascades
    ? 'deleted together with the Application'
    : 'stays in the cluster: the Application has no resources-finalizer'
}

/** What becomes of a live object whose manifest is gone, by the options that Argo CD reads. */
function fate(target: RenderedTarget, app: Application): string {
  if (isHook(target.manifest)) return 'a hook: a live one stays, hooks are never pruned'
  const own = syncOptionOf(target.manifest, 'Prune')
  const option =
    own ?? (app.spec.syncPolicy?.syncOptions ?? []).find((o) => o.startsWith('Prune='))?.slice(6)
  if (option === 'false') return 'stays in the cluster: Prune=false'
  if (option === 'confirm') return 'pruned only after somebody confirms: Prune=confirm'
  const automated = app.spec.syncPolicy?.automated
  if (automated === undefined || automated.enabled === false) {
    return 'pruned by a sync with prune; automated sync is off'
  }
  return automated.prune === true
    ? 'pruned by the automated sync'
    : 'stays in the cluster until a sync with prune: automated.prune is off'
}
