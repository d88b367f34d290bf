import { hasSyncOption } from '../argo/index.ts'
import { compareStrings } from '../json/index.ts'
import { groupOf, nameOf, namespaceOf } from '../kube/index.ts'
import { kindRank } from './kind-order.ts'
import {
  definedKindOf,
  isCrd,
  isNamespaceKind,
  isPrune,
  objectOf,
  phaseOrder,
  type Task,
} from './task.ts'

/**
 * Turns the waves of prunes round: the distinct waves that hold prunes are swapped pairwise from the outside in (1, 3, 4
 * become 4, 3, 1), then those that are to go last get the wave after the last one of the Sync phase.
 *
 * Parity: a kept object's wave does not move, so an early prune may come before or after it (prune-waves).
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go getSyncTasks
 */
export function reversePruneWaves(tasks: readonly Task[], allLast: boolean): void {
  const prunes = tasks.filter(isPrune)
  const waves = [...new Set(prunes.map((task) => task.wave))].sort((a, b) => a - b)
  const swapped = new Map(waves.map((wave, i) => [wave, waves[waves.length - 1 - i]!]))
  for (const task of prunes) task.wave = swapped.get(task.wave)!

  let last = 0
  for (const task of tasks) if (task.phase === 'Sync' && task.wave > last) last = task.wave
  for (const task of prunes) {
    if (allLast || hasSyncOption(task.live, 'PruneLast=true')) task.wave = last + 1
  }
}

/**
 * Phase, wave, kind, name, then namespace and group, which Argo CD leaves to chance; then Namespaces and
 * CustomResourceDefinitions move before the first task that needs them.
 */
export function sortTasks(tasks: readonly Task[]): readonly Task[] {
  const sorted = tasks
    .map((task) => ({ task, object: objectOf(task) }))
    .sort(
      (a, b) =>
        phaseOrder.indexOf(a.task.phase) - phaseOrder.indexOf(b.task.phase) ||
        a.task.wave - b.task.wave ||
        kindRank(a.object.kind) - kindRank(b.object.kind) ||
        compareStrings(nameOf(a.object), nameOf(b.object)) ||
        compareStrings(namespaceOf(a.object), namespaceOf(b.object)) ||
        compareStrings(groupOf(a.object.apiVersion), groupOf(b.object.apiVersion)),
    )
    .map(({ task }) => task)
  const placed = moveForward(
    sorted,
    (task) => isNamespaceKind(task.target) && { provides: nameOf(task.target) },
    (task) => namespaceOf(objectOf(task)) || undefined,
  )
  return moveForward(
    placed,
    (task) => isCrd(objectOf(task)) && { provides: definedKindOf(objectOf(task)) },
    (task) => `${groupOf(objectOf(task).apiVersion)}/${objectOf(task).kind}`,
  )
}

/**
 * A task that provides something and stands behind a task that needs it moves right before the first such task, into
 * its wave and phase. Prunes neither provide nor need.
 */
function moveForward(
  tasks: readonly Task[],
  provider: (task: Task) => { readonly provides: string | undefined } | false,
  needs: (task: Task) => string | undefined,
): readonly Task[] {
  const firstUser = new Map<string, Task>()
  const before = new Map<Task, Task[]>()
  const moved = new Set<Task>()
  for (const task of tasks) {
    if (isPrune(task)) continue
    const found = provider(task)
    if (found !== false && found.provides !== undefined) {
      const user = firstUser.get(found.provides)
      if (user === undefined) continue
      task.wave = user.wave
      task.phase = user.phase
      before.set(user, [...(before.get(user) ?? []), task])
      moved.add(task)
    } else {
      const need = needs(task)
      if (need !== undefined && !firstUser.has(need)) firstUser.set(need, task)
    }
  }
  if (moved.size === 0) return tasks
  return tasks
    .filter((task) => !moved.has(task))
    .flatMap((task) => [...(before.get(task) ?? []), task])
}
