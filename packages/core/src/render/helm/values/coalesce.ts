import { RenderError } from '../../../errors/index.ts'
import { formatValue, sprintf, type Value, type ValueMap } from '../../../lang/gotemplate/index.ts'
import { deepCopy } from '../functions/index.ts'
import type { ChartInstance } from './instance.ts'

/** Takes a warning; one with facts is worse than one without. */
export type Warn = (message: string, facts?: { readonly [key: string]: string }) => void

const globalKey = 'global'

function copyMap(map: ValueMap): ValueMap {
  return deepCopy(map) as ValueMap
}

function isTable(value: Value): value is ValueMap {
  return value instanceof Map
}

function concat(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`
}

/**
 * Values of a chart and its subcharts: what is given over the defaults, parents over children, globals downwards. Nulls
 * of the user delete defaults; nulls of defaults vanish.
 *
 * Throws HELM_VALUES when a subchart's name holds something that is no table.
 * Source: helm v4.2.1 pkg/chart/common/util/coalesce.go
 */
export function coalesceValues(chart: ChartInstance, values: ValueMap, warn: Warn): ValueMap {
  return coalesce(chart, copyMap(values), '', false, warn)
}

/** As {@link coalesceValues}, but nulls are kept. */
export function mergeValues(chart: ChartInstance, values: ValueMap, warn: Warn): ValueMap {
  return coalesce(chart, copyMap(values), '', true, warn)
}

function coalesce(
  chart: ChartInstance,
  target: ValueMap,
  prefix: string,
  merge: boolean,
  warn: Warn,
): ValueMap {
  coalesceOwn(chart, target, prefix, merge, warn)
  for (const child of chart.dependencies) {
    const { name } = child
    if (!target.has(name)) target.set(name, new Map())
    const table = target.get(name)
    if (!isTable(table)) {
      throw new RenderError('HELM_VALUES', `type mismatch on ${name}: ${sprintf('%t', [table])}`)
    }
    const childPrefix = concat(prefix, chart.name)
    coalesceGlobals(table, target, childPrefix, warn)
    target.set(name, coalesce(child, table, childPrefix, merge, warn))
  }
  return target
}

function coalesceGlobals(target: ValueMap, source: ValueMap, prefix: string, warn: Warn): void {
  const into = target.has(globalKey) ? target.get(globalKey) : new Map()
  if (!isTable(into)) {
    warn('warning: skipping globals because destination global is not a table.')
    return
  }
  const from = source.has(globalKey) ? source.get(globalKey) : new Map()
  if (!isTable(from)) {
    warn('warning: skipping globals because source global is not a table.')
    return
  }
  for (const [key, value] of from) {
    const present = into.get(key)
    if (isTable(value)) {
      const copy: ValueMap = new Map(value)
      if (!into.has(key)) into.set(key, copy)
      else if (!isTable(present)) {
        warn(`Conflict: cannot merge map onto non-map for ${JSON.stringify(key)}. Skipping.`)
      } else {
        coalesceTables(copy, present, concat(prefix, key), true, warn)
        into.set(key, copy)
      }
    } else if (isTable(present)) warn(`key ${key} is table. Skipping`)
    else into.set(key, value)
  }
  target.set(globalKey, into)
}

function coalesceOwn(
  chart: ChartInstance,
  target: ValueMap,
  prefix: string,
  merge: boolean,
  warn: Warn,
): void {
  const ownPrefix = concat(prefix, chart.name)
  for (const [key, value] of copyMap(chart.values)) {
    if (!target.has(key)) {
      if (!merge) {
        if (value === null || value === undefined) continue
        if (isTable(value)) dropNulls(value)
      }
      target.set(key, value)
      continue
    }
    const given = target.get(key)
    if ((given === null || given === undefined) && !merge) target.delete(key)
    else if (isTable(given)) {
      if (isTable(value)) {
        const isChild = chart.dependencies.some((child) => child.name === key)
        const mergeHere = isChild || merge
        if (!mergeHere) dropNulls(value)
        coalesceTables(given, value, concat(ownPrefix, key), mergeHere, warn)
      } else if (value !== null && value !== undefined) {
        warn(`warning: skipped value for ${ownPrefix}.${key}: Not a table.`)
      }
    }
  }
}

/** Merges `source` under `target`, in place; the target wins. */
export function coalesceTables(
  target: ValueMap,
  source: ValueMap,
  prefix: string,
  merge: boolean,
  warn: Warn,
): ValueMap {
  const hadValue = new Set<string>()
  for (const [key, value] of source) if (value !== null && value !== undefined) hadValue.add(key)
  for (const [key, value] of target) {
    if (value === null || value === undefined) source.set(key, null)
  }
  for (const [key, value] of source) {
    const fullKey = concat(prefix, key)
    const given = target.get(key)
    const has = target.has(key)
    if (has && !merge && (given === null || given === undefined) && hadValue.has(key)) {
      target.delete(key)
    } else if (!has) target.set(key, value)
    else if (isTable(value)) {
      if (isTable(given)) coalesceTables(given, value, fullKey, merge, warn)
      else {
        warn(
          `warning: cannot overwrite table with non table for ${fullKey} (${formatValue(value)})`,
        )
      }
    } else if (isTable(given) && value !== null && value !== undefined) {
      warn(
        `warning: destination for ${fullKey} is a table. Ignoring non-table value (${formatValue(value)})`,
      )
    }
  }
  return target
}

function dropNulls(map: ValueMap): void {
  for (const [key, value] of map) {
    if (value === null || value === undefined) map.delete(key)
    else if (isTable(value)) dropNulls(value)
  }
}
