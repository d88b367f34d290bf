import type { ClusterFact } from '@litecd/core/appset'
import { SpecError } from '@litecd/core/errors'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { annotationsOf, labelsOf, type Manifest } from '@litecd/core/kube'
import { parseYamlDocuments } from '@litecd/core/yaml'

const secretType = 'argocd.argoproj.io/secret-type'

/**
 * Clusters of a file: what `argocd cluster list -o json` prints, or the cluster Secrets as kubectl prints them. Only
 * names, URLs, projects, labels and annotations are read; credentials are not looked at.
 *
 * Throws USAGE for what is neither.
 */
export function parseClusters(text: string, path: string): readonly ClusterFact[] {
  const out: ClusterFact[] = []
  for (const { value } of parseYamlDocuments(text, { path })) {
    for (const item of itemsOf(value)) out.push(clusterOf(item, path))
  }
  return out
}

function itemsOf(value: Json): readonly Json[] {
  if (value === null) return []
  if (Array.isArray(value)) return value
  const items = isObject(value) ? value['items'] : undefined
  return Array.isArray(items) ? items : [value]
}

function clusterOf(item: Json, path: string): ClusterFact {
  const refuse = (message: string): never => {
    throw new SpecError('USAGE', `${path}: ${message}`, {
      hint: 'Save what `argocd cluster list -o json` or `kubectl get secrets -l argocd.argoproj.io/secret-type=cluster -o yaml` prints.',
    })
  }
  if (!isObject(item)) return refuse('a cluster is no object')
  if (item['kind'] === 'Secret') return clusterOfSecret(item as Manifest)
  const { name, server, project, labels, annotations } = item
  if (typeof name !== 'string' || typeof server !== 'string') {
    return refuse('a cluster needs a name and a server')
  }
  return {
    name,
    server,
    project: typeof project === 'string' ? project : '',
    labels: textMap(labels),
    annotations: textMap(annotations),
  }
}

function clusterOfSecret(secret: Manifest): ClusterFact {
  const part = (key: string): string => {
    const plain = isObject(secret['stringData']) ? secret['stringData'][key] : undefined
    if (typeof plain === 'string') return plain
    const encoded = isObject(secret['data']) ? secret['data'][key] : undefined
    return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  }
  const server = part('server')
  return {
    name: part('name') || server,
    server,
    project: part('project'),
    labels: { [secretType]: 'cluster', ...labelsOf(secret) },
    annotations: annotationsOf(secret),
  }
}

function textMap(value: Json | undefined): { readonly [key: string]: string } {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, text]) => [key, String(text)]),
  )
}
