import type { ValueMap } from '../../../lang/gotemplate/index.ts'
import type { Chart, Dependency } from '../chart/index.ts'
import { mapOfJson } from '../functions/index.ts'

/** A dependency entry as processing changes it. */
export interface DependencyEntry {
  readonly declared: Dependency
  /** The alias once it has been applied. */
  name: string
  enabled: boolean
  importValues: readonly unknown[]
}

const chartValues = new WeakMap<Chart, ValueMap>()

/** The values of a chart as Go has them; whoever changes them copies them first. */
function valuesOf(chart: Chart): ValueMap {
  let values = chartValues.get(chart)
  if (values === undefined) {
    values = mapOfJson(chart.values)
    chartValues.set(chart, values)
  }
  return values
}

/** A chart in one render: what aliases, conditions and imported values change is kept here, not in the chart. */
export class ChartInstance {
  readonly chart: Chart
  /** The alias, or the chart's own name. */
  name: string
  values: ValueMap
  /** Undefined where Chart.yaml has no dependencies. */
  entries: DependencyEntry[] | undefined
  dependencies: ChartInstance[] = []
  parent: ChartInstance | undefined

  private constructor(
    chart: Chart,
    name: string,
    values: ValueMap,
    entries: DependencyEntry[] | undefined,
  ) {
    this.chart = chart
    this.name = name
    this.values = values
    this.entries = entries
  }

  static of(chart: Chart): ChartInstance {
    const { metadata } = chart
    const entries = metadata.dependencies?.map((declared) => ({
      declared,
      name: declared.name,
      enabled: false,
      importValues: declared.importValues,
    }))
    const instance = new ChartInstance(chart, metadata.name, valuesOf(chart), entries)
    instance.setDependencies(chart.dependencies.map((child) => ChartInstance.of(child)))
    return instance
  }

  setDependencies(dependencies: readonly ChartInstance[]): void {
    this.dependencies = [...dependencies]
    for (const child of dependencies) child.parent = this
  }

  /** A copy under another name, for an entry with an alias; values and deeper charts are shared. */
  aliased(name: string): ChartInstance {
    const copy = new ChartInstance(
      this.chart,
      name,
      this.values,
      this.entries?.map((entry) => ({ ...entry })),
    )
    copy.setDependencies(this.dependencies.map((child) => child.shallow()))
    return copy
  }

  private shallow(): ChartInstance {
    const copy = new ChartInstance(this.chart, this.name, this.values, this.entries)
    copy.dependencies = this.dependencies
    return copy
  }

  /** `parent/charts/name`, aliases included. */
  get fullPath(): string {
    return this.parent === undefined ? this.name : `${this.parent.fullPath}/charts/${this.name}`
  }

  get isRoot(): boolean {
    return this.parent === undefined
  }
}
