// Replays a recorded case without a cluster: what each Application, its repository and the settings were when an answer
// was recorded. Feeds tests of pure functions; what the recording does not determine is left undefined, never guessed.
import { createHash } from 'node:crypto'
import type { FetchOptions, SourceFetcher, SourceRequest } from '@litecd/core/adapters'
import { type Application, parseSettings, readApplication, type Settings } from '@litecd/core/argo'
import { SourceError } from '@litecd/core/errors'
import { type FileTree, memoryTree } from '@litecd/core/files'
import { isObject, type Json, type JsonObject, mergePatch } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { load } from 'js-yaml'
import {
  type Commit,
  expand,
  type Files,
  fileOf,
  type Names,
  type ParityCase,
  type RecordedBeat,
  type Step,
} from './argocd-cases.ts'

/** One object of an Application as Argo CD's API showed it; Secret values are plus signs. */
export interface ManagedResource {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
  readonly normalizedLive: Manifest | undefined
  readonly predictedLive: Manifest | undefined
  readonly modified: boolean
}

/** One Application at the moment of one recorded beat. */
export interface ReplayedApplication {
  readonly beat: string
  readonly name: string
  /** Its spec as it was applied, patched or recorded; status as recorded. */
  readonly application: Application
  readonly manifest: Manifest
  /** `status` as Argo CD wrote it, with this replay's names. */
  readonly status: JsonObject
  /** With `diff: true` only. */
  readonly managed: readonly ManagedResource[] | undefined
  readonly settings: Settings
  /** Objects that the case itself had made by then (Argo CD's kinds, definitions, Secrets), without the server's part. */
  readonly objects: readonly Manifest[]
  /** Answers with the revisions that were recorded, and the files at them. */
  readonly sources: SourceFetcher
}

/** How errors of {@link ReplayedApplication.sources} begin when the recording does not say what was fetched. */
export const notRecorded = 'not recorded'

/** The names that stand for the placeholders in every replay. */
export function namesOf(of: ParityCase): Names {
  const count = of.commits.length + of.beats.flatMap((beat) => beat.steps).length
  return {
    app: 'c0ffee0',
    namespace: 'c0ffee0-ns',
    repo: 'https://git.example.com/c0ffee0',
    charts: 'https://charts.example.com/c0ffee0',
    server: 'https://far.example.com',
    token: 'token',
    commits: Array.from({ length: count }, (_, i) =>
      createHash('sha1').update(`${of.name} ${i}`).digest('hex'),
    ),
  }
}

type Tree = { readonly [path: string]: Uint8Array | { readonly link: string } }

/** The files after each commit, and what the refs of the repository point to. */
class Commits {
  readonly trees: Tree[] = []
  /** `HEAD`, `refs/heads/…`, `refs/tags/…` → index of the commit. */
  readonly refs = new Map<string, number>()
  #branch = 'main'

  add(commit: Commit): void {
    const branch = commit.branch ?? this.#branch
    const parent = this.refs.get(`refs/heads/${branch}`) ?? this.refs.get('HEAD')
    const tree = { ...(parent === undefined ? {} : this.trees[parent]) }
    for (const [path, content] of Object.entries(commit.files)) {
      if (content === null) delete tree[path]
      else {
        const file = fileOf(content)
        tree[path] = 'link' in file ? file : file.bytes
      }
    }
    const index = this.trees.push(tree) - 1
    this.#branch = branch
    for (const ref of ['HEAD', `refs/heads/${branch}`]) this.refs.set(ref, index)
    for (const tag of [commit.tag, commit.annotatedTag]) {
      if (tag !== undefined) this.refs.set(`refs/tags/${tag}`, index)
    }
  }

  /** A full or plain name of a branch or tag; undefined where a real server would have to decide. */
  resolve(name: string): number | undefined {
    if (name === '' || name === 'HEAD') return this.refs.get('HEAD')
    const found = [name, `refs/heads/${name}`, `refs/tags/${name}`].flatMap((ref) => {
      const index = this.refs.get(ref)
      return index === undefined ? [] : [index]
    })
    return found.length === 1 ? found[0] : undefined
  }

