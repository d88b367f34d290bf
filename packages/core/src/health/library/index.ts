// health/library: checks for the kinds of others, equal to those that Argo CD brings along, written from their facts.
// In: live objects. Out: the check for a group and kind, if there is one. Never: user settings, I/O.

import type { HealthStatus } from '../../argo/index.ts'
import { groupOf, type Manifest } from '../../kube/index.ts'
import { compileDoublestar } from '../../text/index.ts'
import { argoprojRules } from './argoproj.ts'
import { clusterApiRules } from './cluster-api.ts'
import { crossplaneRules } from './crossplane.ts'
import { databaseRules } from './databases.ts'
import { Facts, type Rule, type Rules } from './facts.ts'
import { fluxRules } from './flux.ts'
import { gatewayRules } from './gateway.ts'
import { kruiseRules } from './kruise.ts'
import { kubernetesRules } from './kubernetes.ts'
import { machineRules } from './machines.ts'
import { messagingRules } from './messaging.ts'
import { numaflowRules } from './numaflow.ts'
import { numaplaneRules } from './numaplane.ts'
import { observabilityRules } from './observability.ts'
import { openshiftRules } from './openshift.ts'
import { otherRules } from './others.ts'
import { promoterRules } from './promoter.ts'
import { readyRules } from './ready.ts'
import { servingRules } from './serving.ts'
import { soloRules } from './solo.ts'
import { sparkRules } from './spark.ts'
import { storageRules } from './storage.ts'
import { threescaleRules } from './threescale.ts'

const rules: Rules = {
  ...argoprojRules,
  ...clusterApiRules,
  ...crossplaneRules,
  ...databaseRules,
  ...fluxRules,
  ...gatewayRules,
  ...kruiseRules,
  ...kubernetesRules,
  ...machineRules,
  ...messagingRules,
  ...numaflowRules,
  ...numaplaneRules,
  ...observabilityRules,
  ...openshiftRules,
  ...otherRules,
  ...promoterRules,
  ...readyRules,
  ...servingRules,
  ...soloRules,
  ...sparkRules,
  ...storageRules,
  ...threescaleRules,
}

// no two of the patterns match the same kind
const wild: readonly (readonly [(text: string) => boolean, Rule, string])[] = Object.entries(
  rules,
).flatMap(([key, rule]) => {
  const matcher = key.includes('*') ? compileDoublestar(key) : undefined
  return matcher === undefined ? [] : [[matcher, rule, key] as const]
})

/**
 * The check for an object's kind: an exact one before one for many kinds. The check throws CompareError LUA_FAILED where
 * Argo CD's fails.
 *
 * Source: argo-cd v3.5.1 util/lua/lua.go, resource_customizations
 */
export function libraryCheck(live: Manifest): (() => HealthStatus | undefined) | undefined {
  const key = `${groupOf(live.apiVersion)}/${live.kind}`
  const exact = Object.hasOwn(rules, key) ? rules[key] : undefined
  if (exact !== undefined) return () => verdict(exact, live, key)
  const found = wildCheck(key)
  return found === undefined ? undefined : () => verdict(found[1], live, found[2])
}

// kinds that were asked for; a cluster has some hundred
const asked = new Map<string, (typeof wild)[number] | undefined>()
const mostAsked = 1000

function wildCheck(key: string): (typeof wild)[number] | undefined {
  const known = asked.get(key)
  if (known !== undefined || asked.has(key)) return known
  const found = wild.find(([matches]) => matches(key))
  if (asked.size >= mostAsked) asked.clear()
  asked.set(key, found)
  return found
}

/** A verdict without a text, or with something else for a text, is void. */
function verdict(rule: Rule, live: Manifest, key: string): HealthStatus | undefined {
  const health = rule(new Facts(live, key))
  return typeof (health?.message ?? '') === 'string' ? health : undefined
}
