import type { Json, JsonObject } from '../../json/index.ts'
import { compareStrings, isObject } from '../../json/index.ts'
import { fitsSelector } from '../../kube/index.ts'
import { appsetError, within } from '../fail.ts'
import type { Params } from '../params.ts'
import { prefixed, type Renderer } from '../render.ts'
import { normalizeName } from '../slug.ts'
import type { ClusterFact } from './facts.ts'

const inCluster = 'https://kubernetes.default.svc'

/** Source: argo-cd v3.5.1 applicationset/generators/cluster.go. Ours goes by name, where Argo CD's order changes. */
export function clusterParams(
  spec: JsonObject,
  clusters: readonly ClusterFact[],
  renderer: Renderer,
): readonly Params[] {
  const { selector, values, flatList } = spec
  const empty =
    !isObject(selector) ||
    (Object.keys((selector['matchLabels'] as JsonObject | undefined) ?? {}).length === 0 &&
      ((selector['matchExpressions'] as readonly Json[] | undefined) ?? []).length === 0)
  const selected = clusters.filter(({ labels }) => {
    const fits = empty || fitsSelector(selector, labels ?? {})
    if (fits === undefined) throw appsetError('error converting selector: it is no label selector')
    return fits
  })
  const byName = new Map(selected.map((cluster) => [cluster.name, cluster]))
  const out = [...byName.values()]
    .sort((a, b) => compareStrings(a.name, b.name))
    .map((cluster) => paramsOf(cluster, renderer.goTemplate))
  if (empty && !selected.some(({ server }) => server === inCluster)) {
    out.push({
      name: 'in-cluster',
      nameNormalized: 'in-cluster',
      server: inCluster,
      project: '',
    })
  }
  const full = out.map((params) =>
    within(
      `error appending templated values for ${params['name'] === 'in-cluster' ? 'local ' : ''}cluster: `,
      () => renderer.withValues(params, values),
    ),
  )
  return flatList === true ? [{ clusters: full }] : full
}

function paramsOf(cluster: ClusterFact, goTemplate: boolean): Params {
  const { name, server, project = '', labels = {}, annotations = {} } = cluster
  const base = { name, nameNormalized: normalizeName(name), server, project }
  if (!goTemplate) {
    return {
      ...base,
      ...prefixed('metadata.labels', labels),
      ...prefixed('metadata.annotations', annotations),
    }
  }
  const metadata = {
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  }
  return Object.keys(metadata).length > 0 ? { ...base, metadata } : base
}
