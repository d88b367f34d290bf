import type { Json } from '../../../json/index.ts'
import {
  type FunctionDef,
  FunctionFailure,
  type Struct,
  TypedMap,
  type Value,
  type ValueMap,
} from '../../../lang/gotemplate/index.ts'
import { quoteGo } from '../../../text/index.ts'
import type { Metadata } from '../chart/index.ts'
import { define, goValue, toYaml } from '../functions/index.ts'
import type { ChartInstance } from '../values/index.ts'
import { filesValue } from './files.ts'

/** A `common.Values`: a map with the methods of that type. */
export function valuesType(map: ValueMap): TypedMap {
  return new TypedMap('common.Values', map, { methods: () => methodsOf(map) })
}

function methodsOf(map: ValueMap): { readonly [name: string]: FunctionDef } {
  return {
    AsMap: define('', () => map),
    YAML: define('', () => `${toYaml(map)}\n`),
    Table: define('s', ([path]) => valuesType(tableAt(map, path))),
    PathValue: define('s', ([path]) => pathValue(map, path)),
    Encode: { params: ['io.Writer'], call: () => undefined },
  }
}

function tableAt(map: ValueMap, path: string): ValueMap {
  let table = map
  for (const step of path.split('.')) {
    const next = table.get(step)
    const inner = next instanceof TypedMap && next.goType === 'common.Values' ? next.map : next
    if (!(inner instanceof Map)) throw new FunctionFailure(`${quoteGo(step)} is not a table`)
    table = inner
  }
  return table
}

function pathValue(map: ValueMap, path: string): Value {
  if (path === '') throw new FunctionFailure('YAML path cannot be empty')
  const dot = path.lastIndexOf('.')
  const key = path.slice(dot + 1)
  let table: ValueMap | undefined = map
  try {
    if (dot !== -1) table = tableAt(map, path.slice(0, dot))
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error
    table = undefined
  }
  const value = table?.get(key)
  if (table === undefined || !table.has(key) || value instanceof Map) {
    throw new FunctionFailure(`${quoteGo(key)} is not a value`)
  }
  return value
}

/** `.Chart`: the metadata under the names of Go's fields. */
function chartValue(instance: ChartInstance): ValueMap {
  const { metadata } = instance.chart
  return new Map<string, Value>([
    ['Name', instance.name],
    ['Home', metadata.home],
    ['Sources', [...metadata.sources]],
    ['Version', metadata.version],
    ['Description', metadata.description],
    ['Keywords', [...metadata.keywords]],
    ['Maintainers', metadata.maintainers.map(maintainerValue)],
    ['Icon', metadata.icon],
    ['APIVersion', metadata.apiVersion],
    ['Condition', metadata.condition],
    ['Tags', metadata.tags],
    ['AppVersion', metadata.appVersion],
    ['Deprecated', metadata.deprecated],
    ['Annotations', stringMap(metadata.annotations)],
    ['KubeVersion', metadata.kubeVersion],
    ['Dependencies', dependenciesValue(instance)],
    ['Type', metadata.type],
    ['IsRoot', instance.isRoot],
  ])
}

function maintainerValue({ name, email, url }: Metadata['maintainers'][number]): ValueMap {
  return new Map([
    ['Name', name],
    ['Email', email],
    ['URL', url],
  ])
}

function stringMap(map: { readonly [key: string]: string } | undefined): TypedMap {
  return new TypedMap('map[string]string', new Map(Object.entries(map ?? {})), {
    elementType: 'string',
    zero: '',
    isNil: map === undefined,
  })
}

function dependenciesValue(instance: ChartInstance): Value {
  return (instance.entries ?? []).map(({ declared, name, enabled, importValues }) => {
    const imports = (importValues as readonly Json[]).map((item) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? stringMap(item as { readonly [key: string]: string })
        : goValue(item),
    )
    return new Map<string, Value>([
      ['Name', name],
      ['Version', declared.version],
      ['Repository', declared.repository],
      ['Condition', declared.condition],
      ['Tags', [...declared.tags]],
      ['Enabled', enabled],
      ['ImportValues', imports],
      ['Alias', declared.alias],
    ])
  })
}

/** What is the same for all charts of a render. */
export interface ReleaseFacts {
  readonly name: string
  readonly namespace: string
  readonly isUpgrade: boolean
  readonly capabilities: Struct
}

/** A template of a chart with the context it runs in. */
export interface Renderable {
  /** `chart/templates/x.yaml`, with charts/ and aliases. */
  readonly path: string
  readonly text: string
  readonly context: ValueMap
  readonly basePath: string
  /** The chart that it belongs to. */
  readonly instance: ChartInstance
}

/**
 * All templates of a chart and its subcharts. The templates of one chart share one context, as they do in Helm, where
 * `set` in one file is seen by the next.
 *
 * Source: helm v4.2.1 pkg/engine/engine.go recAllTpls
 */
export function collectTemplates(
  root: ChartInstance,
  values: ValueMap,
  release: ReleaseFacts,
): readonly Renderable[] {
  const out: Renderable[] = []
  const releaseMap: ValueMap = new Map<string, Value>([
    ['Name', release.name],
    ['Namespace', release.namespace],
    ['IsUpgrade', release.isUpgrade],
    ['IsInstall', !release.isUpgrade],
    ['Revision', 1n],
    ['Service', 'Helm'],
  ])
  collect(root, values, releaseMap, release.capabilities, out)
  return out
}

function collect(
  instance: ChartInstance,
  values: ValueMap,
  release: ValueMap,
  capabilities: Struct,
  out: Renderable[],
): ValueMap {
  const subcharts: ValueMap = new Map()
  const context: ValueMap = new Map<string, Value>([
    ['Chart', chartValue(instance)],
    ['Files', filesValue(instance.chart.files)],
    ['Release', release],
    ['Capabilities', capabilities],
    ['Values', valuesType(values)],
    ['Subcharts', subcharts],
  ])
  for (const child of instance.dependencies) {
    const table = values.get(child.name)
    const own: ValueMap = table instanceof Map ? table : new Map()
    subcharts.set(child.name, collect(child, own, release, capabilities, out))
  }
  const { fullPath } = instance
  const isLibrary = instance.chart.metadata.type.toLowerCase() === 'library'
  for (const file of instance.chart.templates) {
    const base = file.name.slice(file.name.lastIndexOf('/') + 1)
    if (isLibrary && !base.startsWith('_')) continue
    out.push({
      path: `${fullPath}/${file.name}`,
      text: file.text,
      context,
      basePath: `${fullPath}/templates`,
      instance,
    })
  }
  return context
}
