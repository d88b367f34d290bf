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

function isNull(value: Value): value is null | undefined {
  return value === null || value === undefined
}

function isTable(value: Value): value is ValueMap {
  return value instanceof Map
}

function concat(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}.${key}`
}

/** How values are put together. */
interface Manner {
  /** Nulls are kept instead of deleting what is below. */
  readonly merge: boolean
  /** Whoever gets the values may change them; else they share with the charts what is not changed here. */
  readonly owned: boolean
  readonly warn: Warn
}

/**
 * Values of a chart and its subcharts: what is given over the defaults, parents over children, globals downwards. Nulls
 * of the user delete defaults; nulls of defaults vanish.
 *
 * Throws HELM_VALUES when a subchart's name holds something that is no table.
 * Source: helm v4.2.1 pkg/chart/common/util/coalesce.go
 */
export function coalesceValues(chart: ChartInstance, values: ValueMap, warn: Warn): ValueMap {
  return coalesce(chart, copyMap(values), '', { merge: false, owned: true, warn })
}

/** As {@link coalesceValues}, for those who only look at the values. */
export function peekValues(chart: ChartInstance, values: ValueMap, warn: Warn): ValueMap {
  return coalesce(chart, copyMap(values), '', { merge: false, owned: false, warn })
}

/** The defaults as {@link coalesceValues} puts them together, but with nulls; only to be looked at unless `owned`. */
export function mergeDefaults(chart: ChartInstance, owned: boolean, warn: Warn): ValueMap {
  return coalesce(chart, new Map(), '', { merge: true, owned, warn })
}

function coalesce(
  chart: ChartInstance,
  target: ValueMap,
  prefix: string,
  manner: Manner,
): ValueMap {
  coalesceOwn(chart, target, prefix, manner)
  for (const child of chart.dependencies) {
    const { name } = child
    if (!target.has(name)) target.set(name, new Map())
    const table = target.get(name)
    if (!isTable(table)) {
      throw new RenderError('HELM_VALUES', `type mismatch on ${name}: ${sprintf('%t', [table])}`)
    }
    const childPrefix = concat(prefix, chart.name)
    coalesceGlobals(table, target, childPrefix, manner.warn)
    target.set(name, coalesce(child, table, childPrefix, manner))
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

function coalesceOwn(chart: ChartInstance, target: ValueMap, prefix: string, manner: Manner): void {
  const { merge, warn } = manner
  const ownPrefix = concat(prefix, chart.name)
  for (const [key, value] of chart.values) {
    const isChild = chart.dependencies.some((child) => child.name === key)
    // what subcharts get is changed further on
    const owned = manner.owned || isChild || key === globalKey
    const given = target.get(key)
    if (!target.has(key)) {
      if (merge || !isNull(value)) target.set(key, taken(value, merge, owned))
    } else if (isNull(given)) {
      if (!merge) target.delete(key)
    } else if (isTable(given)) {
      if (isTable(value)) {
        addDefaults(given, value, concat(ownPrefix, key), { merge: merge || isChild, owned, warn })
      } else if (!isNull(value)) {
        warn(`warning: skipped value for ${ownPrefix}.${key}: Not a table.`)
      }
    }
  }
}

/** Puts defaults under what is given, which wins; as {@link coalesceTables}, but `defaults` stay what they are. */
function addDefaults(given: ValueMap, defaults: ValueMap, prefix: string, manner: Manner): void {
  const { merge, owned, warn } = manner
  defaults.forEach((value, key) => {
    if (!merge && isNull(value)) return
    const present = given.get(key)
    if (isNull(present)) {
      if (!given.has(key)) given.set(key, taken(value, merge, owned))
      else if (!merge) given.delete(key)
    } else if (isTable(value)) {
      const fullKey = concat(prefix, key)
      if (isTable(present)) addDefaults(present, value, fullKey, manner)
      else {
        const shown = formatValue(taken(value, merge, false))
        warn(`warning: cannot overwrite table with non table for ${fullKey} (${shown})`)
      }
    } else if (isTable(present) && !isNull(value)) warn(ignoredValue(concat(prefix, key), value))
  })
}

/** A default on its way into the values: copied where that is owned, and without nulls unless they are merged. */
function taken(value: Value, merge: boolean, owned: boolean): Value {
  if (merge || !isTable(value)) return owned ? deepCopy(value) : value
  return owned || hasNulls(value) ? copyWithoutNulls(value) : value
}

function hasNulls(map: ValueMap): boolean {
  for (const value of map.values()) {
    if (isNull(value) || (isTable(value) && hasNulls(value))) return true
  }
  return false
}

function copyWithoutNulls(map: ValueMap): ValueMap {
  const copy: ValueMap = new Map()
  map.forEach((value, key) => {
    if (isTable(value)) copy.set(key, copyWithoutNulls(value))
    else if (!isNull(value)) copy.set(key, typeof value === 'object' ? deepCopy(value) : value)
  })
  return copy
}

function ignoredValue(key: string, value: Value): string {
  return `warning: destination for ${key} is a table. Ignoring non-table value (${formatValue(value)})`
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
  for (const [key, value] of source) if (!isNull(value)) hadValue.add(key)
  for (const [key, value] of target) {
    if (isNull(value)) source.set(key, null)
  }
  for (const [key, value] of source) {
    const fullKey = concat(prefix, key)
    const given = target.get(key)
    const has = target.has(key)
    if (has && !merge && isNull(given) && hadValue.has(key)) {
      target.delete(key)
    } else if (!has) target.set(key, value)
    else if (isTable(value)) {
      if (isTable(given)) coalesceTables(given, value, fullKey, merge, warn)
      else {
        warn(
          `warning: cannot overwrite table with non table for ${fullKey} (${formatValue(value)})`,
        )
      }
    } else if (isTable(given) && !isNull(value)) warn(ignoredValue(fullKey, value))
  }
  return target
}
