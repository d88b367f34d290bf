import { deepEqual, getPath, isObject, type Json, type JsonObject } from '../../json/index.ts'

export interface FrozenChange {
  /** `spec.selector` */
  readonly field: string
  /** The API server's words about it. */
  readonly message: string
  /** False where the value in the cluster is not known and may happen to be the new one. */
  readonly certain: boolean
}

export interface RuleFacts {
  /** The class of a claim lets it grow; undefined where that is not known. */
  readonly expands: boolean | undefined
}

/** Both sides as the API server holds them, defaults set. */
export type Rule = (
  before: JsonObject,
  after: JsonObject,
  facts: RuleFacts,
) => readonly FrozenChange[]

export const immutable = 'field is immutable'

export function at(object: JsonObject, field: string): Json | undefined {
  return getPath(object, ...field.split('.'))
}

export function differs(before: JsonObject, after: JsonObject, field: string): boolean {
  return !deepEqual(at(before, field) ?? null, at(after, field) ?? null)
}

export function frozen(field: string, message: string = immutable, certain = true): FrozenChange {
  return { field, message, certain }
}

export function fieldChanges(
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
): readonly FrozenChange[] {
  return names.filter((name) => differs(before, after, name)).map((name) => frozen(name))
}

export function fields(...names: readonly string[]): Rule {
  return (before, after) => fieldChanges(before, after, names)
}

export function worded(words: { readonly [field: string]: string }): Rule {
  return (before, after) =>
    Object.entries(words)
      .filter(([field]) => differs(before, after, field))
      .map(([field, message]) => frozen(field, message))
}

export function all(...rules: readonly Rule[]): Rule {
  return (before, after, facts) => rules.flatMap((rule) => rule(before, after, facts))
}

export function specOf(object: JsonObject): JsonObject {
  const spec = object['spec']
  return isObject(spec) ? spec : {}
}
