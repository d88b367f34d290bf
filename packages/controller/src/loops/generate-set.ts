import type {
  ProviderAnswers,
  ProviderReader,
  ProviderRequest,
  SourceFetcher,
} from '@litecd/core/adapters'
import {
  type ApplicationSet,
  type AppsetSettings,
  applicationSteps,
  type ClusterFact,
  type FactRequest,
  GatheredFacts,
  type TreeRequest,
} from '@litecd/core/appset'
import type { Application, AppProject } from '@litecd/core/argo'
import { SourceError, SpecError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import type { JsonObject } from '@litecd/core/json'
import { integrityOf } from '@litecd/core/project'

export interface GeneratorContext {
  readonly argo: {
    project(name: string): AppProject | undefined
    clusterFacts(): readonly ClusterFact[]
    /** Projects that ask for signed commits get what they ask for. */
    verifiesCommits(): boolean
  }
  readonly sources: SourceFetcher
  /** Hosts of repositories, plugins and other objects of the cluster; undefined: nobody can be asked. */
  readonly providers?: ProviderReader | undefined
  readonly settings: () => AppsetSettings
}

export const annotationSetRefresh = 'argocd.argoproj.io/application-set-refresh'
export const notYet = 'not supported yet by this version of litecd'

/** Checkouts, and answers of providers about a repository, a branch or a path. */
const maxFacts = 100_000
const atOnce = 4
/** After so many Applications other work gets its turn. */
export const stride = 25

/**
 * The Applications of a set, with everything found out that its generators ask for. Throws LitecdError: APPSET_FAILED in
 * Argo CD's words, RENDER_UNSUPPORTED where nobody can be asked, BUDGET_EXCEEDED.
 */
export async function generateSet(
  set: ApplicationSet,
  context: GeneratorContext,
): Promise<readonly Application[]> {
  const { argo, providers } = context
  const { newGitFileGlobbing, scmProviders, allowedScmProviders } = context.settings()
  const options = {
    newGitFileGlobbing,
    scm: { enabled: scmProviders, allowedProviders: allowedScmProviders },
  }
  const facts = new GatheredFacts({
    clusters: argo.clusterFacts(),
    providers: providers !== undefined,
    beforeTree: ({ repoURL }) => void projectOf(set, repoURL, context),
  })
  for (;;) {
    const applications: Application[] = []
    const steps = applicationSteps(set, facts, options)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) {
      applications.push(step.value)
      if (applications.length % stride === 0) await turn()
    }
    if (step.value === undefined) return applications
    await answer(step.value, facts, set, context)
  }
}

/** Finds out what is wanted; some things at the same time. */
async function answer(
  requests: readonly FactRequest[],
  facts: GatheredFacts,
  set: ApplicationSet,
  context: GeneratorContext,
): Promise<void> {
  const { providers } = context
  const left = [...requests]
  const work = async (): Promise<void> => {
    for (let request = left.shift(); request !== undefined; request = left.shift()) {
      if (facts.size >= maxFacts) {
        throw new SpecError('BUDGET_EXCEEDED', `the set asks for more than ${maxFacts} facts`)
      }
      if (request.ask === 'tree') facts.put(request, await checkout(set, request, context))
      else if (providers !== undefined) facts.put(request, await asked(request, providers))
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    left.length = 0 // after a failure nothing more is begun
  }
}

async function asked(
  request: ProviderRequest,
  providers: ProviderReader,
): Promise<ProviderAnswers[keyof ProviderAnswers] | SourceError> {
  try {
    return await providers.read(request)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return error
  }
}

/**
 * The project whose credentials a git generator may use; '' where the name is a template. Its commits would have to be
 * verified where the project asks for it.
 */
function projectOf(set: ApplicationSet, repoURL: string, context: GeneratorContext): string {
  const spec = set.spec.template['spec'] as JsonObject | undefined
  const name = typeof spec?.['project'] === 'string' ? spec['project'] : ''
  if (name.includes('{{')) return ''
  const project = context.argo.project(name)
  const fail = (why: string): never => {
    throw new SpecError('APPSET_FAILED', why)
  }
  if (project === undefined) {
    return fail(`error getting project ${name}: AppProject.argoproj.io "${name}" not found`)
  }
  if (context.argo.verifiesCommits() && integrityOf(project, repoURL).kind !== 'none') {
    fail(`project ${name} wants commits of ${repoURL} to be verified, which is ${notYet}`)
  }
  return name
}

async function checkout(
  set: ApplicationSet,
  { repoURL, revision }: TreeRequest,
  context: GeneratorContext,
): Promise<FileTree | SourceError> {
  const { sources } = context
  const request = { type: 'git', url: repoURL, revision } as const
  const options = {
    project: projectOf(set, repoURL, context),
    noRevisionCache: set.metadata.annotations?.[annotationSetRefresh] !== undefined,
  }
  let commit: string
  try {
    commit = await sources.resolve(request, options)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return new SourceError(
      error.code,
      `rpc error: code = Internal desc = unable to resolve git revision : ${error.message}`,
      { cause: error, retryable: error.retryable },
    )
  }
  try {
    return await sources.fetch(request, commit, options)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return error
  }
}

/** What a condition says about an error of `generateSet`. */
export function wordsOf(error: { readonly code: string; readonly message: string }): string {
  return error.code === 'RENDER_UNSUPPORTED'
    ? `${error.message}, which is ${notYet}`
    : error.message
}

/** Lets other work have its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
