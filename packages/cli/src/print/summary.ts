import type { ObjectChange } from '@litecd/core/app'
import type { Report } from '../workspace/report.ts'

export interface Counts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

export function countObjects(objects: readonly ObjectChange[]): Counts {
  const of = (kind: ObjectChange['change']): number =>
    objects.filter((object) => object.change === kind).length
  return { added: of('added'), changed: of('changed'), removed: of('removed') }
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `3 of 12 Applications change: 4 objects added, 2 changed, 1 removed` */
export function summaryLine(report: Report): string {
  const total = report.applications.length + report.unchanged
  const failed = report.applications.filter(({ preview }) => preview.change === 'failed').length
  const changing = report.applications.length - failed
  const counts = countObjects(report.applications.flatMap(({ preview }) => preview.objects))
  const broken = failed + report.problems.length
  const tail = broken > 0 ? `; ${plural(broken, 'problem')}` : ''
  if (total === 0 && report.problems.length === 0) return 'No Applications found.'
  if (changing === 0) {
    return `None of ${plural(total, 'Application')} changes${tail}.`
  }
  return (
    `${changing} of ${plural(total, 'Application')} ${changing === 1 ? 'changes' : 'change'}: ` +
    `${plural(counts.added, 'object')} added, ${counts.changed} changed, ${counts.removed} removed${tail}.`
  )
}

export function sideName(side: Report['base']): string {
  return `${side.name} (${side.commit.slice(0, 8)})`
}
