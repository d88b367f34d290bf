import type { ApplyOptions, Cluster } from '@litecd/core/adapters'
import { type Application, defaultSettings } from '@litecd/core/argo'
import {
  compileDiffRules,
  type DiffRules,
  diffPairs,
  fieldChanges,
  formatPath,
} from '@litecd/core/diff'
import { keyOf, type Manifest } from '@litecd/core/kube'

export type Way = 'client-side' | 'server-side'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'synced', namespace: 'argocd' },
  spec: { project: 'default', destination: { server: 'https://kubernetes.default.svc' } },
}

function rulesFor(way: Way): DiffRules {
  const syncPolicy = { syncOptions: ['ServerSideApply=true'] }
  const asked = way === 'client-side' ? app : { ...app, spec: { ...app.spec, syncPolicy } }
  return compileDiffRules(asked, defaultSettings)
}

const rules: { readonly [way in Way]: DiffRules } = {
  'client-side': rulesFor('client-side'),
  'server-side': rulesFor('server-side'),
}

export function applyOptions(way: Way): ApplyOptions {
  return {
    dryRun: 'none',
    serverSide: way === 'server-side',
    force: false,
    validate: true,
    fieldManager: 'argocd-controller',
  }
}

/** The fields in which a target and its live object differ; none when the pair is Synced. */
export async function differences(
  cluster: Cluster,
  target: Manifest,
  way: Way,
): Promise<readonly string[]> {
  const live = await cluster.get(keyOf(target), target.apiVersion)
  if (live === undefined) return ['the object is gone']
  const [diff] = diffPairs([{ key: keyOf(target), target, live }], rules[way])
  if (diff?.modified !== true) return []
  const { normalizedLive, predictedLive } = diff
  if (normalizedLive === undefined || predictedLive === undefined) return ['one side is gone']
  const changes = fieldChanges(normalizedLive, predictedLive)
  return changes.length === 0
    ? ['modified, and no field tells']
    : changes.map(({ path }) => formatPath(path))
}
