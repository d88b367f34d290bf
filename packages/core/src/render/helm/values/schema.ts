import { RenderError } from '../../../errors/index.ts'
import { typeName, type ValueMap } from '../../../lang/gotemplate/index.ts'
import type { RenderDebug } from '../debug.ts'
import { jsonOf } from '../functions/index.ts'
import { schemaIssue } from '../schema/index.ts'
import type { ChartInstance } from './instance.ts'

/**
 * Holds the values of a chart and of its subcharts against their values.schema.json.
 *
 * Throws HELM_VALUES with all that is wrong, root first. Source: helm v4.2.1 pkg/chart/common/util/jsonschema.go
 */
export function validateSchemas(
  root: ChartInstance,
  values: ValueMap,
  debug: Pick<RenderDebug, 'note'> | undefined,
): void {
  const issues = issuesOf(root, values, debug)
  if (issues === '') return
  throw new RenderError(
    'HELM_VALUES',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${issues}`,
  )
}

function issuesOf(
  chart: ChartInstance,
  values: ValueMap,
  debug: Pick<RenderDebug, 'note'> | undefined,
): string {
  let out = ''
  const { schema } = chart.chart
  if (schema !== undefined) {
    debug?.note('chart name', { 'chart-name': chart.name })
    debug?.note('unmarshalled JSON schema', { schema: schema.text })
    const issue = schemaIssue(schema.text, jsonOf(values))
    if (issue !== undefined) out += `${chart.name}:\n${issue}`
  }
  debug?.note('number of dependencies in the chart', {
    chart: chart.name,
    dependencies: String(chart.dependencies.length),
  })
  for (const child of chart.dependencies) {
    const own = values.get(child.name)
    if (own === undefined || own === null) continue
    if (own instanceof Map) out += issuesOf(child, own, debug)
    else {
      out += `${child.name}:\ninvalid type for values: expected object (map), got ${typeName(own)}\n`
    }
  }
  return out
}
