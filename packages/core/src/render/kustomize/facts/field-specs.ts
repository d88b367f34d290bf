/**
 * Where the transformers of kustomize 5.8.1 write when nothing is configured.
 *
 * One line is one place: `kind path`, the kind as `group/version/Kind`, with empty parts for any; `*` is every kind.
 * A path that ends in `!` is made where it is missing.
 */
type Lines = readonly string[]

export type FieldSpecList =
  | 'namePrefix'
  | 'nameSuffix'
  | 'namespace'
  | 'commonLabels'
  | 'labels'
  | 'templateLabels'
  | 'commonAnnotations'
  | 'varReference'
  | 'images'
  | 'replicas'

const podAffinity = [
  'affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
  'affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
  'affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
  'affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
  'topologySpreadConstraints/labelSelector/matchLabels',
]

/** Labels of pod templates: what `includeTemplates` writes. */
const templateLabels: Lines = [
  '* metadata/labels!',
  '/v1/ReplicationController spec/template/metadata/labels!',
  '//Deployment spec/template/metadata/labels!',
  '//ReplicaSet spec/template/metadata/labels!',
  '//DaemonSet spec/template/metadata/labels!',
  'apps//StatefulSet spec/template/metadata/labels!',
  'apps//StatefulSet spec/volumeClaimTemplates[]/metadata/labels!',
  'batch//Job spec/template/metadata/labels!',
  'batch//CronJob spec/jobTemplate/metadata/labels!',
  'batch//CronJob spec/jobTemplate/spec/template/metadata/labels!',
]

const commonLabels: Lines = [
  '/v1/Service spec/selector!',
  '/v1/ReplicationController spec/selector!',
  '//Deployment spec/selector/matchLabels!',
  ...podAffinity.map((path) => `apps//Deployment spec/template/spec/${path}`),
  '//ReplicaSet spec/selector/matchLabels!',
  '//DaemonSet spec/selector/matchLabels!',
  'apps//StatefulSet spec/selector/matchLabels!',
  ...podAffinity.map((path) => `apps//StatefulSet spec/template/spec/${path}`),
  'batch//Job spec/selector/matchLabels',
  'batch//CronJob spec/jobTemplate/spec/selector/matchLabels',
  'policy//PodDisruptionBudget spec/selector/matchLabels',
  'networking.k8s.io//NetworkPolicy spec/podSelector/matchLabels',
  'networking.k8s.io//NetworkPolicy spec/ingress/from/podSelector/matchLabels',
  'networking.k8s.io//NetworkPolicy spec/egress/to/podSelector/matchLabels',
  ...templateLabels,
]

const commonAnnotations: Lines = [
  '* metadata/annotations!',
  '/v1/ReplicationController spec/template/metadata/annotations!',
  '//Deployment spec/template/metadata/annotations!',
  '//ReplicaSet spec/template/metadata/annotations!',
  '//DaemonSet spec/template/metadata/annotations!',
  '//StatefulSet spec/template/metadata/annotations!',
  'batch//Job spec/template/metadata/annotations!',
  'batch//CronJob spec/jobTemplate/metadata/annotations!',
  'batch//CronJob spec/jobTemplate/spec/template/metadata/annotations!',
]

const namespaces: Lines = [
  '//Namespace metadata/name!',
  'apiregistration.k8s.io//APIService spec/service/namespace!',
  'apiextensions.k8s.io//CustomResourceDefinition spec/conversion/webhook/clientConfig/service/namespace',
]

const images: Lines = ['spec', 'spec/template/spec'].flatMap((spec) => [
  `* ${spec}/containers[]/image!`,
  `* ${spec}/initContainers[]/image!`,
  `* ${spec}/volumes[]/image/reference!`,
])

const replicas: Lines = [
  '//Deployment spec/replicas!',
  '//ReplicationController spec/replicas!',
  '//ReplicaSet spec/replicas!',
  '//StatefulSet spec/replicas!',
]

const templated = 'spec/template/spec'
const cronTemplated = 'spec/jobTemplate/spec/template/spec'

/** Where pods are described: kind → path of the pod spec. */
const podSpecs: readonly (readonly [string, string])[] = [
  ['//Deployment', templated],
  ['//ReplicaSet', templated],
  ['//DaemonSet', templated],
  ['//StatefulSet', templated],
  ['//Job', templated],
  ['//CronJob', cronTemplated],
]
const podsAndTemplates: readonly (readonly [string, string])[] = [
  ['/v1/Pod', 'spec'],
  ['//PodTemplate', 'template/spec'],
  ...podSpecs,
]
/** Kinds whose accounts, claims and priorities are followed: no ReplicaSet. */
const scheduledPods: readonly (readonly [string, string])[] = [
  ['//Pod', 'spec'],
  ['//StatefulSet', templated],
  ['//Deployment', templated],
  ['//ReplicationController', templated],
  ['//CronJob', cronTemplated],
  ['//Job', templated],
  ['//DaemonSet', templated],
]

function inPods(pods: typeof podSpecs, paths: readonly string[]): Lines {
  return pods.flatMap(([kind, spec]) => paths.map((path) => `${kind} ${spec}/${path}`))
}

const rbac = 'rbac.authorization.k8s.io'
const scaled: Lines = ['//HorizontalPodAutoscaler spec/scaleTargetRef/name']

