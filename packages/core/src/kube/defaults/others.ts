import type { JsonObject } from '../../json/index.ts'
import {
  emptyRule,
  inField,
  isEmpty,
  nilRule,
  objectAt,
  type Rule,
  whenEmpty,
  whenNil,
} from './fill.ts'

const rbacGroup = 'rbac.authorization.k8s.io'

const binding: Rule = (object) =>
  inField(object, 'roleRef', (role) => whenEmpty(role, { apiGroup: rbacGroup }))

const subject =
  (field: string, ofServiceAccount: string, ofOthers: string): Rule =>
  (object) => {
    if (object['kind'] === 'ServiceAccount') {
      return ofServiceAccount === '' ? object : whenEmpty(object, { [field]: ofServiceAccount })
    }
    const isUser = object['kind'] === 'User' || object['kind'] === 'Group'
    return isUser ? whenEmpty(object, { [field]: ofOthers }) : object
  }

const selectors = { namespaceSelector: {}, objectSelector: {} }
const webhook = nilRule({
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  ...selectors,
  timeoutSeconds: 10,
})
const oldWebhook: Rule = (object) =>
  whenEmpty(
    whenNil(object, {
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      ...selectors,
      sideEffects: 'Unknown',
      timeoutSeconds: 30,
    }),
    { admissionReviewVersions: ['v1beta1'] },
  )
const mutating =
  (rule: Rule): Rule =>
  (object) =>
    whenNil(rule(object), { reinvocationPolicy: 'Never' })
const matchResources = nilRule({ matchPolicy: 'Equivalent', ...selectors })
const failurePolicy = nilRule({ failurePolicy: 'Fail' })
const servicePort = nilRule({ port: 443 })

const policyTypes: Rule = (object) =>
  inField(object, 'spec', (spec) =>
    whenEmpty(spec, {
      policyTypes: isEmpty(spec['egress']) ? ['Ingress'] : ['Ingress', 'Egress'],
    }),
  )

const scaleUp: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const scaleDown: JsonObject = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}
const cpuAt80 = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const autoscaler: Rule = (object) =>
  inField(object, 'spec', (given) => {
    const spec = whenEmpty(whenNil(given, { minReplicas: 1 }), { metrics: [cpuAt80] })
    if (objectAt(spec, 'behavior') === undefined) return spec
    return inField(spec, 'behavior', (behavior) =>
      inField(
        inField(behavior, 'scaleUp', (rules) => whenNil(rules, scaleUp)),
        'scaleDown',
        (rules) => whenNil(rules, scaleDown),
      ),
    )
  })

const csiDriver: Rule = (object) =>
  inField(object, 'spec', (spec) =>
    whenEmpty(
      whenNil(spec, {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        requiresRepublish: false,
        seLinuxMount: false,
      }),
      { volumeLifecycleModes: ['Persistent'] },
    ),
  )

