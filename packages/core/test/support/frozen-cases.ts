// Changes of fields that may be fixed, with what the API server says to them: for the rules, and for a real API server.
import type { JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'

function object(kind: string, apiVersion: string, rest: JsonObject): Manifest {
  return { apiVersion, kind, metadata: { name: 'x', namespace: 'app' }, ...rest }
}

const container = { name: 'web', image: 'registry.example.com/web:1' }
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } }
const claim = (size: string): JsonObject => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
})

/** What it is about, the object that is there, the one that is wanted, and the fields that are refused, for sure or perhaps. */
export type FrozenCase = readonly [
  string,
  Manifest,
  Manifest,
  readonly (readonly [string, boolean])[],
]

const apps = 'apps/v1'
export const workload = (kind: string, spec: JsonObject): Manifest =>
  object(kind, apps, { spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec } })
export const set = (spec: JsonObject): Manifest =>
  workload('StatefulSet', { serviceName: 'web', volumeClaimTemplates: [claim('1Gi')], ...spec })
const job = (spec: JsonObject): Manifest =>
  object('Job', 'batch/v1', { spec: { template: jobTemplate, ...spec } })
const service = (spec: JsonObject): Manifest =>
  object('Service', 'v1', { spec: { ports: [{ port: 80 }], ...spec } })
const pvc = (spec: JsonObject, status?: JsonObject): Manifest =>
  object('PersistentVolumeClaim', 'v1', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    ...(status === undefined ? {} : { status }),
  })
