import { isLitecdError, type Position, positionAt, RenderError } from '../../errors/index.ts'
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonIssue,
  parseJsonAt,
} from '../../json/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { convertPrefix, parseYaml, splitYamlDocuments } from '../../yaml/index.ts'
import type { RenderedManifest } from '../types.ts'
import type { ManifestFile } from './select.ts'
import { documentTrace } from './trace.ts'

/**
 * The manifests of one YAML or JSON file.
 *
 * Parity: a YAML file of which nothing could be read is ignored unless it holds the words `apiVersion:`, `kind:` and
 * `metadata:`; a bad document after a good one is an error. A JSON file holds exactly one value.
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go getObjsFromYAMLOrJSON
 */
export function readManifests(
  file: ManifestFile,
  options: { readonly traceFields?: boolean | undefined } = {},
): readonly RenderedManifest[] {
  const found = file.name.endsWith('.json') ? readJsonFile(file) : readYamlFile(file)
  return found.map(({ text, position, ...rendered }) =>
    options.traceFields === true ? { ...rendered, trace: documentTrace(text, position) } : rendered,
  )
}

/** A manifest with its text and where that begins. */
interface Found extends RenderedManifest {
  readonly text: string
  readonly position: Position
}

function invalid(
  file: ManifestFile,
  why: string,
  options: { readonly offset?: number; readonly cause?: unknown; readonly hint?: string } = {},
): RenderError {
  const inner = isLitecdError(options.cause) ? options.cause : undefined
  const code = inner?.code ?? 'MANIFEST_INVALID'
  return new RenderError(code, `Failed to unmarshal "${file.name}": ${why}`, {
    position:
      inner?.position ??
      (options.offset === undefined
        ? { path: file.path }
        : positionAt(file.path, file.text, options.offset)),
    hint: options.hint ?? 'Correct the file, or leave it out with spec.source.directory.exclude.',
    data: preconditionFailed,
    cause: options.cause,
  })
}

/** Argo CD's renderer answers unreadable manifests with this status, and users see it in conditions. */
const preconditionFailed = { grpc: 'FailedPrecondition' } as const

