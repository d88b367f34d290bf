import { definitionsOf, hasField, indexObject } from './object.ts'
import { Phase } from './site.ts'
import { ArrayValue, type Field, ObjectValue, type Value } from './values.ts'

/** A place in a file of a program. */
export interface JsonnetPlace {
  readonly path: string
  readonly line: number
  readonly column: number
}

const explaining = new Phase('During explanation')

/** Where a value and what it overrides are written: of the innermost field on the path that a literal has. */
export function placesOf(root: Value, path: readonly (string | number)[]): readonly JsonnetPlace[] {
  let value = root
  let fields: readonly Field[] = []
  for (const step of path) {
    if (value instanceof ObjectValue) {
      const name = String(step)
      if (!hasField(value, name, true, explaining)) return []
      const found = definitionsOf(value, name, explaining)
      if (found.some(({ written }) => written !== undefined)) fields = found
      value = indexObject(value, name, explaining)
    } else if (value instanceof ArrayValue) {
      const index = Number(step)
      if (!(index in value.items)) return []
      value = value.at(index, explaining)
    } else return []
  }
  return fields.flatMap(({ written }) =>
    written === undefined || written.begin < 0
      ? []
      : [{ path: written.source.name, ...written.source.position(written.begin) }],
  )
}