const storageClass = nilRule({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
const priorityClass = nilRule({ preemptionPolicy: 'PreemptLowerPriority' })
const pathType = nilRule({ pathType: 'ImplementationSpecific' })

const queuing = emptyRule({ handSize: 8, queues: 64, queueLengthLimit: 50 })
const exempt = nilRule({ nominalConcurrencyShares: 0, lendablePercent: 0 })
const precedence = emptyRule({ matchingPrecedence: 1000 })
const lendable = nilRule({ lendablePercent: 0 })

function flowControl(version: string, limited: Rule): { readonly [struct: string]: Rule } {
  return {
    [`flowcontrol/${version}.FlowSchemaSpec`]: precedence,
    [`flowcontrol/${version}.QueuingConfiguration`]: queuing,
    [`flowcontrol/${version}.ExemptPriorityLevelConfiguration`]: exempt,
    [`flowcontrol/${version}.LimitedPriorityLevelConfiguration`]: limited,
  }
}

const oldShares: Rule = (object) => whenEmpty(lendable(object), { assuredConcurrencyShares: 30 })

const preserveZero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'

const priorityLevelV1beta3: Rule = (object) => {
  const annotations = objectAt(objectAt(object, 'metadata') ?? {}, 'annotations') ?? {}
  if (Object.hasOwn(annotations, preserveZero)) return object
  return inField(object, 'spec', (spec) =>
    objectAt(spec, 'limited') === undefined
      ? spec
      : inField(spec, 'limited', (limited) => whenEmpty(limited, { nominalConcurrencyShares: 30 })),
  )
}

const signingRequest: Rule = (object) =>
  // Parity, but for requests of kubelets: their signer is found by reading the certificate request.
  whenNil(object, {
    usages: ['digital signature', 'key encipherment'],
    signerName: 'kubernetes.io/legacy-unknown',
  })

export const otherRules: { readonly [struct: string]: Rule } = {
  'admissionregistration/v1.ValidatingWebhook': webhook,
  'admissionregistration/v1.MutatingWebhook': mutating(webhook),
  'admissionregistration/v1.RuleWithOperations': nilRule({ scope: '*' }),
  'admissionregistration/v1.NamedRuleWithOperations': nilRule({ scope: '*' }),
  'admissionregistration/v1.ServiceReference': servicePort,
  'admissionregistration/v1.ValidatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1.MutatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1.MatchResources': matchResources,
  'admissionregistration/v1beta1.ValidatingWebhook': oldWebhook,
  'admissionregistration/v1beta1.MutatingWebhook': mutating(oldWebhook),
  'admissionregistration/v1beta1.RuleWithOperations': nilRule({ scope: '*' }),
  'admissionregistration/v1beta1.NamedRuleWithOperations': nilRule({ scope: '*' }),
  'admissionregistration/v1beta1.ServiceReference': servicePort,
  'admissionregistration/v1beta1.ValidatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1beta1.MutatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1beta1.MatchResources': matchResources,
  'admissionregistration/v1alpha1.NamedRuleWithOperations': nilRule({ scope: '*' }),
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1alpha1.MatchResources': matchResources,
  'admissionregistration/v1alpha1.ParamRef': nilRule({ parameterNotFoundAction: 'Deny' }),
  'autoscaling/v1.HorizontalPodAutoscaler': (object) =>
    inField(object, 'spec', (spec) => whenNil(spec, { minReplicas: 1 })),
  'autoscaling/v2.HorizontalPodAutoscaler': autoscaler,
  'certificates/v1beta1.CertificateSigningRequestSpec': signingRequest,
  'certificates/v1beta1.CertificateSigningRequestCondition': emptyRule({ status: 'True' }),
  'extensions/v1beta1.NetworkPolicy': policyTypes,
  'extensions/v1beta1.HTTPIngressPath': pathType,
  ...flowControl('v1', nilRule({ nominalConcurrencyShares: 30, lendablePercent: 0 })),
  ...flowControl('v1beta1', oldShares),
  ...flowControl('v1beta2', oldShares),
  ...flowControl('v1beta3', lendable),
  'flowcontrol/v1beta3.PriorityLevelConfiguration': priorityLevelV1beta3,
  'networking/v1.NetworkPolicy': policyTypes,
  'networking/v1.NetworkPolicyPort': nilRule({ protocol: 'TCP' }),
  'networking/v1.IngressClass': (object) =>
    inField(object, 'spec', (spec) =>
      objectAt(spec, 'parameters') === undefined
        ? spec
        : inField(spec, 'parameters', (parameters) => whenNil(parameters, { scope: 'Cluster' })),
    ),
  'networking/v1beta1.HTTPIngressPath': pathType,
  'rbac/v1.ClusterRoleBinding': binding,
  'rbac/v1.RoleBinding': binding,
  'rbac/v1.Subject': subject('apiGroup', '', rbacGroup),
  'rbac/v1beta1.ClusterRoleBinding': binding,
  'rbac/v1beta1.RoleBinding': binding,
  'rbac/v1beta1.Subject': subject('apiGroup', '', rbacGroup),
  'rbac/v1alpha1.ClusterRoleBinding': binding,
  'rbac/v1alpha1.RoleBinding': binding,
  'rbac/v1alpha1.Subject': subject('apiVersion', 'v1', `${rbacGroup}/v1alpha1`),
  'certificates/v1beta1.PodCertificateRequestSpec': nilRule({ maxExpirationSeconds: 86400 }),
  'scheduling/v1alpha2.PodGroupSpec': nilRule({ disruptionMode: 'Pod' }),
  'scheduling/v1.PriorityClass': priorityClass,
  'scheduling/v1beta1.PriorityClass': priorityClass,
  'scheduling/v1alpha1.PriorityClass': priorityClass,
  'storage/v1.StorageClass': storageClass,
  'storage/v1.CSIDriver': csiDriver,
  'storage/v1beta1.StorageClass': storageClass,
  'storage/v1beta1.CSIDriver': csiDriver,
}
