import { canonicalJson, isObject, type Json } from '../../json/index.ts'
import type { MergeList, MergeMap, MergeType } from './merge-type.ts'

export function fieldStep(name: string): string {
  return `f:${name}`
}

export function fieldType(map: MergeMap, name: string): MergeType | undefined {
  return map.field(name) ?? map.rest
}

/** The type of what is below a step of a field set; undefined where the schema has nothing there. */
export function typeBelow(type: MergeType, step: string): MergeType | undefined {
  if (step.startsWith('f:')) return type.map && fieldType(type.map, step.slice(2))
  return step.startsWith('k:') ? type.list?.item : undefined
}

export type ItemStep = { readonly step: string } | { readonly problem: string }

/** The step that names an item of a list that is no atomic one, or why it can have none. */
export function itemStep(list: MergeList, item: Json): ItemStep {
  if (list.ownership === 'keyed') return keyedStep(list, item)
  if (isObject(item)) {
    return { problem: "associative list without keys has an element that's a map type" }
  }
  if (Array.isArray(item)) {
    return { problem: 'not supported: associative list with lists as elements' }
  }
  if (item === null) {
    return { problem: "associative list without keys has an element that's an explicit null" }
  }
  return { step: `v:${canonicalJson(item)}` }
}

function keyedStep(list: MergeList, item: Json): ItemStep {
  if (item === null) return { problem: 'associative list with keys may not have a null element' }
  if (!isObject(item)) {
    return { problem: 'associative list with keys may not have non-map elements' }
  }
  const fields: [string, Json][] = []
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined
    const known = value ?? (value === null ? null : list.item.map?.keyDefault(name))
    if (known !== undefined) fields.push([name, known])
  }
  if (fields.length === 0) {
    const keys = list.keys.map((key) => JSON.stringify(key)).join(' ')
    return {
      problem:
        `associative list with keys has an element that omits all key fields [${keys}] ` +
        "(and doesn't have default values for any key fields)",
    }
  }
  return { step: `k:${canonicalJson(Object.fromEntries(fields))}` }
}
