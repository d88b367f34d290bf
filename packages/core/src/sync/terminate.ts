import type { OperationState } from '../argo/index.ts'
import { buildTasks, prepare } from './build.ts'
import { type BeatContext, finish, type Part } from './context.ts'
import { observe } from './observe.ts'
import { syncSettingsOf } from './options.ts'
import { deleteRequest, readRequest } from './requests.ts'
import { Results } from './results.ts'
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

/** Hooks that run, or that a lost beat has made or was about to delete. */
function isToEnd(task: Task): boolean {
  return (
    isRunning(task) ||
    task.made ||
    (task.live !== undefined && task.operationPhase === 'Failed' && task.message === terminated)
  )
}

const terminated = 'Terminated'

/** False when some hook could not be read, released or deleted. */
function* endHooks(context: BeatContext, running: readonly Task[]): Part<boolean> {
  const { results, settings, world } = context
  const broken = new Set<Task>()
  const unseen = running.filter((task) => task.live === undefined)
  if (unseen.length > 0) {
    const outcomes = yield { kind: 'read', requests: unseen.map(readRequest) }
    unseen.forEach((task, i) => {
      const outcome = outcomes[i]!
      if ('error' in outcome) {
        broken.add(task)
        const message = `Failed to get live resource: failed to get resource: ${outcome.error.message}`
        results.record(task, task.status, 'Error', message)
      } else if ('live' in outcome && outcome.live !== null) {
        task.live = outcome.live
      } else {
        results.record(task, task.status, 'Succeeded', terminated)
      }
    })
  }

  const present = running.filter((task) => task.live !== undefined)
  // a hook may have ended meanwhile; what it looks like after its release says nothing any more
  const seen = new Map(present.map((task) => [task, observe(world, task)]))
  yield* releaseHooks(context, present, (task, error) => {
    broken.add(task)
    results.record(task, task.status, 'Error', `Failed to remove hook finalizer: ${error}`)
  })

  const released = present.filter((task) => !broken.has(task))
  const condemned = released.filter((task) => {
    const phase = seen.get(task)?.phase
    return phase === 'Running' || phase === 'Error' || deletesOn(task, 'HookFailed')
  })
  for (const task of released) {
    const { phase, message } = seen.get(task)!
    if (phase === 'Error') {
      results.record(task, task.status, 'Error', `Failed to get hook health: ${message}`)
    } else if (phase === 'Running') {
      results.record(task, task.status, 'Failed', terminated)
    } else {
      results.record(task, task.status, phase, message)
    }
  }
  if (condemned.length > 0 && !settings.dryRun) {
    // lost after the deletion, a hook must not look as if it had never run
    yield* saveRows(context)
    const outcomes = yield {
      kind: 'delete',
      requests: condemned.map((task) => deleteRequest(task, settings)),
    }
    condemned.forEach((task, i) => {
      const outcome = outcomes[i]!
      if (!('error' in outcome) || outcome.error.status === 404) return
      broken.add(task)
      const message = `Failed to delete: failed to delete resource: ${outcome.error.message}`
      results.record(task, task.status, 'Failed', message)
    })
  }
  return broken.size === 0
}
