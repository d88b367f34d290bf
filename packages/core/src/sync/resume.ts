import { destinationOf } from './build.ts'
import type { BeatContext, Part } from './context.ts'
import { readRequest } from './requests.ts'
import { deletesOn, type Task, taskKeyOf } from './task.ts'

/**
 * A beat that was lost between its calls left intents. A hook that is there now was made by it and must not be made
 * twice; an object that is gone was pruned by it.
 */
export function* resumeLostBeat(context: BeatContext, all: readonly Task[]): Part<void> {
  const { results, world } = context
  const hooks = all.filter((task) => task.intended && task.hook)
  const unseen = hooks.filter((task) => task.live === undefined)
  if (unseen.length > 0) {
    const outcomes = yield { kind: 'read', requests: unseen.map(readRequest) }
    unseen.forEach((task, i) => {
      const outcome = outcomes[i]
      if (outcome !== undefined && 'live' in outcome) task.live = outcome.live ?? undefined
    })
  }
  for (const task of hooks) {
    // other policies let a hook be applied over, which may be done again
    if (!deletesOn(task, 'BeforeHookCreation')) continue
    results.record(task, 'Synced', 'Running', createdMessage(taskKeyOf(task)))
  }
  for (const row of results.orphanedIntents(all)) {
    const isDestination =
      row.kind === 'Namespace' && row.group === '' && row.name === destinationOf(world)
    if (isDestination && row.syncPhase === 'PreSync' && row.namespace === '') {
      results.settle(row, 'Synced', 'Running', createdMessage(row))
    } else if (row.hookType === undefined) {
      results.settle(row, 'Pruned', 'Succeeded', 'pruned')
    }
  }
}

function createdMessage(key: {
  readonly group: string
  readonly kind: string
  readonly name: string
}): string {
  return `${key.kind.toLowerCase()}${key.group === '' ? '' : `.${key.group}`}/${key.name} created`
}
