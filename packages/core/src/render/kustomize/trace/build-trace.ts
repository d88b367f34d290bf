import { deepEqual, isObject, type Json } from '../../../json/index.ts'
import type { FieldCause, FieldTrace } from '../../types.ts'
import type { Resource } from '../resource.ts'
import { sameElement } from './elements.ts'
import type { Step } from './steps.ts'

/** A step that wrote a value, and where the value stood then: lists change their order later. */
interface Event {
  readonly step: Step
  /** Of the step among all steps. */
  readonly order: number
  readonly path: readonly (string | number)[]
  /** The whole object as the step left it. */
  readonly object: Json
}

/** What is known of one value; the shape of the tree is that of the object. */
interface Node {
  /** Oldest first. */
  readonly events: readonly Event[]
  readonly fields?: ReadonlyMap<string, Node>
  readonly items?: readonly Node[]
}

interface Known {
  readonly value: Json
  readonly node: Node
}

/**
 * The history of all objects of a build. Every step tells which objects it touched; what it changed follows from the values
 * before and after.
 */
export class BuildTrace {
  private readonly known = new WeakMap<Resource, Known>()
  private readonly orders = new Map<Step, number>()

  /** An object appears, made by the steps, the nearest cause last. */
  begin(resource: Resource, steps: readonly Step[]): void {
    const value = resource.toJson()
    this.known.set(resource, { value, node: fresh(value, this.marks(steps, value), []) })
  }

  /** An object takes the place of another, whose fields it may keep. */
  succeed(resource: Resource, old: Resource, steps: readonly Step[]): void {
    const known = this.known.get(old)
    if (known === undefined) this.begin(resource, steps)
    else this.compare(resource, known, steps)
  }

  /** A step has touched an object. */
  after(resource: Resource, step: Step): void {
    const known = this.known.get(resource)
    if (known !== undefined && resource.node !== undefined) this.compare(resource, known, [step])
  }

  private compare(resource: Resource, known: Known, steps: readonly Step[]): void {
    const value = resource.toJson()
    this.known.set(resource, { value, node: reconcile(known, value, this.marks(steps, value), []) })
  }

  private marks(steps: readonly Step[], object: Json): readonly Mark[] {
    return steps.map((step) => {
      let order = this.orders.get(step)
      if (order === undefined) this.orders.set(step, (order = this.orders.size))
      return { step, order, object }
    })
  }

  /** The answer for one object, undefined when nothing is known of it. */
  of(resource: Resource): FieldTrace | undefined {
    const known = this.known.get(resource)
    return known === undefined ? undefined : { causesOf: (path) => causesOf(known.node, path) }
  }
}

type Mark = Omit<Event, 'path'>

function fresh(value: Json, steps: readonly Mark[], path: readonly (string | number)[]): Node {
  const events = steps.map((mark) => ({ ...mark, path }))
  if (Array.isArray(value)) {
    const items = value.map((item: Json, i) => fresh(item, steps, [...path, i]))
    return { events, items }
  }
  if (!isObject(value)) return { events }
  const fields = new Map(
    Object.entries(value).map(([name, item]) => [name, fresh(item, steps, [...path, name])]),
  )
  return { events, fields }
}

function reconcile(
  known: Known | undefined,
  value: Json,
  steps: readonly Mark[],
  path: readonly (string | number)[],
): Node {
  if (known === undefined) return fresh(value, steps, path)
  if (deepEqual(known.value, value)) return known.node
  const { events, fields, items } = known.node
  if (isObject(value) && isObject(known.value) && fields !== undefined) {
    const { value: old } = known
    const next = Object.entries(value).map(([name, item]): [string, Node] => {
      const node = fields.get(name)
      const before = node === undefined ? undefined : { value: old[name]!, node }
      return [name, reconcile(before, item, steps, [...path, name])]
    })
    return { events, fields: new Map(next) }
  }
  if (Array.isArray(value) && Array.isArray(known.value) && items !== undefined) {
    return { events, items: reconcileItems(known.value, items, value, steps, path) }
  }
  const made = fresh(value, steps, path)
  return { ...made, events: [...events, ...made.events] }
}

function reconcileItems(
  old: readonly Json[],
  nodes: readonly Node[],
  list: readonly Json[],
  steps: readonly Mark[],
  path: readonly (string | number)[],
): readonly Node[] {
  const left = new Set(old.keys())
  const take = (at: number | undefined): Known | undefined => {
    if (at === undefined) return undefined
    left.delete(at)
    return { value: old[at]!, node: nodes[at]! }
  }
  const find = (matches: (value: Json, at: number) => boolean): number | undefined => {
    for (const at of left) if (matches(old[at]!, at)) return at
    return undefined
  }
  const equal = list.map((item) => take(find((other) => deepEqual(other, item))))
  return list.map((item, i) => {
    const before = equal[i] ?? take(find((other, at) => sameElement(other, item, at === i)))
    return reconcile(before, item, steps, [...path, i])
  })
}

function causesOf(root: Node, path: readonly (string | number)[]): readonly FieldCause[] {
  let node: Node | undefined = root
  for (const step of path) {
    node = typeof step === 'number' ? node.items?.[step] : node.fields?.get(step)
    if (node === undefined) return []
  }
  const found = new Map<Step, Event>()
  for (const event of eventsBelow(node)) {
    if (!found.has(event.step)) found.set(event.step, event)
  }
  return [...found.values()]
    .sort((a, b) => b.order - a.order)
    .map(({ step, path: place, object }) => step.causeOf(place, object))
}

/** Of the value itself first: a step is placed where it wrote the whole. */
function* eventsBelow(node: Node): Generator<Event> {
  yield* node.events
  for (const child of node.fields?.values() ?? []) yield* eventsBelow(child)
  for (const child of node.items ?? []) yield* eventsBelow(child)
}
