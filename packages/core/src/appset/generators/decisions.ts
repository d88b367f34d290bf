import { SourceError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { nameOf } from '../../kube/index.ts'
import { appsetError } from '../fail.ts'
import { type Params, printWithIntegers } from '../params.ts'
import { ask, type GeneratorContext, unknownFact } from './context.ts'
import type { ClusterFact } from './facts.ts'

interface KnownCluster {
  readonly name: string
  readonly server: string
}

const inCluster: KnownCluster = { name: 'in-cluster', server: 'https://kubernetes.default.svc' }

/**
 * Clusters that some resource has decided for in its status. `values` are taken as they are written.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/duck_type.go
 */
export function decisionParams(spec: JsonObject, context: GeneratorContext): readonly Params[] {
  const { facts, renderer, budget } = context
  if (facts.clusters === undefined) {
    throw unknownFact('clusterDecisionResource', 'which clusters are registered')
  }
  const configMap = ask<'configMap'>(context, {
    ask: 'configMap',
    name: String(spec['configMapRef'] ?? ''),
  })
  if (configMap instanceof SourceError) {
    throw appsetError(`error reading configMapRef: ${configMap.message}`, configMap)
  }
  const { apiVersion = '', kind = '', matchKey = '', statusListKey } = configMap
  const slash = apiVersion.indexOf('/')
  if (kind === '' || slash < 1) {
    throw appsetError('there is a problem with the apiVersion, kind or resourceName provided')
  }
  const answer = ask<'resources'>(context, {
    ask: 'resources',
    group: apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    resource: kind,
    ...chosen(spec),
  })
  if (answer instanceof SourceError) {
    throw appsetError(`failed to get dynamic resources: ${answer.message}`, answer)
  }
  if (answer.length === 0) throw appsetError('no clusterDecisionResources found')
  if (matchKey === '') return []
  const clusters = clustersByName(facts.clusters)
  const out: Params[] = []
  for (const object of answer) {
    for (const decision of decisionsOf(object, statusListKey || 'clusters')) {
      budget.spend(1)
      const cluster = clusters.get(printWithIntegers(decision[matchKey] ?? ''))
      if (cluster === undefined) continue
      const params: { [name: string]: Json } = { name: cluster.name, server: cluster.server }
      for (const [key, value] of Object.entries(decision)) params[key] = printWithIntegers(value)
      const { values } = spec
      if (isObject(values)) {
        if (renderer.goTemplate) params['values'] = values
        else for (const [key, value] of Object.entries(values)) params[`values.${key}`] = value
      }
      out.push(params)
    }
  }
  return out
}

/** The one of a name, or those of a selector. */
function chosen({
  name,
  labelSelector,
}: JsonObject): { readonly name: string } | { readonly labelSelector: JsonObject } {
  const selector = isObject(labelSelector) ? labelSelector : {}
  const selects = isObject(selector['matchLabels']) || Array.isArray(selector['matchExpressions'])
  const named = typeof name === 'string' && name !== ''
  if (named === selects) {
    throw appsetError(
      'there is a problem with the definition of the ClusterDecisionResource generator',
    )
  }
  return named ? { name } : { labelSelector: selector }
}

function clustersByName(clusters: readonly ClusterFact[]): ReadonlyMap<string, KnownCluster> {
  const known: readonly KnownCluster[] = clusters.some(({ server }) => server === inCluster.server)
    ? clusters
    : [...clusters, inCluster]
  const out = new Map<string, KnownCluster>()
  for (const cluster of known) if (!out.has(cluster.name)) out.set(cluster.name, cluster)
  out.delete('')
  return out
}

function decisionsOf(object: JsonObject, listKey: string): readonly JsonObject[] {
  const { status } = object
  if (!isObject(status) || Object.keys(status).length === 0) return []
  const list = status[listKey]
  // Argo CD panics here and tries again without end
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw appsetError(
      `${String(object['kind'])} ${nameOf(object as never)} has no list of objects at status.${listKey}`,
    )
  }
  return list
}
