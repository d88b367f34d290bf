import type { DeletionPlan, PlannedTask, PlanStep, Refusal, SyncPlan } from '@litecd/core/app'
import type { ResourceKey } from '@litecd/core/kube'
import type { Planned } from '../workspace/report.ts'
import { plural } from './summary.ts'

/** `apps/v1 Deployment web/api` */
export function taskName(task: {
  readonly apiVersion?: string | undefined
  readonly key: ResourceKey
}): string {
  const { namespace, name, kind } = task.key
  const place = namespace === '' ? name : `${namespace}/${name}`
  return `${task.apiVersion === undefined ? '' : `${task.apiVersion} `}${kind} ${place}`
}

export const signs: { readonly [verb in PlannedTask['verb']]: string } = {
  create: '+',
  change: '~',
  unchanged: ' ',
  recreate: '±',
  run: '▶',
  prune: '-',
  keep: '=',
  delete: '-',
}

const verbs: { readonly [verb in PlannedTask['verb']]: string } = {
  create: 'create',
  change: 'change',
  unchanged: 'apply, nothing changes',
  recreate: 'delete and make anew',
  run: 'run',
  prune: 'prune',
  keep: 'keep',
  delete: 'delete',
}

/** What is done and how, to be read before the name: `run PreSync hook`, `change server-side`. */
export function taskVerb(task: PlannedTask): string {
  const hook = task.hooks.length === 0 ? '' : ` ${task.hooks.join(', ')} hook`
  const manner = task.manner === '' || task.manner === 'create' ? '' : ` (${task.manner})`
  return `${verbs[task.verb]}${hook}${manner}`
}

/** What else is to say of a task. */
export function taskNotes(task: PlannedTask): readonly string[] {
  const policies =
    task.verb === 'run' ? task.deletePolicies.map((policy) => policyWords[policy]) : []
  return [
    ...(policies.length === 0 ? [] : [policies.join('; ')]),
    ...(task.note === undefined ? [] : [task.note]),
  ]
}

const policyWords = {
  BeforeHookCreation: 'deleted before it is made again',
  HookSucceeded: 'deleted when the sync has succeeded',
  HookFailed: 'deleted when the sync has failed',
} as const

export function planTitle(plan: SyncPlan | DeletionPlan): string {
  if (plan.kind === 'deletion') {
    const what = plan.cascades ? 'deleted with its objects' : 'deleted, its objects stay'
    return plan.certain ? what : `${what}, perhaps`
  }
  const kind = plan.trigger === 'automated' ? 'automated sync' : 'sync by hand'
  const prune = plan.operation.prune === true ? ' with prune' : ''
  return `${kind}${prune}`
}

/** How it ends, one sentence. */
export function planEnd(plan: SyncPlan): string {
  switch (plan.verdict) {
    case 'nothing':
      return 'nothing differs: no sync'
    case 'blocked':
      return 'does not begin: what would run is shown all the same'
    case 'waits':
      return `does not end by itself: ${plan.message}`
    case 'fails':
      return `will fail: ${plan.message}${retryWords(plan.retries)}`
    case 'succeeds':
      return plan.message
  }
}

function retryWords(retries: number): string {
  if (retries < 0) return ' (repeated for ever)'
  return retries === 0 ? '' : ` (repeated ${plural(retries, 'time')})`
}

export function refusalText(refusal: Refusal): string {
  const about = refusal.key === undefined ? '' : `${taskName({ ...refusal, key: refusal.key })}: `
  return `${refusal.certain ? '' : 'perhaps '}${about}${refusal.message}`
}

/** `Sync 0: +2 ~1 -1` for every step, in their order; hooks are counted by what they are. */
export function shortSteps(steps: readonly PlanStep[]): readonly string[] {
  return steps.map(({ phase, wave, tasks }) => `${phase} ${wave}: ${tally(tasks)}`)
}

export function tally(tasks: readonly PlannedTask[]): string {
  const of = (...wanted: readonly PlannedTask['verb'][]): number =>
    tasks.filter(({ verb, refusal }) => refusal === undefined && wanted.includes(verb)).length
  const refused = tasks.filter(({ refusal }) => refusal !== undefined).length
  const parts: readonly (readonly [number, string])[] = [
    [refused, `!${refused} refused`],
    [of('create'), `+${of('create')}`],
    [of('change'), `~${of('change')}`],
    [of('recreate'), `±${of('recreate')}`],
    [of('prune', 'delete'), `-${of('prune', 'delete')}`],
    [of('run'), `▶${of('run')}`],
    [of('keep'), `=${of('keep')} kept`],
    [of('unchanged'), `${of('unchanged')} unchanged`],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(' ')
}

/** One line of a short plan; bad ones say that something will not work. */
export interface ShortLine {
  readonly bad: boolean
  readonly text: string
}

/** The plan in two or three lines, refusals first, for a report about changes. */
export function shortPlan(planned: Planned | undefined): readonly ShortLine[] {
  if (planned === undefined) return []
  if ('failure' in planned) {
    return [{ bad: true, text: `plan: there is none: ${planned.failure.error.code}` }]
  }
  const { plan } = planned
  return plan.kind === 'deletion' ? [shortDeletion(plan)] : shortSync(plan)
}

function shortDeletion(plan: DeletionPlan): ShortLine {
  const waves = plan.steps.map(({ wave, tasks }) => `wave ${wave}: ${tally(tasks)}`)
  const parts = [
    ...waves,
    ...(plan.kept.length === 0 ? [] : [`${plan.kept.length} stay`]),
    ...(plan.unconfirmed.length === 0 ? [] : ['waits for approval']),
  ]
  const what = parts.length === 0 ? '' : `: ${parts.join(' → ')}`
  return { bad: false, text: `plan: ${planTitle(plan)} (${plan.cause})${what}` }
}

function shortSync(plan: SyncPlan): readonly ShortLine[] {
  const refusals = plan.refusals.map((refusal) => ({
    bad: refusal.certain,
    text: `plan: ! ${refusalText(refusal)}`,
  }))
  if (plan.verdict === 'nothing') return refusals
  const steps = shortSteps(plan.steps).join(' → ')
  const bad = plan.verdict !== 'succeeds'
  return [
    ...refusals,
    ...(steps === '' ? [] : [{ bad: false, text: `plan: ${planTitle(plan)}: ${steps}` }]),
    ...(bad ? [{ bad, text: `plan: ${planEnd(plan)}` }] : []),
  ]
}
