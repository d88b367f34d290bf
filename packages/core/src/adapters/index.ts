// adapters: what the core asks of the world, and nothing more. Interfaces only, no code.

export type {
  ApplyOptions,
  Cluster,
  ClusterReader,
  ClusterWriter,
  DeleteOptions,
  DryRun,
  LiveQuery,
  LiveRoot,
  PatchRequest,
  PropagationPolicy,
  WriteResult,
} from './cluster.ts'
export type { JqEngine } from './jq.ts'
export type {
  AskingSet,
  BranchesRequest,
  ConfigMapRequest,
  PathRequest,
  PluginRequest,
  ProviderAnswers,
  ProviderReader,
  ProviderRequest,
  ProviderRequestOf,
  PullRequest,
  PullRequestsRequest,
  RepositoriesRequest,
  ResourcesRequest,
  ScmBranch,
  ScmProviderName,
  ScmQuery,
  ScmRepository,
} from './providers.ts'
export type {
  FetchedSource,
  FetchedTree,
  FetchOptions,
  SourceFetcher,
  SourceRequest,
} from './sources.ts'
export type { Chance, ChanceStream, LookupQuery, TemplateWorld } from './templates.ts'
export type { Adapters, Clock, EventSink, Instant, LitecdEvent } from './world.ts'
