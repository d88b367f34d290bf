import type { OperationState } from '../argo/index.ts'
import { nameOf } from '../kube/index.ts'
import { bareNamespace, buildTasks, destinationOf, type NamespaceAnswer, prepare } from './build.ts'
import { type BeatContext, finish, type Part, rowsOf, wait } from './context.ts'
import { failureMessage, invalidMessage } from './messages.ts'
import { observe } from './observe.ts'
import { syncSettingsOf } from './options.ts'
import { deleteRequest, readRequest } from './requests.ts'
import { Results } from './results.ts'
import { resumeLostBeat } from './resume.ts'
import { releaseHooks, runGroup, saveRows } from './run.ts'
import {
  comparedKeyOf,
  deletesBeforeCreation,
  deletesOn,
  isCompleted,
  isDeleting,
  isNamespaceKind,
  isPending,
  isPrune,
  isRunning,
  makeTask,
  sameStep,
  type Task,
  taskKeyOf,
} from './task.ts'
import type { Beat, BeatEnd, SyncWorld } from './types.ts'

/**
 * One call of Argo CD's: looks at the world, runs at most one wave, says what it waits for. All of its memory is
 * `syncResult.resources`, `startedAt` and the operation itself. `built` is shown the tasks before anything is run.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go Sync, and the recorded sync cases
 */
export function* syncBeat(
  state: OperationState,
  world: SyncWorld,
  built: (context: BeatContext, all: readonly Task[]) => void = () => undefined,
): Beat {
  const settings = syncSettingsOf(world.app, state)
  const results = new Results(state.syncResult?.resources ?? [])
  const context: BeatContext = { world, settings, results }
  const prepared = prepare(settings, world)
  const namespace = prepared.wantsNamespace ? yield* readNamespace(world) : undefined
  const { tasks: all, valid } = buildTasks(state, world, settings, prepared, namespace, results)
  if (!valid) return finish(context, 'Failed', invalidMessage(results.list()))
  built(context, all)

  const { started } = results
  yield* resumeLostBeat(context, all)
  if (!started) {
    const failure = yield* firstLook(context, all)
    if (failure !== undefined) return failure
  }

  return yield* goOn(context, all, state.message ?? '')
}

/**
 * What a beat does once the first look lies behind: sees what became of what runs, then waits or goes on. `lost` is the
 * operation's message.
 */
export function* goOn(context: BeatContext, all: readonly Task[], lost: string): Beat {
  // a lost beat had run everything and was about to say so; what became of it since does not count
  if (lost === allRun) return yield* nextGroup(context, all, allRun)
  refreshRunning(context, all)
  const first = all[0]
  const last = all[all.length - 1]
  const severalSteps = first !== undefined && last !== undefined && !sameStep(first, last)
  const running = all.filter((task) => isRunning(task) && (severalSteps || task.hook))
  if (running.length > 0) {
    yield* findLost(context, running)
    return wait(context, running)
  }
  const going = all.filter((task) => task.status === 'Pruned' && isDeleting(task.live))
  if (going.length > 0) return wait(context, going, true)

  yield* releaseHooks(
    context,
    all.filter((task) => task.hook && isCompleted(task)),
    (task, error) =>
      context.results.record(
        task,
        task.status,
        'Error',
        `Failed to remove hook finalizer: ${error}`,
      ),
  )
  return yield* nextGroup(context, all, lost)
}

const allRun = 'successfully synced (all tasks run)'
const notApplied = 'one or more objects failed to apply'

/**
 * From here on nothing is running: fail, finish, or run the next phase and wave. `lost` is the operation's message, which
 * tells how a beat was going to end that was lost while it deleted hooks.
 */
