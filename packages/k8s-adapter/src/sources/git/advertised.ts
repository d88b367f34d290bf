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
