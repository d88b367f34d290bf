import { isObject, type Json } from './value.ts'

/** Steps of an RFC 6901 pointer. Undefined when the text is not a pointer (not empty and no leading slash). */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A copy of `value` without what the pointer's steps name; the same value where nothing is there. */
export function removePointer(value: Json, steps: readonly string[]): Json {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(value)) {
    if (!/^(0|[1-9]\d*)$/.test(step) || Number(step) >= value.length) return value
    const index = Number(step)
    if (rest.length === 0) return value.filter((_, i) => i !== index)
    const child = removePointer(value[index] as Json, rest)
    return child === value[index] ? value : value.map((item, i) => (i === index ? child : item))
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  const copy: { [key: string]: Json } = { ...value }
  if (rest.length === 0) {
    delete copy[step]
    return copy
  }
  const child = removePointer(value[step] as Json, rest)
  if (child === value[step]) return value
  copy[step] = child
  return copy
}
