import { isObject, type Json, type JsonObject } from '@litecd/core/json'

const states = ['targetState', 'liveState', 'normalizedLiveState', 'predictedLiveState'] as const

/** What varies from run to run in the metadata of live objects; the recordings do not have it. */
const varying = new Set(['uid', 'resourceVersion', 'managedFields'])

/**
 * What the controller compared last, for each of some Applications, in the shape of recorded answers. An Application
 * without a comparison is left out.
 */
export async function recordManaged(
  url: string,
  names: readonly string[],
): Promise<{ readonly [name: string]: Json }> {
  const out: { [name: string]: Json } = {}
  for (const name of names) {
    const answer = await fetch(`${url}/api/v1/applications/${name}/managed-resources`)
    if (answer.status === 404) continue
    if (!answer.ok) throw new Error(`managed resources of ${name}: HTTP ${answer.status}`)
    const { items } = (await answer.json()) as { readonly items: readonly JsonObject[] }
    out[name] = items.map(recordedItem)
  }
  return out
}

function recordedItem(item: JsonObject): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const key of ['group', 'kind', 'namespace', 'name']) {
    if (item[key] !== '') out[key] = item[key]!
  }
  for (const key of states) {
    const state = JSON.parse(`${item[key]}`) as Json
    out[key] = isObject(state) ? withoutVarying(state) : state
  }
  if (item['modified'] === true) out['modified'] = true
  return out
}

function withoutVarying(state: JsonObject): JsonObject {
  const { metadata } = state
  if (!isObject(metadata)) return state
  const kept = Object.entries(metadata).filter(([key]) => !varying.has(key))
  return { ...state, metadata: Object.fromEntries(kept) as JsonObject }
}
