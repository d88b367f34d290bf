import { isLitecdError, type LitecdError, RenderError } from '../../../errors/index.ts'
import { sha256, toHex } from '../../../text/index.ts'

/**
 * Where the fetch of a chart failed: the index of the repository, the name of a repository, the chart in it, its
 * version, the list of tags, or the archive itself. A fetcher says so in `data.stage` of its error.
 */
export type FetchStage = 'index' | 'name' | 'chart' | 'version' | 'tags' | 'archive'

/** Why a dependency could not be fetched. */
export interface FetchFailure {
  readonly stage: FetchStage | undefined
  /** What Helm would say of it. */
  readonly reason: string
  /** URL of the repository, where it was asked for by name. */
  readonly repository: string | undefined
  /** URL of the archive, as far as it was found. */
  readonly url: string
  /** What `helm repo add` would have been told of credentials. */
  readonly flags: string
  readonly cause: Error
}

/** Reads what a fetcher says of its failure. */
export function fetchFailure(error: Error): FetchFailure {
  const data = isLitecdError(error) ? error.data : {}
  const text = (key: string): string | undefined => {
    const value = data[key]
    return typeof value === 'string' ? value : undefined
  }
  return {
    stage: text('stage') as FetchStage | undefined,
    reason: text('reason') ?? error.message,
    repository: text('repository'),
    url: text('url') ?? '',
    flags: text('flags') ?? '',
    cause: error,
  }
}

const buildHint = 'Vendor the dependency below charts/, or make its repository reachable.'

const buildStart = 'error building helm chart dependencies: '

/** A failed `helm dependency build` in Argo CD's words. */
export function buildFailed(why: string, cause?: unknown): RenderError {
  return new RenderError(
    'HELM_FAILED',
    `${buildStart}failed to build helm dependencies: failed to build dependencies: failed running helm: \`helm dependency build\` failed exit status 1: Error: ${why}`,
    { cause, hint: buildHint, retryable: isRetryable(cause), data: { reason: why } },
  )
}

/** A failed `helm repo add`, which Argo CD runs for each https repository before it builds. */
export function addFailed(
  repository: { readonly name: string; readonly url: string },
  failure: FetchFailure,
): RenderError {
  const { name, url } = repository
  return new RenderError(
    'HELM_FAILED',
    `${buildStart}failed to add helm repository ${url}: failed to add repository: failed running helm: \`helm repo add ${failure.flags}${name} ${url}\` failed exit status 1: Error: ${failure.reason}`,
    { cause: failure.cause, hint: buildHint, retryable: isRetryable(failure.cause) },
  )
}

/** Whether an error is about building dependencies, and not about templates. */
export function isBuildFailure({ message, data }: LitecdError): boolean {
  return message.startsWith(buildStart) || data['grpc'] === 'PermissionDenied'
}

function isRetryable(cause: unknown): boolean {
  return isLitecdError(cause as LitecdError) && (cause as LitecdError).retryable
}

/** Helm keeps the index of a repository that nobody has added under a name of its own making. */
export function noIndex(repository: string): string {
  const name = `helm-manager-${toHex(sha256(new TextEncoder().encode(repository)))}`
  return `no cached repository for ${name} found. (try 'helm repo update'): open <helm cache>/repository/${name}-index.yaml: no such file or directory`
}

/** Source: helm v4.2.1 pkg/downloader/manager.go resolveRepoNames */
export function noDefinition(repositories: readonly string[]): string {
  const text = `no repository definition for ${repositories.join(', ')}. Please add them via 'helm repo add'`
  const isPlainName = repositories.some(
    (name) => !name.includes('//') && !name.startsWith('@') && !name.startsWith('alias:'),
  )
  if (!isPlainName) return text
  return `${text}\nNote that repositories must be URLs or aliases. For example, to refer to the "example"\nrepository, use "https://charts.example.com/" or "@example" instead of\n"example". Don't forget to add the repo, too ('helm repo add').`
}

/** Source: helm v4.2.1 internal/resolver/resolver.go Resolve */
export function noVersions(
  missing: readonly {
    readonly name: string
    readonly repository: string
    readonly version: string
  }[],
): string {
  const list = missing.map(
    ({ name, repository, version }) =>
      `"${name}" (repository "${repository}", version "${version}")`,
  )
  return `can't get a valid version for ${missing.length} subchart(s): ${list.join(', ')}. Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml`
}
