import type { Run } from './run.ts'
import type { Template } from './set.ts'
import { TypedMap, type Value } from './value.ts'

/** A value that a template looked at, by its path below what {@link Tracer.learn} was given. */
export interface TracedRead {
  readonly path: readonly string[]
  readonly value: Value
}

/** A part of an output: from `offset` on it was made by the node at `pos` of the template's text. */
export interface TracedPiece {
  readonly offset: number
  readonly pos: number
  /** What was read for it, by path. */
  readonly reads: Map<string, TracedRead>
  /** Templates that ran for it, in order. */
  readonly inner: TracedTemplate[]
  /** The `if`, `with` or `range` around it. */
  readonly block: TracedBlock | undefined
}

/** A branch or a round of a loop, with what was read to get into it. */
export interface TracedBlock {
  /** Where the block begins in the template's text. */
  readonly pos: number
  /** An `if`, whose reads decide and are not what is shown. */
  readonly isCondition: boolean
  readonly reads: ReadonlyMap<string, TracedRead>
  readonly outer: TracedBlock | undefined
}

/** One run of a template: a file, a define, or the text of an evaluation. */
export interface TracedTemplate {
  readonly name: string
  readonly file: string
  /** The whole text of the file: `pos` of pieces counts in it. */
  readonly text: string
  readonly pieces: readonly TracedPiece[]
  readonly output: string
}

interface Running {
  readonly template: Template
  readonly pieces: TracedPiece[]
  block: TracedBlock | undefined
}

const maxNotes = 2_000_000

/**
 * Notes what makes which part of outputs, and which values are looked at for it. Runs that have one are slower.
 *
 * Values are known by identity, so what is passed on in variables, lists and dicts keeps its path; copies do not.
 */
export class Tracer {
  private readonly paths = new WeakMap<object, readonly string[]>()
  private readonly variables = new WeakMap<object, Map<number, ReadonlyMap<string, TracedRead>>>()
  private readonly running: Running[] = []
  /** Reads while somebody collects them. */
  private readonly sinks: Map<string, TracedRead>[] = []
  private room = maxNotes
  /** The template that ended last at the outermost level. */
  finished: TracedTemplate | undefined

  /** Gives a value, and everything in it, a path. What has one keeps it. */
  learn(value: Value, path: readonly string[]): void {
    const map = value instanceof TypedMap ? value.map : value
    if (typeof value === 'object' && value !== null) {
      if (this.paths.has(value) || this.room-- <= 0) return
      this.paths.set(value, path)
    }
    if (map instanceof Map) {
      if (map !== value) this.paths.set(map, path)
      for (const [key, item] of map) this.learn(item, [...path, String(key)])
    } else if (Array.isArray(map)) {
      for (const [i, item] of map.entries()) this.learn(item, [...path, String(i)])
    }
  }

  /** Gives a value a path, but not what is in it. */
  name(value: object, path: readonly string[]): void {
    this.paths.set(value, path)
  }

  pathOf(value: Value): readonly string[] | undefined {
    return typeof value === 'object' && value !== null ? this.paths.get(value) : undefined
  }

  enter(template: Template): void {
    this.running.push({ template, pieces: [], block: undefined })
  }

  leave(output: string): void {
    const { template, pieces } = this.running.pop()!
    const { name, file, tree } = template
    const done: TracedTemplate = { name, file, text: tree.text, pieces, output }
    const outer = this.piece()
    if (outer !== undefined) outer.inner.push(done)
    else if (this.running.length === 0) this.finished = done
  }

  /** Forgets templates that an error has ended. */
  reset(): void {
    this.running.length = 0
    this.sinks.length = 0
    this.finished = undefined
  }

  /** From `offset` of its output on, the running template is at the node at `pos`. */
  at(offset: number, pos: number): void {
    const top = this.running.at(-1)
    if (top === undefined || this.room-- <= 0) return
    const { pieces, block } = top
    pieces.push({ offset, pos, reads: new Map(), inner: [], block })
  }

  /** `fields` were taken off `base`, one after the other, and gave `value`. False when the base has no path. */
  take(base: Value, fields: readonly string[], value: Value): boolean {
    const path = this.pathOf(base)
    if (path === undefined) return false
    if (path.length + fields.length > 0) this.add({ path: [...path, ...fields], value })
    return true
  }

  add(read: TracedRead): void {
    if (this.room-- <= 0) return
    const key = read.path.join('\0')
    this.piece()?.reads.set(key, read)
    for (const sink of this.sinks) sink.set(key, read)
  }

  /** What is read while `work` is done. */
  collect<T>(work: () => T): {
    readonly result: T
    readonly reads: ReadonlyMap<string, TracedRead>
  } {
    const reads = new Map<string, TracedRead>()
    this.sinks.push(reads)
    const result = work()
    this.sinks.pop()
    return { result, reads }
  }

  /** Runs the inside of a branch or of a round: what it makes depends on `reads`. */
  inside<T>(
    reads: ReadonlyMap<string, TracedRead>,
    isCondition: boolean,
    pos: number,
    work: () => T,
  ): T {
    const top = this.running.at(-1)
    if (top === undefined) return work()
    const outer = top.block
    top.block = { pos, isCondition, reads, outer }
    const result = work()
    top.block = outer
    return result
  }

  /** A variable got its value from `reads`. */
  assign(state: object, slot: number, reads: ReadonlyMap<string, TracedRead>): void {
    const own = this.variables.get(state) ?? new Map<number, ReadonlyMap<string, TracedRead>>()
    own.set(slot, reads)
    this.variables.set(state, own)
  }

  /** A variable is looked at. */
  use(state: object, slot: number): void {
    const reads = this.variables.get(state)?.get(slot)
    if (reads !== undefined) for (const read of reads.values()) this.add(read)
  }

  private piece(): TracedPiece | undefined {
    return this.running.at(-1)?.pieces.at(-1)
  }
}

/** The tracer of a run, where it has one. */
export function tracerOf(run: Run): Tracer | undefined {
  return run.notes instanceof Tracer ? run.notes : undefined
}
