import { isObject, type Json } from '../../json/index.ts'

/** The value at a path of fields and indexes; undefined where there is none. */
export function at(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): Json | undefined {
  let here = value
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined
  }
  return here
}

/** No URL, ref or path is longer. What is would take seconds to compare, and comes from somebody who wants just that. */
export const longestText = 4096

/** '' where there is no text, or an overlong one. */
export function text(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' && found.length <= longestText ? found : ''
}

export function list(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): readonly Json[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/**
 * What follows the second slash of a ref: `a/b` of `refs/heads/a/b`, `main` of `main`, `b` of `a/b`.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go ParseRevision
 */
export function revisionOf(ref: string): string {
  const parts = ref.split('/')
  return parts.length <= 2 ? (parts.at(-1) ?? '') : parts.slice(2).join('/')
}
