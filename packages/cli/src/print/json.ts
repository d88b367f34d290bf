import type { DeletionPlan, PlannedTask, SyncPlan } from '@litecd/core/app'
import { formatPath } from '@litecd/core/diff'
import { formatJson, type Json } from '@litecd/core/json'
import type { AppReport, Report } from '../workspace/report.ts'
import { lossesOf, plansOf } from './losses.ts'
import { countObjects } from './summary.ts'
import { turnoverOf, warningsOf } from './turnover.ts'

/** The report for programs. `schema` grows when a field changes its meaning; new fields may appear at any time. */
export function printJson(report: Report): string {
  const value = {
    schema: 1,
    base: report.base,
    head: report.head,
    summary: {
      applications: report.applications.length + report.unchanged,
      unchanged: report.unchanged,
      rendered: report.rendered,
      objects: countObjects(report.applications.flatMap(({ preview }) => preview.objects)),
      failed: report.applications.filter(({ preview }) => preview.change === 'failed').length,
    },
    turnover: turnoverOf(report),
    warnings: warningsOf(report),
    losses: lossesOf(plansOf(report)),
    applications: report.applications.map(appValue),
    problems: report.problems.map((problem) => problem.toJSON()),
    remarks: report.remarks,
  }
  return (
    formatJson(strip(value) as Json, { escapeHtml: false, indent: '  ', sortKeys: false }) + '\n'
  )
}

function appValue({ preview, origin, reasons, renamedFrom, renamedTo, plan }: AppReport): object {
  const { failure, ...rest } = preview
  return {
    ...rest,
    origin,
    reasons,
    plan: plan === undefined || 'failure' in plan ? undefined : shortValue(plan.plan),
    renamedFrom,
    renamedTo,
    specFields: rest.specFields.map((change) => ({ ...change, path: formatPath(change.path) })),
    objects: rest.objects.map((object) => ({
      ...object,
      fields: object.fields.map((change) => ({ ...change, path: formatPath(change.path) })),
    })),
    ...(failure === undefined
      ? {}
      : {
          failure: {
            message: failure.message,
            source: failure.source,
            error: failure.error.toJSON(),
          },
        }),
  }
}

/** The plan without its tasks; `litecd plan` has those. */
function shortValue(plan: SyncPlan | DeletionPlan): object {
  if (plan.kind === 'deletion') {
    const { steps, kept, before: _before, after: _after, ...rest } = plan
    return {
      ...rest,
      steps: steps.map(({ wave, tasks }) => ({ wave, tasks: countTasks(tasks) })),
      kept: kept.length,
    }
  }
  const { operation: _operation, steps, ...rest } = plan
  return {
    ...rest,
    steps: steps.map(({ tasks, ...step }) => ({ ...step, tasks: countTasks(tasks) })),
  }
}

function countTasks(tasks: readonly PlannedTask[]): object {
  const counts: { [verb: string]: number } = {}
  for (const { verb } of tasks) counts[verb] = (counts[verb] ?? 0) + 1
  return counts
}

/** Absent is absent: undefined has no place in JSON. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, strip(item)]),
  )
}
