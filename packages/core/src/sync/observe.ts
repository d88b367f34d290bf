import type { OperationPhase } from '../argo/index.ts'
import { nameOf } from '../kube/index.ts'
import type { SyncTask, SyncWorld } from './types.ts'

/** What the health of a live object means for its task. */
export function observe(
  world: SyncWorld,
  task: SyncTask,
): { readonly phase: OperationPhase; readonly message: string } {
  const live = task.live!
  const { health, error } = world.assess(live)
  if (error !== undefined) {
    if (!task.hook) return { phase: 'Running', message: '' }
    return { phase: 'Error', message: `failed to get resource health: ${error}` }
  }
  const message = health?.message ?? ''
  switch (health?.status) {
    case 'Healthy':
      return { phase: 'Succeeded', message }
    case 'Degraded':
      return { phase: 'Failed', message }
    case 'Unknown':
      return { phase: task.hook ? 'Failed' : 'Running', message }
    case 'Progressing':
    case 'Suspended':
      return { phase: 'Running', message }
    case 'Missing':
      if (!task.hook) return { phase: 'Running', message }
  }
  return { phase: 'Succeeded', message: task.hook ? `${nameOf(live)} created` : '' }
}
