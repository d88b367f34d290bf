import type { Adapters, SourceRequest } from '../adapters/index.ts'
import {
  type Application,
  type ApplicationSource,
  type AppProject,
  hasMultipleSources,
  instanceNameOf,
  projectNameOf,
  type Settings,
  type SourceType,
  sourcesOf,
} from '../argo/index.ts'
import {
  InternalError,
  isLitecdError,
  type LitecdError,
  RenderError,
  SourceError,
} from '../errors/index.ts'
import {
  type FileTree,
  joinPath,
  memoryTree,
  type ReadLogData,
  recordReads,
} from '../files/index.ts'
import { canonicalJson } from '../json/index.ts'
import type { ClusterFacts } from '../kube/index.ts'
import { normalizeRepoUrl, permitsSource } from '../project/index.ts'
import {
  applyOverrides,
  checkSymlinks,
  detectSourceType,
  directoryRenderer,
  explicitSourceType,
  finishManifests,
  helmRenderer,
  kustomizeRenderer,
  type RefTree,
  type RenderContext,
  type RenderedManifest,
  type Renderer,
  type RenderInput,
  resolveAppPath,
} from '../render/index.ts'
import { concerns, refreshPaths } from './generate-paths.ts'
import { LiveLookups, type LookupCluster } from './lookups.ts'

/** One source, fetched and rendered. */
export interface RenderedSource {
  readonly source: ApplicationSource
  readonly request: SourceRequest
  /** Commit, chart version or digest. */
  readonly revision: string
  /** '' for a source that only lends its files. */
  readonly sourceType: SourceType | ''
  readonly manifests: readonly RenderedManifest[]
  /** Everything that was asked of the source's tree: the exact input of the render. */
  readonly reads: ReadLogData
  /** What else was fetched on the way. */
  readonly remote: readonly { readonly request: SourceRequest; readonly revision: string }[]
}

export interface RenderFailure {
  /** In Argo CD's words, without the `Failed to load target state: ` of the condition. */
  readonly message: string
  readonly error: LitecdError
  /** Index into the sources. */
  readonly source: number
  /** What had been read of the source's tree when it failed; undefined when there was no tree yet. */
  readonly reads: ReadLogData | undefined
}

export type RenderOutcome =
  | { readonly sources: readonly RenderedSource[] }
  | { readonly failure: RenderFailure }

export interface RenderOptions {
  readonly settings: Settings
  readonly facts: Pick<ClusterFacts, 'kubeVersion' | 'apiVersions'>
  /** Revisions to use instead of `targetRevision`, by index of the source. */
  readonly revisions?: readonly (string | undefined)[]
  /**
   * Revisions of the last comparison, by index of the source: with `manifest-generate-paths` a source stays at its
   * manifests while nothing that concerns it has changed since. Leave it out to render anew in any case.
   */
  readonly compared?: readonly (string | undefined)[]
  /** A hard refresh: several revisions of one repository under `$ref` are then refused. */
  readonly hard?: boolean
  /** Ask for revisions anew, past every cache. */
  readonly noRevisionCache?: boolean
  /** Whether rendered manifests tell what made each of their fields. */
  readonly traceFields?: boolean
  /** What the project does not permit is told where a dependency of a chart cannot be had. */
  readonly project?: AppProject
  readonly signal?: AbortSignal
}

/** What rendering needs of the world; the cluster is only looked at where templates may look objects up. */
export type RenderWorld = Pick<Adapters, 'sources' | 'templates'> & {
  readonly cluster?: LookupCluster
}

const renderers: readonly Renderer[] = [directoryRenderer, helmRenderer, kustomizeRenderer]
const maxNeedRounds = 50

/**
 * Fetches and renders every source of an Application. The first source that fails ends the work, as in Argo CD.
 *
 * Throws only InternalError; whatever is wrong with sources comes back as a failure.
 */
