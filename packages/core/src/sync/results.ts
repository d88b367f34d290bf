import {
  hasSyncOption,
  type OperationPhase,
  type ResultCode,
  type SyncPhase,
  type SyncResultResource,
  waveOf,
} from '../argo/index.ts'
import { getPath, isObject } from '../json/index.ts'
import { formatKey, type Manifest, type ResourceKey, versionOf } from '../kube/index.ts'
import { isPrune, objectOf, type Task, taskKeyOf } from './task.ts'

type Row = { -readonly [K in keyof SyncResultResource]: SyncResultResource[K] }

/**
 * The rows of `syncResult.resources` while a beat works on them. A row keeps its place; later results change its status,
 * phase and message only, and an empty message keeps the old one.
 *
 * An *intent* is a row with `hookPhase: Running` and no status. It is stored before hooks are made and objects are
 * pruned, so that the next beat knows what a lost one was doing; Argo CD has none, and none is left when a beat ends.
 * A prune stays an intent in the store until its beat ends: its wave counts as long as the beat goes on.
 */
export class Results {
  private readonly rows: Map<string, Row> = new Map()
  /** What the store holds until the beat ends, where that is not what is known already. */
  private readonly stored: Map<string, Row> = new Map()

  constructor(rows: readonly SyncResultResource[]) {
    for (const row of rows) {
      const name = rowKey(row, row.syncPhase ?? 'Sync')
      this.rows.set(name, { ...row })
      if (isIntent(row) && pruneIntentForm.test(row.message ?? ''))
        this.stored.set(name, { ...row })
    }
  }

  /** True once something has really been recorded: the dry run lies behind. */
  get started(): boolean {
    return [...this.rows.values()].some((row) => !isIntent(row))
  }

  of(task: Task): SyncResultResource | undefined {
    return this.rows.get(rowKey(taskKeyOf(task), task.phase))
  }

  record(
    task: Task,
    status: ResultCode | undefined,
    operationPhase: OperationPhase | undefined,
    message: string,
  ): void {
    task.status = status
    task.operationPhase = operationPhase
    if (message !== '') task.message = message
    this.write(task)
  }

  /** Notes that the task is about to run, unless something is known of it already. */
  intend(task: Task): void {
    const name = rowKey(taskKeyOf(task), task.phase)
    if (this.rows.has(name)) return
    const message = isPrune(task) ? pruneIntent(task) : task.live === undefined ? toBeMade : ''
    this.write({ ...task, operationPhase: 'Running', message })
    if (isPrune(task)) this.stored.set(name, { ...this.rows.get(name)! })
  }

  /** Notes how a hook has ended that is about to be deleted. */
  intendEnd(task: Task, verdict: HookEnd): void {
    const name = rowKey(taskKeyOf(task), task.phase)
    const row = this.rows.get(name)
    if (row === undefined) return
    const message = `${verdict.phase}: ${verdict.message}`
    this.stored.set(name, { ...row, hookPhase: 'Terminating', message })
  }

  /** The rows to store in the middle of a beat. */
  listToSave(): readonly SyncResultResource[] {
    return [...this.rows].map(([name, row]) => ({ ...(this.stored.get(name) ?? row) }))
  }

  /** The prunes that a lost beat was about to do. */
  pruneIntents(): readonly PruneIntent[] {
    return [...this.rows.values()].flatMap((row) => {
      const match = isIntent(row) ? pruneIntentForm.exec(row.message ?? '') : null
      return match === null ? [] : [{ row, wave: Number(match[1]), last: match[2] !== undefined }]
    })
  }

  private write(task: Task): void {
    const key = taskKeyOf(task)
    const name = rowKey(key, task.phase)
    const row: Row = this.rows.get(name) ?? {
      group: key.group,
      version: versionOf(objectOf(task).apiVersion),
      kind: key.kind,
      namespace: key.namespace,
      name: key.name,
      syncPhase: task.phase,
      ...(task.hook ? { hookType: task.phase } : {}),
      ...imagesField(objectOf(task)),
    }
    assign(row, 'status', task.status)
    assign(row, 'hookPhase', task.operationPhase)
    assign(row, 'message', task.message === '' ? undefined : task.message)
    this.rows.set(name, row)
  }

  /** Rows of lost beats whose tasks are not among these any more. */
  orphanedIntents(tasks: readonly Task[]): readonly SyncResultResource[] {
    const known = new Set(tasks.map((task) => rowKey(taskKeyOf(task), task.phase)))
    return [...this.rows].flatMap(([name, row]) => (isIntent(row) && !known.has(name) ? [row] : []))
  }

  settle(
    row: SyncResultResource,
    status: ResultCode,
    phase: OperationPhase,
    message: string,
  ): void {
    const stored = this.rows.get(rowKey(row, row.syncPhase ?? 'Sync'))
    if (stored === undefined) return
    stored.status = status
    stored.hookPhase = phase
    stored.message = message
  }

  /** Forgets intents; for the end of a beat, where nothing is about to run any more. */
  dropIntents(): void {
    for (const [name, row] of this.rows) if (isIntent(row)) this.rows.delete(name)
  }

  list(): readonly SyncResultResource[] {
    return [...this.rows.values()].map((row) => ({ ...row }))
  }
}

export interface HookEnd {
  readonly phase: OperationPhase
  readonly message: string
}

/** How a hook ended whose deletion a lost beat has begun; undefined for any other task. */
export function intendedEndOf(task: Task): HookEnd | undefined {
  const match =
    task.operationPhase === 'Terminating' ? /^(\w+): ([\s\S]*)$/.exec(task.message) : null
  return match === null ? undefined : { phase: match[1] as OperationPhase, message: match[2]! }
}

export interface PruneIntent {
  readonly row: SyncResultResource
  /** The object's own wave. */
  readonly wave: number
  /** It says `PruneLast=true`. */
  readonly last: boolean
}

const toBeMade = 'to be made'

/** True where the object of an intent was not there yet. */
export function isToBeMade(row: SyncResultResource): boolean {
  return isIntent(row) && row.message === toBeMade
}

const pruneIntentForm = /^to be pruned \(wave (-?\d+)(, last)?\)$/

function pruneIntent(task: Task): string {
  const last = hasSyncOption(task.live, 'PruneLast=true') ? ', last' : ''
  return `to be pruned (wave ${waveOf(objectOf(task))}${last})`
}

export function isIntent(row: SyncResultResource): boolean {
  return row.hookPhase === 'Running' && row.status === undefined
}

function rowKey(key: ResourceKey, phase: SyncPhase): string {
  return `${formatKey(key)}:${phase}`
}

function assign<K extends keyof Row>(row: Row, field: K, value: Row[K] | undefined): void {
  if (value === undefined) delete row[field]
  else row[field] = value
}

const containerPaths: readonly (readonly string[])[] = [
  ['spec', 'containers'],
  ['spec', 'template', 'spec', 'containers'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers'],
]

/** Images of containers; init containers do not count. */
function imagesField(object: Manifest): { readonly images?: readonly string[] } {
  const containers = containerPaths
    .map((path) => getPath(object, ...path))
    .find((value) => Array.isArray(value))
  if (!Array.isArray(containers)) return {}
  const images = containers.flatMap((container) => {
    const image = isObject(container) ? container['image'] : undefined
    return typeof image === 'string' ? [image] : []
  })
  return images.length === 0 ? {} : { images }
}
