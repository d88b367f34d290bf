// Random Kubernetes objects: what the structs of the built-in kinds and the schemas of custom ones allow, and some of
// what they do not. The same seed gives the same objects.
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { builtInKinds, type FieldType, type StructType, structOfKind } from '@litecd/core/kube'

export type Kind = { readonly apiVersion: string; readonly kind: string }

export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  is(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}

export const allKinds: readonly Kind[] = builtInKinds()

const texts = ['a', 'b', 'c', 'TCP', 'UDP', '', 'nginx:latest', 'img:1', 'None', 'ClusterFirst']
const more = ['Recreate', 'RollingUpdate', 'NodePort', 'LoadBalancer', 'Always', 'app']
const quantities = ['1', '100m', '0.1', '1Gi', '1024Mi', '1e3', '0', '2.5Gi', 1, 0.2]
const times = ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05+02:00', '2024-01-02T03:04:05.123456Z']
const keys = /^(?:name|containerPort|port|type|uid|ip|mountPath|devicePath|topologyKey|protocol)$/

/** Fields that name list items are nearly always there; the deeper, the fewer others. */
export function randomObject({ apiVersion, kind }: Kind, chance: Chance): JsonObject {
  const nulls = chance.is(0.3) ? 0.02 : 0
  const density = chance.pick([0.3, 0.6])
  const ofType = (type: FieldType, depth: number): Json => {
    if (chance.is(nulls)) return null
    switch (type.kind) {
      case 'pointer':
        return ofType(type.to, depth)
      case 'list':
        return Array.from({ length: chance.below(4) }, () => ofType(type.of, depth + 1))
      case 'map': {
        const names = ['a', 'b', 'app', 'cpu', 'memory', 'x/y']
        const entries = Array.from({ length: chance.below(3) }, () => chance.pick(names))
        return Object.fromEntries(entries.map((name) => [name, ofType(type.of, depth + 1)]))
      }
      case 'struct':
        return ofStruct(type.struct, depth)
      case 'scalar':
        return scalar(type.scalar)
    }
  }
  const scalar = (type: string): Json => {
    switch (type) {
      case 'string':
        return chance.pick([...texts, ...more])
      case 'bool':
        return chance.is(0.5)
      case 'int32':
      case 'int64':
        return chance.pick([0, 1, 2, 53, 80, 443])
      case 'bytes':
        return chance.pick(['', 'YQ==', 'YWI=', 'YWJj'])
      case 'quantity':
        return chance.pick(quantities)
      case 'intOrString':
        return chance.pick([80, '25%', 'http', 0, '1'])
      case 'time':
      case 'microTime':
        return chance.pick(times)
      default:
        return chance.pick([{ a: 1, b: [1, null] }, null])
    }
  }
  const ofStruct = (struct: StructType, depth: number): JsonObject => {
    const out: { [key: string]: Json } = {}
    for (const field of struct.fields) {
      const wanted = keys.test(field.name) ? 0.93 : density / (1 + depth / 4)
      if (depth > 8 || field.name === 'managedFields' || !chance.is(wanted)) continue
      out[field.name] =
        field.name === 'name' ? chance.pick(texts.slice(0, 3)) : ofType(field.type, depth + 1)
    }
    return out
  }
  return { ...ofStruct(structOfKind(apiVersion, kind)!, 0), apiVersion, kind }
}

/** A related value: fields and items gone, moved, doubled or changed. */
export function mutated(value: Json, chance: Chance, rate: number): Json {
  if (Array.isArray(value)) {
    const out = value
      .filter(() => !chance.is(rate * 0.7))
      .map((item: Json) => mutated(item, chance, rate))
    if (out.length > 1 && chance.is(rate)) out.unshift(...out.splice(chance.below(out.length), 1))
    if (out.length > 0 && chance.is(rate)) out.push(mutated(chance.pick(out), chance, 0.5))
    return out
  }
  if (isObject(value)) {
    const kept = Object.keys(value).filter(() => !chance.is(rate * 0.6))
    return Object.fromEntries(kept.map((key) => [key, mutated(value[key] as Json, chance, rate)]))
  }
  if (!chance.is(rate)) return value
  if (typeof value === 'string') return chance.pick([...texts, ...more])
  if (typeof value === 'number') return chance.pick([0, 1, 2, 53, 80, 443])
  return typeof value === 'boolean' ? !value : value
}

/** A value that fits a schema of a CustomResourceDefinition, most of the time. */
export function randomValue(schema: Json | undefined, chance: Chance, depth: number = 0): Json {
  if (!isObject(schema) || chance.is(0.01)) return chance.pick<Json>([null, 1, 'x', {}, [1], true])
  if (schema['x-kubernetes-int-or-string'] === true) return chance.pick([1, '25%'])
  switch (schema['type']) {
    case 'object': {
      const properties = isObject(schema['properties']) ? schema['properties'] : {}
      const names = Object.keys(properties).filter(() => depth < 9 && chance.is(0.5))
      const open = schema['additionalProperties']
      const others =
        Object.keys(properties).length === 0 ? ['k', 'l'].filter(() => chance.is(0.5)) : []
      return Object.fromEntries([
        ...names.map((name) => [name, randomValue(properties[name], chance, depth + 1)]),
        ...others.map((name) => [name, randomValue(open, chance, depth + 1)]),
      ])
    }
    case 'array': {
      const length = chance.below(3)
      const items = Array.from({ length }, () => randomValue(schema['items'], chance, depth + 1))
      return schema['x-kubernetes-list-type'] === 'set' ? [...new Set(items)] : items
    }
    case 'string':
      return chance.pick(texts)
    case 'integer':
      return chance.below(3)
    case 'number':
      return chance.pick([1, 1.5])
    case 'boolean':
      return chance.is(0.5)
    default:
      return chance.pick<Json>([1, 'a', [1, { q: 1 }], { z: 1, w: { v: 2 } }])
  }
}