export async function renderApplication(
  app: Application,
  adapters: RenderWorld,
  options: RenderOptions,
): Promise<RenderOutcome> {
  const sources = sourcesOf(app.spec)
  const multiSource = hasMultipleSources(app.spec)
  const { project } = options
  const context: RenderContext = {
    appName: instanceNameOf(app, options.settings.controllerNamespace),
    namespace: app.spec.destination.namespace ?? '',
    project: projectNameOf(app),
    kubeVersion: options.facts.kubeVersion,
    apiVersions: options.facts.apiVersions,
    settings: options.settings,
    multiSource,
    ...(project === undefined ? {} : { permitsSource: (url) => permitsSource(project, url) }),
    ...(options.traceFields === true ? { traceFields: true } : {}),
    ...(adapters.templates?.chance === undefined ? {} : { chance: adapters.templates.chance }),
  }
  const session = new RenderSession(app, adapters, context, options)
  const out: RenderedSource[] = []
  let refs: { readonly [ref: string]: RefTree } = {}
  try {
    checkRefNames(sources, multiSource)
    refs = multiSource ? await session.fetchRefs(sources) : {}
  } catch (error) {
    return failureOf(error, 0, sources.length, undefined, 'failed to get ref sources: ')
  }
  for (const [index, source] of sources.entries()) {
    const log: { reads?: ReadLogData; read?: () => ReadLogData } = {}
    try {
      out.push(await session.render(source, index, refs, log))
    } catch (error) {
      return failureOf(error, index, sources.length, log.read?.())
    }
  }
  return { sources: out }
}

/** What a source asks the fetcher for. */
export function sourceRequestOf(source: ApplicationSource, revision?: string): SourceRequest {
  const wanted = revision ?? source.targetRevision ?? ''
  if (source.repoURL.startsWith('oci://')) {
    return { type: 'oci', url: source.repoURL, revision: wanted }
  }
  if (source.chart !== undefined && source.chart !== '') {
    return {
      type: 'helm',
      url: source.repoURL,
      chart: source.chart,
      revision: wanted,
      ...(source.helm?.passCredentials === true ? { passCredentials: true } : {}),
    }
  }
  return {
    type: 'git',
    url: source.repoURL,
    revision: wanted,
    ...(source.tagPrefix === undefined || source.tagPrefix === ''
      ? {}
      : { tagPrefix: source.tagPrefix }),
  }
}

/** True for an entry of `sources` that renders nothing and only lends its files. */
export function isRefOnly(source: ApplicationSource): boolean {
  return (
    (source.ref ?? '') !== '' &&
    (source.path ?? '') === '' &&
    (source.chart ?? '') === '' &&
    !source.repoURL.startsWith('oci://')
  )
}

function checkRefNames(sources: readonly ApplicationSource[], multiSource: boolean): void {
  if (!multiSource) return
  const seen = new Set<string>()
  for (const { ref } of sources) {
    if (ref === undefined || ref === '') continue
    if (!/^[a-zA-Z0-9_-]+$/.test(ref)) {
      throw new RenderError(
        'SPEC_INVALID',
        `sources.ref ${ref} cannot contain any special characters except '_' and '-'`,
        { hint: 'Rename the ref.' },
      )
    }
    if (seen.has(ref)) {
      throw new RenderError(
        'SPEC_INVALID',
        'invalid sources: multiple sources had the same `ref` key',
        { hint: `Give each source a ref of its own; \`${ref}\` is used twice.` },
      )
    }
    seen.add(ref)
  }
}

class RenderSession {
  private readonly app: Application
  private readonly adapters: RenderWorld
  private readonly context: RenderContext
  private readonly options: RenderOptions

  constructor(
    app: Application,
    adapters: RenderWorld,
    context: RenderContext,
    options: RenderOptions,
  ) {
    this.app = app
    this.adapters = adapters
    this.context = context
    this.options = options
  }

