import type { ApplyOptions } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import { deepEqual, getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { annotationsOf, labelsOf, type Manifest } from '@litecd/core/kube'
import { isConflict, isNotFound } from '../client/index.ts'
import { joinOutput, printedName } from './messages.ts'
import type { RemoteObject } from './objects.ts'
import {
  missingRules,
  missingSubjects,
  ruleJson,
  ruleOf,
  ruleText,
  subjectJson,
  subjectOf,
  subjectText,
} from './rbac-rules.ts'

const rbacVersion = 'rbac.authorization.k8s.io/v1'
const roleKinds: ReadonlySet<string> = new Set(['Role', 'ClusterRole'])
const bindingKinds: ReadonlySet<string> = new Set(['RoleBinding', 'ClusterRoleBinding'])
const maxAttempts = 3 // component-helpers v0.36.1 auth/rbac/reconciliation; and as many for conflicts

type Step = 'none' | 'create' | 'update' | 'recreate'

interface Plan {
  readonly step: Step
  readonly object: Manifest
  readonly added: readonly string[]
}

function list(value: JsonObject, field: string): readonly Json[] {
  const found = value[field]
  return Array.isArray(found) ? found : []
}

/** The fields that the Go types of RBAC know; the rest is dropped, as their decoder does. */
function typed(target: Manifest): Manifest {
  const { apiVersion, kind } = target
  const metadata = target['metadata'] ?? {}
  if (roleKinds.has(kind)) {
    const rules = list(target, 'rules').map((rule) => ruleJson(ruleOf(rule)))
    const aggregation = target['aggregationRule']
    return {
      apiVersion,
      kind,
      metadata,
      rules,
      ...(kind === 'ClusterRole' && isObject(aggregation) ? { aggregationRule: aggregation } : {}),
    }
  }
  const subjects = list(target, 'subjects').map((subject) => subjectJson(subjectOf(subject)))
  return {
    apiVersion,
    kind,
    metadata,
    ...(subjects.length === 0 ? {} : { subjects }),
    roleRef: roleRef(target),
  }
}

function roleRef(object: Manifest): JsonObject {
  const text = (field: string): string => String(getPath(object, 'roleRef', field) ?? '')
  return { apiGroup: text('apiGroup'), kind: text('kind'), name: text('name') }
}

/** `existing` with the labels and annotations of `wanted` that it has not; its own win. */
function withMetadata(existing: Manifest, wanted: Manifest): Manifest {
  const annotations = { ...annotationsOf(wanted), ...annotationsOf(existing) }
  const labels = { ...labelsOf(wanted), ...labelsOf(existing) }
  const metadata = isObject(existing['metadata']) ? existing['metadata'] : {}
  return {
    ...existing,
    metadata: {
      ...metadata,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
    },
  }
}

function planRole(existing: Manifest | undefined, wanted: Manifest): Plan {
  const rules = list(wanted, 'rules').map(ruleOf)
  if (existing === undefined) {
    return { step: 'create', object: wanted, added: section('rules', rules.map(ruleText)) }
  }
  let object = withMetadata(existing, wanted)
  const missing = missingRules(list(existing, 'rules').map(ruleOf), rules)
  if (missing.length > 0) {
    object = { ...object, rules: [...list(existing, 'rules'), ...missing.map(ruleJson)] }
  }
  const selectors = (role: Manifest): readonly Json[] | undefined => {
    const rule = role['aggregationRule']
    return isObject(rule) ? list(rule, 'clusterRoleSelectors') : undefined
  }
  const [before, after] = [selectors(existing), selectors(wanted)]
  if (after === undefined && before !== undefined) {
    const { aggregationRule: _, ...rest } = object
    object = rest as Manifest
  } else if (after !== undefined) {
    const added = after.filter((one) => !(before ?? []).some((other) => deepEqual(one, other)))
    if (added.length > 0) {
      const clusterRoleSelectors = [...(before ?? []), ...added]
      object = { ...object, aggregationRule: { clusterRoleSelectors } }
    }
  }
  const step = deepEqual(object, existing) ? 'none' : 'update'
  return { step, object, added: section('rules', missing.map(ruleText)) }
}

function planBinding(existing: Manifest | undefined, wanted: Manifest): Plan {
  const subjects = list(wanted, 'subjects').map(subjectOf)
  if (existing === undefined) {
    return { step: 'create', object: wanted, added: section('subjects', subjects.map(subjectText)) }
  }
  if (!deepEqual(roleRef(existing), roleRef(wanted))) {
    return { step: 'recreate', object: wanted, added: [] }
  }
  let object = withMetadata(existing, wanted)
  const missing = missingSubjects(list(existing, 'subjects').map(subjectOf), subjects)
  if (missing.length > 0) {
    const all = [...list(existing, 'subjects'), ...missing.map(subjectJson)]
    object = { ...object, subjects: all }
  }
  const step = deepEqual(object, existing) ? 'none' : 'update'
  return { step, object, added: section('subjects', missing.map(subjectText)) }
}

function section(what: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0
    ? []
    : [`\tmissing ${what} added:`, ...lines.map((line) => `\t\t${line}`)]
}

/** Does what the plan says. Undefined: somebody else was faster, and the plan is to be made anew. */
async function carryOut(
  plan: Plan,
  existing: Manifest | undefined,
  remote: RemoteObject,
  fieldManager: string,
): Promise<Manifest | undefined> {
  const { step, object } = plan
  if (step === 'none') return object
  if (step === 'update') {
    try {
      return await remote.update(object, { fieldManager })
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return undefined
      throw error
    }
  }
  if (step === 'recreate') {
    try {
      await remote.delete({ uid: String(getPath(existing!, 'metadata', 'uid') ?? '') })
    } catch (error) {
      if (isConflict(error)) return undefined
      if (!isNotFound(error)) throw error
    }
  }
  try {
    return await remote.create(object, { fieldManager })
  } catch (error) {
    if (isConflict(error)) return undefined
    throw error
  }
}

/** True for what Argo CD passes through `kubectl auth reconcile` before a client-side apply. */
export function needsReconcile(target: Manifest): boolean {
  return target.apiVersion === rbacVersion
}

/**
 * `kubectl auth reconcile`: adds what is missing in roles and bindings, removes nothing, and makes a binding anew whose
 * roleRef has changed, which no update may do. Returns what kubectl prints; '' for kinds that it passes over.
 *
 * Source: kubectl v0.36.1 pkg/cmd/auth/reconcile.go, component-helpers v0.36.1 auth/rbac/reconciliation.
 */
export async function authReconcile(
  remote: RemoteObject,
  target: Manifest,
  options: ApplyOptions,
  programManager: string,
): Promise<string> {
  const isRole = roleKinds.has(target.kind)
  if (!isRole && !bindingKinds.has(target.kind)) return ''
  const wanted = typed(target)
  for (let attempt = 1; ; attempt++) {
    const existing = await remote.find()
    const plan = isRole ? planRole(existing, wanted) : planBinding(existing, wanted)
    const optedOut =
      existing !== undefined &&
      annotationsOf(existing)['rbac.authorization.kubernetes.io/autoupdate'] === 'false'
    const real = options.dryRun === 'none' && !optedOut
    const object = real ? await carryOut(plan, existing, remote, programManager) : plan.object
    if (object === undefined) {
      if (attempt < maxAttempts) continue
      throw new ClusterError('CLUSTER_CONFLICT', 'exceeded maximum attempts', { retryable: true })
    }
    const dry = options.dryRun === 'none' ? '' : ' (dry run)'
    const out = `${printedName(target)} reconciled${dry}`
    if (plan.step === 'none') return out
    const caveat = optedOut
      ? ', but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)'
      : ''
    const lines = [`\treconciliation required ${plan.step}${caveat}`, ...plan.added]
    return joinOutput(out, lines.join('\n'))
  }
}
