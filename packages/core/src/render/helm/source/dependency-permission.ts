import { type LitecdError, RenderError } from '../../../errors/index.ts'
import { isNamed } from './dependency-lock.ts'

/** What the project says of repositories. */
export interface ProjectQuestion {
  readonly project: string
  /** Every repository is permitted when absent. */
  readonly permitsSource?: (repoURL: string) => boolean
}

/**
 * What is said in place of the reason when a repository or a chart cannot be had and the project does not permit some
 * of the repositories that Chart.yaml names; undefined when there is nothing to say.
 *
 * Parity: such a repository is asked all the same, without credentials, and nobody hears of it as long as it answers.
 * `unknown` are `@name` and `alias:name` for which there is no repository.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go helmTemplate, getHelmDependencyRepos
 */
export function refusedByProject(
  error: LitecdError,
  repositories: readonly string[],
  unknown: readonly string[],
  { project, permitsSource }: ProjectQuestion,
): RenderError | undefined {
  if (permitsSource === undefined || !isUnreachable(error)) return undefined
  const asked = repositories.flatMap((repository) => {
    if (isNamed(repository)) return unknown.includes(repository) ? [''] : []
    return /^(https|oci):/i.test(repository) ? [repository.replace(/^oci:\/\//, '')] : []
  })
  const refused = asked.filter((url) => !permitsSource(url))
  if (refused.length === 0) return undefined
  return new RenderError(
    'HELM_FAILED',
    `helm repos ${refused.join(', ')} are not permitted in project '${project}'`,
    {
      cause: error,
      hint: 'Add them to sourceRepos of the project, or vendor the dependencies below charts/.',
      retryable: error.retryable,
      data: { grpc: 'PermissionDenied', reason: error.message },
    },
  )
}

function isUnreachable({ message }: LitecdError): boolean {
  return (
    message.includes('is not a valid chart repository or cannot be reached') ||
    message.includes('could not download')
  )
}
