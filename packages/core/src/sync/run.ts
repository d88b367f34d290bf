import { finalizerHook } from '../argo/index.ts'
import { getPath } from '../json/index.ts'
import { nameOf } from '../kube/index.ts'
import { destinationOf } from './build.ts'
import type { BeatContext, Part } from './context.ts'
import { cleanError, pruneOptionOf } from './messages.ts'
import { deleteRequest, writeRequest } from './requests.ts'
import { createdMessage } from './resume.ts'
import {
  deletesBeforeCreation,
  isCompleted,
  isDeleting,
  isNamespaceKind,
  isPending,
  isPrune,
  objectOf,
  type Task,
  taskKeyOf,
} from './task.ts'
import type { SyncRequest, TaskOutcome } from './types.ts'

export type Verdict = 'successful' | 'pending' | 'failed'

/**
 * Runs tasks together: prunes first, then hooks of earlier syncs go, then targets are written, kind by kind. Failed
 * prunes keep everything else from being written; a failed kind does not keep the next one from it.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go runTasks
 */
export function* runGroup(
  context: BeatContext,
  group: readonly Task[],
  tryOnly: boolean,
): Part<Verdict> {
  const { settings, results } = context
  const dry = tryOnly || settings.dryRun
  const prunes = group.filter(isPrune)
  const writes = group.filter((task) => !isPrune(task) && (dry || !task.made))

  if (!dry) {
    for (const task of group) {
      if (task.made) results.record(task, 'Synced', 'Running', createdMessage(taskKeyOf(task)))
    }
    let failed = false
    yield* releaseHooks(
      context,
      group.filter((task) => task.hook && isPending(task)),
      (task, error) => {
        failed = true
        results.record(task, task.status, 'Error', `failed to remove hook finalizer: ${error}`)
      },
    )
    if (failed) return 'failed'
  }
  if (prunes.some((task) => needsConfirmation(context, task))) return 'pending'
  if (!dry && prunes.some((task) => prunesReally(context, task))) {
    yield* saveIntents(context, prunes)
  }
  if ((yield* pruneAll(context, prunes, dry)) === 'failed') return 'failed'
  if (!dry) {
    const verdict = yield* clearOldHooks(context, writes.filter(deletesBeforeCreation))
    if (verdict !== 'successful') return verdict
    if (writes.some((task) => task.hook || makesDestination(context, task))) {
      yield* saveIntents(context, writes)
    }
  }
  return yield* writeAll(context, writes, dry, tryOnly)
}

/**
 * Lost halfway, hooks would run twice, and prunes and the new namespace would leave no trace; plain targets are simply
 * applied again.
 */
function* saveIntents(context: BeatContext, tasks: readonly Task[]): Part<void> {
  for (const task of tasks) context.results.intend(task)
  yield* saveRows(context)
}

export function* saveRows({ results }: BeatContext, message?: string): Part<void> {
  yield {
    kind: 'save',
    resources: results.listToSave(),
    ...(message === undefined ? {} : { message }),
  }
}

function makesDestination({ world }: BeatContext, task: Task): boolean {
  const { target } = task
  return (
    task.phase === 'PreSync' && isNamespaceKind(target) && nameOf(target) === destinationOf(world)
  )
}

function prunesReally({ settings }: BeatContext, task: Task): boolean {
  return (
    settings.prune &&
    pruneOptionOf(task, settings.defaultPrune) !== 'false' &&
    !isDeleting(task.live)
  )
}

function needsConfirmation({ settings }: BeatContext, task: Task): boolean {
  return !settings.pruneConfirmed && pruneOptionOf(task, settings.defaultPrune) === 'confirm'
}

/** Takes the finalizer off the live objects of hooks. A dry run leaves it there. */
export function* releaseHooks(
  context: BeatContext,
  hooks: readonly Task[],
  onError: (task: Task, error: string) => void,
): Part<void> {
  const held = context.settings.dryRun ? [] : hooks.filter(isHeld)
  if (held.length === 0) return
  // one that only waits for its release is gone after it, and must not count as lost
  if (held.some((task) => isCompleted(task) && isDeleting(task.live))) yield* saveRows(context)
  const outcomes = yield {
    kind: 'release',
    requests: held.map((task) => ({ verb: 'release', task, live: task.live! })),
  }
  held.forEach((task, i) => {
    const outcome = outcomes[i]!
    if ('error' in outcome) onError(task, outcome.error.message)
    else if ('live' in outcome) task.live = outcome.live ?? task.live
  })
}

function isHeld(task: Task): boolean {
  const finalizers =
    task.live === undefined ? undefined : getPath(task.live, 'metadata', 'finalizers')
  return Array.isArray(finalizers) && finalizers.includes(finalizerHook)
}

