import { byteLength, quoteGo } from '../../text/index.ts'
import { TemplateError } from './errors.ts'
import { type AnyNode, printNode } from './nodes.ts'
import type { Run } from './run.ts'
import type { Template, TemplateSet } from './set.ts'
import type { CallContext, Value } from './value.ts'

/** A point of an output: from `offset` on it was made by the node at `pos` of the file's text. */
export interface OutputMark {
  readonly offset: number
  readonly pos: number
}

/** Runs a template and gives its output. */
export interface Executor {
  named(set: TemplateSet, name: string, data: Value, run: Run): string
  text(set: TemplateSet, text: string, data: Value, run: Run): string
}

/** The execution of one template. */
export class State implements CallContext {
  readonly template: Template
  readonly set: TemplateSet
  readonly run: Run
  readonly executor: Executor
  /** Variables by slot; slot 0 is `$`. */
  readonly vars: Value[]
  /** The node that was entered last: what an error names. */
  node: AnyNode | undefined
  out = ''
  /** Element type of the list or map that the innermost range goes over, as error texts name it. */
  elementType = 'interface {}'
  /** Filled at file level when marks are wanted. */
  readonly marks: OutputMark[] | undefined

  /** How many `template` actions led here. */
  readonly depth: number

  constructor(
    template: Template,
    from: Pick<State, 'set' | 'run' | 'executor' | 'depth'>,
    data: Value,
    slots: number,
    marks?: OutputMark[],
  ) {
    this.template = template
    this.set = from.set
    this.run = from.run
    this.executor = from.executor
    this.depth = from.depth + 1
    this.vars = new Array<Value>(slots)
    this.vars[0] = data
    this.node = undefined
    this.marks = marks
  }

  include(name: string, data: Value): string {
    return this.executor.named(this.set, name, data, this.run)
  }

  evaluate(text: string, data: Value): string {
    return this.executor.text(this.set, text, data, this.run)
  }

  /** Stops with `template: FILE:LINE:COL: executing "NAME" at <NODE>: MESSAGE`. */
  fail(message: string, cause?: unknown): never {
    const { template, node } = this
    const { name, file } = template
    if (node === undefined) {
      throw new TemplateError('TEMPLATE_EXEC', `template: ${name}: ${message}`, { file, cause })
    }
    const before = template.tree.text.slice(0, node.pos)
    let line = 1
    for (let i = before.indexOf('\n'); i !== -1; i = before.indexOf('\n', i + 1)) line++
    const column = byteLength(before.slice(before.lastIndexOf('\n') + 1))
    const shown = printNode(node)
    const where = `${file}:${line}:${column}: executing ${quoteGo(name)} at <${shown}>`
    throw new TemplateError('TEMPLATE_EXEC', `template: ${where}: ${message}`, {
      frame: { template: name, file, line, column, node: shown, message },
      cause,
    })
  }
}
