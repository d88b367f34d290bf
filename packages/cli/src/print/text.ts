import type { ApplicationPreview, ObjectChange } from '@litecd/core/app'
import { apiVersionOf, versionOf } from '@litecd/core/kube'
import type { AppReport, Report } from '../workspace/report.ts'
import { explanationText } from './causes.ts'
import { harmless, harmlessLine, type Palette } from './color.ts'
import { formatPosition } from './error.ts'
import { fieldLines } from './lines.ts'
import { lossesOf, plansOf } from './losses.ts'
import { lossLines } from './plan-text.ts'
import { shortPlan } from './plan-words.ts'
import { sideName, summaryLine } from './summary.ts'
import { isEmptied, turnoverLine, turnoverOf, warningsOf } from './turnover.ts'

const signs = { added: '+', removed: '-', changed: '~', failed: '!', unchanged: ' ' } as const

/** The report for a terminal. */
export function printReport(report: Report, colors: Palette): string {
  const out: string[] = []
  out.push(
    `${colors.bold(sideName(report.base))} → ${colors.bold(report.head.name === 'working tree' ? 'working tree' : sideName(report.head))}`,
  )
  out.push(colors.bold(summaryLine(report)))
  const turnover = turnoverLine(turnoverOf(report))
  if (turnover !== undefined) out.push(colors.bold(turnover))
  for (const warning of warningsOf(report)) {
    out.push(colors.red(harmlessLine(`! ${warning}`)))
  }
  out.push(...lossLines(lossesOf(plansOf(report)), colors))
  for (const app of report.applications) out.push('', ...appLines(app, colors))
  if (report.problems.length > 0) out.push('')
  for (const problem of report.problems) {
    const where = problem.position === undefined ? '' : `${formatPosition(problem.position)}: `
    out.push(colors.red(`! ${harmless(`${where}${problem.code}: ${problem.message}`)}`))
    if (problem.hint !== undefined) out.push(`    ${harmless(problem.hint)}`)
  }
  const remarks = report.remarks.filter((remark) => !isEmptied(remark))
  if (remarks.length > 0) out.push('')
  for (const remark of remarks) {
    const where = remark.position === undefined ? '' : `${formatPosition(remark.position)}: `
    out.push(colors.yellow(`note: ${harmless(`${where}${remark.code}: ${remark.message}`)}`))
    if (remark.hint !== undefined) out.push(`    ${harmless(remark.hint)}`)
  }
  return out.join('\n') + '\n'
}

function tint(change: ApplicationPreview['change'], colors: Palette): (text: string) => string {
  if (change === 'added') return colors.green
  if (change === 'removed' || change === 'failed') return colors.red
  return colors.yellow
}

function appLines(report: AppReport, colors: Palette): readonly string[] {
  const { preview, reasons, origin } = report
  const { destination } = preview
  const cluster = destination.name ?? destination.server ?? ''
  const place = [cluster, destination.namespace ?? ''].filter((part) => part !== '').join(' / ')
  const color = tint(preview.change, colors)
  const head = `${signs[preview.change]} ${preview.name}`
  const out = [
    `${colors.bold(color(harmlessLine(head)))}  ${colors.dim(harmlessLine(`${verb(preview)} · project ${preview.project} · ${place}`))}`,
  ]
  for (const reason of [...reasons, ...renameReasons(report)])
    out.push(`  ${colors.dim(harmlessLine(`why: ${reason}`))}`)
  if (origin.parents.length > 0) {
    out.push(`  ${colors.dim(harmlessLine(`rendered by ${origin.parents.join(' → ')}`))}`)
  }
  if (preview.failure !== undefined) {
    const { error } = preview.failure
    const where = error.position === undefined ? '' : `${formatPosition(error.position)}: `
    out.push(`  ${colors.red(harmless(`${where}${error.code}: ${error.message}`))}`)
    if (error.hint !== undefined) out.push(`  ${harmless(error.hint)}`)
    out.push(
      `  ${colors.dim(
        preview.failedBefore === true
          ? 'It could not be rendered at the base either.'
          : reasons.some((reason) => reason.startsWith('new in '))
            ? 'It is new: nothing of it reaches the cluster until it renders.'
            : 'Its objects stay as they are until it renders again.',
      )}`,
    )
    return out
  }
  if (preview.failedBefore === true) out.push(`  ${colors.dim(failedBefore(preview))}`)
  for (const { bad, text } of shortPlan(report.plan)) {
    out.push(`  ${(bad ? colors.red : colors.dim)(harmlessLine(text))}`)
  }
  if (preview.specFields.length > 0) {
    out.push('  the Application')
    for (const change of preview.specFields) out.push(...changeLines(change, '    ', colors))
  }
  let wave: number | undefined
  for (const object of preview.objects) {
    if (object.wave !== wave) {
      wave = object.wave
      out.push(`  ${colors.cyan(`wave ${wave}`)}`)
    }
    out.push(...objectLines(object, colors))
  }
  for (const condition of preview.conditions) {
    out.push(`  ${colors.yellow(harmless(`${condition.type}: ${condition.message}`))}`)
  }
  return out
}

