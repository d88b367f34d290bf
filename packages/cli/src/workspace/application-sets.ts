import type {
  ProviderAnswers,
  ProviderReader,
  ProviderRequest,
  SourceFetcher,
  SourceRequest,
} from '@litecd/core/adapters'
import {
  type ClusterFact,
  GatheredFacts,
  generateApplications,
  readApplicationSet,
  type SetWarning,
  type TreeRequest,
  warningsOf,
} from '@litecd/core/appset'
import { type Application, readApplication } from '@litecd/core/argo'
import {
  InternalError,
  isLitecdError,
  type LitecdError,
  type Position,
  SourceError,
} from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import type { Manifest } from '@litecd/core/kube'

export interface SetResult {
  readonly applications: readonly Application[]
  /** Names that several Applications of the set have: Argo CD makes none of those. */
  readonly duplicates: readonly string[]
  /** What somebody should know although the set works. */
  readonly warnings: readonly SetWarning[]
}

/**
 * The Applications of a set, with the checkouts that its git generators ask for.
 *
 * Throws LitecdErrors: what readApplicationSet and generateApplications throw, and APP_INVALID for an Application that
 * comes out wrong.
 */
export async function applicationsOfSet(
  manifest: Manifest,
  position: Position,
  world: {
    readonly sources: SourceFetcher
    readonly clusters: readonly ClusterFact[] | undefined
    /** Who tells what hosts of repositories, plugins and the cluster would answer; undefined: nobody. */
    readonly providers?: ProviderReader | undefined
  },
): Promise<SetResult> {
  const set = readApplicationSet(manifest)
  const facts = new GatheredFacts({
    clusters: world.clusters,
    providers: world.providers !== undefined,
  })
  for (;;) {
    const result = generateApplications(set, facts)
    if (!('needs' in result)) {
      const applications = result.applications.map(
        (app) => readApplication(app as unknown as Manifest, position).application,
      )
      return { applications, duplicates: result.duplicates, warnings: warningsOf(set) }
    }
    for (const request of result.needs) {
      facts.put(
        request,
        request.ask === 'tree'
          ? await treeFor(request, world.sources)
          : await answerOf(request, world.providers),
      )
    }
  }
}

async function treeFor(
  { repoURL, revision }: TreeRequest,
  sources: SourceFetcher,
): Promise<FileTree | SourceError> {
  const request: SourceRequest = { type: 'git', url: repoURL, revision }
  try {
    return await sources.fetch(request, await sources.resolve(request))
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error instanceof SourceError ? error : asSourceError(error)
  }
}

async function answerOf(
  request: ProviderRequest,
  providers: ProviderReader | undefined,
): Promise<ProviderAnswers[keyof ProviderAnswers] | SourceError> {
  if (providers === undefined) throw new InternalError('nobody was to be asked')
  try {
    return await providers.read(request)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error instanceof SourceError ? error : asSourceError(error)
  }
}

function asSourceError(error: LitecdError): SourceError {
  return new SourceError(error.code, error.message, { cause: error })
}
