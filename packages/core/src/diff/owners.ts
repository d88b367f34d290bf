import { getPath, isObject, type Json, type JsonObject } from '../json/index.ts'
import {
  entriesOf,
  type FieldSet,
  fieldStep,
  fieldsOf,
  itemStep,
  type Manifest,
  type MergeType,
  type MergeTypes,
  UnreadableEntry,
} from '../kube/index.ts'
import { isItem, type PathStep } from './path.ts'

/** Who set a field of a live object, as `metadata.managedFields` has it. */
export interface FieldOwner {
  readonly manager: string
  readonly operation: string
  /** '' for the object itself. */
  readonly subresource: string
  /** RFC 3339; '' when it is not told. */
  readonly time: string
}

/**
 * The managers that own a field, or something below it. A value that is owned as one is owned with all that is in it.
 * Empty where nobody does; entries that cannot be read are left out.
 */
export function ownersOf(
  live: Manifest,
  path: readonly PathStep[],
  mergeTypes: MergeTypes,
): readonly FieldOwner[] {
  const steps = stepsOf(live, path, mergeTypes(live.apiVersion, live.kind))
  return entriesOf(live).flatMap((entry): readonly FieldOwner[] => {
    const set = readable(entry)
    if (set === undefined || !owns(set, steps)) return []
    const text = (field: string): string => {
      const value = getPath(entry, field)
      return typeof value === 'string' ? value : ''
    }
    return [
      {
        manager: text('manager'),
        operation: text('operation'),
        subresource: text('subresource'),
        time: text('time'),
      },
    ]
  })
}

function readable(entry: JsonObject): FieldSet | undefined {
  try {
    return fieldsOf(entry)
  } catch (error) {
    if (error instanceof UnreadableEntry) return undefined
    throw error
  }
}

/** The path in the steps of a field set, as far as these go: not into lists that are owned as one. */
function stepsOf(
  live: Manifest,
  path: readonly PathStep[],
  root: MergeType | undefined,
): readonly string[] {
  const steps: string[] = []
  let value: Json | undefined = live
  let type = root
  for (const step of path) {
    if (typeof step === 'string') {
      if (type?.map?.atomic === true) break
      steps.push(fieldStep(step))
      value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
      type = type?.map?.field(step) ?? type?.map?.rest
      continue
    }
    const list = type?.list
    const item: Json | undefined = itemAt(value, step)
    if (list === undefined || list.ownership === 'atomic' || item === undefined) break
    const found = itemStep(list, item)
    if ('problem' in found) break
    steps.push(found.step)
    value = item
    type = list.item
  }
  return steps
}

function itemAt(value: Json | undefined, step: Exclude<PathStep, string>): Json | undefined {
  if (!Array.isArray(value)) return undefined
  if (typeof step === 'number') return value[step] as Json | undefined
  return value.find((item: Json) => isItem(item, step))
}

function owns(set: FieldSet, steps: readonly string[]): boolean {
  let at = set
  for (const [index, step] of steps.entries()) {
    const below = at.below(step)
    if (index === steps.length - 1) return below !== undefined || at.has(step)
    if (below === undefined) return at.has(step)
    at = below
  }
  return false
}
