import { compileTraced, compileTree } from './compile.ts'
import { hostLimit } from './errors.ts'
import type { Run } from './run.ts'
import type { Template, TemplateSet } from './set.ts'
import { type OutputMark, runTemplate } from './state.ts'
import { tracerOf } from './tracer.ts'
import type { Value } from './value.ts'

/**
 * Runs a template and gives its output. `marks` is filled with what made which part of it.
 *
 * Throws TemplateError, or BudgetError when a limit of the run or of the host is reached.
 */
export function executeTemplate(
  set: TemplateSet,
  template: Template,
  data: Value,
  run: Run,
  marks?: OutputMark[],
): string {
  try {
    return runTemplate(
      { set, run, compile: tracerOf(run) === undefined ? compileTree : compileTraced },
      template,
      data,
      marks,
    )
  } catch (error) {
    throw hostLimit(error) ?? error
  }
}
