import type {
  ProviderAnswers,
  ProviderReader,
  ProviderRequest,
  ScmQuery,
} from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import { canonicalJson } from '@litecd/core/json'
import type { ProxySettings } from '../sources/http/index.ts'
import { TimedCache } from '../sources/timed-cache.ts'
import { openProvider, type Purpose, type ScmWorld } from './access.ts'
import { AnswerMemory, type ApiCall, defaultScmLimits, type ScmLimits } from './api.ts'
import type { ProviderObjects } from './objects.ts'
import { pluginParameters } from './plugin.ts'
import type { Provider } from './provider.ts'

export interface ProviderReaderOptions {
  /** Argo CD's own. */
  readonly namespace: string
  readonly objects: ProviderObjects
  /** Tokens of the process and addresses of services, by their usual names. */
  readonly environment: { readonly [name: string]: string | undefined }
  /** Secrets need the label `argocd.argoproj.io/secret-type: scm-creds`; false unless told. */
  readonly strictTokens?: boolean
  readonly rootCaPath?: string
  /** Undefined: what the environment says. */
  readonly proxy?: ProxySettings | undefined
  readonly limits?: Partial<ScmLimits>
  /** Sees every exchange, for metrics. */
  readonly observe?: (call: ApiCall) => void
  /** What a user should know although nothing failed. */
  readonly warn?: (message: string) => void
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<void>
}

/** How long credentials are not looked up again: one look at a set asks many questions. */
const openMs = 5_000

export function createProviderReader(options: ProviderReaderOptions): ProviderReader {
  const now = options.now ?? Date.now
  const world: ScmWorld = {
    namespace: options.namespace,
    objects: options.objects,
    strictTokens: options.strictTokens ?? false,
    rootCaPath: options.rootCaPath ?? '',
    proxy: options.proxy,
    environment: options.environment,
    limits: { ...defaultScmLimits, ...options.limits },
    memory: new AnswerMemory(),
    appTokens: new Map(),
    installations: new Map(),
    awsCredentials: new Map(),
    now,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    observe: options.observe,
    warn: options.warn ?? (() => {}),
  }
  const open = new TimedCache<Provider>(openMs, now, 200)
  const provider = (request: ScmQuery, purpose: Purpose): Promise<Provider> => {
    const { provider: name, config, set } = request
    const key = canonicalJson([purpose, name, { ...config }, { ...set }])
    return open.get(key, () => openProvider(world, request, purpose))
  }

  async function answer(request: ProviderRequest, signal?: AbortSignal): Promise<unknown> {
    switch (request.ask) {
      case 'repositories':
        return (await provider(request, 'repositories')).repositories(signal)
      case 'branches':
        return (await provider(request, 'repositories')).branches(request.repository, signal)
      case 'path': {
        const { repository, branch, path } = request
        return (await provider(request, 'repositories')).hasPath(repository, branch, path, signal)
      }
      case 'pullRequests':
        return (await provider(request, 'pullRequests')).pullRequests(signal)
      case 'plugin':
        return pluginParameters(world, request, signal)
      case 'configMap': {
        const data = await options.objects.configMap(options.namespace, request.name)
        if (data !== undefined) return data
        throw new SourceError(
          'SOURCE_NOT_FOUND',
          `configmaps ${JSON.stringify(request.name)} not found`,
        )
      }
      case 'resources':
        return options.objects.list(options.namespace, request)
    }
  }

  return {
    read: async <R extends ProviderRequest>(request: R, signal?: AbortSignal) =>
      (await answer(request, signal)) as ProviderAnswers[R['ask']],
  }
}
