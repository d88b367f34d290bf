import {
  type Condition,
  degraded,
  each,
  type Facts,
  healthy,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
} from './facts.ts'
import { join } from './strict.ts'

const users = ['ProviderConfig', 'ClusterProviderConfig']

function managed(stateless: readonly string[], good: readonly string[]): Rule {
  return (facts) => {
    const status = facts.status()
    const isEmpty = typeof status === 'object' && Object.keys(status ?? {}).length === 0
    if (status === undefined || (isEmpty && stateless.includes(facts.kind))) {
      return healthy('Resource is up-to-date.')
    }
    const { conditions } = facts
    if (conditions === undefined) {
      return users.includes(facts.kind) && facts.status('users') !== undefined
        ? healthy('Resource is in use.')
        : progressing('Provisioning ...')
    }
    let isReady = false
    for (const condition of conditions) {
      if (isFailure(condition)) return degraded(condition['message'])
      isReady ||= condition['status'] === 'True' && good.includes(show(condition['type']))
    }
    return isReady ? healthy('Resource is up-to-date.') : progressing('Provisioning ...')
  }
}

function isFailure({ type, status }: Condition): boolean {
  return (type === 'LastAsyncOperation' || type === 'Synced') && status === 'False'
}

/** The older checks of single kinds of the AWS provider. */
function aws(what: string): Rule {
  return (facts) => {
    const { conditions } = facts
    if (conditions === undefined) return progressing(`Waiting for ${what} to be created`)
    const ready = conditions.findLast(({ type }) => type === 'Ready')
    const synced = conditions.findLast(({ type }) => type === 'Synced')
    const isReady = ready?.['status'] === 'True'
    const isSynced = synced?.['status'] === 'True'
    // what an earlier condition of the type told remains
    const told = (reason: string): Condition | undefined =>
      conditions.findLast((one) => one['type'] === 'Synced' && one['reason'] === reason)
    const paused = told('ReconcilePaused')
    if (isReady && isSynced) return healthy(ready['reason'])
    if (!isSynced && paused !== undefined) return suspended(paused['reason'])
    if (!isReady && isSynced && paused === undefined) {
      return progressing(`Waiting for ${what} to be available`)
    }
    return degraded(told('ReconcileError')?.['message'])
  }
}

function provider(facts: Facts): ReturnType<Rule> {
  const { conditions } = facts
  if (conditions === undefined) return progressing('Waiting for provider to be installed')
  const installed = conditions.findLast(({ type }) => type === 'Installed')
  const health = conditions.findLast(({ type }) => type === 'Healthy')
  const isGood = installed?.['status'] === 'True' && health?.['status'] === 'True'
  const text = join(20, installed?.['reason'], ' ', health?.['reason'])
  return (isGood ? healthy : degraded)(text)
}

const stateless = ['ProviderConfig', 'ProviderConfigUsage', 'ClusterProviderConfig']

export const crossplaneRules: Rules = {
  '*.crossplane.io/*': managed(
    [
      ...stateless,
      ...['Composition', 'CompositionRevision', 'DeploymentRuntimeConfig', 'ControllerConfig'],
    ],
    ['Ready', 'Healthy', 'Offered', 'Established', 'ValidPipeline', 'RevisionHealthy'],
  ),
  '*.upbound.io/*': managed(stateless, ['Ready']),
  'pkg.crossplane.io/Provider': provider,
  'cloudfront.aws.crossplane.io/Distribution': aws('distribution'),
  ...each('iam.aws.crossplane.io', ['Policy', 'Role', 'RolePolicyAttachment'], aws),
  ...each('rds.aws.crossplane.io', ['DBCluster', 'DBInstance'], aws),
  'route53.aws.crossplane.io/ResourceRecordSet': aws('resourcrecordset'),
  's3.aws.crossplane.io/Bucket': aws('Bucket'),
}
