import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../json/index.ts'
import { assessHealth } from '../index.ts'

// The situations of Argo CD's own table for kinds of Kubernetes, in objects of our own, and the edges beside them.
// Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_test.go

type Row = readonly [
  what: string,
  kind: string,
  rest: JsonObject,
  status: string | undefined,
  message?: string,
]

const conditions = (...list: readonly JsonObject[]): JsonObject => ({
  status: { conditions: list },
})
const running = (restartPolicy: string, status: JsonObject = {}): JsonObject => ({
  spec: { restartPolicy },
  status: { phase: 'Running', ...status },
})
const waits = (reason: string, message: string): JsonObject => ({
  name: 'c',
  state: { waiting: { reason, message } },
})
const v1Conditions = (...list: readonly Json[]): JsonObject => ({
  metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify(list) } },
})
const metric = {
  type: 'ScalingActive',
  status: 'False',
  reason: 'FailedGetObjectMetric',
  message: 'no metric',
}
const able = { type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale', message: 'able' }
const rolled = (spec: JsonObject, status: JsonObject): JsonObject => ({
  spec: { replicas: 3, ...spec },
  status: {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    ...status,
  },
})

const rows: readonly Row[] = [
  ['rolled out', 'apps/v1 Deployment', rolled({}, {}), 'Healthy'],
  [
    'paused',
    'apps/v1 Deployment',
    rolled({ paused: true }, {}),
    'Suspended',
    'Deployment is paused',
  ],
  [
    'under way',
    'apps/v1 Deployment',
    rolled({}, { updatedReplicas: 1 }),
    'Progressing',
    'Waiting for rollout to finish: 1 out of 3 new replicas have been updated...',
  ],
  [
    'too slow',
    'apps/v1 Deployment',
    rolled({}, { conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] }),
    'Degraded',
    'Deployment "a" exceeded its progress deadline',
  ],
  [
    'a null among the conditions',
    'apps/v1 Deployment',
    rolled({}, { conditions: [null] }),
    'Healthy',
  ],
  [
    'another version',
    'apps/v1beta1 Deployment',
    {},
    'Unknown',
    'unsupported Deployment GVK: apps/v1beta1, Kind=Deployment',
  ],
  [
    'one revision',
    'apps/v1 StatefulSet',
    rolled(
      { updateStrategy: { type: 'RollingUpdate' } },
      { readyReplicas: 3, currentReplicas: 3, currentRevision: 'r', updateRevision: 'r' },
    ),
    'Healthy',
    'statefulset rolling update complete 3 pods at revision r...',
  ],
  [
    'by hand',
    'apps/v1 StatefulSet',
    rolled({ updateStrategy: { type: 'OnDelete' } }, { readyReplicas: 3 }),
    'Healthy',
    'statefulset has 3 ready pods',
  ],
  [
    'by hand',
    'apps/v1 DaemonSet',
    {
      spec: { updateStrategy: { type: 'OnDelete' } },
      status: { observedGeneration: 1, updatedNumberScheduled: 2, desiredNumberScheduled: 5 },
    },
    'Healthy',
    'daemon set 2 out of 5 new pods have been updated',
  ],
  ['bound', 'v1 PersistentVolumeClaim', { status: { phase: 'Bound' } }, 'Healthy'],
  ['pending', 'v1 PersistentVolumeClaim', { status: { phase: 'Pending' } }, 'Progressing'],
  ['lost', 'v1 PersistentVolumeClaim', { status: { phase: 'Lost' } }, 'Degraded'],
  ['no status', 'v1 PersistentVolumeClaim', {}, 'Unknown'],
  ['inside', 'v1 Service', { spec: { type: 'ClusterIP' } }, 'Healthy'],
  [
    'an address',
    'v1 Service',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } },
    'Healthy',
  ],
  [
    'an entry without an address',
    'v1 Service',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{}] } } },
    'Healthy',
  ],
  ['no address', 'v1 Service', { spec: { type: 'LoadBalancer' } }, 'Progressing'],
  [
    'an address',
    'networking.k8s.io/v1 Ingress',
    { status: { loadBalancer: { ingress: [{ hostname: 'a' }] } } },
    'Healthy',
  ],
  [
    'no address',
    'networking.k8s.io/v1 Ingress',
    { status: { loadBalancer: { ingress: [] } } },
    'Progressing',
  ],
  ['no status', 'extensions/v1beta1 Ingress', {}, 'Progressing'],
  [
    'established',
    'apiextensions.k8s.io/v1 CustomResourceDefinition',
    conditions({ type: 'Established', status: 'True' }),
    'Healthy',
    'CRD is healthy',
  ],
  ['running', 'batch/v1 Job', { status: { active: 1 } }, 'Progressing'],
  [
    'failed',
    'batch/v1 Job',
    conditions({ type: 'Failed', status: 'True', message: 'm' }),
    'Degraded',
    'm',
  ],
  [
    'done',
    'batch/v1 Job',
    conditions({ type: 'Complete', status: 'True', message: 'm' }),
    'Healthy',
    'm',
  ],
  [
    'suspended',
    'batch/v1 Job',
    conditions({ type: 'Suspended', status: 'True', message: 'm' }),
    'Suspended',
  ],
  [
    'resumed',
    'batch/v1 Job',
    conditions({ type: 'Suspended', status: 'False', message: 'm' }),
    'Healthy',
    'm',
  ],
  ['able', 'autoscaling/v2 HorizontalPodAutoscaler', conditions(able), 'Healthy', 'able'],
  [
    'able, but no metric',
    'autoscaling/v2 HorizontalPodAutoscaler',
    conditions(able, metric),
    'Degraded',
    'no metric',
  ],
  [
    'no conditions',
    'autoscaling/v2 HorizontalPodAutoscaler',
    {},
    'Progressing',
    'Waiting to Autoscale',
  ],
  ['able', 'autoscaling/v1 HorizontalPodAutoscaler', v1Conditions(able), 'Healthy', 'able'],
  [
    'able, but no metric',
    'autoscaling/v1 HorizontalPodAutoscaler',
    v1Conditions(able, metric),
    'Degraded',
    'no metric',
  ],
  [
    'too few',
    'autoscaling/v1 HorizontalPodAutoscaler',
    v1Conditions({
      type: 'ScalingLimited',
      status: 'True',
      reason: 'TooFewReplicas',
      message: 'few',
    }),
    'Healthy',
    'few',
  ],
  [
    'no annotation',
    'autoscaling/v1 HorizontalPodAutoscaler',
    {},
    'Progressing',
    'Waiting to Autoscale',
  ],
  [
    'an empty annotation',
    'autoscaling/v1 HorizontalPodAutoscaler',
    { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': '' } } },
    'Unknown',
    'failed to convert conditions annotation to typed: unexpected end of JSON input',
  ],
  [
    'an old version',
    'autoscaling/v2beta2 HorizontalPodAutoscaler',
    {},
    'Unknown',
    'unsupported HPA GVK: autoscaling/v2beta2, Kind=HorizontalPodAutoscaler',
  ],
  ['pending', 'v1 Pod', { status: { phase: 'Pending', message: 'm' } }, 'Progressing', 'm'],
  ['succeeded', 'v1 Pod', { status: { phase: 'Succeeded' } }, 'Healthy'],
  [
    'ready',
    'v1 Pod',
    running('Always', { conditions: [{ type: 'Ready', status: 'True' }] }),
    'Healthy',
  ],
  ['not ready', 'v1 Pod', running('Always'), 'Progressing'],
  [
    'not ready, died before',
    'v1 Pod',
    running('Always', { containerStatuses: [{ name: 'c', lastState: { terminated: {} } }] }),
    'Degraded',
  ],
  ['runs once', 'v1 Pod', running('Never'), 'Progressing'],
  ['runs until it succeeds', 'v1 Pod', running('OnFailure'), 'Progressing'],
  [
    'crashes',
    'v1 Pod',
    running('Always', { containerStatuses: [waits('CrashLoopBackOff', 'back off')] }),
    'Degraded',
    'back off',
  ],
  [
    'no image',
    'v1 Pod',
    {
      spec: { restartPolicy: 'Always' },
      status: {
        phase: 'Pending',
        containerStatuses: [waits('ImagePullBackOff', 'a'), waits('ErrImagePull', '')],
      },
    },
    'Degraded',
    'a, ',
  ],
  [
    'no image, once',
    'v1 Pod',
    {
      spec: { restartPolicy: 'Never' },
      status: { phase: 'Pending', containerStatuses: [waits('ImagePullBackOff', 'a')] },
    },
    'Progressing',
  ],
  [
    'failed, with a code',
    'v1 Pod',
    {
      status: {
        phase: 'Failed',
        containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 7 } } }],
      },
    },
    'Degraded',
    'container "c" failed with exit code 7',
  ],
  [
    'failed, out of memory',
    'v1 Pod',
    {
      status: {
        phase: 'Failed',
        initContainerStatuses: [{ name: 'i', state: { terminated: { reason: 'OOMKilled' } } }],
        containerStatuses: [{ name: 'c', state: null }],
      },
    },
    'Degraded',
    'OOMKilled',
  ],
  [
    'failed, said why',
    'v1 Pod',
    { status: { phase: 'Failed', message: 'why' } },
    'Degraded',
    'why',
  ],
  [
    'going',
    'v1 Pod',
    { metadata: { deletionTimestamp: '2024-01-02T03:04:05Z' }, status: { phase: 'Running' } },
    'Progressing',
    'Pending deletion',
  ],
  [
    'going, by something that is no time',
    'v1 Pod',
    { metadata: { deletionTimestamp: 'soon' }, status: { phase: 'Succeeded' } },
    'Healthy',
  ],
  [
    'available',
    'apiregistration.k8s.io/v1 APIService',
    conditions({ type: 'Available', status: 'True', reason: 'Local', message: 'm' }),
    'Healthy',
    'Local: m',
  ],
  [
    'not available',
    'apiregistration.k8s.io/v1beta1 APIService',
    conditions({ type: 'Available', status: 'False', reason: 'Missing', message: 'm' }),
    'Progressing',
    'Missing: m',
  ],
  ['no phase', 'argoproj.io/v1alpha1 Workflow', {}, 'Progressing'],
  ['done', 'argoproj.io/v1alpha1 Workflow', { status: { phase: 'Succeeded' } }, 'Healthy'],
  [
    'failed',
    'argoproj.io/v1alpha1 Workflow',
    { status: { phase: 'Error', message: 'm' } },
    'Degraded',
    'm',
  ],
  ['odd', 'argoproj.io/v1alpha1 Workflow', { status: { phase: '?' } }, 'Unknown'],
  [
    'has none',
    'argoproj.io/v1alpha1 Application',
    { status: { health: { status: 'Degraded' } } },
    undefined,
  ],
  ['has none', 'v1 ConfigMap', {}, undefined],
]

describe('kinds of Kubernetes', () => {
  const cases = rows.map(([what, kind, rest, status, message]) => ({
    ...{ what, kind, rest, status, message },
  }))
  it.each(cases)('$what: $kind', ({ kind, rest, status, message }) => {
    const [apiVersion, name] = kind.split(' ') as [string, string]
    const { health } = assessHealth({
      apiVersion,
      kind: name,
      ...rest,
      metadata: { name: 'a', generation: 1, ...(rest['metadata'] as JsonObject | undefined) },
    })
    expect([health?.status, health?.message]).toEqual([status, message])
  })
})
