import {
  annotationIgnoreHealthCheck,
  type HealthStatus,
  type HealthStatusCode,
  hookTypesOf,
  isHook,
  isIgnoredHook,
} from '../argo/index.ts'
import { annotationsOf, groupOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import { assessHealth, type HealthOptions } from './assess.ts'

export interface HealthInput {
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

export interface HealthVerdict {
  readonly status: HealthStatusCode
  /** By index of the input; undefined where a resource has no health or does not count. */
  readonly resources: readonly (HealthStatus | undefined)[]
  /** The first failure, in the words of the ComparisonError that reports it. */
  readonly error?: string
}

const ranks: readonly HealthStatusCode[] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
]

function isWorse(current: HealthStatusCode, next: HealthStatusCode): boolean {
  return ranks.indexOf(next) > ranks.indexOf(current)
}

/**
 * The worst health of an Application's resources. A resource that is only missing does not count, unless all are
 * missing; hooks, skipped objects and the Application itself never do.
 *
 * Source: argo-cd v3.5.1 controller/health.go setApplicationHealth
 */
export function aggregateHealth(
  inputs: readonly HealthInput[],
  options: HealthOptions & {
    /** The Application itself, which may manage itself. */
    readonly self?: { readonly namespace: string; readonly name: string }
  } = {},
): HealthVerdict {
  let status: HealthStatusCode = 'Healthy'
  let any = false
  let anyLive = false
  let error: string | undefined
  const resources = inputs.map(({ target, live }): HealthStatus | undefined => {
    if (target !== undefined && hookTypesOf(target).includes('Skip')) return undefined
    if (live !== undefined && (isHook(live) || isIgnoredHook(live))) return undefined
    any = true
    anyLive ||= live !== undefined
    if (live === undefined) return { status: 'Missing' }
    if (annotationsOf(live)[annotationIgnoreHealthCheck] === 'true') return undefined
    if (isSelf(live, options.self)) return undefined
    const assessment = assessHealth(live, options)
    if (assessment.error !== undefined) {
      error ??= `failed to get resource health for "${live.kind}" with name "${nameOf(live)}" in namespace "${namespaceOf(live)}": ${assessment.error}`
    }
    const { health } = assessment
    if (health === undefined) return undefined
    const isApplication = live.kind === 'Application' && groupOf(live.apiVersion) === 'argoproj.io'
    if (isApplication && (health.status === 'Missing' || health.status === 'Unknown')) return health
    if (isWorse(status, health.status)) status = health.status
    return health
  })
  if (any && !anyLive && isWorse(status, 'Missing')) status = 'Missing'
  return { status, resources, ...(error === undefined ? {} : { error }) }
}

function isSelf(live: Manifest, self: { namespace: string; name: string } | undefined): boolean {
  return (
    self !== undefined &&
    live.kind === 'Application' &&
    groupOf(live.apiVersion) === 'argoproj.io' &&
    nameOf(live) === self.name &&
    namespaceOf(live) === self.namespace
  )
}
