import { compareStrings, isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { Value, ValueMap } from '../../lang/gotemplate/index.ts'
import { parseValues } from './chart/index.ts'
import type { RenderedFile } from './engine/index.ts'
import type { ReadValue, RenderOptions } from './types.ts'
import { type ChartInstance, parseSet, type SetMode } from './values/index.ts'

/** Something that sets values: a name to show, and whether it sets a path. */
interface ValueSource {
  readonly name: string
  sets(path: readonly string[]): boolean
}

/** Tells the values that template files read, with those who set them. */
export function inputTracer(options: RenderOptions): (file: RenderedFile) => readonly ReadValue[] {
  const known = new Map<RenderedFile, readonly ReadValue[]>()
  let fromUser: readonly ValueSource[] | undefined
  return (file) => {
    let inputs = known.get(file)
    if (inputs === undefined) {
      fromUser ??= userSources(options)
      inputs = inputsOf(file, fromUser)
      known.set(file, inputs)
    }
    return inputs
  }
}

/** Who set a path below a chart's `.Values`, in the order in which they were applied. */
export function settersOf(
  instance: ChartInstance,
  path: readonly string[],
  options: RenderOptions,
): readonly string[] {
  return settersAmong([...chartSources(instance), ...userSources(options)], instance, path)
}

function settersAmong(
  sources: readonly ValueSource[],
  instance: ChartInstance,
  path: readonly string[],
): readonly string[] {
  const below = [...pathInRoot(instance), ...path]
  return sources
    .filter((source) => source.sets(below) || (path[0] === 'global' && source.sets(path)))
    .map(({ name }) => name)
}

function inputsOf(file: RenderedFile, fromUser: readonly ValueSource[]): readonly ReadValue[] {
  const { instance } = file.template
  const sources = [...chartSources(instance), ...fromUser]
  const out: ReadValue[] = []
  for (const read of [...file.reads].sort(compareStrings)) {
    if (!read.startsWith('Values.')) continue
    const path = read.slice('Values.'.length)
    out.push({ path, from: settersAmong(sources, instance, path.split('.')) })
  }
  return out
}

/** Names of the subcharts that lead to a chart, as they are keys in the root's values. */
export function pathInRoot(instance: ChartInstance): readonly string[] {
  return instance.parent === undefined ? [] : [...pathInRoot(instance.parent), instance.name]
}

/** values.yaml of the chart and of the charts above it; deeper ones first, since those above win. */
function chartSources(instance: ChartInstance): readonly ValueSource[] {
  const at = pathInRoot(instance)
  const own: ValueSource = {
    name: `${instance.fullPath}/values.yaml`,
    sets: (path) =>
      at.every((step, i) => path[i] === step) &&
      hasPath(instance.chart.values, path.slice(at.length)),
  }
  return instance.parent === undefined ? [own] : [own, ...chartSources(instance.parent)]
}

function userSources(options: RenderOptions): readonly ValueSource[] {
  const files = (options.files ?? []).map(({ name, text }): ValueSource => {
    const values = parseValues(text, name)
    return { name, sets: (path) => hasPath(values, path) }
  })
  const sets: readonly (readonly [string, readonly string[] | undefined, SetMode])[] = [
    ['--set-json', options.setJson, 'json'],
    ['--set', options.set, 'typed'],
    ['--set-string', options.setString, 'string'],
    ['--set-file', options.setFile, 'string'],
    ['--set-literal', options.setLiteral, 'literal'],
  ]
  const flags = sets.flatMap(([flag, texts, mode]) =>
    (texts ?? []).map((text): ValueSource => {
      const values: ValueMap = new Map()
      parseSet(text, values, mode)
      return {
        name: `${flag} ${text.split('=', 1)[0]}`,
        sets: (path) => hasValuePath(values, path),
      }
    }),
  )
  return [...files, ...flags]
}

/** The path is there, or a part of it is set to something that ends it. */
function hasPath(values: JsonObject, path: readonly string[]): boolean {
  let current: Json = values
  for (const step of path) {
    if (!isObject(current)) return true
    if (!Object.hasOwn(current, step)) return false
    current = current[step]!
  }
  return true
}

function hasValuePath(values: ValueMap, path: readonly string[]): boolean {
  let current: Value = values
  for (const step of path) {
    if (!(current instanceof Map)) return true
    if (!current.has(step)) return false
    current = current.get(step)
  }
  return true
}
