import { joinPath } from '../../files/index.ts'
import type { BuildOrigin } from './origin-text.ts'
import { parseRepo } from './remote.ts'
import type { Resource } from './resource.ts'

/** Where something stands that a level names by a path. */
export function appendOrigin(origin: BuildOrigin, path: string): BuildOrigin {
  const repo = parseRepo(path)
  if (repo !== undefined) {
    const made: BuildOrigin = { repo: repo.clone, path: joinPath(repo.path) }
    return repo.ref === '' ? made : { ...made, ref: repo.ref }
  }
  return { ...origin, path: joinPath(origin.path ?? '', path) }
}

/** A built-in generator or transformer that a field of a kustomization file asks for. */
export function builtinOrigin(
  origin: BuildOrigin | undefined,
  fileName: string,
  kind: string,
): BuildOrigin | undefined {
  if (origin === undefined) return undefined
  const { repo, ref, path = '' } = origin
  return {
    ...(repo === undefined ? {} : { repo }),
    ...(ref === undefined ? {} : { ref }),
    configuredIn: joinPath(path, fileName),
    configuredBy: { apiVersion: 'builtin', kind },
  }
}

/** A generator or transformer that an object configures. */
export function pluginOrigin(plugin: Resource): BuildOrigin | undefined {
  const { origin } = plugin
  if (origin === undefined) return undefined
  const { repo, ref, path } = origin
  return {
    ...(repo === undefined ? {} : { repo }),
    ...(ref === undefined ? {} : { ref }),
    ...(path === undefined ? {} : { configuredIn: path }),
    configuredBy: {
      apiVersion: plugin.apiVersion,
      kind: plugin.kind,
      ...(plugin.name === '' ? {} : { name: plugin.name }),
      ...(plugin.namespace === '' ? {} : { namespace: plugin.namespace }),
    },
  }
}
