import { formatJson, type Json } from '@litecd/core/json'
import type { PlannedApp, PlanReport } from '../workspace/plan-workspace.ts'
import { lossesOf } from './losses.ts'

/** The plans for programs. `schema` grows when a field changes its meaning; new fields may appear at any time. */
export function printPlansJson(report: PlanReport): string {
  const value = {
    schema: 1,
    base: report.base,
    head: report.head,
    against: report.against,
    losses: lossesOf(report.plans),
    applications: report.plans.map(appValue),
    problems: report.problems.map((problem) => problem.toJSON()),
    remarks: report.remarks,
  }
  const plain = JSON.parse(JSON.stringify(value)) as Json
  return `${formatJson(plain, { escapeHtml: false, indent: '  ', sortKeys: false })}\n`
}

function appValue({ name, app, origin, change, plan }: PlannedApp): object {
  const common = { name, namespace: app.metadata.namespace, change, origin }
  if ('failure' in plan) {
    const { message, source, error } = plan.failure
    return { ...common, failure: { message, source, error: error.toJSON() } }
  }
  return { ...common, ...plan }
}
