import type { Application } from '../../argo/index.ts'
import { deepEqual, type JsonObject } from '../../json/index.ts'
import type { ApplicationProgress, ProgressStatus } from '../types.ts'
import { maxUpdateOf } from './max-update.ts'
import { withoutAutomation } from './operation.ts'
import { type StepPlan, stepNumber } from './steps.ts'

export interface RolloutInput {
  /** The Applications that the set owns now. */
  readonly current: readonly Application[]
  /** Those that it generates. */
  readonly generated: readonly Application[]
  /** Whether the spec of an Application is to be changed; the generated one comes with automated sync off. */
  readonly differs: (generated: Application, live: Application) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** `2006-01-02T15:04:05Z` */
function timeOf(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** NaN where there is none: every comparison with it is false. */
export function instantOf(time: string | null | undefined): number {
  return time === undefined || time === null ? Number.NaN : Date.parse(time)
}

function revisionsOf({ status }: Application): readonly string[] {
  const { revisions = [], revision = '' } = status?.sync ?? {}
  if (revisions !== null && revisions.length > 0) return revisions
  return revision === '' ? [] : [revision]
}

/** Where the Applications stand, before any of them is let on. */
export function observe(
  before: readonly ApplicationProgress[],
  plan: StepPlan,
  { current, generated, differs, now }: RolloutInput,
): readonly ApplicationProgress[] {
  const wanted = new Map(generated.map((app) => [app.metadata.name, app]))
  const entries = new Map(before.map((entry) => [entry.application, entry]))
  return current.map((app) => {
    const { name } = app.metadata
    const desired = wanted.get(name)
    const step = stepNumber(plan, name)
    const known = entries.get(name)
    const entry: ApplicationProgress = known ?? {
      application: name,
      lastTransitionTime: timeOf(now),
      message: 'No Application status found, defaulting status to Waiting',
      status: 'Waiting',
      step,
      targetRevisions: revisionsOf(app),
    }
    const change = changeOf(
      entry,
      app,
      desired !== undefined && differs(withoutAutomation(desired), app),
      now,
    )
    return { ...entry, step, targetRevisions: entry.targetRevisions ?? [], ...change }
  })
}

type Change = Partial<
  Pick<ApplicationProgress, 'lastTransitionTime' | 'message' | 'status' | 'targetRevisions'>
>

function changeOf(
  entry: ApplicationProgress,
  app: Application,
  specDiffers: boolean,
  now: number,
): Change {
  const to = (status: ProgressStatus, message: string): Change => ({
    status,
    message,
    lastTransitionTime: timeOf(now),
  })
  const revisions = revisionsOf(app)
  const revisionDiffers = !deepEqual([...(entry.targetRevisions ?? [])], [...revisions])
  const isSynced = app.status?.sync?.status === 'Synced'
  const isHealthy = app.status?.health?.status === 'Healthy'
  const isChanged = revisionDiffers || specDiffers
  if (isChanged || entry.status === 'Waiting') {
    const targetRevisions = isChanged ? revisions : entry.targetRevisions
    if (isSynced) {
      const reached = isHealthy ? 'Healthy' : 'Progressing'
      const message = `Application resource has synced, updating status to ${reached}`
      return { ...to(reached, message), targetRevisions }
    }
    if (!isChanged) return {}
    const what = !specDiffers
      ? ''
      : revisionDiffers
        ? ' (revision and spec differ)'
        : ' (spec differs)'
    const message = `Application has pending changes${what}, setting status to Waiting`
    return { ...to('Waiting', message), targetRevisions }
  }
  if (entry.status === 'Pending') {
    const how = startedHow(entry, app)
    return how === undefined ? {} : to('Progressing', `Application resource ${how}`)
  }
  if (entry.status === 'Progressing' && isHealthy && isSynced) {
    const message =
      'Application resource became Healthy, updating status from Progressing to Healthy'
    return to('Healthy', message)
  }
  return {}
}

/** What became of the sync that a Pending entry waits for; undefined while it is waited for. */
function startedHow(entry: ApplicationProgress, app: Application): string | undefined {
  const { reconciledAt, operationState, conditions } = app.status ?? {}
  const since = instantOf(entry.lastTransitionTime)
  if (reconciledAt !== undefined && reconciledAt !== null) {
    if (!(instantOf(reconciledAt) > since)) return undefined
  }
  if (hasStarted(entry, app)) {
    const after = ', updating status from Pending to Progressing'
    switch (operationState?.phase) {
      case 'Succeeded':
        return `completed a sync successfully${after}`
      case 'Failed':
      case 'Error':
        return `completed a sync${after}`
      default:
        return `became Progressing${after}`
    }
  }
  const broken = (conditions ?? []).some(
    ({ type }) => type === 'InvalidSpecError' || type === 'UnknownError',
  )
  return broken ? 'has error and cannot sync, updating status to Progressing' : undefined
}

/** True when an operation began after the entry became what it is. */
export function hasStarted(entry: ApplicationProgress, app: Application): boolean {
  const started = instantOf(app.status?.operationState?.startedAt)
  const since = entry.lastTransitionTime
  return since === undefined ? !Number.isNaN(started) : started > instantOf(since)
}

/** The Applications of the first step, and of each next one while all of those before are there and Healthy. */
export function reachedBy(
  entries: readonly ApplicationProgress[],
  plan: StepPlan,
  current: readonly Application[],
): ReadonlySet<string> {
  const there = new Set(current.map(({ metadata }) => metadata.name))
  const healthy = new Set(
    entries.filter(({ status }) => status === 'Healthy').map(({ application }) => application),
  )
  const reached = new Set<string>()
  for (const names of plan.names) {
    for (const name of names) reached.add(name)
    if (!names.every((name) => there.has(name) && healthy.has(name))) break
  }
  return reached
}

/** Lets Waiting entries on, as many at once as their step allows. */
export function promote(
  entries: readonly ApplicationProgress[],
  plan: StepPlan,
  reached: ReadonlySet<string>,
  steps: readonly JsonObject[],
  now: number,
): readonly ApplicationProgress[] {
  // Parity: an entry in no step counts for the first one
  const indexOf = ({ application }: ApplicationProgress): number =>
    plan.stepOf.get(application) ?? 0
  const total = steps.map(() => 0)
  const busy = steps.map(() => 0)
  for (const entry of entries) {
    const index = indexOf(entry)
    total[index] = (total[index] ?? 0) + 1
    const isBusy = entry.status === 'Pending' || entry.status === 'Progressing'
    if (isBusy) busy[index] = (busy[index] ?? 0) + 1
  }
  return entries.map((entry) => {
    if (entry.status !== 'Waiting' || !reached.has(entry.application)) return entry
    const index = indexOf(entry)
    const most = maxUpdateOf(steps[index]?.['maxUpdate'], total[index] ?? 0)
    if (most !== undefined && (busy[index] ?? 0) >= most) return entry
    busy[index] = (busy[index] ?? 0) + 1
    return {
      ...entry,
      status: 'Pending',
      lastTransitionTime: timeOf(now),
      message:
        'Application moved to Pending status, watching for the Application resource to start Progressing',
    }
  })
}
