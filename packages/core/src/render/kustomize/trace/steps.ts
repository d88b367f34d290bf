import type { Position } from '../../../errors/index.ts'
import { isObject, type Json } from '../../../json/index.ts'
import { locate } from '../../../yaml/index.ts'
import type { FieldCause } from '../../types.ts'
import { pathInPatch } from './elements.ts'

/** One thing that happens to objects while they are built. */
export interface Step {
  /** What the step is to the value that it wrote at `path` of `object`, as it left it. */
  causeOf(path: readonly (string | number)[], object: Json): FieldCause
}

type Kind = FieldCause['kind']

function cause(kind: Kind, text: string, position?: Position): FieldCause {
  return position === undefined ? { kind, text } : { kind, text, position }
}

/** A place in a document that begins on `line` of a file. */
function placeIn(
  text: string,
  file: string,
  line: number,
  path: readonly (string | number)[],
  exact: boolean,
): Position | undefined {
  const place = locate(text, path, { exact })
  return place && { path: file, line: line + place.line - 1, column: place.column }
}

/** A step that always stands at the same place. */
export function stepAt(kind: Kind, text: string, position?: Position): Step {
  return { causeOf: () => cause(kind, text, position) }
}

/** The object as a document of a file writes it; `text` is the file, the document begins on `line`. */
export function documentStep(text: string, file: string, line: number | undefined): Step {
  const own = line === undefined ? undefined : documentFrom(text, line)
  return {
    causeOf: (path) => {
      const found = own === undefined ? undefined : placeIn(own, file, line!, path, true)
      return cause('resource', 'as written', found ?? startOf(file, line))
    },
  }
}

function startOf(file: string, line: number | undefined): Position {
  return line === undefined ? { path: file } : { path: file, line }
}

function documentFrom(text: string, line: number): string {
  const rest = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .slice(line - 1)
  const end = rest.findIndex((one, i) => i > 0 && one.startsWith('---'))
  return (end === -1 ? rest : rest.slice(0, end)).join('\n')
}

/** A field of a kustomization file, such as `images[0]`. */
export function fieldStep(
  kind: Kind,
  text: string,
  file: { readonly path: string; readonly text: string },
  field: readonly (string | number)[],
): Step {
  return {
    causeOf: () => cause(kind, text, placeIn(file.text, file.path, 1, field, false)),
  }
}

export interface PatchDocument {
  readonly text: string
  readonly file: string
  readonly line: number
  readonly value: Json
}

/** A patch that merges; `fallback` is where it is named. */
export function mergeStep(
  text: string,
  documents: () => readonly PatchDocument[],
  fallback: Position | undefined,
): Step {
  return {
    causeOf: (path, object) => {
      for (const document of documents()) {
        const inside = pathInPatch(object, document.value, path)
        if (inside === undefined) continue
        const { text: own, file, line } = document
        const found = placeIn(own, file, line, inside, true)
        if (found !== undefined) return cause('patch', text, found)
      }
      return cause('patch', text, fallback)
    },
  }
}

/** A patch of operations in a file: the last one that writes at or above the path. */
export function operationsStep(
  text: string,
  patch: () => { readonly text: string; readonly file: string; readonly operations: Json },
  fallback: Position | undefined,
): Step {
  return {
    causeOf: (path) => {
      const { text: own, file, operations } = patch()
      const at = lastWriter(operations, path)
      const found = at === -1 ? undefined : placeIn(own, file, 1, [at], true)
      return cause('patch', text, found ?? fallback)
    },
  }
}

function lastWriter(operations: Json, path: readonly (string | number)[]): number {
  if (!Array.isArray(operations)) return -1
  const wanted = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
  return (operations as readonly Json[]).findLastIndex((operation) => {
    const target = isObject(operation) ? operation['path'] : undefined
    return typeof target === 'string' && covers(target.split('/').slice(1), wanted)
  })
}

function covers(target: readonly string[], path: readonly string[]): boolean {
  return target.every(
    (part, i) => part === path[i] || (part === '-' && /^\d+$/.test(path[i] ?? '')),
  )
}
