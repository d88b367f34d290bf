import type { Instant } from '../adapters/index.ts'
import type { Condition, ConditionType } from '../argo/index.ts'
import { compareStrings } from '../json/index.ts'
import { formatTime } from '../sync/index.ts'

/**
 * The conditions after an evaluation of some types: those types are replaced, all others stay.
 *
 * Parity: only the first stored condition of a type keeps its time when its message is unchanged.
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go SetConditions
 */
export function setConditions(
  current: readonly Condition[],
  found: readonly Condition[],
  evaluated: readonly ConditionType[],
  now: Instant,
): readonly Condition[] {
  const time = formatTime(now)
  const out = current
    .filter((condition) => !evaluated.includes(condition.type))
    .map((condition) => ({
      ...condition,
      lastTransitionTime: condition.lastTransitionTime ?? time,
    }))
  for (const condition of found) {
    const first = current.find((other) => other.type === condition.type)
    if (first !== undefined && first.message === condition.message)
      out.push({ lastTransitionTime: time, ...first })
    else out.push({ ...condition, lastTransitionTime: condition.lastTransitionTime ?? time })
  }
  const sortKey = (condition: Condition): string =>
    `${condition.type}/${condition.message}/${condition.lastTransitionTime ?? ''}`
  return out.sort((a, b) => compareStrings(sortKey(a), sortKey(b)))
}