const image = (name: string): JsonObject => ({
  ...template,
  spec: { ...template.spec, containers: [{ ...container, image: name }] },
})
const storage = 'storage.k8s.io/v1'
const rbac = 'rbac.authorization.k8s.io/v1'
const crd = (versions: readonly string[], scope: string, storedAt: string): Manifest =>
  object('CustomResourceDefinition', 'apiextensions.k8s.io/v1', {
    spec: {
      group: 'x.io',
      scope,
      names: { kind: 'Foo', plural: 'foos' },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === storedAt,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  })

export const frozenCases: readonly FrozenCase[] = [
  [
    'the selector of a Deployment',
    workload('Deployment', {}),
    workload('Deployment', { selector: { matchLabels: { app: 'other' } } }),
    [['spec.selector', true]],
  ],
  [
    'nothing else of it',
    workload('Deployment', {}),
    workload('Deployment', { replicas: 3, template: image('b') }),
    [],
  ],
  [
    'a StatefulSet: replicas and template may',
    set({}),
    set({ replicas: 3, template: image('b') }),
    [],
  ],
  [
    'a StatefulSet: its service',
    set({}),
    set({ serviceName: 'other' }),
    [['spec.serviceName', true]],
  ],
  [
    'a StatefulSet: the size in its claim templates',
    set({}),
    set({ volumeClaimTemplates: [claim('2Gi')] }),
    [['spec.volumeClaimTemplates', true]],
  ],
  [
    'a StatefulSet: the same size written otherwise, and what the server fills in',
    set({
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          ...claim('1Gi'),
          spec: { ...(claim('1Gi')['spec'] as JsonObject), volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    }),
    set({ volumeClaimTemplates: [claim('1024Mi')] }),
    [],
  ],
  [
    'a StatefulSet: claim retention may',
    set({}),
    set({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' } }),
    [],
  ],
  [
    'the template of a Job',
    job({}),
    job({
      template: {
        ...image('b'),
        spec: { ...(image('b')['spec'] as JsonObject), restartPolicy: 'Never' },
      },
    }),
    [['spec.template', true]],
  ],
  ['a Job may be stopped', job({}), job({ suspend: true, parallelism: 2 }), []],
  [
    'where a suspended Job runs may',
    job({ suspend: true }),
    job({
      suspend: true,
      template: { ...jobTemplate, spec: { ...jobTemplate.spec, nodeSelector: { a: 'b' } } },
    }),
    [],
  ],
  [
    'a Service becomes headless',
    service({}),
    service({ clusterIP: 'None' }),
    [['spec.clusterIPs[0]', true]],
  ],
  [
    'a Service is given an address, perhaps the one it has',
    service({}),
    service({ clusterIP: '10.0.0.107' }),
    [['spec.clusterIPs[0]', false]],
  ],
  [
    'a Service with an address gets another',
    service({ clusterIP: '10.0.0.101' }),
    service({ clusterIP: '10.0.0.107' }),
    [['spec.clusterIPs[0]', true]],
  ],
  [
    'a headless Service that says nothing any more stays headless',
    service({ clusterIP: 'None' }),
    service({}),
    [],
  ],
  [
    'an ExternalName gets an address',
    service({ type: 'ExternalName', externalName: 'a.example.com' }),
    service({ clusterIP: 'None' }),
    [],
  ],
  [
    'a claim grows, which its class may not allow',
    pvc({}),
    pvc({ resources: { requests: { storage: '2Gi' } } }),
    [['spec.resources.requests.storage', false]],
  ],
  [
    'a claim that is not bound grows',
    pvc({}, { phase: 'Pending' }),
    pvc({ resources: { requests: { storage: '2Gi' } } }),
    [['spec.resources.requests.storage', true]],
  ],
  [
    'a claim shrinks',
    pvc({}),
    pvc({ resources: { requests: { storage: '500M' } } }),
    [['spec.resources.requests.storage', true]],
  ],
  [
    'a claim gets another class',
    pvc({ storageClassName: 'slow' }),
    pvc({ storageClassName: 'fast' }),
    [['spec.storageClassName', true]],
  ],
  [
    'a claim of the default class is given one',
    pvc({}),
    pvc({ storageClassName: 'fast' }),
    [['spec.storageClassName', false]],
  ],
  [
    'a volume moves',
    object('PersistentVolume', 'v1', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/a' },
      },
    }),
    object('PersistentVolume', 'v1', {
      spec: {
        capacity: { storage: '2Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path: '/b' },
      },
    }),
    [['spec.persistentvolumesource', true]],
  ],
  [
    'a StorageClass',
    object('StorageClass', storage, { provisioner: 'a', parameters: { type: 'x' } }),
    object('StorageClass', storage, {
      provisioner: 'b',
      parameters: { type: 'y' },
      allowVolumeExpansion: true,
    }),
    [
      ['parameters', true],
      ['provisioner', true],
    ],
  ],
  [
    'the reclaim policy of a StorageClass that is Delete by default',
    object('StorageClass', storage, { provisioner: 'a' }),
    object('StorageClass', storage, { provisioner: 'a', reclaimPolicy: 'Delete' }),
    [],
  ],
  [
    'the role of a binding',
    object('RoleBinding', rbac, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
    }),
    object('RoleBinding', rbac, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'b' },
    }),
    [['roleRef', true]],
  ],
  [
    'a ConfigMap that is sealed',
    object('ConfigMap', 'v1', { immutable: true, data: { a: '1' } }),
    object('ConfigMap', 'v1', { immutable: true, data: { a: '2' } }),
    [['data', true]],
  ],
  [
    'a sealed ConfigMap is to be opened',
    object('ConfigMap', 'v1', { immutable: true, data: { a: '1' } }),
    object('ConfigMap', 'v1', { data: { a: '1' } }),
    [['immutable', true]],
  ],
  [
    'a ConfigMap is sealed',
    object('ConfigMap', 'v1', { data: { a: '1' } }),
    object('ConfigMap', 'v1', { immutable: true, data: { a: '2' } }),
    [],
  ],
  [
    'a sealed Secret that says the same in plain words',
    object('Secret', 'v1', { immutable: true, type: 'Opaque', data: { a: 'MQ==' } }),
    object('Secret', 'v1', { immutable: true, stringData: { a: '1' } }),
    [],
  ],
  [
    'the type of a Secret',
    object('Secret', 'v1', { data: { a: 'MQ==' } }),
    object('Secret', 'v1', { type: 'kubernetes.io/tls', data: { a: 'MQ==' } }),
    [['type', true]],
  ],
  [
    'the scope of a definition',
    crd(['v1'], 'Namespaced', 'v1'),
    crd(['v1'], 'Cluster', 'v1'),
    [['spec.scope', true]],
  ],
  [
    'a stored version of a definition goes',
    crd(['v1beta1', 'v1'], 'Namespaced', 'v1beta1'),
    crd(['v1'], 'Namespaced', 'v1'),
    [['status.storedVersions[0]', true]],
  ],
  [
    'a served version of a definition goes that was never stored',
    crd(['v1beta1', 'v1'], 'Namespaced', 'v1'),
    crd(['v1'], 'Namespaced', 'v1'),
    [],
  ],
  [
    'a custom kind',
    object('Foo', 'x.io/v1', { spec: { selector: 1 } }),
    object('Foo', 'x.io/v1', { spec: { selector: 2 } }),
    [],
  ],
]
