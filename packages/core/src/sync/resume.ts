import { destinationOf } from './build.ts'
import type { BeatContext, Part } from './context.ts'
import { readRequest } from './requests.ts'
import type { Task } from './task.ts'

/**
 * A beat that was lost between its calls left intents. A hook that is there now was made by it and must not be made
 * twice; an object that is gone was pruned by it.
 */
export function* resumeLostBeat(context: BeatContext, all: readonly Task[]): Part<void> {
  const { results, world } = context
  // a hook that was there before may have been applied over; that can be done again
  const hooks = all.filter((task) => task.toBeMade && task.hook)
  const unseen = hooks.filter((task) => task.live === undefined)
  if (unseen.length > 0) {
    const outcomes = yield { kind: 'read', requests: unseen.map(readRequest) }
    unseen.forEach((task, i) => {
      const outcome = outcomes[i]
      if (outcome !== undefined && 'live' in outcome) task.live = outcome.live ?? undefined
    })
  }
  for (const task of hooks) task.made = task.live !== undefined
  for (const task of all) {
    if (task.intended && task.status === 'Pruned') {
      results.record(task, 'Pruned', 'Succeeded', 'pruned')
    }
  }
  for (const row of results.orphanedIntents(all)) {
    // the new namespace is there, so that it is no task any more
    const made = row.kind === 'Namespace' && row.group === '' && row.namespace === ''
    if (made && row.name === destinationOf(world)) {
      results.settle(row, 'Synced', 'Running', createdMessage(row))
    }
  }
}

/** kubectl's line for an object that was made. */
export function createdMessage(key: {
  readonly group: string
  readonly kind: string
  readonly name: string
}): string {
  return `${key.kind.toLowerCase()}${key.group === '' ? '' : `.${key.group}`}/${key.name} created`
}
