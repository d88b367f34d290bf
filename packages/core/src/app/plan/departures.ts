import type { Application } from '../../argo/index.ts'
import type { Departure, Shrinkage } from '../../guard/index.ts'
import { formatKey, groupOf, keyOf, type Manifest, type ResourceKey } from '../../kube/index.ts'
import type { TargetSet } from '../../normalize/index.ts'
import type { DeletionPlan, PlannedTask, SyncPlan } from './types.ts'

/** The objects that a plan makes go away, each with the first sentence of its story. */
export function departuresOf(
  plan: SyncPlan | DeletionPlan,
  live: readonly Manifest[],
  app: Application,
  takenOver: (key: ResourceKey) => string | undefined = () => undefined,
): readonly Departure[] {
  const objects = new Map(live.map((object) => [formatKey(keyOf(object)), object]))
  const of = (task: PlannedTask, cause: string, certain: boolean): readonly Departure[] => {
    const object = objects.get(formatKey(task.key))
    if (object === undefined) return []
    const heir = task.verb === 'recreate' ? undefined : takenOver(task.key)
    const doubt = heir === undefined ? {} : { doubt: heirWords(heir) }
    return [{ object, cause, certain, orphans: task.manner.includes('orphan'), ...doubt }]
  }
  if (plan.kind === 'deletion') return deletions(plan, app, of)
  let waits = false
  return plan.steps.flatMap(({ tasks, approval }) => {
    waits ||= approval !== ''
    return tasks.flatMap((task) => {
      if (task.refusal !== undefined) return []
      if (task.verb === 'prune') return of(task, ...pruneCause(plan, waits))
      if (task.verb === 'recreate') return of(task, 'deleted and made anew', !waits)
      const later = task.verb === 'keep' && task.note?.includes('until a sync with prune') === true
      return later ? of(task, 'pruned as soon as somebody syncs with prune', false) : []
    })
  })
}

function heirWords(heir: string): string {
  return `Application ${heir} renders it now: it stays only if that one takes it over before it goes`
}

type Maker = (task: PlannedTask, cause: string, certain: boolean) => readonly Departure[]

function deletions(plan: DeletionPlan, { metadata }: Application, of: Maker): readonly Departure[] {
  const approved = plan.unconfirmed.length === 0
  const condition = approved ? '' : ', once somebody approves it'
  const cause = `deleted with Application ${metadata.name} (${plan.cause})${condition}`
  return plan.steps.flatMap(({ tasks }) =>
    tasks.flatMap((task) => of(task, cause, plan.certain && approved)),
  )
}

function pruneCause(plan: SyncPlan, waits: boolean): readonly [string, boolean] {
  if (waits) return ['pruned once somebody approves it (Prune=confirm)', false]
  // a closed window opens again; everything else has to be put right first
  const stopped = plan.refusals.find(
    ({ reason, key }) => key === undefined && plan.verdict === 'blocked' && reason !== 'window',
  )
  if (stopped !== undefined) return ['pruned once its sync is not blocked any more', false]
  return [plan.trigger === 'automated' ? 'pruned by the automated sync' : 'pruned by a sync', true]
}

/** StatefulSets that lose replicas. */
export function shrinkagesOf(targets: TargetSet, live: readonly Manifest[]): readonly Shrinkage[] {
  const isSet = ({ apiVersion, kind }: Manifest): boolean =>
    kind === 'StatefulSet' && groupOf(apiVersion) === 'apps'
  const before = new Map(live.filter(isSet).map((set) => [formatKey(keyOf(set)), set]))
  return targets.resources.flatMap(({ manifest, key }) => {
    const old = isSet(manifest) ? before.get(formatKey(key)) : undefined
    return old === undefined ? [] : [{ before: old, after: manifest }]
  })
}
