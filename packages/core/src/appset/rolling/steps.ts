import type { Application } from '../../argo/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { ApplicationSet } from '../types.ts'

/** True when the set says RollingSync, spelled so, and has the block, were it without steps. */
export function isRollingSync(set: ApplicationSet): boolean {
  const { strategy } = set.spec
  return strategy?.type === 'RollingSync' && isObject(strategy.rollingSync as Json | undefined)
}

/** The steps of a set that rolls; none for every other. */
export function rollingSteps(set: ApplicationSet): readonly JsonObject[] {
  return isRollingSync(set) ? (set.spec.strategy?.rollingSync?.steps ?? []) : []
}

/** Which Applications belong to which step. */
export interface StepPlan {
  /** Names by step, in the order of the Applications. One that fits several steps is in each of them. */
  readonly names: readonly (readonly string[])[]
  /** The first step of an Application, from 0 on; missing for those that fit none. */
  readonly stepOf: ReadonlyMap<string, number>
}

/**
 * Sorts Applications into steps by their labels.
 *
 * Source: argo-cd v3.5.1 applicationset/progressivesync/progressive_sync.go buildAppDependencyList
 */
export function planSteps(
  steps: readonly JsonObject[],
  applications: Iterable<Application>,
): StepPlan {
  const names = steps.map((): string[] => [])
  const stepOf = new Map<string, number>()
  for (const { metadata } of applications) {
    const labels = metadata.labels ?? {}
    for (const [index, step] of steps.entries()) {
      if (!belongs(labels, step)) continue
      names[index]?.push(metadata.name)
      if (!stepOf.has(metadata.name)) stepOf.set(metadata.name, index)
    }
  }
  return { names, stepOf }
}

/** The number of an Application's step as a status gives it: from 1 on, -1 for none. */
export function stepNumber(plan: StepPlan, application: string): string {
  const step = plan.stepOf.get(application)
  return step === undefined ? '-1' : String(step + 1)
}

function belongs(labels: { readonly [key: string]: string }, step: JsonObject): boolean {
  const { matchExpressions } = step
  if (!Array.isArray(matchExpressions)) return true
  return matchExpressions.every((expression) => {
    if (!isObject(expression)) return true
    const { key, operator, values } = expression
    const name = typeof key === 'string' ? key : ''
    // Parity: whoever lacks the label fits every expression but In, were its operator unknown
    if (!Object.hasOwn(labels, name)) return operator !== 'In'
    const hit = Array.isArray(values) && values.includes(labels[name] as Json)
    return operator === 'In' ? hit : operator === 'NotIn' && !hit
  })
}
