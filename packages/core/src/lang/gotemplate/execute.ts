import { quoteGo } from '../../text/index.ts'
import { compileTree, hostLimit } from './compile.ts'
import { FunctionFailure } from './errors.ts'
import type { Run } from './run.ts'
import type { Template, TemplateSet } from './set.ts'
import { type Executor, type OutputMark, State } from './state.ts'
import type { Value } from './value.ts'

const executor: Executor = {
  named: (set, name, data, run) => {
    const template = set.lookup(name)
    if (template === undefined) {
      throw new FunctionFailure(
        `template: no template ${quoteGo(name)} associated with template ${quoteGo(set.name)}`,
      )
    }
    return runTemplate(set, template, data, run, undefined)
  },
  text: (set, text, data, run) => {
    const over = set.overlay()
    return runTemplate(over, over.add(set.name, text), data, run, undefined)
  },
}

function runTemplate(
  set: TemplateSet,
  template: Template,
  data: Value,
  run: Run,
  marks: OutputMark[] | undefined,
): string {
  const code = compileTree(template.tree, set.functions)
  run.enter()
  // a nil interface becomes an invalid value here, as reflect.ValueOf(nil) does
  const dot = data === null ? undefined : data
  const state = new State(template, { set, run, executor, depth: -1 }, dot, code.slots, marks)
  code.exec(state, dot)
  run.depth--
  run.checkSize(state.out.length)
  return state.out
}

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
    return runTemplate(set, template, data, run, marks)
  } catch (error) {
    throw hostLimit(error) ?? error
  }
}
