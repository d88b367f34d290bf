import { isObject, type Json, type JsonObject } from '../json/index.ts'

/**
 * A document without what a JSON pointer names, as the JSON-patch library behind `ignoreDifferences` removes it: list
 * indexes may be negative, and a pointer without a leading slash loses its first word. Undefined where nothing is there,
 * or the pointer fits nothing.
 *
 * Source: github.com/evanphx/json-patch v5.9.11+incompatible patch.go
 */
export function removeByPointer(document: Json, pointer: string): Json | undefined {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')))
  return steps.length === 0 ? undefined : remove(document, steps, 0)
}

function remove(value: Json | undefined, steps: readonly string[], at: number): Json | undefined {
  const step = steps[at]!
  const isLast = at === steps.length - 1
  if (Array.isArray(value)) {
    const index = listIndex(step, value.length)
    if (index === undefined) return undefined
    if (isLast) return value.filter((_: Json, i: number) => i !== index)
    const child = remove(value[index] as Json, steps, at + 1)
    if (child === undefined) return undefined
    return value.map((item: Json, i: number) => (i === index ? child : item))
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
  if (isLast) return without(value, step)
  const child = remove(value[step], steps, at + 1)
  if (child === undefined) return undefined
  return { ...value, [step]: child }
}

function without(object: JsonObject, key: string): JsonObject {
  const copy: { [key: string]: Json } = { ...object }
  delete copy[key]
  return copy
}

/** An index as Go's strconv.Atoi reads it; negative ones count from the end. */
function listIndex(step: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(step)) return undefined
  const number = Number(step)
  const index = number < 0 ? number + length : number
  return index >= 0 && index < length ? index : undefined
}
