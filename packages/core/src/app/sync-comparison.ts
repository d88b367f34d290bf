import type { Adapters } from '../adapters/index.ts'
import {
  type Application,
  type ApplicationSpec,
  type AppProject,
  type Settings,
  sourcesOf,
} from '../argo/index.ts'
import { assessHealth } from '../health/index.ts'
import { formatKey, type ResourceKey } from '../kube/index.ts'
import { type KnownCluster, resolveDestination } from '../project/index.ts'
import { projectPermissions } from '../sync/index.ts'
import { setConditions } from './conditions.ts'
import { ignoredKeeper } from './ignored.ts'
import type { SyncCompareRequest, SyncComparison } from './operate.ts'
import { compareApplication, comparisonTypes } from './reconcile.ts'

export interface SyncCompareContext {
  readonly project: AppProject
  readonly clusters: readonly KnownCluster[]
  readonly settings: Settings
  readonly signal?: AbortSignal
}

/**
 * The comparison that a beat of a sync works on: the sources and revisions that its operation is pinned to instead of
 * those of the spec.
 *
 * Source: argo-cd v3.5.1 controller/sync.go SyncAppState
 */
export async function compareForSync(
  app: Application,
  request: SyncCompareRequest,
  context: SyncCompareContext,
  adapters: Adapters,
): Promise<SyncComparison> {
  const { settings, project } = context
  const pinned: Application = { ...app, spec: pinnedSpec(app.spec, request) }
  const result = await compareApplication(
    pinned,
    project,
    {
      settings,
      clusters: context.clusters,
      refresh: { level: 3, hard: false },
      revisions: request.revisions.map((revision) => (revision === '' ? undefined : revision)),
      manifests: request.manifests,
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    },
    adapters,
  )
  const resolved = resolveDestination(app.spec.destination, context.clusters)
  const cluster = 'cluster' in resolved ? resolved.cluster : { server: '', name: '' }
  const modified = new Map<string, boolean>()
  for (const [index, pair] of result.pairs.entries()) {
    const differs = pair.target === undefined || pair.live === undefined || result.modified?.[index]
    if (differs !== undefined) modified.set(formatKey(pair.key), differs)
  }
  const sources = sourcesOf(pinned.spec)
  return {
    revision: request.multiple ? '' : (result.revisions[0] ?? request.revisions[0] ?? ''),
    ...(request.multiple
      ? { revisions: result.loaded ? result.revisions : request.revisions }
      : {}),
    comparedTo: request.multiple
      ? { sources }
      : sources[0] === undefined
        ? {}
        : { source: sources[0] },
    conditions: setConditions(
      app.status?.conditions ?? [],
      result.conditions,
      comparisonTypes,
      adapters.clock.now(),
    ),
    targets: [...result.targets.resources, ...result.targets.hooks].map(({ manifest }) => manifest),
    live: result.live,
    facts: result.facts,
    permits: projectPermissions(project, cluster),
    assess: (live) =>
      assessHealth(live, {
        overrides: settings.overrides,
        health: settings.health,
        clock: () => adapters.clock.now(),
      }),
    modified: (key: ResourceKey) => modified.get(formatKey(key)),
    keepIgnored: ignoredKeeper(app, settings, adapters.jq),
  }
}

function pinnedSpec(spec: ApplicationSpec, request: SyncCompareRequest): ApplicationSpec {
  const { source: _source, sources: _sources, sourceHydrator: _hydrator, ...rest } = spec
  if (request.multiple) return { ...rest, sources: request.sources }
  const [source] = request.sources
  return source === undefined ? rest : { ...rest, source }
}