  private fetchOptions(): { project: string; noRevisionCache?: boolean; signal?: AbortSignal } {
    return {
      project: this.context.project,
      ...(this.options.noRevisionCache === true ? { noRevisionCache: true } : {}),
      ...(this.options.signal === undefined ? {} : { signal: this.options.signal }),
    }
  }

  private async bring(request: SourceRequest): Promise<{ tree: FileTree; revision: string }> {
    const revision = await this.adapters.sources.resolve(request, this.fetchOptions())
    try {
      const tree = await this.adapters.sources.fetch(request, revision, this.fetchOptions())
      // Parity: only a single source reports the commit in full, several keep what was resolved
      return { tree, revision: this.context.multiSource ? revision : (tree.revision ?? revision) }
    } catch (error) {
      throw isLitecdError(error) && request.type === 'git' ? checkoutError(error) : error
    }
  }

  /** Parity: only the log says why the files of a ref cannot be had. */
  private async bringRef(request: SourceRequest): Promise<{ tree: FileTree; revision: string }> {
    try {
      return await this.bring(request)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      throw new SourceError(error.code, `failed to get git client for repo ${request.url}`, {
        retryable: error.retryable,
        hint: error.hint ?? error.message,
        cause: error,
      })
    }
  }

  /** The source's tree, and the revision that counts as its own: an older tree where nothing has changed for it. */
  private async bringSource(
    request: SourceRequest,
    source: ApplicationSource,
    index: number,
  ): Promise<{ tree: FileTree; revision: string; rendered: string }> {
    const old = this.options.compared?.[index]
    const paths = refreshPaths(this.app, source.path ?? '')
    const { sources } = this.adapters
    if (
      request.type !== 'git' ||
      old === undefined ||
      paths.length === 0 ||
      sources.changes === undefined
    ) {
      const brought = await this.bring(request)
      return { ...brought, rendered: brought.revision }
    }
    // Parity: this look at the repository does not know tagPrefix, and what it finds is rendered
    const { tagPrefix: _ignored, ...plain } = request
    const revision = await sources.resolve(plain, this.fetchOptions())
    if (revision !== old && !(await this.hasChanged(request, old, revision, paths))) {
      const tree = await sources.fetch(request, old, this.fetchOptions())
      return { tree, revision, rendered: old }
    }
    const brought = await this.bring(plain)
    return { ...brought, rendered: brought.revision }
  }

  /** True also where the two commits cannot be compared, for instance because the old one is gone. */
  private async hasChanged(
    request: SourceRequest & { readonly type: 'git' },
    from: string,
    to: string,
    paths: readonly string[],
  ): Promise<boolean> {
    try {
      const changes = await this.adapters.sources.changes?.(request, from, to, this.fetchOptions())
      return changes === undefined || concerns(paths, changes)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      return true
    }
  }

  async fetchRefs(
    sources: readonly ApplicationSource[],
  ): Promise<{ readonly [ref: string]: RefTree }> {
    const used = sources.some((source) =>
      [
        ...(source.helm?.valueFiles ?? []),
        ...(source.helm?.fileParameters ?? []).map((parameter) => parameter.path ?? ''),
      ].some((path) => path.startsWith('$')),
    )
    const refs: { [ref: string]: RefTree } = {}
    if (!used) return refs
    for (const [index, source] of sources.entries()) {
      if (source.ref === undefined || source.ref === '') continue
      const request = sourceRequestOf(source, this.options.revisions?.[index])
      // a chart cannot be referred to, which the renderer says where somebody tries
      const isChart = (source.chart ?? '') !== ''
      const brought = isChart
        ? { tree: memoryTree({}), revision: '' }
        : await this.bringRef(request)
      refs['$' + source.ref] = { source, ...brought }
    }
    return this.options.hard === true ? refs : oneRevisionEach(refs, sources)
  }

