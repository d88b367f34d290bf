import { isObject, type Json } from '../../json/index.ts'
import { type FieldSet, FieldSetBuilder } from './field-set.ts'
import type { MergeList, MergeMap, MergeType } from './merge-type.ts'
import { shapeFor } from './shapes.ts'
import { fieldStep, fieldType, itemStep } from './steps.ts'

/**
 * The fields that whoever applies a value owns: its leaves, list items, and keys that no schema names. The value must
 * fit its type.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/tofieldset.go
 */
export function ownedFields(value: Json, type: MergeType): FieldSet {
  const set = new FieldSetBuilder()
  collect(value, type, [], set)
  return set.build()
}

function collect(value: Json, type: MergeType, path: string[], set: FieldSetBuilder): void {
  const shape = shapeFor(type, value)
  switch (shape?.kind) {
    case 'scalar':
      set.add(path)
      break
    case 'list':
      if (shape.list.ownership === 'atomic') set.add(path)
      else if (Array.isArray(value)) collectItems(value, shape.list, path, set)
      break
    case 'map':
      if (shape.map.atomic) set.add(path)
      else if (isObject(value)) collectFields(value, shape.map, path, set)
      break
    default:
  }
}

function collectItems(
  value: readonly Json[],
  list: MergeList,
  path: string[],
  set: FieldSetBuilder,
): void {
  for (const item of value) {
    const found = itemStep(list, item)
    if ('problem' in found) continue
    path.push(found.step)
    collect(item, list.item, path, set)
    set.add(path)
    path.pop()
  }
}

function collectFields(
  value: { readonly [key: string]: Json },
  map: MergeMap,
  path: string[],
  set: FieldSetBuilder,
): void {
  for (const name of Object.keys(value)) {
    const item = value[name] as Json
    const type = fieldType(map, name)
    path.push(fieldStep(name))
    if (type !== undefined) collect(item, type, path, set)
    const isEmpty = item === null || (isObject(item) && Object.keys(item).length === 0)
    if (isEmpty || map.field(name) === undefined) set.add(path)
    path.pop()
  }
}
