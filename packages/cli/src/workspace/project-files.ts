import type { AppProject } from '@litecd/core/argo'
import { isLitecdError, type LitecdError } from '@litecd/core/errors'
import { type FileTree, readText, walkFiles } from '@litecd/core/files'
import { isObject, type Json } from '@litecd/core/json'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { parseYaml, splitYamlDocuments } from '@litecd/core/yaml'
import { Discovery } from './discover.ts'
import { asProject, isProject } from './projects.ts'

/** What decides about permissions: AppProjects, and the settings of Argo CD. */
export interface ProjectRules {
  readonly projects: ReadonlyMap<string, AppProject>
  /** `data` of argocd-cm; undefined where nobody has said. */
  readonly argocdCm: { readonly [key: string]: string } | undefined
}

const settingsName = 'argocd-cm'

/** The rules that stand in the files of a tree. A project that is there twice counts as the first of its files has it. */
export function rulesOf(tree: FileTree): ProjectRules {
  const projects = new Map<string, AppProject>()
  for (const { findings } of new Discovery().search(tree)) {
    for (const { manifest } of findings.others) {
      if (isProject(manifest) && !projects.has(nameOf(manifest))) {
        projects.set(nameOf(manifest), asProject(manifest))
      }
    }
  }
  return { projects, argocdCm: settingsIn(tree) }
}

/** The same with what the documents of a text replace. Undefined where they replace nothing. */
export function replacedRules(
  before: ProjectRules,
  text: string,
  path: string,
): ProjectRules | undefined {
  const projects = new Map(before.projects)
  let { argocdCm } = before
  let count = 0
  for (const manifest of manifestsOf(text, path, (error) => {
    throw error
  })) {
    if (isProject(manifest)) projects.set(nameOf(manifest), asProject(manifest))
    else if (isSettings(manifest)) argocdCm = dataOf(manifest)
    else continue
    count++
  }
  return count === 0 ? undefined : { projects, argocdCm }
}

function settingsIn(tree: FileTree): ProjectRules['argocdCm'] {
  for (const { path, entry } of walkFiles(tree, '', () => true)) {
    if (entry.kind !== 'file' || !/\.(ya?ml|json)$/.test(entry.name)) continue
    const text = readText(tree, path) ?? ''
    if (!text.includes(settingsName) || !text.includes('ConfigMap')) continue
    // templates and broken files are nobody's settings
    for (const manifest of manifestsOf(text, path, () => {})) {
      if (isSettings(manifest) && isObject(manifest['data'])) return dataOf(manifest)
    }
  }
  return undefined
}

function* manifestsOf(
  text: string,
  path: string,
  onError: (error: LitecdError) => void,
): Generator<Manifest> {
  for (const piece of splitYamlDocuments(text)) {
    let value: Json
    try {
      value = parseYaml(piece.text, { path, line: piece.line, numbers: 'int64' })
    } catch (error) {
      if (!isLitecdError(error)) throw error
      onError(error)
      continue
    }
    yield* objectsOf(value)
  }
}

function* objectsOf(value: Json): Generator<Manifest> {
  if (!isObject(value)) return
  const { items, kind, apiVersion } = value
  if (kind === 'List' && Array.isArray(items)) {
    for (const item of items) yield* objectsOf(item as Json)
  } else if (typeof kind === 'string' && typeof apiVersion === 'string') yield value as Manifest
}

function isSettings(manifest: Manifest): boolean {
  return (
    manifest.kind === 'ConfigMap' &&
    manifest.apiVersion === 'v1' &&
    nameOf(manifest) === settingsName
  )
}

function dataOf(manifest: Manifest): { readonly [key: string]: string } {
  const { data } = manifest
  if (!isObject(data)) return {}
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value)]))
}
