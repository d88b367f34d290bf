/**
 * Lists that merge by key when a strategic patch meets them, as kustomize 5.8.1 knows them from Kubernetes 1.21.2:
 * path → merge keys, `-` for lists of scalars. Every other list is replaced.
 *
 * scripts/kustomize-facts prints the same from kustomize's own schema, and compares.
 */
type Lists = { readonly [path: string]: string }

const metadata: Lists = { finalizers: '-', ownerReferences: 'uid' }

const container: Lists = {
  ports: 'containerPort protocol',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
}

const ephemeralContainer: Lists = {
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
}

const podSpec: Lists = {
  containers: 'name',
  ...below('containers', container),
  initContainers: 'name',
  ...below('initContainers', container),
  ephemeralContainers: 'name',
  ...below('ephemeralContainers', ephemeralContainer),
  volumes: 'name',
  ...below('volumes.ephemeral.volumeClaimTemplate.metadata', metadata),
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey whenUnsatisfiable',
}

const podTemplate: Lists = { ...below('metadata', metadata), ...below('spec', podSpec) }
const jobSpec: Lists = below('template', podTemplate)
const conditions: Lists = { 'status.conditions': 'type' }
const volumeClaim: Lists = { ...below('metadata', metadata), ...conditions }

function below(path: string, lists: Lists): Lists {
  return Object.fromEntries(Object.entries(lists).map(([key, keys]) => [`${path}.${key}`, keys]))
}

const workload: Lists = { ...below('spec.template', podTemplate), ...conditions }
const webhooks: Lists = { webhooks: 'name' }

/** `apiVersion kinds` → lists beside those of metadata. */
const kinds: { readonly [types: string]: Lists } = {
  'v1 Pod': {
    ...below('spec', podSpec),
    ...conditions,
    'status.podIPs': 'ip',
  },
  'v1 PodTemplate': below('template', podTemplate),
  'v1 ReplicationController': workload,
  'apps/v1 DaemonSet,Deployment,ReplicaSet': workload,
  'apps/v1 StatefulSet': { ...workload, ...below('spec.volumeClaimTemplates', volumeClaim) },
  'batch/v1 Job': { ...below('spec', jobSpec), ...conditions },
  'batch/v1 CronJob': {
    ...below('spec.jobTemplate.metadata', metadata),
    ...below('spec.jobTemplate.spec', jobSpec),
  },
  'batch/v1beta1 CronJob': {
    ...below('spec.jobTemplate.metadata', metadata),
    ...below('spec.jobTemplate.spec', jobSpec),
  },
  'v1 Service': { 'spec.ports': 'port protocol', 'status.conditions': 'type' },
  'v1 ServiceAccount': { secrets: 'name' },
  'v1 Node': {
    'spec.podCIDRs': '-',
    'status.conditions': 'type',
    'status.addresses': 'type',
  },
  'v1 Namespace,PersistentVolumeClaim': conditions,
  'v1 ComponentStatus': { conditions: 'type' },
  'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration,ValidatingWebhookConfiguration':
    webhooks,
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration,ValidatingWebhookConfiguration':
    webhooks,
  'storage.k8s.io/v1 CSINode': { 'spec.drivers': 'name' },
  'storage.k8s.io/v1beta1 CSINode': { 'spec.drivers': 'name' },
  'apiregistration.k8s.io/v1 APIService': conditions,
  'apiregistration.k8s.io/v1beta1 APIService': conditions,
  'policy/v1 PodDisruptionBudget': conditions,
  'policy/v1beta1 PodDisruptionBudget': conditions,
}

/** Known types of which only the lists of metadata merge. */
const plainKinds: { readonly [apiVersions: string]: string } = {
  v1: 'Binding ConfigMap Endpoints Event LimitRange PersistentVolume ResourceQuota Secret',
  'apps/v1': 'ControllerRevision',
  'autoscaling/v1': 'HorizontalPodAutoscaler Scale',
  'autoscaling/v2beta1 autoscaling/v2beta2': 'HorizontalPodAutoscaler',
  'apiextensions.k8s.io/v1 apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
  'authentication.k8s.io/v1': 'TokenRequest TokenReview',
  'authentication.k8s.io/v1beta1': 'TokenReview',
  'authorization.k8s.io/v1 authorization.k8s.io/v1beta1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'certificates.k8s.io/v1 certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
  'coordination.k8s.io/v1 coordination.k8s.io/v1beta1': 'Lease',
  'discovery.k8s.io/v1 discovery.k8s.io/v1beta1': 'EndpointSlice',
  'events.k8s.io/v1 events.k8s.io/v1beta1': 'Event',
  'extensions/v1beta1': 'Ingress',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
  'networking.k8s.io/v1': 'Ingress IngressClass NetworkPolicy',
  'networking.k8s.io/v1beta1': 'Ingress IngressClass',
  'node.k8s.io/v1 node.k8s.io/v1beta1': 'RuntimeClass',
  'policy/v1beta1': 'Eviction PodSecurityPolicy',
  'rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io/v1beta1':
    'ClusterRole ClusterRoleBinding Role RoleBinding',
  'scheduling.k8s.io/v1 scheduling.k8s.io/v1beta1': 'PriorityClass',
  'storage.k8s.io/v1': 'CSIDriver StorageClass VolumeAttachment',
  'storage.k8s.io/v1beta1': 'CSIDriver CSIStorageCapacity StorageClass VolumeAttachment',
}

function collect(): ReadonlyMap<string, Lists> {
  const all = new Map<string, Lists>()
  const ofMetadata = below('metadata', metadata)
  for (const [apiVersions, names] of Object.entries(plainKinds)) {
    for (const apiVersion of apiVersions.split(' ')) {
      for (const name of names.split(' ')) all.set(`${apiVersion} ${name}`, ofMetadata)
    }
  }
  for (const [types, lists] of Object.entries(kinds)) {
    const [apiVersion, names] = types.split(' ') as [string, string]
    for (const name of names.split(',')) {
      all.set(`${apiVersion} ${name}`, { ...ofMetadata, ...lists })
    }
  }
  for (const [type, lists] of [...all]) all.set(`${type}List`, below('items', lists))
  // Kustomize knows its own files too, which have no metadata of an object.
  all.set('kustomize.config.k8s.io/v1beta1 Kustomization', {
    configMapGenerator: 'name',
    secretGenerator: 'name',
  })
  return all
}

/** `apiVersion kind` → the lists of the type that merge. */
export const mergeLists: ReadonlyMap<string, Lists> = collect()
