import type { Destination } from '../argo/index.ts'

/** A cluster that the host knows: from a Secret, or the one it runs in. */
export interface KnownCluster {
  readonly server: string
  readonly name: string
}

export const inClusterServer = 'https://kubernetes.default.svc'

/**
 * The cluster that a destination names, or Argo CD's words for why there is none.
 *
 * Source: argo-cd v3.5.1 util/argo/argo.go GetDestinationCluster
 */
export function resolveDestination(
  destination: Destination,
  clusters: readonly KnownCluster[],
): { readonly cluster: KnownCluster } | { readonly error: string } {
  const name = destination.name ?? ''
  const server = destination.server ?? ''
  if (name !== '' && server !== '') {
    return {
      error: `application destination can't have both name and server defined: ${name} ${server}`,
    }
  }
  if (server !== '') {
    const wanted = trimSlash(server)
    const cluster = clusters.find((known) => trimSlash(known.server) === wanted)
    if (cluster !== undefined) return { cluster }
    return {
      error: `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${wanted}" not found`,
    }
  }
  if (name === '') return { error: 'Destination server missing from app spec' }
  const named = clusters.filter((known) => known.name === name)
  const [first] = named
  if (first === undefined) return { error: `there are no clusters with this name: ${name}` }
  if (named.length > 1) {
    const servers = named.map((known) => known.server).join(' ')
    return { error: `there are ${named.length} clusters with the same name: [${servers}]` }
  }
  return { cluster: first }
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
