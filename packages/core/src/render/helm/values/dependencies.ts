import type { Json } from '../../../json/index.ts'
import { formatValue, type Value, type ValueMap } from '../../../lang/gotemplate/index.ts'
import { parseVersion, quoteGo } from '../../../text/index.ts'
import { constraintOf, deepCopy, goValue } from '../functions/index.ts'
import { coalesceTables, mergeDefaults, peekValues, type Warn } from './coalesce.ts'
import type { ChartInstance, DependencyEntry } from './instance.ts'

/** True when the version fits; a constraint or version that cannot be read fits nothing. */
export function isCompatibleRange(constraint: string, version: string): boolean {
  const parsed = parseVersion(version)
  const rule = constraintOf(constraint)
  return 'value' in parsed && 'value' in rule && rule.value.matches(parsed.value)
}

/**
 * Applies aliases, tags and conditions, then imports values from children into parents.
 *
 * Source: helm v4.2.1 pkg/chart/v2/util/dependencies.go
 */
export function processDependencies(root: ChartInstance, values: ValueMap, warn: Warn): void {
  enableDependencies(root, values, '', warn)
  importValues(root, warn)
}

function enableDependencies(
  chart: ChartInstance,
  values: ValueMap,
  path: string,
  warn: Warn,
): void {
  const { entries } = chart
  if (entries === undefined) return
  const loaded = chart.dependencies
  const chosen = loaded.filter(
    (child) =>
      !entries.some(
        ({ name, declared }) =>
          child.name === name && isCompatibleRange(declared.version, child.chart.metadata.version),
      ),
  )
  for (const entry of entries) {
    const match = loaded.find(
      (child) =>
        child.name === entry.name &&
        isCompatibleRange(entry.declared.version, child.chart.metadata.version),
    )
    const { alias } = entry.declared
    if (match !== undefined) chosen.push(match.aliased(alias === '' ? match.name : alias))
    if (alias !== '') entry.name = alias
  }
  chart.setDependencies(chosen)
  for (const entry of entries) entry.enabled = true
  const coalesced = peekValues(chart, values, warn)
  applyTags(entries, coalesced, warn)
  applyConditions(entries, coalesced, path, warn)
  const removed = new Set(entries.filter(({ enabled }) => !enabled).map(({ name }) => name))
  const kept = chart.dependencies.filter((child) => !removed.has(child.name))
  for (const child of kept) {
    enableDependencies(child, coalesced, `${path}${child.name}.`, warn)
  }
  chart.entries = entries.filter(({ name }) => !removed.has(name))
  chart.setDependencies(kept)
}

function applyTags(entries: readonly DependencyEntry[], values: ValueMap, warn: Warn): void {
  const tags = values.get('tags')
  if (!(tags instanceof Map)) return
  for (const entry of entries) {
    let some = false
    let none = false
    for (const tag of entry.declared.tags) {
      if (!tags.has(tag)) continue
      const value = tags.get(tag)
      if (value === true) some = true
      else if (value === false) none = true
      else warn('returned non-bool value', { tag, chart: entry.name })
    }
    entry.enabled = some || !none
  }
}

function applyConditions(
  entries: readonly DependencyEntry[],
  values: ValueMap,
  path: string,
  warn: Warn,
): void {
  for (const entry of entries) {
    for (const condition of entry.declared.condition.trim().split(',')) {
      if (condition === '') continue
      const value = valueAt(values, `${path}${condition}`)
      if (value === undefined) continue
      if (typeof value === 'boolean') {
        entry.enabled = value
        break
      }
      warn('returned non-bool value', { path: condition, chart: entry.name })
    }
  }
}

function tableAt(values: ValueMap, path: string): ValueMap | undefined {
  let table: Value = values
  for (const step of path.split('.')) {
    if (!(table instanceof Map)) return undefined
    table = table.get(step)
  }
  return table instanceof Map ? table : undefined
}

/** The first step of a path that leads to no table. */
function missingStep(values: ValueMap, path: string): string {
  const steps = path.split('.')
  const end = steps.findIndex(
    (_, i) => tableAt(values, steps.slice(0, i + 1).join('.')) === undefined,
  )
  return steps[end] ?? path
}

/** A value that is no table; undefined when there is none. A null counts as a value. */
function valueAt(values: ValueMap, path: string): Value {
  const dot = path.lastIndexOf('.')
  const table = dot === -1 ? values : tableAt(values, path.slice(0, dot))
  const key = path.slice(dot + 1)
  if (table === undefined || !table.has(key)) return undefined
  const value = table.get(key)
  return value instanceof Map ? undefined : (value ?? null)
}

function importValues(chart: ChartInstance, warn: Warn): void {
  for (const child of chart.dependencies) importValues(child, warn)
  const { entries } = chart
  if (entries === undefined) return
  // importing changes them
  const imports = entries.some((entry) => entry.importValues.length > 0)
  const defaults = mergeDefaults(chart, imports, warn)
  const imported: ValueMap = new Map()
  for (const entry of entries) {
    const resolved: Json[] = []
    for (const item of entry.importValues as readonly Json[]) {
      const found = importedFrom(item)
      if (found === undefined) continue
      const { child, parent } = found
      resolved.push({ child, parent })
      const table = tableAt(defaults, `${entry.name}.${child}`)
      if (table === undefined) {
        const error = `${quoteGo(missingStep(defaults, `${entry.name}.${child}`))} is not a table`
        if (typeof item === 'string') warn('ImportValues missing table', { error })
        else warn('ImportValues missing table from chart', { chart: entry.name, error })
        continue
      }
      coalesceTables(imported, nested(parent, table), '', true, warn)
    }
    entry.importValues = resolved
  }
  // what is imported lies under what the parent says itself
  chart.values =
    imported.size === 0
      ? defaults
      : coalesceTables(deepCopy(defaults) as ValueMap, imported, '', true, warn)
}

function importedFrom(item: Json): { readonly child: string; readonly parent: string } | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.' }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  const text = (key: string): string => {
    const value = (item as { readonly [key: string]: Json })[key]
    return value === undefined ? '<nil>' : formatValue(goValue(value))
  }
  return { child: text('child'), parent: text('parent') }
}

/** The table under a path of dots; '.' is the root. */
function nested(path: string, table: ValueMap): ValueMap {
  if (path === '.') return table
  return path
    .split('.')
    .reduceRight<ValueMap>((inner, step) => new Map<string, Value>([[step, inner]]), table)
}
