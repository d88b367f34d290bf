import { type SyncResultResource, syncOptionOf } from '../argo/index.ts'
import { compareStrings } from '../json/index.ts'
import type { ClusterFacts } from '../kube/index.ts'
import { isPrune, taskKeyOf } from './task.ts'
import type { SyncTask } from './types.ts'

/** The `Prune=` value that counts for a live object: its own, else the operation's. */
export function pruneOptionOf(task: SyncTask, fallback: string | undefined): string | undefined {
  return syncOptionOf(task.live, 'Prune') ?? fallback
}

export interface WaitContext {
  readonly pruneConfirmed: boolean
  readonly defaultPrune: string | undefined
}

/**
 * What a running operation says it waits for. Hooks are named before resources, prunes that nobody confirmed before
 * both; '' for no tasks.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go setRunningPhase
 */
export function waitingMessage(
  tasks: readonly SyncTask[],
  forDeletion: boolean,
  context: WaitContext,
): string {
  if (tasks.length === 0) return ''
  const hooks = tasks.filter((task) => task.hook)
  const unit = hooks.length === tasks.length ? 'hooks' : 'resources'
  let reason = hooks.length === 0 ? 'healthy state of' : 'completion of hook'
  if (forDeletion) reason = hooks.length === 0 ? 'deletion of' : 'deletion of hook'
  let shown = hooks[0] ?? tasks[0]!
  let more = tasks.length - 1
  if (!context.pruneConfirmed) {
    const unconfirmed = tasks.filter(
      (task) => isPrune(task) && pruneOptionOf(task, context.defaultPrune) === 'confirm',
    )
    if (unconfirmed.length > 0) {
      reason = 'pruning confirmation of'
      shown = unconfirmed[0]!
      more = unconfirmed.length - 1
    }
  }
  const key = taskKeyOf(shown)
  const text = `waiting for ${reason} ${key.group}/${key.kind}/${key.name}`
  return more > 0 ? `${text} and ${more} more ${unit}` : text
}

/** `message`, and the distinct reasons of the tasks that failed. */
export function failureMessage(message: string, failed: readonly SyncTask[]): string {
  if (failed.length === 0) return message
  return `${message}, reason: ${[...new Set(failed.map((task) => task.message))].join(',')}`
}

/** For a task list that may not run at all: the distinct reasons in byte order. */
export function invalidMessage(rows: readonly SyncResultResource[]): string {
  const reasons = new Set(
    rows.flatMap((row) => (row.status === 'SyncFailed' && row.message ? [row.message] : [])),
  )
  const text = 'one or more synchronization tasks are not valid'
  if (reasons.size === 0) return text
  return `${text}: ${[...reasons].sort(compareStrings).join('; ')}`
}

/**
 * An error of kubectl without the words that Argo CD takes out.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/utils/kube/kube.go cleanKubectlOutput
 */
export function cleanError(text: string): string {
  return text
    .trim()
    .replace(/^(?:error: )?error (?:validating|when creating) "\S+": /, '')
    .replace(/map\[.*\]/g, '')
    .replace(/^error when applying patch:[\s\S]*\nfor: "\S+": /, '')
    .replaceAll(
      '; if you choose to ignore these errors, turn validation off with --validate=false',
      '',
    )
}

const notServed = 'the server could not find the requested resource'
const tooLong = 'metadata.annotations: Too long: must have at most 262144 bytes'
const tooLongHint =
  ' \n -Additional Info: This error usually means that you are trying to add a large resource on client side.' +
  ' Consider using Server-side apply or syncing with replace enabled.' +
  ' Note: Syncing with Replace enabled is potentially destructive as it may cause resource deletion and re-creation.'

/**
 * The text of a row as users see it. Only rows are explained this way, not the operation's own message.
 *
 * Source: argo-cd v3.5.1 util/argo/argo.go AugmentSyncMsg
 */
export function explainRow(row: SyncResultResource, facts: ClusterFacts): SyncResultResource {
  const message = row.message ?? ''
  if (message.includes(notServed)) {
    const subject = `${row.group}/${row.kind}`
    const place = `${row.namespace}/${row.name}`
    const served = servedKindOf(row, facts)
    return {
      ...row,
      message:
        served === undefined
          ? `The Kubernetes API could not find ${subject} for requested resource ${place}. ` +
            `Make sure the "${row.kind}" CRD is installed on the destination cluster.`
          : `The Kubernetes API could not find version "${row.version}" of ${subject} for requested resource ${place}. ` +
            `Version "${served.version}" of ${served.group}/${row.kind} is installed on the destination cluster.`,
    }
  }
  return message.includes(tooLong) ? { ...row, message: message + tooLongHint } : row
}

/** The kind in its own group, else in any group, with the version that the server would prefer. */
function servedKindOf(
  row: { readonly group: string; readonly kind: string },
  facts: ClusterFacts,
): { readonly group: string; readonly version: string } | undefined {
  const served = facts.apiVersions.flatMap((entry) => {
    const parts = entry.split('/')
    if (parts[parts.length - 1] !== row.kind || parts.length < 2) return []
    return [{ group: parts.length === 3 ? parts[0]! : '', version: parts[parts.length - 2]! }]
  })
  const own = served.filter((kind) => kind.group === row.group)
  const group = own[0]?.group ?? served[0]?.group
  return served
    .filter((kind) => kind.group === group)
    .sort((a, b) => versionRank(b.version) - versionRank(a.version))[0]
}

/** Kubernetes' own preference: stable before beta before alpha, then the higher numbers. */
function versionRank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (match === null) return -1
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return stage * 1e6 + Number(match[1]) * 1e3 + Number(match[3] ?? 0)
}
