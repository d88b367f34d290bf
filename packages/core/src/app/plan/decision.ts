import type { Application, AppProject, Operation } from '../../argo/index.ts'
import { decideWindows, windowsOf } from '../../project/index.ts'
import { decideAutoSync } from '../decide.ts'
import type { Compared, PlanSyncInput } from './compared.ts'
import type { Refusal, SyncPlan } from './types.ts'

export interface Decision {
  readonly trigger: SyncPlan['trigger']
  readonly operation: Operation
  readonly refusals: readonly Refusal[]
}

/** Whether the controller begins by itself, and with what; else what somebody would ask for by hand. */
export function decide(input: PlanSyncInput, project: AppProject, compared: Compared): Decision {
  const { app, settings, now } = input
  const state = {
    status: compared.status,
    revisions: [input.revision],
    resources: compared.resources,
    settings,
    now: now ?? 0,
  }
  const fresh: Application = { ...app, operation: undefined as never, status: {} }
  const open: AppProject = { ...project, spec: { ...project.spec, syncWindows: [] } }
  const automated = decideAutoSync(fresh, open, state)
  const wipe = automated.conditions.map(
    ({ message }): Refusal => ({
      reason: 'wipe',
      message,
      certain: true,
      hint: 'Set automated.allowEmpty.',
    }),
  )
  const isAutomated = automated.operation !== undefined || wipe.length > 0
  const refusals = [...wipe, ...windowRefusals(input, project, !isAutomated)]
  if (automated.operation !== undefined) {
    return { trigger: 'automated', operation: automated.operation, refusals }
  }
  const policy = app.spec.syncPolicy
  const options = policy?.syncOptions ?? []
  const prune = isAutomated || input.prune
  const operation: Operation = {
    sync: {
      ...(input.revision === '' ? {} : { revision: input.revision }),
      ...(prune ? { prune } : {}),
      ...(options.length === 0 ? {} : { syncOptions: options }),
    },
    ...(isAutomated ? { initiatedBy: { automated: true } } : {}),
    ...(policy?.retry === undefined || policy.retry === null ? {} : { retry: policy.retry }),
  }
  return { trigger: isAutomated ? 'automated' : 'manual', operation, refusals }
}

function windowRefusals(
  { app, now }: PlanSyncInput,
  project: AppProject,
  manual: boolean,
): readonly Refusal[] {
  if (now === undefined) return []
  const { allowed, error } = decideWindows(project, app, { manual }, now)
  if (allowed) return []
  const windows = windowsOf(project, app).map(
    ({ kind, schedule, duration, timeZone }) =>
      `${kind ?? ''} "${schedule ?? ''}" for ${duration ?? ''}${timeZone === undefined ? '' : ` (${timeZone})`}`,
  )
  const message = `Sync operation blocked by sync window${error === undefined ? '' : `: ${error}`}`
  const hint = `Windows of project ${project.metadata.name}: ${windows.join(', ')}.`
  return [{ reason: 'window', message, certain: true, hint }]
}
