import { ClusterError, SourceError } from '@litecd/core/errors'
import { getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { labelsOf, type Manifest } from '@litecd/core/kube'
import {
  configMaps,
  isNotFound,
  type KubeClient,
  type ResourceRef,
  secrets,
} from '../client/index.ts'
import type { ProviderObjects } from '../scm/index.ts'

/** What generators of ApplicationSets look up in the cluster, straight from the API server. */
export function providerObjects(client: KubeClient): ProviderObjects {
  const find = async (
    resource: ResourceRef,
    namespace: string,
    name: string,
  ): Promise<Manifest | undefined> => {
    if (name === '') return undefined
    try {
      return await client.get(resource, name, { namespace })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw asSourceError(error)
    }
  }
  return {
    secret: async (namespace, name) => {
      const secret = await find(secrets, namespace, name)
      return secret === undefined
        ? undefined
        : { labels: labelsOf(secret), data: textsOf(secret, decodeBase64) }
    },
    configMap: async (namespace, name) => {
      const map = await find(configMaps, namespace, name)
      return map === undefined ? undefined : textsOf(map, (text) => text)
    },
    list: async (namespace, { group, version, resource, name, labelSelector }) => {
      const place = { group, version, plural: resource, namespaced: true }
      const options =
        name === undefined
          ? { labelSelector: formatSelector(labelSelector ?? {}) }
          : { fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}` }
      try {
        return (await client.list(place, { namespace, ...options })).items
      } catch (error) {
        throw asSourceError(error)
      }
    },
  }
}

/** Source: k8s.io/apimachinery v0.36.1 pkg/apis/meta/v1 FormatLabelSelector */
function formatSelector({ matchLabels, matchExpressions }: JsonObject): string {
  const parts: [key: string, text: string][] = []
  for (const [key, value] of Object.entries(isObject(matchLabels) ? matchLabels : {})) {
    parts.push([key, `${key}=${String(value)}`])
  }
  for (const one of Array.isArray(matchExpressions) ? matchExpressions.filter(isObject) : []) {
    const key = String(one['key'])
    const values = Array.isArray(one['values']) ? one['values'].map(String).sort().join(',') : ''
    const texts: { readonly [operator: string]: string } = {
      In: `${key} in (${values})`,
      NotIn: `${key} notin (${values})`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }
    parts.push([key, texts[String(one['operator'])] ?? '<error>'])
  }
  return parts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',')
}

function textsOf(
  object: Manifest,
  read: (text: string) => string,
): { readonly [key: string]: string } {
  const data: Json | undefined = getPath(object, 'data')
  return Object.fromEntries(
    Object.entries(isObject(data) ? data : {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? read(value) : '',
    ]),
  )
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function asSourceError(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error
  const code =
    error.code === 'CLUSTER_NOT_FOUND'
      ? 'SOURCE_NOT_FOUND'
      : error.code === 'CLUSTER_UNREACHABLE'
        ? 'SOURCE_UNREACHABLE'
        : 'SOURCE_REFUSED'
  return new SourceError(code, error.message, { retryable: error.retryable, cause: error })
}
