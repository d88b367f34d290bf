import { type Application, type AppProject, projectNameOf } from '@litecd/core/argo'
import { isObject } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf } from '@litecd/core/kube'
import {
  inClusterServer,
  type KnownCluster,
  loosePermissions,
  resolveDestination,
} from '@litecd/core/project'
import { Discovery } from './discover.ts'
import type { CompareOptions, Remark } from './report.ts'
import type { Workspace } from './repository.ts'

/** The project that Argo CD brings along: it permits everything. */
export const defaultProject: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

/** AppProjects of the head, and of a snapshot where there is one; the snapshot's lose against those of a file. */
export class Projects {
  private readonly workspace: Workspace
  private readonly live: readonly Manifest[]
  private readonly strictDenies: boolean
  private known: ReadonlyMap<string, AppProject> | undefined

  constructor(workspace: Workspace, live: readonly Manifest[] = [], strictDenies: boolean = false) {
    this.workspace = workspace
    this.live = live
    this.strictDenies = strictDenies
  }

  /** Undefined where no file and no live object says what the project is. */
  of(app: Application): AppProject | undefined {
    this.known ??= new Map(
      [...this.found()].map((project) => [nameOf(project), asProject(project)]),
    )
    const name = projectNameOf(app)
    const project = this.known.get(name) ?? (name === 'default' ? defaultProject : undefined)
    return project !== undefined && this.strictDenies ? { ...project, strictDenies: true } : project
  }

  private *found(): Generator<Manifest> {
    yield* this.live.filter(isProject)
    for (const { findings } of new Discovery().search(this.workspace.head.tree)) {
      for (const { manifest } of findings.others) if (isProject(manifest)) yield manifest
    }
  }
}

export function isProject(manifest: Manifest): boolean {
  return (
    manifest.kind === 'AppProject' &&
    groupOf(manifest.apiVersion) === 'argoproj.io' &&
    nameOf(manifest) !== ''
  )
}

export function asProject(manifest: Manifest): AppProject {
  const spec = manifest['spec']
  return { ...manifest, spec: isObject(spec) ? spec : {} } as unknown as AppProject
}

/** What projects permit only because a denial does not hit it: one remark for each. */
export function looseRemarks(
  apps: Iterable<Application>,
  projects: Projects,
  options: CompareOptions,
): readonly Remark[] {
  return [...apps].flatMap((app) => {
    const project = projects.of(app)
    const cluster = clusterOf(app, options)
    const clusters = cluster === undefined ? [] : [cluster]
    return project === undefined
      ? []
      : loosePermissions(app, project, clusters).map((why) => looseRemark(app.metadata.name, why))
  })
}

export function looseRemark(name: string, why: string): Remark {
  return {
    code: 'PROJECT_LOOSE',
    message: `${name}: ${why}`,
    hint: '--strict-project-denies judges as the guide promises.',
  }
}

/** The cluster that an Application goes to; one that is named by its URL needs nobody to know it. */
export function clusterOf(app: Application, options: CompareOptions): KnownCluster | undefined {
  const { destination } = app.spec
  const known = [{ server: inClusterServer, name: 'in-cluster' }, ...(options.clusters ?? [])]
  const resolved = resolveDestination(destination, known)
  if ('cluster' in resolved) return resolved.cluster
  const server = destination.server ?? ''
  return server === '' || (destination.name ?? '') !== '' ? undefined : { server, name: '' }
}
