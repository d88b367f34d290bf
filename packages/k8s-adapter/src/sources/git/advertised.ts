import { compareStrings } from '@litecd/core/json'
import type { AdvertisedRef } from './refs.ts'
import type { GitRepository } from './repository.ts'

/** The refs of a repository on this machine, as a server would advertise them: HEAD first, then by name. */
export function advertisedRefs(repository: GitRepository): readonly AdvertisedRef[] {
  const found: AdvertisedRef[] = []
  for (const name of ['HEAD', ...repository.refs.names()]) {
    const id = repository.refs.resolve(name)
    if (id === undefined) continue
    const value = repository.refs.read(name)
    const peeled = name.startsWith('refs/tags/') ? peeledTag(repository, id) : undefined
    found.push({
      name,
      id,
      ...(value !== undefined && 'symbolic' in value ? { target: value.symbolic } : {}),
      ...(peeled === undefined ? {} : { peeled }),
    })
  }
  return found
}

function peeledTag(repository: GitRepository, id: string): string | undefined {
  const type = repository.objects.read(id)?.type
  return type === 'tag' ? repository.peel(id).id : undefined
}

/**
 * The refs that a remote of this clone had when it was last fetched, as the remote itself would name them: its branches
 * under `refs/heads/`, all tags, and HEAD where the clone knows it.
 */
export function remoteRefs(repository: GitRepository, remote = 'origin'): readonly AdvertisedRef[] {
  const prefix = `refs/remotes/${remote}/`
  const found: AdvertisedRef[] = []
  for (const ref of advertisedRefs(repository)) {
    const target = ref.target?.startsWith(prefix)
      ? `refs/heads/${ref.target.slice(prefix.length)}`
      : undefined
    if (ref.name === `${prefix}HEAD`) {
      found.unshift({ name: 'HEAD', id: ref.id, ...(target === undefined ? {} : { target }) })
    } else if (ref.name.startsWith(prefix)) {
      found.push({ name: `refs/heads/${ref.name.slice(prefix.length)}`, id: ref.id })
    } else if (ref.name.startsWith('refs/tags/')) found.push(ref)
  }
  const rank = (name: string): number =>
    name === 'HEAD' ? 0 : name.startsWith('refs/heads/') ? 1 : 2
  return found.sort((a, b) => rank(a.name) - rank(b.name) || compareStrings(a.name, b.name))
}
