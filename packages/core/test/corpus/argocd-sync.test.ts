// The sync cases recorded from a real Argo CD, played against `operate` and `decideAutoSync` in memory. The recording is
// the script: it says what the cluster answered for each object and what became of its health. What is compared is what
// those answers leave to us: which objects are touched in which order, the rows, the messages, phases, history, retries,
// Events and SyncError conditions.
import { basename } from 'node:path'
import type { Application, Condition, Operation, OperationState } from '@litecd/core/argo'
import type { Json, JsonObject } from '@litecd/core/json'
import { keyOf, type Manifest } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import {
  corpusFolder,
  expand,
  findCases,
  type Names,
  type ParityCase,
  readCase,
  type Step,
} from './argocd-cases.ts'
import { RecordedWorld } from './recorded-world.ts'

/** Cases that say nothing about a sync in memory, or that we answer otherwise on purpose. */
const skipped: { readonly [name: string]: string } = {
  'hook-helm-chart': 'its manifests come from Helm',
  'operation-patched-over-a-finished-one':
    'known difference: Argo CD keeps fields of the finished operation, we begin with a clean state',
}

function isAboutDeletion(name: string): boolean {
  return name.startsWith('delete-')
}

const names: Names = {
  app: 'c1234567',
  namespace: 'c1234567-ns',
  repo: 'https://git.example.com/c1234567.git',
  charts: 'https://charts.example.com',
  server: 'https://10.0.0.1',
  token: 'token',
  commits: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => String(digit).repeat(40)),
}

interface Answer {
  readonly status?: {
    readonly operationState?: OperationState
    readonly history?: readonly Json[]
    readonly conditions?: readonly Condition[]
  }
  readonly operation?: Operation
  readonly events?: readonly string[]
  readonly deleting?: boolean
}

async function perform(world: RecordedWorld, step: Step): Promise<void> {
  switch (step.verb) {
    case 'apply':
    case 'create':
      for (const object of step.objects) {
        if (object['kind'] === 'Application') world.applyApp(object)
        else world.put(object as Manifest)
      }
      return
    case 'commit':
      return world.commit(step.commit)
    case 'refresh':
      return world.refresh(step.app)
    case 'sync':
      return world.patchApp(step.app, {
        operation: { initiatedBy: { username: 'admin' }, ...step.operation },
        status: { operationState: null },
      })
    case 'terminate':
      return world.patchApp(step.app, { status: { operationState: { phase: 'Terminating' } } })
    case 'patch': {
      const object = step.object as Manifest
      if (object.kind === 'Application') world.patchApp(keyOf(object).name, step.merge)
      else if (object.kind === 'AppProject') world.patchProject(keyOf(object).name, step.merge)
      else {
        world.patch(keyOf(object), step.merge)
        for (const app of world.apps.keys()) world.refresh(app)
      }
      return
    }
    case 'delete':
      world.remove(keyOf(step.object as Manifest))
      for (const app of world.apps.keys()) world.refresh(app)
      return
    case 'sleep':
      world.now += step.seconds * 1_000
      return
    default:
      throw new Error(`${step.verb} is not played here`)
  }
}

async function play(parity: ParityCase): Promise<void> {
  const expanded = expand({ ...parity, want: [], beats: [] }, names)
  const world = new RecordedWorld(names)
  if (parity.makeNamespace) {
    world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } })
  }
  for (const commit of expanded.commits) world.commit(commit)
  for (const object of expanded.objects) world.put(object as Manifest)
  let recorded = 0
  const earlier: { readonly [name: string]: Answer }[] = []
  for (const beat of parity.beats) {
    const want = expand(parity.want[recorded], names)
    const answers = (want?.['applications'] ?? {}) as { readonly [name: string]: Answer }
    world.want = (app) => (beat.record === undefined ? undefined : answers[app]?.status)
    // the health of an object after a beat that was not recorded is what the next record says of it
    world.after = (app) => answers[app]?.status
    world.before = (app) => earlier.map((older) => older[app]?.status ?? {})
    for (const step of beat.steps) await perform(world, expand(step, names))
    await world.settle(!beat.running && beat.for === undefined)
    if (beat.record === undefined) continue
    recorded++
    earlier.unshift(answers)
    for (const [app, answer] of Object.entries(answers)) {
      const where = `${beat.record}: ${app}`
      const { app: got, events, conditions } = world.record(app)
      const mine = ours(got, conditions, parity.events === 'none' ? [] : events)
      expect({ where, ...comparable(mine) }).toEqual({ where, ...comparable(answer) })
      events.length = 0
    }
  }
}

