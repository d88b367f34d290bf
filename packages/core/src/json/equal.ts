import { isObject, type Json } from './value.ts'

/** Deep equality; key order does not matter, array order does. Absent keys differ from null ones. */
export function deepEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false
    return true
  }
  if (isObject(a)) {
    if (!isObject(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key) || !deepEqual(a[key], b[key])) return false
    }
    return true
  }
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    return (
      (typeof a === 'bigint' || typeof a === 'number') &&
      (typeof b === 'bigint' || typeof b === 'number') &&
      // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are equal
      a == b
    )
  }
  return typeof a === 'number' && typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b)
}

const high = /[\ud800-\uffff]/

/** Orders strings by their UTF-8 bytes, as Go compares strings; UTF-16 order differs above U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    // paths have much in common: the engine finds the difference sooner
    if (i === 16 && !high.test(a) && !high.test(b)) return a < b ? -1 : 1
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const xSurrogate = x >= 0xd800 && x <= 0xdfff
    const ySurrogate = y >= 0xd800 && y <= 0xdfff
    if (xSurrogate !== ySurrogate) return xSurrogate ? 1 : -1
    return x - y
  }
  return a.length - b.length
}

/** Sorts a list of strings in place by their UTF-8 bytes, as {@link compareStrings} orders them. */
export function sortStrings(list: string[]): string[] {
  // the order of UTF-16 units, which is much faster, differs only for characters that are high
  if (list.length > fewStrings) {
    list.sort()
    return list.some((text) => high.test(text)) ? list.sort(compareStrings) : list
  }
  let isHigh = false
  for (let i = 0; i < list.length; i++) {
    const text = list[i]!
    for (let k = 0; k < text.length; k++) if (text.charCodeAt(k) >= 0xd800) isHigh = true
    let at = i
    while (at > 0 && list[at - 1]! > text) {
      list[at] = list[at - 1]!
      at--
    }
    list[at] = text
  }
  return isHigh ? list.sort(compareStrings) : list
}

/** Most maps of manifests have no more keys; for them the engine's sort takes longer than the sorting. */
const fewStrings = 12
