import type { DryRun } from '../adapters/index.ts'
import { hasSyncOption } from '../argo/index.ts'
import { getPath, isObject, setPath } from '../json/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import type { SyncSettings } from './options.ts'
import { isCrd, objectOf, taskKeyOf } from './task.ts'
import type { SyncRequest, SyncTask } from './types.ts'

/**
 * How one target is written: replaced where anything says `Replace=true`, else applied. CustomResourceDefinitions and
 * anything called Namespace are then updated in place, since replacing them could take along what they hold.
 *
 * A string is why it is refused before anybody is asked.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go applyObject
 */
export function writeRequest(
  task: SyncTask,
  settings: SyncSettings,
  dry: boolean,
): SyncRequest | string {
  const target = task.target as Manifest
  const { live } = task
  const either = (option: string): boolean =>
    hasSyncOption(target, option) || hasSyncOption(live, option)
  const force = settings.force || either('Force=true')
  const validate = settings.validate && !hasSyncOption(target, 'Validate=false')
  const dryRun: DryRun = dry ? 'client' : 'none'
  const serverSide =
    !dry &&
    !hasSyncOption(target, 'ServerSideApply=false') &&
    (settings.serverSide || hasSyncOption(target, 'ServerSideApply=true'))

  if (settings.replace || either('Replace=true')) {
    if (live === undefined) return { verb: 'create', task, target, dryRun, validate }
    if (isCrd(target) || target.kind === 'Namespace') {
      return {
        verb: 'update',
        task,
        target: atVersionOf(target, live),
        dryRun: dry ? 'server' : 'none',
      }
    }
    return { verb: 'replace', task, target, dryRun, force }
  }
  if (serverSide && force) {
    return 'error validating options: --force cannot be used with --server-side'
  }
  const migrateFrom = serverSide ? migrationOf(live, settings.migrateFrom) : undefined
  return {
    verb: 'apply',
    task,
    target,
    dryRun,
    serverSide,
    force,
    validate,
    ...(migrateFrom === undefined ? {} : { migrateFrom }),
  }
}

function atVersionOf(target: Manifest, live: Manifest): Manifest {
  const version = getPath(live, 'metadata', 'resourceVersion')
  return version === undefined ? target : setPath(target, ['metadata', 'resourceVersion'], version)
}

/** The manager, where it has fields of a client-side apply to give away. */
function migrationOf(live: Manifest | undefined, manager: string | undefined): string | undefined {
  const entries = live === undefined ? undefined : getPath(live, 'metadata', 'managedFields')
  if (manager === undefined || !Array.isArray(entries)) return undefined
  const owns = entries.some(
    (entry) => isObject(entry) && entry['manager'] === manager && entry['operation'] === 'Update',
  )
  return owns ? manager : undefined
}

/** Deletes what a task stands for: the live object of a prune, or the hook by the name of its target. */
export function deleteRequest(task: SyncTask, settings: SyncSettings): SyncRequest {
  const object = objectOf(task)
  return {
    verb: 'delete',
    task,
    key: keyOf(object),
    apiVersion: object.apiVersion,
    propagation: settings.propagation,
  }
}

export function readRequest(task: SyncTask): SyncRequest {
  return { verb: 'get', task, key: taskKeyOf(task), apiVersion: objectOf(task).apiVersion }
}
