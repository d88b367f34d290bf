import type { Position } from './error.ts'

/** The line and column, counted from 1, of an offset in UTF-16 units. */
export function positionAt(path: string, text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (;;) {
    const next = text.indexOf('\n', start)
    if (next === -1 || next >= offset) break
    line++
    start = next + 1
  }
  return { path, line, column: offset - start + 1 }
}
