// Reads the cases recorded from a real Argo CD (corpus/argocd, described in its FORMAT.md).
// Shared by the pure tests of this folder and by the runner in test/parity; it only reads files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { load } from 'js-yaml'

/** The cases that are part of this repository. */
export const corpusFolder: string = fileURLToPath(
  new URL('../../../../corpus/argocd/', import.meta.url),
)

/** Text, bytes (`!!binary`), an object, or several documents. `symlink:TARGET` makes a link, null deletes. */
export type FileContent = Json | Uint8Array
export type Files = { readonly [path: string]: FileContent }

export interface Commit {
  readonly files: Files
  readonly tag?: string
  readonly annotatedTag?: string
  /** Checked out before the commit, made from where HEAD is when it is new; HEAD stays on it. */
  readonly branch?: string
}

export type Step =
  | { readonly verb: 'apply' | 'create'; readonly objects: readonly JsonObject[] }
  | { readonly verb: 'commit'; readonly commit: Commit }
  | { readonly verb: 'refresh'; readonly app: string; readonly hard: boolean }
  | { readonly verb: 'sync'; readonly app: string; readonly operation: JsonObject }
  | { readonly verb: 'terminate'; readonly app: string }
  | {
      readonly verb: 'patch'
      readonly object: JsonObject
      readonly merge: JsonObject
      readonly subresource?: string
    }
  | { readonly verb: 'delete'; readonly object: JsonObject; readonly policy?: string }
  | { readonly verb: 'settings'; readonly settings: Settings }
  | { readonly verb: 'sleep'; readonly seconds: number }

/** ConfigMap name → key → value. */
export type Settings = { readonly [configMap: string]: { readonly [key: string]: string } }

export interface Beat {
  readonly steps: readonly Step[]
  /** Undefined: nothing is recorded after this beat. */
  readonly record?: string
  /** A fixed wait in seconds instead of settling. */
  readonly for?: number
  /** A running operation counts as settled. */
  readonly running: boolean
  /** Seconds without a change that count as settled. */
  readonly quiet?: number
  /** Seconds after which one records even if nothing has settled. */
  readonly limit?: number
}

export interface RecordedBeat {
  readonly beat: string
  readonly [part: string]: Json
}

export interface ParityCase {
  /** `AREA/NAME` */
  readonly name: string
  readonly path: string
  readonly about: string
  readonly settings: Settings
  readonly charts: { readonly [folder: string]: Files }
  readonly web: Files
  readonly commits: readonly Commit[]
  readonly objects: readonly JsonObject[]
  readonly makeNamespace: boolean
  readonly diff: boolean
  readonly specs: boolean
  readonly pods: boolean
  readonly projects: boolean
  readonly annotations: boolean
  readonly events: 'each' | 'distinct' | 'none'
  readonly same: readonly (readonly [RegExp, string])[]
  readonly alone: boolean
  readonly beats: readonly Beat[]
  /** What Argo CD answered, one entry for each recorded beat. */
  readonly want: readonly RecordedBeat[]
}