function* pruneAll(context: BeatContext, prunes: readonly Task[], dry: boolean): Part<Verdict> {
  const { settings, results } = context
  const recorded = !dry || settings.dryRun
  const deletions: Task[] = []
  for (const task of prunes) {
    if (!settings.prune) {
      if (recorded) results.record(task, 'PruneSkipped', 'Succeeded', 'ignored (requires pruning)')
    } else if (pruneOptionOf(task, settings.defaultPrune) === 'false') {
      if (recorded) results.record(task, 'PruneSkipped', 'Succeeded', 'ignored (no prune)')
    } else if (dry) {
      if (recorded) results.record(task, 'Pruned', 'Succeeded', 'pruned (dry run)')
    } else if (isDeleting(task.live)) {
      results.record(task, 'Pruned', 'Succeeded', 'pruned')
    } else {
      deletions.push(task)
    }
  }
  if (deletions.length === 0) return 'successful'
  const outcomes = yield {
    kind: 'prune',
    requests: deletions.map((task) => deleteRequest(task, settings)),
  }
  let verdict: Verdict = 'successful'
  deletions.forEach((task, i) => {
    const outcome = outcomes[i]!
    if ('error' in outcome) {
      verdict = 'failed'
      results.record(task, 'SyncFailed', 'Failed', outcome.error.message)
    } else {
      results.record(task, 'Pruned', 'Succeeded', 'pruned')
    }
  })
  return verdict
}

/** Once deleted, a hook is made in a later beat, when it is really gone; one that is gone already is made at once. */
function* clearOldHooks(context: BeatContext, hooks: readonly Task[]): Part<Verdict> {
  if (hooks.length === 0) return 'successful'
  // what this beat has found out must not be found out anew, in another order, once they are gone
  yield* saveRows(context)
  const outcomes = yield {
    kind: 'delete',
    requests: hooks.map((task) => deleteRequest(task, context.settings)),
  }
  let failed = false
  let pending = false
  hooks.forEach((task, i) => {
    const outcome = outcomes[i]!
    if (!('error' in outcome)) pending = true
    else if (outcome.error.status === 404) task.live = undefined
    else {
      failed = true
      const message = `failed to delete resource: failed to delete resource: ${outcome.error.message}`
      context.results.record(task, task.status, 'Error', message)
    }
  })
  if (failed) return 'failed'
  return pending ? 'pending' : 'successful'
}

function* writeAll(
  context: BeatContext,
  writes: readonly Task[],
  dry: boolean,
  tryOnly: boolean,
): Part<Verdict> {
  const wanted = dry ? writes.filter((task) => !task.skipDryRun) : writes
  let verdict: Verdict = 'successful'
  // a dry run changes nothing, so its kinds need not wait for each other
  for (const batch of dry ? [wanted] : kindBatches(wanted)) {
    const planned = batch.map((task) => writeRequest(task, context.settings, dry))
    const requests = planned.filter(
      (request): request is SyncRequest => typeof request !== 'string',
    )
    const outcomes = requests.length === 0 ? [] : yield { kind: dry ? 'dryRun' : 'apply', requests }
    let next = 0
    batch.forEach((task, i) => {
      const request = planned[i]!
      const outcome = typeof request === 'string' ? refused(request) : outcomes[next++]!
      if (!settleWrite(context, task, request, outcome, tryOnly)) verdict = 'failed'
    })
  }
  return verdict
}

function refused(message: string): TaskOutcome {
  return { error: { message, status: 0, reason: '' } }
}

function settleWrite(
  context: BeatContext,
  task: Task,
  request: SyncRequest | string,
  outcome: TaskOutcome,
  tryOnly: boolean,
): boolean {
  const { results, settings } = context
  if ('error' in outcome) {
    // a plain update does not go through kubectl
    const plain = typeof request !== 'string' && request.verb === 'update'
    const { message } = outcome.error
    results.record(task, 'SyncFailed', 'Failed', plain ? message : cleanError(message))
    return false
  }
  // a dry run that is only the first look leaves no trace
  if (tryOnly && !settings.dryRun) return true
  const phase = settings.dryRun ? 'Succeeded' : 'Running'
  results.record(task, 'Synced', phase, 'message' in outcome ? outcome.message : '')
  return true
}

/** Neighbours of one kind are written together. */
function kindBatches(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const batches: Task[][] = []
  for (const task of tasks) {
    const batch = batches[batches.length - 1]
    if (batch !== undefined && objectOf(batch[0]!).kind === objectOf(task).kind) batch.push(task)
    else batches.push([task])
  }
  return batches
}