function* nextGroup(context: BeatContext, all: readonly Task[], lost: string): Beat {
  // what a lost beat has made is not left from earlier
  const settled = (task: Task): boolean => !isRunning(task) && !task.made
  const condemned = all.filter((task) => settled(task) && deletesOn(task, 'HookFailed'))
  const finished = all.filter((task) => settled(task) && deletesOn(task, 'HookSucceeded'))
  const failHooks = all.filter((task) => task.phase === 'SyncFail')
  const tasks = all.filter((task) => task.phase !== 'SyncFail')

  if (tasks.some((task) => isCompleted(task) && task.operationPhase !== 'Succeeded')) {
    const failed = tasks.filter((task) => task.status === 'SyncFailed')
    const message = lost.startsWith(notApplied)
      ? notApplied
      : 'one or more synchronization tasks completed unsuccessfully'
    // a lost beat that was about to run a hook was past this
    const before = condemned.filter((task) => !task.intended)
    yield* deleteHooks(context, before)
    return yield* failPhase(context, failHooks, failed, message)
  }

  const pending = onlyOutOfSync(context, tasks.filter(isPending))
  const first = pending[0]
  // the prunes of a lost beat; where they were its whole group, the beat ends as it would have ended
  const [pruned, ...more] = all.filter((task) => task.intended && task.status === 'Pruned')
  if (first === undefined) {
    const message =
      lost === allRun || pruned !== undefined ? allRun : 'successfully synced (no more tasks)'
    yield* deleteHooks(context, finished, message)
    return finish(context, 'Succeeded', message)
  }
  if (pruned !== undefined && !sameStep(pruned, first)) {
    return { ...wait(context, [pruned, ...more]), pauseMs: context.world.waveDelayMs }
  }
  const group = pending.filter((task) => sameStep(task, first))
  const isLast = group.length === pending.length
  const verdict = yield* runGroup(context, group, false)
  // the pause gives other controllers a chance to see what was applied before its health is judged
  const pauseMs =
    verdict === 'failed' || sameStep(first, pending[pending.length - 1]!)
      ? 0
      : context.world.waveDelayMs

  if (verdict === 'failed') {
    const failed = group.filter((task) => task.status === 'SyncFailed')
    const running = group.filter(isRunning)
    if (running.length === 0) {
      const end = yield* failPhase(context, failHooks, failed, notApplied)
      if (end.phase !== 'Running') yield* deleteHooks(context, condemned, end.message)
      return { ...end, resources: rowsOf(context) }
    }
    if (failHooks.length === 0) return wait(context, running)
    const end = yield* failPhase(context, failHooks, failed, notApplied)
    return wait(context, end.phase === 'Running' ? [...running, ...failHooks] : running)
  }
  if (verdict === 'pending') {
    const waiting = group.filter(
      (task) => deletesBeforeCreation(task) || (isPrune(task) && isPending(task)),
    )
    return { ...wait(context, waiting, true), pauseMs }
  }
  // what is applied last counts as done at once, whatever becomes of its health; a hook does not. A dry run that had to
  // leave tasks out would otherwise never end.
  const nothingLeft = context.settings.dryRun || (isLast && !group.some((task) => task.hook))
  if (nothingLeft) {
    yield* deleteHooks(context, finished, allRun)
    return finish(context, 'Succeeded', allRun)
  }
  return { ...wait(context, group), pauseMs }
}

function* readNamespace(world: SyncWorld): Part<NamespaceAnswer> {
  const task = makeTask('PreSync', bareNamespace(destinationOf(world)), undefined)
  const [outcome] = yield { kind: 'read', requests: [readRequest(task)] }
  if (outcome !== undefined && 'error' in outcome) return { error: outcome.error.message }
  return {
    live: outcome !== undefined && 'live' in outcome ? (outcome.live ?? undefined) : undefined,
  }
}

/**
 * Before anything is recorded: the destination namespace is made where it is missing, since nothing in it could be
 * checked otherwise, and everything else is tried as a dry run.
 */
