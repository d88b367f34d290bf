import type { SyncPlan } from '@litecd/core/app'
import { SpecError } from '@litecd/core/errors'
import { type CommandSpec, helpText, type ParsedFlags, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { readLiveObjects } from '../offline/live-objects.ts'
import { palette, wantsColor } from '../print/color.ts'
import { destroysData, lossesOf } from '../print/losses.ts'
import { printPlansJson } from '../print/plan-json.ts'
import { printPlansMarkdown } from '../print/plan-markdown.ts'
import { printPlans } from '../print/plan-text.ts'
import { type PlanReport, type PlanRequest, planWorkspace } from '../workspace/plan-workspace.ts'
import {
  colorFlag,
  dirFlag,
  liveClusterFlags,
  openFromFlags,
  outputFlag,
  strictDeniesFlag,
  workspaceFlags,
} from './common.ts'

const { app: _app, ...flagsWithoutApp } = workspaceFlags

const spec: CommandSpec = {
  name: 'plan',
  usage: 'litecd plan [APP] [--live | --live-objects FILE|DIR] [-C DIR]',
  about:
    'Tells what the next sync of each Application will do, without a cluster: its tasks in the order of phases and waves,\n' +
    'hooks, prunes, deletions, what it waits for, what will be refused and why, and first of all which data it destroys.\n' +
    'Against the base it plans what the change does; with live objects it plans every Application as it is now.\n\n' +
    '  litecd plan\n' +
    '  litecd plan guestbook --base main --head feature -o markdown\n' +
    '  kubectl get all,cm,secret,pvc,pv,sc,ns,crd -A -o yaml > live.yaml && litecd plan --live-objects live.yaml',
  maxArguments: 1,
  flags: {
    base: {
      type: 'string',
      value: 'REF',
      help: 'plan against the merge base of this and the head (default: the default branch)',
    },
    head: { type: 'string', value: 'REF', help: 'the changed state (default: the working tree)' },
    'live-objects': {
      type: 'string',
      value: 'FILE|DIR',
      help: 'plan against these objects of the cluster, as `kubectl get KINDS -A -o yaml` prints them',
    },
    live: {
      type: 'boolean',
      help: 'plan against the cluster of a kubeconfig: it is only read, and asked to try writes without doing them',
    },
    ...liveClusterFlags,
    prune: {
      type: 'boolean',
      help: 'syncs by hand prune; automated ones do as the Application says',
    },
    at: {
      type: 'string',
      value: 'TIME',
      help: 'for sync windows: the time at which the sync begins, such as 2026-01-02T15:04:05Z (default: now)',
    },
    'fail-on': {
      type: 'string',
      value: 'WHAT',
      help: 'destroys-data: exit with 4 where data is destroyed or may be',
      choices: ['destroys-data'],
    },
    dir: dirFlag,
    output: outputFlag('text, markdown or json', ['text', 'markdown', 'json']),
    'strict-project-denies': strictDeniesFlag,
    color: colorFlag,
    ...flagsWithoutApp,
  },
  after:
    'Exit codes: 0 nothing to do, 1 something to do, 2 the command line or the repository is wrong, 3 some Application\n' +
    'cannot be rendered, or its sync will fail, is blocked or never ends, 4 data is destroyed or may be (with --fail-on\n' +
    'destroys-data; before all others). What takes another act, such as a confirmation, does not count for 4.',
}

export async function planCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const { workspace, options } = openFromFlags(
    flags,
    io,
    { base: flags.text('base'), head: flags.text('head') },
    flags.text('dir') ?? '.',
  )
  const report = await withRequest(flags, io, (request) =>
    planWorkspace(workspace, { ...options, app: flags.positionals[0] }, request),
  )
  switch (flags.text('output')) {
    case 'json':
      io.stdout(printPlansJson(report))
      break
    case 'markdown':
      io.stdout(printPlansMarkdown(report))
      break
    default:
      io.stdout(printPlans(report, palette(wantsColor(flags.text('color'), io))))
  }
  return exitCodeOf(report, flags.text('fail-on') === 'destroys-data')
}

async function withRequest<T>(
  flags: ParsedFlags,
  io: Io,
  use: (request: PlanRequest) => Promise<T>,
): Promise<T> {
  const path = flags.text('live-objects')
  const common = {
    now: timeFrom(flags.text('at')),
    prune: flags.flag('prune'),
    apiVersions: flags.texts('api-versions'),
  }
  if (flags.flag('live')) {
    if (path !== undefined) {
      throw new SpecError('USAGE', 'litecd plan: --live and --live-objects exclude each other')
    }
    // an API client is needed by nothing else here
    const { viewCluster } = await import('../live/cluster-view.ts')
    const view = await viewCluster(flags.text('kubeconfig'), flags.text('context'), io)
    try {
      const { server, objects, facts, tryOut } = view
      return await use({ ...common, against: server, server, live: objects, facts, tryOut })
    } finally {
      view.close()
    }
  }
  if (path === undefined) return await use({ ...common, against: 'base' })
  const live = [...readLiveObjects(path, io.cwd).values()]
  return await use({ ...common, against: path, live })
}

function timeFrom(text: string | undefined): number {
  if (text === undefined) return Date.now()
  const time = Date.parse(text)
  if (!Number.isNaN(time) && /^\d{4}-\d\d-\d\d/.test(text)) return time
  throw new SpecError('USAGE', `--at ${text}: this is no time`, {
    hint: 'Write it as 2026-01-02T15:04:05Z or 2026-01-02T15:04:05+02:00.',
  })
}

function exitCodeOf(report: PlanReport, failOnLoss: boolean): number {
  if (failOnLoss && destroysData(lossesOf(report.plans))) return exitCodes.destroysData
  const bad = (verdict: SyncPlan['verdict']): boolean =>
    verdict === 'fails' || verdict === 'blocked' || verdict === 'waits'
  const failed = report.plans.some(
    ({ plan }) => 'failure' in plan || (plan.plan.kind === 'sync' && bad(plan.plan.verdict)),
  )
  if (failed || report.problems.length > 0) return exitCodes.failed
  const acts = report.plans.some(
    ({ plan }) =>
      'plan' in plan && (plan.plan.kind === 'deletion' || plan.plan.verdict !== 'nothing'),
  )
  return acts ? exitCodes.changes : exitCodes.same
}
