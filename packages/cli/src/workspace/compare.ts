import { type ApplicationPreview, type PreviewSide, previewApplication } from '@litecd/core/app'
import { InternalError, type LitecdError } from '@litecd/core/errors'
import { Collector } from './collect.ts'
import { placeRemarks } from './place-remarks.ts'
import { Plans } from './plans.ts'
import { looseRemarks, Projects } from './projects.ts'
import { describeChanges, sameApplication, touchedBy } from './reasons.ts'
import { renamedApps } from './renamed-apps.ts'
import { Renders } from './renders.ts'
import type { AppOrigin, AppReport, CompareOptions, KnownApp, Remark, Report } from './report.ts'
import type { Workspace } from './repository.ts'
import { Unknowns } from './unknowns.ts'

/** Compares all Applications of a workspace at its two revisions. */
export async function compareWorkspace(
  workspace: Workspace,
  options: CompareOptions,
): Promise<Report> {
  return new Comparison(workspace, options).run()
}

/** The Applications of one revision with what they render to. */
export async function collectApplications(
  workspace: Workspace,
  options: CompareOptions,
): Promise<{
  readonly apps: readonly {
    readonly id: string
    readonly side: PreviewSide
    readonly origin: AppOrigin
  }[]
  /** All that there are, whether `options.app` names them or not. */
  readonly ids: readonly string[]
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}> {
  return new Comparison(workspace, options).collect()
}

class Comparison {
  private readonly workspace: Workspace
  private readonly options: CompareOptions
  private readonly renders: Renders
  private readonly unknowns = new Unknowns()
  private readonly collector: Collector

  constructor(workspace: Workspace, options: CompareOptions) {
    this.workspace = workspace
    this.options = options
    this.renders = new Renders(workspace, options)
    this.collector = new Collector(workspace, options, this.renders, this.unknowns)
  }

  async run(): Promise<Report> {
    const head = await this.collector.applications('head')
    const base = await this.collector.applications('base')
    const reports: { readonly id: string; readonly report: AppReport }[] = []
    let unchanged = 0
    const ids = [...new Set([...head.apps.keys(), ...base.apps.keys()])].sort()
    let hidden = 0
    const renames = new Map<string, Pick<AppReport, 'renamedFrom' | 'renamedTo'>>()
    for (const [id, old] of renamedApps(base.apps, head.apps)) {
      renames.set(id, { renamedFrom: old.id }).set(old.id, { renamedTo: id })
    }
    for (const id of ids) {
      const gone = head.apps.has(id) ? undefined : base.apps.get(id)
      // Not removed: what stands above it at the head cannot tell any more.
      if (gone?.origin.parents.some((parent) => this.unknowns.below.head.has(parent))) {
        hidden++
        continue
      }
      const report = await this.compareOne(base.apps.get(id), head.apps.get(id))
      if (report === undefined) unchanged++
      else reports.push({ id, report: { ...report, ...renames.get(id) } })
    }
    const { workspace } = this
    // What was wrong before this change is no verdict on it.
    const standing = new Set(base.problems.map(sameText))
    return {
      base: { name: workspace.base.name, commit: workspace.base.commit },
      head: { name: workspace.head.name, commit: workspace.head.commit },
      applications: await this.planned(reports, { base: base.apps, head: head.apps }),
      unchanged,
      rendered: this.renders.count,
      problems: head.problems.filter((problem) => !standing.has(sameText(problem))),
      remarks: [
        ...this.unknowns.emptiedSets(),
        ...this.unknowns.remarks(hidden),
        ...placeRemarks(head.apps, this.workspace, this.options, this.renders),
        ...this.unknowns.setRemarks(),
        ...this.looseRemarks(reports, head.apps),
        ...head.problems.filter((problem) => standing.has(sameText(problem))).map(standingRemark),
        ...head.remarks,
      ],
    }
  }

  private looseRemarks(
    reports: readonly { readonly id: string }[],
    apps: ReadonlyMap<string, KnownApp>,
  ): readonly Remark[] {
    if (this.options.strictDenies === true || reports.length === 0) return []
    const changed = reports.flatMap(({ id }) => apps.get(id)?.app ?? [])
    return looseRemarks(changed, new Projects(this.workspace), this.options)
  }

