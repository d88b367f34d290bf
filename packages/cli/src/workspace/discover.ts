import { type Application, readApplication, type SpecRemark } from '@litecd/core/argo'
import { isLitecdError, type LitecdError, type Position, SpecError } from '@litecd/core/errors'
import { decodeText, dirName, type FileTree, walkFiles } from '@litecd/core/files'
import { isObject, type Json } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { locate, parseYaml, splitYamlDocuments } from '@litecd/core/yaml'

/** An Argo CD object that stands in a file. */
export interface FoundManifest {
  readonly manifest: Manifest
  readonly position: Position
}

/** What a file holds of Argo CD's own kinds. */
export interface FileFindings {
  readonly applications: readonly FoundApplication[]
  readonly others: readonly FoundManifest[]
  readonly problems: readonly LitecdError[]
}

export interface FoundApplication {
  readonly app: Application
  readonly position: Position
  readonly remarks: readonly (SpecRemark & { readonly position: Position })[]
}

export interface FileWithFindings {
  readonly path: string
  readonly findings: FileFindings
}

const searched = new WeakMap<FileTree, readonly FileWithFindings[]>()
const nothing: FileFindings = { applications: [], others: [], problems: [] }
const group = 'argoproj.io/'

/**
 * Looks for Argo CD's own kinds in the manifests of a tree. Findings of files with equal content are kept across
 * trees, so that the second of two revisions costs only what differs.
 */
export class Discovery {
  private readonly kept = new Map<string, FileFindings>()
  private readonly marker = new TextEncoder().encode(group)

  private inspect(tree: FileTree, path: string): FileFindings {
    const id = tree.contentId?.(path)
    const key = id === undefined ? undefined : `${id} ${path}`
    const known = key === undefined ? undefined : this.kept.get(key)
    if (known !== undefined) return known
    const bytes = tree.read(path)
    const findings =
      bytes === undefined || !includes(bytes, this.marker)
        ? nothing
        : findIn(path, decodeText(bytes))
    if (key !== undefined) this.kept.set(key, findings)
    return findings
  }

  /** All files of a tree that hold something. A tree is searched once, whoever asks. */
  search(tree: FileTree): readonly FileWithFindings[] {
    const known = searched.get(tree)
    if (known !== undefined) return known
    const found: FileWithFindings[] = []
    for (const { path, entry } of walkFiles(tree, '', (folder) => !isSkippedFolder(tree, folder))) {
      if (entry.kind !== 'file' || !/\.(ya?ml|json)$/.test(entry.name)) continue
      const findings = this.inspect(tree, path)
      if (findings !== nothing) found.push({ path, findings })
    }
    searched.set(tree, found)
    return found
  }
}

function includes(bytes: Uint8Array, marker: Uint8Array): boolean {
  const first = marker[0]!
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let i = 1
    while (i < marker.length && bytes[at + i] === marker[i]) i++
    if (i === marker.length) return true
  }
  return false
}

/** Templates of a chart are no manifests, and dependencies of programs hold none. */
function isSkippedFolder(tree: FileTree, folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  if (name === 'node_modules' || name === '.git') return true
  return name === 'templates' && tree.entry(joinChart(dirName(folder)))?.kind === 'file'
}

function joinChart(dir: string): string {
  return dir === '' ? 'Chart.yaml' : `${dir}/Chart.yaml`
}

function findIn(path: string, text: string): FileFindings {
  const applications: FoundApplication[] = []
  const others: FoundManifest[] = []
  const problems: LitecdError[] = []
  for (const piece of splitYamlDocuments(text)) {
    if (!piece.text.includes(group)) continue
    let value: Json
    try {
      value = parseYaml(piece.text, { path, line: piece.line, numbers: 'int64' })
    } catch (error) {
      if (!isLitecdError(error)) throw error
      // A template or a document about Argo CD that is no YAML is nobody's Application.
      if (
        /^\s*kind:\s*["']?(Application|ApplicationSet|AppProject)["']?\s*$/m.test(piece.text) &&
        !piece.text.includes('{{')
      ) {
        problems.push(error)
      }
      continue
    }
    for (const manifest of objectsOf(value)) {
      const position = { path, line: firstLine(piece.text, piece.line) }
      if (manifest.kind !== 'Application') {
        others.push({ manifest, position })
        continue
      }
      if (!looksWhole(manifest)) continue
      const at = (steps: readonly (string | number)[]): Position => {
        const found = locate(piece.text, steps)
        if (found === undefined) return position
        return {
          path,
          line: piece.line + (found.line ?? 1) - 1,
          ...(found.column === undefined ? {} : { column: found.column }),
        }
      }
      try {
        const { application, remarks } = readApplication(manifest, position)
        applications.push({
          app: application,
          position,
          remarks: remarks.map((remark) => ({ ...remark, position: at(remark.path) })),
        })
      } catch (error) {
        if (!isLitecdError(error)) throw error
        const steps = error.data['path']
        problems.push(
          new SpecError(error.code, error.message, {
            position: Array.isArray(steps) ? at(steps as (string | number)[]) : position,
            hint: error.hint,
            cause: error,
          }),
        )
      }
    }
  }
  if (applications.length + others.length + problems.length === 0) return nothing
  return { applications, others, problems }
}

function firstLine(text: string, line: number): number {
  const lines = text.split('\n')
  const index = lines.findIndex(
    (each) => each.trim() !== '' && !each.startsWith('---') && !each.trimStart().startsWith('#'),
  )
  return line + Math.max(index, 0)
}

function objectsOf(value: Json): readonly Manifest[] {
  if (!isObject(value)) return []
  const items = value['items']
  if (value['kind'] === 'List' && Array.isArray(items))
    return items.flatMap((item: Json) => objectsOf(item))
  const { apiVersion } = value
  return typeof apiVersion === 'string' &&
    apiVersion.startsWith(group) &&
    typeof value['kind'] === 'string'
    ? [value as Manifest]
    : []
}

/** A patch for a Kustomize overlay names an Application without saying where it comes from. */
function looksWhole(manifest: Manifest): boolean {
  const { spec } = manifest
  if (!isObject(spec)) return spec !== undefined || !isObject(manifest['metadata'])
  return (
    ['source', 'sources', 'sourceHydrator'].some((field) => spec[field] !== undefined) ||
    spec['destination'] !== undefined
  )
}
