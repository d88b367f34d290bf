import type { YamlNode } from '../../yaml/index.ts'
import { type FieldSpec, fieldSpec, type NameReference } from './config.ts'
import { fail, wrap } from './fail.ts'
import { visitField } from './field-spec.ts'
import { effectiveNamespace, type Gvk, idText, isSelected, noNamespace } from './id.ts'
import { expectKind, getField, isMissing, scalar, setField, setScalar } from './node.ts'
import type { Objects } from './objects.ts'
import type { Resource } from './resource.ts'

interface Place {
  readonly spec: FieldSpec
  readonly target: Gvk
}

/**
 * Puts the present names of objects where others refer to them by an older one.
 *
 * Source: kustomize v5.8.1 api/filters/nameref, api/internal/accumulator/namereferencetransformer.go
 */
export function fixReferences(objects: Objects, references: readonly NameReference[]): void {
  const index = new Candidates(objects.list)
  const places = new Map<string, readonly Place[]>()
  for (const referrer of objects.list) {
    if (referrer.node === undefined) continue
    const first = referrer.originalId
    const { gvk } = referrer
    const key = `${first.group}|${first.version}|${first.kind}|${gvk.group}|${gvk.version}|${gvk.kind}`
    let found = places.get(key)
    if (found === undefined) {
      found = placesOf(first, gvk, references)
      places.set(key, found)
    }
    if (found.length === 0) continue
    new Referrer(referrer, index).visit(found)
  }
}

function placesOf(first: Gvk, gvk: Gvk, references: readonly NameReference[]): Place[] {
  const places: Place[] = []
  for (const reference of references) {
    for (const spec of reference.referrers) {
      if (!isSelected(first, spec)) continue
      const { group, version, kind } = reference
      places.push({
        spec: fieldSpec(spec.path, spec.create, gvk),
        target: { group, version, kind },
      })
    }
  }
  return places
}

/** Objects that have been renamed, by every name that they had. */
class Candidates {
  private readonly byName = new Map<string, Candidate[]>()
  /** The same, apart by the namespace that counts now. */
  private readonly byPlace = new Map<string, Candidate[]>()
  private readonly originalNamespaces = new Map<string, Resource[]>()

  constructor(list: readonly Resource[]) {
    for (const [order, resource] of list.entries()) {
      const place = effectiveNamespace(resource.id)
      for (const name of new Set(resource.previous.map((id) => id.name))) {
        add(this.byName, name, { resource, order })
        add(this.byPlace, `${name}\n${place}`, { resource, order })
      }
      const namespace = effectiveNamespace(resource.originalId)
      add(this.originalNamespaces, namespace, resource)
    }
  }

  /** Those that had a name, in order; undefined namespaces are all. */
  named(name: string, namespaces: Iterable<string> | undefined): readonly Resource[] {
    if (namespaces === undefined) {
      return (this.byName.get(name) ?? []).map(({ resource }) => resource)
    }
    const found: Candidate[] = []
    for (const namespace of namespaces) {
      found.push(...(this.byPlace.get(`${name}\n${namespace}`) ?? []))
    }
    return found.sort((a, b) => a.order - b.order).map(({ resource }) => resource)
  }

  /** Objects that came with the namespace. */
  from(namespace: string): readonly Resource[] {
    return this.originalNamespaces.get(namespace) ?? []
  }
}

interface Candidate {
  readonly resource: Resource
  readonly order: number
}

function add<T>(index: Map<string, T[]>, key: string, value: T): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, [value])
  else known.push(value)
}

class Referrer {
  private readonly resource: Resource
  private readonly candidates: Candidates
  private readonly isCluster: boolean
  private readonly namespace: string
  private readonly bound: ReadonlySet<string>
  /** Where candidates may be; undefined for everywhere. */
  private readonly places: ReadonlySet<string> | undefined

  constructor(resource: Resource, candidates: Candidates) {
    this.resource = resource
    this.candidates = candidates
    this.isCluster = resource.isClusterScoped()
    this.namespace = effectiveNamespace(resource.id)
    this.bound = resource.kind === 'RoleBinding' ? boundNamespaces(resource) : new Set()
    const bound = [...this.bound].map((namespace) => namespace || 'default')
    this.places = this.isCluster ? undefined : new Set([noNamespace, this.namespace, ...bound])
  }

  visit(places: readonly Place[]): void {
    for (const place of places) {
      try {
        visitField(this.resource, place.spec, (node) => this.set(node, place))
      } catch (error) {
        throw wrap(
          error,
          `updating name reference in '${place.spec.path}' field of '${idText(this.resource.id)}'`,
        )
      }
    }
  }

  private set(node: YamlNode, place: Place): boolean {
    if (isMissing(node)) return false
    if (node.kind === 'scalar') return this.setScalar(node, place)
    if (node.kind === 'mapping') return this.setMap(node, place)
    let changed = false
    for (const item of node.content) {
      if (isMissing(item)) continue
      if (item.kind === 'scalar') changed = this.setScalar(item, place) || changed
      else if (item.kind === 'mapping') changed = this.setMap(item, place) || changed
      else fail('a list is expected to be either a string or a map of string')
    }
    return changed
  }