  async render(
    source: ApplicationSource,
    index: number,
    refs: { readonly [ref: string]: RefTree },
    log: { read?: () => ReadLogData },
  ): Promise<RenderedSource> {
    const request = sourceRequestOf(source, this.options.revisions?.[index])
    const { sources } = this.adapters
    if (this.context.multiSource && isRefOnly(source)) {
      const revision = await sources.resolve(request, this.fetchOptions())
      return {
        source,
        request,
        revision,
        sourceType: '',
        manifests: [],
        reads: noReads,
        remote: [],
      }
    }
    const { tree, revision, rendered } = await this.bringSource(request, source, index)
    checkSymlinks(tree, symlinkSubject[request.type])
    const recording = recordReads(tree)
    log.read = () => recording.data()
    const noPath = (source.path ?? '') === '' && (source.chart ?? '') === ''
    if (this.context.multiSource && noPath) {
      return {
        source,
        request,
        revision,
        sourceType: '',
        manifests: [],
        reads: noReads,
        remote: [],
      }
    }
    // Parity: a folder behind a link is no chart and no kustomization unless a block says so, and holds no manifests
    const { path, real } =
      request.type === 'helm'
        ? { path: '', real: '' }
        : resolveAppPath(recording.tree, source.path ?? '')
    explicitSourceType(source)
    const effective = applyOverrides(recording.tree, real, source, this.context.appName)
    const sourceType = detectSourceType(recording.tree, path, effective, this.context.settings)
    const renderer = renderers.find((candidate) => candidate.sourceType === sourceType)
    if (renderer === undefined) throw unsupported(sourceType, path)
    const { manifests, remote } = await this.run(renderer, {
      source: effective,
      tree: recording.tree,
      path: sourceType === 'Directory' ? path : real,
      revision: rendered,
      context: this.context,
      refs,
      answers: {},
    })
    const finished = finishManifests(manifests, {
      appName: this.context.appName,
      namespace: this.context.namespace,
      tracking: this.context.settings.tracking,
    })
    return {
      source,
      request,
      revision,
      sourceType,
      manifests: finished,
      reads: recording.data(),
      remote,
    }
  }

  /** Renders until every live object that templates ask for is known. */
  private async renderLive(
    renderer: Renderer,
    input: RenderInput,
  ): Promise<readonly RenderedManifest[]> {
    const { cluster, templates } = this.adapters
    if (cluster === undefined || templates?.lookup === undefined) return renderer.render(input)
    const lookups = new LiveLookups(cluster, templates.lookup, this.context.namespace)
    const context = { ...input.context, lookup: lookups.find }
    for (;;) {
      let manifests: readonly RenderedManifest[] | undefined
      let failure: unknown
      try {
        manifests = renderer.render({ ...input, context })
      } catch (error) {
        failure = error
      }
      if (await lookups.answer()) continue
      if (manifests === undefined) throw failure
      return manifests
    }
  }

  /** Asks, fetches and asks again until nothing is missing, then renders. */
  private async run(
    renderer: Renderer,
    input: RenderInput,
  ): Promise<{
    manifests: readonly RenderedManifest[]
    remote: RenderedSource['remote']
  }> {
    const answers: { [id: string]: RenderInput['answers'][string] } = {}
    const remote: { request: SourceRequest; revision: string }[] = []
    for (let round = 0; round < maxNeedRounds; round++) {
      const asking = { ...input, answers }
      const missing = renderer.needs(asking).filter((need) => !Object.hasOwn(answers, need.id))
      if (missing.length === 0)
        return { manifests: await this.renderLive(renderer, asking), remote }
      for (const need of missing) {
        try {
          const answer = await this.bring(need.request)
          answers[need.id] = answer
          remote.push({ request: need.request, revision: answer.revision })
        } catch (error) {
          if (!isLitecdError(error)) throw error
          answers[need.id] = { error }
        }
      }
    }
    throw new RenderError(
      'BUDGET_EXCEEDED',
      `the source still asks for more after ${maxNeedRounds} rounds of fetching`,
      { hint: 'Look for remote bases or dependencies that name each other.' },
    )
  }
}

