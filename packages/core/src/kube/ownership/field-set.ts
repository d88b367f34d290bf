import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from '../../json/index.ts'
import { quoteGo } from '../../text/index.ts'
import type { MergeType } from './merge-type.ts'
import { typeBelow } from './steps.ts'

/**
 * A set of fields of one object, as `metadata.managedFields` holds it: a tree whose steps are `f:name`, `k:{…}`, `v:…`
 * and `i:0`. A field can be in it without the fields below it, and the other way round.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 fieldpath
 */
export class FieldSet {
  readonly #members: ReadonlySet<string>
  readonly #children: ReadonlyMap<string, FieldSet>

  constructor(
    members: ReadonlySet<string> = new Set(),
    children: ReadonlyMap<string, FieldSet> = new Map(),
  ) {
    this.#members = members
    this.#children = children
  }

  static of(paths: Iterable<readonly string[]>): FieldSet {
    const builder = new FieldSetBuilder()
    for (const path of paths) builder.add(path)
    return builder.build()
  }

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#children.size === 0
  }

  has(step: string): boolean {
    return this.#members.has(step)
  }

  /** What is in the set below a step. */
  below(step: string): FieldSet | undefined {
    return this.#children.get(step)
  }

  get members(): Iterable<string> {
    return this.#members
  }

  get children(): Iterable<readonly [string, FieldSet]> {
    return this.#children
  }

  /** All paths of the set, parents before what is below them. */
  *paths(before: readonly string[] = []): Generator<readonly string[]> {
    for (const step of this.#members) yield [...before, step]
    for (const [step, set] of this.#children) yield* set.paths([...before, step])
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this
    if (this.isEmpty) return other
    const children = new Map(this.#children)
    for (const [step, set] of other.#children) {
      const own = children.get(step)
      children.set(step, own === undefined ? set : own.union(set))
    }
    return new FieldSet(new Set([...this.#members, ...other.#members]), children)
  }

  intersection(other: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>()
    for (const [step, set] of this.#children) {
      const theirs = other.#children.get(step)
      if (theirs !== undefined) keep(children, step, set.intersection(theirs))
    }
    const members = [...this.#members].filter((step) => other.#members.has(step))
    return new FieldSet(new Set(members), children)
  }

  /** Without the fields of another set; what is below these stays. */
  difference(other: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>()
    for (const [step, set] of this.#children) {
      const theirs = other.#children.get(step)
      keep(children, step, theirs === undefined ? set : set.difference(theirs))
    }
    return new FieldSet(this.#membersWithout(other), children)
  }

  /** Without the fields of another set and all that is below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>()
    for (const [step, set] of this.#children) {
      if (other.#members.has(step)) continue
      const theirs = other.#children.get(step)
      keep(children, step, theirs === undefined ? set : set.recursiveDifference(theirs))
    }
    return new FieldSet(this.#membersWithout(other), children)
  }

  #membersWithout(other: FieldSet): ReadonlySet<string> {
    return new Set([...this.#members].filter((step) => !other.#members.has(step)))
  }

  /** With the named fields that lead to something in the set: `spec` for `spec.replicas`. */
  withNamedFields(type: MergeType | undefined): FieldSet {
    const members = new Set(this.#members)
    const children = new Map<string, FieldSet>()
    for (const [step, set] of this.#children) {
      if (step.startsWith('f:') && type?.map?.field(step.slice(2)) !== undefined) members.add(step)
      children.set(step, set.withNamedFields(type && typeBelow(type, step)))
    }
    return new FieldSet(members, children)
  }
}

function keep(children: Map<string, FieldSet>, step: string, set: FieldSet): void {
  if (!set.isEmpty) children.set(step, set)
}

/** Collects paths one by one. */
export class FieldSetBuilder {
  readonly #members = new Set<string>()
  readonly #children = new Map<string, FieldSetBuilder>()

  /** The path of the object itself is in no set. */
  add(path: readonly string[]): void {
    let at: FieldSetBuilder = this
    for (const step of path.slice(0, -1)) {
      let next = at.#children.get(step)
      if (next === undefined) {
        next = new FieldSetBuilder()
        at.#children.set(step, next)
      }
      at = next
    }
    const last = path.at(-1)
    if (last !== undefined) at.#members.add(last)
  }

  build(): FieldSet {
    const children = [...this.#children].map(([step, builder]) => [step, builder.build()] as const)
    return new FieldSet(this.#members, new Map(children))
  }
}

/**
 * Reads `fieldsV1`. Steps of a kind that nobody knows are left out. Throws SyntaxError for other steps that cannot be
 * read.
 */
export function readFields(fields: JsonObject): FieldSet {
  return readLevel(fields).set ?? new FieldSet()
}

interface Level {
  /** Undefined when nothing is below. */
  readonly set: FieldSet | undefined
  readonly isMember: boolean
}

function readLevel(fields: JsonObject): Level {
  let isMember = false
  const members = new Set<string>()
  const children = new Map<string, FieldSet>()
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      isMember = true
      continue
    }
    const step = readStep(key)
    if (step === undefined) continue
    const value = fields[key]
    const below = readLevel(isObject(value) ? value : {})
    if (below.isMember) members.add(step)
    if (below.set !== undefined) children.set(step, below.set)
  }
  if (members.size === 0 && children.size === 0) return { set: undefined, isMember: true }
  return { set: new FieldSet(members, children), isMember }
}

/** The step in the one form in which it is compared. */
function readStep(key: string): string | undefined {
  if (key.length < 2) throw new SyntaxError('key must be 2 characters long:')
  if (key[1] !== ':') throw new SyntaxError(`missing colon: ${key}`)
  switch (key[0]) {
    case 'f':
    case 'i':
      return key
    case 'v':
    case 'k':
      return `${key[0]}:${canonicalJson(parseJson(key.slice(2)))}`
    default:
      return undefined
  }
}

/** A path as Kubernetes writes it in messages: `.spec.containers[name="web"].image`. */
export function formatSteps(path: readonly string[]): string {
  return path.map(formatStep).join('')
}

function formatStep(step: string): string {
  const rest = step.slice(2)
  if (step.startsWith('f:')) return `.${rest}`
  if (step.startsWith('i:')) return `[${rest}]`
  const value = parseJson(rest)
  if (step.startsWith('v:')) return `[=${formatValue(value)}]`
  const fields = isObject(value) ? Object.entries(value) : []
  return `[${fields.map(([name, item]) => `${name}=${formatValue(item)}`).join(',')}]`
}

function formatValue(value: Json): string {
  if (typeof value === 'string') return quoteGo(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`
  if (!isObject(value)) return canonicalJson(value)
  return Object.entries(value)
    .map(([key, item]) => `${key}=${formatValue(item)}`)
    .join('')
}
