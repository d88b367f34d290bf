import type { Mark } from './problem.ts'

export const tokenKinds = {
  streamStart: 0,
  streamEnd: 1,
  versionDirective: 2,
  tagDirective: 3,
  documentStart: 4,
  documentEnd: 5,
  blockSequenceStart: 6,
  blockMappingStart: 7,
  blockEnd: 8,
  flowSequenceStart: 9,
  flowSequenceEnd: 10,
  flowMappingStart: 11,
  flowMappingEnd: 12,
  blockEntry: 13,
  flowEntry: 14,
  key: 15,
  value: 16,
  alias: 17,
  anchor: 18,
  tag: 19,
  scalar: 20,
} as const

export type TokenKind = (typeof tokenKinds)[keyof typeof tokenKinds]

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** One token. `value` is a scalar's text, a name, a handle or a version; `suffix` belongs to tags and %TAG lines. */
export class Token implements Mark {
  kind: TokenKind
  offset: number
  line: number
  column: number
  value: string
  suffix: string
  style: ScalarStyle
  /** The flow level whose key this may be, -1 for none: it waits in the queue while that key is possible. */
  keyLevel = -1

  constructor(
    kind: TokenKind,
    at: Mark,
    value: string = '',
    style: ScalarStyle = 'plain',
    suffix: string = '',
  ) {
    this.kind = kind
    this.offset = at.offset
    this.line = at.line
    this.column = at.column
    this.value = value
    this.style = style
    this.suffix = suffix
  }
}
