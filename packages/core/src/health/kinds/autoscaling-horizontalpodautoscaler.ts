import type { HealthStatus } from '../../argo/index.ts'
import { CompareError } from '../../errors/index.ts'
import { getPath, isObject, type JsonObject, parseJson } from '../../json/index.ts'
import { type Manifest, versionOf } from '../../kube/index.ts'
import { requireVersion, textOf, typed } from '../read.ts'

const annotationConditions = 'autoscaling.alpha.kubernetes.io/conditions'
const failures: { readonly [type: string]: ReadonlySet<string> } = {
  AbleToScale: new Set(['FailedGetScale', 'FailedUpdateScale']),
  ScalingActive: new Set([
    'FailedGetResourceMetric',
    'FailedGetObjectMetric',
    'FailedGetPodsMetric',
    'FailedGetExternalMetric',
    'FailedComputeMetricsReplicas',
    'InvalidSelector',
  ]),
}

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_hpa.go */
export function horizontalPodAutoscaler(live: Manifest): HealthStatus {
  requireVersion(live, 'HPA', ['v1', 'v2'])
  const conditions = conditionsOf(live)
  // a failure counts wherever it stands in the list
  const failed = conditions.find((condition) =>
    failures[textOf(condition, 'type')]?.has(textOf(condition, 'reason')),
  )
  if (failed !== undefined) return { status: 'Degraded', message: textOf(failed, 'message') }
  const good = conditions.find(
    ({ type, status }) =>
      (type === 'AbleToScale' || type === 'ScalingLimited') && status === 'True',
  )
  if (good !== undefined) return { status: 'Healthy', message: textOf(good, 'message') }
  return { status: 'Progressing', message: 'Waiting to Autoscale' }
}

function conditionsOf(live: Manifest): readonly JsonObject[] {
  if (versionOf(live.apiVersion) === 'v2') return typed(live, 'HPA').list('status', 'conditions')
  const raw = getPath(live, 'metadata', 'annotations', annotationConditions)
  if (raw === undefined) return []
  const text = typeof raw === 'string' ? raw : ''
  const fail = (message: string): never => {
    throw new CompareError(
      'DIFF_FAILED',
      `failed to convert conditions annotation to typed: ${message}`,
    )
  }
  const value = parseJson(text, (issue) => fail(issue.message))
  if (value === null) return []
  if (!Array.isArray(value)) {
    const what = typeof value === 'boolean' ? 'bool' : typeof value
    return fail(`json: cannot unmarshal ${what} into Go value of type []health.hpaCondition`)
  }
  return value.filter(isObject).map((condition) =>
    // Go's decoder does not mind the case of field names
    Object.fromEntries(Object.entries(condition).map(([key, item]) => [key.toLowerCase(), item])),
  )
}
