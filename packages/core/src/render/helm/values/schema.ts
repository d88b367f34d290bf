import { RenderError } from '../../../errors/index.ts'
import { typeName, type ValueMap } from '../../../lang/gotemplate/index.ts'
import { jsonOf } from '../functions/index.ts'
import { schemaIssue } from '../schema/index.ts'
import type { ChartInstance } from './instance.ts'

/**
 * Holds the values of a chart and of its subcharts against their values.schema.json.
 *
 * Throws HELM_VALUES with all that is wrong, root first. Source: helm v4.2.1 pkg/chart/common/util/jsonschema.go
 */
export function validateSchemas(root: ChartInstance, values: ValueMap): void {
  const issues = issuesOf(root, values)
  if (issues === '') return
  throw new RenderError(
    'HELM_VALUES',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${issues}`,
  )
}

function issuesOf(chart: ChartInstance, values: ValueMap): string {
  let out = ''
  const { schema } = chart.chart
  if (schema !== undefined) {
    const issue = schemaIssue(schema.text, jsonOf(values))
    if (issue !== undefined) out += `${chart.name}:\n${issue}`
  }
  for (const child of chart.dependencies) {
    const own = values.get(child.name)
    if (own === undefined || own === null) continue
    if (own instanceof Map) out += issuesOf(child, own)
    else {
      out += `${child.name}:\ninvalid type for values: expected object (map), got ${typeName(own)}\n`
    }
  }
  return out
}
