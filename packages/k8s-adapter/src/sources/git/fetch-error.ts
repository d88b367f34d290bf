import { SourceError } from '@litecd/core/errors'

const noSuchCommit =
  /not our ref|couldn't find remote ref|unadvertised object|bad object|unknown revision/
const refused =
  /Authentication failed|could not read (Username|Password)|Permission denied|HTTP Basic: Access denied|The requested URL returned error: 40[13]|Host key verification failed|transport '.*' not allowed/
const gone =
  /[Rr]epository .*not found|does not appear to be a git repository|The requested URL returned error: 404/

/**
 * A failed fetch as Argo CD words it: it first fetches everything, and only when the commit is not among that names it.
 *
 * `words` is what the git program said, or would have said.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go checkoutRevision
 */
export function fetchError(revision: string, words: string, cause?: unknown): SourceError {
  const said = words.trim()
  if (noSuchCommit.test(said)) {
    return new SourceError(
      'SOURCE_REVISION_UNKNOWN',
      `Failed to checkout revision ${revision}: \`git fetch origin ${revision} --tags --force --prune\` failed exit status 128: ${said}`,
      { cause },
    )
  }
  const message = `Failed to fetch default: \`git fetch origin --tags --force --prune\` failed exit status 128: ${said}`
  if (refused.test(said)) return new SourceError('SOURCE_REFUSED', message, { cause })
  if (gone.test(said)) return new SourceError('SOURCE_NOT_FOUND', message, { cause })
  return new SourceError('SOURCE_UNREACHABLE', message, { cause, retryable: true })
}

/** What git says when a remote lacks a commit: `couldn't find` for an abbreviation, the server's words for a full id. */
export function missingCommitWords(revision: string, serverShares: boolean): string {
  if (!/^[0-9a-f]{40}$/i.test(revision)) return `fatal: couldn't find remote ref ${revision}`
  const remote = `fatal: remote error: upload-pack: not our ref ${revision}`
  return serverShares ? `fatal: git upload-pack: not our ref ${revision}\n${remote}` : remote
}
