import { isLitecdError, type LitecdError, positionAt, RenderError } from '@litecd/core/errors'
import { isObject, type Json, parseJsonAt } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { locate, parseYaml, splitYamlDocuments } from '@litecd/core/yaml'

export interface ObjectsRead {
  readonly objects: readonly Manifest[]
  /** What could not be read, each with its place. */
  readonly problems: readonly LitecdError[]
}

interface Document {
  readonly value: Json
  readonly line: number
  /** Of the document, for places inside it. */
  readonly text: string
}

/**
 * The objects of a stream of YAML or JSON documents, in its order; those of a List instead of the List. Documents that
 * cannot be read are problems, and the others are read all the same.
 */
export function readObjects(text: string, path: string): ObjectsRead {
  const objects: Manifest[] = []
  const problems: LitecdError[] = []
  const attempt = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      if (!isLitecdError(error)) throw error
      problems.push(error)
    }
  }
  const take = (document: Document): void => {
    if (document.value === null) return
    for (const found of objectsIn(document.value, [], {})) {
      attempt(() => objects.push(asManifest(found, document, path)))
    }
  }
  if (/^\s*\{/.test(text)) {
    attempt(() => {
      for (const document of jsonDocuments(text, path)) take(document)
    })
    return { objects, problems }
  }
  for (const piece of splitYamlDocuments(text)) {
    attempt(() => {
      if (piece.badSeparator !== undefined) {
        const line = piece.line + piece.text.split('\n').length - 1
        throw new RenderError(
          'YAML_INVALID',
          `invalid Yaml document separator: ${piece.badSeparator}`,
          { position: { path, line } },
        )
      }
      const value = parseYaml(piece.text, { path, line: piece.line, numbers: 'int64' })
      take({ value, line: piece.line, text: piece.text })
    })
  }
  return { objects, problems }
}

/** JSON values one after another, as kubectl reads and writes them. */
function* jsonDocuments(text: string, path: string): Generator<Document> {
  let offset = 0
  let line = 1
  let counted = 0
  for (;;) {
    const found = parseJsonAt(text, offset, (issue) => {
      throw new RenderError('JSON_INVALID', issue.message, {
        position: positionAt(path, text, issue.offset),
      })
    })
    if (found === undefined) return
    const start = Math.max(text.indexOf('{', offset), offset)
    for (; counted < start; counted++) if (text[counted] === '\n') line++
    yield { value: found.value, line, text: text.slice(start, found.end) }
    offset = found.end
  }
}

interface Found {
  readonly value: Json
  readonly steps: readonly (string | number)[]
}

/** Items of a typed list that come without a kind have that of the list. */
function objectsIn(
  value: Json,
  steps: readonly (string | number)[],
  missing: { readonly apiVersion?: string; readonly kind?: string },
): readonly Found[] {
  if (!isObject(value)) return [{ value, steps }]
  const { kind, apiVersion, items } = value
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    const own = kind.slice(0, -'List'.length)
    const given = own === '' || typeof apiVersion !== 'string' ? {} : { apiVersion, kind: own }
    return items.flatMap((item: Json, index) => objectsIn(item, [...steps, 'items', index], given))
  }
  return [{ value: { ...missing, ...value }, steps }]
}

function asManifest({ value, steps }: Found, document: Document, path: string): Manifest {
  const fail = (what: string): never => {
    const place = locate(document.text, steps)
    const line = document.line + (place?.line ?? 1) - 1
    throw new RenderError('MANIFEST_INVALID', what, {
      position: { path, line, ...(place?.column === undefined ? {} : { column: place.column }) },
      hint: 'Every document is a Kubernetes object or a List of them.',
    })
  }
  if (!isObject(value)) return fail('not an object')
  for (const field of ['apiVersion', 'kind'] as const) {
    const text = value[field]
    if (text === undefined || text === null || text === '') return fail(`${field} is missing`)
    if (typeof text !== 'string') return fail(`${field} must be a text`)
  }
  const metadata = value['metadata'] ?? {}
  if (!isObject(metadata)) return fail('metadata must be an object')
  for (const field of ['name', 'namespace']) {
    const text = metadata[field] ?? ''
    if (typeof text !== 'string') return fail(`metadata.${field} must be a text`)
  }
  return value as Manifest
}
