import {
  type CallContext,
  type FunctionDef,
  FunctionFailure,
  kindOf,
  type ParamType,
  type Value,
} from '../../../lang/gotemplate/index.ts'

/** Names with their functions, as a table is built from. */
export type FunctionList = readonly (readonly [string, FunctionDef])[]

const short: { readonly [letter: string]: ParamType } = {
  a: 'interface {}',
  s: 'string',
  b: 'bool',
  i: 'int',
  u: 'uint32',
  f: 'float64',
  m: 'map[string]interface {}',
  l: '[]interface {}',
  t: 'time.Time',
  c: 'sprig.certificate',
}

/**
 * A function by a short signature, one letter a parameter: a any, s string, b bool, i int, u uint32, f float64, m map,
 * l list, t time, c certificate; `*` after the last makes it variadic.
 */
export function define(
  signature: string,
  // biome-ignore lint/suspicious/noExplicitAny: the engine has checked the arguments against the signature
  call: (args: any[], context: CallContext) => Value,
): FunctionDef {
  const variadic = signature.endsWith('*')
  const letters = variadic ? signature.slice(0, -1) : signature
  return { params: [...letters].map((letter) => short[letter]!), variadic, call }
}

/** The kind of a value for an error text; the kind of nil is a nil pointer dereference in Go. */
export function kindOrPanic(value: Value): string {
  if (value === undefined || value === null) throw nilDereference()
  return kindOf(value)
}

export function nilDereference(): FunctionFailure {
  return new FunctionFailure('runtime error: invalid memory address or nil pointer dereference')
}
