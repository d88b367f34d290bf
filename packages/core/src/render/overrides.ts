import type { ApplicationSource } from '../argo/index.ts'
import { isLitecdError, RenderError } from '../errors/index.ts'
import { type FileTree, joinPath, readText } from '../files/index.ts'
import { isObject, type Json, type JsonObject, mergePatch } from '../json/index.ts'
import { parseYaml } from '../yaml/index.ts'

/**
 * `source` with `.argocd-source.yaml` and `.argocd-source-<app>.yaml` of its folder merged in.
 *
 * Parity: chart, path, repoURL and targetRevision stay as they are in the spec; ref, name and tagPrefix do not. `null`
 * removes nothing, because Argo CD decodes the patched text into the existing value.
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go mergeSourceParameters
 */
export function applyOverrides(
  tree: FileTree,
  path: string,
  source: ApplicationSource,
  appName: string,
): ApplicationSource {
  let merged = source as unknown as JsonObject
  for (const name of ['.argocd-source.yaml', `.argocd-source-${appName}.yaml`]) {
    const file = joinPath(path, name)
    if (tree.entry(file)?.kind !== 'file') continue
    const patch = readPatch(readText(tree, file) ?? '', file)
    merged = decodeInto(merged, patch) as JsonObject
  }
  if (merged === (source as unknown as JsonObject)) return source
  const restored: { [key: string]: Json } = { ...merged }
  for (const field of ['chart', 'path', 'repoURL', 'targetRevision'] as const) {
    if (source[field] === undefined) delete restored[field]
    else restored[field] = source[field]
  }
  return restored as unknown as ApplicationSource
}

function readPatch(text: string, file: string): JsonObject {
  const fail = (why: string, cause?: unknown): never => {
    throw new RenderError(
      'SPEC_INVALID',
      `error getting app source type: error while parsing source parameters: <path to cached source>/${file}: ${why}`,
      {
        position: (isLitecdError(cause) ? cause.position : undefined) ?? { path: file },
        hint: 'The file must hold a part of an Application source, such as `helm: {parameters: [...]}`.',
        cause,
      },
    )
  }
  let value: Json
  try {
    value = parseYaml(text, { path: file })
  } catch (error) {
    return fail(
      error instanceof Error ? error.message.replace(/^error converting YAML to JSON: /, '') : '',
      error,
    )
  }
  if (value === null) return fail('Invalid JSON Patch')
  if (Array.isArray(value)) {
    return fail('json: cannot unmarshal array into Go value of type v1alpha1.ApplicationSource')
  }
  if (!isObject(value)) return fail('Invalid JSON Patch')
  checkTypes(value, fail)
  return value
}

const textFields: { readonly [block: string]: readonly string[] } = {
  helm: ['releaseName', 'values', 'version', 'namespace', 'kubeVersion'],
  kustomize: ['namePrefix', 'nameSuffix', 'version', 'namespace', 'kubeVersion'],
  directory: ['include', 'exclude'],
}
const goNames: { readonly [block: string]: string } = {
  helm: 'ApplicationSourceHelm',
  kustomize: 'ApplicationSourceKustomize',
  directory: 'ApplicationSourceDirectory',
}

function checkTypes(patch: JsonObject, fail: (why: string) => never): void {
  for (const [block, fields] of Object.entries(textFields)) {
    const value = patch[block]
    if (!isObject(value)) continue
    for (const field of fields) {
      const found = value[field]
      if (found === undefined || found === null || typeof found === 'string') continue
      const kind = Array.isArray(found)
        ? 'array'
        : typeof found === 'object'
          ? 'object'
          : typeof found === 'boolean'
            ? 'bool'
            : 'number'
      fail(
        `json: cannot unmarshal ${kind} into Go struct field ${goNames[block]}.${block}.${field} of type string`,
      )
    }
  }
}

/** The merge patch, then decoding into the old value: keys that the patch removed keep their old value. */
function decodeInto(old: Json | undefined, patch: Json): Json {
  if (!isObject(old) || !isObject(patch)) {
    if (Array.isArray(old) && Array.isArray(patch)) return decodeList(old, patch)
    return patch
  }
  const result: { [key: string]: Json } = { ...old }
  for (const key of Object.keys(patch)) {
    const change = patch[key] as Json
    if (change === null) continue
    result[key] =
      key === 'valuesObject' ? mergePatch(old[key], change) : decodeInto(old[key], change)
  }
  return result
}

/** Go decodes list elements over the elements that were there, so fields that are not named survive. */
function decodeList(old: readonly Json[], patch: readonly Json[]): Json {
  return patch.map((item, index) => {
    const before = old[index]
    return isObject(item) && isObject(before) ? { ...before, ...item } : item
  })
}
