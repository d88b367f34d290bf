import type { Application, AppProject, SyncWindow } from '../argo/index.ts'
import { matchGlob, nextCron, parseCron, parseDuration, zoneOffsetMs } from '../text/index.ts'

/** Who wants to sync. */
export interface WindowQuestion {
  /** Somebody asked for it by hand; false for automated syncs. */
  readonly manual: boolean
  /** Milliseconds since the epoch; only for an operation that runs already. */
  readonly operationStart?: number
}

export interface WindowVerdict {
  readonly allowed: boolean
  /** A window that applies cannot be read, which denies everything. */
  readonly error?: string
}

const yes: WindowVerdict = { allowed: true }
const no: WindowVerdict = { allowed: false }

/**
 * Whether the project's sync windows let the Application sync at `now` (milliseconds since the epoch).
 *
 * Deny beats allow. As soon as one allow window applies to the Application, syncing outside all of them is denied.
 * Windows with `manualSync` let syncs by hand pass, windows with `syncOverrun` let an operation go on that began when it
 * was allowed; in both cases all windows that forbid must agree.
 *
 * Parity: the second in which a window starts is still outside, and the zone's offset is the present one even when an
 * earlier moment is looked at.
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go SyncWindows.CanSync
 */
export function decideWindows(
  project: AppProject,
  app: Application,
  question: WindowQuestion,
  now: number,
): WindowVerdict {
  const windows = windowsOf(project, app)
  return windows.length === 0 ? yes : decideAt(windows, question, now, now)
}

/** The windows that apply to an Application, by its name and by its destination as the spec writes it. */
export function windowsOf(project: AppProject, app: Application): readonly SyncWindow[] {
  const { name: cluster = '', server = '', namespace = '' } = app.spec.destination
  return (project.spec.syncWindows ?? []).filter((window) => {
    const lists = [
      { globs: window.applications ?? [], texts: [app.metadata.name] },
      // a cluster by name does not hit an Application that uses the server, nor the other way round
      { globs: window.clusters ?? [], texts: [cluster, server].filter((text) => text !== '') },
      { globs: window.namespaces ?? [], texts: [namespace] },
    ].filter(({ globs }) => globs.length > 0)
    const hits = lists.filter(({ globs, texts }) =>
      globs.some((glob) => texts.some((text) => glob === '*' || matchGlob(glob, text))),
    )
    if (window.andOperator === true) return lists.length > 0 && hits.length === lists.length
    return hits.length > 0
  })
}

function decideAt(
  windows: readonly SyncWindow[],
  question: WindowQuestion,
  at: number,
  now: number,
): WindowVerdict {
  const active: SyncWindow[] = []
  const inactive: SyncWindow[] = []
  for (const window of windows) {
    const state = isActive(window, at, now)
    if (typeof state === 'string')
      return { allowed: false, error: `invalid sync windows: ${state}` }
    ;(state ? active : inactive).push(window)
  }
  const denying = active.filter((window) => window.kind === 'deny')
  if (denying.length > 0) return passes(denying, windows, question, now)
  if (active.some((window) => window.kind === 'allow')) return yes
  const closed = inactive.filter((window) => window.kind === 'allow')
  return closed.length === 0 ? yes : passes(closed, windows, question, now)
}

/** Whether all windows that forbid make an exception. */
function passes(
  forbidding: readonly SyncWindow[],
  windows: readonly SyncWindow[],
  question: WindowQuestion,
  now: number,
): WindowVerdict {
  if (question.manual && forbidding.every((window) => window.manualSync === true)) return yes
  const start = question.operationStart
  if (start === undefined || !forbidding.every((window) => window.syncOverrun === true)) return no
  return decideAt(windows, { manual: question.manual }, start, now)
}

/** A text says what cannot be read. */
function isActive(window: SyncWindow, at: number, now: number): boolean | string {
  const cron = parseCron(window.schedule ?? '')
  if ('error' in cron) return `cannot parse schedule '${window.schedule ?? ''}': ${cron.error}`
  const duration = parseDuration(window.duration ?? '')
  if ('error' in duration) {
    return `cannot parse duration '${window.duration ?? ''}': ${duration.error}`
  }
  const face = at + (zoneOffsetMs(window.timeZone ?? '', now) ?? 0)
  const next = nextCron(cron.schedule, face - duration.ms)
  // Parity: a schedule that never comes (30 February) counts as always active
  return next === undefined || next < face
}
