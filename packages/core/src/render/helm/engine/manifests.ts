import { isLitecdError, RenderError } from '../../../errors/index.ts'
import { compareStrings, isObject, type JsonObject } from '../../../json/index.ts'
import { trimSpace, trimSpaceLeft } from '../../../text/index.ts'
import { decodeYaml, type Shape } from '../chart/index.ts'
import type { RenderedFile } from './templates.ts'

/** One YAML document of a rendered file. */
export interface Document {
  /** Path of the template. */
  readonly path: string
  readonly text: string
  /** Where `text` starts in the output of the file. */
  readonly offset: number
  readonly kind: string
  readonly apiVersion: string
  readonly name: string
  /** Known hook names; undefined for what is no hook. */
  readonly hooks: readonly string[] | undefined
  readonly hookWeight: number
}

/** Documents in the order in which Helm prints them, hooks apart. */
export interface SortedDocuments {
  readonly manifests: readonly Document[]
  readonly hooks: readonly Document[]
  /** Values of `helm.sh/hook` that Helm does not know; the documents are left out. */
  readonly unknownHooks: readonly string[]
}

const installOrder = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]
const rank = new Map(installOrder.map((kind, index) => [kind, index]))

/** Known kinds in the order of installation, then the others by name; documents without a kind lead those. */
function sortByKind(documents: readonly Document[]): readonly Document[] {
  const unknown = installOrder.length
  const ranked = documents.map((document) => ({
    document,
    rank: rank.get(document.kind) ?? unknown,
  }))
  ranked.sort((a, b) =>
    a.rank === unknown && b.rank === unknown
      ? compareStrings(a.document.kind, b.document.kind)
      : a.rank - b.rank,
  )
  return ranked.map(({ document }) => document)
}

const hookNames = new Set([
  'pre-install',
  'post-install',
  'pre-delete',
  'post-delete',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'test',
])

const headShape: Shape = {
  type: 'struct',
  name: 'SimpleHead',
  go: 'util.SimpleHead',
  fields: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: {
      type: 'struct',
      name: '',
      go: 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }',
      fields: {
        name: { type: 'string' },
        annotations: { type: 'map', of: { type: 'string' }, go: 'map[string]string' },
      },
    },
  },
}

/**
 * Cuts rendered files into documents, reads their heads, tells hooks from manifests and sorts both.
 *
 * Throws YAML_INVALID `YAML parse error on PATH: …` for the first document that cannot be read.
 * Source: helm v4.2.1 pkg/release/v1/util
 */
export function sortDocuments(files: readonly RenderedFile[]): SortedDocuments {
  const manifests: Document[] = []
  const hooks: Document[] = []
  const unknownHooks: string[] = []
  for (const file of [...files].sort((a, b) => compareStrings(a.path, b.path))) {
    if (file.path.endsWith('NOTES.txt') || trimSpace(file.text) === '') continue
    for (const piece of splitDocuments(file.text)) {
      const document = readDocument(file.path, piece)
      if (typeof document === 'string') unknownHooks.push(document)
      else if (document.hooks === undefined) manifests.push(document)
      else hooks.push(document)
    }
  }
  return {
    manifests: sortByKind(manifests),
    hooks: sortByKind(hooks),
    unknownHooks,
  }
}

interface Piece {
  readonly text: string
  readonly offset: number
}

/** Helm's way to cut: white space around `---` at the start of a line goes with it, the end of the last piece stays. */
export function splitDocuments(text: string): readonly Piece[] {
  const start = text.length - trimSpaceLeft(text).length
  const body = text.slice(start)
  const pieces: Piece[] = []
  const add = (from: number, to: number): void => {
    const piece = body.slice(from, to)
    const trimmed = trimSpaceLeft(piece)
    if (trimmed !== '') pieces.push({ text: trimmed, offset: start + to - trimmed.length })
  }
  let from = 0
  for (const [at, end] of separators(body)) {
    add(from, at)
    from = end
  }
  add(from, body.length)
  return pieces
}

/** The matches of the separator; found by looking for `---`, since a pattern that starts with a run of space is slow. */
function* separators(body: string): Generator<readonly [number, number]> {
  let last = 0
  for (
    let dash = body.indexOf('---');
    dash !== -1;
    dash = body.indexOf('---', Math.max(dash + 1, last))
  ) {
    if (dash < last) continue
    if (dash > 0 && body[dash - 1] !== '\n') continue
    if (dash > 0 && dash - 1 < last) continue
    let at = dash > 0 ? dash - 1 : 0
    while (at > last && isSpace(body.charCodeAt(at - 1))) at--
    let end = dash + 3
    while (end < body.length && isSpace(body.charCodeAt(end))) end++
    yield [at, end]
    last = end
  }
}

/** RE2's `\s`. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c
}

function readDocument(path: string, piece: Piece): Document | string {
  const head = readHead(path, piece.text)
  const metadata = isObject(head['metadata']) ? head['metadata'] : {}
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const document = {
    path,
    text: piece.text,
    offset: piece.offset,
    kind: text(head['kind']),
    apiVersion: text(head['apiVersion']),
    name: text(metadata['name']),
  }
  const hook = annotations['helm.sh/hook']
  if (hook === undefined) return { ...document, hooks: undefined, hookWeight: 0 }
  const names = text(hook)
    .split(',')
    .map((name) => trimSpace(name).toLowerCase())
    .map((name) => (name === 'test-success' ? 'test' : name))
  if (!names.every((name) => hookNames.has(name))) return text(hook)
  const weight = text(annotations['helm.sh/hook-weight'])
  return { ...document, hooks: names, hookWeight: /^[+-]?\d+$/.test(weight) ? Number(weight) : 0 }
}

function readHead(path: string, text: string): JsonObject {
  try {
    return decodeYaml(text, headShape, path)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    throw new RenderError(error.code, `YAML parse error on ${path}: ${error.message}`, {
      position: error.position,
      cause: error,
    })
  }
}
