import {
  byReason,
  degraded,
  each,
  firstOf,
  healthy,
  progressing,
  type Row,
  type Rules,
  ready,
  suspended,
} from './facts.ts'
import { cannotIndex, join } from './strict.ts'

const issuing: Row = { type: 'Issuing', status: 'True', gives: progressing }
const readyRows: readonly Row[] = [
  { type: 'Ready', status: 'False', gives: degraded },
  { type: 'Ready', status: 'True', gives: healthy },
]

/** Kinds whose Ready condition, or one like it, tells everything. */
export const readyRules: Rules = {
  'camel.apache.org/Integration': ready('Waiting for Integration'),
  'cert-manager.io/Certificate': (facts) =>
    firstOf([issuing], ready('Waiting for certificate'))(facts),
  'cert-manager.io/ClusterIssuer': ready('Initializing ClusterIssuer'),
  'cert-manager.io/Issuer': ready('Initializing issuer'),
  'certmanager.k8s.io/Certificate': ready('Waiting for certificate'),
  'certmanager.k8s.io/Issuer': ready('Initializing issuer'),
  ...each(
    'external-secrets.io',
    ['ClusterSecretStore', 'ExternalSecret', 'PushSecret', 'SecretStore'],
    (kind) => ready(`Waiting for ${kind}`),
  ),
  'external-secrets.io/ClusterExternalSecret': (facts) => {
    const { conditions } = facts
    const last = conditions?.at(-1)
    if (conditions !== undefined && last === undefined) cannotIndex(6, undefined, 'type')
    if (last?.['status'] === 'True') {
      if (last['type'] === 'Ready') return healthy(last['message'])
      if (last['type'] === 'PartiallyReady' || last['type'] === 'NotReady') {
        return degraded(last['message'])
      }
    }
    return progressing('Waiting for ClusterExternalSecret')
  },
  'karpenter.sh/NodePool': ready('Waiting for NodePool to be ready'),
  'karpenter.k8s.aws/EC2NodeClass': firstOf(
    [
      { type: 'Ready', status: 'False', gives: degraded },
      { type: 'Ready', status: 'True', gives: healthy, message: 'EC2NodeClass is ready' },
    ],
    progressing('Waiting for EC2NodeClass to be ready'),
  ),
  'onepassword.com/OnePasswordItem': ready('Waiting for controller to report status'),
  'bitnami.com/SealedSecret': firstOf(
    [
      { type: 'Synced', status: 'False', gives: degraded },
      { type: 'Synced', status: 'True', gives: healthy },
    ],
    progressing('Waiting for Sealed Secret to be decrypted'),
  ),
  'grafana-org-operator.kubitus-project.gitlab.io/*': firstOf(
    [...readyRows, { type: 'Ready', gives: progressing }],
    progressing('Waiting ...'),
  ),
  'addons.cluster.x-k8s.io/ClusterResourceSet': firstOf(
    [
      { type: 'ResourcesApplied', status: 'False', gives: degraded },
      {
        type: 'ResourcesApplied',
        status: 'True',
        gives: healthy,
        message: 'cluster resource set is applied',
      },
    ],
    progressing('Initializing cluster resource set'),
  ),
  ...each('coralogix.com', ['Alert', 'RecordingRuleGroupSet'], () =>
    firstOf(
      [
        { type: 'RemoteSynced', status: 'True', gives: healthy, message: 'Resource is ready' },
        { type: 'RemoteSynced', status: 'False', gives: degraded },
      ],
      progressing('Waiting for status to be updated'),
    ),
  ),
  'db.atlasgo.io/AtlasMigration': firstOf(
    [
      { type: 'Ready', status: 'True', gives: healthy, message: byReason },
      { type: 'Ready', reasons: ['Reconciling'], gives: progressing, message: byReason },
      { type: 'Ready', gives: degraded, message: byReason },
    ],
    progressing('Waiting for Atlas Operator'),
  ),
  'db.atlasgo.io/AtlasSchema': (facts) => {
    const condition = facts.condition('Ready')
    if (condition === undefined) return progressing('Waiting for Atlas Operator')
    if (condition['status'] === 'True') return healthy(condition['reason'])
    const isBusy = ['Reconciling', 'GettingDevDB'].includes(String(condition['message']))
    return (isBusy ? progressing : degraded)(condition['reason'])
  },
  'kyverno.io/Policy': (facts) => {
    const isReady = facts.conditions?.some(
      ({ type, status, reason, message }) =>
        type === 'Ready' && status === 'True' && reason === 'Succeeded' && message === 'Ready',
    )
    return isReady ? healthy('Policy is ready') : progressing('Waiting for Policy to be ready')
  },
  'nmstate.io/NodeNetworkConfigurationPolicy': firstOf(
    (
      [
        ['Available', healthy],
        ['Degraded', degraded],
        ['Progressing', progressing],
        ['Ignored', suspended],
      ] as const
    ).map(([type, gives]) => ({
      type,
      status: 'True',
      gives,
      message: ({ reason, message }) =>
        (message ?? '') === '' ? reason : join(30, reason, ': ', message),
    })),
    progressing('Waiting for policy to be applied'),
  ),
  'kiali.io/Kiali': firstOf(
    [
      { type: 'Successful', status: 'True', gives: healthy },
      { type: 'Failure', status: 'True', gives: degraded },
      { type: 'Running', reasons: ['Running'], gives: progressing },
    ],
    progressing('Waiting for Kiali'),
  ),
  'stacks.crossplane.io/ClusterStackInstall': (facts) => {
    const condition = facts
      .list('status', 'conditionedStatus', 'conditions')
      ?.find(({ type }) => type === 'Ready')
    if (condition === undefined) return progressing('Waiting for stack to be installed')
    return (condition['status'] === 'True' ? healthy : progressing)(condition['reason'])
  },
}
