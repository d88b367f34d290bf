import { ClusterError } from '@litecd/core/errors'
import { getPath, isObject, type JsonObject } from '@litecd/core/json'
import type { Api } from './api.ts'
import { namesCase } from './record.ts'

const sets = 'ApplicationSet'

/** Sets before what they generate, then everything else, namespaces last. */
function rank(object: JsonObject): number {
  if (object['kind'] === sets) return 0
  if (object['kind'] === 'Application') return 1
  return object['kind'] === 'Namespace' ? 3 : 2
}

async function remove(api: Api, object: JsonObject): Promise<void> {
  const meta = object['metadata'] as JsonObject
  try {
    if (Array.isArray(meta['finalizers']) && object['kind'] !== 'Namespace') {
      await api.mergePatch(object, { metadata: { finalizers: null } })
    }
    if (meta['deletionTimestamp'] === undefined) await api.delete(object, 'Background')
  } catch (error) {
    if (error instanceof ClusterError && [404, 405, 409].includes(error.status)) return
    throw error
  }
}

/** What a case has left anywhere: objects whose metadata names it, and events about such. */
async function leftovers(api: Api, app: string): Promise<readonly JsonObject[]> {
  const kinds = (await api.listable('now')).filter(
    (kind) => kind.verbs.includes('delete') && kind.group !== 'events.k8s.io',
  )
  const lists = await Promise.all(kinds.map((kind) => api.list(kind)))
  return lists.flat().filter((object) => {
    const about = object['involvedObject']
    const aboutCase = isObject(about) && `${about['name']}`.includes(app)
    return aboutCase || namesCase(object, app)
  })
}

/** Removes everything that a case has made, finalizers included. Resolves when it is gone. */
export async function cleanUp(api: Api, app: string): Promise<void> {
  for (let round = 0; ; round++) {
    const rest = await leftovers(api, app)
    // An APIService goes with its definition; a namespace that is going and empty is only waiting for its turn.
    const going = rest.filter(
      (object) =>
        object['kind'] !== 'APIService' &&
        !(object['kind'] === 'Namespace' && getPath(object, 'metadata', 'deletionTimestamp')),
    )
    if (going.length === 0) return
    if (round === 60) {
      const names = going.map((one) => `${one['kind']}/${(one['metadata'] as JsonObject)['name']}`)
      throw new Error(`cannot remove ${names.slice(0, 5).join(', ')}`)
    }
    for (const step of [0, 1, 2, 3]) {
      await Promise.all(going.filter((one) => rank(one) === step).map((one) => remove(api, one)))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
