import {
  judgeProject,
  type PermissionChange,
  type ProjectVerdict,
  permissionChange,
  previewTargets,
} from '@litecd/core/app'
import {
  type Application,
  type AppProject,
  type AppProjectSpec,
  parseSettings,
  projectNameOf,
  type Settings,
} from '@litecd/core/argo'
import type { LitecdError } from '@litecd/core/errors'
import { deepEqual, type Json } from '@litecd/core/json'
import { groupOf, type Manifest, type Scope } from '@litecd/core/kube'
import { effectiveProject, inClusterServer, type KnownCluster } from '@litecd/core/project'
import { Collector } from './collect.ts'
import { type ProjectRules, replacedRules, rulesOf } from './project-files.ts'
import { defaultProject, looseRemark } from './projects.ts'
import { Renders } from './renders.ts'
import type { AppOrigin, CompareOptions, KnownApp, Remark } from './report.ts'
import type { Workspace } from './repository.ts'
import { Unknowns } from './unknowns.ts'

export interface ProjectAppReport {
  readonly id: string
  readonly project: string
  readonly change: PermissionChange
  /** Undefined for a new Application. */
  readonly before: ProjectVerdict | undefined
  readonly after: ProjectVerdict
  readonly origin: AppOrigin
}

export interface ProjectReport {
  readonly base: { readonly name: string; readonly commit: string }
  readonly head: { readonly name: string; readonly commit: string }
  /** Files that replace rules of the head; the head as it is is then what they are compared with. */
  readonly files: readonly string[]
  /** Every Application of the head whose verdict is known, by name. */
  readonly applications: readonly ProjectAppReport[]
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}

export interface ProjectRequest {
  /** Texts of files with AppProjects or argocd-cm that replace those of the head. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** For sync windows; undefined leaves them out. */
  readonly now: number | undefined
}

