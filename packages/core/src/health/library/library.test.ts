import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../json/index.ts'
import { assessHealth } from '../index.ts'

function assess(kind: string, rest: JsonObject): readonly [string?, string?] {
  const slash = kind.indexOf('/')
  const { health } = assessHealth({
    apiVersion: `${kind.slice(0, slash)}/v1`,
    kind: kind.slice(slash + 1),
    spec: {},
    ...rest,
    metadata: { name: 'one', generation: 2, ...(rest['metadata'] as JsonObject | undefined) },
  })
  return health === undefined ? [] : [health.status, health.message ?? '']
}

const status = (fields: JsonObject): JsonObject => ({ status: fields })
const conditions = (...list: readonly JsonObject[]): JsonObject => ({
  status: { conditions: list },
})
const ready = (value: string, message: Json = 'm'): JsonObject =>
  conditions({ type: 'Ready', status: value, reason: 'R', message })

describe('libraryCheck', () => {
  it.each<[string, JsonObject, readonly [string?, string?]]>([
    ['argoproj.io/Application', status({ health: { status: 'Degraded' } }), []],
    ['argoproj.io/Rollout', {}, ['Progressing', 'Waiting for rollout spec update to be observed']],
    [
      'argoproj.io/Rollout',
      status({ observedGeneration: '2', phase: 'Paused', message: 'm' }),
      ['Suspended', 'm'],
    ],
    [
      'argoproj.io/Rollout',
      status({ observedGeneration: '1', phase: 'Healthy' }),
      ['Progressing', 'Waiting for rollout spec update to be observed'],
    ],
    [
      'argoproj.io/Rollout',
      status({ phase: 'Strange' }),
      ['Unknown', 'Lua returned an invalid health status'],
    ],
    [
      'argoproj.io/ApplicationSet',
      conditions(
        { type: 'ResourcesUpToDate', status: 'True', message: 'up' },
        { type: 'ErrorOccurred', status: 'True', message: 'bad' },
      ),
      ['Degraded', 'bad'],
    ],
    ['argoproj.io/AnalysisRun', status({ phase: 'Failed' }), ['Degraded', 'Analysis run failed']],
    ['argoproj.io/Experiment', status({ phase: 'Odd' }), []],
    ['argoproj.io/CronWorkflow', {}, ['Healthy', 'CronWorkflow is healthy.']],
    ['cert-manager.io/Certificate', ready('True'), ['Healthy', 'm']],
    [
      'cert-manager.io/Certificate',
      conditions(
        { type: 'Ready', status: 'True' },
        { type: 'Issuing', status: 'True', message: 'i' },
      ),
      ['Progressing', 'i'],
    ],
    ['cert-manager.io/Issuer', {}, ['Progressing', 'Initializing issuer']],
    ['external-secrets.io/ExternalSecret', ready('False'), ['Degraded', 'm']],
    ['external-secrets.io/ClusterExternalSecret', ready('True'), ['Healthy', 'm']],
    ['karpenter.sh/NodePool', {}, ['Progressing', 'Waiting for NodePool to be ready']],
    [
      'gateway.networking.k8s.io/Gateway',
      conditions(
        { type: 'Accepted', status: 'False', message: 'a' },
        { type: 'ResolvedRefs', status: 'False', message: 'r' },
      ),
      ['Degraded', 'r'],
    ],
    [
      'gateway.networking.k8s.io/HTTPRoute',
      status({
        parents: [
          {
            parentRef: { name: 'gw' },
            conditions: [{ type: 'Accepted', status: 'False', observedGeneration: 2 }],
          },
        ],
      }),
      ['Degraded', 'Parent gw: Failed condition: Accepted'],
    ],
    [
      'gateway.networking.k8s.io/HTTPRoute',
      status({
        parents: [
          {
            parentRef: { name: 'gw' },
            conditions: [{ type: 'Accepted', status: 'False', observedGeneration: 1 }],
          },
        ],
      }),
      ['Progressing', 'Waiting for HTTPRoute status'],
    ],
    [
      'install.istio.io/IstioOperator',
      status({ status: 'HEALTHY' }),
      ['Healthy', 'Component is healthy.'],
    ],
    [
      'install.istio.io/IstioOperator',
      status({ status: 4 }),
      ['Degraded', 'Component is in an error state.'],
    ],
    [
      'kustomize.toolkit.fluxcd.io/Kustomization',
      { spec: { suspend: true } },
      ['Suspended', 'Kustomization is suspended'],
    ],
    ['kustomize.toolkit.fluxcd.io/Kustomization', { spec: {}, ...ready('True') }, ['Healthy', 'R']],
    ['helm.toolkit.fluxcd.io/HelmRelease', { spec: {}, ...ready('True') }, ['Degraded', 'R']],
    [
      'source.toolkit.fluxcd.io/HelmRepository',
      { spec: { type: 'oci' } },
      ['Healthy', "Helm repositories of type 'oci' do not contain any information in the status."],
    ],
    ['serving.knative.dev/Service', ready('False'), ['Degraded', 'Ready is False, since R. m\n']],
    ['pkg.crossplane.io/Function', {}, ['Healthy', 'Resource is up-to-date.']],
    ['s3.aws.upbound.io/Bucket', status({}), ['Progressing', 'Provisioning ...']],
    ['s3.aws.crossplane.io/Bucket', {}, ['Progressing', 'Waiting for Bucket to be created']],
    ['crossplane.io/Thing', {}, []],
    [
      'keda.sh/ScaledObject',
      conditions(
        { type: 'Ready', status: 'True', message: 'a' },
        { type: 'Paused', status: 'True', message: 'b' },
      ),
      ['Suspended', 'b'],
    ],
    [
      'kafka.strimzi.io/Kafka',
      conditions({ type: 'NotReady', status: 'True', reason: 'Creating', message: 'c' }),
      ['Progressing', 'Waiting for Kafka Cluster'],
    ],
    ['kafka.strimzi.io/KafkaTopic', ready('True'), ['Healthy', '']],
    [
      'monitoring.coreos.com/Prometheus',
      conditions({ type: 'Available', status: 'False', reason: 'SomePodsNotReady' }),
      ['Progressing', 'SomePodsNotReady'],
    ],
    ['cluster.x-k8s.io/Cluster', { spec: { paused: true } }, ['Suspended', 'Cluster is paused']],
    ['batch/CronJob', { spec: { suspend: true } }, ['Healthy', 'CronJob is Suspended']],
    [
      'apiextensions.k8s.io/CustomResourceDefinition',
      conditions({ type: 'Established', status: 'True' }),
      ['Healthy', 'CRD is healthy'],
    ],
    [
      'policy/PodDisruptionBudget',
      conditions({ type: 'X', status: 'False', reason: 'SyncFailed' }),
      ['Degraded', 'PodDisruptionBudget has SyncFailed'],
    ],
    ['rabbitmq.com/Queue', {}, ['Unknown', 'RabbitMQ queue status is unknown']],
    [
      'postgresql.cnpg.io/Cluster',
      status({ phase: 'Failing over', phaseReason: 'p', conditions: [] }),
      ['Degraded', 'p'],
    ],
    [
      'numaflow.numaproj.io/Pipeline',
      status({ observedGeneration: 2, phase: 'Pausing' }),
      ['Healthy', 'Pipeline is paused'],
    ],
    [
      'sparkoperator.k8s.io/SparkApplication',
      {
        spec: { executor: { instances: 1 } },
        status: { applicationState: { state: 'RUNNING' }, executorState: { a: 'RUNNING' } },
      },
      ['Healthy', 'SparkApplication is Running'],
    ],
    [
      'metrics.keptn.sh/Analysis',
      {},
      ['Unknown', "<string>:2: attempt to index a non-table object(nil) with key 'pass'"],
    ],
  ])('%s %j', (kind, rest, expected) => {
    expect(assess(kind, rest)).toEqual(expected)
  })
})

