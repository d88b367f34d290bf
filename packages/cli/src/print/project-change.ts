import type { PermissionChange, ProjectVerdict } from '@litecd/core/app'
import { formatJson, type Json } from '@litecd/core/json'
import type { ProjectAppReport, ProjectReport } from '../workspace/project-change.ts'
import { harmless, harmlessLine, type Palette } from './color.ts'
import { formatPosition } from './error.ts'
import { plural, sideName } from './summary.ts'

/** What a change of projects or settings does, for a terminal. `all` also shows what stays forbidden. */
export function printProjectChange(report: ProjectReport, all: boolean, colors: Palette): string {
  const shown = report.applications.filter(({ change }) => isShown(change, all))
  const out = [colors.bold(harmlessLine(sides(report))), colors.bold(projectSummary(report))]
  for (const app of shown) out.push('', ...appLines(app, colors))
  if (report.problems.length > 0) out.push('')
  for (const problem of report.problems) {
    const where = problem.position === undefined ? '' : `${formatPosition(problem.position)}: `
    out.push(colors.red(`! ${harmless(`${where}${problem.code}: ${problem.message}`)}`))
  }
  if (report.remarks.length > 0) out.push('')
  for (const { message, hint } of report.remarks) {
    out.push(colors.yellow(`note: ${harmless(message)}`))
    if (hint !== undefined) out.push(`    ${harmless(hint)}`)
  }
  return `${out.join('\n')}\n`
}

/** The same for programs. `schema` grows when a field changes its meaning. */
export function printProjectChangeJson(report: ProjectReport): string {
  const { base, head, files, applications, problems, remarks } = report
  const value = {
    schema: 1,
    base,
    head,
    files,
    summary: counts(report),
    applications: applications.map(({ id, project, change, before, after, origin }) => ({
      application: id,
      project,
      change,
      ...(before === undefined ? {} : { before }),
      after,
      origin,
    })),
    problems: problems.map((problem) => problem.toJSON()),
    remarks,
  }
  const json = JSON.parse(JSON.stringify(value)) as Json
  return `${formatJson(json, { escapeHtml: false, indent: '  ', sortKeys: false })}\n`
}

/** `2 Applications become forbidden, 1 becomes allowed, 3 stay forbidden; 8 are permitted.` */
export function projectSummary(report: ProjectReport): string {
  const { forbidden, allowed, changed, stillForbidden, permitted } = counts(report)
  if (report.applications.length === 0) return 'No Application could be judged.'
  const parts = [
    ...(forbidden === 0 ? [] : [`${become(forbidden)} forbidden`]),
    ...(allowed === 0 ? [] : [`${become(allowed)} allowed`]),
    ...(changed === 0 ? [] : [`${plural(changed, 'Application')} forbidden for other reasons`]),
  ]
  const rest = [
    ...(stillForbidden === 0 ? [] : [`${stillForbidden} forbidden as before`]),
    `${permitted} permitted as before`,
  ]
  const head = parts.length === 0 ? 'No verdict changes' : parts.join(', ')
  return `${head}; ${rest.join(', ')}.`
}

function become(count: number): string {
  return `${plural(count, 'Application')} ${count === 1 ? 'becomes' : 'become'}`
}

function counts({ applications }: ProjectReport): {
  readonly forbidden: number
  readonly allowed: number
  readonly changed: number
  readonly stillForbidden: number
  readonly permitted: number
} {
  const of = (kind: PermissionChange): number =>
    applications.filter(({ change }) => change === kind).length
  return {
    forbidden: of('forbidden'),
    allowed: of('allowed'),
    changed: of('changed'),
    stillForbidden: of('still-forbidden'),
    permitted: of('same'),
  }
}

function isShown(change: PermissionChange, all: boolean): boolean {
  return change !== 'same' && (all || change !== 'still-forbidden')
}

function sides({ base, head, files }: ProjectReport): string {
  const name = (side: ProjectReport['base']): string =>
    side.name === 'working tree' ? 'working tree' : sideName(side)
  return files.length > 0
    ? `${name(head)} → with ${files.join(', ')}`
    : `${name(base)} → ${name(head)}`
}

const signs: { readonly [change in PermissionChange]: string } = {
  forbidden: '-',
  allowed: '+',
  changed: '~',
  'still-forbidden': ' ',
  same: ' ',
}

function appLines(app: ProjectAppReport, colors: Palette): readonly string[] {
  const { id, project, change, before, after } = app
  const paint = change === 'allowed' ? colors.green : colors.red
  const isNew = before === undefined ? 'new · ' : ''
  const out = [
    `${colors.bold(paint(harmlessLine(`${signs[change]} ${id}`)))}  ${colors.dim(harmlessLine(`${isNew}${words[change]} · project ${project}`))}`,
  ]
  if (change !== 'forbidden' && change !== 'still-forbidden' && before !== undefined) {
    for (const line of verdictLines(before)) {
      out.push(`    ${colors.dim(harmless(change === 'changed' ? `was: ${line}` : line))}`)
    }
  }
  for (const line of verdictLines(after)) out.push(`    ${colors.red(harmless(line))}`)
  return out
}

const words: { readonly [change in PermissionChange]: string } = {
  forbidden: 'forbidden',
  allowed: 'allowed again; it was forbidden by',
  changed: 'forbidden for other reasons',
  'still-forbidden': 'forbidden as before',
  same: 'permitted',
}

const shownObjects = 10

function verdictLines({ conditions, refused, blocked }: ProjectVerdict): readonly string[] {
  const rest = refused.length - shownObjects
  return [
    ...conditions.map(({ type, message }) => `${type}: ${message}`),
    ...refused.slice(0, shownObjects).map(({ object, message }) => `${object}: ${message}`),
    ...(rest > 0 ? [`and ${rest} more objects`] : []),
    ...(blocked === undefined ? [] : [blocked]),
  ]
}
