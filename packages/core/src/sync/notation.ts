import { groupOf, nameOf, namespaceOf } from '../kube/index.ts'
import { objectOf } from './task.ts'
import type { BeatEnd, SyncRequest, SyncStep, SyncTask } from './types.ts'

/** `PreSync/-1 hook batch/Job app/migrate`: the one way in which tests, logs and errors print a task. */
export function formatTask(task: SyncTask): string {
  const object = objectOf(task)
  const group = groupOf(object.apiVersion)
  const namespace = namespaceOf(object)
  const what = task.hook ? 'hook' : 'resource'
  return (
    `${task.phase}/${task.wave} ${what} ${group === '' ? '' : group + '/'}${object.kind} ` +
    `${namespace === '' ? '' : namespace + '/'}${nameOf(object)}`
  )
}

/** How a request differs from a plain client-side apply; '' for one. */
export function formatManner(request: SyncRequest): string {
  switch (request.verb) {
    case 'apply':
      return [
        request.serverSide ? 'server-side' : '',
        request.force && !request.serverSide ? 'force' : '',
        request.validate ? '' : 'no-validate',
        request.migrateFrom === undefined ? '' : `migrate-from=${request.migrateFrom}`,
      ]
        .filter((word) => word !== '')
        .join(' ')
    case 'create':
      return request.validate ? 'create' : 'create no-validate'
    case 'replace':
      return request.force ? 'replace force' : 'replace'
    case 'update':
      return 'update'
    case 'delete':
      return request.propagation === 'Foreground' ? '' : request.propagation.toLowerCase()
    default:
      return ''
  }
}

/** The lines of one step, its kind in front: `apply    Sync/0 resource ConfigMap app/web`. */
export function formatStep(step: SyncStep): readonly string[] {
  if (step.kind === 'save') return ['save']
  return step.requests.map((request) => {
    const manner = formatManner(request)
    return `${step.kind.padEnd(8)} ${formatTask(request.task)}${manner === '' ? '' : ` [${manner}]`}`
  })
}

/** `wait     MESSAGE`, or `complete PHASE: MESSAGE`. */
export function formatEnd(end: BeatEnd): string {
  if (end.phase !== 'Running') return `complete ${end.phase}: ${end.message}`
  return `wait     ${end.message}${end.pauseMs > 0 ? ' [pause]' : ''}`
}
