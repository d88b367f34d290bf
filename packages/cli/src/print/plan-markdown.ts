import type { DeletionPlan, PlannedTask, SyncPlan } from '@litecd/core/app'
import type { PlannedApp, PlanReport } from '../workspace/plan-workspace.ts'
import { lossesOf, lossGroups, type NamedLoss } from './losses.ts'
import { code, escapeHtml, escapeText } from './markup.ts'
import { planSummary, sidesText } from './plan-text.ts'
import {
  planEnd,
  planTitle,
  refusalText,
  signs,
  tally,
  taskName,
  taskNotes,
  taskVerb,
} from './plan-words.ts'
import { plural } from './summary.ts'

/** The plans as a comment of a pull request: data that is lost first, then one folded section an Application. */
export function printPlansMarkdown(report: PlanReport): string {
  const out = [`### ${escapeText(planSummary(report))}`, '', escapeText(sidesText(report))]
  out.push(...lossMarkdown(lossesOf(report.plans)))
  for (const app of report.plans) out.push('', ...section(app))
  for (const problem of report.problems) {
    out.push('', `> **${problem.code}** ${escapeText(problem.message)}`)
  }
  if (report.remarks.length > 0) out.push('')
  for (const remark of report.remarks) out.push(`- note: ${escapeText(remark.message)}`)
  return `${out.join('\n')}\n`
}

const lossMarks = { destroyed: '💥', possible: '⚠️', conditional: 'ℹ️' } as const

/** What is lost, never folded. */
export function lossMarkdown(losses: readonly NamedLoss[]): readonly string[] {
  return lossGroups(losses).flatMap(({ verdict, title, losses: some }) => [
    '',
    `${lossMarks[verdict]} **${escapeText(title)}**`,
    '',
    ...some.map(
      (loss) =>
        `- **${escapeText(loss.what)}** (${escapeText(loss.application)}): ${escapeText(loss.path.join(' → '))}`,
    ),
  ])
}

function section({ name, plan }: PlannedApp): readonly string[] {
  if ('failure' in plan) {
    const { error } = plan.failure
    return [
      `<details open><summary>❌ <b>${escapeHtml(name)}</b> cannot be rendered</summary>`,
      '',
      `${code(error.code)} ${escapeText(error.message)}`,
      '',
      '</details>',
    ]
  }
  const { plan: what } = plan
  const bad = what.kind === 'sync' && !['succeeds', 'nothing'].includes(what.verdict)
  const tasks = what.steps.flatMap((step) => step.tasks)
  const mark = what.kind === 'deletion' ? '🔴' : bad ? '❌' : '🟡'
  return [
    `<details${bad ? ' open' : ''}><summary>${mark} <b>${escapeHtml(name)}</b> ${escapeHtml(planTitle(what))} ${escapeHtml(tally(tasks))}</summary>`,
    '',
    ...(what.kind === 'sync' ? syncSection(what) : deletionSection(what)),
    '',
    '</details>',
  ]
}

function syncSection(plan: SyncPlan): readonly string[] {
  const out = [escapeText(planEnd(plan)), '']
  for (const refusal of plan.refusals) {
    out.push(`- ${refusal.certain ? '❌' : '❔'} ${escapeText(refusalText(refusal))}`)
    if (refusal.hint !== undefined) out.push(`  *${escapeText(refusal.hint)}*`)
  }
  for (const remark of plan.remarks) out.push(`- note: ${escapeText(remark)}`)
  if (plan.verdict === 'nothing') return out
  for (const { phase, wave, tasks, waits, approval } of plan.steps) {
    if (approval !== '') out.push('', `${escapeText(approval)}: somebody has to approve it`)
    out.push('', `**${phase} wave ${wave}**`, '', ...taskItems(tasks))
    if (waits !== '') out.push('', `*${escapeText(waits)}*`)
  }
  return out
}

function deletionSection(plan: DeletionPlan): readonly string[] {
  const out = [escapeText(plan.cause)]
  if (plan.unconfirmed.length > 0) {
    const names = plan.unconfirmed.map((key) => taskName({ key })).join(', ')
    out.push('', `waits until somebody approves the deletion of ${escapeText(names)}`)
  }
  const part = (title: string, tasks: readonly PlannedTask[]): void => {
    if (tasks.length > 0) out.push('', `**${title}**`, '', ...taskItems(tasks))
  }
  part('before', plan.before)
  for (const { wave, tasks } of plan.steps) part(`delete wave ${wave}`, tasks)
  part('after', plan.after)
  part('stays', plan.kept)
  return out
}

function taskItems(tasks: readonly PlannedTask[]): readonly string[] {
  const shown = tasks.filter(({ verb, refusal }) => verb !== 'unchanged' || refusal !== undefined)
  const same = tasks.length - shown.length
  return [
    ...shown.map((task) => {
      const refused = task.refusal === undefined ? '' : ` ❌ ${escapeText(task.refusal)}`
      const words = [taskVerb(task), ...taskNotes(task)].join('; ')
      return `- ${code(`${signs[task.verb]} ${taskName(task)}`)} ${escapeText(words)}${refused}`
    }),
    ...(same === 0 ? [] : [`- ${plural(same, 'object')} applied that do not change`]),
  ]
}
