// kube/defaults: the values that Kubernetes 1.36 gives to fields that are not set.
// In: an object as its Go struct holds it. Out: the object with defaults. Never: admission, feature gates, other versions.

import { defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { quantityInMilli } from '../quantity.ts'
import type { FieldType, StructType } from '../schema/index.ts'
import { coreRules } from './core.ts'
import type { Rule } from './fill.ts'
import { otherRules } from './others.ts'
import { podRules } from './pods.ts'
import { workloadRules } from './workloads.ts'

const rules: { readonly [struct: string]: Rule } = {
  ...coreRules,
  ...podRules,
  ...workloadRules,
  ...otherRules,
}

// Kinds of these packages are served, but Argo CD does not load their defaults.
const notLoaded = /^(?:resource\/|storagemigration\/|apiserverinternal\/|storage\/v1alpha1\.)/

/**
 * A built-in object with its defaults. The input must be what `throughStruct` gives as held by the struct; it is not
 * changed, and comes back as it is when nothing is missing. Feature gates are as in Kubernetes 1.36 when none is set.
 *
 * Source: k8s.io/kubernetes v1.36.1 pkg/apis (defaults.go, zz_generated.defaults.go of each group)
 */
export function withDefaults(object: JsonObject, struct: StructType): JsonObject {
  if (notLoaded.test(struct.name)) return object
  return visitStruct(object, struct)
}

function visitStruct(object: JsonObject, struct: StructType): JsonObject {
  let result = Object.hasOwn(rules, struct.name) ? rules[struct.name]!(object) : object
  for (const { name, type } of placesBelow(struct)) {
    const value = result[name] ?? (type.kind === 'struct' ? nothing : null)
    if (value === null) continue
    const changed = visit(value, type)
    if (changed !== value) result = { ...result, [name]: changed }
  }
  return result
}

// a struct that the input does not have, which Go has nevertheless
const nothing: JsonObject = {}

function visit(value: Json, type: FieldType): Json {
  switch (type.kind) {
    case 'pointer':
      return value === null ? null : visit(value, type.to)
    case 'struct':
      return isObject(value) ? visitStruct(value, type.struct) : value
    case 'list': {
      if (!Array.isArray(value)) return value
      let touched = false
      const items = value.map((item: Json) => {
        const changed = visit(item, type.of)
        touched ||= changed !== item
        return changed
      })
      return touched ? items : value
    }
    case 'map':
      return isObject(value) ? inMilli(value) : value
    case 'scalar':
      return value
  }
}

/** Quantities in resource lists are rounded up to thousandths. */
function inMilli(list: JsonObject): JsonObject {
  let result: { [key: string]: Json } | undefined
  for (const key of Object.keys(list)) {
    const value = list[key] as string
    const rounded = quantityInMilli(value)
    if (rounded === value) continue
    result ??= { ...list }
    defineKey(result, key, rounded)
  }
  return result ?? list
}

interface Place {
  readonly name: string
  readonly type: FieldType
}

const places = new Map<StructType, readonly Place[]>()

/** The fields of a struct below which some rule may apply. */
function placesBelow(struct: StructType): readonly Place[] {
  const known = places.get(struct)
  if (known !== undefined) return known
  places.set(struct, []) // no struct with rules contains itself
  const found = struct.fields.filter((field) => mayChange(field.type))
  places.set(struct, found)
  return found
}

function mayChange(type: FieldType): boolean {
  switch (type.kind) {
    case 'pointer':
      return mayChange(type.to)
    case 'list':
      return mayChange(type.of)
    case 'map':
      return type.of.kind === 'scalar' && type.of.scalar === 'quantity'
    case 'struct':
      return Object.hasOwn(rules, type.struct.name) || placesBelow(type.struct).length > 0
    case 'scalar':
      return false
  }
}