/** What is wrong with a decoded value as a Kubernetes object, in apimachinery's words; undefined when nothing is. */
function objectIssue(value: Json, raw: () => string): string | undefined {
  if (!isObject(value)) {
    return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`
  }
  if (typeof value['kind'] !== 'string' || value['kind'] === '') {
    return `Object 'Kind' is missing in '${raw()}'`
  }
  const items = value['items']
  if (Array.isArray(items)) {
    for (const item of items) {
      if (!isObject(item)) return `items member is not an object: ${goType(item as Json)}`
    }
  }
  return undefined
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'number'
}

function goType(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

function readJsonFile(file: ManifestFile): readonly Found[] {
  const fail = (issue: JsonIssue): never => {
    throw new RenderError('JSON_INVALID', `Failed to unmarshal "${file.name}": ${issue.message}`, {
      position: positionAt(file.path, file.text, issue.offset),
      hint: 'Correct the JSON, or leave the file out with spec.source.directory.exclude.',
      data: preconditionFailed,
    })
  }
  const first = parseJsonAt(file.text, 0, fail)
  if (first === undefined) throw invalid(file, 'EOF', { offset: 0 })
  const raw = file.text.slice(0, first.end).trimStart()
  const issue = objectIssue(first.value, () => raw)
  if (issue !== undefined && !looksLikeOciManifest(first.value)) {
    throw invalid(file, issue, { offset: file.text.length - file.text.trimStart().length })
  }
  if (file.text.slice(first.end).trim() !== '') {
    throw new RenderError(
      'MANIFEST_INVALID',
      `Found multiple objects in "${file.name}". Only single objects are allowed in JSON files.`,
      {
        position: positionAt(file.path, file.text, first.end),
        hint: 'Put each object into a file of its own, or into one List.',
        data: preconditionFailed,
      },
    )
  }
  // Parity: null decodes as an empty OCI manifest and then fails where tracking shows that it has no kind.
  const manifest = (first.value === null ? {} : first.value) as Manifest
  const { text, path } = file
  return [{ manifest, origin: { path, line: 1 }, text, position: { path } }]
}

const ociFields: { readonly [field: string]: (value: Json) => boolean } = {
  schemaVersion: (value) => typeof value === 'number',
  mediaType: (value) => typeof value === 'string',
  artifactType: (value) => typeof value === 'string',
  config: isObject,
  layers: (value) =>
    Array.isArray(value) && value.every((layer) => layer === null || isObject(layer)),
  subject: isObject,
  annotations: (value) =>
    isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
}

/**
 * Parity: a JSON object without kind is accepted when it would decode as an OCI manifest, that is when no field of
 * that structure has another type. Such an object fails later, in the controller.
 */
function looksLikeOciManifest(value: Json): boolean {
  if (value === null) return true
  if (!isObject(value)) return false
  return Object.entries(ociFields).every(([field, fits]) => {
    const found = value[field]
    return found === undefined || found === null || fits(found)
  })
}

function readYamlFile(file: ManifestFile): readonly Found[] {
  const out: Found[] = []
  try {
    for (const item of readStream(file)) out.push(item)
  } catch (error) {
    if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
    const meant =
      out.length > 0 ||
      ['apiVersion:', 'kind:', 'metadata:'].every((word) => file.text.includes(word))
    if (!meant) return []
    throw invalid(file, `failed to unmarshal manifest: ${error.message}`, { cause: error })
  }
  return out
}

/** Documents one by one; throws at the first that cannot be read, with the words of Kubernetes' decoder. */
function* readStream(file: ManifestFile): Generator<Found> {
  let start = 0
  if (/^\s*\{/.test(file.text)) {
    // A stream that begins with '{' is read as JSON values until that fails, then as YAML.
    for (let count = 0; ; count++) {
      let next: { readonly value: Json; readonly end: number } | undefined
      try {
        next = parseJsonAt(file.text, start, (issue) => {
          throw new RenderError('JSON_INVALID', `json: offset ${issue.offset}: ${issue.message}`, {
            position: positionAt(file.path, file.text, issue.offset),
          })
        })
      } catch (error) {
        if (count > 1) throw error
        const rest = yamlDocuments(file, start)
        const first = rest.next()
        if (first.done === true) return
        yield first.value
        yield* rest
        return
      }
      if (next === undefined) return
      const offset =
        start + (file.text.slice(start).length - file.text.slice(start).trimStart().length)
      const manifest = toManifest(next.value, file.text.slice(offset, next.end), file, offset)
      start = next.end
      if (manifest !== undefined) yield manifest
    }
  }
  yield* yamlDocuments(file, start)
}

function* yamlDocuments(file: ManifestFile, from: number): Generator<Found> {
  const before = positionAt(file.path, file.text, from).line ?? 1
  for (const piece of splitYamlDocuments(from === 0 ? file.text : file.text.slice(from))) {
    const line = before + piece.line - 1
    if (piece.badSeparator !== undefined) {
      throw new RenderError(
        'YAML_INVALID',
        `invalid Yaml document separator: ${piece.badSeparator}`,
        {
          position: { path: file.path, line: line + piece.text.split('\n').length - 1 },
          hint: 'Put nothing but a comment behind ---.',
        },
      )
    }
    const value = parseYaml(piece.text, {
      path: file.path,
      line,
      prefix: convertPrefix,
      numbers: 'int64',
    })
    if (value === null) continue
    const issue = objectIssue(value, () => canonicalJson(value))
    if (issue !== undefined) {
      throw new RenderError(
        'MANIFEST_INVALID',
        `error unmarshaling JSON: while decoding JSON: ${issue}`,
        { position: { path: file.path, line } },
      )
    }
    const position = { path: file.path, line }
    yield { manifest: value as Manifest, origin: position, text: piece.text, position }
  }
}

function toManifest(
  value: Json,
  raw: string,
  file: ManifestFile,
  offset: number,
): Found | undefined {
  if (value === null) return undefined
  const position = positionAt(file.path, file.text, offset)
  const issue = objectIssue(value, () => raw)
  if (issue !== undefined) throw new RenderError('MANIFEST_INVALID', issue, { position })
  return {
    manifest: value as Manifest,
    origin: { path: file.path, ...(position.line === undefined ? {} : { line: position.line }) },
    text: raw,
    position,
  }
}