/** What changed projects say to the Applications of a workspace. */
export async function compareProjects(
  workspace: Workspace,
  options: CompareOptions,
  request: ProjectRequest,
): Promise<ProjectReport> {
  const renders = new Renders(workspace, options)
  const unknowns = new Unknowns()
  const collector = new Collector(workspace, options, renders, unknowns)
  const head = await collector.applications('head')
  const hypothetical = request.files.length > 0
  const base = hypothetical ? head : await collector.applications('base')
  const headRules = rulesOf(workspace.head.tree)
  let after = headRules
  const useless: Remark[] = []
  for (const { path, text } of request.files) {
    const replaced = replacedRules(after, text, path)
    if (replaced !== undefined) after = replaced
    else {
      useless.push({
        code: 'WORKSPACE_INVALID',
        message: `${path} holds neither an AppProject nor argocd-cm`,
      })
    }
  }
  const before = new Side(hypothetical ? headRules : rulesOf(workspace.base.tree), options, request)
  const later = new Side(after, options, request)
  const reports: ProjectAppReport[] = []
  const unknown: { readonly id: string; readonly why: string }[] = []
  for (const known of [...head.apps.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { app, id, origin } = known
    if (options.app !== undefined && options.app !== id && options.app !== app.metadata.name) {
      continue
    }
    const old = base.apps.get(id)
    const why = unknownWhy(known, [before, later], options)
    if (why !== undefined) {
      unknown.push({ id, why })
      continue
    }
    const objects = await objectsOf(known, old, before, later, renders, options)
    const oldVerdict = old === undefined ? undefined : before.judge(old.app, objects)
    const verdict = later.judge(app, objects)
    const change = permissionChange(oldVerdict, verdict)
    reports.push({
      id,
      project: projectNameOf(app),
      change,
      before: oldVerdict,
      after: verdict,
      origin,
    })
  }
  const name = ({ name: text, commit }: Workspace['base']) => ({ name: text, commit })
  return {
    base: name(hypothetical ? workspace.head : workspace.base),
    head: name(workspace.head),
    files: request.files.map(({ path }) => path),
    applications: reports,
    problems: [...head.problems],
    remarks: [
      ...useless,
      ...unknownRemarks(unknown),
      ...looseRemarks(reports),
      ...later.remarks(),
      ...unknowns.setRemarks(),
    ],
  }
}

type RenderedObjects = readonly {
  readonly manifest: Manifest
  readonly scope: Scope | undefined
}[]

/** What an Application renders to, where the change may decide about objects. */
async function objectsOf(
  known: KnownApp,
  old: KnownApp | undefined,
  before: Side,
  after: Side,
  renders: Renders,
  options: CompareOptions,
): Promise<RenderedObjects> {
  const [was, is] = [old === undefined ? undefined : before.of(old.app), after.of(known.app)]
  if (is === undefined || deepEqual(objectRules(was?.spec), objectRules(is.spec))) return []
  const result = previewTargets(await renders.side(known, 'head'), options)
  if ('failure' in result) return []
  return result.targets.map(({ manifest }) => ({
    manifest,
    scope: options.facts.scopeOf({ group: groupOf(manifest.apiVersion), kind: manifest.kind }),
  }))
}

function objectRules(spec: AppProjectSpec | undefined): Json {
  return [
    spec?.clusterResourceWhitelist ?? null,
    spec?.clusterResourceBlacklist ?? null,
    spec?.namespaceResourceWhitelist ?? null,
    spec?.namespaceResourceBlacklist ?? null,
    spec?.destinations ?? null,
  ] as unknown as Json
}

/** The rules of one side, as Applications meet them. */
class Side {
  private readonly rules: ProjectRules
  private readonly settings: Settings
  private readonly problems: readonly string[]
  private readonly options: CompareOptions
  private readonly request: ProjectRequest

  constructor(rules: ProjectRules, options: CompareOptions, request: ProjectRequest) {
    this.rules = rules
    this.options = options
    this.request = request
    const { settings, problems } = parseSettings({
      argocdCm: rules.argocdCm ?? {},
      params: {},
      controllerNamespace: options.settings.controllerNamespace,
    })
    // Argo CD verifies commits, and nobody here can tell what it finds
    this.settings = { ...settings, verifiesCommits: false }
    this.problems = problems
  }

  /** Undefined where nothing says that there is such a project. */
  of(app: Application): AppProject | undefined {
    const project = this.named(projectNameOf(app))
    if (project === undefined) return undefined
    const clusters = (this.options.clusters ?? []).map(({ name, server, project: owner }) => ({
      name,
      server,
      project: owner ?? '',
      namespaces: [],
    }))
    return effectiveProject(
      project,
      { repositories: [], clusters },
      this.settings.globalProjects,
      (name) => this.named(name),
      { strictDenies: this.options.strictDenies === true },
    )
  }

  private named(name: string): AppProject | undefined {
    return this.rules.projects.get(name) ?? (name === 'default' ? defaultProject : undefined)
  }

  judge(app: Application, objects: RenderedObjects): ProjectVerdict {
    const clusters = this.clustersFor(app)
    const { name = '', server = '' } = app.spec.destination
    const cluster = clusters.find((one) =>
      server === '' ? one.name === name : isSame(one, server),
    )
    const { now } = this.request
    return judgeProject(
      { app, clusters, cluster, objects, ...(now === undefined ? {} : { now }) },
      this.of(app),
      this.settings,
    )
  }

  /** A cluster that is named by its URL needs nobody to know it. */
  private clustersFor(app: Application): readonly KnownCluster[] {
    const known = (this.options.clusters ?? []).map(({ name, server }) => ({ name, server }))
    const { server = '' } = app.spec.destination
    const home = { server: inClusterServer, name: 'in-cluster' }
    const all = known.some((one) => isSame(one, inClusterServer)) ? known : [...known, home]
    const open = this.settings.inClusterEnabled
      ? all
      : all.filter((one) => !isSame(one, inClusterServer))
    const isKnown = server === '' || all.some((one) => isSame(one, server))
    return isKnown ? open : [...open, { server: server.replace(/\/+$/, ''), name: '' }]
  }

  remarks(): readonly Remark[] {
    return this.problems.map((message) => ({ code: 'WORKSPACE_INVALID', message }))
  }
}

function isSame({ server }: KnownCluster, url: string): boolean {
  return server.replace(/\/+$/, '') === url.replace(/\/+$/, '')
}

/** Why nobody here can tell what the project says. */
function unknownWhy(
  { app }: KnownApp,
  sides: readonly Side[],
  options: CompareOptions,
): string | undefined {
  if (sides.every((side) => side.of(app) === undefined)) {
    return `AppProject ${projectNameOf(app)} is not in this repository`
  }
  const { name = '', server = '' } = app.spec.destination
  if (server !== '' || name === '' || name === 'in-cluster') return undefined
  const known = options.clusters?.some((one) => one.name === name) ?? false
  return known || options.clusters !== undefined
    ? undefined
    : `cluster ${name} is not known: give --clusters FILE`
}

function unknownRemarks(
  unknown: readonly { readonly id: string; readonly why: string }[],
): readonly Remark[] {
  return [...Map.groupBy(unknown, ({ why }) => why)].map(([why, apps]) => {
    const shown = apps.slice(0, 3).map(({ id }) => id)
    const rest = apps.length - shown.length
    const names = shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
    return { code: 'PROJECT_UNKNOWN', message: `not judged: ${names}: ${why}` }
  })
}

function looseRemarks(reports: readonly ProjectAppReport[]): readonly Remark[] {
  return reports.flatMap(({ id, after }) => after.loose.map((why) => looseRemark(id, why)))
}
