import type { SourceFetcher } from '@litecd/core/adapters'
import {
  type ApplicationSet,
  type AppsetSettings,
  applicationSteps,
  type ClusterFact,
  type TreeRequest,
} from '@litecd/core/appset'
import type { Application, AppProject } from '@litecd/core/argo'
import { SourceError, SpecError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import type { JsonObject } from '@litecd/core/json'

export interface GeneratorContext {
  readonly argo: {
    project(name: string): AppProject | undefined
    clusterFacts(): readonly ClusterFact[]
  }
  readonly sources: SourceFetcher
  readonly settings: () => AppsetSettings
}

export const annotationSetRefresh = 'argocd.argoproj.io/application-set-refresh'
export const notYet = 'not supported yet by this version of litecd'

const maxCheckouts = 1000
/** After so many Applications other work gets its turn. */
export const stride = 25

/**
 * The Applications of a set, with every checkout fetched that its generators ask for. Throws LitecdError: APPSET_FAILED in
 * Argo CD's words, RENDER_UNSUPPORTED where a provider would have to be asked, BUDGET_EXCEEDED.
 */
export async function generateSet(
  set: ApplicationSet,
  context: GeneratorContext,
): Promise<readonly Application[]> {
  const { argo } = context
  const { newGitFileGlobbing } = context.settings()
  const trees = new Map<string, FileTree | SourceError>()
  const facts = {
    clusters: argo.clusterFacts(),
    tree: (request: TreeRequest) => {
      projectOf(set, context)
      return trees.get(treeKey(request))
    },
  }
  for (;;) {
    const applications: Application[] = []
    const steps = applicationSteps(set, facts, { newGitFileGlobbing })
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) {
      applications.push(step.value)
      if (applications.length % stride === 0) await turn()
    }
    if (step.value === undefined) return applications
    if (trees.size >= maxCheckouts) {
      throw new SpecError('APPSET_FAILED', `the set asks for more than ${maxCheckouts} checkouts`)
    }
    trees.set(treeKey(step.value), await checkout(set, step.value, context))
  }
}

/**
 * The project whose credentials a git generator may use; '' where the name is a template. Its commits would have to be
 * verified where the project asks for it.
 */
function projectOf(set: ApplicationSet, context: GeneratorContext): string {
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
  const { sourceIntegrity, signatureKeys = [] } = project.spec
  if (sourceIntegrity !== undefined || signatureKeys.length > 0) {
    fail(`project ${name} wants commits to be verified, which is ${notYet}`)
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
    project: projectOf(set, context),
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

function treeKey({ repoURL, revision }: TreeRequest): string {
  return `${revision} ${repoURL}`
}

/** Lets other work have its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