  /** Each report with its plan. Nobody says when the change lands, so that sync windows are left out. */
  private async planned(
    reports: readonly { readonly id: string; readonly report: AppReport }[],
    apps: {
      readonly base: ReadonlyMap<string, KnownApp>
      readonly head: ReadonlyMap<string, KnownApp>
    },
  ): Promise<readonly AppReport[]> {
    const { workspace, options, renders } = this
    const plans = new Plans(workspace, options, renders, { now: undefined, prune: false })
    for (const { id } of reports) await plans.note(apps.base.get(id), apps.head.get(id))
    const out: AppReport[] = []
    for (const { id, report } of reports) {
      if (report.preview.change === 'failed') out.push(report)
      else out.push({ ...report, plan: await plans.of(apps.base.get(id), apps.head.get(id), apps) })
    }
    return out
  }

  async collect(): ReturnType<typeof collectApplications> {
    const found = await this.collector.applications('head')
    const apps = []
    for (const known of [...found.apps.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      if (this.options.app !== undefined && !matches(known, this.options.app)) continue
      apps.push({
        id: known.id,
        side: await this.renders.side(known, 'head', this.options.traceFields),
        origin: known.origin,
      })
    }
    return {
      apps,
      ids: [...found.apps.keys()].sort(),
      problems: found.problems,
      remarks: [
        ...this.unknowns.setRemarks(),
        ...placeRemarks(found.apps, this.workspace, this.options, this.renders),
        ...found.remarks,
      ],
    }
  }

  private async compareOne(
    base: KnownApp | undefined,
    head: KnownApp | undefined,
  ): Promise<AppReport | undefined> {
    const known = head ?? base
    if (known === undefined) throw new InternalError('an Application is on neither side')
    if (this.options.app !== undefined && !matches(known, this.options.app)) return undefined
    const preview = (
      one: PreviewSide | undefined,
      other: PreviewSide | undefined,
    ): ApplicationPreview => previewApplication(one, other, this.options)
    if (base === undefined || head === undefined) {
      const side = await this.renders.side(known, head === undefined ? 'base' : 'head')
      return {
        preview: head === undefined ? preview(side, undefined) : preview(undefined, side),
        origin: known.origin,
        reasons: [
          head === undefined
            ? `no longer ${known.origin.parents.length > 0 ? `rendered by ${known.origin.parents.at(-1)}` : 'in the repository'}: ${known.origin.position.path}`
            : known.origin.parents.at(-1)?.startsWith('ApplicationSet/')
              ? `newly made by ${known.origin.parents.at(-1)}: ${known.origin.position.path}`
              : `new in ${known.origin.position.path}`,
        ],
      }
    }
    const sameSpec = sameApplication(base.app, head.app)
    const possible = this.renders.possibleChanges(head.app)
    if (sameSpec && possible.length === 0) {
      // Only what cannot be rendered at all is worth a look: whoever runs this wants to know.
      return undefined
    }
    const before = await this.renders.side(base, 'base')
    const reasons: string[] = []
    if (!sameSpec) reasons.push(`the Application itself changed: ${head.origin.position.path}`)
    const touching = touchedBy(base.app, before.outcome, possible)
    if (sameSpec && touching?.length === 0) return undefined
    if (touching === undefined) {
      reasons.push(
        'it cannot be rendered at the base, so whether the change reaches it is not known',
      )
    } else if (touching.length > 0) reasons.push(describeChanges(touching))
    const after = await this.renders.side(head, 'head')
    const result = preview(before, after)
    if (result.change === 'unchanged') return undefined
    return { preview: await this.explained(result, base, head), origin: head.origin, reasons }
  }

  /** Only what changes is rendered once more to learn what made its fields. */
  private async explained(
    preview: ApplicationPreview,
    base: KnownApp,
    head: KnownApp,
  ): Promise<ApplicationPreview> {
    if (preview.objects.every(({ fields }) => fields.length === 0)) return preview
    const before = await this.renders.side(base, 'base', true)
    const after = await this.renders.side(head, 'head', true)
    return previewApplication(before, after, { ...this.options, explain: true })
  }
}

/** By what a problem of one side is known again on the other: lines may have moved. */
function sameText({ code, message, position }: LitecdError): string {
  return JSON.stringify([code, position?.path, message.replace(/\bline \d+/g, 'line')])
}

function standingRemark({ code, message, hint, position }: LitecdError): Remark {
  return {
    code,
    message: `also before this change: ${message}`,
    ...(hint === undefined ? {} : { hint }),
    ...(position === undefined ? {} : { position }),
  }
}

function matches(known: KnownApp, wanted: string): boolean {
  return known.id === wanted || known.app.metadata.name === wanted
}