function ours(
  app: Application,
  conditions: readonly Condition[],
  events: readonly { type: string; reason: string; message: string }[],
): Answer {
  return {
    status: { ...(app.status as object), conditions },
    ...(app.operation === undefined || app.operation === null ? {} : { operation: app.operation }),
    events: events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
  }
}

/** What the machine answers for, with times, files and the order of equal tasks taken out. */
function comparable(answer: Answer): JsonObject {
  const { status, operation, events } = answer
  const text = JSON.stringify({
    state: stateOf(status?.operationState),
    history: status?.history ?? [],
    syncErrors: (status?.conditions ?? [])
      .filter(({ type }) => type === 'SyncError')
      .map(({ message }) => message),
    operation: operation === undefined ? null : withoutEmpty(operation as unknown as Json),
    events: (events ?? []).filter((event) => / Operation(Started|Completed): /.test(event)).sort(),
  })
  return JSON.parse(
    text
      .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"<time>"')
      .replaceAll(/ at \d+:\d\d[AP]M\./g, ' at <time>.')
      .replaceAll(/sync-\d{10}\b/g, 'sync-<unix>'),
  ) as JsonObject
}

function stateOf(state: OperationState | undefined): Json {
  if (state === undefined) return null
  const { syncResult, ...rest } = state
  return withoutEmpty({
    ...rest,
    syncResult: { ...syncResult, resources: rowsOf(syncResult?.resources ?? []) },
  } as unknown as Json)
}

/** Rows of one phase and kind stand in any order in Argo CD, and so do its prunes. */
function rowsOf(rows: NonNullable<OperationState['syncResult']>['resources'] & object): Json {
  const runs: (typeof rows)[number][][] = []
  let last = ''
  for (const row of rows) {
    const run = `${row.syncPhase} ${row.status?.startsWith('Prune') ? 'prune' : row.kind}`
    if (run !== last) runs.push([])
    last = run
    runs[runs.length - 1]!.push(row)
  }
  const place = (row: (typeof rows)[number]): string => `${row.name}/${row.namespace}/${row.group}`
  return runs.flatMap((run) =>
    run.sort((a, b) => (place(a) < place(b) ? -1 : 1)),
  ) as unknown as Json
}

/** Argo CD's encoder writes empty structs that mean the same as absent ones. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, withoutEmpty(item)] as const)
      .filter(([, item]) => {
        if (item === '' || item === false || item === null) return false
        return typeof item !== 'object' || Object.keys(item).length > 0
      }),
  )
}

/** Cases of projects whose answer is that of a sync. */
const projectCases: readonly string[] = [
  'create-namespace-needs-the-whitelist',
  'object-in-a-forbidden-namespace',
  'window-closes-during-an-operation',
  'windows-allow',
  'windows-deny',
  'windows-selectors',
]

describe('recorded project cases', () => {
  it.each(projectCases)('%s', (name) => play(readCase(`${corpusFolder}project/${name}.yaml`)))
})

describe('recorded sync cases', () => {
  for (const path of findCases(`${corpusFolder}sync`)) {
    const name = basename(path, '.yaml')
    if (isAboutDeletion(name)) continue
    if (Object.hasOwn(skipped, name)) it.skip(`${name} (${skipped[name]})`)
    else it(name, () => play(readCase(path)))
  }
})
