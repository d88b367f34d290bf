import type { HealthStatus } from '../../argo/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
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
} from './facts.ts'

const group = 'gateway.networking.k8s.io'

/** What is wrong with one parent, listener or Gateway. */
function trouble(
  conditions: readonly Condition[],
  prefix: string,
  waiting: string,
): HealthStatus | undefined {
  for (const failing of ['ResolvedRefs', 'Accepted']) {
    const found = conditions.find(({ type, status }) => type === failing && status === 'False')
    if (found !== undefined) {
      return degraded(`${prefix}${show(found['message'] ?? `Failed condition: ${failing}`)}`)
    }
  }
  const open = conditions.find(({ type, status }) => type === 'Programmed' && status !== 'True')
  if (open !== undefined) return progressing(`${prefix}${show(open['message'] ?? waiting)}`)
  return undefined
}

function conditionsOf(object: JsonObject): readonly Condition[] | undefined {
  const list = object['conditions']
  return Array.isArray(list) ? list.filter(isObject) : undefined
}

function isStale(conditions: readonly Condition[], facts: Facts): boolean {
  const generation = facts.get('metadata', 'generation')
  if (generation === undefined) return false
  return conditions.some(
    ({ observedGeneration }) =>
      (observedGeneration ?? undefined) !== undefined && observedGeneration !== generation,
  )
}

function nameIn(object: JsonObject, field: string): string {
  const reference: Json | undefined = object[field]
  return isObject(reference) ? show(reference['name']) : ''
}

function route(kind: string, skipsStale: boolean): Rule {
  return (facts) => {
    let isKnown = false
    for (const parent of facts.list('status', 'parents') ?? []) {
      const conditions = conditionsOf(parent)
      if (conditions === undefined || (skipsStale && isStale(conditions, facts))) continue
      isKnown = true
      const name = nameIn(parent, 'parentRef')
      const found = trouble(conditions, `Parent ${name}: `, 'Route is still being programmed')
      if (found !== undefined) return found
    }
    return isKnown ? healthy(`${kind} is healthy`) : progressing(`Waiting for ${kind} status`)
  }
}

function gateway(facts: Facts): HealthStatus {
  const { conditions } = facts
  const found = trouble(conditions ?? [], '', 'Gateway is still being programmed')
  if (found !== undefined) return found
  const listeners = facts.list('status', 'listeners') ?? []
  for (const listener of listeners) {
    const wrong = trouble(
      conditionsOf(listener) ?? [],
      'Listener: ',
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
  const stale = ancestors.find((ancestor) => isStale(conditionsOf(ancestor) ?? [], facts))
  if (stale !== undefined) {
    const name = nameIn(stale, 'ancestorRef')
    return progressing(`Waiting for Ancestor ${name} to update BackendTLSPolicy status`)
  }
  for (const ancestor of ancestors) {
    const name = nameIn(ancestor, 'ancestorRef')
    for (const condition of conditionsOf(ancestor) ?? []) {
      const { type, status, message } = condition
      if ((type === 'Accepted' || type === 'ResolvedRefs') && status !== 'True') {
        return degraded(`Ancestor ${name}: ${show(message)}`)
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
  ...each(group, ['GRPCRoute'], (kind) => route(kind, false)),
  ...each(group, ['HTTPRoute'], (kind) => route(kind, true)),
}