class CaseError extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`)
  }
}

/** Case files below a folder (or the one file given), in name order. */
export function findCases(folder: string): readonly string[] {
  if (!statSync(folder).isDirectory()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('.want.yaml'))
    .filter((name) => existsSync(join(folder, name.replace(/\.yaml$/, '.want.yaml'))))
    .sort()
    .map((name) => join(folder, name))
}

function onlyKnown(path: string, what: string, map: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(map)) {
    if (!known.includes(key)) throw new CaseError(path, `unknown key ${key} in ${what}`)
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as Json]
}

function readCommit(path: string, raw: JsonObject): Commit {
  if (!isObject(raw['files'])) return { files: raw as Files }
  onlyKnown(path, 'a commit', raw, ['files', 'tag', 'branch'])
  const { files, tag, branch } = raw
  return {
    files: files as Files,
    ...(typeof tag === 'string' ? { tag } : {}),
    ...(isObject(tag) ? { annotatedTag: tag['annotated'] as string } : {}),
    ...(typeof branch === 'string' ? { branch } : {}),
  }
}

function readSteps(path: string, verb: string, value: Json): readonly Step[] {
  switch (verb) {
    case 'apply':
    case 'create':
      return [{ verb, objects: value as readonly JsonObject[] }]
    case 'commit':
      return [{ verb, commit: readCommit(path, value as JsonObject) }]
    case 'refresh':
      return listOf(value).map((entry) => {
        const [app, how] = (entry as string).split(' ')
        if (how !== undefined && how !== 'hard') throw new CaseError(path, `refresh ${how}`)
        return { verb, app: app!, hard: how === 'hard' }
      })
    case 'sync': {
      const { app, ...operation } = value as JsonObject
      onlyKnown(path, 'sync', operation, ['sync', 'retry', 'info'])
      return [{ verb, app: app as string, operation }]
    }
    case 'terminate':
      return [{ verb, app: value as string }]
    case 'patch':
      return listOf(value).map((entry) => {
        const raw = entry as JsonObject
        onlyKnown(path, 'patch', raw, ['object', 'merge', 'subresource'])
        const { object, merge, subresource } = raw
        return {
          verb,
          object: object as JsonObject,
          merge: merge as JsonObject,
          ...(subresource === undefined ? {} : { subresource: subresource as string }),
        }
      })
    case 'delete':
      return listOf(value).map((entry) => {
        const { policy, ...object } = entry as JsonObject
        return { verb, object, ...(policy === undefined ? {} : { policy: policy as string }) }
      })
    case 'settings':
      return [{ verb, settings: value as unknown as Settings }]
    case 'sleep':
      return [{ verb, seconds: value as number }]
    default:
      throw new CaseError(path, `unknown verb ${verb}`)
  }
}

const besideVerbs = ['record', 'for', 'running', 'quiet', 'limit', 'note']

function readBeat(path: string, raw: JsonObject, index: number): Beat {
  const { record } = raw
  return {
    steps: Object.entries(raw)
      .filter(([key]) => !besideVerbs.includes(key))
      .flatMap(([verb, value]) => readSteps(path, verb, value)),
    running: raw['running'] === true,
    ...(record === false ? {} : { record: record === undefined ? `${index}` : `${record}` }),
    ...(raw['for'] === undefined ? {} : { for: raw['for'] as number }),
    ...(raw['quiet'] === undefined ? {} : { quiet: raw['quiet'] as number }),
    ...(raw['limit'] === undefined ? {} : { limit: raw['limit'] as number }),
  }
}

const caseKeys = [
  ...['about', 'settings', 'charts', 'web', 'commits', 'objects', 'namespace', 'diff', 'specs'],
  ...['pods', 'projects', 'annotations', 'events', 'distinctEvents', 'same', 'alone', 'beats'],
]

function eventsOf(raw: JsonObject): ParityCase['events'] {
  if (raw['events'] === false) return 'none'
  return raw['events'] === 'once' || raw['distinctEvents'] === true ? 'distinct' : 'each'
}

function loadFile(path: string): JsonObject {
  const value = load(readFileSync(path, 'utf8'))
  if (!isObject(value)) throw new CaseError(path, 'is no map')
  return value
}

/** Reads a case and its recorded answer. An unknown key is an Error: nothing of a case is left out silently. */
export function readCase(path: string): ParityCase {
  const raw = loadFile(path)
  onlyKnown(path, 'the case', raw, caseKeys)
  const want = loadFile(path.replace(/\.yaml$/, '.want.yaml'))
  onlyKnown(path, 'the answer', want, ['recorded', 'beats'])
  return {
    name: `${basename(dirname(path))}/${basename(path, '.yaml')}`,
    path,
    about: raw['about'] as string,
    settings: (raw['settings'] ?? {}) as Settings,
    charts: (raw['charts'] ?? {}) as ParityCase['charts'],
    web: (raw['web'] ?? {}) as Files,
    commits: listOf(raw['commits']).map((commit) => readCommit(path, commit as JsonObject)),
    objects: listOf(raw['objects']) as readonly JsonObject[],
    makeNamespace: raw['namespace'] !== false,
    diff: raw['diff'] === true,
    specs: raw['specs'] === true,
    pods: raw['pods'] === true,
    projects: raw['projects'] === true,
    annotations: raw['annotations'] === true,
    events: eventsOf(raw),
    same: Object.entries((raw['same'] ?? {}) as JsonObject).map(
      ([pattern, text]) => [new RegExp(pattern, 'g'), text as string] as const,
    ),
    alone: raw['alone'] === true || raw['settings'] !== undefined,
    beats: listOf(raw['beats']).map((beat, index) => readBeat(path, beat as JsonObject, index + 1)),
    want: listOf(want['beats']) as readonly RecordedBeat[],
  }
}

/** What the placeholders of one run stand for. */
export interface Names {
  /** The letter c and seven hex digits. */
  readonly app: string
  readonly namespace: string
  readonly repo: string
  readonly charts: string
  readonly server: string
  readonly token: string
  /** SHA of each commit so far, in order. */
  readonly commits: readonly string[]
}

function expandText(text: string, names: Names): string {
  return text
    .replaceAll(/<commit (\d+)( short8?)?>/g, (found, number: string, form: string | undefined) => {
      const sha = names.commits[Number(number) - 1]
      if (sha === undefined) throw new Error(`${found} is not made yet`)
      return form === undefined ? sha : sha.slice(0, form === ' short' ? 7 : 8)
    })
    .replaceAll(/\$(APP|NS|REPO|CHARTS|SERVER|TOKEN)/g, (_, name: string) => {
      if (name === 'APP') return names.app
      if (name === 'NS') return names.namespace
      if (name === 'REPO') return names.repo
      if (name === 'CHARTS') return names.charts
      return name === 'SERVER' ? names.server : names.token
    })
}

/** Puts the names of a run in place of `$APP`, `$NS`, `<commit 1>`…, in keys and values at any depth. */
export function expand<T>(value: T, names: Names): T {
  if (typeof value === 'string') return expandText(value, names) as T
  if (Array.isArray(value)) return value.map((item) => expand(item, names)) as T
  if (value instanceof Uint8Array || value instanceof RegExp) return value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [expandText(key, names), expand(item, names)]),
  ) as T
}

/** The bytes of a file of a commit or chart, or the target of a link. Null is no file and has neither. */
export function fileOf(
  content: FileContent,
): { readonly bytes: Uint8Array } | { readonly link: string } {
  if (content instanceof Uint8Array) return { bytes: content }
  if (typeof content === 'string') {
    if (content.startsWith('symlink:')) return { link: content.slice('symlink:'.length) }
    return { bytes: new TextEncoder().encode(content) }
  }
  // JSON is YAML, and leaves nothing to how a YAML writer quotes.
  const documents = Array.isArray(content) ? content : [content]
  const text = documents.map((document) => `${JSON.stringify(document, null, 2)}\n`).join('---\n')
  return { bytes: new TextEncoder().encode(text) }
}