  /** Later commits do not change the copy. */
  copy(): Commits {
    const copy = new Commits()
    copy.trees.push(...this.trees)
    for (const [ref, index] of this.refs) copy.refs.set(ref, index)
    return copy
  }
}

function requestKey(request: SourceRequest): string {
  const extra = request.type === 'git' ? (request.tagPrefix ?? '') : ''
  const chart = request.type === 'helm' ? request.chart : ''
  return [request.type, request.url, chart, request.revision, extra].join(' ')
}

function chartTree(
  charts: { readonly [folder: string]: Files },
  name: string,
  version: string,
): FileTree | undefined {
  for (const files of Object.values(charts)) {
    const file = fileOf(files['Chart.yaml'] ?? '')
    const chart = 'bytes' in file ? load(new TextDecoder().decode(file.bytes)) : undefined
    if (!isObject(chart) || chart['name'] !== name || chart['version'] !== version) continue
    const entries = Object.entries(files).map(([path, content]) => {
      const one = fileOf(content)
      return [path, 'link' in one ? one : one.bytes] as const
    })
    return memoryTree(Object.fromEntries(entries))
  }
  return undefined
}

function sourcesAt(
  app: Application,
  status: JsonObject,
  commits: Commits,
  names: Names,
  charts: ParityCase['charts'],
): SourceFetcher {
  const sync = (status['sync'] ?? {}) as JsonObject
  const list = app.spec.sources ?? (app.spec.source === undefined ? [] : [app.spec.source])
  const revisions = (sync['revisions'] ?? [sync['revision']]) as readonly (string | undefined)[]
  const unknown = (request: SourceRequest): SourceError =>
    new SourceError('SOURCE_REVISION_UNKNOWN', `${notRecorded}: ${requestKey(request)}`)
  return {
    async resolve(request: SourceRequest, _options?: FetchOptions): Promise<string> {
      const index = list.findIndex(
        (source) =>
          source.repoURL === request.url &&
          (source.targetRevision ?? '') === request.revision &&
          (request.type !== 'helm' || source.chart === request.chart) &&
          (request.type !== 'git' || (source.tagPrefix ?? '') === (request.tagPrefix ?? '')),
      )
      const recorded = revisions[index] ?? ''
      if (request.type !== 'git' || names.commits.includes(recorded)) {
        if (recorded === '') throw unknown(request)
        return recorded
      }
      // What could not be loaded keeps the text of the spec as its revision.
      const commit = request.url === names.repo ? commits.resolve(request.revision) : undefined
      if (commit === undefined) throw unknown(request)
      return names.commits[commit]!
    },
    async fetch(request: SourceRequest, revision: string): Promise<FileTree> {
      if (request.type === 'git' && request.url === names.repo) {
        const tree = commits.trees[names.commits.indexOf(revision)]
        if (tree !== undefined) return memoryTree(tree)
      }
      if (request.type === 'helm' && request.url.startsWith(names.charts)) {
        const tree = chartTree(charts, request.chart, revision)
        if (tree !== undefined) return tree
      }
      throw unknown(request)
    },
  }
}

function managedOf(beat: RecordedBeat, name: string): readonly ManagedResource[] | undefined {
  const all = beat['managed']
  const list = isObject(all) ? all[name] : undefined
  if (!Array.isArray(list)) return undefined
  const text = (item: JsonObject, key: string): string => `${item[key] ?? ''}`
  const state = (item: JsonObject, key: string): Manifest | undefined => {
    const value = item[key]
    return isObject(value) ? (value as Manifest) : undefined
  }
  return (list as readonly JsonObject[]).map((item) => ({
    group: text(item, 'group'),
    kind: text(item, 'kind'),
    namespace: text(item, 'namespace'),
    name: text(item, 'name'),
    target: state(item, 'targetState'),
    live: state(item, 'liveState'),
    normalizedLive: state(item, 'normalizedLiveState'),
    predictedLive: state(item, 'predictedLiveState'),
    modified: item['modified'] === true,
  }))
}