interface Case {
  readonly folder: string
  readonly object: JsonObject & { readonly apiVersion: string; readonly kind: string }
  readonly expected: { readonly status?: string; readonly message?: string }
}

// public fixtures of Argo CD, which are no part of this repository
const recorded = new URL('../../../../../../shared/data/health-cases.jsonl', import.meta.url)

describe.skipIf(!existsSync(recorded))('recorded objects', () => {
  const lines = existsSync(recorded) ? readFileSync(recorded, 'utf8').trim().split('\n') : []
  const cases = lines.map((line) => JSON.parse(line) as Case)

  it('give what Argo CD gave', () => {
    const different = cases.flatMap(({ folder, object, expected }) => {
      const metadata = object['metadata'] as JsonObject | undefined
      // Argo CD's own tests ask the script itself, past the check for deletion: so does this finalizer
      const own = (metadata?.['finalizers'] ?? []) as readonly Json[]
      const finalizers = [...own, 'argocd.argoproj.io/hook-finalizer']
      const isGoing = metadata?.['deletionTimestamp'] !== undefined
      const { health } = assessHealth(
        isGoing ? { ...object, metadata: { ...metadata, finalizers } } : object,
      )
      const got = [health?.status ?? '', health?.message ?? '']
      const want = [expected.status ?? '', expected.message ?? '']
      return got.join('\n') === want.join('\n') ? [] : [{ folder, got, want }]
    })
    expect(cases.length).toBeGreaterThan(700)
    expect(different).toEqual([])
  })
})
