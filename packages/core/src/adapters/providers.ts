import type { Json, JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'

export type ScmProviderName =
  | 'github'
  | 'gitlab'
  | 'gitea'
  | 'bitbucketServer'
  | 'bitbucket'
  | 'azureDevOps'
  | 'awsCodeCommit'

/** The ApplicationSet that asks: its namespace holds the Secrets and ConfigMaps that its generators name. */
export interface AskingSet {
  readonly namespace: string
  readonly name: string
}

/** A provider as a generator names it: `config` is the generator's own block, with credentials by name, never by value. */
export interface ScmQuery {
  readonly provider: ScmProviderName
  readonly config: JsonObject
  readonly set: AskingSet
}

/** A repository of a provider. */
export interface ScmRepository {
  readonly organization: string
  readonly repository: string
  /** As the provider gives it: a number, or a text where its ids are texts. */
  readonly id: string | number
  /** By the word that `cloneProtocol` uses. */
  readonly cloneUrls: { readonly [protocol: string]: string }
  /** The default branch; '' where there is none. */
  readonly branch: string
  /** Topics, tags or labels; none where the provider has none. */
  readonly labels: readonly string[]
  readonly archived?: boolean
}

export interface ScmBranch {
  readonly name: string
  /** '' where the provider does not tell. */
  readonly sha: string
}

export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly branch: string
  readonly targetBranch: string
  readonly headSha: string
  readonly author: string
  readonly labels: readonly string[]
}

/** Every repository of an organization, project or account. */
export interface RepositoriesRequest extends ScmQuery {
  readonly ask: 'repositories'
}

/** The default branch of a repository, or all where `config.allBranches` says so. */
export interface BranchesRequest extends ScmQuery {
  readonly ask: 'branches'
  readonly repository: ScmRepository
}

/** Whether a file or folder is there. */
export interface PathRequest extends ScmQuery {
  readonly ask: 'path'
  readonly repository: ScmRepository
  readonly branch: ScmBranch
  /** Without a slash at its end. */
  readonly path: string
}

/** Pull requests in the state that `config` wants, with its labels where the provider has labels. */
export interface PullRequestsRequest extends ScmQuery {
  readonly ask: 'pullRequests'
}

/** What a plugin makes of its input. */
export interface PluginRequest {
  readonly ask: 'plugin'
  /** Name of the ConfigMap, in Argo CD's namespace, that says where the plugin is. */
  readonly configMap: string
  readonly set: AskingSet
  readonly parameters: { readonly [name: string]: Json }
}

/** The data of a ConfigMap in Argo CD's namespace. */
export interface ConfigMapRequest {
  readonly ask: 'configMap'
  readonly name: string
}

/** Objects in Argo CD's namespace: the one of a name, or those that a label selector fits. */
export interface ResourcesRequest {
  readonly ask: 'resources'
  readonly group: string
  readonly version: string
  /** The plural, as in URLs. */
  readonly resource: string
  readonly name?: string
  readonly labelSelector?: JsonObject
}

export type ProviderRequest =
  | RepositoriesRequest
  | BranchesRequest
  | PathRequest
  | PullRequestsRequest
  | PluginRequest
  | ConfigMapRequest
  | ResourcesRequest

/** What each request is answered with. */
export interface ProviderAnswers {
  readonly repositories: readonly ScmRepository[]
  readonly branches: readonly ScmBranch[]
  readonly path: boolean
  readonly pullRequests: readonly PullRequest[]
  readonly plugin: readonly JsonObject[]
  readonly configMap: { readonly [key: string]: string }
  readonly resources: readonly Manifest[]
}

export type ProviderRequestOf<K extends keyof ProviderAnswers> = Extract<
  ProviderRequest,
  { readonly ask: K }
>

/**
 * Asks hosts of repositories, plugins and the cluster what generators of ApplicationSets want to know.
 *
 * Throws SourceError in the words of Argo CD's clients: SOURCE_UNREACHABLE (retryable), SOURCE_REFUSED, SOURCE_NOT_FOUND
 * for a repository that is not there, SOURCE_CORRUPT, BUDGET_EXCEEDED; `data.stage` is `provider` where nothing could be
 * asked because credentials or settings are wrong. Messages never hold credentials.
 */
export interface ProviderReader {
  read<R extends ProviderRequest>(
    request: R,
    signal?: AbortSignal,
  ): Promise<ProviderAnswers[R['ask']]>
}
