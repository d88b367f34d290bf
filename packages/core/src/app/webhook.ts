import {
  type Application,
  type ApplicationSource,
  comparesTo,
  hydratedSource,
  type PackageEvent,
  type PushEvent,
  repositoryMatcher,
  sourcesOf,
  touches,
} from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { concerns, refreshPaths } from './generate-paths.ts'

/** An Application that a webhook refreshes. */
export interface ConcernedApplication {
  readonly application: Application
  /** Its dry source is what changed: it has to be hydrated as well. */
  readonly hydrate: boolean
}

interface Candidate {
  readonly source: ApplicationSource
  /** Paths whose changes count; empty: all. */
  readonly paths: () => readonly string[]
  readonly isDry: boolean
}

/**
 * The Applications that an event concerns, each once: one of its sources is the repository or artifact, at a revision
 * that the event moves, with changes on paths that count for it.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go HandleEvent, registry.go HandleRegistryEvent
 */
export function* concernedApplications(
  event: PushEvent | PackageEvent,
  applications: Iterable<Application>,
): Generator<ConcernedApplication> {
  const fits = event.kind === 'push' ? pushMatcher(event) : packageMatcher(event)
  for (const application of applications) {
    const hit = candidatesOf(application).find(fits)
    // a package asks for hydration whatever source it is
    if (hit !== undefined) yield { application, hydrate: hit.isDry || event.kind === 'package' }
  }
}

function pushMatcher(event: PushEvent): (candidate: Candidate) => boolean {
  if (!event.forApplications) return () => false
  const repositories = event.urls.map(repositoryMatcher)
  const files = (event.files ?? []).map((path) => ({
    path: path.replace(/^\/+/, ''),
    change: 'modified' as const,
  }))
  return ({ source, paths }) => {
    if (!touches(event, source.targetRevision ?? '')) return false
    if (!repositories.some((fits) => fits(source.repoURL ?? ''))) return false
    return files.length === 0 || concerns(paths(), files)
  }
}

function packageMatcher({ url, tag }: PackageEvent): (candidate: Candidate) => boolean {
  const wanted = plainOci(url)
  return ({ source }) =>
    plainOci(source.repoURL ?? '') === wanted && comparesTo(tag, source.targetRevision ?? '')
}

function plainOci(url: string): string {
  return url
    .replace(/^oci:\/\//, '')
    .replace(/\/$/, '')
    .toLowerCase()
}

function candidatesOf(application: Application): readonly Candidate[] {
  const { spec } = application
  const byAnnotation = (source: ApplicationSource) => (): readonly string[] =>
    refreshPaths(application, source.path ?? '')
  const hydrated = hydratedSource(spec)
  if (hydrated === undefined) {
    return sourcesOf(spec).map((source) => ({
      source,
      paths: byAnnotation(source),
      isDry: false,
    }))
  }
  const dry = (spec.sourceHydrator?.['drySource'] ??
    {}) as JsonObject as unknown as ApplicationSource
  return [
    { source: hydrated, paths: () => [hydrated.path ?? ''], isDry: false },
    { source: dry, paths: byAnnotation(dry), isDry: true },
  ]
}
