import {
  annotationSyncOptions,
  annotationSyncWave,
  finalizerHook,
  hasSyncOption,
  hookTypesOf,
  isDeleteHook,
  isHook,
  isSelfReferenced,
  isSkipped,
  type OperationState,
  type SyncOperationResource,
  type SyncPhase,
} from '../argo/index.ts'
import { getPath, type JsonObject, setPath } from '../json/index.ts'
import {
  apiVersionOf,
  formatKey,
  type GroupKind,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '../kube/index.ts'
import type { SyncSettings } from './options.ts'
import { reversePruneWaves, sortTasks } from './order.ts'
import { pairTargets, type SyncPair } from './pair.ts'
import { isIntent, isToBeMade, type Results } from './results.ts'
import {
  definedKindOf,
  isNamespaceKind,
  makeTask,
  objectOf,
  phaseOrder,
  type Task,
} from './task.ts'
import { parseTime } from './time.ts'
import type { SyncWorld } from './types.ts'

/** The destination namespace as the API server has it; an error text where it could not be read. */
export type NamespaceAnswer = { readonly live: Manifest | undefined } | { readonly error: string }

export interface TaskList {
  /** In the order in which they run. */
  readonly tasks: readonly Task[]
  /** False: something is not permitted or not known, its row says so, and nothing may run. */
  readonly valid: boolean
}

/**
 * The pairs of the world with the shared answers that tasks are made from; made once for a beat.
 */
export interface Prepared {
  readonly pairs: readonly SyncPair[]
  readonly hooks: readonly Manifest[]
  /** The destination namespace is wanted and no target makes it. */
  readonly wantsNamespace: boolean
}

export function prepare(settings: SyncSettings, world: SyncWorld): Prepared {
  const namespace = destinationOf(world)
  const { pairs, hooks } = pairTargets(world.targets, world.live, namespace, world.facts)
  const made = pairs.some(({ target }) => isNamespaceKind(target) && nameOf(target) === namespace)
  return { pairs, hooks, wantsNamespace: settings.createNamespace && namespace !== '' && !made }
}

export function destinationOf(world: SyncWorld): string {
  return world.app.spec.destination.namespace ?? ''
}

/**
 * All tasks of the operation as they look in this world: what is to be applied, pruned and run as hooks, each with its
 * live object and with what earlier beats recorded.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go getSyncTasks
 */
export function buildTasks(
  state: OperationState,
  world: SyncWorld,
  settings: SyncSettings,
  prepared: Prepared,
  namespace: NamespaceAnswer | undefined,
  results: Results,
): TaskList {
  const tasks = [
    ...resourceTasks(state, world, prepared.pairs),
    ...finishedPrunes(prepared.pairs, results),
    ...(settings.skipHooks ? [] : hookTasks(state, world, prepared.hooks)),
  ].map((task) => placed(task, destinationOf(world)))
  if (namespace !== undefined) tasks.push(...namespaceTasks(world, namespace, results))
  findLive(tasks, prepared.pairs)
  const valid = checkTasks(tasks, world, settings, prepared, results)
  reversePruneWaves(tasks, settings.pruneLast)
  const sorted = sortTasks(tasks)
  for (const task of sorted) {
    const row = results.of(task)
    if (row === undefined) continue
    task.intended = isIntent(row)
    task.toBeMade = isToBeMade(row)
    if (task.intended) continue
    task.status = row.status
    task.operationPhase = row.hookPhase
    task.message = row.message ?? ''
  }
  return { tasks: sorted, valid }
}

function resourceTasks(
  state: OperationState,
  world: SyncWorld,
  pairs: readonly SyncPair[],
): readonly Task[] {
  const chosen = state.operation.sync?.resources ?? []
  return pairs.flatMap(({ target, live }) => {
    const object = (target ?? live) as Manifest
    // hooks are made from their manifests; a live one that left the repository is nobody's business
    if (isHook(object) || isSkipped(object)) return []
    const key = keyOf((live ?? target) as Manifest)
    if (chosen.length > 0 && !isChosen(key, target, chosen)) return []
    if (!isSelfReferenced(live, target, world.instance, world.tracking)) return []
    return [makeTask('Sync', target, live)]
  })
}

/**
 * Prunes that a lost beat did: their objects are gone, but their waves count as they did then, so that the rest of the
 * group stays together.
 */
function finishedPrunes(pairs: readonly SyncPair[], results: Results): readonly Task[] {
  const intents = results.pruneIntents()
  if (intents.length === 0) return []
  const there = new Set(
    pairs.map(({ target, live }) => formatKey(keyOf((live ?? target) as Manifest))),
  )
  return intents.flatMap(({ row, wave, last }) => {
    if (there.has(formatKey(row))) return []
    const gone: Manifest = {
      apiVersion: apiVersionOf(row.group, row.version),
      kind: row.kind,
      metadata: {
        name: row.name,
        ...(row.namespace === '' ? {} : { namespace: row.namespace }),
        annotations: {
          [annotationSyncWave]: String(wave),
          ...(last ? { [annotationSyncOptions]: 'PruneLast=true' } : {}),
        },
      },
    }
    const task = makeTask('Sync', undefined, gone)
    return [{ ...task, status: 'Pruned', operationPhase: 'Succeeded', message: 'pruned' } as const]
  })
}

function isChosen(
  key: ResourceKey,
  target: Manifest | undefined,
  chosen: readonly SyncOperationResource[],
): boolean {
  if (
    target !== undefined &&
    (isDeleteHook(target, 'PreDelete') || isDeleteHook(target, 'PostDelete'))
  ) {
    return true
  }
  return chosen.some(
    (item) =>
      item.name === key.name &&
      item.kind === key.kind &&
      (item.group ?? '') === key.group &&
      ((item.namespace ?? '') === '' || item.namespace === key.namespace),
  )
}

function hookTasks(
  state: OperationState,
  world: SyncWorld,
  hooks: readonly Manifest[],
): readonly Task[] {
  return hooks.flatMap((hook) => {
    const types: readonly string[] = hookTypesOf(hook)
    return phaseOrder
      .filter((phase) => types.includes(phase))
      .map((phase) => makeTask(phase, withFinalizer(named(hook, phase, state, world)), undefined))
  })
}

/**
 * Hooks may leave their name to Argo CD: it is made of the revision, the phase and the start of the operation, so that
 * every beat and every retry of one operation means the same object.
 */
function named(
  hook: Manifest,
  phase: SyncPhase,
  state: OperationState,
  world: SyncWorld,
): Manifest {
  if (nameOf(hook) !== '') return hook
  const prefix = getPath(hook, 'metadata', 'generateName')
  const revision = world.revision.length >= 8 ? world.revision.slice(0, 7) : world.revision
  const started = Math.floor((parseTime(state.startedAt) ?? 0) / 1_000)
  const suffix = `${revision}-${phase}-${started}`.toLowerCase()
  return setPath(hook, ['metadata', 'name'], (typeof prefix === 'string' ? prefix : '') + suffix)
}

function withFinalizer(hook: Manifest): Manifest {
  const present = getPath(hook, 'metadata', 'finalizers')
  const finalizers = Array.isArray(present) ? present : []
  if (finalizers.includes(finalizerHook)) return hook
  return setPath(hook, ['metadata', 'finalizers'], [...finalizers, finalizerHook])
}

/** Parity: cluster-scoped targets get the namespace too, and so do their rows (order-of-kinds). */
function placed(task: Task, namespace: string): Task {
  const { target } = task
  if (target === undefined || namespace === '' || namespaceOf(target) !== '') return task
  return { ...task, target: setPath(target, ['metadata', 'namespace'], namespace) }
}

/**
 * The task that makes the destination namespace, or keeps its metadata. It carries no tracking: the namespace does not
 * belong to the Application.
 */
function namespaceTasks(
  world: SyncWorld,
  answer: NamespaceAnswer,
  results: Results,
): readonly Task[] {
  const metadata = world.app.spec.syncPolicy?.managedNamespaceMetadata
  const bare = bareNamespace(destinationOf(world))
  if ('error' in answer) {
    const task = makeTask('PreSync', bare, undefined)
    results.record(task, 'SyncFailed', 'Error', `namespace auto creation failed: ${answer.error}`)
    return [task]
  }
  if (metadata === undefined || metadata === null) {
    return answer.live === undefined ? [makeTask('PreSync', bare, undefined)] : []
  }
  const labels: JsonObject = { ...metadata.labels }
  // server-side apply leaves the labels and annotations of others alone
  const annotations: JsonObject = {
    ...metadata.annotations,
    'argocd.argoproj.io/sync-options': 'ServerSideApply=true',
  }
  const target = {
    ...bare,
    metadata: {
      name: destinationOf(world),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations,
    },
  }
  return [makeTask('PreSync', target, answer.live)]
}

export function bareNamespace(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** Hooks, and targets whose object lies under a key of its own, find their live object among the pairs. */
function findLive(tasks: readonly Task[], pairs: readonly SyncPair[]): void {
  const byName = new Map<string, Manifest[]>()
  for (const { live } of pairs) {
    if (live === undefined) continue
    const name = identityOf(live)
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [live])
    else known.push(live)
  }
  for (const task of tasks) {
    if (task.target === undefined || task.live !== undefined) continue
    const namespace = namespaceOf(task.target)
    const candidates = byName.get(identityOf(task.target)) ?? []
    task.live =
      candidates.find((live) => namespaceOf(live) === namespace) ??
      candidates.find((live) => namespaceOf(live) === '')
  }
}

function identityOf(object: Manifest): string {
  return `${groupOf(object.apiVersion)}/${object.kind}/${nameOf(object)}`
}

/** Asks the cluster's facts and the project about every task; records what may not be. */
function checkTasks(
  tasks: readonly Task[],
  world: SyncWorld,
  settings: SyncSettings,
  prepared: Prepared,
  results: Results,
): boolean {
  const served = new Set(world.facts.apiVersions)
  const defined = new Set(
    [...prepared.hooks, ...prepared.pairs.map((pair) => pair.target)].flatMap(
      (target) => (target === undefined ? undefined : definedKindOf(target)) ?? [],
    ),
  )
  let valid = true
  for (const task of tasks) {
    const object = objectOf(task)
    const kind: GroupKind = { group: groupOf(object.apiVersion), kind: object.kind }
    const missing = missingKind(object, served)
    let refusal: string | undefined
    if (missing === undefined) {
      refusal = world.permits(object, world.facts.scopeOf(kind) ?? 'Namespaced')
    } else if (
      settings.skipDryRunOnMissingResource ||
      hasSyncOption(task.target, 'SkipDryRunOnMissingResource=true') ||
      defined.has(`${kind.group}/${kind.kind}`)
    ) {
      task.skipDryRun = true
    } else {
      refusal = missing
    }
    if (refusal === undefined) continue
    results.record(task, 'SyncFailed', undefined, refusal)
    valid = false
  }
  return valid
}

/**
 * What discovery says of a kind that is not served, in apimachinery's words. A cluster that tells nothing at all is one
 * that nobody asked; everything is then taken to be there.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/utils/kube/kube.go ServerResourceForGroupVersionKind
 */
function missingKind(object: Manifest, served: ReadonlySet<string>): string | undefined {
  if (served.size === 0 || served.has(`${object.apiVersion}/${object.kind}`)) return undefined
  if (!served.has(object.apiVersion)) {
    return (
      `failed to discover server resources for group version ${object.apiVersion}: ` +
      'the server could not find the requested resource'
    )
  }
  const group = groupOf(object.apiVersion)
  return `${object.kind}${group === '' ? '' : `.${group}`} "" not found`
}
