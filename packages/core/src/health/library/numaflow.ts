import { degraded, type Facts, healthy, progressing, type Rule, type Rules } from './facts.ts'

interface Shape {
  /** Phases that count as paused, which is Healthy. */
  readonly paused: readonly string[]
  /** Whether a label of numaplane may call the object failed. */
  readonly isProgressive: boolean
  /** For False conditions; their own message when absent. */
  readonly message?: string
}

const resultLabel = 'numaplane.numaproj.io/progressive-result-state'

function workload(kind: string, { paused, isProgressive, message }: Shape): Rule {
  return (facts: Facts) => {
    const waiting = progressing(`Waiting for ${kind} status`)
    if (!facts.hasStatus || !facts.isObserved) return waiting
    const phase = String(facts.status('phase'))
    if (phase === 'Failed') return degraded(facts.status('message'))
    if (isProgressive && facts.get('metadata', 'labels', resultLabel) === 'failed') {
      return degraded('Failed progressive upgrade')
    }
    const failed = facts.conditions?.findLast(({ status }) => status === 'False')
    if (failed !== undefined) return degraded(message ?? failed['message'])
    if (paused.includes(phase)) return healthy(`${kind} is paused`)
    return phase === 'Running' ? healthy(`${kind} is healthy`) : waiting
  }
}

const unhealthy = 'Subresources are unhealthy'

export const numaflowRules: Rules = {
  'numaflow.numaproj.io/InterStepBufferService': workload('InterStepBufferService', {
    paused: [],
    isProgressive: true,
  }),
  'numaflow.numaproj.io/MonoVertex': workload('MonoVertex', {
    paused: ['Paused'],
    isProgressive: true,
    message: unhealthy,
  }),
  'numaflow.numaproj.io/Pipeline': workload('Pipeline', {
    paused: ['Paused', 'Pausing'],
    isProgressive: true,
    message: unhealthy,
  }),
  'numaflow.numaproj.io/Vertex': workload('Vertex', { paused: ['Paused'], isProgressive: false }),
}
