import { fail } from './fail.ts'
import { idKey, idText, type ResId } from './id.ts'
import type { Resource } from './resource.ts'

/** The objects of a level, in order, with indexes that are rebuilt when ids may have changed. */
export class Objects {
  private items: Resource[] = []
  private current: Map<string, Resource> | undefined = new Map()
  private any: Map<string, Resource[]> | undefined = undefined

  get list(): readonly Resource[] {
    return this.items
  }

  replaceAll(items: Resource[]): void {
    this.items = items
    this.changed()
  }

  /** Ids may be others now. */
  changed(): void {
    this.current = undefined
    this.any = undefined
  }

  append(resource: Resource): void {
    const index = this.currentIndex()
    const { id } = resource
    const key = idKey(id)
    if (index.has(key)) fail(`may not add resource with an already registered id: ${idText(id)}`)
    index.set(key, resource)
    this.items.push(resource)
    if (this.any !== undefined) addTo(this.any, resource)
  }

  /** Refuses two objects with one id. */
  checkIds(): void {
    if (this.current !== undefined) return
    const index = new Map<string, Resource>()
    for (const item of this.items) {
      const { key } = item
      if (index.has(key))
        fail(`may not add resource with an already registered id: ${idText(item.id)}`)
      index.set(key, item)
    }
    this.current = index
  }

  private currentIndex(): Map<string, Resource> {
    if (this.current === undefined) {
      this.current = new Map()
      for (const item of this.items) this.current.set(item.key, item)
    }
    return this.current
  }

  /** Objects that have, or had, the id. */
  byAnyId(id: ResId): readonly Resource[] {
    if (this.any === undefined) {
      this.any = new Map()
      for (const item of this.items) addTo(this.any, item)
    }
    return (this.any.get(idKey(id)) ?? []).filter((item) => item.node !== undefined)
  }

  /** Exactly one object, or the reason why not. */
  uniqueByAnyId(id: ResId): Resource {
    const found = this.byAnyId(id)
    if (found.length === 1) return found[0]!
    const text = idText(id)
    const many = found.length > 1 ? 'multiple' : 'no'
    return fail(`${many} matches for Id ${text}; failed to find unique target for patch ${text}`)
  }

  replace(old: Resource, next: Resource): void {
    const at = this.items.indexOf(old)
    this.items[at] = next
    this.changed()
  }

  /** Those that a step has changed since this was asked last. */
  takeTouched(): readonly Resource[] {
    const touched = this.items.filter((item) => item.touched)
    for (const item of touched) item.touched = false
    return touched
  }

  dropEmpty(): void {
    if (this.items.some((item) => item.node === undefined || item.node.content.length === 0)) {
      this.items = this.items.filter(
        (item) => item.node !== undefined && item.node.content.length > 0,
      )
      this.changed()
    }
  }
}

/** Refuses the same id twice in one text. */
export function uniqueIn(resources: Resource[]): Resource[] {
  const objects = new Objects()
  for (const resource of resources) objects.append(resource)
  return resources
}

function addTo(index: Map<string, Resource[]>, resource: Resource): void {
  const keys = new Set(resource.allIds().map(idKey))
  for (const key of keys) {
    const list = index.get(key)
    if (list === undefined) index.set(key, [resource])
    else list.push(resource)
  }
}
