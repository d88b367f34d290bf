import { defineKey } from './clone.ts'
import { isObject, type Json, type JsonObject } from './value.ts'

/** The value below `path`, or undefined where any step is missing or not an object. */
export function getPath(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current: Json | undefined = value
  for (const step of path) {
    if (!isObject(current) || !Object.hasOwn(current, step)) return undefined
    current = current[step]
  }
  return current
}

/** A copy of `value` with `path` set; missing or non-object steps become objects. Nothing is changed in place. */
export function setPath<T extends JsonObject>(value: T, path: readonly string[], leaf: Json): T {
  const [step, ...rest] = path
  if (step === undefined) return leaf as unknown as T
  const copy: { [key: string]: Json } = { ...value }
  const child = Object.hasOwn(value, step) ? value[step] : undefined
  defineKey(
    copy,
    step,
    rest.length === 0 ? leaf : setPath(isObject(child) ? child : {}, rest, leaf),
  )
  return copy as unknown as T
}

/** A copy of `value` without `path`; the same value when there is nothing to remove. */
export function deletePath<T extends JsonObject>(value: T, ...path: readonly string[]): T {
  const [step, ...rest] = path
  if (step === undefined || !Object.hasOwn(value, step)) return value
  if (rest.length === 0) {
    const copy: { [key: string]: Json } = { ...value }
    delete copy[step]
    return copy as unknown as T
  }
  const child = value[step]
  if (!isObject(child)) return value
  const smaller = deletePath(child, ...rest)
  return smaller === child ? value : ({ ...value, [step]: smaller } as T)
}
