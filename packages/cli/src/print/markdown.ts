import type { AppReport, Report } from '../workspace/report.ts'
import { explanationText } from './causes.ts'
import { harmlessLine } from './color.ts'
import { formatPosition } from './error.ts'
import { fieldLines } from './lines.ts'
import { lossesOf, plansOf } from './losses.ts'
import { code, escapeHtml, escapeText, fence } from './markup.ts'
import { lossMarkdown } from './plan-markdown.ts'
import { shortPlan } from './plan-words.ts'
import { countObjects, sideName, summaryLine } from './summary.ts'
import { failedBefore, objectName, renameReasons, renameText } from './text.ts'
import { isEmptied, turnoverLine, turnoverOf, warningsOf } from './turnover.ts'

/** The report as a comment of a pull request: a summary line, then one folded section an Application. */
export function printMarkdown(report: Report): string {
  const out: string[] = [
    `### ${summaryLine(report)}`,
    '',
    `${code(sideName(report.base))} → ${code(report.head.name === 'working tree' ? 'working tree' : sideName(report.head))}`,
  ]
  const turnover = turnoverLine(turnoverOf(report))
  if (turnover !== undefined) out.push('', escapeText(turnover))
  const warnings = warningsOf(report)
  if (warnings.length > 0) out.push('')
  for (const warning of warnings) out.push(`- ⚠️ **${escapeText(warning)}**`)
  out.push(...lossMarkdown(lossesOf(plansOf(report))))
  for (const app of report.applications) out.push('', ...section(app))
  for (const problem of report.problems) {
    const where = problem.position === undefined ? '' : `${code(formatPosition(problem.position))} `
    out.push(
      '',
      `> **${problem.code}** ${where}${escapeText(problem.message)}${problem.hint === undefined ? '' : `  \n> ${escapeText(problem.hint)}`}`,
    )
  }
  const remarks = report.remarks.filter((remark) => !isEmptied(remark))
  if (remarks.length > 0) out.push('')
  for (const remark of remarks) {
    const where = remark.position === undefined ? '' : `${code(formatPosition(remark.position))} `
    out.push(`- note: ${where}${escapeText(remark.message)}`)
  }
  return out.join('\n') + '\n'
}

const marks = { added: '🟢', removed: '🔴', changed: '🟡', failed: '❌', unchanged: '' } as const

function section(report: AppReport): readonly string[] {
  const { preview, reasons, origin } = report
  const counts = countObjects(preview.objects)
  const tally =
    preview.failure === undefined
      ? `+${counts.added} ~${counts.changed} −${counts.removed}`
      : 'cannot be rendered'
  const out = [
    `<details${preview.change === 'failed' ? ' open' : ''}><summary>${marks[preview.change]} <b>${escapeHtml(preview.name)}</b> ${tally}</summary>`,
    '',
  ]
  for (const reason of [...reasons, ...renameReasons(report)])
    out.push(`*why:* ${escapeText(reason)}  `)
  if (origin.parents.length > 0)
    out.push(`*rendered by:* ${escapeText(origin.parents.join(' → '))}  `)
  for (const { bad, text } of shortPlan(report.plan)) {
    out.push(`${bad ? '❌ ' : ''}${escapeText(text)}  `)
  }
  if (preview.failure !== undefined) {
    const { error } = preview.failure
    const where = error.position === undefined ? '' : `${formatPosition(error.position)}: `
    out.push(
      '',
      ...fence(
        [
          `${where}${error.code}: ${error.message}`,
          ...(error.hint === undefined ? [] : [error.hint]),
        ],
        '',
      ),
    )
  }
  if (preview.failedBefore === true && preview.failure === undefined) {
    out.push('', `> ${failedBefore(preview)}`)
  }
  if (preview.specFields.length > 0) {
    out.push('', 'The Application:', '', ...fence(preview.specFields.flatMap(diffText), 'diff'))
  }
  let wave: number | undefined
  for (const object of preview.objects) {
    if (object.wave !== wave) {
      wave = object.wave
      out.push('', `**Wave ${wave}**`)
    }
    const hook = object.hooks.length > 0 ? ` (${object.hooks.join(', ')} hook)` : ''
    const renamed = renameText(object)
    out.push(
      '',
      `${marks[object.change]} ${code(objectName(object))}${hook}${renamed === '' ? '' : ` (${escapeText(renamed)})`} from ${code(object.origin.path)}${object.remark === undefined ? '' : `: ${escapeText(object.remark)}`}`,
    )
    const lines = object.fields.flatMap((change, index) => {
      const [first = '', ...rest] = diffText(change)
      const explanation = object.explanations?.[index]
      const why = explanation === undefined ? '' : explanationText(explanation, object.origin.path)
      return [why === '' ? first : `${first}  ${why}`, ...rest]
    })
    const words = { add: 'added', remove: 'removed', modify: 'changed' } as const
    for (const { key, change } of object.secretKeys)
      lines.push(harmlessLine(`! key ${key}: ${words[change]}`))
    if (lines.length > 0) out.push('', ...fence(lines, 'diff'))
  }
  for (const condition of preview.conditions)
    out.push('', `> ${condition.type}: ${escapeText(condition.message)}`)
  out.push('', '</details>')
  return out
}

function diffText(change: Parameters<typeof fieldLines>[0]): readonly string[] {
  return fieldLines(change).map(({ sign, text }) => `${sign === '~' ? '!' : sign} ${text}`)
}
