import type { DeletionPlan, PlannedTask, PlanStep, SyncPlan } from '@litecd/core/app'
import type { PlannedApp, PlanReport } from '../workspace/plan-workspace.ts'
import { harmless, harmlessLine, type Palette } from './color.ts'
import { formatPosition } from './error.ts'
import { lossesOf, lossGroups, type NamedLoss } from './losses.ts'
import {
  planEnd,
  planTitle,
  refusalText,
  signs,
  taskName,
  taskNotes,
  taskVerb,
} from './plan-words.ts'
import { plural, sideName } from './summary.ts'

/** The plans for a terminal: data that is lost first, then Application by Application. */
export function printPlans(report: PlanReport, colors: Palette): string {
  const out = [colors.bold(harmlessLine(sidesText(report))), colors.bold(planSummary(report))]
  out.push(...lossLines(lossesOf(report.plans), colors))
  for (const app of report.plans) out.push('', ...appLines(app, colors))
  if (report.problems.length > 0) out.push('')
  for (const problem of report.problems) {
    const where = problem.position === undefined ? '' : `${formatPosition(problem.position)}: `
    out.push(colors.red(`! ${harmless(`${where}${problem.code}: ${problem.message}`)}`))
    if (problem.hint !== undefined) out.push(`    ${harmless(problem.hint)}`)
  }
  if (report.remarks.length > 0) out.push('')
  for (const remark of report.remarks) {
    const where = remark.position === undefined ? '' : `${formatPosition(remark.position)}: `
    out.push(colors.yellow(`note: ${harmless(`${where}${remark.message}`)}`))
    if (remark.hint !== undefined) out.push(`    ${harmless(remark.hint)}`)
  }
  return `${out.join('\n')}\n`
}

export function sidesText({ base, head, against }: PlanReport): string {
  const to = head.name === 'working tree' ? 'working tree' : sideName(head)
  return against === 'base' ? `${sideName(base)} → ${to}` : `${to}, against ${against}`
}

