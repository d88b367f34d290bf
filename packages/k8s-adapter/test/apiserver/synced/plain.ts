import { isObject, type Json } from '@litecd/core/json'
import { type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import { parseYamlDocuments } from '@litecd/core/yaml'

// One manifest of each kind that a cluster serves without being asked, with little more than it must have. Quantities,
// ports, durations and labels are written as people write them, not as the API server gives them back.

// of a key that was thrown away
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IVUNBUUF3RXpFUk1BOEdBMVVFQXd3SWMyOXRaV0p2Wkhrd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqTwpQUU1CQndOQ0FBUStTODkzcVFoRjVkZTNkQ3BnaUV4WVVYOTBSRno4bzlSSCtheVZPUjBuWVlhbEZwanFlNktRCkI3T3AzTXArOXpiSVBjR1NWTExZSFdtbEpSRzR2bzV3b0FBd0NnWUlLb1pJemowRUF3SURTQUF3UlFJaEFQU2cKTkxPOStpNVBBV0k4OVdydlhyR0t2eEd4WEhJZElPL09HY2hvS0w4Y0FpQW11RDlHVjRuU0xEemhwRDJWOGhrRQpjaG8yelFIS2xDenVDcTFOa1Q3b1J3PT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

const text = `
{apiVersion: v1, kind: ConfigMap, data: {a: "1", "b.txt": "x\\n"}}
---
{apiVersion: v1, kind: Endpoints, subsets: [{addresses: [{ip: 10.9.0.1}], ports: [{port: 80}]}]}
---
{apiVersion: v1, kind: Event, involvedObject: {kind: Pod, name: p}, reason: Made, message: m, type: Normal}
---
{apiVersion: v1, kind: LimitRange, spec: {limits: [{type: Container, default: {cpu: 0.5, memory: 1024Mi}, max: {cpu: 2000m}}]}}
---
{apiVersion: v1, kind: Namespace}
---
{apiVersion: v1, kind: Node, spec: {podCIDR: 10.8.0.0/24, podCIDRs: [10.8.0.0/24]}}
---
{apiVersion: v1, kind: PersistentVolume, spec: {capacity: {storage: 1024Mi}, accessModes: [ReadWriteOnce], hostPath: {path: /data}}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 0.5Gi}}}}
---
apiVersion: v1
kind: Pod
spec:
  # the server adds these where they are not
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  containers:
  - {name: c, image: nginx, ports: [{containerPort: 80}], resources: {requests: {cpu: 0.1, memory: 1024Mi}, limits: {cpu: 1000m}}}
---
{apiVersion: v1, kind: PodTemplate, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "nginx:1"}]}}}
---
{apiVersion: v1, kind: ReplicationController, spec: {replicas: 0, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
---
{apiVersion: v1, kind: ResourceQuota, spec: {hard: {cpu: "0.5", memory: 1048576Ki, pods: "10"}}}
---
{apiVersion: v1, kind: Secret, stringData: {a: plain}, data: {b: aGk=}}
---
{apiVersion: v1, kind: Service, spec: {selector: {a: b}, ports: [{port: 80, targetPort: http}]}}
---
{apiVersion: v1, kind: ServiceAccount}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
webhooks:
- {name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "https://a.example.com/x"}, rules: [{apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
webhooks:
- {name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {service: {namespace: ns1, name: s}}, rules: [{apiGroups: [none.example.com], apiVersions: [v1], operations: ["*"], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  matchConstraints: {resourceRules: [{apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}]}
  validations: [{expression: "true"}]
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, spec: {policyName: p, validationActions: [Deny]}}
---
{apiVersion: apps/v1, kind: ControllerRevision, revision: 1, data: {a: 1}}
---
{apiVersion: apps/v1, kind: DaemonSet, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {no: where}, containers: [{name: c, image: i}]}}}}
---
apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 0
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - {name: c, image: nginx, ports: [{containerPort: 80}], env: [{name: A, value: "1"}], resources: {limits: {cpu: 0.25, memory: 0.5Gi}}}
---
{apiVersion: apps/v1, kind: ReplicaSet, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
---
apiVersion: apps/v1
kind: StatefulSet
spec:
  replicas: 0
  serviceName: s
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}]
---
{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
spec:
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}
  metrics: [{type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 1024Mi}}}]
---
apiVersion: batch/v1
kind: CronJob
spec:
  schedule: "@yearly"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
{apiVersion: batch/v1, kind: Job, spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
spec: {signerName: example.com/s, usages: [client auth], request: ${request}}
---
{apiVersion: coordination.k8s.io/v1, kind: Lease, spec: {holderIdentity: me, leaseDurationSeconds: 15}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, endpoints: [{addresses: [10.9.0.2]}], ports: [{port: 80}]}
---
{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: noted}, eventTime: "2024-01-02T03:04:05.000000Z", regarding: {kind: Pod, name: p}, reportingController: example.com/c, reportingInstance: i, action: Do, reason: Made, type: Normal, note: noted}
---
{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, spec: {matchingPrecedence: 9000, priorityLevelConfiguration: {name: global-default}}}
---
{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {type: Reject}}}}
---
{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}}
---
{apiVersion: networking.k8s.io/v1, kind: IngressClass, spec: {controller: example.com/c}}
---
{apiVersion: networking.k8s.io/v1, kind: IPAddress, metadata: {name: 10.7.7.7}, spec: {parentRef: {resource: services, namespace: ns1, name: s}}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}
---
{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, spec: {cidrs: [10.77.0.0/24]}}
---
{apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: h, overhead: {podFixed: {cpu: 0.25, memory: 0.5Gi}}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 50%, selector: {matchLabels: {a: b}}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}, subjects: [{kind: User, name: u}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{apiGroups: [apps], resources: [deployments], verbs: [get, list]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}, subjects: [{kind: ServiceAccount, name: s, namespace: ns1}]}
---
{apiVersion: resource.k8s.io/v1, kind: DeviceClass, spec: {selectors: [{cel: {expression: "true"}}]}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, spec: {driver: d.example.com, allNodes: true, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: d, capacity: {c: {value: 1024Mi}}}]}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, value: 7}
---
{apiVersion: storage.k8s.io/v1, kind: CSIDriver}
---
{apiVersion: storage.k8s.io/v1, kind: CSINode, spec: {drivers: [{name: d, nodeID: id}]}}
---
{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, storageClassName: s, capacity: 1024Mi}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, provisioner: example.com/p}
---
{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, spec: {attacher: a, nodeName: node1, source: {persistentVolumeName: v}}}
---
{apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, driverName: d, parameters: {a: b}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: synceds.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Synced, plural: synceds, singular: synced, listKind: SyncedList}
  conversion: {strategy: None}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v9.synced.example.com}, spec: {group: synced.example.com, version: v9, groupPriorityMinimum: 10, versionPriority: 9, insecureSkipTLSVerify: true, service: {namespace: ns1, name: s, port: 443}}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, spec: {policyName: p}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{}"}}]
`

/** The manifests, named and placed: `name` for those that have no name of their own. */
export function plainManifests(name: string, namespace: string): readonly Manifest[] {
  const made: Manifest[] = []
  for (const { value } of parseYamlDocuments(text)) {
    if (isObject(value)) made.push(placed(value as Manifest, name, namespace))
  }
  return made
}

/** With a name, a namespace where the kind has one, and labels that look like other things than texts. */
export function placed(manifest: Manifest, name: string, namespace: string): Manifest {
  const { apiVersion, kind } = manifest
  const slash = apiVersion.indexOf('/')
  const group = slash === -1 ? '' : apiVersion.slice(0, slash)
  const own = isObject(manifest['metadata'] ?? null) ? (manifest['metadata'] as object) : {}
  const metadata: { [field: string]: Json } = {
    name,
    labels: { app: 'web', 'example.com/on': 'true', version: '1.10' },
    annotations: { 'example.com/at': '2024-01-02', 'example.com/n': '007' },
    ...own,
  }
  if (scopeOfBuiltIn({ group, kind }) === 'Namespaced') metadata['namespace'] = namespace
  const told: { [field: string]: Json } = {}
  for (const field of ['involvedObject', 'regarding']) {
    const about = manifest[field]
    if (isObject(about ?? null)) told[field] = { ...(about as object), namespace }
  }
  return { ...manifest, metadata, ...told }
}