  private setScalar(node: YamlNode, place: Place): boolean {
    const all = this.candidates.named(node.value, this.places)
    if (all.length === 0) return false
    const found = this.choose(this.reachable(all), place, false)
    if (found === undefined || found.name === node.value) return false
    setScalar(node, scalar(found.name))
    return true
  }

  private setMap(node: YamlNode, place: Place): boolean {
    const name = getField(node, 'name')
    if (name === undefined) fail("path config error; no 'name' field in node")
    const all = this.candidates.named(name.value, this.places)
    if (all.length === 0) return false
    const namespace = getField(node, 'namespace')
    let candidates = this.reachable(all)
    if (namespace !== undefined) candidates = this.inNamespace(candidates, namespace.value)
    const found = this.choose(candidates, place, true)
    if (found === undefined) return false
    if (found.name === name.value && found.namespace === '') return false
    setField(node, 'name', scalar(found.name))
    if (found.namespace !== '') setField(node, 'namespace', scalar(found.namespace))
    return true
  }

  /** By the namespace an object came with, when any reachable object came with it, else by the present one. */
  private inNamespace(candidates: readonly Resource[], namespace: string): readonly Resource[] {
    const isOriginal =
      namespace !== noNamespace &&
      this.candidates.from(namespace).some((resource) => this.reaches(resource))
    return candidates.filter((resource) => {
      const id = isOriginal ? resource.originalId : resource.id
      const effective = effectiveNamespace(id)
      return effective === namespace && effective !== noNamespace
    })
  }

  private reachable(candidates: readonly Resource[]): readonly Resource[] {
    return candidates.filter((candidate) => this.reaches(candidate))
  }

  private reaches(candidate: Resource): boolean {
    if (candidate.node === undefined) return false
    return (
      this.isCluster ||
      candidate.isClusterScoped() ||
      effectiveNamespace(candidate.id) === this.namespace ||
      this.bound.has(candidate.namespace)
    )
  }

  private choose(
    candidates: readonly Resource[],
    place: Place,
    withNamespace: boolean,
  ): Resource | undefined {
    let left = candidates.filter((candidate) => hadKind(candidate, place.target))
    if (place.spec.path.endsWith('roleRef/name')) {
      const wanted = roleRefOf(this.resource)
      if (wanted !== undefined) left = left.filter((candidate) => hadKind(candidate, wanted))
    }
    left = left.filter((candidate) => this.sharesNamespace(candidate))
    if (left.length === 1) return left[0]
    left = left.filter((candidate) => this.sharesAffixes(candidate, true))
    if (left.length > 1) left = left.filter((candidate) => this.sharesAffixes(candidate, false))
    const first = left[0]
    if (first === undefined || left.length === 1) return first
    const same = left.every(
      (candidate) =>
        candidate.name === first.name &&
        (!withNamespace || candidate.namespace === first.namespace),
    )
    if (same) return first
    const ids = left.map((candidate) => idText(candidate.id)).join(', ')
    const details = [
      `\n**** Too many possible referral targets to referrer:\n${this.resource.describeYaml()}\n`,
      ...left.map((candidate, i) => `--- possible referral ${i}:\n${candidate.describeYaml()}\n`),
    ]
    return fail(`found multiple possible referrals: ${ids}\n${details.join('')}`)
  }

  private sharesNamespace(candidate: Resource): boolean {
    return (
      this.isCluster ||
      candidate.isClusterScoped() ||
      candidate.kind === 'ServiceAccount' ||
      effectiveNamespace(candidate.id) === this.namespace
    )
  }

  private sharesAffixes(candidate: Resource, lenient: boolean): boolean {
    return (
      agree(candidate.prefixes, this.resource.prefixes, lenient) &&
      agree(candidate.suffixes, this.resource.suffixes, lenient)
    )
  }
}

function agree(a: readonly string[], b: readonly string[], lenient: boolean): boolean {
  if (a.length === 0 || b.length === 0) return lenient || a.length === b.length
  const [short, long] = a.length > b.length ? [b, a] : [a, b]
  return short.every((item, i) => item === long[long.length - short.length + i])
}

function hadKind(resource: Resource, gvk: Gvk): boolean {
  const { group, version } = resource.gvk
  return resource.previous.some(({ kind }) => isSelected({ group, version, kind }, gvk))
}

function roleRefOf(resource: Resource): Gvk | undefined {
  const roleRef = getField(resource.node, 'roleRef')
  const group = getField(roleRef, 'apiGroup')
  const kind = getField(roleRef, 'kind')
  if (group === undefined || kind === undefined) return undefined
  return { group: group.value, version: '', kind: kind.value }
}

/** Namespaces of the ServiceAccounts that a RoleBinding names. */
function boundNamespaces(resource: Resource): ReadonlySet<string> {
  const found = new Set<string>()
  const subjects = getField(resource.node, 'subjects')
  if (subjects?.kind !== 'sequence') return found
  for (const subject of subjects.content) {
    expectKind(subject, 'mapping')
    const namespace = getField(subject, 'namespace')
    if (namespace === undefined || getField(subject, 'kind')?.value !== 'ServiceAccount') continue
    if (isMissing(namespace)) {
      fail(`Invalid Input: namespace is blank for resource "${idText(resource.id)}"\n`)
    }
    found.add(namespace.value)
  }
  return found
}
