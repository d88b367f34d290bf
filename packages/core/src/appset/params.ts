import { defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'
import { formatValue, type Value } from '../lang/gotemplate/index.ts'
import { goValue } from '../render/helm/functions/index.ts'

/** One set of parameters. */
export type Params = JsonObject

/** A value as Go's `%v` prints it once it has been through JSON. */
export function printValue(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '<nil>' : formatValue(goValue(value))
}

/** The same for a value that came from Kubernetes, where whole numbers are integers. */
export function printWithIntegers(value: Json): string {
  return typeof value === 'string' ? value : formatValue(withIntegers(value))
}

function withIntegers(value: Json): Value {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (Array.isArray(value)) return value.map(withIntegers)
  if (!isObject(value)) return goValue(value)
  return new Map(Object.entries(value).map(([key, item]) => [key, withIntegers(item)]))
}

/**
 * Nested values under dotted names, lists by index. What is empty has no name at all.
 *
 * Source: github.com/jeremywohl/flatten v1.0.1 with DotStyle, as argo-cd v3.5.1 uses it
 */
export function flatten(params: Params): { [name: string]: Json } {
  const out: { [name: string]: Json } = {}
  const visit = (value: Json, name: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${name}.${index}`)
    } else if (isObject(value))
      for (const key of Object.keys(value)) visit(value[key]!, `${name}.${key}`)
    else defineKey(out, name, value)
  }
  for (const key of Object.keys(params)) visit(params[key]!, key)
  return out
}

/** `params` flattened and printed: what fasttemplate and selectors look at. */
export function flatStrings(params: Params): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(flatten(params)).map(([name, value]) => [name, printValue(value)]),
  )
}

/** `over` laid over `under`: maps are merged, everything else is replaced. */
export function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...under }
  for (const key of Object.keys(over)) {
    const below = Object.hasOwn(out, key) ? out[key] : undefined
    const above = over[key]!
    defineKey(out, key, isObject(below) && isObject(above) ? overlay(below, above) : above)
  }
  return out
}

/**
 * `from` fills what is empty in `into`: absent, null, '', 0, false, nothing in it.
 *
 * Source: dario.cat/mergo v1.0.1 Merge without options
 */
export function fillEmpty(into: JsonObject, from: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...into }
  for (const key of Object.keys(from)) {
    const mine = Object.hasOwn(out, key) ? out[key] : undefined
    const theirs = from[key]!
    if (isObject(mine) && isObject(theirs)) defineKey(out, key, fillEmpty(mine, theirs))
    else if (isEmptyValue(mine)) defineKey(out, key, theirs)
  }
  return out
}

function isEmptyValue(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) {
    return true
  }
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}
