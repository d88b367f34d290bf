import { type FieldSet, FieldSetBuilder } from './field-set.ts'
import type { MergeList, MergeMap, MergeType } from './merge-type.ts'
import { shapeOf } from './shapes.ts'
import { fieldType } from './steps.ts'

interface Changes {
  /** With all that is below. */
  readonly remove: FieldSetBuilder
  readonly add: FieldSetBuilder
  any: boolean
}

/**
 * A field set as it reads under a newer schema: whoever owned something in a value that is owned as one by now owns that
 * value.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/reconcile_schema.go
 */
export function reconcileFields(set: FieldSet, type: MergeType): FieldSet {
  const changes: Changes = {
    remove: new FieldSetBuilder(),
    add: new FieldSetBuilder(),
    any: false,
  }
  visit(set, type, false, [], changes)
  if (!changes.any) return set
  return set.recursiveDifference(changes.remove.build()).union(changes.add.build())
}

function visit(
  set: FieldSet | undefined,
  type: MergeType,
  isLeaf: boolean,
  path: string[],
  changes: Changes,
): void {
  const shape = shapeOf(type)
  if (shape?.kind === 'list') visitList(set, shape.list, isLeaf, path, changes)
  if (shape?.kind === 'map') visitMap(set, shape.map, isLeaf, path, changes)
}

function visitList(
  set: FieldSet | undefined,
  list: MergeList,
  isLeaf: boolean,
  path: string[],
  changes: Changes,
): void {
  if (!isLeaf && list.ownership === 'atomic') {
    take(path, changes)
    return
  }
  if (set !== undefined) visitSteps(set, () => list.item, path, changes)
}

function visitMap(
  set: FieldSet | undefined,
  map: MergeMap,
  isLeaf: boolean,
  path: string[],
  changes: Changes,
): void {
  if (map.deduced) return
  if (!isLeaf && map.atomic) {
    if (set !== undefined && !set.isEmpty) take(path, changes)
    return
  }
  if (set === undefined) return
  const below = (step: string): MergeType | undefined =>
    step.startsWith('f:') ? fieldType(map, step.slice(2)) : map.rest
  visitSteps(set, below, path, changes)
}

function take(path: readonly string[], changes: Changes): void {
  changes.remove.add(path)
  changes.add.add(path)
  changes.any = true
}

function visitSteps(
  set: FieldSet,
  typeOf: (step: string) => MergeType | undefined,
  path: string[],
  changes: Changes,
): void {
  const step = (name: string, below: FieldSet | undefined, isMember: boolean): void => {
    const type = typeOf(name)
    if (type === undefined) return
    path.push(name)
    visit(below, type, isMember && below === undefined, path, changes)
    path.pop()
  }
  for (const [name, below] of set.children) if (!set.has(name)) step(name, below, false)
  for (const name of set.members) step(name, set.below(name), true)
}
