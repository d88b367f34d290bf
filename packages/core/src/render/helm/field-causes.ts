import {
  mapOf,
  type TracedPiece,
  type TracedRead,
  type TracedTemplate,
  type Value,
} from '../../lang/gotemplate/index.ts'
import type { RenderedFile } from './engine/index.ts'
import { pathInRoot, settersOf } from './trace.ts'
import type { FieldPlace, FieldRead, RenderOptions, TemplateCause } from './types.ts'
import type { ChartInstance } from './values/index.ts'

/** A part of an output. */
interface Span {
  readonly from: number
  readonly to: number
}

/** What made the field at `place` of a document that begins at `offset` of the file's output. */
export function fieldCauses(
  file: RenderedFile,
  text: string,
  offset: number,
  place: FieldPlace,
  options: RenderOptions,
): readonly TemplateCause[] {
  const trace = file.trace!
  const start = offsetOfLine(text, place.line)
  const end = endOfLine(text, offsetOfLine(text, place.line + place.lines - 1))
  const span = {
    from: rawOffset(trace.output, offset + start + place.column - 1),
    to: rawOffset(trace.output, offset + end),
  }
  const instances = instancesOf(file.template.instance)
  const readOf = (path: readonly string[]): readonly FieldRead[] => {
    const instance = instances.get(path[0]!)
    if (instance === undefined) return []
    const own = path.slice(1)
    // the whole context, or all values, say nothing
    if (own.length < 2) return []
    const chart = path[0]!
    if (own[0] !== 'Values') return [{ chart, path: own, rootPath: [], from: [] }]
    const rootPath = [...pathInRoot(instance), ...own.slice(1)]
    return [{ chart, path: own, rootPath, from: settersOf(instance, own.slice(1), options) }]
  }
  const found = linesOf(trace, span, place.path)
  return found.map(({ template, line, reads, conditions, calls }) => ({
    path: template.file,
    line,
    define: template.name === template.file ? undefined : template.name,
    reads: reads.flatMap(readOf),
    conditions: conditions.flatMap(readOf),
    calls,
  }))
}

function instancesOf(instance: ChartInstance): ReadonlyMap<string, ChartInstance> {
  let root = instance
  while (root.parent !== undefined) root = root.parent
  const out = new Map<string, ChartInstance>()
  const visit = (one: ChartInstance): void => {
    out.set(one.fullPath, one)
    for (const child of one.dependencies) visit(child)
  }
  visit(root)
  return out
}

