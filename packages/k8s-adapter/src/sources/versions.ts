import { highestVersion, parseConstraint, parseVersion } from '@litecd/core/text'

/** An answer, or why there is none, in Argo CD's words. */
export type VersionAnswer = { readonly version: string } | { readonly error: string }

/**
 * What a target revision means among tags: an exact version is taken as it is (without a look at the tags), a
 * constraint takes the highest tag that satisfies it, anything else must be a tag.
 *
 * Source: argo-cd v3.5.1 util/versions/tags.go MaxVersion
 */
export function maxVersion(revision: string, tags: readonly string[], prefix = ''): VersionAnswer {
  if ('value' in parseVersion(revision)) return { version: prefix + revision }
  const own =
    prefix === ''
      ? tags
      : tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length))
  const constraint = parseConstraint(revision)
  if ('error' in constraint) {
    if (prefix !== '') {
      return {
        error: `tagPrefix ${JSON.stringify(prefix)} requires targetRevision to be a semver constraint, but ${JSON.stringify(revision)} is not a valid constraint`,
      }
    }
    if (own.includes(revision)) return { version: revision }
    return { error: `failed to determine semver constraint: ${constraint.error}` }
  }
  const highest = highestVersion(own, constraint.value)
  return highest === undefined
    ? { error: `version matching constraint not found in ${own.length} tags` }
    : { version: prefix + highest }
}

/** Whether a revision is a constraint rather than a version or a name. */
export function isConstraint(revision: string): boolean {
  return 'error' in parseVersion(revision) && 'value' in parseConstraint(revision)
}

export function isVersion(revision: string): boolean {
  return 'value' in parseVersion(revision)
}
