import { SourceError } from '@litecd/core/errors'
import { maxVersion } from '../versions.ts'
import type { AdvertisedRef } from './refs.ts'

/**
 * The commit that a target revision means among the refs of a remote: 40 hex digits as they are, then a tag by version
 * or constraint, then a ref by its full or short name (a branch before a tag of the same name), then seven or more hex
 * digits as they are.
 *
 * Parity: an abbreviated id is returned as it is, and nothing proves that a full one exists. Where a branch and a tag
 * have the same name Argo CD's answer varies from run to run; ours does not.
 *
 * @throws SourceError SOURCE_REVISION_UNKNOWN
 * Source: argo-cd v3.5.1 util/git/client.go lsRemote
 */
export function resolveAmong(
  refs: readonly AdvertisedRef[],
  revision: string,
  tagPrefix = '',
): string {
  if (isFullId(revision)) return revision
  const tags = refs
    .filter((ref) => ref.name.startsWith('refs/tags/'))
    .map((ref) => shortName(ref.name))
  const version = maxVersion(revision === '' ? 'HEAD' : revision, tags, tagPrefix)
  const name = 'version' in version ? version.version : revision === '' ? 'HEAD' : revision
  const isShort = !name.startsWith('refs/')
  for (const ref of refs) {
    if (ref.name === name || (isShort && shortName(ref.name) === name)) return ref.peeled ?? ref.id
  }
  if (/^[0-9A-Fa-f]{7,}$/.test(name)) return name
  throw new SourceError('SOURCE_REVISION_UNKNOWN', `unable to resolve '${name}' to a commit SHA`, {
    hint: 'name a branch, a tag, a commit or a version constraint over the tags of the repository',
  })
}

/** True for a full id, which needs no look at the remote. */
export function isFullId(revision: string): boolean {
  return /^[0-9A-Fa-f]{40}$/.test(revision)
}

/** As go-git shortens: without `refs/heads/`, `refs/tags/`, `refs/remotes/`, or else without `refs/`. */
export function shortName(name: string): string {
  return name.replace(/^refs\/(?:heads\/|tags\/|remotes\/)?/, '')
}
