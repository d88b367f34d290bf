import { deepEqual, isObject, type Json, type JsonObject } from '@litecd/core/json'

/** A PolicyRule, with every list there. */
export interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

export function ruleOf(value: Json): Rule {
  const object: JsonObject = isObject(value) ? value : {}
  return {
    verbs: strings(object['verbs']),
    apiGroups: strings(object['apiGroups']),
    resources: strings(object['resources']),
    resourceNames: strings(object['resourceNames']),
    nonResourceURLs: strings(object['nonResourceURLs']),
  }
}

/** A rule as the API takes it: empty lists other than `verbs` are left out. */
export function ruleJson(rule: Rule): JsonObject {
  const lists = Object.entries(rule).filter(([name, list]) => name === 'verbs' || list.length > 0)
  return Object.fromEntries(lists)
}

/** As Go's `%+v` prints a PolicyRule. */
export function ruleText(rule: Rule): string {
  const list = (items: readonly string[]): string => `[${items.join(' ')}]`
  return (
    `{Verbs:${list(rule.verbs)} APIGroups:${list(rule.apiGroups)} Resources:${list(rule.resources)} ` +
    `ResourceNames:${list(rule.resourceNames)} NonResourceURLs:${list(rule.nonResourceURLs)}}`
  )
}

const nothing: Rule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
}

/** Rules of one verb, one resource and at most one name each, that together allow the same. */
function atoms(rule: Rule): readonly Rule[] {
  const names = rule.resourceNames.length > 0 ? rule.resourceNames.map((name) => [name]) : [[]]
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...nothing,
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames,
        })),
      ),
    ),
  )
  const onUrls = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...nothing, nonResourceURLs: [url], verbs: [verb] })),
  )
  return [...onResources, ...onUrls]
}

function holds(list: readonly string[], items: readonly string[]): boolean {
  return items.every((item) => list.includes(item))
}

function coversResource(owner: readonly string[], resource: string): boolean {
  if (owner.includes('*') || owner.includes(resource)) return true
  const slash = resource.indexOf('/')
  return slash !== -1 && owner.includes(`*/${resource.slice(slash + 1)}`)
}

function coversUrl(owner: string, url: string): boolean {
  return owner === url || (owner.endsWith('*') && url.startsWith(owner.replace(/\*+$/, '')))
}

function covers(owner: Rule, atom: Rule): boolean {
  const names =
    owner.resourceNames.length === 0 ||
    (atom.resourceNames.length > 0 && holds(owner.resourceNames, atom.resourceNames))
  return (
    names &&
    (owner.verbs.includes('*') || holds(owner.verbs, atom.verbs)) &&
    (owner.apiGroups.includes('*') || holds(owner.apiGroups, atom.apiGroups)) &&
    atom.resources.every((resource) => coversResource(owner.resources, resource)) &&
    atom.nonResourceURLs.every((url) => owner.nonResourceURLs.some((own) => coversUrl(own, url)))
  )
}

/** What `wanted` allows and `existing` does not, in atoms. Source: component-helpers v0.36.1 auth/rbac/validation. */
export function missingRules(existing: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] {
  return wanted.flatMap(atoms).filter((atom) => !existing.some((rule) => covers(rule, atom)))
}

export interface Subject {
  readonly kind: string
  readonly apiGroup: string
  readonly name: string
  readonly namespace: string
}

export function subjectOf(value: Json): Subject {
  const object: JsonObject = isObject(value) ? value : {}
  const text = (field: string): string => String(object[field] ?? '')
  return {
    kind: text('kind'),
    apiGroup: text('apiGroup'),
    name: text('name'),
    namespace: text('namespace'),
  }
}

export function subjectJson(subject: Subject): JsonObject {
  const { kind, name, apiGroup, namespace } = subject
  return {
    kind,
    ...(apiGroup === '' ? {} : { apiGroup }),
    name,
    ...(namespace === '' ? {} : { namespace }),
  }
}

/** As Go's `%+v` prints a Subject. */
export function subjectText({ kind, apiGroup, name, namespace }: Subject): string {
  return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`
}

/**
 * Wanted subjects that are not there, each once. Parity: fields are compared as written, so a User without the apiGroup
 * that the server fills in is missing for ever.
 */
export function missingSubjects(
  existing: readonly Subject[],
  wanted: readonly Subject[],
): readonly Subject[] {
  const missing: Subject[] = []
  for (const subject of wanted) {
    const same = (other: Subject): boolean => deepEqual({ ...subject }, { ...other })
    if (!existing.some(same) && !missing.some(same)) missing.push(subject)
  }
  return missing
}