/** Target of a reference → the places that name it. */
const nameReferences: { readonly [target: string]: Lines } = {
  '//Deployment': scaled,
  '//ReplicationController': scaled,
  '//ReplicaSet': scaled,
  '//StatefulSet': scaled,
  '/v1/ConfigMap': [
    ...inPods(podsAndTemplates, [
      'volumes/configMap/name',
      'containers/env/valueFrom/configMapKeyRef/name',
      'initContainers/env/valueFrom/configMapKeyRef/name',
      'containers/envFrom/configMapRef/name',
      'initContainers/envFrom/configMapRef/name',
      'volumes/projected/sources/configMap/name',
    ]),
    '//Node spec/configSource/configMap',
    '//Role rules/resourceNames',
    '//ClusterRole rules/resourceNames',
    '//Ingress metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap',
  ],
  '/v1/Secret': [
    ...inPods(podsAndTemplates, [
      'volumes/secret/secretName',
      'containers/env/valueFrom/secretKeyRef/name',
      'initContainers/env/valueFrom/secretKeyRef/name',
      'containers/envFrom/secretRef/name',
      'initContainers/envFrom/secretRef/name',
      'imagePullSecrets/name',
      'volumes/projected/sources/secret/name',
    ]),
    '//Ingress spec/tls/secretName',
    '//Ingress metadata/annotations/ingress.kubernetes.io\\/auth-secret',
    '//Ingress metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret',
    '//Ingress metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret',
    '//ServiceAccount imagePullSecrets/name',
    '//StorageClass parameters/secretName',
    '//StorageClass parameters/adminSecretName',
    '//StorageClass parameters/userSecretName',
    '//StorageClass parameters/secretRef',
    '//Role rules/resourceNames',
    '//ClusterRole rules/resourceNames',
    'serving.knative.dev/v1/Service spec/template/spec/containers/env/valueFrom/secretKeyRef/name',
    '//PersistentVolume spec/azureFile/secretName',
  ],
  '/v1/Service': [
    'apps//StatefulSet spec/serviceName',
    '//Ingress spec/rules/http/paths/backend/serviceName',
    '//Ingress spec/backend/serviceName',
    '//Ingress spec/rules/http/paths/backend/service/name',
    '//Ingress spec/defaultBackend/service/name',
    'apiregistration.k8s.io//APIService spec/service/name',
    'admissionregistration.k8s.io//ValidatingWebhookConfiguration webhooks/clientConfig/service',
    'admissionregistration.k8s.io//MutatingWebhookConfiguration webhooks/clientConfig/service',
  ],
  [`${rbac}//Role`]: [`${rbac}//RoleBinding roleRef/name`],
  [`${rbac}//ClusterRole`]: [
    `${rbac}//RoleBinding roleRef/name`,
    `${rbac}//ClusterRoleBinding roleRef/name`,
  ],
  '/v1/ServiceAccount': [
    `${rbac}//RoleBinding subjects`,
    `${rbac}//ClusterRoleBinding subjects`,
    ...inPods(scheduledPods, ['serviceAccountName']),
  ],
  '/v1/PersistentVolumeClaim': inPods(scheduledPods, ['volumes/persistentVolumeClaim/claimName']),
  '/v1/PersistentVolume': [
    '//PersistentVolumeClaim spec/volumeName',
    '//ClusterRole rules/resourceNames',
  ],
  'storage.k8s.io/v1/StorageClass': [
    '//PersistentVolume spec/storageClassName',
    '//PersistentVolumeClaim spec/storageClassName',
    '//StatefulSet spec/volumeClaimTemplates/spec/storageClassName',
  ],
  'scheduling.k8s.io/v1/PriorityClass': inPods(scheduledPods, ['priorityClassName']),
  // Parity: kustomize writes `networking.k8s.io/v1` into the group, so that it never finds one.
  'networking.k8s.io\\/v1//IngressClass': ['//Ingress spec/ingressClassName'],
  'admissionregistration.k8s.io//ValidatingAdmissionPolicy': [
    'admissionregistration.k8s.io//ValidatingAdmissionPolicyBinding spec/policyName',
  ],
}

const containerVars = ['containers', 'initContainers'].flatMap((list) =>
  ['args', 'command', 'env/value', 'volumeMounts/mountPath'].map((path) => `${list}/${path}`),
)

const varReferences: Lines = [
  ...inPods([...podSpecs, ['//Pod', 'spec']], containerVars),
  ...['//DaemonSet', '//Deployment', '//Job', '//ReplicaSet'].map(
    (kind) => `${kind} ${templated}/volumes/nfs/server`,
  ),
  '//Pod spec/volumes/nfs/server',
  '//CronJob spec/jobTemplate/spec/template/volumes/nfs/server',
  '//StatefulSet spec/volumeClaimTemplates/spec/nfs/server',
  '//Deployment spec/template/metadata/annotations',
  '//Ingress spec/rules/host',
  '//Ingress spec/tls/hosts',
  '//Ingress spec/tls/secretName',
  '//Service spec/ports/port',
  '//Service spec/ports/targetPort',
  '//PersistentVolume spec/nfs/server',
  '* metadata/labels',
  '* metadata/annotations',
]

export const defaultFieldSpecs: { readonly [list in FieldSpecList]: Lines } = {
  namePrefix: ['* metadata/name'],
  nameSuffix: ['* metadata/name'],
  namespace: namespaces,
  commonLabels,
  labels: [],
  templateLabels,
  commonAnnotations,
  varReference: varReferences,
  images,
  replicas,
}

export { nameReferences }