function offsetOfLine(text: string, line: number): number {
  let at = 0
  for (let i = 1; i < line; i++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

const noValue = '<no value>'

/** An offset in an output as it was before `<no value>` was cut from it. */
function rawOffset(output: string, offset: number): number {
  let raw = offset
  for (let at = output.indexOf(noValue); at !== -1 && at <= raw; ) {
    raw += noValue.length
    at = output.indexOf(noValue, at + noValue.length)
  }
  return raw
}

/** One line of a template with the paths that it read. */
interface TracedLine {
  readonly template: TracedTemplate
  readonly line: number
  readonly reads: readonly (readonly string[])[]
  readonly conditions: readonly (readonly string[])[]
  readonly calls: readonly string[]
}

/** False for a text that `tpl` was given: what it reads counts for the line that calls it. */
function isFile(template: TracedTemplate): boolean {
  return template.file.includes('/')
}

/** What is known of a line while its pieces are gone through. */
class LineNotes {
  readonly reads = new Map<string, readonly string[]>()
  readonly conditions = new Map<string, readonly string[]>()
  readonly calls = new Set<string>()
}

/** Lines that made a part of an output, inner templates first. */
function linesOf(
  trace: TracedTemplate,
  span: Span,
  path: readonly (string | number)[],
): readonly TracedLine[] {
  const inner: TracedLine[] = []
  const notes = new Map<number, LineNotes>()
  for (const [i, piece] of trace.pieces.entries()) {
    const to = trace.pieces[i + 1]?.offset ?? trace.output.length
    const from = Math.max(piece.offset, span.from)
    if (to <= from || piece.offset >= span.to) continue
    const line = lineAt(trace.text, sourcePos(trace, piece, from))
    const own = notes.get(line) ?? new LineNotes()
    notes.set(line, own)
    const inside = linesInside(trace, piece, span, path)
    for (const one of inside) {
      if (isFile(one.template)) inner.push(one)
      else for (const read of one.reads) own.reads.set(read.join('\0'), read)
    }
    const isMadeInside = inside.some((one) => isFile(one.template))
    for (const read of readsOf(trace, piece, line)) {
      const narrow = narrowed(read, path)
      // what a named template is given for other lines than this one says nothing here
      const counts =
        !isMadeInside ||
        !piece.reads.has(read.path.join('\0')) ||
        narrow.length > read.path.length ||
        isShown(read.value, trace.output, span)
      if (counts) own.reads.set(narrow.join('\0'), narrow)
    }
    for (const [key, read] of conditionOf(trace, piece, line)) own.conditions.set(key, read.path)
    for (const called of piece.inner) if (isFile(called)) own.calls.add(called.name)
  }
  const lines = [...notes].map(([line, { reads, conditions, calls }]) => ({
    template: trace,
    line,
    reads: withoutPrefixes([...reads.values()]),
    conditions: withoutPrefixes([...conditions.values()]),
    calls: [...calls],
  }))
  return [...inner, ...lines]
}

/** The position in the template's text: text nodes are copied, so it can be told within them. */
function sourcePos(trace: TracedTemplate, piece: TracedPiece, offset: number): number {
  const copied = trace.output.slice(piece.offset, offset + 1)
  return trace.text.startsWith(copied, piece.pos) ? piece.pos + copied.length - 1 : piece.pos
}

function lineAt(text: string, pos: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i !== -1 && i < pos; i = text.indexOf('\n', i + 1)) line++
  return line
}

/** What was read for a piece: by itself, by the `with` and `range` around it, and by an `if` on the same line. */
function readsOf(trace: TracedTemplate, piece: TracedPiece, line: number): readonly TracedRead[] {
  const out = [...piece.reads.values()]
  for (let { block } = piece; block !== undefined; block = block.outer) {
    const decides = block.isCondition && lineAt(trace.text, block.pos) !== line
    if (!decides) out.push(...block.reads.values())
  }
  return out
}

/** What the nearest `if` on another line read. */
function conditionOf(
  trace: TracedTemplate,
  piece: TracedPiece,
  line: number,
): ReadonlyMap<string, TracedRead> {
  for (let { block } = piece; block !== undefined; block = block.outer) {
    if (block.isCondition && lineAt(trace.text, block.pos) !== line) return block.reads
  }
  return new Map()
}

/** Whether a part of an output shows a value that is no list and no map. */
function isShown(value: Value, output: string, { from, to }: Span): boolean {
  if (typeof value === 'boolean' || typeof value === 'object' || value === undefined) return false
  const text = String(value)
  return text !== '' && output.slice(from, to).includes(text)
}

/** The part of a value that a field shows, as far as the field's path goes on in the value. */
function narrowed(read: TracedRead, path: readonly (string | number)[]): readonly string[] {
  for (let start = 0; start < path.length; start++) {
    const rest = path.slice(start).map(String)
    if (has(read.value, rest)) return [...read.path, ...rest]
  }
  return read.path
}

function has(value: Value, path: readonly string[]): boolean {
  let current = value
  for (const step of path) {
    const map = mapOf(current)
    if (map !== undefined) {
      if (!map.has(step)) return false
      current = map.get(step)
    } else if (Array.isArray(current)) {
      if (!/^\d+$/.test(step) || Number(step) >= current.length) return false
      current = current[Number(step)] as Value
    } else return false
  }
  return true
}

/** Leaves out what is only the way to something else. */
function withoutPrefixes(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return paths.filter(
    (path) =>
      !paths.some(
        (other) => other.length > path.length && path.every((step, i) => step === other[i]),
      ),
  )
}

/** The lines of the templates that ran for a piece and gave the line at `span`, or a part of it. */
function linesInside(
  trace: TracedTemplate,
  piece: TracedPiece,
  span: Span,
  path: readonly (string | number)[],
): readonly TracedLine[] {
  if (piece.inner.length === 0) return []
  const { output } = trace
  const lineStart = output.lastIndexOf('\n', span.from - 1) + 1
  const wanted = output.slice(lineStart, endOfLine(output, span.from)).trim()
  // the same line may be there more than once: the order stays
  const before = trimmedLines(output.slice(piece.offset, Math.max(piece.offset, lineStart)))
  let skip = before.filter((line) => line === wanted).length
  for (const inner of piece.inner) {
    let at = 0
    for (const line of inner.output.split('\n')) {
      if (line.trim() === wanted && wanted !== '' && skip-- === 0) {
        const from = at + line.length - line.trimStart().length
        return linesOf(inner, { from, to: at + line.length }, path)
      }
      at += line.length + 1
    }
  }
  return piece.inner.flatMap((inner) => {
    const part = inner.output.trim()
    if (part === '' || part.includes('\n') || !wanted.includes(part)) return []
    const from = inner.output.indexOf(part)
    return linesOf(inner, { from, to: from + part.length }, path)
  })
}

function trimmedLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim())
}
