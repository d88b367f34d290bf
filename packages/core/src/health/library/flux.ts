import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
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

interface Count {
  succeeded: number
  progressed: number
  message: Json | undefined
}
type Tally = (condition: Condition, count: Count) => void

/** Flux counts its conditions: both Ready and a second one must be good, or both under way. */
function counted(needed: number, tally: Tally): Rule {
  return (facts) => suspension(facts) ?? verdict(facts, needed, tally)
}

function suspension(facts: Facts): HealthStatus | undefined {
  return facts.at(2, 'spec', 'suspend') === true
    ? suspended(`${facts.kind} is suspended`)
    : undefined
}

function verdict(facts: Facts, needed: number, tally: Tally): HealthStatus {
  const { conditions } = facts
  if (conditions === undefined) return progressing('Status unknown')
  const count: Count = { succeeded: 0, progressed: 0, message: '' }
  for (const condition of conditions) tally(condition, count)
  if (count.progressed === 2) return progressing(count.message)
  return (count.succeeded === needed ? healthy : degraded)(count.message)
}

function usual(extra?: Tally): Tally {
  return (condition, count) => {
    const { type, status } = condition
    if (type === 'Ready') {
      if (status === 'True') count.succeeded++
      if (status === 'Unknown') count.progressed++
      count.message = condition['reason']
    }
    if (type === 'Reconciling' && status === 'True') count.progressed++
    extra?.(condition, count)
  }
}

const source = counted(
  2,
  usual(({ type, status, reason }, count) => {
    if (type === 'ArtifactInStorage' && status === 'True') count.succeeded++
    if (type === 'ArtifactOutdated' && status === 'True') {
      count.message = join(30, count.message, ' ', reason)
    }
  }),
)

function image(reasons: readonly string[]): Tally {
  return ({ type, status, reason }, count) => {
    if (type === 'Ready') {
      if (status === 'True') count.succeeded++
      if (status === 'False') count.progressed++
      count.message = reason
    }
    if (type === 'Reconciling' && status === 'True' && reasons.includes(show(reason))) {
      count.progressed++
    }
  }
}

export const fluxRules: Rules = {
  'helm.toolkit.fluxcd.io/HelmRelease': counted(
    2,
    usual(({ type, status }, count) => {
      if ((type === 'Released' || type === 'TestSuccess') && status === 'True') count.succeeded++
    }),
  ),
  'kustomize.toolkit.fluxcd.io/Kustomization': counted(1, usual()),
  'image.toolkit.fluxcd.io/ImageUpdateAutomation': counted(1, usual()),
  'image.toolkit.fluxcd.io/ImageRepository': counted(1, image(['NewGeneration', 'Scanning'])),
  'image.toolkit.fluxcd.io/ImagePolicy': (facts) =>
    verdict(facts, 1, image(['NewGeneration', 'AccessingRepository', 'ApplyingPolicy'])),
  ...each(
    'source.toolkit.fluxcd.io',
    ['Bucket', 'GitRepository', 'HelmChart', 'OCIRepository'],
    () => source,
  ),
  'source.toolkit.fluxcd.io/HelmRepository': (facts) =>
    suspension(facts) === undefined && facts.get('spec', 'type') === 'oci'
      ? healthy("Helm repositories of type 'oci' do not contain any information in the status.")
      : source(facts),
  'notification.toolkit.fluxcd.io/Receiver': (facts) => {
    const paused = suspension(facts)
    if (paused !== undefined) return paused
    const { conditions } = facts
    if (conditions === undefined) return progressing('Status unknown')
    let succeeded = 0
    let failed = 0
    let message: Json | undefined
    for (const { type, status, reason } of conditions) {
      if (type === 'Ready') {
        if (status === 'True') succeeded++
        if (status === 'False') failed++
        message = reason
      }
      if (type === 'Reconciling' && status === 'True') failed++
    }
    return (failed !== 2 && succeeded === 1 ? healthy : degraded)(message)
  },
}
