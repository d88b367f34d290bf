// Made by scripts/kustomize-facts/generate.sh; not edited by hand. table.ts explains the format.
export const builtInTable: string = String.raw`
made from
  kubernetes v1.21.2
  kustomize/api v0.21.1
  kustomize/kyaml v0.21.1

cluster-scoped
  admissionregistration.k8s.io/v1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
  admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
  apiextensions.k8s.io/v1 CustomResourceDefinition
  apiextensions.k8s.io/v1beta1 CustomResourceDefinition
  apiregistration.k8s.io/v1 APIService
  apiregistration.k8s.io/v1beta1 APIService
  certificates.k8s.io/v1 CertificateSigningRequest
  certificates.k8s.io/v1beta1 CertificateSigningRequest
  flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema PriorityLevelConfiguration
  networking.k8s.io/v1 IngressClass
  networking.k8s.io/v1beta1 IngressClass
  node.k8s.io/v1 RuntimeClass
  node.k8s.io/v1beta1 RuntimeClass
  policy/v1beta1 PodSecurityPolicy
  rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding
  rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding
  scheduling.k8s.io/v1 PriorityClass
  scheduling.k8s.io/v1beta1 PriorityClass
  storage.k8s.io/v1 CSIDriver CSINode StorageClass VolumeAttachment
  storage.k8s.io/v1beta1 CSIDriver CSINode StorageClass VolumeAttachment
  v1 ComponentStatus Namespace Node NodeProxyOptions PersistentVolume

definitions
  admissionregistration.v1.MutatingWebhookConfiguration: admissionregistration.k8s.io/v1 MutatingWebhookConfiguration
    metadata meta.v1.ObjectMeta
    webhooks[name]
  admissionregistration.v1.MutatingWebhookConfigurationList: admissionregistration.k8s.io/v1 MutatingWebhookConfigurationList
    items admissionregistration.v1.MutatingWebhookConfiguration
  admissionregistration.v1.ValidatingWebhookConfiguration: admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration
    metadata meta.v1.ObjectMeta
    webhooks[name]
  admissionregistration.v1.ValidatingWebhookConfigurationList: admissionregistration.k8s.io/v1 ValidatingWebhookConfigurationList
    items admissionregistration.v1.ValidatingWebhookConfiguration
  admissionregistration.v1beta1.MutatingWebhookConfiguration: admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration
    metadata meta.v1.ObjectMeta
    webhooks[name]
  admissionregistration.v1beta1.MutatingWebhookConfigurationList: admissionregistration.k8s.io/v1beta1 MutatingWebhookConfigurationList
    items admissionregistration.v1beta1.MutatingWebhookConfiguration
  admissionregistration.v1beta1.ValidatingWebhookConfiguration: admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration
    metadata meta.v1.ObjectMeta
    webhooks[name]
  admissionregistration.v1beta1.ValidatingWebhookConfigurationList: admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfigurationList
    items admissionregistration.v1beta1.ValidatingWebhookConfiguration
  apiextensions.v1.CustomResourceDefinition: apiextensions.k8s.io/v1 CustomResourceDefinition
    metadata meta.v1.ObjectMeta
    spec apiextensions.v1.CustomResourceDefinitionSpec
  apiextensions.v1.CustomResourceDefinitionList: apiextensions.k8s.io/v1 CustomResourceDefinitionList
    items apiextensions.v1.CustomResourceDefinition
  apiextensions.v1.CustomResourceDefinitionSpec
    versions apiextensions.v1.CustomResourceDefinitionVersion
  apiextensions.v1.CustomResourceDefinitionVersion
    subresources apiextensions.v1.CustomResourceSubresources
  apiextensions.v1.CustomResourceSubresourceStatus
  apiextensions.v1.CustomResourceSubresources
    status apiextensions.v1.CustomResourceSubresourceStatus
  apiextensions.v1beta1.CustomResourceDefinition: apiextensions.k8s.io/v1beta1 CustomResourceDefinition
    metadata meta.v1.ObjectMeta
    spec apiextensions.v1beta1.CustomResourceDefinitionSpec
  apiextensions.v1beta1.CustomResourceDefinitionList: apiextensions.k8s.io/v1beta1 CustomResourceDefinitionList
    items apiextensions.v1beta1.CustomResourceDefinition
  apiextensions.v1beta1.CustomResourceDefinitionSpec
    subresources apiextensions.v1beta1.CustomResourceSubresources
    versions apiextensions.v1beta1.CustomResourceDefinitionVersion
  apiextensions.v1beta1.CustomResourceDefinitionVersion
    subresources apiextensions.v1beta1.CustomResourceSubresources
  apiextensions.v1beta1.CustomResourceSubresourceStatus
  apiextensions.v1beta1.CustomResourceSubresources
    status apiextensions.v1beta1.CustomResourceSubresourceStatus
  apiregistration.v1.APIService: apiregistration.k8s.io/v1 APIService
    metadata meta.v1.ObjectMeta
    status apiregistration.v1.APIServiceStatus
  apiregistration.v1.APIServiceList: apiregistration.k8s.io/v1 APIServiceList
    items apiregistration.v1.APIService
  apiregistration.v1.APIServiceStatus
    conditions[type]
  apiregistration.v1beta1.APIService: apiregistration.k8s.io/v1beta1 APIService
    metadata meta.v1.ObjectMeta
    status apiregistration.v1beta1.APIServiceStatus
  apiregistration.v1beta1.APIServiceList: apiregistration.k8s.io/v1beta1 APIServiceList
    items apiregistration.v1beta1.APIService
  apiregistration.v1beta1.APIServiceStatus
    conditions[type]
  apps.v1.ConfigMapArgs: kustomize.config.k8s.io/v1beta1 ConfigMapArgs
    GeneratorArgs apps.v1.GeneratorArgs
  apps.v1.ControllerRevision: apps/v1 ControllerRevision
    data runtime.RawExtension
    metadata meta.v1.ObjectMeta
  apps.v1.ControllerRevisionList: apps/v1 ControllerRevisionList
    items apps.v1.ControllerRevision
  apps.v1.DaemonSet: apps/v1 DaemonSet
    metadata meta.v1.ObjectMeta
    spec apps.v1.DaemonSetSpec
    status apps.v1.DaemonSetStatus
  apps.v1.DaemonSetList: apps/v1 DaemonSetList
    items apps.v1.DaemonSet
  apps.v1.DaemonSetSpec
    template core.v1.PodTemplateSpec
  apps.v1.DaemonSetStatus
    conditions[type]
  apps.v1.Deployment: apps/v1 Deployment
    metadata meta.v1.ObjectMeta
    spec apps.v1.DeploymentSpec
    status apps.v1.DeploymentStatus
  apps.v1.DeploymentList: apps/v1 DeploymentList
    items apps.v1.Deployment
  apps.v1.DeploymentSpec
    template core.v1.PodTemplateSpec
  apps.v1.DeploymentStatus
    conditions[type]
  apps.v1.GeneratorArgs: kustomize.config.k8s.io/v1beta1 GeneratorArgs
    KvPairSources apps.v1.KvPairSources
  apps.v1.Kustomization: kustomize.config.k8s.io/v1beta1 Kustomization
    configMapGenerator[name] apps.v1.ConfigMapArgs
    secretGenerator[name] apps.v1.SecretArgs
  apps.v1.KvPairSources: kustomize.config.k8s.io/v1beta1 KvPairSources
  apps.v1.ReplicaSet: apps/v1 ReplicaSet
    metadata meta.v1.ObjectMeta
    spec apps.v1.ReplicaSetSpec
    status apps.v1.ReplicaSetStatus
  apps.v1.ReplicaSetList: apps/v1 ReplicaSetList
    items apps.v1.ReplicaSet
  apps.v1.ReplicaSetSpec
    template core.v1.PodTemplateSpec
  apps.v1.ReplicaSetStatus
    conditions[type]
  apps.v1.SecretArgs: kustomize.config.k8s.io/v1beta1 SecretArgs
    GeneratorArgs apps.v1.GeneratorArgs
  apps.v1.StatefulSet: apps/v1 StatefulSet
    metadata meta.v1.ObjectMeta
    spec apps.v1.StatefulSetSpec
    status apps.v1.StatefulSetStatus
  apps.v1.StatefulSetList: apps/v1 StatefulSetList
    items apps.v1.StatefulSet
  apps.v1.StatefulSetSpec
    template core.v1.PodTemplateSpec
    volumeClaimTemplates core.v1.PersistentVolumeClaim
  apps.v1.StatefulSetStatus
    conditions[type]
  authentication.v1.BoundObjectReference
  authentication.v1.TokenRequest: authentication.k8s.io/v1 TokenRequest
    metadata meta.v1.ObjectMeta
    spec authentication.v1.TokenRequestSpec
  authentication.v1.TokenRequestSpec
    boundObjectRef authentication.v1.BoundObjectReference
  authentication.v1.TokenReview: authentication.k8s.io/v1 TokenReview
    metadata meta.v1.ObjectMeta
  authentication.v1beta1.TokenReview: authentication.k8s.io/v1beta1 TokenReview
    metadata meta.v1.ObjectMeta
  authorization.v1.LocalSubjectAccessReview: authorization.k8s.io/v1 LocalSubjectAccessReview
    metadata meta.v1.ObjectMeta
  authorization.v1.SelfSubjectAccessReview: authorization.k8s.io/v1 SelfSubjectAccessReview
    metadata meta.v1.ObjectMeta
  authorization.v1.SelfSubjectRulesReview: authorization.k8s.io/v1 SelfSubjectRulesReview
    metadata meta.v1.ObjectMeta
  authorization.v1.SubjectAccessReview: authorization.k8s.io/v1 SubjectAccessReview
    metadata meta.v1.ObjectMeta
  authorization.v1beta1.LocalSubjectAccessReview: authorization.k8s.io/v1beta1 LocalSubjectAccessReview
    metadata meta.v1.ObjectMeta
  authorization.v1beta1.SelfSubjectAccessReview: authorization.k8s.io/v1beta1 SelfSubjectAccessReview
    metadata meta.v1.ObjectMeta
  authorization.v1beta1.SelfSubjectRulesReview: authorization.k8s.io/v1beta1 SelfSubjectRulesReview
    metadata meta.v1.ObjectMeta
  authorization.v1beta1.SubjectAccessReview: authorization.k8s.io/v1beta1 SubjectAccessReview
    metadata meta.v1.ObjectMeta
  autoscaling.v1.CrossVersionObjectReference
  autoscaling.v1.HorizontalPodAutoscaler: autoscaling/v1 HorizontalPodAutoscaler
    metadata meta.v1.ObjectMeta
    spec autoscaling.v1.HorizontalPodAutoscalerSpec
  autoscaling.v1.HorizontalPodAutoscalerList: autoscaling/v1 HorizontalPodAutoscalerList
    items autoscaling.v1.HorizontalPodAutoscaler
  autoscaling.v1.HorizontalPodAutoscalerSpec
    scaleTargetRef autoscaling.v1.CrossVersionObjectReference
  autoscaling.v1.Scale: autoscaling/v1 Scale
    metadata meta.v1.ObjectMeta
  autoscaling.v2beta1.CrossVersionObjectReference
  autoscaling.v2beta1.HorizontalPodAutoscaler: autoscaling/v2beta1 HorizontalPodAutoscaler
    metadata meta.v1.ObjectMeta
    spec autoscaling.v2beta1.HorizontalPodAutoscalerSpec
    status autoscaling.v2beta1.HorizontalPodAutoscalerStatus
  autoscaling.v2beta1.HorizontalPodAutoscalerList: autoscaling/v2beta1 HorizontalPodAutoscalerList
    items autoscaling.v2beta1.HorizontalPodAutoscaler
  autoscaling.v2beta1.HorizontalPodAutoscalerSpec
    metrics autoscaling.v2beta1.MetricSpec
    scaleTargetRef autoscaling.v2beta1.CrossVersionObjectReference
  autoscaling.v2beta1.HorizontalPodAutoscalerStatus
    currentMetrics autoscaling.v2beta1.MetricStatus
  autoscaling.v2beta1.MetricSpec
    object autoscaling.v2beta1.ObjectMetricSource
  autoscaling.v2beta1.MetricStatus
    object autoscaling.v2beta1.ObjectMetricStatus
  autoscaling.v2beta1.ObjectMetricSource
    target autoscaling.v2beta1.CrossVersionObjectReference
  autoscaling.v2beta1.ObjectMetricStatus
    target autoscaling.v2beta1.CrossVersionObjectReference
  autoscaling.v2beta2.CrossVersionObjectReference
  autoscaling.v2beta2.HorizontalPodAutoscaler: autoscaling/v2beta2 HorizontalPodAutoscaler
    metadata meta.v1.ObjectMeta
    spec autoscaling.v2beta2.HorizontalPodAutoscalerSpec
    status autoscaling.v2beta2.HorizontalPodAutoscalerStatus
  autoscaling.v2beta2.HorizontalPodAutoscalerList: autoscaling/v2beta2 HorizontalPodAutoscalerList
    items autoscaling.v2beta2.HorizontalPodAutoscaler
  autoscaling.v2beta2.HorizontalPodAutoscalerSpec
    metrics autoscaling.v2beta2.MetricSpec
    scaleTargetRef autoscaling.v2beta2.CrossVersionObjectReference
  autoscaling.v2beta2.HorizontalPodAutoscalerStatus
    currentMetrics autoscaling.v2beta2.MetricStatus
  autoscaling.v2beta2.MetricSpec
    object autoscaling.v2beta2.ObjectMetricSource
  autoscaling.v2beta2.MetricStatus
    object autoscaling.v2beta2.ObjectMetricStatus
  autoscaling.v2beta2.ObjectMetricSource
    describedObject autoscaling.v2beta2.CrossVersionObjectReference
  autoscaling.v2beta2.ObjectMetricStatus
    describedObject autoscaling.v2beta2.CrossVersionObjectReference
  batch.v1.CronJob: batch/v1 CronJob
    metadata meta.v1.ObjectMeta
    spec batch.v1.CronJobSpec
    status batch.v1.CronJobStatus
  batch.v1.CronJobList: batch/v1 CronJobList
    items batch.v1.CronJob
  batch.v1.CronJobSpec
    jobTemplate batch.v1.JobTemplateSpec
  batch.v1.CronJobStatus
    active core.v1.ObjectReference
  batch.v1.Job: batch/v1 Job
    metadata meta.v1.ObjectMeta
    spec batch.v1.JobSpec
    status batch.v1.JobStatus
  batch.v1.JobList: batch/v1 JobList
    items batch.v1.Job
  batch.v1.JobSpec
    template core.v1.PodTemplateSpec
  batch.v1.JobStatus
    conditions[type]
  batch.v1.JobTemplateSpec
    metadata meta.v1.ObjectMeta
    spec batch.v1.JobSpec
  batch.v1beta1.CronJob: batch/v1beta1 CronJob
    metadata meta.v1.ObjectMeta
    spec batch.v1beta1.CronJobSpec
    status batch.v1beta1.CronJobStatus
  batch.v1beta1.CronJobList: batch/v1beta1 CronJobList
    items batch.v1beta1.CronJob
  batch.v1beta1.CronJobSpec
    jobTemplate batch.v1beta1.JobTemplateSpec
  batch.v1beta1.CronJobStatus
    active core.v1.ObjectReference
  batch.v1beta1.JobTemplateSpec
    metadata meta.v1.ObjectMeta
    spec batch.v1.JobSpec
  certificates.v1.CertificateSigningRequest: certificates.k8s.io/v1 CertificateSigningRequest
    metadata meta.v1.ObjectMeta
  certificates.v1.CertificateSigningRequestList: certificates.k8s.io/v1 CertificateSigningRequestList
    items certificates.v1.CertificateSigningRequest
  certificates.v1beta1.CertificateSigningRequest: certificates.k8s.io/v1beta1 CertificateSigningRequest
    metadata meta.v1.ObjectMeta
  certificates.v1beta1.CertificateSigningRequestList: certificates.k8s.io/v1beta1 CertificateSigningRequestList
    items certificates.v1beta1.CertificateSigningRequest
  coordination.v1.Lease: coordination.k8s.io/v1 Lease
    metadata meta.v1.ObjectMeta
  coordination.v1.LeaseList: coordination.k8s.io/v1 LeaseList
    items coordination.v1.Lease
  coordination.v1beta1.Lease: coordination.k8s.io/v1beta1 Lease
    metadata meta.v1.ObjectMeta
  coordination.v1beta1.LeaseList: coordination.k8s.io/v1beta1 LeaseList
    items coordination.v1beta1.Lease
  core.v1.Binding: v1 Binding
    metadata meta.v1.ObjectMeta
    target core.v1.ObjectReference
  core.v1.ComponentStatus: v1 ComponentStatus
    conditions[type]
    metadata meta.v1.ObjectMeta
  core.v1.ComponentStatusList: v1 ComponentStatusList
    items core.v1.ComponentStatus
  core.v1.ConfigMap: v1 ConfigMap
    metadata meta.v1.ObjectMeta
  core.v1.ConfigMapList: v1 ConfigMapList
    items core.v1.ConfigMap
  core.v1.Container
    env[name]
    ports[containerPort protocol]
    volumeDevices[devicePath]
    volumeMounts[mountPath]
  core.v1.EndpointAddress
    targetRef core.v1.ObjectReference
  core.v1.EndpointSubset
    addresses core.v1.EndpointAddress
    notReadyAddresses core.v1.EndpointAddress
  core.v1.Endpoints: v1 Endpoints
    metadata meta.v1.ObjectMeta
    subsets core.v1.EndpointSubset
  core.v1.EndpointsList: v1 EndpointsList
    items core.v1.Endpoints
  core.v1.EphemeralContainer
    env[name]
    volumeDevices[devicePath]
    volumeMounts[mountPath]
  core.v1.EphemeralVolumeSource
    volumeClaimTemplate core.v1.PersistentVolumeClaimTemplate
  core.v1.Event: v1 Event
    involvedObject core.v1.ObjectReference
    metadata meta.v1.ObjectMeta
    related core.v1.ObjectReference
  core.v1.EventList: v1 EventList
    items core.v1.Event
  core.v1.LimitRange: v1 LimitRange
    metadata meta.v1.ObjectMeta
  core.v1.LimitRangeList: v1 LimitRangeList
    items core.v1.LimitRange
  core.v1.Namespace: v1 Namespace
    metadata meta.v1.ObjectMeta
    status core.v1.NamespaceStatus
  core.v1.NamespaceList: v1 NamespaceList
    items core.v1.Namespace
  core.v1.NamespaceStatus
    conditions[type]
  core.v1.Node: v1 Node
    metadata meta.v1.ObjectMeta
    spec core.v1.NodeSpec
    status core.v1.NodeStatus
  core.v1.NodeList: v1 NodeList
    items core.v1.Node
  core.v1.NodeSpec
    podCIDRs[]
  core.v1.NodeStatus
    addresses[type]
    conditions[type]
  core.v1.ObjectReference
  core.v1.PersistentVolume: v1 PersistentVolume
    metadata meta.v1.ObjectMeta
    spec core.v1.PersistentVolumeSpec
  core.v1.PersistentVolumeClaim: v1 PersistentVolumeClaim
    metadata meta.v1.ObjectMeta
    status core.v1.PersistentVolumeClaimStatus
  core.v1.PersistentVolumeClaimList: v1 PersistentVolumeClaimList
    items core.v1.PersistentVolumeClaim
  core.v1.PersistentVolumeClaimStatus
    conditions[type]
  core.v1.PersistentVolumeClaimTemplate
    metadata meta.v1.ObjectMeta
  core.v1.PersistentVolumeList: v1 PersistentVolumeList
    items core.v1.PersistentVolume
  core.v1.PersistentVolumeSpec
    claimRef core.v1.ObjectReference
    storageos core.v1.StorageOSPersistentVolumeSource
  core.v1.Pod: v1 Pod
    metadata meta.v1.ObjectMeta
    spec core.v1.PodSpec
    status core.v1.PodStatus
  core.v1.PodList: v1 PodList
    items core.v1.Pod
  core.v1.PodSpec
    containers[name] core.v1.Container
    ephemeralContainers[name] core.v1.EphemeralContainer
    hostAliases[ip]
    imagePullSecrets[name]
    initContainers[name] core.v1.Container
    topologySpreadConstraints[topologyKey whenUnsatisfiable]
    volumes[name] core.v1.Volume
  core.v1.PodStatus
    conditions[type]
    podIPs[ip]
  core.v1.PodTemplate: v1 PodTemplate
    metadata meta.v1.ObjectMeta
    template core.v1.PodTemplateSpec
  core.v1.PodTemplateList: v1 PodTemplateList
    items core.v1.PodTemplate
  core.v1.PodTemplateSpec
    metadata meta.v1.ObjectMeta
    spec core.v1.PodSpec
  core.v1.ReplicationController: v1 ReplicationController
    metadata meta.v1.ObjectMeta
    spec core.v1.ReplicationControllerSpec
    status core.v1.ReplicationControllerStatus
  core.v1.ReplicationControllerList: v1 ReplicationControllerList
    items core.v1.ReplicationController
  core.v1.ReplicationControllerSpec
    template core.v1.PodTemplateSpec
  core.v1.ReplicationControllerStatus
    conditions[type]
  core.v1.ResourceQuota: v1 ResourceQuota
    metadata meta.v1.ObjectMeta
  core.v1.ResourceQuotaList: v1 ResourceQuotaList
    items core.v1.ResourceQuota
  core.v1.Secret: v1 Secret
    metadata meta.v1.ObjectMeta
  core.v1.SecretList: v1 SecretList
    items core.v1.Secret
  core.v1.Service: v1 Service
    metadata meta.v1.ObjectMeta
    spec core.v1.ServiceSpec
    status core.v1.ServiceStatus
  core.v1.ServiceAccount: v1 ServiceAccount
    metadata meta.v1.ObjectMeta
    secrets[name] core.v1.ObjectReference
  core.v1.ServiceAccountList: v1 ServiceAccountList
    items core.v1.ServiceAccount
  core.v1.ServiceList: v1 ServiceList
    items core.v1.Service
  core.v1.ServiceSpec
    ports[port protocol]
  core.v1.ServiceStatus
    conditions[type]
  core.v1.StorageOSPersistentVolumeSource
    secretRef core.v1.ObjectReference
  core.v1.Volume
    ephemeral core.v1.EphemeralVolumeSource
  discovery.v1.Endpoint
    targetRef core.v1.ObjectReference
  discovery.v1.EndpointSlice: discovery.k8s.io/v1 EndpointSlice
    endpoints discovery.v1.Endpoint
    metadata meta.v1.ObjectMeta
  discovery.v1.EndpointSliceList: discovery.k8s.io/v1 EndpointSliceList
    items discovery.v1.EndpointSlice
  discovery.v1beta1.Endpoint
    targetRef core.v1.ObjectReference
  discovery.v1beta1.EndpointSlice: discovery.k8s.io/v1beta1 EndpointSlice
    endpoints discovery.v1beta1.Endpoint
    metadata meta.v1.ObjectMeta
  discovery.v1beta1.EndpointSliceList: discovery.k8s.io/v1beta1 EndpointSliceList
    items discovery.v1beta1.EndpointSlice
  events.v1.Event: events.k8s.io/v1 Event
    metadata meta.v1.ObjectMeta
    regarding core.v1.ObjectReference
    related core.v1.ObjectReference
  events.v1.EventList: events.k8s.io/v1 EventList
    items events.v1.Event
  events.v1beta1.Event: events.k8s.io/v1beta1 Event
    metadata meta.v1.ObjectMeta
    regarding core.v1.ObjectReference
    related core.v1.ObjectReference
  events.v1beta1.EventList: events.k8s.io/v1beta1 EventList
    items events.v1beta1.Event
  extensions.v1beta1.Ingress: extensions/v1beta1 Ingress
    metadata meta.v1.ObjectMeta
  extensions.v1beta1.IngressList: extensions/v1beta1 IngressList
    items extensions.v1beta1.Ingress
  flowcontrol.v1beta1.FlowSchema: flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema
    metadata meta.v1.ObjectMeta
  flowcontrol.v1beta1.FlowSchemaList: flowcontrol.apiserver.k8s.io/v1beta1 FlowSchemaList
    items flowcontrol.v1beta1.FlowSchema
  flowcontrol.v1beta1.PriorityLevelConfiguration: flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration
    metadata meta.v1.ObjectMeta
  flowcontrol.v1beta1.PriorityLevelConfigurationList: flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfigurationList
    items flowcontrol.v1beta1.PriorityLevelConfiguration
  meta.v1.APIGroup: v1 APIGroup
  meta.v1.APIGroupList: v1 APIGroupList
    groups meta.v1.APIGroup
  meta.v1.APIResourceList: v1 APIResourceList
  meta.v1.APIVersions: v1 APIVersions
  meta.v1.DeleteOptions: admission.k8s.io/v1 DeleteOptions, admission.k8s.io/v1beta1 DeleteOptions, admissionregistration.k8s.io/v1 DeleteOptions, admissionregistration.k8s.io/v1beta1 DeleteOptions, apiextensions.k8s.io/v1 DeleteOptions, apiextensions.k8s.io/v1beta1 DeleteOptions, apiregistration.k8s.io/v1 DeleteOptions, apiregistration.k8s.io/v1beta1 DeleteOptions, apps/v1 DeleteOptions, apps/v1beta1 DeleteOptions, apps/v1beta2 DeleteOptions, authentication.k8s.io/v1 DeleteOptions, authentication.k8s.io/v1beta1 DeleteOptions, authorization.k8s.io/v1 DeleteOptions, authorization.k8s.io/v1beta1 DeleteOptions, autoscaling/v1 DeleteOptions, autoscaling/v2beta1 DeleteOptions, autoscaling/v2beta2 DeleteOptions, batch/v1 DeleteOptions, batch/v1beta1 DeleteOptions, certificates.k8s.io/v1 DeleteOptions, certificates.k8s.io/v1beta1 DeleteOptions, coordination.k8s.io/v1 DeleteOptions, coordination.k8s.io/v1beta1 DeleteOptions, discovery.k8s.io/v1 DeleteOptions, discovery.k8s.io/v1beta1 DeleteOptions, events.k8s.io/v1 DeleteOptions, events.k8s.io/v1beta1 DeleteOptions, extensions/v1beta1 DeleteOptions, flowcontrol.apiserver.k8s.io/v1alpha1 DeleteOptions, flowcontrol.apiserver.k8s.io/v1beta1 DeleteOptions, imagepolicy.k8s.io/v1alpha1 DeleteOptions, internal.apiserver.k8s.io/v1alpha1 DeleteOptions, networking.k8s.io/v1 DeleteOptions, networking.k8s.io/v1beta1 DeleteOptions, node.k8s.io/v1 DeleteOptions, node.k8s.io/v1alpha1 DeleteOptions, node.k8s.io/v1beta1 DeleteOptions, policy/v1 DeleteOptions, policy/v1beta1 DeleteOptions, rbac.authorization.k8s.io/v1 DeleteOptions, rbac.authorization.k8s.io/v1alpha1 DeleteOptions, rbac.authorization.k8s.io/v1beta1 DeleteOptions, scheduling.k8s.io/v1 DeleteOptions, scheduling.k8s.io/v1alpha1 DeleteOptions, scheduling.k8s.io/v1beta1 DeleteOptions, storage.k8s.io/v1 DeleteOptions, storage.k8s.io/v1alpha1 DeleteOptions, storage.k8s.io/v1beta1 DeleteOptions, v1 DeleteOptions
  meta.v1.FieldsV1
  meta.v1.ManagedFieldsEntry
    fieldsV1 meta.v1.FieldsV1
  meta.v1.ObjectMeta
    finalizers[]
    managedFields meta.v1.ManagedFieldsEntry
    ownerReferences[uid] meta.v1.OwnerReference
  meta.v1.OwnerReference
  meta.v1.Patch
  meta.v1.Status: v1 Status
  meta.v1.WatchEvent: admission.k8s.io/v1 WatchEvent, admission.k8s.io/v1beta1 WatchEvent, admissionregistration.k8s.io/v1 WatchEvent, admissionregistration.k8s.io/v1beta1 WatchEvent, apiextensions.k8s.io/v1 WatchEvent, apiextensions.k8s.io/v1beta1 WatchEvent, apiregistration.k8s.io/v1 WatchEvent, apiregistration.k8s.io/v1beta1 WatchEvent, apps/v1 WatchEvent, apps/v1beta1 WatchEvent, apps/v1beta2 WatchEvent, authentication.k8s.io/v1 WatchEvent, authentication.k8s.io/v1beta1 WatchEvent, authorization.k8s.io/v1 WatchEvent, authorization.k8s.io/v1beta1 WatchEvent, autoscaling/v1 WatchEvent, autoscaling/v2beta1 WatchEvent, autoscaling/v2beta2 WatchEvent, batch/v1 WatchEvent, batch/v1beta1 WatchEvent, certificates.k8s.io/v1 WatchEvent, certificates.k8s.io/v1beta1 WatchEvent, coordination.k8s.io/v1 WatchEvent, coordination.k8s.io/v1beta1 WatchEvent, discovery.k8s.io/v1 WatchEvent, discovery.k8s.io/v1beta1 WatchEvent, events.k8s.io/v1 WatchEvent, events.k8s.io/v1beta1 WatchEvent, extensions/v1beta1 WatchEvent, flowcontrol.apiserver.k8s.io/v1alpha1 WatchEvent, flowcontrol.apiserver.k8s.io/v1beta1 WatchEvent, imagepolicy.k8s.io/v1alpha1 WatchEvent, internal.apiserver.k8s.io/v1alpha1 WatchEvent, networking.k8s.io/v1 WatchEvent, networking.k8s.io/v1beta1 WatchEvent, node.k8s.io/v1 WatchEvent, node.k8s.io/v1alpha1 WatchEvent, node.k8s.io/v1beta1 WatchEvent, policy/v1 WatchEvent, policy/v1beta1 WatchEvent, rbac.authorization.k8s.io/v1 WatchEvent, rbac.authorization.k8s.io/v1alpha1 WatchEvent, rbac.authorization.k8s.io/v1beta1 WatchEvent, scheduling.k8s.io/v1 WatchEvent, scheduling.k8s.io/v1alpha1 WatchEvent, scheduling.k8s.io/v1beta1 WatchEvent, storage.k8s.io/v1 WatchEvent, storage.k8s.io/v1alpha1 WatchEvent, storage.k8s.io/v1beta1 WatchEvent, v1 WatchEvent
    object runtime.RawExtension
  networking.v1.Ingress: networking.k8s.io/v1 Ingress
    metadata meta.v1.ObjectMeta
  networking.v1.IngressClass: networking.k8s.io/v1 IngressClass
    metadata meta.v1.ObjectMeta
  networking.v1.IngressClassList: networking.k8s.io/v1 IngressClassList
    items networking.v1.IngressClass
  networking.v1.IngressList: networking.k8s.io/v1 IngressList
    items networking.v1.Ingress
  networking.v1.NetworkPolicy: networking.k8s.io/v1 NetworkPolicy
    metadata meta.v1.ObjectMeta
  networking.v1.NetworkPolicyList: networking.k8s.io/v1 NetworkPolicyList
    items networking.v1.NetworkPolicy
  networking.v1beta1.Ingress: networking.k8s.io/v1beta1 Ingress
    metadata meta.v1.ObjectMeta
  networking.v1beta1.IngressClass: networking.k8s.io/v1beta1 IngressClass
    metadata meta.v1.ObjectMeta
  networking.v1beta1.IngressClassList: networking.k8s.io/v1beta1 IngressClassList
    items networking.v1beta1.IngressClass
  networking.v1beta1.IngressList: networking.k8s.io/v1beta1 IngressList
    items networking.v1beta1.Ingress
  node.v1.RuntimeClass: node.k8s.io/v1 RuntimeClass
    metadata meta.v1.ObjectMeta
  node.v1.RuntimeClassList: node.k8s.io/v1 RuntimeClassList
    items node.v1.RuntimeClass
  node.v1beta1.RuntimeClass: node.k8s.io/v1beta1 RuntimeClass
    metadata meta.v1.ObjectMeta
  node.v1beta1.RuntimeClassList: node.k8s.io/v1beta1 RuntimeClassList
    items node.v1beta1.RuntimeClass
  policy.v1.PodDisruptionBudget: policy/v1 PodDisruptionBudget
    metadata meta.v1.ObjectMeta
    status policy.v1.PodDisruptionBudgetStatus
  policy.v1.PodDisruptionBudgetList: policy/v1 PodDisruptionBudgetList
    items policy.v1.PodDisruptionBudget
  policy.v1.PodDisruptionBudgetStatus
    conditions[type]
  policy.v1beta1.Eviction: policy/v1beta1 Eviction
    deleteOptions meta.v1.DeleteOptions
    metadata meta.v1.ObjectMeta
  policy.v1beta1.PodDisruptionBudget: policy/v1beta1 PodDisruptionBudget
    metadata meta.v1.ObjectMeta
    status policy.v1beta1.PodDisruptionBudgetStatus
  policy.v1beta1.PodDisruptionBudgetList: policy/v1beta1 PodDisruptionBudgetList
    items policy.v1beta1.PodDisruptionBudget
  policy.v1beta1.PodDisruptionBudgetStatus
    conditions[type]
  policy.v1beta1.PodSecurityPolicy: policy/v1beta1 PodSecurityPolicy
    metadata meta.v1.ObjectMeta
  policy.v1beta1.PodSecurityPolicyList: policy/v1beta1 PodSecurityPolicyList
    items policy.v1beta1.PodSecurityPolicy
  rbac.v1.ClusterRole: rbac.authorization.k8s.io/v1 ClusterRole
    metadata meta.v1.ObjectMeta
  rbac.v1.ClusterRoleBinding: rbac.authorization.k8s.io/v1 ClusterRoleBinding
    metadata meta.v1.ObjectMeta
  rbac.v1.ClusterRoleBindingList: rbac.authorization.k8s.io/v1 ClusterRoleBindingList
    items rbac.v1.ClusterRoleBinding
  rbac.v1.ClusterRoleList: rbac.authorization.k8s.io/v1 ClusterRoleList
    items rbac.v1.ClusterRole
  rbac.v1.Role: rbac.authorization.k8s.io/v1 Role
    metadata meta.v1.ObjectMeta
  rbac.v1.RoleBinding: rbac.authorization.k8s.io/v1 RoleBinding
    metadata meta.v1.ObjectMeta
  rbac.v1.RoleBindingList: rbac.authorization.k8s.io/v1 RoleBindingList
    items rbac.v1.RoleBinding
  rbac.v1.RoleList: rbac.authorization.k8s.io/v1 RoleList
    items rbac.v1.Role
  rbac.v1beta1.ClusterRole: rbac.authorization.k8s.io/v1beta1 ClusterRole
    metadata meta.v1.ObjectMeta
  rbac.v1beta1.ClusterRoleBinding: rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding
    metadata meta.v1.ObjectMeta
  rbac.v1beta1.ClusterRoleBindingList: rbac.authorization.k8s.io/v1beta1 ClusterRoleBindingList
    items rbac.v1beta1.ClusterRoleBinding
  rbac.v1beta1.ClusterRoleList: rbac.authorization.k8s.io/v1beta1 ClusterRoleList
    items rbac.v1beta1.ClusterRole
  rbac.v1beta1.Role: rbac.authorization.k8s.io/v1beta1 Role
    metadata meta.v1.ObjectMeta
  rbac.v1beta1.RoleBinding: rbac.authorization.k8s.io/v1beta1 RoleBinding
    metadata meta.v1.ObjectMeta
  rbac.v1beta1.RoleBindingList: rbac.authorization.k8s.io/v1beta1 RoleBindingList
    items rbac.v1beta1.RoleBinding
  rbac.v1beta1.RoleList: rbac.authorization.k8s.io/v1beta1 RoleList
    items rbac.v1beta1.Role
  runtime.RawExtension
  scheduling.v1.PriorityClass: scheduling.k8s.io/v1 PriorityClass
    metadata meta.v1.ObjectMeta
  scheduling.v1.PriorityClassList: scheduling.k8s.io/v1 PriorityClassList
    items scheduling.v1.PriorityClass
  scheduling.v1beta1.PriorityClass: scheduling.k8s.io/v1beta1 PriorityClass
    metadata meta.v1.ObjectMeta
  scheduling.v1beta1.PriorityClassList: scheduling.k8s.io/v1beta1 PriorityClassList
    items scheduling.v1beta1.PriorityClass
  storage.v1.CSIDriver: storage.k8s.io/v1 CSIDriver
    metadata meta.v1.ObjectMeta
  storage.v1.CSIDriverList: storage.k8s.io/v1 CSIDriverList
    items storage.v1.CSIDriver
  storage.v1.CSINode: storage.k8s.io/v1 CSINode
    metadata meta.v1.ObjectMeta
    spec storage.v1.CSINodeSpec
  storage.v1.CSINodeList: storage.k8s.io/v1 CSINodeList
    items storage.v1.CSINode
  storage.v1.CSINodeSpec
    drivers[name]
  storage.v1.StorageClass: storage.k8s.io/v1 StorageClass
    metadata meta.v1.ObjectMeta
  storage.v1.StorageClassList: storage.k8s.io/v1 StorageClassList
    items storage.v1.StorageClass
  storage.v1.VolumeAttachment: storage.k8s.io/v1 VolumeAttachment
    metadata meta.v1.ObjectMeta
    spec storage.v1.VolumeAttachmentSpec
  storage.v1.VolumeAttachmentList: storage.k8s.io/v1 VolumeAttachmentList
    items storage.v1.VolumeAttachment
  storage.v1.VolumeAttachmentSource
    inlineVolumeSpec core.v1.PersistentVolumeSpec
  storage.v1.VolumeAttachmentSpec
    source storage.v1.VolumeAttachmentSource
  storage.v1beta1.CSIDriver: storage.k8s.io/v1beta1 CSIDriver
    metadata meta.v1.ObjectMeta
  storage.v1beta1.CSIDriverList: storage.k8s.io/v1beta1 CSIDriverList
    items storage.v1beta1.CSIDriver
  storage.v1beta1.CSINode: storage.k8s.io/v1beta1 CSINode
    metadata meta.v1.ObjectMeta
    spec storage.v1beta1.CSINodeSpec
  storage.v1beta1.CSINodeList: storage.k8s.io/v1beta1 CSINodeList
    items storage.v1beta1.CSINode
  storage.v1beta1.CSINodeSpec
    drivers[name]
  storage.v1beta1.CSIStorageCapacity: storage.k8s.io/v1beta1 CSIStorageCapacity
    metadata meta.v1.ObjectMeta
  storage.v1beta1.CSIStorageCapacityList: storage.k8s.io/v1beta1 CSIStorageCapacityList
    items storage.v1beta1.CSIStorageCapacity
  storage.v1beta1.StorageClass: storage.k8s.io/v1beta1 StorageClass
    metadata meta.v1.ObjectMeta
  storage.v1beta1.StorageClassList: storage.k8s.io/v1beta1 StorageClassList
    items storage.v1beta1.StorageClass
  storage.v1beta1.VolumeAttachment: storage.k8s.io/v1beta1 VolumeAttachment
    metadata meta.v1.ObjectMeta
    spec storage.v1beta1.VolumeAttachmentSpec
  storage.v1beta1.VolumeAttachmentList: storage.k8s.io/v1beta1 VolumeAttachmentList
    items storage.v1beta1.VolumeAttachment
  storage.v1beta1.VolumeAttachmentSource
    inlineVolumeSpec core.v1.PersistentVolumeSpec
  storage.v1beta1.VolumeAttachmentSpec
    source storage.v1beta1.VolumeAttachmentSource

places namePrefix
  * metadata/name

places nameSuffix
  * metadata/name

places namespace
  //Namespace metadata/name!
  apiregistration.k8s.io//APIService spec/service/namespace!
  apiextensions.k8s.io//CustomResourceDefinition spec/conversion/webhook/clientConfig/service/namespace

places commonLabels
  /v1/Service spec/selector!
  /v1/ReplicationController spec/selector!
  //Deployment spec/selector/matchLabels!
  apps//Deployment spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels
  apps//Deployment spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels
  apps//Deployment spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels
  apps//Deployment spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels
  apps//Deployment spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels
  //ReplicaSet spec/selector/matchLabels!
  //DaemonSet spec/selector/matchLabels!
  apps//StatefulSet spec/selector/matchLabels!
  apps//StatefulSet spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels
  apps//StatefulSet spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels
  apps//StatefulSet spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels
  apps//StatefulSet spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels
  apps//StatefulSet spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels
  batch//Job spec/selector/matchLabels
  batch//CronJob spec/jobTemplate/spec/selector/matchLabels
  policy//PodDisruptionBudget spec/selector/matchLabels
  networking.k8s.io//NetworkPolicy spec/podSelector/matchLabels
  networking.k8s.io//NetworkPolicy spec/ingress/from/podSelector/matchLabels
  networking.k8s.io//NetworkPolicy spec/egress/to/podSelector/matchLabels
  * metadata/labels!
  /v1/ReplicationController spec/template/metadata/labels!
  //Deployment spec/template/metadata/labels!
  //ReplicaSet spec/template/metadata/labels!
  //DaemonSet spec/template/metadata/labels!
  apps//StatefulSet spec/template/metadata/labels!
  apps//StatefulSet spec/volumeClaimTemplates[]/metadata/labels!
  batch//Job spec/template/metadata/labels!
  batch//CronJob spec/jobTemplate/metadata/labels!
  batch//CronJob spec/jobTemplate/spec/template/metadata/labels!

places templateLabels
  * metadata/labels!
  /v1/ReplicationController spec/template/metadata/labels!
  //Deployment spec/template/metadata/labels!
  //ReplicaSet spec/template/metadata/labels!
  //DaemonSet spec/template/metadata/labels!
  apps//StatefulSet spec/template/metadata/labels!
  apps//StatefulSet spec/volumeClaimTemplates[]/metadata/labels!
  batch//Job spec/template/metadata/labels!
  batch//CronJob spec/jobTemplate/metadata/labels!
  batch//CronJob spec/jobTemplate/spec/template/metadata/labels!

places commonAnnotations
  * metadata/annotations!
  /v1/ReplicationController spec/template/metadata/annotations!
  //Deployment spec/template/metadata/annotations!
  //ReplicaSet spec/template/metadata/annotations!
  //DaemonSet spec/template/metadata/annotations!
  //StatefulSet spec/template/metadata/annotations!
  batch//Job spec/template/metadata/annotations!
  batch//CronJob spec/jobTemplate/metadata/annotations!
  batch//CronJob spec/jobTemplate/spec/template/metadata/annotations!

places varReference
  //CronJob spec/jobTemplate/spec/template/spec/containers/args
  //CronJob spec/jobTemplate/spec/template/spec/containers/command
  //CronJob spec/jobTemplate/spec/template/spec/containers/env/value
  //CronJob spec/jobTemplate/spec/template/spec/containers/volumeMounts/mountPath
  //CronJob spec/jobTemplate/spec/template/spec/initContainers/args
  //CronJob spec/jobTemplate/spec/template/spec/initContainers/command
  //CronJob spec/jobTemplate/spec/template/spec/initContainers/env/value
  //CronJob spec/jobTemplate/spec/template/spec/initContainers/volumeMounts/mountPath
  //CronJob spec/jobTemplate/spec/template/volumes/nfs/server
  //DaemonSet spec/template/spec/containers/args
  //DaemonSet spec/template/spec/containers/command
  //DaemonSet spec/template/spec/containers/env/value
  //DaemonSet spec/template/spec/containers/volumeMounts/mountPath
  //DaemonSet spec/template/spec/initContainers/args
  //DaemonSet spec/template/spec/initContainers/command
  //DaemonSet spec/template/spec/initContainers/env/value
  //DaemonSet spec/template/spec/initContainers/volumeMounts/mountPath
  //DaemonSet spec/template/spec/volumes/nfs/server
  //Deployment spec/template/spec/containers/args
  //Deployment spec/template/spec/containers/command
  //Deployment spec/template/spec/containers/env/value
  //Deployment spec/template/spec/containers/volumeMounts/mountPath
  //Deployment spec/template/spec/initContainers/args
  //Deployment spec/template/spec/initContainers/command
  //Deployment spec/template/spec/initContainers/env/value
  //Deployment spec/template/spec/initContainers/volumeMounts/mountPath
  //Deployment spec/template/spec/volumes/nfs/server
  //Deployment spec/template/metadata/annotations
  //Ingress spec/rules/host
  //Ingress spec/tls/hosts
  //Ingress spec/tls/secretName
  //Job spec/template/spec/containers/args
  //Job spec/template/spec/containers/command
  //Job spec/template/spec/containers/env/value
  //Job spec/template/spec/containers/volumeMounts/mountPath
  //Job spec/template/spec/initContainers/args
  //Job spec/template/spec/initContainers/command
  //Job spec/template/spec/initContainers/env/value
  //Job spec/template/spec/initContainers/volumeMounts/mountPath
  //Job spec/template/spec/volumes/nfs/server
  //Pod spec/containers/args
  //Pod spec/containers/command
  //Pod spec/containers/env/value
  //Pod spec/containers/volumeMounts/mountPath
  //Pod spec/initContainers/args
  //Pod spec/initContainers/command
  //Pod spec/initContainers/env/value
  //Pod spec/initContainers/volumeMounts/mountPath
  //Pod spec/volumes/nfs/server
  //ReplicaSet spec/template/spec/containers/args
  //ReplicaSet spec/template/spec/containers/command
  //ReplicaSet spec/template/spec/containers/env/value
  //ReplicaSet spec/template/spec/containers/volumeMounts/mountPath
  //ReplicaSet spec/template/spec/initContainers/args
  //ReplicaSet spec/template/spec/initContainers/command
  //ReplicaSet spec/template/spec/initContainers/env/value
  //ReplicaSet spec/template/spec/initContainers/volumeMounts/mountPath
  //ReplicaSet spec/template/spec/volumes/nfs/server
  //Service spec/ports/port
  //Service spec/ports/targetPort
  //StatefulSet spec/template/spec/containers/args
  //StatefulSet spec/template/spec/containers/command
  //StatefulSet spec/template/spec/containers/env/value
  //StatefulSet spec/template/spec/containers/volumeMounts/mountPath
  //StatefulSet spec/template/spec/initContainers/args
  //StatefulSet spec/template/spec/initContainers/command
  //StatefulSet spec/template/spec/initContainers/env/value
  //StatefulSet spec/template/spec/initContainers/volumeMounts/mountPath
  //StatefulSet spec/volumeClaimTemplates/spec/nfs/server
  //PersistentVolume spec/nfs/server
  * metadata/labels
  * metadata/annotations

places images
  * spec/containers[]/image!
  * spec/initContainers[]/image!
  * spec/volumes[]/image/reference!
  * spec/template/spec/containers[]/image!
  * spec/template/spec/initContainers[]/image!
  * spec/template/spec/volumes[]/image/reference!

places replicas
  //Deployment spec/replicas!
  //ReplicationController spec/replicas!
  //ReplicaSet spec/replicas!
  //StatefulSet spec/replicas!

name references
  //Deployment
    //HorizontalPodAutoscaler spec/scaleTargetRef/name
  //ReplicationController
    //HorizontalPodAutoscaler spec/scaleTargetRef/name
  //ReplicaSet
    //HorizontalPodAutoscaler spec/scaleTargetRef/name
  //StatefulSet
    //HorizontalPodAutoscaler spec/scaleTargetRef/name
  /v1/ConfigMap
    /v1/Pod spec/volumes/configMap/name
    /v1/Pod spec/containers/env/valueFrom/configMapKeyRef/name
    /v1/Pod spec/initContainers/env/valueFrom/configMapKeyRef/name
    /v1/Pod spec/containers/envFrom/configMapRef/name
    /v1/Pod spec/initContainers/envFrom/configMapRef/name
    /v1/Pod spec/volumes/projected/sources/configMap/name
    //PodTemplate template/spec/volumes/configMap/name
    //PodTemplate template/spec/containers/env/valueFrom/configMapKeyRef/name
    //PodTemplate template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //PodTemplate template/spec/containers/envFrom/configMapRef/name
    //PodTemplate template/spec/initContainers/envFrom/configMapRef/name
    //PodTemplate template/spec/volumes/projected/sources/configMap/name
    //Deployment spec/template/spec/volumes/configMap/name
    //Deployment spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //Deployment spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //Deployment spec/template/spec/containers/envFrom/configMapRef/name
    //Deployment spec/template/spec/initContainers/envFrom/configMapRef/name
    //Deployment spec/template/spec/volumes/projected/sources/configMap/name
    //ReplicaSet spec/template/spec/volumes/configMap/name
    //ReplicaSet spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //ReplicaSet spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //ReplicaSet spec/template/spec/containers/envFrom/configMapRef/name
    //ReplicaSet spec/template/spec/initContainers/envFrom/configMapRef/name
    //ReplicaSet spec/template/spec/volumes/projected/sources/configMap/name
    //DaemonSet spec/template/spec/volumes/configMap/name
    //DaemonSet spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //DaemonSet spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //DaemonSet spec/template/spec/containers/envFrom/configMapRef/name
    //DaemonSet spec/template/spec/initContainers/envFrom/configMapRef/name
    //DaemonSet spec/template/spec/volumes/projected/sources/configMap/name
    //StatefulSet spec/template/spec/volumes/configMap/name
    //StatefulSet spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //StatefulSet spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //StatefulSet spec/template/spec/containers/envFrom/configMapRef/name
    //StatefulSet spec/template/spec/initContainers/envFrom/configMapRef/name
    //StatefulSet spec/template/spec/volumes/projected/sources/configMap/name
    //Job spec/template/spec/volumes/configMap/name
    //Job spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //Job spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //Job spec/template/spec/containers/envFrom/configMapRef/name
    //Job spec/template/spec/initContainers/envFrom/configMapRef/name
    //Job spec/template/spec/volumes/projected/sources/configMap/name
    //CronJob spec/jobTemplate/spec/template/spec/volumes/configMap/name
    //CronJob spec/jobTemplate/spec/template/spec/volumes/projected/sources/configMap/name
    //CronJob spec/jobTemplate/spec/template/spec/containers/env/valueFrom/configMapKeyRef/name
    //CronJob spec/jobTemplate/spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name
    //CronJob spec/jobTemplate/spec/template/spec/containers/envFrom/configMapRef/name
    //CronJob spec/jobTemplate/spec/template/spec/initContainers/envFrom/configMapRef/name
    //Node spec/configSource/configMap
    //Role rules/resourceNames
    //ClusterRole rules/resourceNames
    //Ingress metadata/annotations/nginx.ingress.kubernetes.io\/fastcgi-params-configmap
  /v1/Secret
    /v1/Pod spec/volumes/secret/secretName
    /v1/Pod spec/containers/env/valueFrom/secretKeyRef/name
    /v1/Pod spec/initContainers/env/valueFrom/secretKeyRef/name
    /v1/Pod spec/containers/envFrom/secretRef/name
    /v1/Pod spec/initContainers/envFrom/secretRef/name
    /v1/Pod spec/imagePullSecrets/name
    /v1/Pod spec/volumes/projected/sources/secret/name
    //PodTemplate template/spec/volumes/secret/secretName
    //PodTemplate template/spec/containers/env/valueFrom/secretKeyRef/name
    //PodTemplate template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //PodTemplate template/spec/containers/envFrom/secretRef/name
    //PodTemplate template/spec/initContainers/envFrom/secretRef/name
    //PodTemplate template/spec/imagePullSecrets/name
    //PodTemplate template/spec/volumes/projected/sources/secret/name
    //Deployment spec/template/spec/volumes/secret/secretName
    //Deployment spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //Deployment spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //Deployment spec/template/spec/containers/envFrom/secretRef/name
    //Deployment spec/template/spec/initContainers/envFrom/secretRef/name
    //Deployment spec/template/spec/imagePullSecrets/name
    //Deployment spec/template/spec/volumes/projected/sources/secret/name
    //ReplicaSet spec/template/spec/volumes/secret/secretName
    //ReplicaSet spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //ReplicaSet spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //ReplicaSet spec/template/spec/containers/envFrom/secretRef/name
    //ReplicaSet spec/template/spec/initContainers/envFrom/secretRef/name
    //ReplicaSet spec/template/spec/imagePullSecrets/name
    //ReplicaSet spec/template/spec/volumes/projected/sources/secret/name
    //DaemonSet spec/template/spec/volumes/secret/secretName
    //DaemonSet spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //DaemonSet spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //DaemonSet spec/template/spec/containers/envFrom/secretRef/name
    //DaemonSet spec/template/spec/initContainers/envFrom/secretRef/name
    //DaemonSet spec/template/spec/imagePullSecrets/name
    //DaemonSet spec/template/spec/volumes/projected/sources/secret/name
    //StatefulSet spec/template/spec/volumes/secret/secretName
    //StatefulSet spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //StatefulSet spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //StatefulSet spec/template/spec/containers/envFrom/secretRef/name
    //StatefulSet spec/template/spec/initContainers/envFrom/secretRef/name
    //StatefulSet spec/template/spec/imagePullSecrets/name
    //StatefulSet spec/template/spec/volumes/projected/sources/secret/name
    //Job spec/template/spec/volumes/secret/secretName
    //Job spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //Job spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //Job spec/template/spec/containers/envFrom/secretRef/name
    //Job spec/template/spec/initContainers/envFrom/secretRef/name
    //Job spec/template/spec/imagePullSecrets/name
    //Job spec/template/spec/volumes/projected/sources/secret/name
    //CronJob spec/jobTemplate/spec/template/spec/volumes/secret/secretName
    //CronJob spec/jobTemplate/spec/template/spec/volumes/projected/sources/secret/name
    //CronJob spec/jobTemplate/spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //CronJob spec/jobTemplate/spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name
    //CronJob spec/jobTemplate/spec/template/spec/containers/envFrom/secretRef/name
    //CronJob spec/jobTemplate/spec/template/spec/initContainers/envFrom/secretRef/name
    //CronJob spec/jobTemplate/spec/template/spec/imagePullSecrets/name
    //Ingress spec/tls/secretName
    //Ingress metadata/annotations/ingress.kubernetes.io\/auth-secret
    //Ingress metadata/annotations/nginx.ingress.kubernetes.io\/auth-secret
    //Ingress metadata/annotations/nginx.ingress.kubernetes.io\/auth-tls-secret
    //Ingress spec/tls/secretName
    //ServiceAccount imagePullSecrets/name
    //StorageClass parameters/secretName
    //StorageClass parameters/adminSecretName
    //StorageClass parameters/userSecretName
    //StorageClass parameters/secretRef
    //Role rules/resourceNames
    //ClusterRole rules/resourceNames
    serving.knative.dev/v1/Service spec/template/spec/containers/env/valueFrom/secretKeyRef/name
    //PersistentVolume spec/azureFile/secretName
  /v1/Service
    apps//StatefulSet spec/serviceName
    //Ingress spec/rules/http/paths/backend/serviceName
    //Ingress spec/backend/serviceName
    //Ingress spec/rules/http/paths/backend/service/name
    //Ingress spec/defaultBackend/service/name
    apiregistration.k8s.io//APIService spec/service/name
    admissionregistration.k8s.io//ValidatingWebhookConfiguration webhooks/clientConfig/service
    admissionregistration.k8s.io//MutatingWebhookConfiguration webhooks/clientConfig/service
  rbac.authorization.k8s.io//Role
    rbac.authorization.k8s.io//RoleBinding roleRef/name
  rbac.authorization.k8s.io//ClusterRole
    rbac.authorization.k8s.io//RoleBinding roleRef/name
    rbac.authorization.k8s.io//ClusterRoleBinding roleRef/name
  /v1/ServiceAccount
    rbac.authorization.k8s.io//RoleBinding subjects
    rbac.authorization.k8s.io//ClusterRoleBinding subjects
    //Pod spec/serviceAccountName
    //StatefulSet spec/template/spec/serviceAccountName
    //Deployment spec/template/spec/serviceAccountName
    //ReplicationController spec/template/spec/serviceAccountName
    //CronJob spec/jobTemplate/spec/template/spec/serviceAccountName
    //Job spec/template/spec/serviceAccountName
    //DaemonSet spec/template/spec/serviceAccountName
  /v1/PersistentVolumeClaim
    //Pod spec/volumes/persistentVolumeClaim/claimName
    //StatefulSet spec/template/spec/volumes/persistentVolumeClaim/claimName
    //Deployment spec/template/spec/volumes/persistentVolumeClaim/claimName
    //ReplicationController spec/template/spec/volumes/persistentVolumeClaim/claimName
    //CronJob spec/jobTemplate/spec/template/spec/volumes/persistentVolumeClaim/claimName
    //Job spec/template/spec/volumes/persistentVolumeClaim/claimName
    //DaemonSet spec/template/spec/volumes/persistentVolumeClaim/claimName
  /v1/PersistentVolume
    //PersistentVolumeClaim spec/volumeName
    //ClusterRole rules/resourceNames
  storage.k8s.io/v1/StorageClass
    //PersistentVolume spec/storageClassName
    //PersistentVolumeClaim spec/storageClassName
    //StatefulSet spec/volumeClaimTemplates/spec/storageClassName
  scheduling.k8s.io/v1/PriorityClass
    //Pod spec/priorityClassName
    //StatefulSet spec/template/spec/priorityClassName
    //Deployment spec/template/spec/priorityClassName
    //ReplicationController spec/template/spec/priorityClassName
    //CronJob spec/jobTemplate/spec/template/spec/priorityClassName
    //Job spec/template/spec/priorityClassName
    //DaemonSet spec/template/spec/priorityClassName
  networking.k8s.io\/v1/v1/IngressClass
    //Ingress spec/ingressClassName
  admissionregistration.k8s.io//ValidatingAdmissionPolicy
    admissionregistration.k8s.io//ValidatingAdmissionPolicyBinding spec/policyName

order first
  Namespace
  ResourceQuota
  StorageClass
  CustomResourceDefinition
  ServiceAccount
  PodSecurityPolicy
  Role
  ClusterRole
  RoleBinding
  ClusterRoleBinding
  ConfigMap
  Secret
  Endpoints
  Service
  LimitRange
  PriorityClass
  PersistentVolume
  PersistentVolumeClaim
  Deployment
  StatefulSet
  CronJob
  PodDisruptionBudget

order last
  MutatingWebhookConfiguration
  ValidatingWebhookConfiguration
`
