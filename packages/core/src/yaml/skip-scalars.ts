import { charLf, charSpace, charTab } from './chars.ts'
import type { Cursor } from './cursor.ts'

/**
 * Steps over a literal or folded scalar at the cursor as scanBlockScalar does, in a text whose only breaks are line
 * feeds, without counting lines. False, and nothing done, where it is wrong or its header says more than how it ends.
 */
export function skipBlockScalar(cursor: Cursor): boolean {
  const { text } = cursor
  let at = cursor.offset + 1
  const chomp = text.charCodeAt(at)
  if (chomp === 0x2d || chomp === 0x2b) at++
  if (text.charCodeAt(at) !== charLf) return false
  let lineStart = ++at
  let indent = 0
  let widest = Math.max(cursor.indent + 1, 1)
  for (;;) {
    let code = text.charCodeAt(at)
    while (code === charSpace && (indent === 0 || at - lineStart < indent)) {
      code = text.charCodeAt(++at)
    }
    const column = at - lineStart
    if (indent === 0 || column < indent) {
      if (code === charTab) return false
      if (indent === 0 && column > widest) widest = column
      if (code === charLf) {
        lineStart = ++at
        continue
      }
      if (indent === 0) indent = widest
      if (column < indent) break
    }
    if (code === 0) break
    const end = text.indexOf('\n', at)
    if (end === -1) at = text.length - 1
    else lineStart = at = end + 1
  }
  cursor.offset = at
  cursor.lineStart = lineStart
  return true
}
