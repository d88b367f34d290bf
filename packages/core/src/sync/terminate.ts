import type { OperationState } from '../argo/index.ts'
import { buildTasks, prepare } from './build.ts'
import { type BeatContext, finish, type Part } from './context.ts'
import { observe } from './observe.ts'
import { syncSettingsOf } from './options.ts'
import { deleteRequest, readRequest } from './requests.ts'
import { type HookEnd, intendedEndOf, Results } from './results.ts'
import { resumeLostBeat } from './resume.ts'
import { releaseHooks, saveRows } from './run.ts'
import { deletesOn, isCompleted, isRunning, type Task } from './task.ts'
import type { Beat, SyncWorld } from './types.ts'

/**
 * The beat of an operation that is to end now: running hooks are released and deleted, everything else stays as it is.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go Terminate, terminateHooksPreemptively
 */
export function* terminateBeat(state: OperationState, world: SyncWorld): Beat {
  const settings = syncSettingsOf(world.app, state)
  const results = new Results(state.syncResult?.resources ?? [])
  const context: BeatContext = { world, settings, results }
  const prepared = prepare(settings, world)
  const { tasks } = buildTasks(state, world, settings, prepared, undefined, results)
  yield* resumeLostBeat(context, tasks)

  const hooks = tasks.filter((task) => task.hook)
  yield* releaseHooks(context, hooks.filter(isCompleted), (task, error) =>
    results.record(task, task.status, 'Error', `Failed to remove hook finalizer: ${error}`),
  )
  const clean = yield* endHooks(context, hooks.filter(isToEnd))
  return clean
    ? finish(context, 'Failed', 'Operation terminated')
    : finish(context, 'Error', 'Operation termination had errors')
}

/** Hooks that run, that a lost beat has made, or that it was about to delete. */
function isToEnd(task: Task): boolean {
  return isRunning(task) || task.made || intendedEndOf(task) !== undefined
}

/** False when some hook could not be read, released or deleted. */
function* endHooks(context: BeatContext, hooks: readonly Task[]): Part<boolean> {
  const { results } = context
  const broken = new Set<Task>()
  yield* findHooks(context, hooks, broken)
  const ends = new Map(hooks.map((task) => [task, endOf(context, task)]))

  const present = hooks.filter((task) => task.live !== undefined && !broken.has(task))
  // a hook may have ended meanwhile; what it looks like after its release says nothing any more
  yield* releaseHooks(context, present, (task, error) => {
    broken.add(task)
    results.record(task, task.status, 'Error', `Failed to remove hook finalizer: ${error}`)
  })
  const condemned = present.filter(
    (task) => !broken.has(task) && (ends.get(task)!.deletes || deletesOn(task, 'HookFailed')),
  )
  yield* deleteRunning(context, condemned, ends, broken)
  for (const task of hooks) {
    if (broken.has(task)) continue
    const { phase, message } = ends.get(task)!
    results.record(task, task.status ?? 'Synced', phase, message)
  }
  return broken.size === 0
}

/** Looks for hooks that the world does not show. */
function* findHooks(context: BeatContext, hooks: readonly Task[], broken: Set<Task>): Part<void> {
  const unseen = hooks.filter((task) => task.live === undefined)
  if (unseen.length === 0) return
  const outcomes = yield { kind: 'read', requests: unseen.map(readRequest) }
  unseen.forEach((task, i) => {
    const outcome = outcomes[i]!
    if ('error' in outcome) {
      broken.add(task)
      const message = `Failed to get live resource: failed to get resource: ${outcome.error.message}`
      context.results.record(task, task.status, 'Error', message)
    } else if ('live' in outcome) {
      task.live = outcome.live ?? undefined
    }
  })
}

/** The result of a hook that is to end, and whether it has to be deleted for that. */
function endOf(context: BeatContext, task: Task): HookEnd & { readonly deletes: boolean } {
  const known = intendedEndOf(task)
  if (known !== undefined) return { ...known, deletes: true }
  if (task.live === undefined) return { phase: 'Succeeded', message: 'Terminated', deletes: false }
  const seen = observe(context.world, task)
  if (seen.phase === 'Running') return { phase: 'Failed', message: 'Terminated', deletes: true }
  if (seen.phase !== 'Error') return { ...seen, deletes: false }
  const message = `Failed to get hook health: ${seen.message}`
  return { phase: 'Error', message, deletes: true }
}

function* deleteRunning(
  context: BeatContext,
  hooks: readonly Task[],
  ends: ReadonlyMap<Task, HookEnd>,
  broken: Set<Task>,
): Part<void> {
  if (hooks.length === 0 || context.settings.dryRun) return
  // lost after the deletion, a hook must not look as if it had never run
  for (const task of hooks) context.results.intendEnd(task, ends.get(task)!)
  yield* saveRows(context)
  const requests = hooks.map((task) => deleteRequest(task, context.settings))
  const outcomes = yield { kind: 'delete', requests }
  hooks.forEach((task, i) => {
    const outcome = outcomes[i]!
    if (!('error' in outcome) || outcome.error.status === 404) return
    broken.add(task)
    const message = `Failed to delete: failed to delete resource: ${outcome.error.message}`
    context.results.record(task, task.status, 'Failed', message)
  })
}