/** Argo CD's renderer wraps what goes wrong while a revision is checked out. */
function checkoutError(error: LitecdError): LitecdError {
  if (!/^Failed to (checkout|fetch)/.test(error.message)) return error
  return new SourceError(
    error.code,
    `failed to initialize repository resources: rpc error: code = Internal desc = ${error.message}`,
    { position: error.position, retryable: error.retryable, hint: error.hint, cause: error },
  )
}

/**
 * Parity: of several refs to one repository all show the revision of the one that is named first.
 *
 * Source: argo-cd v3.5.1 reposerver/cache/cache.go getRefTargetRevisionMappingForCacheKey
 */
function oneRevisionEach(
  refs: { readonly [ref: string]: RefTree },
  sources: readonly ApplicationSource[],
): { readonly [ref: string]: RefTree } {
  const named = sources
    .flatMap((source) => source.helm?.valueFiles ?? [])
    .filter((entry) => entry.startsWith('$'))
    .map((entry) => entry.split('/')[0]!)
  const order = [...new Set([...named, ...Object.keys(refs)])].filter((name) =>
    Object.hasOwn(refs, name),
  )
  const first = new Map<string, RefTree>()
  const out: { [ref: string]: RefTree } = {}
  for (const name of order) {
    const ref = refs[name]!
    const url = normalizeRepoUrl(ref.source.repoURL)
    const known = first.get(url)
    if (known === undefined) first.set(url, ref)
    out[name] = known === undefined ? ref : { ...ref, tree: known.tree, revision: known.revision }
  }
  return out
}

const noReads: ReadLogData = { files: [], absent: [], folders: [], links: [] }
const symlinkSubject = {
  git: 'repository',
  helm: 'chart',
  oci: 'oci image',
  http: 'repository',
} as const

function unsupported(sourceType: SourceType, path: string): RenderError {
  return new RenderError(
    'RENDER_UNSUPPORTED',
    `sources of type ${sourceType} are not supported yet by this version of litecd`,
    {
      position: { path: joinPath(path) },
      hint: 'Keep Argo CD for this Application, or render it to plain manifests.',
    },
  )
}

function failureOf(
  thrown: unknown,
  index: number,
  count: number,
  reads: ReadLogData | undefined,
  instead?: string,
): RenderOutcome {
  const error = isLitecdError(thrown)
    ? thrown
    : new InternalError(`rendering threw something that is no LitecdError: ${String(thrown)}`, {
        cause: thrown,
      })
  const grpc = typeof error.data['grpc'] === 'string' ? error.data['grpc'] : 'Unknown'
  const message =
    instead !== undefined && error.code === 'SPEC_INVALID'
      ? `${instead}${error.message}`
      : `failed to generate manifest for source ${index + 1} of ${count}: rpc error: code = ${grpc} desc = ${error.message}`
  return { failure: { message, error, source: index, reads } }
}

/**
 * The first rendered object without a kind, in the words with which Argo CD's controller refuses it; such objects get
 * past the renderer when they come from JSON files.
 */
export function kindlessFailure(sources: readonly RenderedSource[]): RenderFailure | undefined {
  for (const [index, source] of sources.entries()) {
    for (const { manifest, origin } of source.manifests) {
      if (typeof manifest.kind === 'string' && manifest.kind !== '') continue
      const why = `Object 'Kind' is missing in '${canonicalJson(manifest)}'`
      return {
        message: `failed to unmarshal manifests for source ${index + 1} of ${sources.length}: ${why}`,
        error: new RenderError('MANIFEST_INVALID', why, {
          position: {
            path: origin.path,
            ...(origin.line === undefined ? {} : { line: origin.line }),
          },
          hint: 'Add apiVersion and kind, or leave the file out with spec.source.directory.exclude.',
        }),
        source: index,
        reads: source.reads,
      }
    }
  }
  return undefined
}
