import type { AppReport, Report } from '../workspace/report.ts'
import { plural } from './summary.ts'

/** An Application that the head has no more, and what goes with it. */
export interface Departure {
  readonly name: string
  /** False where the change alone does not delete it; `cause` then says what it takes. */
  readonly certain: boolean
  readonly cause: string
  /** Objects that go with it, hooks aside; 0 where they stay. */
  readonly objects: number
  /** Of these, those that hold data or other objects, by kind. */
  readonly weighty: { readonly [kind: string]: number }
  /** Whether objects go with it that nobody knows here, as it could not be rendered. */
  readonly unknown: boolean
  /** Objects that stay in the cluster without an owner. */
  readonly kept: number
}

/** Applications that come and go. */
export interface Turnover {
  readonly added: number
  readonly departures: readonly Departure[]
}

/** Kinds whose end is the end of more than themselves. */
const weightyKinds: ReadonlySet<string> = new Set([
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Namespace',
  'CustomResourceDefinition',
  'StatefulSet',
])

export function turnoverOf({ applications }: Report): Turnover {
  return {
    added: applications.filter(({ preview }) => preview.change === 'added').length,
    departures: applications
      .filter(({ preview }) => preview.change === 'removed')
      .map((report) => departureOf(report)),
  }
}

function departureOf({ preview, plan, reasons }: AppReport): Departure {
  const { name } = preview
  if (plan === undefined || 'failure' in plan || plan.plan.kind !== 'deletion') {
    const kinds = preview.objects.map(({ key }) => key.kind)
    const cause = reasons[0] ?? ''
    const objects = kinds.length
    return { name, certain: true, cause, objects, weighty: weigh(kinds), unknown: false, kept: 0 }
  }
  const { cascades, certain, cause, steps, kept } = plan.plan
  const kinds = cascades ? steps.flatMap(({ tasks }) => tasks.map(({ key }) => key.kind)) : []
  return {
    name,
    certain,
    cause,
    objects: kinds.length,
    weighty: weigh(kinds),
    unknown: cascades && preview.failedBefore === true,
    kept: kept.length,
  }
}

function weigh(kinds: readonly string[]): { readonly [kind: string]: number } {
  const out: { [kind: string]: number } = {}
  for (const kind of [...kinds].sort()) {
    if (weightyKinds.has(kind)) out[kind] = (out[kind] ?? 0) + 1
  }
  return out
}

/**
 * `This change adds 3 Applications, deletes 1 (and with it 14 objects, one PersistentVolumeClaim among them).`; undefined
 * where none comes or goes.
 */
export function turnoverLine({ added, departures }: Turnover): string | undefined {
  const parts: string[] = []
  let isFirst = true
  const count = (number: number): string => {
    const text = isFirst ? plural(number, 'Application') : String(number)
    isFirst = false
    return text
  }
  if (added > 0) parts.push(`adds ${count(added)}`)
  const gone = departures.filter(({ certain }) => certain)
  if (gone.length > 0) parts.push(`deletes ${count(gone.length)} (${lossText(gone, 'and with')})`)
  const left = departures.filter(({ certain }) => !certain)
  if (left.length > 0) {
    parts.push(
      `leaves ${count(left.length)} for somebody to delete (${lossText(left, 'which takes with')})`,
    )
  }
  return parts.length === 0 ? undefined : `This change ${parts.join(', ')}.`
}

function lossText(departures: readonly Departure[], verb: string): string {
  const objects = departures.reduce((sum, one) => sum + one.objects, 0)
  const unknown = departures.some((one) => one.unknown)
  const them = departures.length === 1 ? 'it' : 'them'
  if (objects === 0) {
    if (unknown) return `${verb} ${them} objects that are not known here`
    return departures.length === 1 ? 'its objects stay' : 'their objects stay'
  }
  const kinds = weigh(
    departures.flatMap(({ weighty }) =>
      Object.entries(weighty).flatMap(([kind, count]) => Array<string>(count).fill(kind)),
    ),
  )
  const among = Object.entries(kinds).map(([kind, count]) =>
    count === 1 ? `one ${kind}` : `${count} ${kind}s`,
  )
  const tail = among.length === 0 ? '' : `, ${among.join(' and ')} among them`
  const more = unknown ? ', and others that are not known here' : ''
  return `${verb} ${them} ${plural(objects, 'object')}${tail}${more}`
}

const shownDepartures = 10

/**
 * What has to be seen before anything else: ApplicationSets that go from many Applications to none, and Applications that
 * are deleted with their objects.
 */
export function warningsOf(report: Report): readonly string[] {
  const emptied = report.remarks.filter(isEmptied).map(({ message }) => message)
  const gone = turnoverOf(report).departures.filter(
    ({ objects, certain, unknown }) => certain && (objects > 0 || unknown),
  )
  const rest = gone.length - shownDepartures
  return [
    ...emptied,
    ...gone
      .slice(0, shownDepartures)
      .map(
        ({ name, objects, unknown, cause, weighty }) =>
          `Application ${name} is deleted, and ${unknown ? 'objects that are not known here' : plural(objects, 'object')} with it${weightText(weighty)}: ${cause}`,
      ),
    ...(rest > 0
      ? [`${plural(rest, 'more Application')} ${rest === 1 ? 'is' : 'are'} deleted`]
      : []),
  ]
}

function weightText(weighty: Departure['weighty']): string {
  const kinds = Object.entries(weighty)
  return kinds.length === 0
    ? ''
    : ` (${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')})`
}

/** True for a remark that stands among the warnings. */
export function isEmptied({ code }: Report['remarks'][number]): boolean {
  return code === 'APPSET_EMPTY'
}
