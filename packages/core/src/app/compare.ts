import type { Instant } from '../adapters/index.ts'
import {
  type Application,
  type AppProject,
  annotationCompareOptions,
  type Condition,
  csvAnnotation,
  type HealthStatus,
  isDeleteHook,
  isHook,
  isIgnoredHook,
  isSelfReferenced,
  isSkipped,
  type ResourceStatus,
  requiresDeletionConfirmation,
  type Settings,
  type SyncStatusCode,
  trackingNameOf,
  waveOf,
} from '../argo/index.ts'
import { aggregateHealth } from '../health/index.ts'
import { deepEqual, type Json } from '../json/index.ts'
import {
  type ClusterFacts,
  compareKeys,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
  versionOf,
} from '../kube/index.ts'
import { isExcluded, type TargetSet } from '../normalize/index.ts'
import { permitsKind } from '../project/index.ts'

/** A target beside the live object at its place; never both absent. */
export interface Pair {
  readonly key: ResourceKey
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

export interface CompareInput {
  readonly app: Application
  readonly project: AppProject
  readonly settings: Settings
  readonly facts: Pick<ClusterFacts, 'scopeOf'>
  readonly instance: string
  readonly server: string
  readonly targets: TargetSet
  readonly pairs: readonly Pair[]
  /** For each pair whether it differs; undefined when the comparison failed. */
  readonly modified: readonly boolean[] | undefined
  /** Targets or live objects could not be loaded, or not compared. */
  readonly failed: boolean
  /** Leave the health of the Application out: only what is synced and what is not is wanted. */
  readonly withoutHealth?: boolean
  /** For checks of health that ask for the time. */
  readonly now?: Instant
}

export interface Comparison {
  readonly status: SyncStatusCode
  readonly health: HealthStatus['status']
  /** Sorted as Argo CD sorts them. */
  readonly resources: readonly ResourceStatus[]
  readonly conditions: readonly Condition[]
}

/**
 * Joins targets with live objects by key; what is left of the live objects comes last, sorted.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/reconcile.go
 */
export function pairResources(
  targets: TargetSet,
  live: readonly Manifest[],
  options: { readonly namespace: string; readonly facts: Pick<ClusterFacts, 'scopeOf'> },
): readonly Pair[] {
  const byKey = new Map(live.map((manifest) => [formatKey(keyOf(manifest)), manifest]))
  dropSharedUids(byKey, targets)
  const take = (key: ResourceKey): Manifest | undefined => {
    const name = formatKey(key)
    const found = byKey.get(name)
    if (found !== undefined) byKey.delete(name)
    return found
  }
  const pairs: Pair[] = targets.resources.map(({ key, manifest }) => {
    const scope = options.facts.scopeOf(key)
    const placed = { ...key, namespace: key.namespace || options.namespace }
    const inCluster = { ...key, namespace: '' }
    const found =
      scope === 'Cluster'
        ? take(inCluster)
        : (take(placed) ?? (scope === undefined ? take(inCluster) : undefined))
    return { key: found === undefined ? key : keyOf(found), target: manifest, live: found }
  })
  const extra = [...byKey.values()].map(
    (manifest): Pair => ({ key: keyOf(manifest), target: undefined, live: manifest }),
  )
  return [...pairs, ...extra.sort((a, b) => compareKeys(a.key, b.key))]
}

/** One object may be served by two API groups: keep the copy that is a target, or the first. */
function dropSharedUids(byKey: Map<string, Manifest>, targets: TargetSet): void {
  const wanted = new Set(targets.resources.map((target) => formatKey(target.key)))
  const byUid = new Map<string, string[]>()
  for (const [name, manifest] of byKey) {
    const uid = (manifest['metadata'] as { readonly uid?: unknown } | undefined)?.uid
    if (typeof uid === 'string') byUid.set(uid, [...(byUid.get(uid) ?? []), name])
  }
  for (const names of byUid.values()) {
    if (names.length < 2) continue
    const keep = names.filter((name) => wanted.has(name))
    for (const name of names) {
      if (keep.length > 0 ? !keep.includes(name) : name !== names[0]) byKey.delete(name)
    }
  }
}

/**
 * One status per object, and what they add up to.
 *
 * Source: argo-cd v3.5.1 controller/state.go CompareAppState
 */
export function compareResources(input: CompareInput): Comparison {
  const { app, settings } = input
  const conditions: Condition[] = []
  const appOptions = app.spec.syncPolicy?.syncOptions ?? []
  let status: SyncStatusCode = 'Synced'
  const hookWaves = new Map(
    input.targets.hooks.map(({ manifest }) => [hookName(manifest), waveOf(manifest)]),
  )
  const entries = input.pairs.map(
    ({ target, live }, index): { -readonly [K in keyof ResourceStatus]: ResourceStatus[K] } => {
      const object = (live ?? target) as Manifest
      const self = isSelfReferenced(live, target, input.instance, settings.tracking)
      const hook =
        isHook(object) || isDeleteHook(object, 'PreDelete') || isDeleteHook(object, 'PostDelete')
      const wave =
        target !== undefined ? waveOf(target) : hook ? (hookWaves.get(hookName(object)) ?? 0) : 0
      const confirm =
        requiresDeletionConfirmation(target, appOptions) ||
        requiresDeletionConfirmation(live, appOptions)
      const entry: { -readonly [K in keyof ResourceStatus]: ResourceStatus[K] } = describe(object)
      if (hook) entry.hook = true
      if (target === undefined && live !== undefined && self) entry.requiresPruning = true
      if (wave !== 0) entry.syncWave = wave
      if (confirm) entry.requiresDeletionConfirmation = true
      const skipped = target !== undefined && isSkipped(target)
      if (hook || isIgnoredHook(object) || skipped || !self) {
        // counts neither way
      } else if (
        !isManagedNamespaceToCome(input, target, live) &&
        (input.modified?.[index] === true || target === undefined || live === undefined)
      ) {
        entry.status = 'OutOfSync'
        const extraneous =
          target === undefined &&
          live !== undefined &&
          csvAnnotation(live, annotationCompareOptions).includes('IgnoreExtraneous')
        if (!extraneous) status = 'OutOfSync'
      } else entry.status = 'Synced'
      const scope = input.facts.scopeOf({
        group: groupOf(object.apiVersion ?? ''),
        kind: object.kind,
      })
      if (!permitsKind(input.project, keyOf(object), nameOf(object), scope))
        entry.status = 'Unknown'
      if (scope === 'Namespaced' && namespaceOf(object) === '') {
        conditions.push({
          type: 'InvalidSpecError',
          message: `Namespace for ${nameOf(object)} ${describeGvk(object)} is missing.`,
        })
      }
      if (input.failed) entry.status = 'Unknown'
      return entry
    },
  )
  if (input.failed) status = 'Unknown'
  else if (namespaceMetadataChanged(app)) status = 'OutOfSync'

  const verdict = aggregateHealth(input.withoutHealth === true ? [] : input.pairs, {
    overrides: settings.overrides,
    health: settings.health,
    clock: () => input.now ?? 0,
    self: {
      namespace: app.metadata.namespace ?? settings.controllerNamespace,
      name: app.metadata.name,
    },
  })
  if (verdict.error !== undefined) {
    conditions.push({
      type: 'ComparisonError',
      message: `error setting app health: ${verdict.error}`,
    })
  }
  return {
    status,
    health: verdict.status,
    resources: entries.sort((a, b) => compareKeys(statusKey(a), statusKey(b))),
    conditions,
  }
}

/** Warnings about objects that another Application tracks too. */
export function sharedResourceConditions(
  app: Application,
  pairs: readonly Pair[],
  instance: string,
  settings: Settings,
): readonly Condition[] {
  const namespace = app.metadata.namespace ?? settings.controllerNamespace
  return pairs.flatMap(({ target, live }): readonly Condition[] => {
    if (target === undefined || live === undefined || settings.tracking.method === 'label')
      return []
    const owner = trackingNameOf(live, settings.tracking)
    if (owner === undefined || owner === instance) return []
    return [
      {
        type: 'SharedResourceWarning',
        message: `${live.kind}/${nameOf(live)} is part of applications ${namespace}/${app.metadata.name} and ${owner.replaceAll('_', '/')}`,
      },
    ]
  })
}

/** Live objects that take part: not excluded by settings, and of a kind that the project permits. */
export function permittedLive(
  live: readonly Manifest[],
  input: Pick<CompareInput, 'project' | 'settings' | 'facts' | 'server'>,
): readonly Manifest[] {
  return live.filter((manifest) => {
    const key = keyOf(manifest)
    if (isExcluded(key, input.server, input.settings)) return false
    const scope = namespaceOf(manifest) === '' ? 'Cluster' : 'Namespaced'
    return permitsKind(input.project, key, key.name, scope)
  })
}

function describe(object: Manifest): ResourceStatus {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : ''
  const entry: { -readonly [K in keyof ResourceStatus]: ResourceStatus[K] } = { kind: object.kind }
  const put = (field: 'group' | 'version' | 'namespace' | 'name', value: string): void => {
    if (value !== '') entry[field] = value
  }
  put('group', groupOf(apiVersion))
  put('version', versionOf(apiVersion))
  put('namespace', namespaceOf(object))
  put('name', nameOf(object))
  return entry
}

function statusKey(entry: ResourceStatus): ResourceKey {
  return {
    group: entry.group ?? '',
    kind: entry.kind,
    namespace: entry.namespace ?? '',
    name: entry.name ?? '',
  }
}

function hookName(manifest: Manifest): string {
  return `${manifest.kind}/${namespaceOf(manifest)}/${nameOf(manifest)}`
}

function describeGvk(manifest: Manifest): string {
  const apiVersion = typeof manifest.apiVersion === 'string' ? manifest.apiVersion : ''
  return `${groupOf(apiVersion)}/${versionOf(apiVersion)}, Kind=${manifest.kind}`
}

/** The destination namespace itself, which a sync will make: that it is missing is no difference. */
function isManagedNamespaceToCome(
  input: CompareInput,
  target: Manifest | undefined,
  live: Manifest | undefined,
): boolean {
  return (
    live === undefined &&
    target !== undefined &&
    input.app.spec.syncPolicy?.managedNamespaceMetadata !== undefined &&
    target.kind === 'Namespace' &&
    groupOf(target.apiVersion ?? '') === '' &&
    nameOf(target) === input.app.spec.destination.namespace
  )
}

function namespaceMetadataChanged(app: Application): boolean {
  const result = app.status?.operationState?.syncResult
  if (result === undefined) return false
  const wanted = app.spec.syncPolicy?.managedNamespaceMetadata
  const used = result.managedNamespaceMetadata
  return !deepEqual((wanted ?? null) as Json, (used ?? null) as Json)
}