/** What a rename of an Application means: to Argo CD it is another one. */
export function renameReasons({ renamedFrom, renamedTo }: AppReport): readonly string[] {
  if (renamedFrom !== undefined) {
    return [`it seems to be ${renamedFrom}, renamed: that one is deleted, this one is new`]
  }
  return renamedTo === undefined ? [] : [`it seems to be renamed to ${renamedTo}`]
}

/** What it means for a report that the base could not be rendered. */
export function failedBefore({ change }: ApplicationPreview): string {
  return change === 'removed'
    ? 'It could not be rendered at the base: what it has in the cluster is not known here.'
    : 'It could not be rendered at the base: everything counts as added.'
}

function verb(preview: ApplicationPreview): string {
  switch (preview.change) {
    case 'added':
      return 'new Application'
    case 'removed':
      return 'Application deleted'
    case 'failed':
      return 'cannot be rendered'
    default:
      return 'Application'
  }
}

/** `apps/v1 Deployment web/api` */
export function objectName(object: ObjectChange): string {
  const { key } = object
  const version = apiVersionOf(key.group, versionOf(object.apiVersion))
  const name = key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
  return `${version} ${key.kind} ${name}`
}

/** `renamed from web/old`, or what the object goes on as. */
export function renameText({ key, renamedFrom, renamedTo }: ObjectChange): string {
  const name = (other: ObjectChange['key']): string =>
    other.namespace === key.namespace ? other.name : `${other.namespace}/${other.name}`
  if (renamedFrom !== undefined) return `renamed from ${name(renamedFrom)}`
  return renamedTo === undefined ? '' : `renamed to ${name(renamedTo)}`
}

function objectLines(object: ObjectChange, colors: Palette): readonly string[] {
  const color = tint(object.change, colors)
  const hook = object.hooks.length > 0 ? ` [${object.hooks.join(', ')} hook]` : ''
  const line = object.origin.line === undefined ? '' : `:${object.origin.line}`
  const out = [
    `    ${color(harmlessLine(`${signs[object.change]} ${objectName(object)}${hook}`))}  ${colors.dim(harmlessLine(`${object.origin.path}${line}`))}`,
  ]
  const renamed = renameText(object)
  if (renamed !== '') out.push(`        ${colors.dim(harmlessLine(renamed))}`)
  if (object.remark !== undefined) out.push(`        ${colors.dim(harmless(object.remark))}`)
  for (const [index, change] of object.fields.entries()) {
    const [first = '', ...rest] = changeLines(change, '        ', colors)
    const explanation = object.explanations?.[index]
    const why = explanation === undefined ? '' : explanationText(explanation, object.origin.path)
    out.push(why === '' ? first : `${first}  ${colors.dim(why)}`, ...rest)
  }
  for (const { key, change } of object.secretKeys) {
    const words = { add: 'added', remove: 'removed', modify: 'changed' } as const
    out.push(`        ${colors.yellow(harmlessLine(`~ key ${key}: ${words[change]}`))}`)
  }
  return out
}

function changeLines(
  change: ObjectChange['fields'][number],
  indent: string,
  colors: Palette,
): readonly string[] {
  const paint = { '+': colors.green, '-': colors.red, '~': colors.yellow, ' ': colors.dim }
  return fieldLines(change).map(({ sign, text }) => indent + paint[sign](`${sign} ${text}`))
}
