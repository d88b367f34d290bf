import type { Application } from '../argo/index.ts'
import { compareStrings, deepEqual, type Json, type JsonObject } from '../json/index.ts'
import type { Rollout, RolloutCondition } from './rolling/index.ts'
import type { ApplicationProgress, ApplicationSetStatus, SetCondition } from './types.ts'

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

/** What becomes of the condition of a rolling sync: a new one, the one that is there, or none where nothing rolls. */
export type RolloutNews = RolloutCondition | 'keep' | undefined

type NewCondition = Omit<SetCondition, 'lastTransitionTime'>

const parametersGenerated: NewCondition = {
  type: 'ParametersGenerated',
  status: 'True',
  reason: 'ParametersGenerated',
  message: 'Successfully generated parameters for all Applications',
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
  rollout?: RolloutNews,
): readonly SetCondition[] {
  const failure = outcome.upToDate ? undefined : outcome
  const generated = failure === undefined || failure.generated
  const next: readonly NewCondition[] = [
    {
      type: 'ErrorOccurred',
      status: failure === undefined ? 'False' : 'True',
      reason: failure?.reason ?? allGood.reason,
      message: failure?.message ?? allGood.message,
    },
    generated
      ? parametersGenerated
      : {
          type: 'ParametersGenerated',
          status: 'False',
          reason: 'ErrorOccurred',
          message: failure?.message ?? '',
        },
    {
      type: 'ResourcesUpToDate',
      status: failure === undefined ? 'True' : 'False',
      reason: failure === undefined ? allGood.reason : 'ErrorOccurred',
      message: failure?.message ?? allGood.message,
    },
  ]
  return dated(before, [...next, ...newsOf(before, rollout)], now)
}

function newsOf(before: readonly SetCondition[], rollout: RolloutNews): readonly NewCondition[] {
  if (rollout === undefined) return []
  return rollout === 'keep' ? before.filter(({ type }) => type === 'RolloutProgressing') : [rollout]
}

/** Conditions with the time since when each says what it says. */
function dated(
  before: readonly SetCondition[],
  next: readonly NewCondition[],
  now: number,
): readonly SetCondition[] {
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

/**
 * The merge patch that says how far a rolling sync is, which is written before any Application; undefined when the status
 * says so already. Conditions that it does not decide stay as they are.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go setApplicationSetStatusCondition
 */
export function rolloutPatch(
  before: ApplicationSetStatus,
  rollout: Rollout,
  now: number,
): JsonObject | undefined {
  const old = before.conditions ?? []
  const decided = dated(old, [parametersGenerated, rollout.condition], now)
  const conditions = [
    ...old.filter(({ type }) => decided.every((one) => one.type !== type)),
    ...decided,
  ].sort((a, b) => compareStrings(a.type, b.type))
  return changed(before, {
    conditions: conditions as unknown as Json,
    health: healthOf(conditions),
    applicationStatus: listed(rollout.progress),
  })
}

function listed(progress: readonly ApplicationProgress[]): Json | undefined {
  return progress.length === 0 ? undefined : (progress as unknown as Json)
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

/** Besides how a reconcile went: what a status is to say. */
export interface StatusOptions {
  readonly now: number
  readonly maxResources: number
  /** Of a set that rolls; every other has none. */
  readonly rollout?: RolloutNews
  /** Entries of `applicationStatus`; absent: none, once a set is reconciled so far. */
  readonly progress?: readonly ApplicationProgress[]
}

/**
 * The merge patch of a set's status; undefined when there is nothing to change. Without `applications` the list of them
 * and the progress of a rolling sync stay as they are.
 */
export function statusPatch(
  before: ApplicationSetStatus,
  outcome: SetOutcome,
  applications: Iterable<Application> | undefined,
  options: StatusOptions,
): JsonObject | undefined {
  const conditions = conditionsAfter(before.conditions ?? [], outcome, options.now, options.rollout)
  const next: { [field: string]: Json | undefined } = {
    conditions: conditions as unknown as Json,
    health: healthOf(conditions),
  }
  if (applications !== undefined) {
    const { resources, resourcesCount } = resourcesOf(applications, options.maxResources)
    next['resources'] = resources.length === 0 ? undefined : resources
    next['resourcesCount'] = resourcesCount === 0 ? undefined : resourcesCount
    next['applicationStatus'] = listed(options.progress ?? [])
  }
  return changed(before, next)
}

function changed(
  before: ApplicationSetStatus,
  next: { readonly [field: string]: Json | undefined },
): JsonObject | undefined {
  const changes: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(next)) {
    const old = (before as { readonly [field: string]: Json | undefined })[field]
    if (!deepEqual(old, value)) changes[field] = value ?? null
  }
  return Object.keys(changes).length === 0 ? undefined : { status: changes }
}
