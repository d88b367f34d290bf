import type { ExplainedField, LiveExplanation, ObjectExplanation } from '@litecd/core/app'
import { formatPath, formatSource } from '@litecd/core/diff'
import { apiVersionOf, versionOf } from '@litecd/core/kube'
import type { AppOrigin } from '../workspace/report.ts'
import { causeText } from './causes.ts'
import { harmless, harmlessLine, type Palette } from './color.ts'
import { formatPosition } from './error.ts'
import { fieldLines } from './lines.ts'
import { blockValue, inlineValue } from './values.ts'

export interface Explained {
  readonly application: string
  readonly origin: AppOrigin
  readonly objects: readonly {
    readonly explanation: ObjectExplanation
    /** Present where the question was about one object or field. */
    readonly fields?: readonly ExplainedField[]
  }[]
}

/** The explanation for a terminal. */
export function printExplanation(explained: Explained, colors: Palette): string {
  const { application, origin, objects } = explained
  const chain = origin.parents.length === 0 ? '' : `, rendered by ${origin.parents.join(' → ')}`
  const out = [
    `${colors.bold(harmlessLine(`Application ${application}`))}  ${colors.dim(harmlessLine(`${formatPosition(origin.position)}${chain}`))}`,
  ]
  for (const { explanation, fields } of objects) {
    if (fields !== undefined) out.push('')
    out.push(...objectLines(explanation, colors))
    for (const field of fields ?? []) out.push(...fieldText(field, explanation.origin.path, colors))
    if (explanation.live !== undefined) out.push(...liveLines(explanation, colors))
  }
  return `${out.join('\n')}\n`
}

function objectLines(explanation: ObjectExplanation, colors: Palette): readonly string[] {
  const { key, apiVersion, origin, wave, hooks, live } = explanation
  const name = key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
  const title = `${apiVersionOf(key.group, versionOf(apiVersion))} ${key.kind} ${name}`
  const notes = [
    ...(wave === 0 ? [] : [`wave ${wave}`]),
    ...(hooks.length === 0 ? [] : [`${hooks.join(', ')} hook`]),
    ...(live === undefined ? [] : [live.status]),
    ...(live?.health === undefined ? [] : [live.health.status]),
  ]
  const where = formatPosition(origin)
  const tail = notes.length === 0 ? '' : `  ${colors.cyan(harmlessLine(notes.join(', ')))}`
  const out = [`  ${harmlessLine(title)}  ${colors.dim(where)}${tail}`]
  for (const input of origin.inputs ?? []) {
    out.push(`    ${colors.dim(harmlessLine(`shaped by ${input}`))}`)
  }
  return out
}

function fieldText(
  { path, value, causes }: ExplainedField,
  file: string,
  colors: Palette,
): readonly string[] {
  const name = harmlessLine(formatPath(path))
  const inline = inlineValue(value)
  const out =
    inline === undefined
      ? [`    ${name}:`, ...blockValue(value).map((line) => `      ${line}`)]
      : [`    ${name}: ${inline}`]
  const why = causes.map((cause) => colors.dim(`← ${causeText(cause, file)}`))
  const [only] = why
  if (inline !== undefined && only !== undefined && why.length === 1) {
    return [`    ${name}: ${inline}  ${only}`]
  }
  return [...out, ...why.map((line) => `      ${line}`)]
}

function liveLines({ live, origin }: ObjectExplanation, colors: Palette): readonly string[] {
  if (live === undefined) return []
  if (live.strategy === 'none') return [`    ${colors.yellow('not in the cluster')}`]
  return [...differenceLines(live, origin.path, colors), ...uncounted(live, colors)]
}

function differenceLines(live: LiveExplanation, file: string, colors: Palette): readonly string[] {
  return live.differences.flatMap((difference) => {
    const out = fieldLines(difference).map(
      ({ sign, text }) => `    ${colors.yellow(`${sign} ${text}`)}`,
    )
    for (const { manager, operation, subresource, time } of difference.owners) {
      const how = [operation, subresource === '' ? '' : `of ${subresource}`, time]
      const words = how.filter((word) => word !== '').join(', ')
      out.push(`      ${colors.dim(harmlessLine(`live value set by ${manager} (${words})`))}`)
    }
    for (const cause of difference.causes) {
      out.push(`      ${colors.dim(`← ${causeText(cause, file)}`)}`)
    }
    return out
  })
}

const equalledWords = {
  spelling: 'the same value, written differently',
  empty: 'an empty value, which Kubernetes leaves out',
  kind: 'equal by what holds for the kind',
  default: 'a default of Kubernetes 1.36',
} as const

function uncounted({ ignored, equalled }: LiveExplanation, colors: Palette): readonly string[] {
  const out: string[] = []
  for (const { because, paths } of ignored) {
    const why =
      because.type === 'rule'
        ? `${formatSource(because.rule.source)}: ${because.rule.text}`
        : `it belongs to ${because.manager}`
    for (const path of paths) out.push(`= ${path}: ignored, ${why}`)
  }
  for (const { path, because } of equalled) out.push(`= ${path}: ${equalledWords[because]}`)
  return out.map((line) => `    ${colors.dim(harmless(harmlessLine(line)))}`)
}
