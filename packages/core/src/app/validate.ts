import {
  type Application,
  type ApplicationSource,
  type AppProject,
  type Condition,
  hasMultipleSources,
  type Settings,
  sourcesOf,
} from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import {
  integrityOf,
  type KnownCluster,
  permitsDestination,
  permitsSource,
  permitsSourceNamespace,
  resolveDestination,
} from '../project/index.ts'

/**
 * What is wrong with a spec before anything is fetched: project, sources, destination, permissions. An empty list lets
 * the comparison begin.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go refreshAppConditions, util/argo/argo.go ValidatePermissions
 */
export function validateApplication(
  app: Application,
  project: AppProject | undefined,
  clusters: readonly KnownCluster[],
  settings: Settings,
): readonly Condition[] {
  const invalid = (message: string): readonly Condition[] => [{ type: 'InvalidSpecError', message }]
  if (project === undefined) {
    return invalid(`Application referencing project ${app.spec.project ?? ''} which does not exist`)
  }
  const namespace = app.metadata.namespace ?? settings.controllerNamespace
  const { name } = project.metadata
  if (!permitsSourceNamespace(project, namespace, settings.controllerNamespace)) {
    return [
      {
        type: 'UnknownError',
        message: `application '${app.metadata.name}' in namespace '${namespace}' is not permitted to use project '${name}'`,
      },
    ]
  }
  const conditions: Condition[] = []
  const hydrator = hydratorProblems(app.spec.sourceHydrator)
  if (hydrator.length > 0) {
    return hydrator.map((message) => ({ type: 'InvalidSpecError' as const, message }))
  }
  const several = hasMultipleSources(app.spec)
  const sources = sourcesOf(app.spec)
  for (const source of sources.length === 0 ? [noSource] : sources) {
    const problem = sourceProblem(source, several)
    if (problem !== undefined) return [...conditions, ...invalid(problem)]
    if (!permitsSource(project, source.repoURL)) {
      conditions.push({
        type: 'InvalidSpecError',
        message: `application repo ${source.repoURL} is not permitted in project '${name}'`,
      })
    }
  }
  const { destination } = app.spec
  const resolved = resolveDestination(destination, clusters)
  if ('error' in resolved) return [...conditions, ...invalid(resolved.error)]
  const target = { ...resolved.cluster, namespace: destination.namespace ?? '' }
  if (!permitsDestination(project, target)) {
    const server =
      (destination.name ?? '') === '' ? (destination.server ?? '') : (destination.name ?? '')
    conditions.push({
      type: 'InvalidSpecError',
      message: `application destination server '${server}' and namespace '${target.namespace}' do not match any of the allowed destinations in project '${name}'`,
    })
  }
  return settings.verifiesCommits
    ? [...conditions, ...integrityConditions(project, sources)]
    : conditions
}

/**
 * What speaks against a comparison because commits would have to be verified first. Because: nothing here verifies them
 * yet, and a sync of what nobody has verified is worse than none.
 */
function integrityConditions(
  project: AppProject,
  sources: readonly ApplicationSource[],
): readonly Condition[] {
  return sources.flatMap((source, index): readonly Condition[] => {
    if ((source.chart ?? '') !== '' || source.repoURL.startsWith('oci://')) return []
    const demand = integrityOf(project, source.repoURL)
    if (demand.kind === 'none') return []
    const name = source.name ? source.name : `${index + 1} of ${sources.length}`
    const which = sources.length > 1 ? `source ${name}: ` : ''
    const what =
      demand.kind === 'wrong'
        ? demand.message
        : `project '${project.metadata.name}' asks for signed commits of ${source.repoURL}, and to verify them is not supported yet by this version of litecd`
    return [{ type: 'ComparisonError', message: `GIT/GPG: ${which}${what}` }]
  })
}

/**
 * What Argo CD writes as soon as it sees an Application, even when it does not look at it: that the project is missing
 * or does not take its namespace, or that the destination cannot be found. Undefined when there is nothing to say.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go newApplicationInformerAndLister
 */
export function indexProblem(
  app: Application,
  project: AppProject | undefined,
  clusters: readonly KnownCluster[],
  settings: Settings,
): Condition | undefined {
  const namespace = app.metadata.namespace ?? settings.controllerNamespace
  if (
    project === undefined ||
    !permitsSourceNamespace(project, namespace, settings.controllerNamespace)
  ) {
    return validateApplication(app, project, clusters, settings)[0]
  }
  const resolved = resolveDestination(app.spec.destination, clusters)
  return 'error' in resolved ? { type: 'InvalidSpecError', message: resolved.error } : undefined
}

const noSource: ApplicationSource = { repoURL: '' }

function sourceProblem(source: ApplicationSource, several: boolean): string | undefined {
  const has = (field: 'path' | 'chart' | 'ref'): boolean => (source[field] ?? '') !== ''
  const noRepo = (source.repoURL ?? '') === ''
  if (several) {
    if (noRepo || !(has('path') || has('chart') || has('ref'))) {
      return `spec.source.repoURL and either source.path, source.chart, or source.ref are required for source ${dumpSource(source)}`
    }
  } else if (noRepo || !(has('path') || has('chart'))) {
    return 'spec.source.repoURL and either spec.source.path or spec.source.chart are required'
  }
  if (has('chart') && (source.targetRevision ?? '') === '') {
    return 'spec.source.targetRevision is required if the manifest source is a helm chart'
  }
  return undefined
}

/** Go's %s of the struct, as far as such a source can have fields. */
function dumpSource(source: ApplicationSource): string {
  const pointer = (value: unknown): string =>
    value === undefined || value === null ? 'nil' : '&{}'
  return `{${[
    source.repoURL,
    source.path ?? '',
    source.targetRevision ?? '',
    pointer(source.helm),
    pointer(source.kustomize),
    pointer(source.directory),
    pointer(source.plugin),
    source.chart ?? '',
    source.ref ?? '',
    source.name ?? '',
    source.tagPrefix ?? '',
  ].join(' ')}}`
}

function hydratorProblems(hydrator: JsonObject | undefined): readonly string[] {
  if (hydrator === undefined || hydrator === null) return []
  const text = (part: string, field: string): string => {
    const value = (hydrator[part] as JsonObject | undefined)?.[field]
    return typeof value === 'string' ? value : ''
  }
  const out: string[] = []
  if (text('drySource', 'repoURL') === '') {
    out.push('spec.sourceHydrator.drySource.repoURL is required')
  }
  if (text('syncSource', 'targetBranch') === '') {
    out.push('spec.sourceHydrator.syncSource.targetBranch is required')
  }
  if (hydrator['hydrateTo'] !== undefined && text('hydrateTo', 'targetBranch') === '') {
    out.push(
      'when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required',
    )
  }
  return out
}
