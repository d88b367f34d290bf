import type { Position } from '../../errors/index.ts'
import { locator } from '../../yaml/index.ts'
import type { FieldTrace } from '../types.ts'

/** Where the fields of a document stand that a file holds as it is: `text` begins at `start`. */
export function documentTrace(text: string, start: Position): FieldTrace {
  const [line, column] = [start.line ?? 1, start.column ?? 1]
  const locate = locator(text)
  return {
    causesOf(path) {
      const place = locate(path, { exact: true })
      if (place === undefined) return []
      const position = {
        path: start.path,
        line: line + place.line - 1,
        column: place.line === 1 ? column + place.column - 1 : place.column,
      }
      return [{ kind: 'resource', text: 'as written', position }]
    },
  }
}
