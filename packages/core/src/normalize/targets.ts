import {
  type Condition,
  hookTypesOf,
  isDeleteHook,
  isHook,
  isIgnoredHook,
  type Settings,
  setTracking,
} from '../argo/index.ts'
import { RenderError } from '../errors/index.ts'
import { canonicalJson, deletePath, setPath } from '../json/index.ts'
import {
  type ClusterFacts,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '../kube/index.ts'
import { compileGlob } from '../text/index.ts'

/** A manifest after normalisation: what should be in the cluster. */
export interface Target<Origin = unknown> {
  readonly key: ResourceKey
  readonly manifest: Manifest
  readonly origin: Origin
}

export interface TargetSet<Origin = unknown> {
  /** Ordinary resources, in the order of their first appearance. */
  readonly resources: readonly Target<Origin>[]
  /** Sync hooks (also those that are PreDelete or PostDelete hooks at the same time). */
  readonly hooks: readonly Target<Origin>[]
  readonly preDeleteHooks: boolean
  readonly postDeleteHooks: boolean
  readonly conditions: readonly Condition[]
}

interface Options {
  readonly instance: string
  /** The destination namespace; may be empty. */
  readonly namespace: string
  readonly server: string
  readonly facts: Pick<ClusterFacts, 'scopeOf'>
  readonly settings: Settings
}

/**
 * Gives namespaced objects a namespace and takes it from the others, writes tracking anew where that changed
 * something, keeps the last of several objects with one key, drops excluded kinds, and sets hooks apart.
 *
 * Errors: RenderError MANIFEST_INVALID for an object without kind, in the words of Argo CD's decoder.
 * Source: argo-cd v3.5.1 controller/state.go NormalizeTargetObjects
 */
export function normalizeTargets<Origin>(
  manifests: readonly { readonly manifest: Manifest; readonly origin: Origin }[],
  options: Options,
): TargetSet<Origin> {
  const byKey = new Map<string, { target: Target<Origin>; count: number }>()
  manifests.forEach(({ manifest, origin }, index) => {
    if (typeof manifest.kind !== 'string' || manifest.kind === '') {
      throw new RenderError(
        'MANIFEST_INVALID',
        `Object 'Kind' is missing in '${canonicalJson(manifest)}'`,
        { hint: 'Add apiVersion and kind, or leave the file out.' },
      )
    }
    const placed = place(manifest, options)
    const key = targetKey(placed, index)
    const name = formatKey(key)
    const target = { key, manifest: placed, origin }
    const known = byKey.get(name)
    if (known === undefined) byKey.set(name, { target, count: 1 })
    else {
      known.target = target
      known.count++
    }
  })

  const conditions: Condition[] = []
  const resources: Target<Origin>[] = []
  const hooks: Target<Origin>[] = []
  let preDeleteHooks = false
  let postDeleteHooks = false
  for (const [name, { target, count }] of byKey) {
    if (count > 1) {
      conditions.push({
        type: 'RepeatedResourceWarning',
        message: `Resource ${name} appeared ${count} times among application resources.`,
      })
    }
    if (isExcluded(target.key, options.server, options.settings)) {
      conditions.push({
        type: 'ExcludedResourceWarning',
        message: `Resource ${target.key.group}/${target.key.kind} ${target.key.name} is excluded in the settings`,
      })
      continue
    }
    const pre = isDeleteHook(target.manifest, 'PreDelete')
    const post = isDeleteHook(target.manifest, 'PostDelete')
    preDeleteHooks ||= pre
    postDeleteHooks ||= post
    const syncTypes = hookTypesOf(target.manifest)
    if ((pre || post) && syncTypes.length === 0) continue
    if (isIgnoredHook(target.manifest)) continue
    if (isHook(target.manifest)) hooks.push(target)
    else resources.push(target)
  }
  return { resources, hooks, preDeleteHooks, postDeleteHooks, conditions }
}

function place(manifest: Manifest, options: Options): Manifest {
  const group = groupOf(manifest.apiVersion ?? '')
  const scope = options.facts.scopeOf({ group, kind: manifest.kind }) ?? 'Namespaced'
  const namespace = namespaceOf(manifest)
  if (scope === 'Cluster') {
    if (namespace === '') return manifest
    return retrack(deletePath(manifest, 'metadata', 'namespace'), options)
  }
  if (namespace !== '') return manifest
  // an empty namespace is none
  if (options.namespace === '') return deletePath(manifest, 'metadata', 'namespace')
  return retrack(setPath(manifest, ['metadata', 'namespace'], options.namespace), options)
}

function retrack(manifest: Manifest, options: Options): Manifest {
  return setTracking(manifest, options.instance, options.namespace, options.settings.tracking)
}

/** Objects with generateName get their index as name, so that each stays apart. */
function targetKey(manifest: Manifest, index: number): ResourceKey {
  const key = keyOf(manifest)
  if (nameOf(manifest) !== '') return key
  const metadata = manifest['metadata'] as { readonly generateName?: unknown } | undefined
  const prefix = metadata?.generateName
  return typeof prefix === 'string' && prefix !== '' ? { ...key, name: `${prefix}${index}` } : key
}

// Settings are values, and the answer is the same for all objects of a kind.
const excludedKinds = new WeakMap<Settings, Map<string, boolean>>()

/** Whether settings hide a kind altogether. Source: argo-cd v3.5.1 util/settings/resources_filter.go */
export function isExcluded(
  key: { readonly group: string; readonly kind: string },
  server: string,
  settings: Settings,
): boolean {
  let known = excludedKinds.get(settings)
  if (known === undefined) excludedKinds.set(settings, (known = new Map()))
  const name = `${server} ${key.group}/${key.kind}`
  const answer = known.get(name) ?? decideExcluded(key, server, settings)
  known.set(name, answer)
  return answer
}

function decideExcluded(
  key: { readonly group: string; readonly kind: string },
  server: string,
  settings: Settings,
): boolean {
  const glob = (pattern: string, text: string): boolean => compileGlob(pattern)?.(text) ?? false
  const matches = (rule: Settings['exclusions'][number]): boolean =>
    (rule.apiGroups.length === 0 || rule.apiGroups.some((item) => glob(item, key.group))) &&
    (rule.kinds.length === 0 || rule.kinds.some((item) => item === '*' || item === key.kind)) &&
    matchesCluster(rule)
  const matchesCluster = (rule: Settings['exclusions'][number]): boolean =>
    rule.clusters.length === 0 || rule.clusters.some((item) => glob(item, server))
  if (settings.exclusions.some(matches)) return true
  if (settings.inclusions.some(matches)) return false
  return settings.inclusions.some(matchesCluster)
}
