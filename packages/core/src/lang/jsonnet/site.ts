import { quoteGo } from '../../text/index.ts'
import type { Source } from './source.ts'

/** A place in a program that can fail or start an evaluation, and what surrounds it. */
export class Site {
  readonly source: Source | undefined
  readonly begin: number
  readonly end: number
  readonly context: string

  constructor(source: Source | undefined, begin: number, end: number, context: string) {
    this.source = source
    this.begin = begin
    this.end = end
    this.context = context
  }

  toString(): string {
    return this.source === undefined ? '' : this.source.range(this.begin, this.end)
  }
}

/** A line of a stack trace that names a phase, or a place in go-jsonnet's own library. */
export class Phase {
  readonly label: string
  readonly context: string

  constructor(label: string, context = '') {
    this.label = label
    this.context = context
  }
}

/** What go-jsonnet shows where it has made up code of its own: a blank line. */
export const nowhere: Site = new Site(undefined, 0, 0, '')

/**
 * From where an evaluation was started: a place, a phase, or what is being manifested (the name of a field, the index
 * of an element).
 */
export type Caller = Site | Phase | string | number

/** A line of a stack trace as go-jsonnet prints it. */
export function traceLine(caller: Caller): string {
  if (typeof caller === 'string') return `\tField ${quoteGo(caller)}\t`
  if (typeof caller === 'number') return `\tArray element ${caller}\t`
  if (caller instanceof Phase) return `\t${caller.label}\t${caller.context}`
  return `\t${caller.toString()}\t${caller.context}`
}
