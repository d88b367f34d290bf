/**
 * Kinds that kustomize 5.8.1 knows to be cluster-scoped, of Kubernetes 1.21. Everything else counts as namespaced,
 * newer built-in kinds too.
 */
const clusterScoped: { readonly [apiVersions: string]: string } = {
  v1: 'ComponentStatus Namespace Node NodeProxyOptions PersistentVolume',
  'admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1beta1':
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1 apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
  'apiregistration.k8s.io/v1 apiregistration.k8s.io/v1beta1': 'APIService',
  'certificates.k8s.io/v1 certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
  'networking.k8s.io/v1 networking.k8s.io/v1beta1': 'IngressClass',
  'node.k8s.io/v1 node.k8s.io/v1beta1': 'RuntimeClass',
  'policy/v1beta1': 'PodSecurityPolicy',
  'rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io/v1beta1':
    'ClusterRole ClusterRoleBinding',
  'scheduling.k8s.io/v1 scheduling.k8s.io/v1beta1': 'PriorityClass',
  'storage.k8s.io/v1 storage.k8s.io/v1beta1': 'CSIDriver CSINode StorageClass VolumeAttachment',
}

const known: ReadonlySet<string> = new Set(
  Object.entries(clusterScoped).flatMap(([apiVersions, kinds]) =>
    apiVersions
      .split(' ')
      .flatMap((apiVersion) => kinds.split(' ').map((kind) => `${apiVersion} ${kind}`)),
  ),
)

export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return known.has(`${apiVersion} ${kind}`)
}
