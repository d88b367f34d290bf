// Made by scripts/schema from k8s.io/client-go v0.36.1; not edited by hand. decode.ts explains the format.
export const builtInTable: string = `
core/v1.Binding- kind:s? apiVersion:s? metadata:#4a? target:#4b
core/v1.ComponentStatus kind:s? apiVersion:s? metadata:#4a? conditions:[#4c?~merge/type%l+type
core/v1.ConfigMap kind:s? apiVersion:s? metadata:#4a? immutable:*b? data:{s? binaryData:{y?
core/v1.Endpoints kind:s? apiVersion:s? metadata:#4a? subsets:[#4d?
core/v1.Event kind:s? apiVersion:s? metadata:#4a involvedObject:#4b reason:s? message:s? source:#4e? firstTimestamp:t? lastTimestamp:t? count:i? type:s? eventTime:m? series:*#4f? action:s? related:*#4b? reportingComponent:s reportingInstance:s
core/v1.LimitRange kind:s? apiVersion:s? metadata:#4a? spec:#4g?
core/v1.Namespace kind:s? apiVersion:s? metadata:#4a? spec:#4h? status:#4i?
core/v1.Node kind:s? apiVersion:s? metadata:#4a? spec:#4j? status:#4k?
core/v1.PersistentVolume kind:s? apiVersion:s? metadata:#4a? spec:#4l? status:#4m?
core/v1.PersistentVolumeClaim kind:s? apiVersion:s? metadata:#4a? spec:#4n? status:#4o?
core/v1.Pod kind:s? apiVersion:s? metadata:#4a? spec:#4p? status:#4q?
core/v1.PodTemplate kind:s? apiVersion:s? metadata:#4a? template:#4r?
core/v1.ReplicationController kind:s? apiVersion:s? metadata:#4a? spec:#4s? status:#4t?
core/v1.ResourceQuota kind:s? apiVersion:s? metadata:#4a? spec:#4u? status:#4v?
core/v1.Secret kind:s? apiVersion:s? metadata:#4a? immutable:*b? data:{y? stringData:{s? type:s?
core/v1.Service kind:s? apiVersion:s? metadata:#4a? spec:#4w? status:#4x?
core/v1.ServiceAccount kind:s? apiVersion:s? metadata:#4a? secrets:[#4b?~merge/name%l+name imagePullSecrets:[#4y? automountServiceAccountToken:*b?
admissionregistration/v1.MutatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#4z?
admissionregistration/v1.MutatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#50?
admissionregistration/v1.MutatingWebhookConfiguration kind:s? apiVersion:s? metadata:#4a? webhooks:[#51?~merge/name%l+name
admissionregistration/v1.ValidatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#52? status:#53?
admissionregistration/v1.ValidatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#54?
admissionregistration/v1.ValidatingWebhookConfiguration kind:s? apiVersion:s? metadata:#4a? webhooks:[#55?~merge/name%l+name
admissionregistration/v1alpha1.MutatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#56?
admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#57?
admissionregistration/v1alpha1.ValidatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#58? status:#59?
admissionregistration/v1alpha1.ValidatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#5a?
admissionregistration/v1beta1.MutatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#5b?
admissionregistration/v1beta1.MutatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#5c?
admissionregistration/v1beta1.MutatingWebhookConfiguration kind:s? apiVersion:s? metadata:#4a? webhooks:[#5d?~merge/name%l+name
admissionregistration/v1beta1.ValidatingAdmissionPolicy kind:s? apiVersion:s? metadata:#4a? spec:#5e? status:#5f?
admissionregistration/v1beta1.ValidatingAdmissionPolicyBinding kind:s? apiVersion:s? metadata:#4a? spec:#5g?
admissionregistration/v1beta1.ValidatingWebhookConfiguration kind:s? apiVersion:s? metadata:#4a? webhooks:[#5h?~merge/name%l+name
apps/v1.ControllerRevision kind:s? apiVersion:s? metadata:#4a? data:r? revision:I
apps/v1.DaemonSet kind:s? apiVersion:s? metadata:#4a? spec:#5i? status:#5j?
apps/v1.Deployment kind:s? apiVersion:s? metadata:#4a? spec:#5k? status:#5l?
apps/v1.ReplicaSet kind:s? apiVersion:s? metadata:#4a? spec:#5m? status:#5n?
apps/v1.StatefulSet kind:s? apiVersion:s? metadata:#4a? spec:#5o? status:#5p?
apps/v1beta1.ControllerRevision kind:s? apiVersion:s? metadata:#4a? data:r? revision:I
apps/v1beta1.Deployment kind:s? apiVersion:s? metadata:#4a? spec:#5q? status:#5r?
apps/v1beta1.StatefulSet kind:s? apiVersion:s? metadata:#4a? spec:#5s? status:#5t?
apps/v1beta2.ControllerRevision kind:s? apiVersion:s? metadata:#4a? data:r? revision:I
apps/v1beta2.DaemonSet kind:s? apiVersion:s? metadata:#4a? spec:#5u? status:#5v?
apps/v1beta2.Deployment kind:s? apiVersion:s? metadata:#4a? spec:#5w? status:#5x?
apps/v1beta2.ReplicaSet kind:s? apiVersion:s? metadata:#4a? spec:#5y? status:#5z?
apps/v1beta2.StatefulSet kind:s? apiVersion:s? metadata:#4a? spec:#60? status:#61?
authentication/v1.SelfSubjectReview- kind:s? apiVersion:s? metadata:#4a? status:#62?
authentication/v1.TokenReview- kind:s? apiVersion:s? metadata:#4a? spec:#63 status:#64?
authentication/v1alpha1.SelfSubjectReview- kind:s? apiVersion:s? metadata:#4a? status:#65?
authentication/v1beta1.SelfSubjectReview- kind:s? apiVersion:s? metadata:#4a? status:#66?
authentication/v1beta1.TokenReview- kind:s? apiVersion:s? metadata:#4a? spec:#67 status:#68?
authorization/v1.LocalSubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#69 status:#6a?
authorization/v1.SelfSubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#6b status:#6a?
authorization/v1.SelfSubjectRulesReview- kind:s? apiVersion:s? metadata:#4a? spec:#6c status:#6d?
authorization/v1.SubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#69 status:#6a?
authorization/v1beta1.LocalSubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#6e status:#6f?
authorization/v1beta1.SelfSubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#6g status:#6f?
authorization/v1beta1.SelfSubjectRulesReview- kind:s? apiVersion:s? metadata:#4a? spec:#6h status:#6i?
authorization/v1beta1.SubjectAccessReview- kind:s? apiVersion:s? metadata:#4a? spec:#6e status:#6f?
autoscaling/v1.HorizontalPodAutoscaler kind:s? apiVersion:s? metadata:#4a? spec:#6j? status:#6k?
autoscaling/v2.HorizontalPodAutoscaler kind:s? apiVersion:s? metadata:#4a? spec:#6l? status:#6m?
batch/v1.CronJob kind:s? apiVersion:s? metadata:#4a? spec:#6n? status:#6o?
batch/v1.Job kind:s? apiVersion:s? metadata:#4a? spec:#6p? status:#6q?
batch/v1beta1.CronJob kind:s? apiVersion:s? metadata:#4a? spec:#6r? status:#6s?
certificates/v1.CertificateSigningRequest kind:s? apiVersion:s? metadata:#4a? spec:#6t status:#6u?
certificates/v1alpha1.ClusterTrustBundle kind:s? apiVersion:s? metadata:#4a? spec:#6v
certificates/v1beta1.CertificateSigningRequest kind:s? apiVersion:s? metadata:#4a? spec:#6w status:#6x?
certificates/v1beta1.ClusterTrustBundle kind:s? apiVersion:s? metadata:#4a? spec:#6y
certificates/v1beta1.PodCertificateRequest kind:s? apiVersion:s? metadata:#4a? spec:#6z status:#70?
coordination/v1.Lease kind:s? apiVersion:s? metadata:#4a? spec:#71?
coordination/v1alpha2.LeaseCandidate kind:s? apiVersion:s? metadata:#4a? spec:#72?
coordination/v1beta1.Lease kind:s? apiVersion:s? metadata:#4a? spec:#73?
coordination/v1beta1.LeaseCandidate kind:s? apiVersion:s? metadata:#4a? spec:#74?
discovery/v1.EndpointSlice kind:s? apiVersion:s? metadata:#4a? addressType:s endpoints:[#75 ports:[#76
discovery/v1beta1.EndpointSlice kind:s? apiVersion:s? metadata:#4a? addressType:s endpoints:[#77 ports:[#78
events/v1.Event kind:s? apiVersion:s? metadata:#4a eventTime:m series:*#79? reportingController:s? reportingInstance:s? action:s? reason:s? regarding:#4b? related:*#4b? note:s? type:s? deprecatedSource:#4e? deprecatedFirstTimestamp:t? deprecatedLastTimestamp:t? deprecatedCount:i?
events/v1beta1.Event kind:s? apiVersion:s? metadata:#4a eventTime:m series:*#7a? reportingController:s? reportingInstance:s? action:s? reason:s? regarding:#4b? related:*#4b? note:s? type:s? deprecatedSource:#4e? deprecatedFirstTimestamp:t? deprecatedLastTimestamp:t? deprecatedCount:i?
extensions/v1beta1.DaemonSet kind:s? apiVersion:s? metadata:#4a? spec:#7b? status:#7c?
extensions/v1beta1.Deployment kind:s? apiVersion:s? metadata:#4a? spec:#7d? status:#7e?
extensions/v1beta1.Ingress kind:s? apiVersion:s? metadata:#4a? spec:#7f? status:#7g?
extensions/v1beta1.NetworkPolicy kind:s? apiVersion:s? metadata:#4a? spec:#7h?
extensions/v1beta1.ReplicaSet kind:s? apiVersion:s? metadata:#4a? spec:#7i? status:#7j?
flowcontrol/v1.FlowSchema kind:s? apiVersion:s? metadata:#4a? spec:#7k? status:#7l?
flowcontrol/v1.PriorityLevelConfiguration kind:s? apiVersion:s? metadata:#4a? spec:#7m? status:#7n?
flowcontrol/v1beta1.FlowSchema kind:s? apiVersion:s? metadata:#4a? spec:#7o? status:#7p?
flowcontrol/v1beta1.PriorityLevelConfiguration kind:s? apiVersion:s? metadata:#4a? spec:#7q? status:#7r?
flowcontrol/v1beta2.FlowSchema kind:s? apiVersion:s? metadata:#4a? spec:#7s? status:#7t?
flowcontrol/v1beta2.PriorityLevelConfiguration kind:s? apiVersion:s? metadata:#4a? spec:#7u? status:#7v?
flowcontrol/v1beta3.FlowSchema kind:s? apiVersion:s? metadata:#4a? spec:#7w? status:#7x?
flowcontrol/v1beta3.PriorityLevelConfiguration kind:s? apiVersion:s? metadata:#4a? spec:#7y? status:#7z?
apiserverinternal/v1alpha1.StorageVersion kind:s? apiVersion:s? metadata:#4a? spec:#80 status:#81
networking/v1.IPAddress kind:s? apiVersion:s? metadata:#4a? spec:#82?
networking/v1.Ingress kind:s? apiVersion:s? metadata:#4a? spec:#83? status:#84?
networking/v1.IngressClass kind:s? apiVersion:s? metadata:#4a? spec:#85?
networking/v1.NetworkPolicy kind:s? apiVersion:s? metadata:#4a? spec:#86?
networking/v1.ServiceCIDR kind:s? apiVersion:s? metadata:#4a? spec:#87? status:#88?
networking/v1beta1.IPAddress kind:s? apiVersion:s? metadata:#4a? spec:#89?
networking/v1beta1.Ingress kind:s? apiVersion:s? metadata:#4a? spec:#8a? status:#8b?
networking/v1beta1.IngressClass kind:s? apiVersion:s? metadata:#4a? spec:#8c?
networking/v1beta1.ServiceCIDR kind:s? apiVersion:s? metadata:#4a? spec:#8d? status:#8e?
node/v1.RuntimeClass kind:s? apiVersion:s? metadata:#4a? handler:s overhead:*#8f? scheduling:*#8g?
node/v1alpha1.RuntimeClass kind:s? apiVersion:s? metadata:#4a? spec:#8h
node/v1beta1.RuntimeClass kind:s? apiVersion:s? metadata:#4a? handler:s overhead:*#8i? scheduling:*#8j?
policy/v1.Eviction kind:s? apiVersion:s? metadata:#4a? deleteOptions:*#8k?
policy/v1.PodDisruptionBudget kind:s? apiVersion:s? metadata:#4a? spec:#8l? status:#8m?
policy/v1beta1.Eviction kind:s? apiVersion:s? metadata:#4a? deleteOptions:*#8k?
policy/v1beta1.PodDisruptionBudget kind:s? apiVersion:s? metadata:#4a? spec:#8n? status:#8o?
rbac/v1.ClusterRole kind:s? apiVersion:s? metadata:#4a? rules:[#8p aggregationRule:*#8q?
rbac/v1.ClusterRoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8r? roleRef:#8s
rbac/v1.Role kind:s? apiVersion:s? metadata:#4a? rules:[#8p
rbac/v1.RoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8r? roleRef:#8s
rbac/v1alpha1.ClusterRole kind:s? apiVersion:s? metadata:#4a? rules:[#8t aggregationRule:*#8u?
rbac/v1alpha1.ClusterRoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8v? roleRef:#8w
rbac/v1alpha1.Role kind:s? apiVersion:s? metadata:#4a? rules:[#8t
rbac/v1alpha1.RoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8v? roleRef:#8w
rbac/v1beta1.ClusterRole kind:s? apiVersion:s? metadata:#4a? rules:[#8x aggregationRule:*#8y?
rbac/v1beta1.ClusterRoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8z? roleRef:#90
rbac/v1beta1.Role kind:s? apiVersion:s? metadata:#4a? rules:[#8x
rbac/v1beta1.RoleBinding kind:s? apiVersion:s? metadata:#4a? subjects:[#8z? roleRef:#90
resource/v1.DeviceClass kind:s? apiVersion:s? metadata:#4a? spec:#91
resource/v1.ResourceClaim kind:s? apiVersion:s? metadata:#4a? spec:#92 status:#93?
resource/v1.ResourceClaimTemplate kind:s? apiVersion:s? metadata:#4a? spec:#94
resource/v1.ResourceSlice kind:s? apiVersion:s? metadata:#4a? spec:#95
resource/v1alpha3.DeviceTaintRule kind:s? apiVersion:s? metadata:#4a? spec:#96 status:#97?
resource/v1alpha3.ResourcePoolStatusRequest kind:s? apiVersion:s? metadata:#4a? spec:#98 status:*#99?
resource/v1beta1.DeviceClass kind:s? apiVersion:s? metadata:#4a? spec:#9a
resource/v1beta1.ResourceClaim kind:s? apiVersion:s? metadata:#4a? spec:#9b status:#9c?
resource/v1beta1.ResourceClaimTemplate kind:s? apiVersion:s? metadata:#4a? spec:#9d
resource/v1beta1.ResourceSlice kind:s? apiVersion:s? metadata:#4a? spec:#9e
resource/v1beta2.DeviceClass kind:s? apiVersion:s? metadata:#4a? spec:#9f
resource/v1beta2.DeviceTaintRule kind:s? apiVersion:s? metadata:#4a? spec:#9g status:#9h?
resource/v1beta2.ResourceClaim kind:s? apiVersion:s? metadata:#4a? spec:#9i status:#9j?
resource/v1beta2.ResourceClaimTemplate kind:s? apiVersion:s? metadata:#4a? spec:#9k
resource/v1beta2.ResourceSlice kind:s? apiVersion:s? metadata:#4a? spec:#9l
scheduling/v1.PriorityClass kind:s? apiVersion:s? metadata:#4a? value:i globalDefault:b? description:s? preemptionPolicy:*s?
scheduling/v1alpha2.PodGroup kind:s? apiVersion:s? metadata:#4a? spec:#9m status:#9n?
scheduling/v1alpha2.Workload kind:s? apiVersion:s? metadata:#4a? spec:#9o
scheduling/v1beta1.PriorityClass kind:s? apiVersion:s? metadata:#4a? value:i globalDefault:b? description:s? preemptionPolicy:*s?
storage/v1.CSIDriver kind:s? apiVersion:s? metadata:#4a? spec:#9p
storage/v1.CSINode kind:s? apiVersion:s? metadata:#4a? spec:#9q
storage/v1.CSIStorageCapacity kind:s? apiVersion:s? metadata:#4a? nodeTopology:*#9r? storageClassName:s capacity:*q? maximumVolumeSize:*q?
storage/v1.StorageClass kind:s? apiVersion:s? metadata:#4a? provisioner:s parameters:{s? reclaimPolicy:*s? mountOptions:[s? allowVolumeExpansion:*b? volumeBindingMode:*s? allowedTopologies:[#9s?
storage/v1.VolumeAttachment kind:s? apiVersion:s? metadata:#4a? spec:#9t status:#9u?
storage/v1.VolumeAttributesClass kind:s? apiVersion:s? metadata:#4a? driverName:s parameters:{s?
storage/v1alpha1.CSIStorageCapacity kind:s? apiVersion:s? metadata:#4a? nodeTopology:*#9r? storageClassName:s capacity:*q? maximumVolumeSize:*q?
storage/v1alpha1.VolumeAttachment kind:s? apiVersion:s? metadata:#4a? spec:#9v status:#9w?
storage/v1alpha1.VolumeAttributesClass kind:s? apiVersion:s? metadata:#4a? driverName:s parameters:{s?
storage/v1beta1.CSIDriver kind:s? apiVersion:s? metadata:#4a? spec:#9x
storage/v1beta1.CSINode kind:s? apiVersion:s? metadata:#4a? spec:#9y
storage/v1beta1.CSIStorageCapacity kind:s? apiVersion:s? metadata:#4a? nodeTopology:*#9r? storageClassName:s capacity:*q? maximumVolumeSize:*q?
storage/v1beta1.StorageClass kind:s? apiVersion:s? metadata:#4a? provisioner:s parameters:{s? reclaimPolicy:*s? mountOptions:[s? allowVolumeExpansion:*b? volumeBindingMode:*s? allowedTopologies:[#9s?
storage/v1beta1.VolumeAttachment kind:s? apiVersion:s? metadata:#4a? spec:#9z status:#a0?
storage/v1beta1.VolumeAttributesClass kind:s? apiVersion:s? metadata:#4a? driverName:s parameters:{s?
storagemigration/v1beta1.StorageVersionMigration kind:s? apiVersion:s? metadata:#4a? spec:#a1? status:#a2?
meta/v1.ObjectMeta name:s? generateName:s? namespace:s? selfLink:s? uid:s? resourceVersion:s? generation:I? creationTimestamp:t?! deletionTimestamp:*t? deletionGracePeriodSeconds:*I? labels:{s? annotations:{s? ownerReferences:[#a3?~merge/uid%l+uid finalizers:[s?~merge%l managedFields:[#a4?
core/v1.ObjectReference%a kind:s? namespace:s? name:s? uid:s? apiVersion:s? resourceVersion:s? fieldPath:s?
core/v1.ComponentCondition type:s="" status:s message:s? error:s?
core/v1.EndpointSubset addresses:[#a5? notReadyAddresses:[#a5? ports:[#a6?
core/v1.EventSource component:s? host:s?
core/v1.EventSeries count:i? lastObservedTime:m?
core/v1.LimitRangeSpec limits:[#a7
core/v1.NamespaceSpec finalizers:[s?
core/v1.NamespaceStatus phase:s? conditions:[#a8?~merge/type%l+type
core/v1.NodeSpec podCIDR:s? podCIDRs:[s?~merge%l providerID:s? unschedulable:b? taints:[#a9? configSource:*#aa? externalID:s?
core/v1.NodeStatus capacity:{q? allocatable:{q? phase:s? conditions:[#ab?~merge/type%l+type addresses:[#ac?~merge/type%l+type daemonEndpoints:#ad? nodeInfo:#ae? images:[#af? volumesInUse:[s? volumesAttached:[#ag? config:*#ah? runtimeHandlers:[#ai? features:*#aj? declaredFeatures:[s?
core/v1.PersistentVolumeSpec capacity:{q? gcePersistentDisk:*#ak? awsElasticBlockStore:*#al? hostPath:*#am? glusterfs:*#an? nfs:*#ao? rbd:*#ap? iscsi:*#aq? cinder:*#ar? cephfs:*#as? fc:*#at? flocker:*#au? flexVolume:*#av? azureFile:*#aw? vsphereVolume:*#ax? quobyte:*#ay? azureDisk:*#az? photonPersistentDisk:*#b0? portworxVolume:*#b1? scaleIO:*#b2? local:*#b3? storageos:*#b4? csi:*#b5? accessModes:[s? claimRef:*#4b?%s persistentVolumeReclaimPolicy:s? storageClassName:s? mountOptions:[s? volumeMode:*s? nodeAffinity:*#b6? volumeAttributesClassName:*s?
core/v1.PersistentVolumeStatus phase:s? message:s? reason:s? lastPhaseTransitionTime:*t?
core/v1.PersistentVolumeClaimSpec accessModes:[s? selector:*#9r? resources:#b7? volumeName:s? storageClassName:*s? volumeMode:*s? dataSource:*#b8? dataSourceRef:*#b9? volumeAttributesClassName:*s?
core/v1.PersistentVolumeClaimStatus phase:s? accessModes:[s? capacity:{q? conditions:[#ba?~merge/type%l+type allocatedResources:{q? allocatedResourceStatuses:{s? currentVolumeAttributesClassName:*s? modifyVolumeStatus:*#bb?
core/v1.PodSpec volumes:[#bc?~merge+retainKeys/name%l+name initContainers:[#bd?~merge/name%l+name containers:[#bd~merge/name%l+name ephemeralContainers:[#be?~merge/name%l+name restartPolicy:s? terminationGracePeriodSeconds:*I? activeDeadlineSeconds:*I? dnsPolicy:s? nodeSelector:{s?%a serviceAccountName:s? serviceAccount:s? automountServiceAccountToken:*b? nodeName:s? hostNetwork:b? hostPID:b? hostIPC:b? shareProcessNamespace:*b? securityContext:*#bf? imagePullSecrets:[#4y?~merge/name%l+name hostname:s? subdomain:s? affinity:*#bg? schedulerName:s? tolerations:[#bh? hostAliases:[#bi?~merge/ip%l+ip priorityClassName:s? priority:*i? dnsConfig:*#bj? readinessGates:[#bk? runtimeClassName:*s? enableServiceLinks:*b? preemptionPolicy:*s? overhead:{q? topologySpreadConstraints:[#bl?~merge/topologyKey%l+topologyKey+whenUnsatisfiable setHostnameAsFQDN:*b? os:*#bm? hostUsers:*b? schedulingGates:[#bn?~merge/name%l+name resourceClaims:[#bo?~merge+retainKeys/name%l+name resources:*#bp? hostnameOverride:*s? schedulingGroup:*#bq?
core/v1.PodStatus observedGeneration:I? phase:s? conditions:[#br?~merge/type%l+type message:s? reason:s? nominatedNodeName:s? hostIP:s? hostIPs:[#bs?~merge/ip podIP:s? podIPs:[#bt?~merge/ip%l+ip startTime:*t? initContainerStatuses:[#bu? containerStatuses:[#bu? qosClass:s? ephemeralContainerStatuses:[#bu? resize:s? resourceClaimStatuses:[#bv?~merge+retainKeys/name%l+name extendedResourceClaimStatus:*#bw? allocatedResources:{q? resources:*#bp? nodeAllocatableResourceClaimStatuses:[#bx?
core/v1.PodTemplateSpec metadata:#4a? spec:#4p?
core/v1.ReplicationControllerSpec replicas:*i? minReadySeconds:i? selector:{s?%a template:*#4r?
core/v1.ReplicationControllerStatus replicas:i fullyLabeledReplicas:i? readyReplicas:i? availableReplicas:i? observedGeneration:I? conditions:[#by?~merge/type%l+type
core/v1.ResourceQuotaSpec hard:{q? scopes:[s? scopeSelector:*#bz?
core/v1.ResourceQuotaStatus hard:{q? used:{q?
core/v1.ServiceSpec ports:[#c0?~merge/port%l+port+protocol selector:{s?%a clusterIP:s? clusterIPs:[s? type:s? externalIPs:[s? sessionAffinity:s? loadBalancerIP:s? loadBalancerSourceRanges:[s? externalName:s? externalTrafficPolicy:s? healthCheckNodePort:i? publishNotReadyAddresses:b? sessionAffinityConfig:*#c1? ipFamilies:[s? ipFamilyPolicy:*s? allocateLoadBalancerNodePorts:*b? loadBalancerClass:*s? internalTrafficPolicy:*s? trafficDistribution:*s?
core/v1.ServiceStatus loadBalancer:#c2? conditions:[#c3?~merge/type%l+type
core/v1.LocalObjectReference%a name:s?=""
admissionregistration/v1.MutatingAdmissionPolicySpec paramKind:*#c4? matchConstraints:*#c5? variables:[#c6? mutations:[#c7? failurePolicy:*s? matchConditions:[#c8?~merge/name%l+name reinvocationPolicy:s?
admissionregistration/v1.MutatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#c9? matchResources:*#c5?
admissionregistration/v1.MutatingWebhook name:s="" clientConfig:#ca rules:[#cb? failurePolicy:*s? matchPolicy:*s? namespaceSelector:*#9r? objectSelector:*#9r? sideEffects:*s timeoutSeconds:*i? admissionReviewVersions:[s reinvocationPolicy:*s? matchConditions:[#c8?~merge/name%l+name
admissionregistration/v1.ValidatingAdmissionPolicySpec paramKind:*#c4? matchConstraints:*#c5? validations:[#cc? failurePolicy:*s? auditAnnotations:[#cd? matchConditions:[#c8?~merge/name%l+name variables:[#c6?~merge/name%l+name
admissionregistration/v1.ValidatingAdmissionPolicyStatus observedGeneration:I? typeChecking:*#ce? conditions:[#c3?%l+type
admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#c9? matchResources:*#c5? validationActions:[s?%l
admissionregistration/v1.ValidatingWebhook name:s="" clientConfig:#ca rules:[#cb? failurePolicy:*s? matchPolicy:*s? namespaceSelector:*#9r? objectSelector:*#9r? sideEffects:*s timeoutSeconds:*i? admissionReviewVersions:[s matchConditions:[#c8?~merge/name%l+name
admissionregistration/v1alpha1.MutatingAdmissionPolicySpec paramKind:*#cf? matchConstraints:*#cg? variables:[#ch? mutations:[#ci? failurePolicy:*s? matchConditions:[#cj?~merge/name%l+name reinvocationPolicy:s?
admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#ck? matchResources:*#cg?
admissionregistration/v1alpha1.ValidatingAdmissionPolicySpec paramKind:*#cf? matchConstraints:*#cg? validations:[#cl? failurePolicy:*s? auditAnnotations:[#cm? matchConditions:[#cj?~merge/name%l+name variables:[#ch?~merge/name%l+name
admissionregistration/v1alpha1.ValidatingAdmissionPolicyStatus observedGeneration:I? typeChecking:*#cn? conditions:[#c3?%l+type
admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#ck? matchResources:*#cg? validationActions:[s?%l
admissionregistration/v1beta1.MutatingAdmissionPolicySpec paramKind:*#co? matchConstraints:*#cp? variables:[#cq? mutations:[#cr? failurePolicy:*s? matchConditions:[#cs?~merge/name%l+name reinvocationPolicy:s?
admissionregistration/v1beta1.MutatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#ct? matchResources:*#cp?
admissionregistration/v1beta1.MutatingWebhook name:s="" clientConfig:#cu rules:[#cb? failurePolicy:*s? matchPolicy:*s? namespaceSelector:*#9r? objectSelector:*#9r? sideEffects:*s? timeoutSeconds:*i? admissionReviewVersions:[s? reinvocationPolicy:*s? matchConditions:[#cs?~merge/name%l+name
admissionregistration/v1beta1.ValidatingAdmissionPolicySpec paramKind:*#co? matchConstraints:*#cp? validations:[#cv? failurePolicy:*s? auditAnnotations:[#cw? matchConditions:[#cs?~merge/name%l+name variables:[#cq?~merge/name%l+name
admissionregistration/v1beta1.ValidatingAdmissionPolicyStatus observedGeneration:I? typeChecking:*#cx? conditions:[#c3?%l+type
admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec policyName:s? paramRef:*#ct? matchResources:*#cp? validationActions:[s?%l
admissionregistration/v1beta1.ValidatingWebhook name:s="" clientConfig:#cu rules:[#cb? failurePolicy:*s? matchPolicy:*s? namespaceSelector:*#9r? objectSelector:*#9r? sideEffects:*s? timeoutSeconds:*i? admissionReviewVersions:[s? matchConditions:[#cs?~merge/name%l+name
apps/v1.DaemonSetSpec selector:*#9r template:#4r updateStrategy:#cy? minReadySeconds:i? revisionHistoryLimit:*i?
apps/v1.DaemonSetStatus currentNumberScheduled:i numberMisscheduled:i desiredNumberScheduled:i numberReady:i observedGeneration:I? updatedNumberScheduled:i? numberAvailable:i? numberUnavailable:i? collisionCount:*i? conditions:[#cz?~merge/type%l+type
apps/v1.DeploymentSpec replicas:*i? selector:*#9r template:#4r strategy:#d0?~retainKeys minReadySeconds:i? revisionHistoryLimit:*i? paused:b? progressDeadlineSeconds:*i?
apps/v1.DeploymentStatus observedGeneration:I? replicas:i? updatedReplicas:i? readyReplicas:i? availableReplicas:i? unavailableReplicas:i? terminatingReplicas:*i? conditions:[#d1?~merge/type%l+type collisionCount:*i?
apps/v1.ReplicaSetSpec replicas:*i? minReadySeconds:i? selector:*#9r template:#4r?
apps/v1.ReplicaSetStatus replicas:i fullyLabeledReplicas:i? readyReplicas:i? availableReplicas:i? terminatingReplicas:*i? observedGeneration:I? conditions:[#d2?~merge/type%l+type
apps/v1.StatefulSetSpec replicas:*i? selector:*#9r template:#4r volumeClaimTemplates:[#9? serviceName:s podManagementPolicy:s? updateStrategy:#d3? revisionHistoryLimit:*i? minReadySeconds:i? persistentVolumeClaimRetentionPolicy:*#d4? ordinals:*#d5?
apps/v1.StatefulSetStatus observedGeneration:I? replicas:i readyReplicas:i? currentReplicas:i? updatedReplicas:i? currentRevision:s? updateRevision:s? collisionCount:*i? conditions:[#d6?~merge/type%l+type availableReplicas:i
apps/v1beta1.DeploymentSpec replicas:*i? selector:*#9r? template:#4r strategy:#d7?~retainKeys minReadySeconds:i? revisionHistoryLimit:*i? paused:b? rollbackTo:*#d8? progressDeadlineSeconds:*i?
apps/v1beta1.DeploymentStatus observedGeneration:I? replicas:i? updatedReplicas:i? readyReplicas:i? availableReplicas:i? unavailableReplicas:i? terminatingReplicas:*i? conditions:[#d9?~merge/type%l+type collisionCount:*i?
apps/v1beta1.StatefulSetSpec replicas:*i? selector:*#9r? template:#4r volumeClaimTemplates:[#9? serviceName:s podManagementPolicy:s? updateStrategy:#da? revisionHistoryLimit:*i? minReadySeconds:i? persistentVolumeClaimRetentionPolicy:*#db? ordinals:*#dc?
apps/v1beta1.StatefulSetStatus observedGeneration:*I? replicas:i readyReplicas:i? currentReplicas:i? updatedReplicas:i? currentRevision:s? updateRevision:s? collisionCount:*i? conditions:[#dd?~merge/type%l+type availableReplicas:i
apps/v1beta2.DaemonSetSpec selector:*#9r template:#4r updateStrategy:#de? minReadySeconds:i? revisionHistoryLimit:*i?
apps/v1beta2.DaemonSetStatus currentNumberScheduled:i numberMisscheduled:i desiredNumberScheduled:i numberReady:i observedGeneration:I? updatedNumberScheduled:i? numberAvailable:i? numberUnavailable:i? collisionCount:*i? conditions:[#df?~merge/type%l+type
apps/v1beta2.DeploymentSpec replicas:*i? selector:*#9r template:#4r strategy:#dg?~retainKeys minReadySeconds:i? revisionHistoryLimit:*i? paused:b? progressDeadlineSeconds:*i?
apps/v1beta2.DeploymentStatus observedGeneration:I? replicas:i? updatedReplicas:i? readyReplicas:i? availableReplicas:i? unavailableReplicas:i? terminatingReplicas:*i? conditions:[#dh?~merge/type%l+type collisionCount:*i?
apps/v1beta2.ReplicaSetSpec replicas:*i? minReadySeconds:i? selector:*#9r template:#4r?
apps/v1beta2.ReplicaSetStatus replicas:i fullyLabeledReplicas:i? readyReplicas:i? availableReplicas:i? terminatingReplicas:*i? observedGeneration:I? conditions:[#di?~merge/type%l+type
apps/v1beta2.StatefulSetSpec replicas:*i? selector:*#9r template:#4r volumeClaimTemplates:[#9? serviceName:s podManagementPolicy:s? updateStrategy:#dj? revisionHistoryLimit:*i? minReadySeconds:i? persistentVolumeClaimRetentionPolicy:*#dk? ordinals:*#dl?
apps/v1beta2.StatefulSetStatus observedGeneration:I? replicas:i readyReplicas:i? currentReplicas:i? updatedReplicas:i? currentRevision:s? updateRevision:s? collisionCount:*i? conditions:[#dm?~merge/type%l+type availableReplicas:i
authentication/v1.SelfSubjectReviewStatus- userInfo:#dn?
authentication/v1.TokenReviewSpec- token:s? audiences:[s?
authentication/v1.TokenReviewStatus- authenticated:b? user:#dn? audiences:[s? error:s?
authentication/v1alpha1.SelfSubjectReviewStatus- userInfo:#dn?
authentication/v1beta1.SelfSubjectReviewStatus- userInfo:#dn?
authentication/v1beta1.TokenReviewSpec- token:s? audiences:[s?
authentication/v1beta1.TokenReviewStatus- authenticated:b? user:#do? audiences:[s? error:s?
authorization/v1.SubjectAccessReviewSpec- resourceAttributes:*#dp? nonResourceAttributes:*#dq? user:s? groups:[s? extra:{[s? uid:s?
authorization/v1.SubjectAccessReviewStatus- allowed:b denied:b? reason:s? evaluationError:s?
authorization/v1.SelfSubjectAccessReviewSpec- resourceAttributes:*#dp? nonResourceAttributes:*#dq?
authorization/v1.SelfSubjectRulesReviewSpec- namespace:s?
authorization/v1.SubjectRulesReviewStatus- resourceRules:[#dr nonResourceRules:[#ds incomplete:b evaluationError:s?
authorization/v1beta1.SubjectAccessReviewSpec- resourceAttributes:*#dt? nonResourceAttributes:*#du? user:s? group:[s? extra:{[s? uid:s?
authorization/v1beta1.SubjectAccessReviewStatus- allowed:b denied:b? reason:s? evaluationError:s?
authorization/v1beta1.SelfSubjectAccessReviewSpec- resourceAttributes:*#dt? nonResourceAttributes:*#du?
authorization/v1beta1.SelfSubjectRulesReviewSpec- namespace:s?
authorization/v1beta1.SubjectRulesReviewStatus- resourceRules:[#dv nonResourceRules:[#dw incomplete:b evaluationError:s?
autoscaling/v1.HorizontalPodAutoscalerSpec scaleTargetRef:#dx minReplicas:*i? maxReplicas:i targetCPUUtilizationPercentage:*i?
autoscaling/v1.HorizontalPodAutoscalerStatus observedGeneration:*I? lastScaleTime:*t? currentReplicas:i desiredReplicas:i currentCPUUtilizationPercentage:*i?
autoscaling/v2.HorizontalPodAutoscalerSpec scaleTargetRef:#dy minReplicas:*i? maxReplicas:i metrics:[#dz? behavior:*#e0?
autoscaling/v2.HorizontalPodAutoscalerStatus observedGeneration:*I? lastScaleTime:*t? currentReplicas:i? desiredReplicas:i currentMetrics:[#e1 conditions:[#e2?~merge/type%l+type
batch/v1.CronJobSpec schedule:s timeZone:*s? startingDeadlineSeconds:*I? concurrencyPolicy:s? suspend:*b? jobTemplate:#e3 successfulJobsHistoryLimit:*i? failedJobsHistoryLimit:*i?
batch/v1.CronJobStatus active:[#4b? lastScheduleTime:*t? lastSuccessfulTime:*t?
batch/v1.JobSpec parallelism:*i? completions:*i? activeDeadlineSeconds:*I? podFailurePolicy:*#e4? successPolicy:*#e5? backoffLimit:*i? backoffLimitPerIndex:*i? maxFailedIndexes:*i? selector:*#9r? manualSelector:*b? template:#4r ttlSecondsAfterFinished:*i? completionMode:*s? suspend:*b? podReplacementPolicy:*s? managedBy:*s?
batch/v1.JobStatus conditions:[#e6?~merge/type startTime:*t? completionTime:*t? active:i? succeeded:i? failed:i? terminating:*i? completedIndexes:s? failedIndexes:*s? uncountedTerminatedPods:*#e7? ready:*i?
batch/v1beta1.CronJobSpec schedule:s timeZone:*s? startingDeadlineSeconds:*I? concurrencyPolicy:s? suspend:*b? jobTemplate:#e8 successfulJobsHistoryLimit:*i? failedJobsHistoryLimit:*i?
batch/v1beta1.CronJobStatus active:[#4b? lastScheduleTime:*t? lastSuccessfulTime:*t?
certificates/v1.CertificateSigningRequestSpec request:y signerName:s expirationSeconds:*i? usages:[s? username:s? uid:s? groups:[s? extra:{[s?
certificates/v1.CertificateSigningRequestStatus conditions:[#e9?%l+type certificate:y?
certificates/v1alpha1.ClusterTrustBundleSpec signerName:s? trustBundle:s
certificates/v1beta1.CertificateSigningRequestSpec request:y signerName:*s? expirationSeconds:*i? usages:[s? username:s? uid:s? groups:[s? extra:{[s?
certificates/v1beta1.CertificateSigningRequestStatus conditions:[#ea?%l+type certificate:y?
certificates/v1beta1.ClusterTrustBundleSpec signerName:s? trustBundle:s
certificates/v1beta1.PodCertificateRequestSpec signerName:s podName:s podUID:s serviceAccountName:s serviceAccountUID:s nodeName:s nodeUID:s maxExpirationSeconds:*i? pkixPublicKey:y proofOfPossession:y stubPKCS10Request:y unverifiedUserAnnotations:{s?
certificates/v1beta1.PodCertificateRequestStatus conditions:[#c3?~merge/type%l+type certificateChain:s? notBefore:*t? beginRefreshAt:*t? notAfter:*t?
coordination/v1.LeaseSpec holderIdentity:*s? leaseDurationSeconds:*i? acquireTime:*m? renewTime:*m? leaseTransitions:*i? strategy:*s? preferredHolder:*s?
coordination/v1alpha2.LeaseCandidateSpec leaseName:s pingTime:*m? renewTime:*m? binaryVersion:s emulationVersion:s? strategy:s?
coordination/v1beta1.LeaseSpec holderIdentity:*s? leaseDurationSeconds:*i? acquireTime:*m? renewTime:*m? leaseTransitions:*i? strategy:*s? preferredHolder:*s?
coordination/v1beta1.LeaseCandidateSpec leaseName:s pingTime:*m? renewTime:*m? binaryVersion:s emulationVersion:s? strategy:s?
discovery/v1.Endpoint addresses:[s%l conditions:#eb? hostname:*s? targetRef:*#4b? deprecatedTopology:{s? nodeName:*s? zone:*s? hints:*#ec?
discovery/v1.EndpointPort%a name:*s? protocol:*s? port:*i? appProtocol:*s?
discovery/v1beta1.Endpoint addresses:[s%l conditions:#ed? hostname:*s? targetRef:*#4b? topology:{s? nodeName:*s? hints:*#ee?
discovery/v1beta1.EndpointPort name:*s? protocol:*s? port:*i? appProtocol:*s?
events/v1.EventSeries count:i lastObservedTime:m
events/v1beta1.EventSeries count:i lastObservedTime:m
extensions/v1beta1.DaemonSetSpec selector:*#9r? template:#4r updateStrategy:#ef? minReadySeconds:i? templateGeneration:I? revisionHistoryLimit:*i?
extensions/v1beta1.DaemonSetStatus currentNumberScheduled:i numberMisscheduled:i desiredNumberScheduled:i numberReady:i observedGeneration:I? updatedNumberScheduled:i? numberAvailable:i? numberUnavailable:i? collisionCount:*i? conditions:[#eg?~merge/type%l+type
extensions/v1beta1.DeploymentSpec replicas:*i? selector:*#9r? template:#4r strategy:#eh?~retainKeys minReadySeconds:i? revisionHistoryLimit:*i? paused:b? rollbackTo:*#ei? progressDeadlineSeconds:*i?
extensions/v1beta1.DeploymentStatus observedGeneration:I? replicas:i? updatedReplicas:i? readyReplicas:i? availableReplicas:i? unavailableReplicas:i? terminatingReplicas:*i? conditions:[#ej?~merge/type%l+type collisionCount:*i?
extensions/v1beta1.IngressSpec ingressClassName:*s? backend:*#ek? tls:[#el? rules:[#em?
extensions/v1beta1.IngressStatus loadBalancer:#en?
extensions/v1beta1.NetworkPolicySpec podSelector:#9r ingress:[#eo? egress:[#ep? policyTypes:[s?
extensions/v1beta1.ReplicaSetSpec replicas:*i? minReadySeconds:i? selector:*#9r? template:#4r?
extensions/v1beta1.ReplicaSetStatus replicas:i fullyLabeledReplicas:i? readyReplicas:i? availableReplicas:i? terminatingReplicas:*i? observedGeneration:I? conditions:[#eq?~merge/type%l+type
flowcontrol/v1.FlowSchemaSpec priorityLevelConfiguration:#er matchingPrecedence:i distinguisherMethod:*#es? rules:[#et?
flowcontrol/v1.FlowSchemaStatus conditions:[#eu?~merge/type%l+type
flowcontrol/v1.PriorityLevelConfigurationSpec type:s limited:*#ev? exempt:*#ew?
flowcontrol/v1.PriorityLevelConfigurationStatus conditions:[#ex?~merge/type%l+type
flowcontrol/v1beta1.FlowSchemaSpec priorityLevelConfiguration:#ey matchingPrecedence:i distinguisherMethod:*#ez? rules:[#f0?
flowcontrol/v1beta1.FlowSchemaStatus conditions:[#f1?%l+type
flowcontrol/v1beta1.PriorityLevelConfigurationSpec type:s limited:*#f2? exempt:*#f3?
flowcontrol/v1beta1.PriorityLevelConfigurationStatus conditions:[#f4?%l+type
flowcontrol/v1beta2.FlowSchemaSpec priorityLevelConfiguration:#f5 matchingPrecedence:i distinguisherMethod:*#f6? rules:[#f7?
flowcontrol/v1beta2.FlowSchemaStatus conditions:[#f8?%l+type
flowcontrol/v1beta2.PriorityLevelConfigurationSpec type:s limited:*#f9? exempt:*#fa?
flowcontrol/v1beta2.PriorityLevelConfigurationStatus conditions:[#fb?%l+type
flowcontrol/v1beta3.FlowSchemaSpec priorityLevelConfiguration:#fc matchingPrecedence:i distinguisherMethod:*#fd? rules:[#fe?
flowcontrol/v1beta3.FlowSchemaStatus conditions:[#ff?~merge/type%l+type
flowcontrol/v1beta3.PriorityLevelConfigurationSpec type:s limited:*#fg? exempt:*#fh?
flowcontrol/v1beta3.PriorityLevelConfigurationStatus conditions:[#fi?~merge/type%l+type
apiserverinternal/v1alpha1.StorageVersionSpec
apiserverinternal/v1alpha1.StorageVersionStatus storageVersions:[#fj?%l+apiServerID commonEncodingVersion:*s? conditions:[#fk?%l+type
networking/v1.IPAddressSpec parentRef:*#fl?
networking/v1.IngressSpec ingressClassName:*s? defaultBackend:*#fm? tls:[#fn? rules:[#fo?
networking/v1.IngressStatus loadBalancer:#fp?
networking/v1.IngressClassSpec controller:s? parameters:*#fq?
networking/v1.NetworkPolicySpec podSelector:#9r ingress:[#fr? egress:[#fs? policyTypes:[s?
networking/v1.ServiceCIDRSpec cidrs:[s?
networking/v1.ServiceCIDRStatus conditions:[#c3?~merge/type%l+type
networking/v1beta1.IPAddressSpec parentRef:*#ft?
networking/v1beta1.IngressSpec ingressClassName:*s? backend:*#fu? tls:[#fv? rules:[#fw?
networking/v1beta1.IngressStatus loadBalancer:#fx?
networking/v1beta1.IngressClassSpec controller:s? parameters:*#fy?
networking/v1beta1.ServiceCIDRSpec cidrs:[s?
networking/v1beta1.ServiceCIDRStatus conditions:[#c3?~merge/type%l+type
node/v1.Overhead podFixed:{q?
node/v1.Scheduling nodeSelector:{s?%a tolerations:[#bh?
node/v1alpha1.RuntimeClassSpec runtimeHandler:s overhead:*#fz? scheduling:*#g0?
node/v1beta1.Overhead podFixed:{q?
node/v1beta1.Scheduling nodeSelector:{s?%a tolerations:[#bh?
meta/v1.DeleteOptions kind:s? apiVersion:s? gracePeriodSeconds:*I? preconditions:*#g1? orphanDependents:*b? propagationPolicy:*s? dryRun:[s? ignoreStoreReadErrorWithClusterBreakingPotential:*b?
policy/v1.PodDisruptionBudgetSpec minAvailable:*x? selector:*#9r?~replace maxUnavailable:*x? unhealthyPodEvictionPolicy:*s?
policy/v1.PodDisruptionBudgetStatus observedGeneration:I? disruptedPods:{t? disruptionsAllowed:i currentHealthy:i desiredHealthy:i expectedPods:i conditions:[#c3?~merge/type%l+type
policy/v1beta1.PodDisruptionBudgetSpec minAvailable:*x? selector:*#9r? maxUnavailable:*x? unhealthyPodEvictionPolicy:*s?
policy/v1beta1.PodDisruptionBudgetStatus observedGeneration:I? disruptedPods:{t? disruptionsAllowed:i currentHealthy:i desiredHealthy:i expectedPods:i conditions:[#c3?~merge/type%l+type
rbac/v1.PolicyRule verbs:[s apiGroups:[s? resources:[s? resourceNames:[s? nonResourceURLs:[s?
rbac/v1.AggregationRule clusterRoleSelectors:[#9r?
rbac/v1.Subject%a kind:s apiGroup:s? name:s namespace:s?
rbac/v1.RoleRef%a apiGroup:s kind:s name:s
rbac/v1alpha1.PolicyRule verbs:[s apiGroups:[s? resources:[s? resourceNames:[s? nonResourceURLs:[s?
rbac/v1alpha1.AggregationRule clusterRoleSelectors:[#9r?
rbac/v1alpha1.Subject kind:s apiVersion:s? name:s namespace:s?
rbac/v1alpha1.RoleRef apiGroup:s kind:s name:s
rbac/v1beta1.PolicyRule verbs:[s apiGroups:[s? resources:[s? resourceNames:[s? nonResourceURLs:[s?
rbac/v1beta1.AggregationRule clusterRoleSelectors:[#9r?
rbac/v1beta1.Subject kind:s apiGroup:s? name:s namespace:s?
rbac/v1beta1.RoleRef apiGroup:s kind:s name:s
resource/v1.DeviceClassSpec selectors:[#g2? config:[#g3? extendedResourceName:*s?
resource/v1.ResourceClaimSpec devices:#g4
resource/v1.ResourceClaimStatus allocation:*#g5? reservedFor:[#g6?~merge/uid%l+uid devices:[#g7?%l+driver+device+pool+shareID
resource/v1.ResourceClaimTemplateSpec metadata:#4a? spec:#92
resource/v1.ResourceSliceSpec driver:s pool:#g8 nodeName:*s? nodeSelector:*#g9? allNodes:*b? devices:[#ga? perDeviceNodeSelection:*b? sharedCounters:[#gb?
resource/v1alpha3.DeviceTaintRuleSpec deviceSelector:*#gc? taint:#gd?
resource/v1alpha3.DeviceTaintRuleStatus conditions:[#c3?~merge/type%l+type
resource/v1alpha3.ResourcePoolStatusRequestSpec driver:s poolName:*s? limit:*i?
resource/v1alpha3.ResourcePoolStatusRequestStatus poolCount:*i? pools:[#ge? conditions:[#c3?~merge/type%l+type
resource/v1beta1.DeviceClassSpec selectors:[#gf? config:[#gg? extendedResourceName:*s?
resource/v1beta1.ResourceClaimSpec devices:#gh
resource/v1beta1.ResourceClaimStatus allocation:*#gi? reservedFor:[#gj?~merge/uid%l+uid devices:[#gk?%l+driver+device+pool+shareID
resource/v1beta1.ResourceClaimTemplateSpec metadata:#4a? spec:#9b
resource/v1beta1.ResourceSliceSpec driver:s pool:#gl nodeName:s? nodeSelector:*#g9? allNodes:b? devices:[#gm? perDeviceNodeSelection:*b? sharedCounters:[#gn?
resource/v1beta2.DeviceClassSpec selectors:[#go? config:[#gp? extendedResourceName:*s?
resource/v1beta2.DeviceTaintRuleSpec deviceSelector:*#gq? taint:#gr?
resource/v1beta2.DeviceTaintRuleStatus conditions:[#c3?~merge/type%l+type
resource/v1beta2.ResourceClaimSpec devices:#gs
resource/v1beta2.ResourceClaimStatus allocation:*#gt? reservedFor:[#gu?~merge/uid%l+uid devices:[#gv?%l+driver+device+pool+shareID
resource/v1beta2.ResourceClaimTemplateSpec metadata:#4a? spec:#9i
resource/v1beta2.ResourceSliceSpec driver:s pool:#gw nodeName:*s? nodeSelector:*#g9? allNodes:*b? devices:[#gx? perDeviceNodeSelection:*b? sharedCounters:[#gy?
scheduling/v1alpha2.PodGroupSpec podGroupTemplateRef:*#gz schedulingPolicy:#h0 schedulingConstraints:*#h1? resourceClaims:[#h2?~merge+retainKeys/name%l+name disruptionMode:*s? priorityClassName:s? priority:*i?
scheduling/v1alpha2.PodGroupStatus conditions:[#c3?~merge/type%l+type resourceClaimStatuses:[#h3?~merge+retainKeys/name%l+name
scheduling/v1alpha2.WorkloadSpec controllerRef:*#h4? podGroupTemplates:[#h5%l+name
storage/v1.CSIDriverSpec attachRequired:*b? podInfoOnMount:*b? volumeLifecycleModes:[s?%l storageCapacity:*b? fsGroupPolicy:*s? tokenRequests:[#h6? requiresRepublish:*b? seLinuxMount:*b? nodeAllocatableUpdatePeriodSeconds:*I? serviceAccountTokenInSecrets:*b? preventPodSchedulingIfMissing:*b?
storage/v1.CSINodeSpec drivers:[#h7~merge/name%l+name
meta/v1.LabelSelector%a matchLabels:{s? matchExpressions:[#h8?
core/v1.TopologySelectorTerm%a matchLabelExpressions:[#h9?
storage/v1.VolumeAttachmentSpec attacher:s source:#ha nodeName:s
storage/v1.VolumeAttachmentStatus attached:b attachmentMetadata:{s? attachError:*#hb? detachError:*#hb?
storage/v1alpha1.VolumeAttachmentSpec attacher:s source:#hc nodeName:s
storage/v1alpha1.VolumeAttachmentStatus attached:b attachmentMetadata:{s? attachError:*#hd? detachError:*#hd?
storage/v1beta1.CSIDriverSpec attachRequired:*b? podInfoOnMount:*b? volumeLifecycleModes:[s? storageCapacity:*b? fsGroupPolicy:*s? tokenRequests:[#he? requiresRepublish:*b? seLinuxMount:*b? nodeAllocatableUpdatePeriodSeconds:*I? serviceAccountTokenInSecrets:*b? preventPodSchedulingIfMissing:*b?
storage/v1beta1.CSINodeSpec drivers:[#hf~merge/name%l+name
storage/v1beta1.VolumeAttachmentSpec attacher:s source:#hg nodeName:s
storage/v1beta1.VolumeAttachmentStatus attached:b attachmentMetadata:{s? attachError:*#hh? detachError:*#hh?
storagemigration/v1beta1.StorageVersionMigrationSpec resource:#hi
storagemigration/v1beta1.StorageVersionMigrationStatus conditions:[#c3?~merge/type%l+type resourceVersion:s?
meta/v1.OwnerReference%a apiVersion:s kind:s name:s uid:s="" controller:*b? blockOwnerDeletion:*b?
meta/v1.ManagedFieldsEntry manager:s? operation:s? apiVersion:s? time:*t? fieldsType:s? fieldsV1:*j? subresource:s?
core/v1.EndpointAddress%a ip:s hostname:s? nodeName:*s? targetRef:*#4b?
core/v1.EndpointPort%a name:s? port:i protocol:s? appProtocol:*s?
core/v1.LimitRangeItem type:s max:{q? min:{q? default:{q? defaultRequest:{q? maxLimitRequestRatio:{q?
core/v1.NamespaceCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
core/v1.Taint key:s value:s? effect:s timeAdded:*t?
core/v1.NodeConfigSource configMap:*#hj?
core/v1.NodeCondition type:s="" status:s lastHeartbeatTime:t? lastTransitionTime:t? reason:s? message:s?
core/v1.NodeAddress type:s="" address:s
core/v1.NodeDaemonEndpoints kubeletEndpoint:#hk?
core/v1.NodeSystemInfo machineID:s systemUUID:s bootID:s kernelVersion:s osImage:s containerRuntimeVersion:s kubeletVersion:s kubeProxyVersion:s operatingSystem:s architecture:s swap:*#hl?
core/v1.ContainerImage names:[s sizeBytes:I?
core/v1.AttachedVolume name:s devicePath:s
core/v1.NodeConfigStatus assigned:*#aa? active:*#aa? lastKnownGood:*#aa? error:s?
core/v1.NodeRuntimeHandler name:s features:*#hm?
core/v1.NodeFeatures supplementalGroupsPolicy:*b?
core/v1.GCEPersistentDiskVolumeSource pdName:s fsType:s? partition:i? readOnly:b?
core/v1.AWSElasticBlockStoreVolumeSource volumeID:s fsType:s? partition:i? readOnly:b?
core/v1.HostPathVolumeSource path:s type:*s?
core/v1.GlusterfsPersistentVolumeSource endpoints:s path:s readOnly:b? endpointsNamespace:*s?
core/v1.NFSVolumeSource server:s path:s readOnly:b?
core/v1.RBDPersistentVolumeSource monitors:[s image:s fsType:s? pool:s? user:s? keyring:s? secretRef:*#hn? readOnly:b?
core/v1.ISCSIPersistentVolumeSource targetPortal:s iqn:s lun:i iscsiInterface:s? fsType:s? readOnly:b? portals:[s? chapAuthDiscovery:b? chapAuthSession:b? secretRef:*#hn? initiatorName:*s?
core/v1.CinderPersistentVolumeSource volumeID:s fsType:s? readOnly:b? secretRef:*#hn?
core/v1.CephFSPersistentVolumeSource monitors:[s path:s? user:s? secretFile:s? secretRef:*#hn? readOnly:b?
core/v1.FCVolumeSource targetWWNs:[s? lun:*i? fsType:s? readOnly:b? wwids:[s?
core/v1.FlockerVolumeSource datasetName:s? datasetUUID:s?
core/v1.FlexPersistentVolumeSource driver:s fsType:s? secretRef:*#hn? readOnly:b? options:{s?
core/v1.AzureFilePersistentVolumeSource secretName:s shareName:s readOnly:b? secretNamespace:*s
core/v1.VsphereVirtualDiskVolumeSource volumePath:s fsType:s? storagePolicyName:s? storagePolicyID:s?
core/v1.QuobyteVolumeSource registry:s volume:s readOnly:b? user:s? group:s? tenant:s?
core/v1.AzureDiskVolumeSource diskName:s diskURI:s cachingMode:*s? fsType:*s? readOnly:*b? kind:*s?
core/v1.PhotonPersistentDiskVolumeSource pdID:s fsType:s?
core/v1.PortworxVolumeSource volumeID:s fsType:s? readOnly:b?
core/v1.ScaleIOPersistentVolumeSource gateway:s system:s secretRef:*#hn sslEnabled:b? protectionDomain:s? storagePool:s? storageMode:s? volumeName:s? fsType:s? readOnly:b?
core/v1.LocalVolumeSource path:s fsType:*s?
core/v1.StorageOSPersistentVolumeSource volumeName:s? volumeNamespace:s? fsType:s? readOnly:b? secretRef:*#4b?
core/v1.CSIPersistentVolumeSource driver:s volumeHandle:s readOnly:b? fsType:s? volumeAttributes:{s? controllerPublishSecretRef:*#hn? nodeStageSecretRef:*#hn? nodePublishSecretRef:*#hn? controllerExpandSecretRef:*#hn? nodeExpandSecretRef:*#hn?
core/v1.VolumeNodeAffinity required:*#g9?
core/v1.VolumeResourceRequirements limits:{q? requests:{q?
core/v1.TypedLocalObjectReference%a apiGroup:*s kind:s name:s
core/v1.TypedObjectReference apiGroup:*s kind:s name:s namespace:*s?
core/v1.PersistentVolumeClaimCondition type:s="" status:s lastProbeTime:t? lastTransitionTime:t? reason:s? message:s?
core/v1.ModifyVolumeStatus targetVolumeAttributesClassName:s? status:s
core/v1.Volume name:s="" hostPath:*#am? emptyDir:*#ho? gcePersistentDisk:*#ak? awsElasticBlockStore:*#al? gitRepo:*#hp? secret:*#hq? nfs:*#ao? iscsi:*#hr? glusterfs:*#hs? persistentVolumeClaim:*#ht? rbd:*#hu? flexVolume:*#hv? cinder:*#hw? cephfs:*#hx? flocker:*#au? downwardAPI:*#hy? fc:*#at? azureFile:*#hz? configMap:*#i0? vsphereVolume:*#ax? quobyte:*#ay? azureDisk:*#az? photonPersistentDisk:*#b0? projected:*#i1? portworxVolume:*#b1? scaleIO:*#i2? storageos:*#i3? csi:*#i4? ephemeral:*#i5? image:*#i6?
core/v1.Container name:s="" image:s? command:[s? args:[s? workingDir:s? ports:[#i7?~merge/containerPort%l+containerPort+protocol envFrom:[#i8? env:[#i9?~merge/name%l+name resources:#bp? resizePolicy:[#ia? restartPolicy:*s? restartPolicyRules:[#ib? volumeMounts:[#ic?~merge/mountPath%l+mountPath volumeDevices:[#id?~merge/devicePath%l+devicePath livenessProbe:*#ie? readinessProbe:*#ie? startupProbe:*#ie? lifecycle:*#if? terminationMessagePath:s? terminationMessagePolicy:s? imagePullPolicy:s? securityContext:*#ig? stdin:b? stdinOnce:b? tty:b?
core/v1.EphemeralContainer name:s="" image:s? command:[s? args:[s? workingDir:s? ports:[#i7?~merge/containerPort%l+containerPort+protocol envFrom:[#i8? env:[#i9?~merge/name%l+name resources:#bp? resizePolicy:[#ia? restartPolicy:*s? restartPolicyRules:[#ib? volumeMounts:[#ic?~merge/mountPath%l+mountPath volumeDevices:[#id?~merge/devicePath%l+devicePath livenessProbe:*#ie? readinessProbe:*#ie? startupProbe:*#ie? lifecycle:*#if? terminationMessagePath:s? terminationMessagePolicy:s? imagePullPolicy:s? securityContext:*#ig? stdin:b? stdinOnce:b? tty:b? targetContainerName:s?
core/v1.PodSecurityContext seLinuxOptions:*#ih? windowsOptions:*#ii? runAsUser:*I? runAsGroup:*I? runAsNonRoot:*b? supplementalGroups:[I? supplementalGroupsPolicy:*s? fsGroup:*I? sysctls:[#ij? fsGroupChangePolicy:*s? seccompProfile:*#ik? appArmorProfile:*#il? seLinuxChangePolicy:*s?
core/v1.Affinity nodeAffinity:*#im? podAffinity:*#in? podAntiAffinity:*#io?
core/v1.Toleration key:s? operator:s? value:s? effect:s? tolerationSeconds:*I?
core/v1.HostAlias ip:s="" hostnames:[s?
core/v1.PodDNSConfig nameservers:[s? searches:[s? options:[#ip?
core/v1.PodReadinessGate conditionType:s
core/v1.TopologySpreadConstraint maxSkew:i topologyKey:s="" whenUnsatisfiable:s="" labelSelector:*#9r? minDomains:*i? nodeAffinityPolicy:*s? nodeTaintsPolicy:*s? matchLabelKeys:[s?
core/v1.PodOS name:s
core/v1.PodSchedulingGate name:s=""
core/v1.PodResourceClaim name:s="" resourceClaimName:*s? resourceClaimTemplateName:*s?
core/v1.ResourceRequirements limits:{q? requests:{q? claims:[#iq?%l+name
core/v1.PodSchedulingGroup podGroupName:*s?
core/v1.PodCondition type:s="" observedGeneration:I? status:s lastProbeTime:t? lastTransitionTime:t? reason:s? message:s?
core/v1.HostIP ip:s
core/v1.PodIP ip:s=""
core/v1.ContainerStatus name:s state:#ir? lastState:#ir? ready:b restartCount:i image:s imageID:s containerID:s? started:*b? allocatedResources:{q? resources:*#bp? volumeMounts:[#is?~merge/mountPath%l+mountPath user:*#it? allocatedResourcesStatus:[#iu?~merge/name%l+name stopSignal:*s?
core/v1.PodResourceClaimStatus name:s="" resourceClaimName:*s?
core/v1.PodExtendedResourceClaimStatus requestMappings:[#iv resourceClaimName:s
core/v1.NodeAllocatableResourceClaimStatus resourceClaimName:s containers:[s?%l resources:{q
core/v1.ReplicationControllerCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
core/v1.ScopeSelector%a matchExpressions:[#iw?
core/v1.ServicePort name:s? protocol:s?="TCP" appProtocol:*s? port:i=0 targetPort:x? nodePort:i?
core/v1.SessionAffinityConfig clientIP:*#ix?
core/v1.LoadBalancerStatus ingress:[#iy?
meta/v1.Condition type:s="" status:s observedGeneration:I? lastTransitionTime:t reason:s message:s
admissionregistration/v1.ParamKind%a apiVersion:s? kind:s?
admissionregistration/v1.MatchResources%a namespaceSelector:*#9r? objectSelector:*#9r? resourceRules:[#iz? excludeResourceRules:[#iz? matchPolicy:*s?
admissionregistration/v1.Variable%a name:s="" expression:s
admissionregistration/v1.Mutation patchType:s applyConfiguration:*#j0? jsonPatch:*#j1?
admissionregistration/v1.MatchCondition name:s="" expression:s
admissionregistration/v1.ParamRef%a name:s? namespace:s? selector:*#9r? parameterNotFoundAction:*s?
admissionregistration/v1.WebhookClientConfig url:*s? service:*#j2? caBundle:y?
admissionregistration/v1.RuleWithOperations operations:[s? apiGroups:[s? apiVersions:[s? resources:[s? scope:*s?
admissionregistration/v1.Validation expression:s message:s? reason:*s? messageExpression:s?
admissionregistration/v1.AuditAnnotation key:s valueExpression:s
admissionregistration/v1.TypeChecking expressionWarnings:[#j3?
admissionregistration/v1alpha1.ParamKind%a apiVersion:s? kind:s?
admissionregistration/v1alpha1.MatchResources%a namespaceSelector:*#9r? objectSelector:*#9r? resourceRules:[#j4? excludeResourceRules:[#j4? matchPolicy:*s?
admissionregistration/v1alpha1.Variable name:s="" expression:s
admissionregistration/v1alpha1.Mutation patchType:s applyConfiguration:*#j5? jsonPatch:*#j6?
admissionregistration/v1alpha1.MatchCondition name:s="" expression:s
admissionregistration/v1alpha1.ParamRef%a name:s? namespace:s? selector:*#9r? parameterNotFoundAction:*s?
admissionregistration/v1alpha1.Validation expression:s message:s? reason:*s? messageExpression:s?
admissionregistration/v1alpha1.AuditAnnotation key:s valueExpression:s
admissionregistration/v1alpha1.TypeChecking expressionWarnings:[#j7?
admissionregistration/v1beta1.ParamKind%a apiVersion:s? kind:s?
admissionregistration/v1beta1.MatchResources%a namespaceSelector:*#9r? objectSelector:*#9r? resourceRules:[#j8? excludeResourceRules:[#j8? matchPolicy:*s?
admissionregistration/v1beta1.Variable%a name:s="" expression:s
admissionregistration/v1beta1.Mutation patchType:s applyConfiguration:*#j9? jsonPatch:*#ja?
admissionregistration/v1beta1.MatchCondition name:s="" expression:s
admissionregistration/v1beta1.ParamRef%a name:s? namespace:s? selector:*#9r? parameterNotFoundAction:*s?
admissionregistration/v1beta1.WebhookClientConfig url:*s? service:*#jb? caBundle:y?
admissionregistration/v1beta1.Validation expression:s message:s? reason:*s? messageExpression:s?
admissionregistration/v1beta1.AuditAnnotation key:s valueExpression:s
admissionregistration/v1beta1.TypeChecking expressionWarnings:[#jc?
apps/v1.DaemonSetUpdateStrategy type:s? rollingUpdate:*#jd?
apps/v1.DaemonSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1.DeploymentStrategy type:s? rollingUpdate:*#je?
apps/v1.DeploymentCondition type:s="" status:s lastUpdateTime:t? lastTransitionTime:t? reason:s? message:s?
apps/v1.ReplicaSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1.StatefulSetUpdateStrategy type:s? rollingUpdate:*#jf?
apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s? whenScaled:s?
apps/v1.StatefulSetOrdinals start:i
apps/v1.StatefulSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1beta1.DeploymentStrategy type:s? rollingUpdate:*#jg?
apps/v1beta1.RollbackConfig revision:I?
apps/v1beta1.DeploymentCondition type:s="" status:s lastUpdateTime:t? lastTransitionTime:t? reason:s? message:s?
apps/v1beta1.StatefulSetUpdateStrategy type:s? rollingUpdate:*#jh?
apps/v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s? whenScaled:s?
apps/v1beta1.StatefulSetOrdinals start:i
apps/v1beta1.StatefulSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1beta2.DaemonSetUpdateStrategy type:s? rollingUpdate:*#ji?
apps/v1beta2.DaemonSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1beta2.DeploymentStrategy type:s? rollingUpdate:*#jj?
apps/v1beta2.DeploymentCondition type:s="" status:s lastUpdateTime:t? lastTransitionTime:t? reason:s? message:s?
apps/v1beta2.ReplicaSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
apps/v1beta2.StatefulSetUpdateStrategy type:s? rollingUpdate:*#jk?
apps/v1beta2.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s? whenScaled:s?
apps/v1beta2.StatefulSetOrdinals start:i
apps/v1beta2.StatefulSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
authentication/v1.UserInfo- username:s? uid:s? groups:[s? extra:{[s?
authentication/v1beta1.UserInfo- username:s? uid:s? groups:[s? extra:{[s?
authorization/v1.ResourceAttributes- namespace:s? verb:s? group:s? version:s? resource:s? subresource:s? name:s? fieldSelector:*#jl? labelSelector:*#jm?
authorization/v1.NonResourceAttributes- path:s? verb:s?
authorization/v1.ResourceRule- verbs:[s apiGroups:[s? resources:[s? resourceNames:[s?
authorization/v1.NonResourceRule- verbs:[s nonResourceURLs:[s?
authorization/v1beta1.ResourceAttributes- namespace:s? verb:s? group:s? version:s? resource:s? subresource:s? name:s? fieldSelector:*#jl? labelSelector:*#jm?
authorization/v1beta1.NonResourceAttributes- path:s? verb:s?
authorization/v1beta1.ResourceRule- verbs:[s apiGroups:[s? resources:[s? resourceNames:[s?
authorization/v1beta1.NonResourceRule- verbs:[s nonResourceURLs:[s?
autoscaling/v1.CrossVersionObjectReference%a kind:s name:s apiVersion:s?
autoscaling/v2.CrossVersionObjectReference kind:s name:s apiVersion:s?
autoscaling/v2.MetricSpec type:s object:*#jn? pods:*#jo? resource:*#jp? containerResource:*#jq? external:*#jr?
autoscaling/v2.HorizontalPodAutoscalerBehavior scaleUp:*#js? scaleDown:*#js?
autoscaling/v2.MetricStatus type:s object:*#jt? pods:*#ju? resource:*#jv? containerResource:*#jw? external:*#jx?
autoscaling/v2.HorizontalPodAutoscalerCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
batch/v1.JobTemplateSpec metadata:#4a? spec:#6p?
batch/v1.PodFailurePolicy rules:[#jy
batch/v1.SuccessPolicy rules:[#jz
batch/v1.JobCondition type:s status:s lastProbeTime:t? lastTransitionTime:t? reason:s? message:s?
batch/v1.UncountedTerminatedPods succeeded:[s?%l failed:[s?%l
batch/v1beta1.JobTemplateSpec metadata:#4a? spec:#6p?
certificates/v1.CertificateSigningRequestCondition type:s="" status:s reason:s? message:s? lastUpdateTime:t? lastTransitionTime:t?
certificates/v1beta1.CertificateSigningRequestCondition type:s="" status:s reason:s? message:s? lastUpdateTime:t? lastTransitionTime:t?
discovery/v1.EndpointConditions ready:*b? serving:*b? terminating:*b?
discovery/v1.EndpointHints forZones:[#k0? forNodes:[#k1?
discovery/v1beta1.EndpointConditions ready:*b? serving:*b? terminating:*b?
discovery/v1beta1.EndpointHints forZones:[#k2? forNodes:[#k3?
extensions/v1beta1.DaemonSetUpdateStrategy type:s? rollingUpdate:*#k4?
extensions/v1beta1.DaemonSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
extensions/v1beta1.DeploymentStrategy type:s? rollingUpdate:*#k5?
extensions/v1beta1.RollbackConfig revision:I?
extensions/v1beta1.DeploymentCondition type:s="" status:s lastUpdateTime:t? lastTransitionTime:t? reason:s? message:s?
extensions/v1beta1.IngressBackend serviceName:s? servicePort:x? resource:*#b8?
extensions/v1beta1.IngressTLS hosts:[s? secretName:s?
extensions/v1beta1.IngressRule host:s? http:*#k6?
extensions/v1beta1.IngressLoadBalancerStatus ingress:[#k7?
extensions/v1beta1.NetworkPolicyIngressRule ports:[#k8? from:[#k9?
extensions/v1beta1.NetworkPolicyEgressRule ports:[#k8? to:[#k9?
extensions/v1beta1.ReplicaSetCondition type:s="" status:s lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1.PriorityLevelConfigurationReference name:s
flowcontrol/v1.FlowDistinguisherMethod type:s
flowcontrol/v1.PolicyRulesWithSubjects subjects:[#ka resourceRules:[#kb? nonResourceRules:[#kc?
flowcontrol/v1.FlowSchemaCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1.LimitedPriorityLevelConfiguration nominalConcurrencyShares:*i limitResponse:#kd? lendablePercent:*i? borrowingLimitPercent:*i?
flowcontrol/v1.ExemptPriorityLevelConfiguration nominalConcurrencyShares:*i? lendablePercent:*i?
flowcontrol/v1.PriorityLevelConfigurationCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta1.PriorityLevelConfigurationReference name:s
flowcontrol/v1beta1.FlowDistinguisherMethod type:s
flowcontrol/v1beta1.PolicyRulesWithSubjects subjects:[#ke resourceRules:[#kf? nonResourceRules:[#kg?
flowcontrol/v1beta1.FlowSchemaCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta1.LimitedPriorityLevelConfiguration assuredConcurrencyShares:i limitResponse:#kh? lendablePercent:*i? borrowingLimitPercent:*i?
flowcontrol/v1beta1.ExemptPriorityLevelConfiguration nominalConcurrencyShares:*i? lendablePercent:*i?
flowcontrol/v1beta1.PriorityLevelConfigurationCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta2.PriorityLevelConfigurationReference name:s
flowcontrol/v1beta2.FlowDistinguisherMethod type:s
flowcontrol/v1beta2.PolicyRulesWithSubjects subjects:[#ki resourceRules:[#kj? nonResourceRules:[#kk?
flowcontrol/v1beta2.FlowSchemaCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta2.LimitedPriorityLevelConfiguration assuredConcurrencyShares:i limitResponse:#kl? lendablePercent:*i? borrowingLimitPercent:*i?
flowcontrol/v1beta2.ExemptPriorityLevelConfiguration nominalConcurrencyShares:*i? lendablePercent:*i?
flowcontrol/v1beta2.PriorityLevelConfigurationCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta3.PriorityLevelConfigurationReference name:s
flowcontrol/v1beta3.FlowDistinguisherMethod type:s
flowcontrol/v1beta3.PolicyRulesWithSubjects subjects:[#km resourceRules:[#kn? nonResourceRules:[#ko?
flowcontrol/v1beta3.FlowSchemaCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
flowcontrol/v1beta3.LimitedPriorityLevelConfiguration nominalConcurrencyShares:i limitResponse:#kp? lendablePercent:*i? borrowingLimitPercent:*i?
flowcontrol/v1beta3.ExemptPriorityLevelConfiguration nominalConcurrencyShares:*i? lendablePercent:*i?
flowcontrol/v1beta3.PriorityLevelConfigurationCondition type:s? status:s? lastTransitionTime:t? reason:s? message:s?
apiserverinternal/v1alpha1.ServerStorageVersion apiServerID:s? encodingVersion:s? decodableVersions:[s?%l servedVersions:[s?%l
apiserverinternal/v1alpha1.StorageVersionCondition type:s="" status:s observedGeneration:I? lastTransitionTime:t? reason:s message:s?
networking/v1.ParentReference group:s? resource:s? namespace:s? name:s?
networking/v1.IngressBackend service:*#kq? resource:*#b8?
networking/v1.IngressTLS hosts:[s? secretName:s?
networking/v1.IngressRule host:s? http:*#kr?
networking/v1.IngressLoadBalancerStatus ingress:[#ks?
networking/v1.IngressClassParametersReference apiGroup:*s? kind:s name:s scope:*s namespace:*s?
networking/v1.NetworkPolicyIngressRule ports:[#kt? from:[#ku?
networking/v1.NetworkPolicyEgressRule ports:[#kt? to:[#ku?
networking/v1beta1.ParentReference group:s? resource:s? namespace:s? name:s?
networking/v1beta1.IngressBackend serviceName:s? servicePort:x? resource:*#b8?
networking/v1beta1.IngressTLS hosts:[s? secretName:s?
networking/v1beta1.IngressRule host:s? http:*#kv?
networking/v1beta1.IngressLoadBalancerStatus ingress:[#kw?
networking/v1beta1.IngressClassParametersReference apiGroup:*s? kind:s name:s scope:*s namespace:*s?
node/v1alpha1.Overhead podFixed:{q?
node/v1alpha1.Scheduling nodeSelector:{s?%a tolerations:[#bh?
meta/v1.Preconditions uid:*s? resourceVersion:*s?
resource/v1.DeviceSelector cel:*#kx?
resource/v1.DeviceClassConfiguration opaque:*#ky?
resource/v1.DeviceClaim requests:[#kz constraints:[#l0? config:[#l1?
resource/v1.AllocationResult devices:#l2? nodeSelector:*#g9? allocationTimestamp:*t?
resource/v1.ResourceClaimConsumerReference apiGroup:s? resource:s name:s uid:s=""
resource/v1.AllocatedDeviceStatus driver:s="" pool:s="" device:s="" shareID:*s? conditions:[#c3%l+type data:*r? networkData:*#l3?
resource/v1.ResourcePool name:s generation:I resourceSliceCount:I
core/v1.NodeSelector%a nodeSelectorTerms:[#l4
resource/v1.Device name:s attributes:{#l5? capacity:{#l6? consumesCounters:[#l7? nodeName:*s? nodeSelector:*#g9? allNodes:*b? taints:[#l8? bindsToNode:*b? bindingConditions:[s? bindingFailureConditions:[s? allowMultipleAllocations:*b? nodeAllocatableResourceMappings:{#l9?
resource/v1.CounterSet name:s counters:{#la?
resource/v1alpha3.DeviceTaintSelector driver:*s? pool:*s? device:*s?
resource/v1alpha3.DeviceTaint key:s value:s? effect:s timeAdded:*t?
resource/v1alpha3.PoolStatus driver:s? poolName:s? generation:I resourceSliceCount:*i? totalDevices:*i? allocatedDevices:*i? availableDevices:*i? unavailableDevices:*i? nodeName:*s? validationError:*s?
resource/v1beta1.DeviceSelector cel:*#lb?
resource/v1beta1.DeviceClassConfiguration opaque:*#lc?
resource/v1beta1.DeviceClaim requests:[#ld constraints:[#le? config:[#lf?
resource/v1beta1.AllocationResult devices:#lg? nodeSelector:*#g9? allocationTimestamp:*t?
resource/v1beta1.ResourceClaimConsumerReference apiGroup:s? resource:s name:s uid:s=""
resource/v1beta1.AllocatedDeviceStatus driver:s="" pool:s="" device:s="" shareID:*s? conditions:[#c3%l+type data:*r? networkData:*#lh?
resource/v1beta1.ResourcePool name:s generation:I resourceSliceCount:I
resource/v1beta1.Device name:s basic:*#li?
resource/v1beta1.CounterSet name:s counters:{#lj?
resource/v1beta2.DeviceSelector cel:*#lk?
resource/v1beta2.DeviceClassConfiguration opaque:*#ll?
resource/v1beta2.DeviceTaintSelector driver:*s? pool:*s? device:*s?
resource/v1beta2.DeviceTaint key:s value:s? effect:s timeAdded:*t?
resource/v1beta2.DeviceClaim requests:[#lm constraints:[#ln? config:[#lo?
resource/v1beta2.AllocationResult devices:#lp? nodeSelector:*#g9? allocationTimestamp:*t?
resource/v1beta2.ResourceClaimConsumerReference apiGroup:s? resource:s name:s uid:s=""
resource/v1beta2.AllocatedDeviceStatus driver:s="" pool:s="" device:s="" shareID:*s? conditions:[#c3%l+type data:*r? networkData:*#lq?
resource/v1beta2.ResourcePool name:s generation:I resourceSliceCount:I
resource/v1beta2.Device name:s attributes:{#lr? capacity:{#ls? consumesCounters:[#lt? nodeName:*s? nodeSelector:*#g9? allNodes:*b? taints:[#gr? bindsToNode:*b? bindingConditions:[s? bindingFailureConditions:[s? allowMultipleAllocations:*b? nodeAllocatableResourceMappings:{#lu?
resource/v1beta2.CounterSet name:s counters:{#lv?
scheduling/v1alpha2.PodGroupTemplateReference workload:*#lw
scheduling/v1alpha2.PodGroupSchedulingPolicy basic:*#lx? gang:*#ly?
scheduling/v1alpha2.PodGroupSchedulingConstraints topology:[#lz?
scheduling/v1alpha2.PodGroupResourceClaim name:s="" resourceClaimName:*s? resourceClaimTemplateName:*s?
scheduling/v1alpha2.PodGroupResourceClaimStatus name:s="" resourceClaimName:*s?
scheduling/v1alpha2.TypedLocalObjectReference apiGroup:s? kind:s name:s
scheduling/v1alpha2.PodGroupTemplate name:s="" schedulingPolicy:#h0 schedulingConstraints:*#h1 resourceClaims:[#h2?~merge+retainKeys/name%l+name disruptionMode:*s? priorityClassName:s? priority:*i?
storage/v1.TokenRequest audience:s expirationSeconds:*I?
storage/v1.CSINodeDriver name:s="" nodeID:s topologyKeys:[s allocatable:*#m0?
meta/v1.LabelSelectorRequirement key:s operator:s values:[s?
core/v1.TopologySelectorLabelRequirement key:s values:[s
storage/v1.VolumeAttachmentSource persistentVolumeName:*s? inlineVolumeSpec:*#4l?
storage/v1.VolumeError time:t? message:s? errorCode:*i?
storage/v1alpha1.VolumeAttachmentSource persistentVolumeName:*s? inlineVolumeSpec:*#4l?
storage/v1alpha1.VolumeError time:t? message:s? errorCode:*i?
storage/v1beta1.TokenRequest audience:s expirationSeconds:*I?
storage/v1beta1.CSINodeDriver name:s="" nodeID:s topologyKeys:[s allocatable:*#m1?
storage/v1beta1.VolumeAttachmentSource persistentVolumeName:*s? inlineVolumeSpec:*#4l?
storage/v1beta1.VolumeError time:t? message:s? errorCode:*i?
meta/v1.GroupResource group:s resource:s
core/v1.ConfigMapNodeConfigSource namespace:s name:s uid:s? resourceVersion:s? kubeletConfigKey:s
core/v1.DaemonEndpoint Port:i
core/v1.NodeSwapStatus capacity:*I?
core/v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:*b? userNamespaces:*b?
core/v1.SecretReference%a name:s? namespace:s?
core/v1.EmptyDirVolumeSource medium:s? sizeLimit:*q?
core/v1.GitRepoVolumeSource repository:s revision:s? directory:s?
core/v1.SecretVolumeSource secretName:s? items:[#m2? defaultMode:*i? optional:*b?
core/v1.ISCSIVolumeSource targetPortal:s iqn:s lun:i iscsiInterface:s? fsType:s? readOnly:b? portals:[s? chapAuthDiscovery:b? chapAuthSession:b? secretRef:*#4y? initiatorName:*s?
core/v1.GlusterfsVolumeSource endpoints:s path:s readOnly:b?
core/v1.PersistentVolumeClaimVolumeSource claimName:s readOnly:b?
core/v1.RBDVolumeSource monitors:[s image:s fsType:s? pool:s? user:s? keyring:s? secretRef:*#4y? readOnly:b?
core/v1.FlexVolumeSource driver:s fsType:s? secretRef:*#4y? readOnly:b? options:{s?
core/v1.CinderVolumeSource volumeID:s fsType:s? readOnly:b? secretRef:*#4y?
core/v1.CephFSVolumeSource monitors:[s path:s? user:s? secretFile:s? secretRef:*#4y? readOnly:b?
core/v1.DownwardAPIVolumeSource items:[#m3? defaultMode:*i?
core/v1.AzureFileVolumeSource secretName:s shareName:s readOnly:b?
core/v1.ConfigMapVolumeSource name:s? items:[#m2? defaultMode:*i? optional:*b?
core/v1.ProjectedVolumeSource sources:[#m4 defaultMode:*i?
core/v1.ScaleIOVolumeSource gateway:s system:s secretRef:*#4y sslEnabled:b? protectionDomain:s? storagePool:s? storageMode:s? volumeName:s? fsType:s? readOnly:b?
core/v1.StorageOSVolumeSource volumeName:s? volumeNamespace:s? fsType:s? readOnly:b? secretRef:*#4y?
core/v1.CSIVolumeSource driver:s readOnly:*b? fsType:*s? volumeAttributes:{s? nodePublishSecretRef:*#4y?
core/v1.EphemeralVolumeSource volumeClaimTemplate:*#m5?
core/v1.ImageVolumeSource reference:s? pullPolicy:s?
core/v1.ContainerPort name:s? hostPort:i? containerPort:i=0 protocol:s?="TCP" hostIP:s?
core/v1.EnvFromSource prefix:s? configMapRef:*#m6? secretRef:*#m7?
core/v1.EnvVar name:s="" value:s? valueFrom:*#m8?
core/v1.ContainerResizePolicy resourceName:s restartPolicy:s
core/v1.ContainerRestartRule action:s? exitCodes:*#m9?
core/v1.VolumeMount name:s readOnly:b? recursiveReadOnly:*s? mountPath:s="" subPath:s? mountPropagation:*s? subPathExpr:s?
core/v1.VolumeDevice name:s devicePath:s=""
core/v1.Probe exec:*#ma? httpGet:*#mb? tcpSocket:*#mc? grpc:*#md? initialDelaySeconds:i? timeoutSeconds:i? periodSeconds:i? successThreshold:i? failureThreshold:i? terminationGracePeriodSeconds:*I?
core/v1.Lifecycle postStart:*#me? preStop:*#me? stopSignal:*s?
core/v1.SecurityContext capabilities:*#mf? privileged:*b? seLinuxOptions:*#ih? windowsOptions:*#ii? runAsUser:*I? runAsGroup:*I? runAsNonRoot:*b? readOnlyRootFilesystem:*b? allowPrivilegeEscalation:*b? procMount:*s? seccompProfile:*#ik? appArmorProfile:*#il?
core/v1.SELinuxOptions user:s? role:s? type:s? level:s?
core/v1.WindowsSecurityContextOptions gmsaCredentialSpecName:*s? gmsaCredentialSpec:*s? runAsUserName:*s? hostProcess:*b?
core/v1.Sysctl name:s value:s
core/v1.SeccompProfile type:s localhostProfile:*s?
core/v1.AppArmorProfile type:s localhostProfile:*s?
core/v1.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:*#g9? preferredDuringSchedulingIgnoredDuringExecution:[#mg?
core/v1.PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[#mh? preferredDuringSchedulingIgnoredDuringExecution:[#mi?
core/v1.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[#mh? preferredDuringSchedulingIgnoredDuringExecution:[#mi?
core/v1.PodDNSConfigOption name:s? value:*s?
core/v1.ResourceClaim name:s="" request:s?
core/v1.ContainerState waiting:*#mj? running:*#mk? terminated:*#ml?
core/v1.VolumeMountStatus name:s mountPath:s="" readOnly:b? recursiveReadOnly:*s? volumeStatus:*#mm?
core/v1.ContainerUser linux:*#mn?
core/v1.ResourceStatus name:s="" resources:[#mo?%l+resourceID
core/v1.ContainerExtendedResourceRequest containerName:s resourceName:s requestName:s
core/v1.ScopedResourceSelectorRequirement scopeName:s operator:s values:[s?
core/v1.ClientIPConfig timeoutSeconds:*i?
core/v1.LoadBalancerIngress ip:s? hostname:s? ipMode:*s? ports:[#mp?
admissionregistration/v1.NamedRuleWithOperations%a resourceNames:[s? operations:[s? apiGroups:[s? apiVersions:[s? resources:[s? scope:*s?
admissionregistration/v1.ApplyConfiguration expression:s?
admissionregistration/v1.JSONPatch expression:s?
admissionregistration/v1.ServiceReference namespace:s name:s path:*s? port:*i?
admissionregistration/v1.ExpressionWarning fieldRef:s warning:s
admissionregistration/v1alpha1.NamedRuleWithOperations%a resourceNames:[s? operations:[s? apiGroups:[s? apiVersions:[s? resources:[s? scope:*s?
admissionregistration/v1alpha1.ApplyConfiguration expression:s?
admissionregistration/v1alpha1.JSONPatch expression:s?
admissionregistration/v1alpha1.ExpressionWarning fieldRef:s warning:s
admissionregistration/v1beta1.NamedRuleWithOperations%a resourceNames:[s? operations:[s? apiGroups:[s? apiVersions:[s? resources:[s? scope:*s?
admissionregistration/v1beta1.ApplyConfiguration expression:s?
admissionregistration/v1beta1.JSONPatch expression:s?
admissionregistration/v1beta1.ServiceReference namespace:s name:s path:*s? port:*i?
admissionregistration/v1beta1.ExpressionWarning fieldRef:s warning:s
apps/v1.RollingUpdateDaemonSet maxUnavailable:*x? maxSurge:*x?
apps/v1.RollingUpdateDeployment maxUnavailable:*x? maxSurge:*x?
apps/v1.RollingUpdateStatefulSetStrategy partition:*i? maxUnavailable:*x?
apps/v1beta1.RollingUpdateDeployment maxUnavailable:*x? maxSurge:*x?
apps/v1beta1.RollingUpdateStatefulSetStrategy partition:*i? maxUnavailable:*x?
apps/v1beta2.RollingUpdateDaemonSet maxUnavailable:*x? maxSurge:*x?
apps/v1beta2.RollingUpdateDeployment maxUnavailable:*x? maxSurge:*x?
apps/v1beta2.RollingUpdateStatefulSetStrategy partition:*i? maxUnavailable:*x?
authorization/v1.FieldSelectorAttributes- rawSelector:s? requirements:[#mq?
authorization/v1.LabelSelectorAttributes- rawSelector:s? requirements:[#h8?
autoscaling/v2.ObjectMetricSource describedObject:#dy target:#mr metric:#ms
autoscaling/v2.PodsMetricSource metric:#ms target:#mr
autoscaling/v2.ResourceMetricSource name:s target:#mr
autoscaling/v2.ContainerResourceMetricSource name:s target:#mr container:s
autoscaling/v2.ExternalMetricSource metric:#ms target:#mr
autoscaling/v2.HPAScalingRules stabilizationWindowSeconds:*i? selectPolicy:*s? policies:[#mt? tolerance:*q?
autoscaling/v2.ObjectMetricStatus metric:#ms current:#mu describedObject:#dy
autoscaling/v2.PodsMetricStatus metric:#ms current:#mu
autoscaling/v2.ResourceMetricStatus name:s current:#mu
autoscaling/v2.ContainerResourceMetricStatus name:s current:#mu container:s
autoscaling/v2.ExternalMetricStatus metric:#ms current:#mu
batch/v1.PodFailurePolicyRule action:s onExitCodes:*#mv? onPodConditions:[#mw?
batch/v1.SuccessPolicyRule succeededIndexes:*s? succeededCount:*i?
discovery/v1.ForZone name:s
discovery/v1.ForNode name:s
discovery/v1beta1.ForZone name:s
discovery/v1beta1.ForNode name:s
extensions/v1beta1.RollingUpdateDaemonSet maxUnavailable:*x? maxSurge:*x?
extensions/v1beta1.RollingUpdateDeployment maxUnavailable:*x? maxSurge:*x?
extensions/v1beta1.HTTPIngressRuleValue paths:[#mx
extensions/v1beta1.IngressLoadBalancerIngress ip:s? hostname:s? ports:[#my?
extensions/v1beta1.NetworkPolicyPort protocol:*s? port:*x? endPort:*i?
extensions/v1beta1.NetworkPolicyPeer podSelector:*#9r? namespaceSelector:*#9r? ipBlock:*#mz?
flowcontrol/v1.Subject kind:s user:*#n0? group:*#n1? serviceAccount:*#n2?
flowcontrol/v1.ResourcePolicyRule verbs:[s%l apiGroups:[s%l resources:[s%l clusterScope:b? namespaces:[s%l
flowcontrol/v1.NonResourcePolicyRule verbs:[s%l nonResourceURLs:[s%l
flowcontrol/v1.LimitResponse type:s queuing:*#n3?
flowcontrol/v1beta1.Subject kind:s user:*#n4? group:*#n5? serviceAccount:*#n6?
flowcontrol/v1beta1.ResourcePolicyRule verbs:[s%l apiGroups:[s%l resources:[s%l clusterScope:b? namespaces:[s%l
flowcontrol/v1beta1.NonResourcePolicyRule verbs:[s%l nonResourceURLs:[s%l
flowcontrol/v1beta1.LimitResponse type:s queuing:*#n7?
flowcontrol/v1beta2.Subject kind:s user:*#n8? group:*#n9? serviceAccount:*#na?
flowcontrol/v1beta2.ResourcePolicyRule verbs:[s%l apiGroups:[s%l resources:[s%l clusterScope:b? namespaces:[s%l
flowcontrol/v1beta2.NonResourcePolicyRule verbs:[s%l nonResourceURLs:[s%l
flowcontrol/v1beta2.LimitResponse type:s queuing:*#nb?
flowcontrol/v1beta3.Subject kind:s user:*#nc? group:*#nd? serviceAccount:*#ne?
flowcontrol/v1beta3.ResourcePolicyRule verbs:[s%l apiGroups:[s%l resources:[s%l clusterScope:b? namespaces:[s%l
flowcontrol/v1beta3.NonResourcePolicyRule verbs:[s%l nonResourceURLs:[s%l
flowcontrol/v1beta3.LimitResponse type:s queuing:*#nf?
networking/v1.IngressServiceBackend name:s port:#ng?
networking/v1.HTTPIngressRuleValue paths:[#nh
networking/v1.IngressLoadBalancerIngress ip:s? hostname:s? ports:[#ni?
networking/v1.NetworkPolicyPort protocol:*s? port:*x? endPort:*i?
networking/v1.NetworkPolicyPeer podSelector:*#9r? namespaceSelector:*#9r? ipBlock:*#nj?
networking/v1beta1.HTTPIngressRuleValue paths:[#nk
networking/v1beta1.IngressLoadBalancerIngress ip:s? hostname:s? ports:[#nl?
resource/v1.CELDeviceSelector expression:s
resource/v1.OpaqueDeviceConfiguration driver:s parameters:r
resource/v1.DeviceRequest name:s exactly:*#nm? firstAvailable:[#nn?
resource/v1.DeviceConstraint requests:[s? matchAttribute:*s? distinctAttribute:*s?
resource/v1.DeviceClaimConfiguration requests:[s? opaque:*#ky?
resource/v1.DeviceAllocationResult results:[#no? config:[#np?
resource/v1.NetworkDeviceData interfaceName:s? ips:[s? hardwareAddress:s?
core/v1.NodeSelectorTerm%a matchExpressions:[#nq? matchFields:[#nq?
resource/v1.DeviceAttribute int:*I? bool:*b? string:*s? version:*s? ints:[I? bools:[b? strings:[s? versions:[s?
resource/v1.DeviceCapacity value:q requestPolicy:*#nr?
resource/v1.DeviceCounterConsumption counterSet:s counters:{#la?
resource/v1.DeviceTaint key:s value:s? effect:s timeAdded:*t?
resource/v1.NodeAllocatableResourceMapping capacityKey:*s? allocationMultiplier:*q?
resource/v1.Counter value:q
resource/v1beta1.CELDeviceSelector expression:s
resource/v1beta1.OpaqueDeviceConfiguration driver:s parameters:r
resource/v1beta1.DeviceRequest name:s deviceClassName:s selectors:[#gf? allocationMode:s? count:I? adminAccess:*b? firstAvailable:[#ns? tolerations:[#nt? capacity:*#nu?
resource/v1beta1.DeviceConstraint requests:[s? matchAttribute:*s? distinctAttribute:*s?
resource/v1beta1.DeviceClaimConfiguration requests:[s? opaque:*#lc?
resource/v1beta1.DeviceAllocationResult results:[#nv? config:[#nw?
resource/v1beta1.NetworkDeviceData interfaceName:s? ips:[s? hardwareAddress:s?
resource/v1beta1.BasicDevice attributes:{#nx? capacity:{#ny? consumesCounters:[#nz? nodeName:*s? nodeSelector:*#g9? allNodes:*b? taints:[#o0? bindsToNode:*b? bindingConditions:[s? bindingFailureConditions:[s? allowMultipleAllocations:*b? nodeAllocatableResourceMappings:{#o1?
resource/v1beta1.Counter value:q
resource/v1beta2.CELDeviceSelector expression:s
resource/v1beta2.OpaqueDeviceConfiguration driver:s parameters:r
resource/v1beta2.DeviceRequest name:s exactly:*#o2? firstAvailable:[#o3?
resource/v1beta2.DeviceConstraint requests:[s? matchAttribute:*s? distinctAttribute:*s?
resource/v1beta2.DeviceClaimConfiguration requests:[s? opaque:*#ll?
resource/v1beta2.DeviceAllocationResult results:[#o4? config:[#o5?
resource/v1beta2.NetworkDeviceData interfaceName:s? ips:[s? hardwareAddress:s?
resource/v1beta2.DeviceAttribute int:*I? bool:*b? string:*s? version:*s? ints:[I? bools:[b? strings:[s? versions:[s?
resource/v1beta2.DeviceCapacity value:q requestPolicy:*#o6?
resource/v1beta2.DeviceCounterConsumption counterSet:s counters:{#lv?
resource/v1beta2.NodeAllocatableResourceMapping capacityKey:*s? allocationMultiplier:*q?
resource/v1beta2.Counter value:q
scheduling/v1alpha2.WorkloadPodGroupTemplateReference workloadName:s podGroupTemplateName:s
scheduling/v1alpha2.BasicSchedulingPolicy
scheduling/v1alpha2.GangSchedulingPolicy minCount:i
scheduling/v1alpha2.TopologyConstraint key:s
storage/v1.VolumeNodeResources count:*i?
storage/v1beta1.VolumeNodeResources count:*i?
core/v1.KeyToPath key:s path:s mode:*i?
core/v1.DownwardAPIVolumeFile path:s fieldRef:*#o7? resourceFieldRef:*#o8? mode:*i?
core/v1.VolumeProjection secret:*#o9? downwardAPI:*#oa? configMap:*#ob? serviceAccountToken:*#oc? clusterTrustBundle:*#od? podCertificate:*#oe?
core/v1.PersistentVolumeClaimTemplate metadata:#4a? spec:#4n
core/v1.ConfigMapEnvSource name:s? optional:*b?
core/v1.SecretEnvSource name:s? optional:*b?
core/v1.EnvVarSource fieldRef:*#o7? resourceFieldRef:*#o8? configMapKeyRef:*#of? secretKeyRef:*#og? fileKeyRef:*#oh?
core/v1.ContainerRestartRuleOnExitCodes operator:s? values:[i?%l
core/v1.ExecAction command:[s?
core/v1.HTTPGetAction path:s? port:x host:s? scheme:s? httpHeaders:[#oi?
core/v1.TCPSocketAction port:x host:s?
core/v1.GRPCAction port:i service:*s
core/v1.LifecycleHandler exec:*#ma? httpGet:*#mb? tcpSocket:*#mc? sleep:*#oj?
core/v1.Capabilities add:[s? drop:[s?
core/v1.PreferredSchedulingTerm weight:i preference:#l4
core/v1.PodAffinityTerm labelSelector:*#9r? namespaces:[s? topologyKey:s namespaceSelector:*#9r? matchLabelKeys:[s? mismatchLabelKeys:[s?
core/v1.WeightedPodAffinityTerm weight:i podAffinityTerm:#mh
core/v1.ContainerStateWaiting reason:s? message:s?
core/v1.ContainerStateRunning startedAt:t?
core/v1.ContainerStateTerminated exitCode:i signal:i? reason:s? message:s? startedAt:t? finishedAt:t? containerID:s?
core/v1.VolumeStatus image:*#ok?
core/v1.LinuxContainerUser uid:I gid:I supplementalGroups:[I?
core/v1.ResourceHealth resourceID:s="" health:s? message:*s?
core/v1.PortStatus port:i protocol:s error:*s?
meta/v1.FieldSelectorRequirement- key:s operator:s values:[s?
autoscaling/v2.MetricTarget type:s value:*q? averageValue:*q? averageUtilization:*i?
autoscaling/v2.MetricIdentifier name:s selector:*#9r?
autoscaling/v2.HPAScalingPolicy type:s value:i periodSeconds:i
autoscaling/v2.MetricValueStatus value:*q? averageValue:*q? averageUtilization:*i?
batch/v1.PodFailurePolicyOnExitCodesRequirement containerName:*s? operator:s values:[i%l
batch/v1.PodFailurePolicyOnPodConditionsPattern type:s status:s
extensions/v1beta1.HTTPIngressPath path:s? pathType:*s? backend:#ek
extensions/v1beta1.IngressPortStatus port:i protocol:s error:*s?
extensions/v1beta1.IPBlock cidr:s except:[s?
flowcontrol/v1.UserSubject name:s
flowcontrol/v1.GroupSubject name:s
flowcontrol/v1.ServiceAccountSubject namespace:s name:s
flowcontrol/v1.QueuingConfiguration queues:i handSize:i queueLengthLimit:i
flowcontrol/v1beta1.UserSubject name:s
flowcontrol/v1beta1.GroupSubject name:s
flowcontrol/v1beta1.ServiceAccountSubject namespace:s name:s
flowcontrol/v1beta1.QueuingConfiguration queues:i handSize:i queueLengthLimit:i
flowcontrol/v1beta2.UserSubject name:s
flowcontrol/v1beta2.GroupSubject name:s
flowcontrol/v1beta2.ServiceAccountSubject namespace:s name:s
flowcontrol/v1beta2.QueuingConfiguration queues:i handSize:i queueLengthLimit:i
flowcontrol/v1beta3.UserSubject name:s
flowcontrol/v1beta3.GroupSubject name:s
flowcontrol/v1beta3.ServiceAccountSubject namespace:s name:s
flowcontrol/v1beta3.QueuingConfiguration queues:i handSize:i queueLengthLimit:i
networking/v1.ServiceBackendPort%a name:s? number:i?
networking/v1.HTTPIngressPath path:s? pathType:*s backend:#fm
networking/v1.IngressPortStatus port:i protocol:s error:*s?
networking/v1.IPBlock cidr:s except:[s?
networking/v1beta1.HTTPIngressPath path:s? pathType:*s? backend:#fu
networking/v1beta1.IngressPortStatus port:i protocol:s error:*s?
resource/v1.ExactDeviceRequest deviceClassName:s selectors:[#g2? allocationMode:s? count:I? adminAccess:*b? tolerations:[#ol? capacity:*#om?
resource/v1.DeviceSubRequest name:s deviceClassName:s selectors:[#g2? allocationMode:s? count:I? tolerations:[#ol? capacity:*#om?
resource/v1.DeviceRequestAllocationResult request:s driver:s pool:s device:s adminAccess:*b? tolerations:[#ol? bindingConditions:[s? bindingFailureConditions:[s? shareID:*s? consumedCapacity:{q?
resource/v1.DeviceAllocationConfiguration source:s requests:[s? opaque:*#ky?
core/v1.NodeSelectorRequirement key:s operator:s values:[s?
resource/v1.CapacityRequestPolicy default:*q validValues:[q? validRange:*#on?
resource/v1beta1.DeviceSubRequest name:s deviceClassName:s selectors:[#gf? allocationMode:s? count:I? tolerations:[#nt? capacity:*#nu?
resource/v1beta1.DeviceToleration key:s? operator:s? value:s? effect:s? tolerationSeconds:*I?
resource/v1beta1.CapacityRequirements requests:{q?
resource/v1beta1.DeviceRequestAllocationResult request:s driver:s pool:s device:s adminAccess:*b? tolerations:[#nt? bindingConditions:[s? bindingFailureConditions:[s? shareID:*s? consumedCapacity:{q?
resource/v1beta1.DeviceAllocationConfiguration source:s requests:[s? opaque:*#lc?
resource/v1beta1.DeviceAttribute int:*I? bool:*b? string:*s? version:*s? ints:[I? bools:[b? strings:[s? versions:[s?
resource/v1beta1.DeviceCapacity value:q requestPolicy:*#oo?
resource/v1beta1.DeviceCounterConsumption counterSet:s counters:{#lj?
resource/v1beta1.DeviceTaint key:s value:s? effect:s timeAdded:*t?
resource/v1beta1.NodeAllocatableResourceMapping capacityKey:*s? allocationMultiplier:*q?
resource/v1beta2.ExactDeviceRequest deviceClassName:s selectors:[#go? allocationMode:s? count:I? adminAccess:*b? tolerations:[#op? capacity:*#oq?
resource/v1beta2.DeviceSubRequest name:s deviceClassName:s selectors:[#go? allocationMode:s? count:I? tolerations:[#op? capacity:*#oq?
resource/v1beta2.DeviceRequestAllocationResult request:s driver:s pool:s device:s adminAccess:*b? tolerations:[#op? bindingConditions:[s? bindingFailureConditions:[s? shareID:*s? consumedCapacity:{q?
resource/v1beta2.DeviceAllocationConfiguration source:s requests:[s? opaque:*#ll?
resource/v1beta2.CapacityRequestPolicy default:*q validValues:[q? validRange:*#or?
core/v1.ObjectFieldSelector%a apiVersion:s? fieldPath:s
core/v1.ResourceFieldSelector%a containerName:s? resource:s divisor:q?
core/v1.SecretProjection name:s? items:[#m2? optional:*b?
core/v1.DownwardAPIProjection items:[#m3?
core/v1.ConfigMapProjection name:s? items:[#m2? optional:*b?
core/v1.ServiceAccountTokenProjection audience:s? expirationSeconds:*I? path:s
core/v1.ClusterTrustBundleProjection name:*s? signerName:*s? labelSelector:*#9r? optional:*b? path:s
core/v1.PodCertificateProjection signerName:s? keyType:s? maxExpirationSeconds:*i? credentialBundlePath:s? keyPath:s? certificateChainPath:s? userAnnotations:{s?
core/v1.ConfigMapKeySelector%a name:s? key:s optional:*b?
core/v1.SecretKeySelector%a name:s? key:s optional:*b?
core/v1.FileKeySelector%a volumeName:s path:s key:s optional:*b?
core/v1.HTTPHeader name:s value:s
core/v1.SleepAction seconds:I
core/v1.ImageVolumeStatus imageRef:s?
resource/v1.DeviceToleration key:s? operator:s? value:s? effect:s? tolerationSeconds:*I?
resource/v1.CapacityRequirements requests:{q?
resource/v1.CapacityRequestPolicyRange min:*q? max:*q? step:*q?
resource/v1beta1.CapacityRequestPolicy default:*q validValues:[q? validRange:*#os?
resource/v1beta2.DeviceToleration key:s? operator:s? value:s? effect:s? tolerationSeconds:*I?
resource/v1beta2.CapacityRequirements requests:{q?
resource/v1beta2.CapacityRequestPolicyRange min:*q? max:*q? step:*q?
resource/v1beta1.CapacityRequestPolicyRange min:*q? max:*q? step:*q?

v1 Binding Namespaced 0
v1 ComponentStatus Cluster 1
v1 ConfigMap Namespaced 2
v1 Endpoints Namespaced 3
v1 Event Namespaced 4
v1 LimitRange Namespaced 5
v1 Namespace Cluster 6
v1 Node Cluster 7
v1 PersistentVolume Cluster 8
v1 PersistentVolumeClaim Namespaced 9
v1 Pod Namespaced a
v1 PodTemplate Namespaced b
v1 ReplicationController Namespaced c
v1 ResourceQuota Namespaced d
v1 Secret Namespaced e
v1 Service Namespaced f
v1 ServiceAccount Namespaced g
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy Cluster h
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding Cluster i
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration Cluster j
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy Cluster k
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding Cluster l
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration Cluster m
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy Cluster n
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding Cluster o
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy Cluster p
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding Cluster q
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy Cluster r
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding Cluster s
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration Cluster t
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy Cluster u
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding Cluster v
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration Cluster w
apps/v1 ControllerRevision Namespaced x
apps/v1 DaemonSet Namespaced y
apps/v1 Deployment Namespaced z
apps/v1 ReplicaSet Namespaced 10
apps/v1 StatefulSet Namespaced 11
apps/v1beta1 ControllerRevision Namespaced 12
apps/v1beta1 Deployment Namespaced 13
apps/v1beta1 StatefulSet Namespaced 14
apps/v1beta2 ControllerRevision Namespaced 15
apps/v1beta2 DaemonSet Namespaced 16
apps/v1beta2 Deployment Namespaced 17
apps/v1beta2 ReplicaSet Namespaced 18
apps/v1beta2 StatefulSet Namespaced 19
authentication.k8s.io/v1 SelfSubjectReview Cluster 1a
authentication.k8s.io/v1 TokenReview Cluster 1b
authentication.k8s.io/v1alpha1 SelfSubjectReview Cluster 1c
authentication.k8s.io/v1beta1 SelfSubjectReview Cluster 1d
authentication.k8s.io/v1beta1 TokenReview Cluster 1e
authorization.k8s.io/v1 LocalSubjectAccessReview Namespaced 1f
authorization.k8s.io/v1 SelfSubjectAccessReview Cluster 1g
authorization.k8s.io/v1 SelfSubjectRulesReview Cluster 1h
authorization.k8s.io/v1 SubjectAccessReview Cluster 1i
authorization.k8s.io/v1beta1 LocalSubjectAccessReview Namespaced 1j
authorization.k8s.io/v1beta1 SelfSubjectAccessReview Cluster 1k
authorization.k8s.io/v1beta1 SelfSubjectRulesReview Cluster 1l
authorization.k8s.io/v1beta1 SubjectAccessReview Cluster 1m
autoscaling/v1 HorizontalPodAutoscaler Namespaced 1n
autoscaling/v2 HorizontalPodAutoscaler Namespaced 1o
batch/v1 CronJob Namespaced 1p
batch/v1 Job Namespaced 1q
batch/v1beta1 CronJob Namespaced 1r
certificates.k8s.io/v1 CertificateSigningRequest Cluster 1s
certificates.k8s.io/v1alpha1 ClusterTrustBundle Cluster 1t
certificates.k8s.io/v1beta1 CertificateSigningRequest Cluster 1u
certificates.k8s.io/v1beta1 ClusterTrustBundle Cluster 1v
certificates.k8s.io/v1beta1 PodCertificateRequest Namespaced 1w
coordination.k8s.io/v1 Lease Namespaced 1x
coordination.k8s.io/v1alpha2 LeaseCandidate Namespaced 1y
coordination.k8s.io/v1beta1 Lease Namespaced 1z
coordination.k8s.io/v1beta1 LeaseCandidate Namespaced 20
discovery.k8s.io/v1 EndpointSlice Namespaced 21
discovery.k8s.io/v1beta1 EndpointSlice Namespaced 22
events.k8s.io/v1 Event Namespaced 23
events.k8s.io/v1beta1 Event Namespaced 24
extensions/v1beta1 DaemonSet Namespaced 25
extensions/v1beta1 Deployment Namespaced 26
extensions/v1beta1 Ingress Namespaced 27
extensions/v1beta1 NetworkPolicy Namespaced 28
extensions/v1beta1 ReplicaSet Namespaced 29
flowcontrol.apiserver.k8s.io/v1 FlowSchema Cluster 2a
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration Cluster 2b
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema Cluster 2c
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration Cluster 2d
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema Cluster 2e
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration Cluster 2f
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema Cluster 2g
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration Cluster 2h
internal.apiserver.k8s.io/v1alpha1 StorageVersion Cluster 2i
networking.k8s.io/v1 IPAddress Cluster 2j
networking.k8s.io/v1 Ingress Namespaced 2k
networking.k8s.io/v1 IngressClass Cluster 2l
networking.k8s.io/v1 NetworkPolicy Namespaced 2m
networking.k8s.io/v1 ServiceCIDR Cluster 2n
networking.k8s.io/v1beta1 IPAddress Cluster 2o
networking.k8s.io/v1beta1 Ingress Namespaced 2p
networking.k8s.io/v1beta1 IngressClass Cluster 2q
networking.k8s.io/v1beta1 ServiceCIDR Cluster 2r
node.k8s.io/v1 RuntimeClass Cluster 2s
node.k8s.io/v1alpha1 RuntimeClass Cluster 2t
node.k8s.io/v1beta1 RuntimeClass Cluster 2u
policy/v1 Eviction Namespaced 2v
policy/v1 PodDisruptionBudget Namespaced 2w
policy/v1beta1 Eviction Namespaced 2x
policy/v1beta1 PodDisruptionBudget Namespaced 2y
rbac.authorization.k8s.io/v1 ClusterRole Cluster 2z
rbac.authorization.k8s.io/v1 ClusterRoleBinding Cluster 30
rbac.authorization.k8s.io/v1 Role Namespaced 31
rbac.authorization.k8s.io/v1 RoleBinding Namespaced 32
rbac.authorization.k8s.io/v1alpha1 ClusterRole Cluster 33
rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding Cluster 34
rbac.authorization.k8s.io/v1alpha1 Role Namespaced 35
rbac.authorization.k8s.io/v1alpha1 RoleBinding Namespaced 36
rbac.authorization.k8s.io/v1beta1 ClusterRole Cluster 37
rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding Cluster 38
rbac.authorization.k8s.io/v1beta1 Role Namespaced 39
rbac.authorization.k8s.io/v1beta1 RoleBinding Namespaced 3a
resource.k8s.io/v1 DeviceClass Cluster 3b
resource.k8s.io/v1 ResourceClaim Namespaced 3c
resource.k8s.io/v1 ResourceClaimTemplate Namespaced 3d
resource.k8s.io/v1 ResourceSlice Cluster 3e
resource.k8s.io/v1alpha3 DeviceTaintRule Cluster 3f
resource.k8s.io/v1alpha3 ResourcePoolStatusRequest Cluster 3g
resource.k8s.io/v1beta1 DeviceClass Cluster 3h
resource.k8s.io/v1beta1 ResourceClaim Namespaced 3i
resource.k8s.io/v1beta1 ResourceClaimTemplate Namespaced 3j
resource.k8s.io/v1beta1 ResourceSlice Cluster 3k
resource.k8s.io/v1beta2 DeviceClass Cluster 3l
resource.k8s.io/v1beta2 DeviceTaintRule Cluster 3m
resource.k8s.io/v1beta2 ResourceClaim Namespaced 3n
resource.k8s.io/v1beta2 ResourceClaimTemplate Namespaced 3o
resource.k8s.io/v1beta2 ResourceSlice Cluster 3p
scheduling.k8s.io/v1 PriorityClass Cluster 3q
scheduling.k8s.io/v1alpha2 PodGroup Namespaced 3r
scheduling.k8s.io/v1alpha2 Workload Namespaced 3s
scheduling.k8s.io/v1beta1 PriorityClass Cluster 3t
storage.k8s.io/v1 CSIDriver Cluster 3u
storage.k8s.io/v1 CSINode Cluster 3v
storage.k8s.io/v1 CSIStorageCapacity Namespaced 3w
storage.k8s.io/v1 StorageClass Cluster 3x
storage.k8s.io/v1 VolumeAttachment Cluster 3y
storage.k8s.io/v1 VolumeAttributesClass Cluster 3z
storage.k8s.io/v1alpha1 CSIStorageCapacity Namespaced 40
storage.k8s.io/v1alpha1 VolumeAttachment Cluster 41
storage.k8s.io/v1alpha1 VolumeAttributesClass Cluster 42
storage.k8s.io/v1beta1 CSIDriver Cluster 43
storage.k8s.io/v1beta1 CSINode Cluster 44
storage.k8s.io/v1beta1 CSIStorageCapacity Namespaced 45
storage.k8s.io/v1beta1 StorageClass Cluster 46
storage.k8s.io/v1beta1 VolumeAttachment Cluster 47
storage.k8s.io/v1beta1 VolumeAttributesClass Cluster 48
storagemigration.k8s.io/v1beta1 StorageVersionMigration Cluster 49
`
