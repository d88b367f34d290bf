import { describe, expect, it } from 'vitest'
import { deepFreeze, type JsonObject } from '../../json/index.ts'
import { structOfKind, throughStruct } from '../schema/index.ts'
import { imageTag } from './image-tag.ts'
import { withDefaults } from './index.ts'

function defaulted(apiVersion: string, kind: string, object: JsonObject): JsonObject {
  const struct = structOfKind(apiVersion, kind)!
  const held = throughStruct(deepFreeze(object), struct, { strict: true, fields: 'held' })!
  return withDefaults(deepFreeze(held), struct)
}

const podDefaults = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
}
const containerDefaults = {
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
}

// Checked against the defaulting functions of k8s.io/kubernetes v1.36.1.
describe('withDefaults', () => {
  it('fills a Deployment down to its ports and probes', () => {
    const container = {
      name: 'c',
      image: 'c:1',
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 90 } },
      env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    }
    const volumes = [
      { name: 'a' },
      { name: 'b', secret: { secretName: 's' } },
      { name: 'c', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { name: 'd', hostPath: { path: '/x' } },
    ]
    const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
    const object = { spec: { template: { spec: { containers: [container], volumes } } } }
    expect(defaulted('apps/v1', 'Deployment', object)).toEqual({
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
        },
        template: {
          spec: {
            ...podDefaults,
            containers: [
              {
                ...container,
                ...containerDefaults,
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                livenessProbe: { ...probe, httpGet: { port: 80, path: '/', scheme: 'HTTP' } },
                readinessProbe: { ...probe, grpc: { port: 90, service: '' } },
                env: [
                  {
                    name: 'N',
                    valueFrom: { fieldRef: { fieldPath: 'spec.nodeName', apiVersion: 'v1' } },
                  },
                ],
              },
            ],
            volumes: [
              { name: 'a', emptyDir: {} },
              { name: 'b', secret: { secretName: 's', defaultMode: 420 } },
              {
                name: 'c',
                projected: {
                  defaultMode: 420,
                  sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
                },
              },
              { name: 'd', hostPath: { path: '/x', type: '' } },
            ],
          },
        },
      },
    })
  })

  it('gives Pods, and only Pods, requests from limits and host ports', () => {
    const spec = {
      hostNetwork: true,
      containers: [
        { name: 'c', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] },
      ],
    }
    expect(defaulted('v1', 'Pod', { spec })).toMatchObject({
      spec: {
        enableServiceLinks: true,
        containers: [
          {
            resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
            ports: [{ hostPort: 80, protocol: 'TCP' }],
          },
        ],
      },
    })
    const template = defaulted('v1', 'PodTemplate', { template: { spec } })
    expect(JSON.stringify(template)).not.toMatch(/requests|hostPort|enableServiceLinks/)
  })

  it('sums up the containers of a Pod with resources of its own', () => {
    const container = (name: string, cpu: string): JsonObject => ({
      name,
      resources: { requests: { cpu } },
    })
    const spec = {
      resources: { limits: { cpu: '2', memory: '1Gi' } },
      containers: [container('a', '100m'), container('b', '0.3')],
      initContainers: [
        { ...container('s', '200m'), restartPolicy: 'Always' },
        container('i', '500m'),
      ],
    }
    expect(defaulted('v1', 'Pod', { spec })).toMatchObject({
      spec: { resources: { requests: { cpu: '700m', memory: '1Gi' } } },
    })
  })

  it.each<[string, string, string, JsonObject, JsonObject]>([
    [
      'a ClusterIP Service',
      'v1',
      'Service',
      { spec: { ports: [{ port: 80 }] } },
      {
        spec: {
          sessionAffinity: 'None',
          type: 'ClusterIP',
          internalTrafficPolicy: 'Cluster',
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        },
      },
    ],
    [
      'a LoadBalancer Service',
      'v1',
      'Service',
      { spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP' } },
      {
        spec: {
          type: 'LoadBalancer',
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
          externalTrafficPolicy: 'Cluster',
          internalTrafficPolicy: 'Cluster',
          allocateLoadBalancerNodePorts: true,
        },
      },
    ],
    [
      'a StatefulSet',
      'apps/v1',
      'StatefulSet',
      { spec: { volumeClaimTemplates: [{ spec: {} }] } },
      {
        spec: {
          podManagementPolicy: 'OrderedReady',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
          replicas: 1,
          revisionHistoryLimit: 10,
          volumeClaimTemplates: [
            { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
          ],
          template: { spec: podDefaults },
        },
      },
    ],
    [
      'a Job',
      'batch/v1',
      'Job',
      { spec: { template: { metadata: { labels: { a: 'b' } } }, podFailurePolicy: { rules: [] } } },
      {
        metadata: { labels: { a: 'b' } },
        spec: {
          completions: 1,
          parallelism: 1,
          backoffLimit: 6,
          completionMode: 'NonIndexed',
          suspend: false,
          podReplacementPolicy: 'Failed',
          manualSelector: false,
          podFailurePolicy: { rules: [] },
          template: { metadata: { labels: { a: 'b' } }, spec: podDefaults },
        },
      },
    ],
    [
      'an autoscaler with a behavior',
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 3, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
      {
        spec: {
          maxReplicas: 3,
          minReplicas: 1,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 0,
              selectPolicy: 'Max',
              policies: [
                { type: 'Pods', value: 4, periodSeconds: 15 },
                { type: 'Percent', value: 100, periodSeconds: 15 },
              ],
            },
            scaleDown: {
              stabilizationWindowSeconds: 60,
              selectPolicy: 'Max',
              policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
            },
          },
        },
      },
    ],
    [
      'a NetworkPolicy',
      'networking.k8s.io/v1',
      'NetworkPolicy',
      { spec: { egress: [{ ports: [{ port: 53 }] }] } },
      {
        spec: {
          egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
          policyTypes: ['Ingress', 'Egress'],
        },
      },
    ],
    [
      'a RoleBinding',
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      { roleRef: { kind: 'Role' }, subjects: [{ kind: 'User' }, { kind: 'ServiceAccount' }] },
      {
        roleRef: { kind: 'Role', apiGroup: 'rbac.authorization.k8s.io' },
        subjects: [
          { kind: 'User', apiGroup: 'rbac.authorization.k8s.io' },
          { kind: 'ServiceAccount' },
        ],
      },
    ],
    [
      'a Namespace',
      'v1',
      'Namespace',
      { metadata: { name: 'n' } },
      {
        metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'n' } },
        status: { phase: 'Active' },
      },
    ],
    [
      'resource lists, in thousandths',
      'v1',
      'ResourceQuota',
      { spec: { hard: { cpu: '100u', memory: '1Gi' } } },
      { spec: { hard: { cpu: '1m', memory: '1Gi' } } },
    ],
    [
      'a kind whose defaults are not loaded',
      'resource.k8s.io/v1',
      'ResourceClaim',
      {
        spec: { devices: { requests: [{ name: 'r', exactly: { tolerations: [{ key: 'k' }] } }] } },
      },
      {
        spec: { devices: { requests: [{ name: 'r', exactly: { tolerations: [{ key: 'k' }] } }] } },
      },
    ],
  ])('fills %s', (_, apiVersion, kind, object, want) => {
    expect(defaulted(apiVersion, kind, object)).toEqual(want)
  })

  it('gives the same object back when nothing is missing', () => {
    const struct = structOfKind('v1', 'Secret')!
    const held = throughStruct({ type: 'Opaque', data: {} }, struct, {
      strict: true,
      fields: 'held',
    })!
    expect(withDefaults(held, struct)).toBe(held)
  })
})

describe('imageTag', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:1.2', '1.2'],
    ['nginx:latest', 'latest'],
    ['registry.example.com:5000/a/b', 'latest'],
    ['registry.example.com:5000/a/b:v1', 'v1'],
    ['localhost/a', 'latest'],
    ['[::1]:5000/a:v1', 'v1'],
    [`a@sha256:${'0'.repeat(64)}`, ''],
    [`a:latest@sha256:${'0'.repeat(64)}`, 'latest'],
    ['a@sha256:00', ''],
    ['UPPER', ''],
    ['Upper.example.com/a', 'latest'],
    ['a:', ''],
    ['', ''],
    ['0'.repeat(64), ''],
    ['{{ .Values.image }}', ''],
  ])('%s has %j', (image, want) => {
    expect(imageTag(image)).toBe(want)
  })
})
