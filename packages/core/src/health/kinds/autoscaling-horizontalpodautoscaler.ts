import type { HealthStatus } from '../../argo/index.ts'
import { CompareError } from '../../errors/index.ts'
import { isObject, type JsonObject, parseJson } from '../../json/index.ts'
import { annotationsOf, type Manifest, versionOf } from '../../kube/index.ts'
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
  for (const condition of conditionsOf(live)) {
    const type = textOf(condition, 'type')
    const message = textOf(condition, 'message')
    if (failures[type]?.has(textOf(condition, 'reason'))) return { status: 'Degraded', message }
    if ((type === 'AbleToScale' || type === 'ScalingLimited') && condition['status'] === 'True') {
      return { status: 'Healthy', message }
    }
  }
  return { status: 'Progressing', message: 'Waiting to Autoscale' }
}

function conditionsOf(live: Manifest): readonly JsonObject[] {
  if (versionOf(live.apiVersion) === 'v2') return typed(live, 'HPA').list('status', 'conditions')
  const text = annotationsOf(live)[annotationConditions]
  if (text === undefined || text === '') return []
  const value = parseJson(text, (issue) => {
    throw new CompareError(
      'DIFF_FAILED',
      `failed to convert conditions annotation to typed: ${issue.message}`,
    )
  })
  if (!Array.isArray(value)) return []
  return value.filter(isObject).map((condition) =>
    // Go's decoder does not mind the case of field names
    Object.fromEntries(Object.entries(condition).map(([key, item]) => [key.toLowerCase(), item])),
  )
}
