import type { OperationPhase } from '../argo/index.ts'
import { explainRow, waitingMessage } from './messages.ts'
import type { SyncSettings } from './options.ts'
import type { Results } from './results.ts'
import type { BeatEnd, SyncStep, SyncTask, SyncWorld, TaskOutcome } from './types.ts'

/** What the parts of one beat share. */
export interface BeatContext {
  readonly world: SyncWorld
  readonly settings: SyncSettings
  readonly results: Results
  /** The end of the beat comes without its rows: whoever runs it asks for them when they are wanted. */
  readonly rowsLater?: boolean
}

/** A stretch of a beat: yields steps as the beat does and returns a value to it. */
export type Part<T> = Generator<SyncStep, T, readonly TaskOutcome[]>

export function wait(
  context: BeatContext,
  tasks: readonly SyncTask[],
  forDeletion = false,
): BeatEnd {
  return finish(context, 'Running', waitingMessage(tasks, forDeletion, context.settings))
}

export function finish(context: BeatContext, phase: OperationPhase, message: string): BeatEnd {
  return { phase, message, resources: rowsOf(context), pauseMs: 0 }
}

/** The rows as they are stored when a beat ends. */
export function rowsOf(context: BeatContext): BeatEnd['resources'] {
  context.results.dropIntents()
  return context.rowsLater === true ? [] : allRows(context)
}

export function allRows({ results, world }: BeatContext): BeatEnd['resources'] {
  return results.list().map((row) => explainRow(row, world.facts))
}
