import { SpecError } from '../../errors/index.ts'
import { canonicalJson, type Json, type JsonObject } from '../../json/index.ts'
import { appsetError } from '../fail.ts'
import { overlay, type Params, printValue } from '../params.ts'
import type { GeneratorContext } from './context.ts'
import { Needs } from './facts.ts'

/** More than any set needs; what comes to more has exploded. */
const maxSets = 100_000

/** Every set of the first child with every set that the second has for it. */
export function multiply(
  first: readonly Params[],
  secondFor: (params: Params) => readonly Params[],
  { renderer, budget }: GeneratorContext,
): readonly Params[] {
  const out: Params[] = []
  const needs = new Needs()
  for (const a of first) {
    budget.spend(1)
    for (const b of needs.try(() => secondFor(a)) ?? []) {
      budget.spend(1)
      const both = needs.try(() => (renderer.goTemplate ? overlay(b, a) : combineStrings(a, b)))
      if (both === undefined) continue
      if (out.push(both) > maxSets) {
        throw new SpecError(
          'BUDGET_EXCEEDED',
          `the matrix gives more than ${maxSets} sets of parameters`,
        )
      }
    }
  }
  needs.raise()
  return out
}

/** Source: argo-cd v3.5.1 applicationset/utils/map.go CombineStringMaps */
function combineStrings(a: Params, b: Params): Params {
  const out: { [name: string]: Json } = {}
  for (const [name, value] of Object.entries(a)) out[name] = printValue(value)
  for (const [name, value] of Object.entries(b)) {
    const text = printValue(value)
    const known = out[name]
    if (known !== undefined && known !== text) {
      throw appsetError(
        `failed to combine string maps with merging params for the matrix generator: found duplicate key ${name} with different value, a: ${known} ,b: ${text}`,
      )
    }
    out[name] = text
  }
  return out
}

/** The first child's sets, each with those laid over it that have the same values of the keys. */
export function mergeByKeys(
  children: readonly (readonly Params[])[],
  keys: readonly string[],
  goTemplate: boolean,
): readonly Params[] {
  if (keys.length === 0) {
    throw appsetError('no merge keys were specified, Merge requires at least one')
  }
  const [base = new Map<string, Params>(), ...others] = children.map((sets) => byKeys(sets, keys))
  const out = new Map(base)
  for (const other of others) {
    for (const [key, params] of other) {
      const below = out.get(key)
      if (below === undefined) continue
      out.set(key, goTemplate ? overlay(below, params) : { ...below, ...params })
    }
  }
  return [...out.values()]
}

function byKeys(sets: readonly Params[], keys: readonly string[]): ReadonlyMap<string, Params> {
  const out = new Map<string, Params>()
  for (const params of sets) {
    const values: JsonObject = Object.fromEntries(keys.map((key) => [key, params[key] ?? null]))
    const key = canonicalJson(values)
    if (out.has(key)) {
      throw appsetError(
        `the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique. Duplicate key was ${key}`,
      )
    }
    out.set(key, params)
  }
  return out
}
