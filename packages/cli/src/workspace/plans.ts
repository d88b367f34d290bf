import type { Instant } from '@litecd/core/adapters'
import { type PreviewSide, planApplication, previewTargets } from '@litecd/core/app'
import { type Application, isHook, sourcesOf } from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import {
  type ClusterFacts,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '@litecd/core/kube'
import type { SyncRequest } from '@litecd/core/sync'
import { offlineFacts } from '../offline/facts.ts'
import { Discovery } from './discover.ts'
import { clusterOf, Projects } from './projects.ts'
import { removalOf } from './removals.ts'
import type { Renders } from './renders.ts'
import type { CompareOptions, KnownApp, Planned } from './report.ts'
import type { Workspace } from './repository.ts'

/** What a plan is made against, besides the two sides of the workspace. */
export interface PlanAsk {
  /** For sync windows; undefined leaves them out. */
  readonly now: Instant | undefined
  /** A sync by hand prunes. */
  readonly prune: boolean
  /** Objects of the cluster; undefined plans against the base. */
  readonly live?: readonly Manifest[]
  /** What the cluster serves beyond the built-in kinds, as far as somebody has said. */
  readonly apiVersions?: readonly string[]
  /** What the cluster itself knows, where it is asked. */
  readonly facts?: ClusterFacts
  /** What the cluster says against writes, by the text of the key, without doing any of them. */
  readonly tryOut?: (requests: readonly SyncRequest[]) => Promise<ReadonlyMap<string, string>>
  /** The server that `live` was read from: Applications that go elsewhere cannot be planned against it. */
  readonly server?: string
}

type Apps = ReadonlyMap<string, KnownApp>

/** Plans the Applications of a workspace. */
export class Plans {
  private readonly workspace: Workspace
  private readonly options: CompareOptions
  private readonly renders: Renders
  private readonly ask: PlanAsk
  private readonly projects: Projects
  private readonly facts: ClusterFacts
  private readonly sets = new Map<string, Manifest>()
  private searched = false
  private heirs: ReadonlyMap<string, readonly string[]> | undefined
  private readonly heads: PreviewSide[] = []
  private readonly bases: PreviewSide[] = []
  private estate: ReadonlyMap<string, Manifest> | undefined

  constructor(workspace: Workspace, options: CompareOptions, renders: Renders, ask: PlanAsk) {
    this.workspace = workspace
    this.options = options
    this.renders = renders
    this.ask = ask
    this.projects = new Projects(workspace, ask.live, options.strictDenies)
    this.facts = ask.facts ?? factsOf(options, ask)
  }

  /**
   * Shows an Application before any is planned: an object that moves from one to another is neither simply gone nor
   * simply new.
   */
  async note(base: KnownApp | undefined, head: KnownApp | undefined): Promise<void> {
    if (base !== undefined) this.bases.push(await this.renders.side(base, 'base'))
    if (head !== undefined) this.heads.push(await this.renders.side(head, 'head'))
  }

  /** What some Application of the base has at a place. */
  private leftAt(app: Application, key: ResourceKey): Manifest | undefined {
    if (this.estate === undefined) {
      const estate = new Map<string, Manifest>()
      for (const side of this.bases) {
        const rendered = previewTargets(side, this.options)
        if ('failure' in rendered) continue
        for (const { key: place, manifest } of rendered.targets) {
          if (!isHook(manifest)) estate.set(placeOf(side.app, place), manifest)
        }
      }
      this.estate = estate
    }
    return this.estate.get(placeOf(app, key))
  }

  private heirOf(app: Application, key: ResourceKey): string | undefined {
    if (this.heirs === undefined) {
      const heirs = new Map<string, string[]>()
      for (const side of this.heads) {
        // one that must not share cannot take over what is still there
        if (refusesToShare(side.app)) continue
        const rendered = previewTargets(side, this.options)
        if ('failure' in rendered) continue
        for (const target of rendered.targets) {
          const place = placeOf(side.app, target.key)
          heirs.set(place, [...(heirs.get(place) ?? []), side.app.metadata.name])
        }
      }
      this.heirs = heirs
    }
    const all = this.heirs.get(placeOf(app, key)) ?? []
    return all.find((name) => name !== app.metadata.name)
  }

  /** The plan of one Application; `apps` are all of both sides. */
  async of(
    base: KnownApp | undefined,
    head: KnownApp | undefined,
    apps: { readonly base: Apps; readonly head: Apps },
  ): Promise<Planned> {
    const known = (head ?? base) as KnownApp
    const { ask, options, workspace } = this
    const before = base === undefined ? undefined : await this.renders.side(base, 'base')
    const after = head === undefined ? undefined : await this.renders.side(head, 'head')
    const removal =
      base === undefined || head !== undefined ? undefined : await this.removal(base, apps)
    const several = sourcesOf(known.app.spec).length > 1
    const plan = (told?: (request: SyncRequest) => string | undefined): Planned =>
      attempt(() =>
        planApplication(before, after, {
          settings: options.settings,
          facts: this.facts,
          project: this.projects.of(known.app),
          cluster: clusterOf(known.app, options),
          live: ask.live,
          revision: several ? '' : workspace.head.commit,
          now: ask.now,
          prune: ask.prune,
          takenOver: (key) => this.heirOf(known.app, key),
          inherited: (key) => this.leftAt(known.app, key),
          ...(told === undefined ? {} : { told }),
          ...(removal === undefined ? {} : { removal }),
        }),
      )
    if (ask.tryOut === undefined || after === undefined) return plan()
    // The first plan tells which writes there will be, the second one what the cluster says to them.
    const requests: SyncRequest[] = []
    plan((request) => {
      if ('target' in request && request.dryRun === 'none' && this.canTry(request.target)) {
        requests.push(request)
      }
      return undefined
    })
    const refusals = await ask.tryOut(requests)
    return plan((request) =>
      'target' in request ? refusals.get(formatKey(keyOf(request.target))) : undefined,
    )
  }

  /** What stands in a namespace or is of a kind that the sync itself makes cannot be tried before. */
  private canTry(target: Manifest): boolean {
    const namespace = namespaceOf(target)
    const { apiVersions } = this.facts
    if (!apiVersions.includes(`${target.apiVersion}/${target.kind}`)) return false
    if (namespace === '' || this.facts.scopeOf(keyOf(target)) === 'Cluster') return true
    return (this.ask.live ?? []).some(
      (object) => object.kind === 'Namespace' && nameOf(object) === namespace,
    )
  }

  private async removal(
    gone: KnownApp,
    apps: { readonly base: Apps; readonly head: Apps },
  ): Promise<ReturnType<typeof removalOf>> {
    await this.findSets(gone, apps.head)
    const named = (side: Apps, name: string): KnownApp | undefined =>
      [...side.values()].find(({ app }) => app.metadata.name === name)
    return removalOf(gone, {
      appNamed: (name) => named(apps.head, name)?.app,
      appBefore: (name) => named(apps.base, name),
      setNamed: (name) => this.sets.get(name),
    })
  }

  /** The ApplicationSets of the head: those in files, and those that Applications above render. */
  private async findSets(gone: KnownApp, head: Apps): Promise<void> {
    const remember = (manifest: Manifest): void => {
      if (
        manifest.kind === 'ApplicationSet' &&
        groupOf(manifest.apiVersion ?? '') === 'argoproj.io'
      ) {
        this.sets.set(nameOf(manifest), manifest)
      }
    }
    if (!this.searched) {
      this.searched = true
      for (const { findings } of new Discovery().search(this.workspace.head.tree)) {
        for (const { manifest } of findings.others) remember(manifest)
      }
    }
    for (const known of head.values()) {
      if (!gone.origin.parents.includes(known.app.metadata.name)) continue
      const { outcome } = await this.renders.side(known, 'head')
      if ('failure' in outcome) continue
      for (const source of outcome.sources) {
        for (const { manifest } of source.manifests) remember(manifest)
      }
    }
  }
}

/** Rules that cannot be read keep an Application from being planned, not the others. */
function attempt(plan: () => Planned): Planned {
  try {
    return plan()
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { failure: { message: error.message, error, source: 0, reads: undefined } }
  }
}

function refusesToShare({ spec }: Application): boolean {
  return (spec.syncPolicy?.syncOptions ?? []).includes('FailOnSharedResource=true')
}

/** An object of a cluster: the same key in two clusters is two objects. */
function placeOf({ spec }: Application, key: ResourceKey): string {
  return `${spec.destination.server ?? ''} ${spec.destination.name ?? ''} ${formatKey(key)}`
}

/**
 * Against the base every kind is taken to be served: nobody knows what is installed. A snapshot that holds definitions
 * tells.
 */
function factsOf({ facts }: CompareOptions, ask: PlanAsk): ClusterFacts {
  const served = offlineFacts(facts.kubeVersion, ask.apiVersions ?? [])
  const definitions = (ask.live ?? []).filter(({ kind }) => kind === 'CustomResourceDefinition')
  for (const definition of definitions) served.learn(definition)
  return {
    kubeVersion: facts.kubeVersion,
    apiVersions: definitions.length === 0 ? [] : served.apiVersions,
    scopeOf: (kind) => facts.scopeOf(kind) ?? served.scopeOf(kind),
  }
}
