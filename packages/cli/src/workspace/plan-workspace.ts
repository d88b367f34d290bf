import type { Application } from '@litecd/core/argo'
import { type LitecdError, SpecError } from '@litecd/core/errors'
import { inClusterServer } from '@litecd/core/project'
import { Collector, type FoundApps } from './collect.ts'
import { placeRemarks } from './place-remarks.ts'
import { type PlanAsk, Plans } from './plans.ts'
import { sameApplication, touchedBy } from './reasons.ts'
import { Renders } from './renders.ts'
import type { AppOrigin, CompareOptions, KnownApp, Planned, Remark } from './report.ts'
import type { Workspace } from './repository.ts'
import { Unknowns } from './unknowns.ts'

export interface PlannedApp {
  readonly name: string
  readonly app: Application
  readonly origin: AppOrigin
  readonly change: 'added' | 'removed' | 'changed'
  readonly plan: Planned
}

export interface PlanReport {
  readonly base: { readonly name: string; readonly commit: string }
  readonly head: { readonly name: string; readonly commit: string }
  /** `base`, or what the live objects were read from. */
  readonly against: string
  readonly plans: readonly PlannedApp[]
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}

export interface PlanRequest extends PlanAsk {
  readonly against: string
}

/**
 * Plans the Applications of a workspace: against the base those that the change reaches, against live objects all of
 * them. What has nothing to do is left out, unless it was asked for by name.
 *
 * Throws SpecError USAGE where `options.app` names no Application.
 */
export async function planWorkspace(
  workspace: Workspace,
  options: CompareOptions,
  request: PlanRequest,
): Promise<PlanReport> {
  const renders = new Renders(workspace, options)
  const unknowns = new Unknowns()
  const collector = new Collector(workspace, options, renders, unknowns)
  const head = await collector.applications('head')
  const base = await collector.applications('base')
  const apps = { base: base.apps, head: head.apps }
  const wanted = chosen(apps, options.app)
  const planner = new Plans(workspace, options, renders, request)
  let hidden = 0
  const elsewhere: string[] = []
  const touched: { readonly before: KnownApp | undefined; readonly after: KnownApp | undefined }[] =
    []
  for (const id of wanted) {
    const [before, after] = [base.apps.get(id), head.apps.get(id)]
    // Not removed: what stands above it at the head cannot tell any more.
    const lost =
      after === undefined && before?.origin.parents.some((one) => unknowns.below.head.has(one))
    const known = (after ?? before) as KnownApp
    if (lost === true) hidden++
    else if (goesElsewhere(known, request)) elsewhere.push(known.app.metadata.name)
    else if (
      options.app !== undefined ||
      request.live !== undefined ||
      !(await isUntouched(before, after, renders))
    ) {
      touched.push({ before, after })
      await planner.note(before, after)
    }
  }
  const plans: PlannedApp[] = []
  for (const { before, after } of touched) {
    const plan = await planner.of(before, after, apps)
    const idle = 'plan' in plan && plan.plan.kind === 'sync' && plan.plan.verdict === 'nothing'
    if (idle && options.app === undefined) continue
    const { app, origin } = (after ?? before) as KnownApp
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    plans.push({ name: app.metadata.name, app, origin, change, plan })
  }
  return {
    base: { name: workspace.base.name, commit: workspace.base.commit },
    head: { name: workspace.head.name, commit: workspace.head.commit },
    against: request.against,
    plans,
    problems: head.problems,
    remarks: [
      ...unknowns.emptiedSets(),
      ...unknowns.remarks(hidden),
      ...placeRemarks(head.apps, workspace, options, renders),
      ...unknowns.setRemarks(),
      ...elsewhereRemarks(elsewhere),
      ...head.remarks,
    ],
  }
}

/** The cluster at hand is what Applications call theirs; others go to another one. */
function goesElsewhere({ app }: KnownApp, { server }: PlanRequest): boolean {
  if (server === undefined) return false
  const { destination } = app.spec
  const bare = (url: string): string => url.replace(/\/+$/, '')
  if ((destination.name ?? '') !== '') return destination.name !== 'in-cluster'
  return ![inClusterServer, bare(server)].includes(bare(destination.server ?? ''))
}

function elsewhereRemarks(names: readonly string[]): readonly Remark[] {
  if (names.length === 0) return []
  const message = `not planned, because they go to other clusters: ${names.join(', ')}`
  return [{ code: 'CLUSTER_NOT_FOUND', message }]
}

/** Also what fails at the base, where nothing that it read up to there changes: it is no verdict on the change. */
async function isUntouched(
  base: KnownApp | undefined,
  head: KnownApp | undefined,
  renders: Renders,
): Promise<boolean> {
  if (base === undefined || head === undefined) return false
  if (!sameApplication(base.app, head.app)) return false
  const possible = renders.possibleChanges(head.app)
  if (possible.length === 0) return true
  const { outcome } = await renders.side(base, 'base')
  return 'failure' in outcome && touchedBy(base.app, outcome, possible)?.length === 0
}

function chosen(
  apps: { readonly base: FoundApps['apps']; readonly head: FoundApps['apps'] },
  wanted: string | undefined,
): readonly string[] {
  const ids = [...new Set([...apps.head.keys(), ...apps.base.keys()])].sort()
  if (wanted === undefined) return ids
  const found = ids.filter(
    (id) => id === wanted || (apps.head.get(id) ?? apps.base.get(id))?.app.metadata.name === wanted,
  )
  if (found.length > 0) return found
  throw new SpecError('USAGE', `there is no Application ${wanted} here`, {
    hint: `Known: ${ids.join(', ') || 'none'}.`,
  })
}
