/** What a token is, in the words that error messages use. Keywords are their own kind. */
export type TokenKind =
  | '"{"'
  | '"}"'
  | '"["'
  | '"]"'
  | '","'
  | '"$"'
  | '"."'
  | '"("'
  | '")"'
  | '";"'
  | 'IDENTIFIER'
  | 'NUMBER'
  | 'OPERATOR'
  | 'STRING_BLOCK'
  | 'STRING_DOUBLE'
  | 'STRING_SINGLE'
  | 'VERBATIM_STRING_DOUBLE'
  | 'VERBATIM_STRING_SINGLE'
  | 'end of file'
  | Keyword

export type Keyword = (typeof keywordList)[number]

const keywordList = [
  'assert',
  'else',
  'error',
  'false',
  'for',
  'function',
  'if',
  'import',
  'importstr',
  'importbin',
  'in',
  'local',
  'null',
  'self',
  'super',
  'tailstrict',
  'then',
  'true',
] as const

export const keywords: ReadonlySet<string> = new Set(keywordList)

export interface Token {
  readonly kind: TokenKind
  /** Text of the token; of strings what is between the quotes, of numbers the digits without `_`. */
  readonly data: string
  readonly begin: number
  readonly end: number
}

/** A token as error messages show it: `(NUMBER, "2")`, `"{"`, `end of file`. */
export function showToken(token: Token): string {
  if (token.data === '') return token.kind
  const first = token.kind.charCodeAt(0)
  // kinds in capitals carry content
  if (first >= 0x41 && first <= 0x5a) return `(${token.kind}, "${token.data}")`
  return `"${token.data}"`
}
