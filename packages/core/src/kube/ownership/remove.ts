import { defineKey, isObject, type Json } from '../../json/index.ts'
import type { FieldSet } from './field-set.ts'
import type { MergeType } from './merge-type.ts'
import { shapeFor } from './shapes.ts'
import { fieldStep, fieldType, itemStep } from './steps.ts'

/**
 * A value without the fields and items of a set. Containers that lose all they hold stay, empty. Of atomic lists and maps
 * nothing is left when the set holds something below them.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/remove.go
 */
export function removeFields(value: Json, set: FieldSet, type: MergeType): Json {
  const shape = shapeFor(type, value)
  switch (shape?.kind) {
    case 'scalar':
      return value
    case 'list': {
      const { list } = shape
      if (!Array.isArray(value) || value.length === 0 || list.ownership === 'atomic') return null
      let changed = false
      const items = (value as readonly Json[]).flatMap((item): readonly Json[] => {
        const found = itemStep(list, item)
        if ('problem' in found) return [item]
        if (set.has(found.step)) return []
        const below = set.below(found.step)
        if (below === undefined) return [item]
        changed = true
        return [withoutBelow(item, below, list.item)]
      })
      return items.length > 0 || changed ? items : null
    }
    case 'map': {
      const { map } = shape
      if (!isObject(value) || Object.keys(value).length === 0 || map.atomic) return null
      let changed = false
      const out: { [key: string]: Json } = {}
      for (const name of Object.keys(value)) {
        const step = fieldStep(name)
        if (set.has(step)) continue
        const below = set.below(step)
        const item = value[name] as Json
        changed ||= below !== undefined
        const kept = below === undefined ? item : withoutBelow(item, below, fieldType(map, name))
        defineKey(out, name, kept)
      }
      return changed || Object.keys(out).length > 0 ? out : null
    }
    default:
      return null
  }
}

function withoutBelow(value: Json, set: FieldSet, type: MergeType | undefined): Json {
  const rest = type === undefined ? null : removeFields(value, set, type)
  if (rest !== null) return rest
  if (Array.isArray(value)) return []
  return isObject(value) ? {} : null
}
