import { formatKey, type ResourceKey } from '@litecd/core/kube'
import { inferredOwner, isClaimOf } from './inferred.ts'
import type { Kept } from './kept.ts'

/** Sets of objects under text keys; empty sets are dropped. */
class Index {
  private readonly sets = new Map<string, Set<Kept>>()

  add(key: string, object: Kept): void {
    const set = this.sets.get(key)
    if (set === undefined) this.sets.set(key, new Set([object]))
    else set.add(object)
  }

  remove(key: string, object: Kept): void {
    const set = this.sets.get(key)
    if (set?.delete(object) && set.size === 0) this.sets.delete(key)
  }

  get(key: string): Iterable<Kept> {
    return this.sets.get(key) ?? []
  }
}

/** Everything that is kept, found by key, by uid, by tracking name and by owner. */
export class KeptStore {
  private readonly byKey = new Map<string, Kept>()
  private readonly byUid = new Map<string, Kept>()
  private readonly byInstance = new Index()
  private readonly byOwner = new Index()
  /** StatefulSets by namespace, to find the owners of claims. */
  private readonly sets = new Index()
  private readonly claims = new Index()
  /** Objects without owner references, by namespace; cluster-scoped ones are left out. */
  private readonly ownerless = new Index()

  add(object: Kept): void {
    this.byKey.set(formatKey(object), object)
    this.byUid.set(object.uid, object)
    if (object.instance !== undefined) this.byInstance.add(object.instance, object)
    for (const owner of object.owners) this.byOwner.add(owner, object)
    const inferred = inferredOwner(object)
    if (inferred !== undefined) this.byOwner.add(formatKey(inferred), object)
    if (object.namespace !== '' && object.owners.length === 0) {
      this.ownerless.add(object.namespace, object)
    }
    if (object.group === 'apps' && object.kind === 'StatefulSet') {
      this.sets.add(object.namespace, object)
    }
    if (object.group === '' && object.kind === 'PersistentVolumeClaim') {
      this.claims.add(object.namespace, object)
    }
  }

  remove(object: Kept): void {
    const key = formatKey(object)
    // A newer state of the same object may already have taken these places.
    if (this.byKey.get(key) === object) this.byKey.delete(key)
    if (this.byUid.get(object.uid) === object) this.byUid.delete(object.uid)
    if (object.instance !== undefined) this.byInstance.remove(object.instance, object)
    for (const owner of object.owners) this.byOwner.remove(owner, object)
    const inferred = inferredOwner(object)
    if (inferred !== undefined) this.byOwner.remove(formatKey(inferred), object)
    this.ownerless.remove(object.namespace, object)
    this.sets.remove(object.namespace, object)
    this.claims.remove(object.namespace, object)
  }

  get(key: ResourceKey): Kept | undefined {
    return this.byKey.get(formatKey(key))
  }

  /** Roots that carry the tracking name: no owners, inferred ones included. */
  roots(instance: string): readonly Kept[] {
    return [...this.byInstance.get(instance)].filter((object) => this.isRoot(object))
  }

  /** Roots in a namespace, tracked or not. */
  rootsIn(namespace: string): readonly Kept[] {
    return [...this.ownerless.get(namespace)].filter((object) => this.isRoot(object))
  }

  isRoot(object: Kept): boolean {
    return object.owners.length === 0 && this.parents(object).length === 0
  }

  children(parent: Kept): readonly Kept[] {
    const found = new Set([...this.byOwner.get(parent.uid), ...this.byOwner.get(formatKey(parent))])
    if (parent.group === 'apps' && parent.kind === 'StatefulSet') {
      for (const claim of this.claims.get(parent.namespace)) {
        if (isClaimOf(claim.name, parent)) found.add(claim)
      }
    }
    return [...found]
  }

  /** Tracking names of the roots above an object; its own when it is a root. */
  instancesAbove(object: Kept): readonly string[] {
    const seen = new Set<Kept>()
    const names = new Set<string>()
    const queue = [object]
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      if (seen.has(one)) continue
      seen.add(one)
      const parents = this.parents(one)
      if (one.owners.length === 0 && parents.length === 0 && one.instance !== undefined) {
        names.add(one.instance)
      }
      queue.push(...parents)
    }
    return [...names]
  }

  private parents(object: Kept): readonly Kept[] {
    const inferred = inferredOwner(object)
    const found = [
      ...object.owners.map((owner) => this.byUid.get(owner)),
      inferred === undefined ? undefined : this.byKey.get(formatKey(inferred)),
    ].filter((owner) => owner !== undefined)
    if (object.group === '' && object.kind === 'PersistentVolumeClaim') {
      for (const set of this.sets.get(object.namespace)) {
        if (isClaimOf(object.name, set)) found.push(set)
      }
    }
    return found
  }
}
