import type { Application } from '../argo/index.ts'
import { compareStrings, deepEqual, type Json, type JsonObject } from '../json/index.ts'
import type { ApplicationSetStatus, SetCondition } from './types.ts'

/** How a reconcile of a set went. */
export type SetOutcome =
  | { readonly upToDate: true }
  | {
      readonly upToDate: false
      readonly reason: string
      readonly message: string
      /** The generators had a result, whatever came after them. */
      readonly generated: boolean
    }

const allGood = {
  reason: 'ApplicationSetUpToDate',
  message: 'All applications have been generated successfully',
}

/**
 * The conditions after a reconcile, by type, and the health that follows from them. One that says what it said before
 * keeps its time.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go setApplicationSetStatusCondition
 */
export function conditionsAfter(
  before: readonly SetCondition[],
  outcome: SetOutcome,
  now: number,
): readonly SetCondition[] {
  const failure = outcome.upToDate ? undefined : outcome
  const generated = failure === undefined || failure.generated
  const next: readonly Omit<SetCondition, 'lastTransitionTime'>[] = [
    {
      type: 'ErrorOccurred',
      status: failure === undefined ? 'False' : 'True',
      reason: failure?.reason ?? allGood.reason,
      message: failure?.message ?? allGood.message,
    },
    {
      type: 'ParametersGenerated',
      status: generated ? 'True' : 'False',
      reason: generated ? 'ParametersGenerated' : 'ErrorOccurred',
      message: generated
        ? 'Successfully generated parameters for all Applications'
        : (failure?.message ?? ''),
    },
    {
      type: 'ResourcesUpToDate',
      status: failure === undefined ? 'True' : 'False',
      reason: failure === undefined ? allGood.reason : 'ErrorOccurred',
      message: failure?.message ?? allGood.message,
    },
  ]
  const lastTransitionTime = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  return next.map((condition) => {
    const old = before.find(
      (one) =>
        one.type === condition.type &&
        one.status === condition.status &&
        one.reason === condition.reason &&
        one.message === condition.message,
    )
    return old ?? { ...condition, lastTransitionTime }
  })
}

/** Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/applicationset_types.go CalculateHealth */
export function healthOf(conditions: readonly SetCondition[]): {
  readonly status: string
  readonly message: string
} {
  const [first] = conditions
  if (first === undefined) {
    return { status: 'Unknown', message: 'No status conditions found for ApplicationSet' }
  }
  const holding = (type: string): SetCondition | undefined =>
    conditions.find((one) => one.type === type && one.status === 'True')
  for (const [type, status] of [
    ['ErrorOccurred', 'Degraded'],
    ['RolloutProgressing', 'Progressing'],
    ['ResourcesUpToDate', 'Healthy'],
  ] as const) {
    const condition = holding(type)
    if (condition !== undefined) return { status, message: condition.message }
  }
  return { status: 'Unknown', message: 'Waiting for health status to be determined' }
}

/** The Applications of a set as its status lists them, at most `max` of them (0: all), and how many there are. */
export function resourcesOf(
  applications: Iterable<Application>,
  max: number,
): { readonly resources: readonly JsonObject[]; readonly resourcesCount: number } {
  const all = [...applications].sort((a, b) => compareStrings(a.metadata.name, b.metadata.name))
  const shown = max > 0 ? all.slice(0, max) : all
  return { resources: shown.map(resourceOf), resourcesCount: all.length }
}

function resourceOf({ metadata, status }: Application): JsonObject {
  const sync = status?.sync?.status ?? ''
  const health = status?.health?.status ?? ''
  return {
    group: 'argoproj.io',
    version: 'v1alpha1',
    kind: 'Application',
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(sync === '' ? {} : { status: sync }),
    health: health === '' ? {} : { status: health },
  }
}

/**
 * The merge patch of a set's status; undefined when there is nothing to change. Without `applications` the list of them
 * stays as it is. What rolling syncs have left is taken away: a set that is reconciled so far has none.
 */
export function statusPatch(
  before: ApplicationSetStatus,
  outcome: SetOutcome,
  applications: Iterable<Application> | undefined,
  options: { readonly now: number; readonly maxResources: number },
): JsonObject | undefined {
  const conditions = conditionsAfter(before.conditions ?? [], outcome, options.now)
  const next: { [field: string]: Json | undefined } = {
    conditions: conditions as unknown as Json,
    health: healthOf(conditions),
  }
  if (applications !== undefined) {
    const { resources, resourcesCount } = resourcesOf(applications, options.maxResources)
    next['resources'] = resources.length === 0 ? undefined : resources
    next['resourcesCount'] = resourcesCount === 0 ? undefined : resourcesCount
    next['applicationStatus'] = undefined
  }
  const changes: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(next)) {
    const old = (before as { readonly [field: string]: Json | undefined })[field]
    if (!deepEqual(old, value)) changes[field] = value ?? null
  }
  return Object.keys(changes).length === 0 ? undefined : { status: changes }
}