function* firstLook(context: BeatContext, all: readonly Task[]): Part<BeatEnd | undefined> {
  const name = destinationOf(context.world)
  const creation = all.find(
    ({ target, live }) => live === undefined && isNamespaceKind(target) && nameOf(target) === name,
  )
  if (creation !== undefined && isPending(creation)) {
    const verdict = yield* runGroup(context, [creation], false)
    if (verdict === 'failed') {
      const message = failureMessage('the namespace failed to apply', [creation])
      return finish(context, 'Failed', message)
    }
  }
  const tried = onlyOutOfSync(
    context,
    all.filter((task) => task !== creation),
  )
  const verdict = yield* runGroup(context, tried, true)
  if (verdict !== 'failed') return undefined
  return finish(context, 'Failed', 'one or more objects failed to apply (dry run)')
}

/** Hooks without health are done once they are there; other objects without health likewise. */
function refreshRunning(context: BeatContext, all: readonly Task[]): void {
  for (const task of all) {
    if (!isRunning(task) || task.live === undefined) continue
    const { phase, message } = observe(context.world, task)
    if (phase !== 'Running' || task.hook) context.results.record(task, task.status, phase, message)
  }
}

/** Running tasks whose object nobody sees: it may have been deleted, and waiting for it would never end. */
function* findLost(context: BeatContext, running: readonly Task[]): Part<void> {
  const unseen = running.filter((task) => task.live === undefined)
  if (unseen.length === 0) return
  const outcomes = yield { kind: 'read', requests: unseen.map(readRequest) }
  unseen.forEach((task, i) => {
    const outcome = outcomes[i]!
    if ('error' in outcome) {
      const message = `Failed to get live resource failed to get resource: ${outcome.error.message}`
      context.results.record(task, task.status, 'Error', message)
    } else if ('live' in outcome && outcome.live === null) {
      const { group, kind, name } = taskKeyOf(task)
      const message = `Resource ${group}/${kind}/${name} is missing, it might have been deleted`
      context.results.record(task, 'SyncFailed', 'Error', message)
    }
  })
}

/**
 * Deletes hooks when the operation's end is known; `message` tells it to the next beat if this one gets lost, where rows
 * alone would not. A dry run deletes nothing.
 */
function* deleteHooks(context: BeatContext, hooks: readonly Task[], message?: string): Part<void> {
  if (hooks.length === 0 || context.settings.dryRun) return
  // what is known of them must outlive them
  yield* saveRows(context, message)
  const outcomes = yield {
    kind: 'delete',
    requests: hooks.map((task) => deleteRequest(task, context.settings)),
  }
  hooks.forEach((task, i) => {
    const outcome = outcomes[i]!
    if (!('error' in outcome) || outcome.error.status === 404) return
    const message = `failed to delete resource: failed to delete resource: ${outcome.error.message}`
    context.results.record(task, task.status, 'Error', message)
  })
}

/**
 * The operation has failed: hooks for that case run first, all at once, and the operation stays Running until they are
 * done.
 */
function* failPhase(
  context: BeatContext,
  failHooks: readonly Task[],
  failed: readonly Task[],
  reason: string,
): Beat {
  const message = failureMessage(reason, failed)
  if (failHooks.every(isCompleted)) {
    const refused = failHooks.filter((task) => task.status === 'SyncFailed')
    const addition = failureMessage('one or more SyncFail hooks failed', refused)
    return finish(context, 'Failed', refused.length === 0 ? message : `${message}\n${addition}`)
  }
  const pending = failHooks.filter(isPending)
  yield* runGroup(context, pending, false)
  return wait(context, pending)
}

function onlyOutOfSync(context: BeatContext, tasks: readonly Task[]): readonly Task[] {
  if (!context.settings.applyOutOfSyncOnly) return tasks
  return tasks.filter(
    (task) =>
      task.hook ||
      task.target === undefined ||
      task.live === undefined ||
      context.world.modified(comparedKeyOf(task)) !== false,
  )
}
