import { decodeText, joinPath } from '../../../files/index.ts'
import { isObject, type Json } from '../../../json/index.ts'
import type { Manifest } from '../../../kube/index.ts'
import { locate, locator } from '../../../yaml/index.ts'
import type { FieldCause, FieldTrace, RenderInput } from '../../types.ts'
import type { ChartRender, FieldRead, RenderedDocument, TemplateCause } from '../types.ts'

/** Texts of value files by the names under which they were rendered. */
export type ValueTexts = ReadonlyMap<string, string>

/** How values that stand in the Application are called. */
export const inlineName = '<values of the Application>'

const shownRoot = '<path to cached source>/'

/**
 * Where the fields of a manifest come from: the line of the template, then each value that it read with the file, or
 * the parameter, that set it. `piece` is the manifest's part of a document, `firstLine` where it begins in there.
 */
export function chartTrace(
  piece: { readonly text: string; readonly line: number },
  manifest: Manifest,
  document: RenderedDocument,
  result: ChartRender,
  texts: ValueTexts,
  input: RenderInput,
): FieldTrace {
  const placeOf = locator(piece.text)
  return {
    causesOf(path) {
      const place = placeOf(path, { exact: true })
      if (place === undefined) return []
      if (document.isCrd) {
        const position = {
          path: sourcePath(document.path, input),
          line: piece.line + place.line - 1,
          column: place.column,
        }
        return [{ kind: 'resource', text: 'as written', position }]
      }
      const found = result.causes(document, {
        path,
        line: piece.line + place.line - 1,
        column: place.column,
        lines: linesOf(piece.text, place.line, place.column, valueAt(manifest, path)),
      })
      return unique(
        found.flatMap((cause): readonly FieldCause[] => [
          {
            kind: 'template',
            text: templateText(cause),
            position: { path: sourcePath(cause.path, input), line: cause.line },
          },
          ...cause.reads.flatMap((read) => valueCause(read, texts, input)),
        ]),
      )
    },
  }
}

function templateText({ define, reads, conditions, calls }: TemplateCause): string {
  const inside = define === undefined ? '' : `define ${JSON.stringify(define)}: `
  const included = calls.map((name) => `include ${JSON.stringify(name)}`)
  const made = someOf([...reads.map(dotted), ...included]) || 'as written'
  return `${inside}${made}${conditions.length === 0 ? '' : ` if ${someOf(conditions.map(dotted))}`}`
}

function someOf(texts: readonly string[]): string {
  const names = [...new Set(texts)]
  return (names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names).join(', ')
}

/** `.Values.image.tag`, `.Values.list[0].name`, `.Values.map["a.b"]` */
function dotted({ path }: FieldRead): string {
  return path
    .map((step) => {
      if (/^\d+$/.test(step)) return `[${step}]`
      return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
    })
    .join('')
}

/** A template or values file of the chart or of a subchart, in the source tree. */
function sourcePath(path: string, input: RenderInput): string {
  return joinPath(input.path, path.slice(path.indexOf('/') + 1))
}

function valueCause(read: FieldRead, texts: ValueTexts, input: RenderInput): readonly FieldCause[] {
  const text = dotted(read)
  const [first] = read.path
  if (first === 'Release') return [{ kind: 'parameter', text }]
  if (first === 'Chart') {
    const path = sourcePath(`${read.chart}/Chart.yaml`, input)
    const [field = ''] = read.path.slice(1)
    const name =
      field === 'APIVersion' ? 'apiVersion' : field.charAt(0).toLowerCase() + field.slice(1)
    const bytes = input.tree.read(path)
    const line = bytes === undefined ? {} : lineIn(decodeText(bytes), [name])
    return [{ kind: 'values', text, position: { path, ...line } }]
  }
  if (first !== 'Values') return []
  const winner = read.from.at(-1)
  if (winner === undefined) return [{ kind: 'values', text: `${text} (not set)` }]
  if (winner.startsWith('--set')) {
    return [{ kind: 'parameter', text: `${text} (${winner.replace(/^--\S+ /, 'parameter ')})` }]
  }
  if (winner === inlineName) {
    return [{ kind: 'parameter', text: `${text} (values of the Application)` }]
  }
  const own = texts.get(winner)
  if (own !== undefined) {
    const path = winner.replace(shownRoot, '')
    return [{ kind: 'values', text, position: { path, ...lineIn(own, read.rootPath) } }]
  }
  // values.yaml of the chart or of a subchart: those of subcharts say less of the path
  const path = sourcePath(winner, input)
  const depth = winner.split('/charts/').length - 1
  const bytes = input.tree.read(path)
  const line = bytes === undefined ? {} : lineIn(decodeText(bytes), read.rootPath.slice(depth))
  return [{ kind: 'values', text, position: { path, ...line } }]
}

function lineIn(text: string, path: readonly string[]): { readonly line?: number } {
  const place = locate(text, path)
  return place === undefined ? {} : { line: place.line }
}

function valueAt(manifest: Manifest, path: readonly (string | number)[]): Json | undefined {
  let current: Json | undefined = manifest
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)]
    else if (isObject(current)) current = current[String(step)]
    else return undefined
  }
  return current
}

/** How many lines a value takes: those that are indented deeper follow a text, nothing else is asked for whole. */
function linesOf(text: string, line: number, column: number, value: Json | undefined): number {
  if (typeof value !== 'string' || !value.includes('\n')) return 1
  const lines = text.split('\n')
  let count = 1
  for (let i = line; i < lines.length; i++) {
    const indent = lines[i]!.length - lines[i]!.trimStart().length
    if (lines[i]!.trim() !== '' && indent < column) break
    count++
  }
  return count
}

function unique(causes: readonly FieldCause[]): readonly FieldCause[] {
  return [...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values()]
}
