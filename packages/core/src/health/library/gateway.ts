import type { HealthStatus } from '../../argo/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import {
  type Condition,
  degraded,
  type Facts,
  healthy,
  progressing,
  type Rule,
  type Rules,
} from './facts.ts'
import { itemsOf, join, pathOf } from './strict.ts'

const group = 'gateway.networking.k8s.io'

/** What is wrong with one parent, listener or Gateway. */
function trouble(
  conditions: readonly Condition[],
  tell: (message: Json, step: 0 | 1 | 2) => Json,
  waiting: string,
): HealthStatus | undefined {
  for (const [step, failing] of (['ResolvedRefs', 'Accepted'] as const).entries()) {
    const found = conditions.find(({ type, status }) => type === failing && status === 'False')
    if (found !== undefined) {
      return degraded(tell(found['message'] ?? `Failed condition: ${failing}`, step as 0 | 1))
    }
  }
  const open = conditions.find(({ type, status }) => type === 'Programmed' && status !== 'True')
  return open === undefined ? undefined : progressing(tell(open['message'] ?? waiting, 2))
}

function conditionsOf(object: JsonObject): readonly Condition[] | undefined {
  const list = object['conditions']
  return Array.isArray(list) ? list.filter(isObject) : undefined
}

/** Of an object that is taken to have some. */
function conditionsAt(line: number, object: JsonObject): readonly Condition[] {
  return itemsOf(line, object['conditions']).filter(isObject)
}

function isStale(conditions: readonly Condition[], facts: Facts): boolean {
  const generation = facts.get('metadata', 'generation')
  if (generation === undefined) return false
  return conditions.some(
    ({ observedGeneration }) =>
      (observedGeneration ?? undefined) !== undefined && observedGeneration !== generation,
  )
}

interface RouteShape {
  readonly skipsStale: boolean
  /** Of the messages, for those that cannot be put together. */
  readonly lines: readonly [resolved: number, accepted: number, programmed: number]
}

function route(kind: string, { skipsStale, lines }: RouteShape): Rule {
  return (facts) => {
    let isKnown = false
    for (const parent of facts.list('status', 'parents') ?? []) {
      const conditions = conditionsOf(parent)
      if (conditions === undefined) continue
      const isEmpty = conditions.length === 0
      if (skipsStale && (isStale(conditions, facts) || isEmpty)) continue
      isKnown ||= !isEmpty
      const found = trouble(
        conditions,
        (message, step) => {
          const name = pathOf(lines[step], parent, 'parentRef', 'name') ?? ''
          return join(lines[step], 'Parent ', name, ': ', message)
        },
        'Route is still being programmed',
      )
      if (found !== undefined) return found
    }
    return isKnown ? healthy(`${kind} is healthy`) : progressing(`Waiting for ${kind} status`)
  }
}

const listenerLines = [55, 61, 78] as const

function gateway(facts: Facts): HealthStatus {
  const { conditions } = facts
  const found = trouble(conditions ?? [], (message) => message, 'Gateway is still being programmed')
  if (found !== undefined) return found
  const listeners = facts.list('status', 'listeners') ?? []
  for (const listener of listeners) {
    const wrong = trouble(
      conditionsOf(listener) ?? [],
      (message, step) => join(listenerLines[step], 'Listener: ', message),
      'Listener is still being programmed',
    )
    if (wrong !== undefined) return wrong
  }
  return conditions !== undefined || listeners.length > 0
    ? healthy('Gateway is healthy')
    : progressing('Waiting for Gateway status')
}

function gatewayClass(facts: Facts): HealthStatus {
  const waiting = 'Waiting for GatewayClass status'
  const condition = facts.conditions?.find(
    (one) => one['type'] === 'Accepted' && !isStale([one], facts),
  )
  if (condition === undefined) return progressing(waiting)
  const { status, message } = condition
  if (status === 'True') return healthy(message ?? 'GatewayClass is accepted')
  if (status === 'False') return degraded(message ?? 'GatewayClass is not accepted')
  return progressing(message ?? waiting)
}

function backendTlsPolicy(facts: Facts): HealthStatus {
  let isAccepted = false
  const ancestors = facts.list('status', 'ancestors') ?? []
  const nameIn = (line: number, ancestor: JsonObject): Json =>
    pathOf(line, ancestor, 'ancestorRef', 'name') ?? ''
  if (facts.get('metadata', 'generation') !== undefined) {
    const stale = ancestors.find((ancestor) => isStale(conditionsAt(9, ancestor), facts))
    if (stale !== undefined) {
      const tail = ' to update BackendTLSPolicy status'
      return progressing(join(12, 'Waiting for Ancestor ', nameIn(12, stale), tail))
    }
  }
  for (const ancestor of ancestors) {
    for (const { type, status, message } of conditionsAt(21, ancestor)) {
      if ((type === 'Accepted' || type === 'ResolvedRefs') && status !== 'True') {
        const line = type === 'Accepted' ? 25 : 36
        return degraded(join(line, 'Ancestor ', nameIn(line, ancestor), ': ', message))
      }
      isAccepted ||= type === 'Accepted'
    }
  }
  return isAccepted
    ? healthy('BackendTLSPolicy is healthy')
    : progressing('Waiting for BackendTLSPolicy status')
}

export const gatewayRules: Rules = {
  [`${group}/BackendTLSPolicy`]: backendTlsPolicy,
  [`${group}/Gateway`]: gateway,
  [`${group}/GatewayClass`]: gatewayClass,
  [`${group}/GRPCRoute`]: route('GRPCRoute', { skipsStale: false, lines: [21, 27, 44] }),
  [`${group}/HTTPRoute`]: route('HTTPRoute', { skipsStale: true, lines: [50, 56, 73] }),
}
