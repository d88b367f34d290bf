import { floatText } from '../../../text/index.ts'
import { fail } from '../machine.ts'
import type { Caller } from '../site.ts'

/** std.char: the character of a code point, U+FFFD for one that is none. */
export function charText(code: number, caller: Caller): string {
  if (code > 0x10ffff) fail(`Invalid unicode codepoint, got ${floatText(code)}`, caller)
  if (code < 0) fail(`Codepoints must be >= 0, got ${floatText(code)}`, caller)
  const point = Math.trunc(code)
  return point >= 0xd800 && point <= 0xdfff ? '\ufffd' : String.fromCodePoint(point)
}