/** `3 Applications sync, 1 is deleted; 1 sync fails.` */
export function planSummary({ plans }: PlanReport): string {
  const all = plans.flatMap(({ plan }) => ('failure' in plan ? [] : [plan.plan]))
  const syncs = all.filter((plan): plan is SyncPlan => plan.kind === 'sync')
  const acting = syncs.filter(({ verdict }) => verdict !== 'nothing')
  const gone = all.length - syncs.length
  const bad = (verdict: SyncPlan['verdict'], words: string): readonly string[] => {
    const count = syncs.filter((plan) => plan.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${words}`]
  }
  const broken = plans.length - all.length
  const tail = [
    ...bad('fails', 'will fail'),
    ...bad('blocked', 'blocked'),
    ...bad('waits', 'without end'),
    ...(broken === 0 ? [] : [`${broken} cannot be rendered`]),
  ]
  if (acting.length + gone + broken === 0) return 'No Application has anything to do.'
  const head = `${plural(acting.length, 'sync')}${gone === 0 ? '' : `, ${plural(gone, 'deletion')}`}`
  return `${head}${tail.length === 0 ? '' : `: ${tail.join(', ')}`}.`
}

/** What is lost, with the whole way from the change to it. Empty where nothing is. */
export function lossLines(losses: readonly NamedLoss[], colors: Palette): readonly string[] {
  return lossGroups(losses).flatMap(({ verdict, title, losses: some }) => {
    const paint = verdict === 'conditional' ? colors.yellow : colors.red
    const shown = some.flatMap((loss) => [
      `  ${paint(harmlessLine(`! ${loss.what}`))}  ${colors.dim(harmlessLine(loss.application))}`,
      ...loss.path.map(
        (step, i) => `      ${colors.dim(harmlessLine(`${i === 0 ? '' : '→ '}${step}`))}`,
      ),
    ])
    return ['', colors.bold(paint(title)), ...shown]
  })
}

function appLines({ name, plan, app, origin }: PlannedApp, colors: Palette): readonly string[] {
  const { destination } = app.spec
  const place = [destination.name ?? destination.server ?? '', destination.namespace ?? '']
    .filter((part) => part !== '')
    .join(' / ')
  const title = (words: string): string =>
    `${colors.bold(harmlessLine(name))}  ${colors.dim(harmlessLine(`${words} · ${place}`))}`
  if ('failure' in plan) {
    const { error } = plan.failure
    const where = error.position === undefined ? '' : `${formatPosition(error.position)}: `
    return [
      title('cannot be rendered'),
      `  ${colors.red(harmless(`${where}${error.code}: ${error.message.trim().replaceAll('\n', '\n    ')}`))}`,
      ...(error.hint === undefined ? [] : [`  ${harmless(error.hint)}`]),
    ]
  }
  const head = title(planTitle(plan.plan))
  const above =
    origin.parents.length === 0
      ? []
      : [`  ${colors.dim(harmlessLine(`rendered by ${origin.parents.join(' → ')}`))}`]
  return plan.plan.kind === 'deletion'
    ? [head, ...above, ...deletionLines(plan.plan, colors)]
    : [head, ...above, ...syncLines(plan.plan, colors)]
}

function syncLines(plan: SyncPlan, colors: Palette): readonly string[] {
  const out: string[] = []
  const bad = plan.verdict === 'fails' || plan.verdict === 'blocked' || plan.verdict === 'waits'
  out.push(`  ${(bad ? colors.red : colors.dim)(harmless(planEnd(plan)))}`)
  for (const refusal of plan.refusals) {
    const paint = refusal.certain ? colors.red : colors.yellow
    out.push(`  ${paint(harmless(`! ${refusalText(refusal)}`))}`)
    if (refusal.hint !== undefined) out.push(`      ${colors.dim(harmless(refusal.hint))}`)
  }
  for (const remark of plan.remarks) out.push(`  ${colors.yellow(harmless(`note: ${remark}`))}`)
  if (plan.verdict === 'nothing') return out
  for (const step of plan.steps) out.push(...stepLines(step, colors))
  return out
}

function stepLines(step: PlanStep, colors: Palette): readonly string[] {
  const out: string[] = []
  if (step.approval !== '')
    out.push(`  ${colors.yellow(harmless(`${step.approval}: somebody has to approve it`))}`)
  out.push(`  ${colors.cyan(`${step.phase} wave ${step.wave}`)}`)
  out.push(...taskLines(step.tasks, colors))
  if (step.waits !== '') out.push(`    ${colors.dim(harmless(step.waits))}`)
  return out
}

function taskLines(tasks: readonly PlannedTask[], colors: Palette): readonly string[] {
  const out: string[] = []
  for (const task of tasks) {
    if (task.verb === 'unchanged' && task.refusal === undefined) continue
    const sign = task.refusal === undefined ? signs[task.verb] : '!'
    const line = `${sign} ${taskName(task)}`
    const paint = painter(task, colors)
    const words = [taskVerb(task), ...taskNotes(task)].join('; ')
    out.push(`    ${paint(harmlessLine(line))}  ${colors.dim(harmlessLine(words))}`)
    if (task.refusal !== undefined)
      out.push(`        ${colors.red(harmless(`refused: ${task.refusal}`))}`)
  }
  const same = tasks.filter(({ verb, refusal }) => verb === 'unchanged' && refusal === undefined)
  if (same.length > 0)
    out.push(`    ${colors.dim(`  ${plural(same.length, 'object')} applied that do not change`)}`)
  return out
}

function painter(task: PlannedTask, colors: Palette): (text: string) => string {
  if (task.refusal !== undefined) return colors.red
  switch (task.verb) {
    case 'create':
      return colors.green
    case 'prune':
    case 'delete':
    case 'recreate':
      return colors.red
    case 'change':
      return colors.yellow
    default:
      return (text) => text
  }
}

function deletionLines(plan: DeletionPlan, colors: Palette): readonly string[] {
  const out = [`  ${colors.dim(harmless(plan.cause))}`]
  if (plan.unconfirmed.length > 0) {
    const names = plan.unconfirmed.map((key) => taskName({ key })).join(', ')
    out.push(
      `  ${colors.yellow(harmlessLine(`waits until somebody approves the deletion of ${names}`))}`,
    )
  }
  if (plan.before.length > 0)
    out.push(`  ${colors.cyan('before')}`, ...taskLines(plan.before, colors))
  for (const { wave, tasks } of plan.steps) {
    out.push(`  ${colors.cyan(`delete wave ${wave}`)}`, ...taskLines(tasks, colors))
  }
  if (plan.after.length > 0) out.push(`  ${colors.cyan('after')}`, ...taskLines(plan.after, colors))
  if (plan.kept.length > 0) {
    out.push(`  ${colors.cyan('stays')}`, ...taskLines(plan.kept, colors))
  }
  return out
}
