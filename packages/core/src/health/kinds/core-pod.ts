import type { HealthStatus } from '../../argo/index.ts'
import type { JsonObject } from '../../json/index.ts'
import { getPath, isObject } from '../../json/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, type Typed, textOf, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_pod.go */
export function pod(live: Manifest): HealthStatus {
  requireVersion(live, 'Pod', ['v1'])
  const read = typed(live, 'Pod')
  const message = read.text('status', 'message')
  const restart = read.text('spec', 'restartPolicy')
  const containers = read.list('status', 'containerStatuses')
  if (restart === 'Always') {
    const stuck = containers
      .map((container) => objectAt(container, 'state', 'waiting'))
      .filter((waiting) => /^Err|Error$|BackOff$/.test(textOf(waiting, 'reason')))
    if (stuck.length > 0) {
      return {
        status: 'Degraded',
        message: stuck.map((waiting) => textOf(waiting, 'message')).join(', '),
      }
    }
  }
  switch (read.text('status', 'phase')) {
    case 'Pending':
      return { status: 'Progressing', message }
    case 'Succeeded':
      return { status: 'Healthy', message }
    case 'Failed':
      return { status: 'Degraded', message: message || failureOf(read, containers) }
    case 'Running':
      return running(read, restart, containers, message)
    default:
      return { status: 'Unknown', message }
  }
}

function objectAt(container: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const value = getPath(container, ...path)
  return isObject(value ?? null) ? (value as JsonObject) : undefined
}

function running(
  read: Typed,
  restart: string,
  containers: readonly JsonObject[],
  message: string,
): HealthStatus {
  if (restart === 'OnFailure' || restart === 'Never') return { status: 'Progressing', message }
  if (restart !== 'Always') return { status: 'Unknown', message }
  const ready = read
    .list('status', 'conditions')
    .some((condition) => condition['type'] === 'Ready' && condition['status'] === 'True')
  if (ready) return { status: 'Healthy', message }
  const died = containers.some((container) => objectAt(container, 'lastState', 'terminated'))
  return { status: died ? 'Degraded' : 'Progressing', message }
}

function failureOf(read: Typed, containers: readonly JsonObject[]): string {
  for (const container of [...read.list('status', 'initContainerStatuses'), ...containers]) {
    const end = objectAt(container, 'state', 'terminated')
    if (end === undefined) continue
    if (textOf(end, 'message') !== '') return textOf(end, 'message')
    if (textOf(end, 'reason') === 'OOMKilled') return 'OOMKilled'
    const exitCode = end['exitCode']
    if (typeof exitCode === 'number' && exitCode !== 0) {
      return `container "${textOf(container, 'name')}" failed with exit code ${exitCode}`
    }
  }
  return ''
}
