import { defineKey, type Json } from '../../json/index.ts'
import type { MergeList, MergeMap, MergeType } from './merge-type.ts'
import { asList, asMap, narrowed, shapeFor, shapeOf } from './shapes.ts'
import { fieldType, itemStep } from './steps.ts'

/**
 * `live` with everything that `wanted` says. Nothing is taken away; the items of lists that both change stand in the order
 * of `wanted`. Both must fit the type.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/merge.go
 */
export function combine(live: Json, wanted: Json, type: MergeType): Json {
  const shape = wanted === null ? shapeOf(narrowed(type, null)) : shapeFor(type, wanted)
  if (shape?.kind === 'map') return combineMaps(live, wanted, shape.map)
  if (shape?.kind === 'list') return combineLists(live, wanted, shape.list)
  return wanted
}

function combineMaps(live: Json, wanted: Json, map: MergeMap): Json {
  const before = Object.entries(asMap(live) ?? {})
  const after = asMap(wanted) ?? {}
  if (map.atomic || (before.length === 0 && Object.keys(after).length === 0)) return wanted
  const out: { [key: string]: Json } = {}
  for (const [name, value] of before) {
    const type = fieldType(map, name)
    const change = Object.hasOwn(after, name) && type !== undefined
    defineKey(out, name, change ? combine(value, after[name] as Json, type) : value)
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(out, name)) defineKey(out, name, after[name] as Json)
  }
  return out
}

function combineLists(live: Json, wanted: Json, list: MergeList): Json {
  const before = asList(live) ?? []
  const after = asList(wanted) ?? []
  if (list.ownership === 'atomic' || (before.length === 0 && after.length === 0)) return wanted
  const left = before.map((item) => stepOf(list, item))
  const right = after.map((item) => stepOf(list, item))
  const leftAt = new Map(left.map((step, i) => [step, i]))
  const rightAt = new Map(right.map((step, i) => [step, i]))
  const shared = right.filter((step) => leftAt.has(step))
  const done = new Set<string>()
  const out: Json[] = []
  const take = (step: string): void => {
    const [i, j] = [leftAt.get(step), rightAt.get(step)!]
    const item = after[j] as Json
    out.push(i === undefined ? item : combine(before[i] as Json, item, list.item))
    done.add(step)
    if (shared[0] === step) shared.shift()
  }
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    if (i < left.length && j < right.length) {
      const step = left[i]!
      if (step === right[j]) {
        take(step)
        i++
        j++
        continue
      }
      // an item of both that is not the next of these: it comes when its turn comes
      if (rightAt.has(step) && shared.length > 0 && shared[0] !== step) {
        i++
        continue
      }
    }
    if (i < left.length) {
      const step = left[i]!
      if (!rightAt.has(step)) {
        out.push(before[i] as Json)
        i++
        continue
      }
      if (done.has(step)) i++
    }
    if (j < right.length) take(right[j++]!)
  }
  return out
}

function stepOf(list: MergeList, item: Json): string {
  const found = itemStep(list, item)
  return 'step' in found ? found.step : ''
}
