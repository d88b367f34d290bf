import {
  type Application,
  finalizerPostDelete,
  finalizerPreDelete,
  isDeleteHook,
  requiresDeletionConfirmation,
  waveOf,
} from '../../argo/index.ts'
import { type ClusterFacts, compareKeys, keyOf, type Manifest } from '../../kube/index.ts'
import { cascadePropagation, isCascade, staysOnDeletion } from '../deletion-rules.ts'
import { described, placed } from './steps.ts'
import type { DeletionPlan, DeletionStep, PlannedTask } from './types.ts'

export interface PlanDeletionInput {
  readonly app: Application
  /** Tracked live objects, or what the last sync would have left; permitted by the project. */
  readonly live: readonly Manifest[]
  /** Hooks of the last revision that run around the deletion. */
  readonly hooks: readonly Manifest[]
  readonly facts: ClusterFacts
  /** Whether the Application is deleted by the change alone, and by what. */
  readonly certain: boolean
  readonly cause: string
}

/**
 * The deletion of an Application: by its finalizers it takes its objects along, the highest wave first, or leaves them.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go finalizeApplicationDeletion
 */
export function planDeletion(input: PlanDeletionInput): DeletionPlan {
  const { app, live, facts, hooks } = input
  const finalizers = app.metadata.finalizers ?? []
  const cascades = finalizers.some(isCascade)
  const options = app.spec.syncPolicy?.syncOptions ?? []
  const going: Manifest[] = []
  const kept: PlannedTask[] = []
  for (const object of live) {
    const stays = cascades
      ? staysOnDeletion(app, object)
      : 'the Application has no resources-finalizer'
    if (stays === undefined) going.push(object)
    else kept.push({ ...described(object, facts), verb: 'keep', note: stays })
  }
  const waves = [...new Set(going.map(waveOf))].sort((a, b) => b - a)
  const runs = (type: 'PreDelete' | 'PostDelete', finalizer: string): readonly PlannedTask[] =>
    // the finalizer comes with the first refresh that sees such a hook
    hooks.some((hook) => isDeleteHook(hook, type)) || finalizers.includes(finalizer)
      ? hooks
          .filter((hook) => isDeleteHook(hook, type))
          .map((hook) => ({ ...described(hook, facts), verb: 'run' }))
      : []
  return {
    kind: 'deletion',
    cascades,
    propagation: cascadePropagation(finalizers) === 'Background' ? 'Background' : 'Foreground',
    certain: input.certain,
    cause: input.cause,
    steps: waves.map((wave): DeletionStep => {
      const tasks = going
        .filter((object) => waveOf(object) === wave)
        .map((object): PlannedTask => ({ ...described(object, facts), verb: 'delete' }))
      return { wave, tasks: [...tasks].sort((a, b) => compareKeys(a.key, b.key)) }
    }),
    before: runs('PreDelete', finalizerPreDelete),
    after: runs('PostDelete', finalizerPostDelete),
    kept: kept.sort((a, b) => compareKeys(a.key, b.key)),
    unconfirmed: going
      .filter((object) => requiresDeletionConfirmation(object, options))
      .map((object) => placed(keyOf(object), facts)),
  }
}