type SettingsData = { readonly [name: string]: { readonly [key: string]: string } }

/** What the case has done so far. */
class World {
  readonly objects = new Map<string, Manifest>()
  readonly commits = new Commits()
  settings: SettingsData = { 'argocd-cm': { 'timeout.reconciliation': '3600s' } }

  #key(object: JsonObject): string {
    const group = `${object['apiVersion']}`.replace(/\/?[^/]*$/, '')
    return `${group}/${object['kind']}/${namespaceOf(object)}/${nameOf(object)}`
  }

  merge(settings: SettingsData): void {
    const next = { ...this.settings }
    for (const [name, values] of Object.entries(settings)) next[name] = { ...next[name], ...values }
    this.settings = next
  }

  put(object: JsonObject): void {
    const { manager: _, ...manifest } = object
    this.objects.set(this.#key(manifest), manifest as Manifest)
  }

  do(step: Step): void {
    switch (step.verb) {
      case 'apply':
      case 'create':
        for (const object of step.objects) this.put(object)
        return
      case 'patch': {
        const key = this.#key(step.object)
        const old = this.objects.get(key)
        if (old !== undefined) this.objects.set(key, mergePatch(old, step.merge) as Manifest)
        return
      }
      case 'delete':
        this.objects.delete(this.#key(step.object))
        return
      case 'commit':
        this.commits.add(step.commit)
        return
      case 'settings':
        this.merge(step.settings)
        return
      case 'refresh':
      case 'sync':
      case 'terminate':
      case 'sleep':
    }
  }

  application(name: string): Manifest | undefined {
    return this.objects.get(`argoproj.io/Application/argocd/${name}`)
  }
}

function settingsOf(data: SettingsData): Settings | undefined {
  const parsed = parseSettings({
    argocdCm: data['argocd-cm'],
    ...(data['argocd-cmd-params-cm'] === undefined ? {} : { params: data['argocd-cmd-params-cm'] }),
    controllerNamespace: 'argocd',
  })
  return parsed.fatal === undefined ? parsed.settings : undefined
}

/**
 * Every Application at every recorded beat whose spec and settings the case determines. An Application that nothing in
 * the case or the answer gives a spec for (a child of another one, without `specs`) is left out.
 */
export function replay(of: ParityCase): readonly ReplayedApplication[] {
  const names = namesOf(of)
  const world = new World()
  const charts = expand(of.charts, names)
  world.merge(expand(of.settings, names))
  for (const commit of of.commits) world.commits.add(expand(commit, names))
  for (const object of of.objects) world.put(expand(object, names))
  const out: ReplayedApplication[] = []
  let recorded = 0
  for (const beat of of.beats) {
    for (const step of beat.steps) world.do(expand(step, names))
    if (beat.record === undefined) continue
    const answer = expand(of.want[recorded++]!, names)
    const settings = settingsOf(world.settings)
    const applications = answer['applications']
    if (settings === undefined || !isObject(applications)) continue
    for (const [name, entry] of Object.entries(applications)) {
      const { spec, status, labels, annotations } = entry as JsonObject
      const known = world.application(name)
      if ((known === undefined && spec === undefined) || !isObject(status)) continue
      const recordedMetadata = { ...(labels && { labels }), ...(annotations && { annotations }) }
      const manifest = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: {
          ...((known?.['metadata'] ?? { name, namespace: 'argocd' }) as JsonObject),
          ...recordedMetadata,
        },
        spec: (spec ?? known?.['spec'] ?? null) as Json,
        status,
      } as Manifest
      const { application } = readApplication(manifest)
      const commits = world.commits.copy()
      out.push({
        beat: answer.beat,
        name,
        application,
        manifest,
        status,
        managed: managedOf(answer, name),
        settings,
        objects: [...world.objects.values()],
        sources: sourcesAt(application, status, commits, names, charts),
      })
    }
  }
  return out
}
