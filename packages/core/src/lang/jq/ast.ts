/** A jq program as it was parsed. Names of variables keep their `$`. */
export type Ast =
  | { readonly type: 'identity' | 'null' | 'true' | 'false' }
  | { readonly type: 'number'; readonly text: string }
  | {
      readonly type: 'string'
      readonly format: string | undefined
      readonly parts: readonly StringPart[]
    }
  | { readonly type: 'format'; readonly name: string }
  | { readonly type: 'index'; readonly of: Ast; readonly key: Ast }
  | {
      readonly type: 'slice'
      readonly of: Ast
      readonly from: Ast | undefined
      readonly to: Ast | undefined
    }
  // a group is what stands in parentheses: `?` after it covers all of it
  | { readonly type: 'iterate' | 'optional' | 'array' | 'group'; readonly of: Ast }
  | { readonly type: 'emptyArray' }
  | { readonly type: 'object'; readonly entries: readonly ObjectEntry[] }
  | { readonly type: 'sign'; readonly sign: '+' | '-'; readonly of: Ast }
  | { readonly type: 'pipe' | 'comma'; readonly left: Ast; readonly right: Ast }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Ast; readonly right: Ast }
  | {
      readonly type: 'bind'
      readonly source: Ast
      readonly patterns: readonly Pattern[]
      readonly body: Ast
    }
  | {
      readonly type: 'if'
      readonly test: Ast
      readonly then: Ast
      readonly otherwise: Ast | undefined
    }
  | { readonly type: 'try'; readonly body: Ast; readonly rescue: Ast | undefined }
  | {
      readonly type: 'reduce' | 'foreach'
      readonly source: Ast
      readonly pattern: Pattern
      readonly start: Ast
      readonly update: Ast
      readonly extract: Ast | undefined
    }
  | { readonly type: 'label'; readonly name: string; readonly body: Ast }
  | { readonly type: 'break'; readonly name: string }
  | {
      readonly type: 'call'
      readonly name: string
      readonly args: readonly Ast[]
      /** The built-in function of that name is meant, whatever the program calls so. */
      readonly builtIn?: true
    }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: Ast }

export type StringPart = string | Ast

export interface ObjectEntry {
  /** A name, a variable (`$x`), an interpolated string or an expression. */
  readonly key: string | Ast
  readonly value: Ast | undefined
}

export type Pattern =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'array'; readonly items: readonly Pattern[] }
  | { readonly type: 'object'; readonly entries: readonly PatternEntry[] }

export interface PatternEntry {
  readonly key: Ast
  /** Set for `{$x}` and `{$x: …}`, which bind the variable too. */
  readonly variable: string | undefined
  readonly value: Pattern | undefined
}

export interface Definition {
  readonly name: string
  /** With a `$` for those that are evaluated before the call. */
  readonly parameters: readonly string[]
  readonly body: Ast
}
