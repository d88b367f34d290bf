import type { SetWarning } from '@litecd/core/appset'
import type { LitecdError, Position } from '@litecd/core/errors'
import type { Remark, Side } from './report.ts'

/** What the Applications of a side cannot be told from, and what became of its ApplicationSets. */
export class Unknowns {
  /** Applications and sets whose members cannot be told, by side. */
  readonly below: { readonly [side in Side]: Set<string> } = { base: new Set(), head: new Set() }
  /** Sets whose generators ask for what nothing here can tell, by what that is. */
  private readonly sets = new Map<
    string,
    { readonly names: string[]; readonly error: LitecdError; readonly position: Position }
  >()
  /** How many Applications each ApplicationSet makes, by side. */
  private readonly counts = new Map<
    string,
    { base?: number; head?: number; readonly position: Position }
  >()

  /** What is to be said about sets that work, by side. */
  private readonly warnings: { readonly [side in Side]: Map<string, Remark> } = {
    base: new Map(),
    head: new Map(),
  }

  /** Notes what somebody should know about a set that works. */
  warn(name: string, side: Side, warnings: readonly SetWarning[], position: Position): void {
    for (const { code, message, hint } of warnings) {
      const remark = { code, message: `${name}: ${message}`, hint, position }
      this.warnings[side].set(remark.message, remark)
    }
  }

  /** Notes how many Applications a set makes; undefined while that is not known. */
  count(name: string, side: Side, made: number | undefined, position: Position): void {
    const counts = this.counts.get(name) ?? { position }
    this.counts.set(name, counts)
    if (made !== undefined) counts[side] = made
  }

  noteSet(name: string, error: LitecdError, position: Position): void {
    const known = this.sets.get(error.message)
    if (known === undefined) this.sets.set(error.message, { names: [name], error, position })
    else known.names.push(name)
  }

  /** One remark for each thing that is not known, however many sets ask for it. */
  setRemarks(): readonly Remark[] {
    return [...this.unknownSets(), ...this.newWarnings()]
  }

  /** What was true before the change as well is not said. */
  private newWarnings(): readonly Remark[] {
    const { base, head } = this.warnings
    return [...head].filter(([message]) => !base.has(message)).map(([, remark]) => remark)
  }

  private unknownSets(): readonly Remark[] {
    return [...this.sets.values()].map(({ names, error, position }) => {
      const rest = names.length - shownSets
      const shown = names.slice(0, shownSets).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
      return {
        code: error.code,
        message: `the Applications of ${shown} are not in this report: ${error.message}`,
        ...hintFor(error),
        position,
      }
    })
  }

  remarks(hidden: number): readonly Remark[] {
    const { base, head } = this.below
    const out: Remark[] = []
    if (hidden > 0) {
      const count = hidden === 1 ? '1 Application is' : `${hidden} Applications are`
      out.push({
        code: 'RENDER_FAILED',
        message: `${count} not in this report, because what makes them fails after the change: ${[...head].join(', ')}`,
      })
    }
    const mended = [...base].filter((name) => !head.has(name))
    if (mended.length > 0) {
      out.push({
        code: 'RENDER_FAILED',
        message: `before this change ${mended.join(', ')} failed: what came from there is not known, and shown as new`,
      })
    }
    return out
  }

  /** Sets that made Applications before and make none now: all of them would be deleted. */
  emptiedSets(): readonly Remark[] {
    return [...this.counts].flatMap(([name, { base = 0, head, position }]) =>
      base > 0 && head === 0
        ? [
            {
              code: 'APPSET_EMPTY',
              message: `${name} made ${base} ${base === 1 ? 'Application' : 'Applications'} and makes none now: they and, unless the set preserves them, their objects are deleted`,
              position,
            },
          ]
        : [],
    )
  }
}

function hintFor(error: LitecdError): { readonly hint?: string } {
  if (error.data['generator'] === 'clusters') {
    return { hint: 'Say which clusters are registered: --clusters FILE.' }
  }
  if (typeof error.data['generator'] === 'string') {
    return { hint: 'Say what would be answered: --scm FILE.' }
  }
  return error.hint === undefined ? {} : { hint: error.hint }
}

const shownSets = 3
