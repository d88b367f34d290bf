import { ClusterError } from '@litecd/core/errors'
import { getPath, isObject, type JsonObject } from '@litecd/core/json'
import type { Api } from './api.ts'
import { namesCase } from './record.ts'

/** What may forbid the rest goes first, sets before what they generate, namespaces last. */
function rank(object: JsonObject): number {
  const { apiVersion, kind } = object
  if (`${apiVersion}`.startsWith('admissionregistration.k8s.io/')) return 0
  if (kind === 'ApplicationSet') return 1
  if (kind === 'Application') return 2
  return kind === 'Namespace' ? 4 : 3
}

async function remove(api: Api, object: JsonObject): Promise<void> {
  const meta = object['metadata'] as JsonObject
  try {
    if (Array.isArray(meta['finalizers']) && object['kind'] !== 'Namespace') {
      await api.mergePatch(object, { metadata: { finalizers: null } })
    }
    if (meta['deletionTimestamp'] === undefined) await api.delete(object, 'Background')
  } catch (error) {
    // It is gone already, somebody else writes it, or a policy that is gone too still has its say: the next round tells.
    if (!(error instanceof ClusterError)) throw error
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
    for (const step of [0, 1, 2, 3, 4]) {
      await Promise.all(going.filter((one) => rank(one) === step).map((one) => remove(api, one)))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
