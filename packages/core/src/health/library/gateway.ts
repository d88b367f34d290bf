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
  for (const { type, status, message } of conditions) {
    if ((type === 'ResolvedRefs' || type === 'Accepted') && status === 'False') {
      return degraded(`${prefix}${show(message ?? `Failed condition: ${show(type)}`)}`)
    }
    if (type === 'Programmed' && status !== 'True') {
      return progressing(`${prefix}${show(message ?? waiting)}`)
    }
  }
  return undefined
}

function conditionsOf(object: JsonObject): readonly Condition[] | undefined {
  const list = object['conditions']
  return Array.isArray(list) ? list.filter(isObject) : undefined
}

function isStale(conditions: readonly Condition[], facts: Facts): boolean {
  const generation = facts.get('metadata', 'generation')
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
  for (const ancestor of facts.list('status', 'ancestors') ?? []) {
    const name = nameIn(ancestor, 'ancestorRef')
    const conditions = conditionsOf(ancestor) ?? []
    for (const condition of conditions) {
      if (isStale([condition], facts)) {
        return progressing(`Waiting for Ancestor ${name} to update BackendTLSPolicy status`)
      }
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
