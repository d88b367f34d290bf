import type { OperationState, SyncResultResource } from '../argo/index.ts'
import { syncBeat } from './beat.ts'
import { terminateBeat } from './terminate.ts'
import type { Beat, BeatEnd, SyncRun, SyncStep, SyncWorld, TaskOutcome } from './types.ts'

export type NextStep =
  | { readonly done: false; readonly step: SyncStep }
  | { readonly done: true; readonly end: BeatEnd }

/** The beat that the state asks for. */
export function beginBeat(state: OperationState, world: SyncWorld): Beat {
  return state.phase === 'Terminating' ? terminateBeat(state, world) : syncBeat(state, world)
}

/**
 * The planner as a plain function: the run so far and the world give the next step, and the same two always give the
 * same one. A run is JSON, so it can be stored at any step and taken up again, or recorded and played later.
 *
 * It goes through the run from its beginning each time; whoever has the answers at hand drives {@link beginBeat} instead.
 *
 * @example
 * let run: SyncRun = { state, answers: [] }
 * for (let next = nextStep(run, world); !next.done; next = nextStep(run, world)) {
 *   run = settleStep(run, await perform(next.step))
 * }
 */
export function nextStep(run: SyncRun, world: SyncWorld): NextStep {
  const beat = beginBeat(run.state, world)
  let result = beat.next([])
  for (const answers of run.answers) {
    if (result.done === true) break
    result = beat.next(answers)
  }
  return result.done === true
    ? { done: true, end: result.value }
    : { done: false, step: result.value }
}

/** The run with the outcomes of its latest step; a `save` has none. */
export function settleStep(run: SyncRun, outcomes: readonly TaskOutcome[]): SyncRun {
  return { state: run.state, answers: [...run.answers, outcomes] }
}

/** The state that a beat leaves behind. Phase and rows are the beat's, the rest stays as it was. */
export function stateAfter(state: OperationState, end: BeatEnd): OperationState {
  const { message: _message, ...rest } = withRows(state, end.resources)
  return {
    ...rest,
    phase: end.phase,
    ...(end.message === '' ? {} : { message: end.message }),
  }
}

/** No rows are stored as none: an empty list in between would change the Application at every beat that waits. */
export function withRows(
  state: OperationState,
  rows: readonly SyncResultResource[],
): OperationState {
  const { resources: _resources, ...result } = state.syncResult ?? {}
  return {
    ...state,
    syncResult: { ...result, ...(rows.length === 0 ? {} : { resources: rows }) },
  }
}
