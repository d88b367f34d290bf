import type { LookupQuery } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { apiVersionOf, groupOf, versionOf } from '@litecd/core/kube'
import {
  type ApiResource,
  isNotFound,
  type KubeClient,
  type ResourceRef,
  resourcePath,
} from '../client/index.ts'

const pageSize = 500
const maxPages = 40

/**
 * What Helm's `lookup` gives: an object, or the list object when no name is given; undefined when it is not there.
 *
 * Throws ClusterError in the words that Helm puts after `error calling lookup: `. Parity with one exception: for a list
 * of a kind that its group does not have, Helm prints an answer of `/api` that has nothing to do with it; here the
 * answer is empty, as Helm's is for an object of such a kind.
 *
 * Source: helm v4.2.2 pkg/engine/lookup_func.go
 */
export async function lookUp(
  client: KubeClient,
  query: LookupQuery,
): Promise<JsonObject | undefined> {
  const { namespace, name } = query
  const resource = await resourceOf(client, query)
  if (resource === undefined) return undefined
  try {
    if (name === '') return await listOf(client, resource, namespace)
    return await client.get(resource, name, { namespace: resource.namespaced ? namespace : '' })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** The kind in that version; undefined when the version is served and the kind is not. */
async function resourceOf(
  client: KubeClient,
  { apiVersion, kind }: LookupQuery,
): Promise<ApiResource | undefined> {
  const isVersion = apiVersion !== '' && apiVersion.split('/').length <= 2
  if (!isVersion) throw unknown('/', kind, "groupVersion shouldn't be empty")
  const [group, version] = [groupOf(apiVersion), versionOf(apiVersion)]
  const found = await client.discovery.find({ group, kind }, version)
  if (found !== undefined) return found
  const { resources, stale } = await client.discovery.surface()
  const isServed = resources.some((resource) => {
    return apiVersionOf(resource.group, resource.version) === apiVersion
  })
  if (isServed) return undefined
  throw unknown(
    `${group}/${version}`,
    kind,
    stale.includes(apiVersion)
      ? 'the server is currently unable to handle the request'
      : 'the server could not find the requested resource',
  )
}

function unknown(groupVersion: string, kind: string, why: string): ClusterError {
  return new ClusterError(
    'CLUSTER_NOT_FOUND',
    `unable to get apiresource from unstructured: ${groupVersion}, Kind=${kind}: ${why}`,
    { hint: 'Ask .Capabilities.APIVersions first.' },
  )
}

/** All pages as the one list that a request without a limit gives; items have kinds of their own. */
async function listOf(
  client: KubeClient,
  resource: ResourceRef,
  namespace: string,
): Promise<JsonObject> {
  const path = resourcePath(resource, { namespace: resource.namespaced ? namespace : '' })
  const items: Json[] = []
  let token: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const answer = await client.request({
      method: 'GET',
      path,
      query: { limit: pageSize, continue: token },
    })
    const list = isObject(answer) ? answer : {}
    const {
      continue: more,
      remainingItemCount: _,
      ...metadata
    } = isObject(list['metadata']) ? list['metadata'] : {}
    const own = { apiVersion: list['apiVersion']!, kind: itemKind(list['kind']) }
    for (const item of Array.isArray(list['items']) ? list['items'] : []) {
      items.push(isObject(item) && item['kind'] === undefined ? { ...item, ...own } : item)
    }
    if (typeof more === 'string' && more !== '') token = more
    else return { ...list, metadata, items }
  }
  throw new ClusterError(
    'CLUSTER_REFUSED',
    `a list of more than ${maxPages * pageSize} objects is too long to look up`,
  )
}

function itemKind(listKind: Json | undefined): string {
  return typeof listKind === 'string' ? listKind.replace(/List$/, '') : ''
}
