import { deepEqual, type Json } from '../../json/index.ts'
import { type FieldSet, FieldSetBuilder } from './field-set.ts'
import type { MergeList, MergeMap, MergeType } from './merge-type.ts'
import { asList, asMap, narrowed, type Shape, shapeOf } from './shapes.ts'
import { fieldStep, fieldType, itemStep } from './steps.ts'

/** No field is in more than one of the sets. */
export interface Comparison {
  /** Only in the left value. */
  readonly removed: FieldSet
  /** In both, with different values. */
  readonly modified: FieldSet
  /** Only in the right value. */
  readonly added: FieldSet
}

interface Sets {
  readonly removed: FieldSetBuilder
  readonly modified: FieldSetBuilder
  readonly added: FieldSetBuilder
}

/**
 * What differs between two values that fit a type. The order of list items that have keys is no difference.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/compare.go
 */
export function compareTyped(left: Json, right: Json, type: MergeType): Comparison {
  const sets: Sets = {
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
  }
  walk(left, right, type, [], sets)
  return {
    removed: sets.removed.build(),
    modified: sets.modified.build(),
    added: sets.added.build(),
  }
}

/** Undefined is a value that is not there; null is one. */
function walk(
  left: Json | undefined,
  right: Json | undefined,
  type: MergeType,
  path: string[],
  sets: Sets,
): void {
  const leftShape = shapeOf(narrowed(type, left))
  const rightShape = shapeOf(narrowed(type, right))
  const shapes =
    right === undefined
      ? [leftShape]
      : left === undefined || sameShapes(type, left, right)
        ? [rightShape]
        : [leftShape, rightShape]
  const leaves = shapes.map((shape) => compareAs(shape, left, right, path, sets))
  if (leaves.at(-1) === true) return
  if (left === undefined) sets.added.add(path)
  else if (right === undefined) sets.removed.add(path)
}

function sameShapes(type: MergeType, left: Json, right: Json): boolean {
  const [a, b] = [narrowed(type, left), narrowed(type, right)]
  const same = (key: keyof MergeType): boolean => (a[key] === undefined) === (b[key] === undefined)
  return same('map') && same('list') && same('scalar')
}

/** True when the value was compared as one. */
function compareAs(
  shape: Shape | undefined,
  left: Json | undefined,
  right: Json | undefined,
  path: string[],
  sets: Sets,
): boolean {
  switch (shape?.kind) {
    case 'map': {
      const [a, b] = [asMap(left), asMap(right)]
      const isEmpty = Object.keys(a ?? {}).length + Object.keys(b ?? {}).length === 0
      if (shape.map.atomic || isEmpty) return compareLeaf(left, right, path, sets)
      compareFields(a ?? {}, b ?? {}, shape.map, path, sets)
      return false
    }
    case 'list': {
      const [a, b] = [asList(left) ?? [], asList(right) ?? []]
      if (shape.list.ownership === 'atomic' || a.length + b.length === 0) {
        return compareLeaf(left, right, path, sets)
      }
      compareItems(a, b, shape.list, path, sets)
      return false
    }
    case 'scalar':
      return compareLeaf(left, right, path, sets)
    default:
      return false
  }
}

function compareLeaf(
  left: Json | undefined,
  right: Json | undefined,
  path: readonly string[],
  sets: Sets,
): true {
  if (left === undefined) sets.added.add(path)
  else if (right === undefined) sets.removed.add(path)
  else if (!deepEqual(left, right)) sets.modified.add(path)
  return true
}

function compareFields(
  left: { readonly [key: string]: Json },
  right: { readonly [key: string]: Json },
  map: MergeMap,
  path: string[],
  sets: Sets,
): void {
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const type = fieldType(map, name)
    if (type === undefined) continue
    const at = (value: { readonly [key: string]: Json }): Json | undefined =>
      Object.hasOwn(value, name) ? value[name] : undefined
    path.push(fieldStep(name))
    walk(at(left), at(right), type, path, sets)
    path.pop()
  }
}

function compareItems(
  left: readonly Json[],
  right: readonly Json[],
  list: MergeList,
  path: string[],
  sets: Sets,
): void {
  const indexed = (items: readonly Json[]): ReadonlyMap<string, Json> =>
    new Map(
      items.flatMap((item): readonly (readonly [string, Json])[] => {
        const found = itemStep(list, item)
        return 'step' in found ? [[found.step, item]] : []
      }),
    )
  const [a, b] = [indexed(left), indexed(right)]
  for (const step of new Set([...a.keys(), ...b.keys()])) {
    path.push(step)
    walk(a.get(step), b.get(step), list.item, path, sets)
    path.pop()
  }
}
