import type { Json } from './value.ts'

/** A deep, mutable copy. */
export function cloneJson<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneJson) as unknown as T
  const copy: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) defineKey(copy, key, cloneJson((value as never)[key]))
  return copy as unknown as T
}

/** Sets a key even when it is `__proto__`, which plain assignment would treat as the prototype. */
export function defineKey(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  } else {
    object[key] = value
  }
}

/** Freezes a value and everything below it; for tests that prove that nothing is changed in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}
