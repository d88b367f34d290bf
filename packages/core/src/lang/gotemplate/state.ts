import { byteLength, quoteGo } from '../../text/index.ts'
import { FunctionFailure, TemplateError } from './errors.ts'
import { nilPath } from './nil-path.ts'
import { type AnyNode, printNode } from './nodes.ts'
import type { Tree } from './parse.ts'
import type { Run } from './run.ts'
import type { Template, TemplateSet } from './set.ts'
import { tracerOf } from './tracer.ts'
import type { CallContext, FunctionTable, Value } from './value.ts'

/** A point of an output: from `offset` on it was made by the node at `pos` of the file's text. */
export interface OutputMark {
  readonly offset: number
  readonly pos: number
}

/** How to run a template: code, and the number of its variables. */
export interface RunnableTree {
  readonly exec: (state: State, dot: Value) => unknown
  readonly slots: number
}

/** Turns trees into code; given to states, which cannot know the compiler that makes states. */
export type Compile = (tree: Tree, functions: FunctionTable) => RunnableTree

const flatFrom = 65_536

/** The execution of one template. */
export class State implements CallContext {
  readonly template: Template
  readonly set: TemplateSet
  readonly run: Run
  readonly compile: Compile
  /** Variables by slot; slot 0 is `$`. */
  readonly vars: Value[]
  /** The node that was entered last: what an error names. */
  node: AnyNode | undefined
  out = ''
  /** By slot: for what a range has set, the element type of what it goes over, as error texts name it. */
  private elementTypes: (string | undefined)[] | undefined
  /** Filled at file level when marks are wanted. */
  readonly marks: OutputMark[] | undefined

  private flatUntil = flatFrom

  /** How many `template` actions led here. */
  readonly depth: number

  constructor(
    template: Template,
    from: Pick<State, 'set' | 'run' | 'compile' | 'depth'>,
    data: Value,
    slots: number,
    marks?: OutputMark[],
  ) {
    this.template = template
    this.set = from.set
    this.run = from.run
    this.compile = from.compile
    this.depth = from.depth + 1
    this.vars = new Array<Value>(slots)
    this.vars[0] = data
    this.node = undefined
    this.elementTypes = undefined
    this.marks = marks
  }

  /**
   * Adds to the output.
   *
   * Because: a string that grows in pieces keeps the pieces, which take many times the memory of the text; asking for a
   * character makes it one piece. Done each time it has grown by an eighth, that costs little.
   */
  write(text: string): void {
    this.out += text
    if (this.out.length < this.flatUntil) return
    this.run.checkSize(this.out.length)
    this.out.charCodeAt(0)
    this.flatUntil = this.out.length + (this.out.length >> 3)
  }

  assign(slot: number, value: Value): void {
    this.vars[slot] = value
    if (this.elementTypes !== undefined) this.elementTypes[slot] = undefined
  }

  /** A round of a loop begins: what is at `slot` is an element. */
  noteElement(slot: number, type: string): void {
    this.elementTypes ??= []
    this.elementTypes[slot] = type
  }

  elementTypeAt(slot: number): string | undefined {
    return this.elementTypes?.[slot]
  }

  /** Notes which node makes the output from here on, as long as the run has room for notes. */
  mark(marks: OutputMark[], pos: number): void {
    const offset = this.out.length
    if (marks.at(-1)?.offset === offset) marks[marks.length - 1] = { offset, pos }
    else if (this.run.marksLeft-- > 0) marks.push({ offset, pos })
  }

  include(name: string, data: Value): string {
    const { set } = this
    const template = set.lookup(name)
    if (template === undefined) {
      throw new FunctionFailure(
        `template: no template ${quoteGo(name)} associated with template ${quoteGo(set.name)}`,
      )
    }
    return runTemplate(this, template, data)
  }

  evaluate(text: string, data: Value): string {
    // parsing counts whether or not the text is known already: a budget must not depend on what ran before
    this.run.charge(500 + (text.length >> 1))
    const set = this.set.overlay()
    const template = set.add(set.name, text)
    return runTemplate({ set, run: this.run, compile: this.compile }, template, data)
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
    const upToHere = before.slice(before.lastIndexOf('\n') + 1)
    const column = byteLength(upToHere)
    const shown = printNode(node)
    const where = `${file}:${line}:${column}: executing ${quoteGo(name)} at <${shown}>`
    throw new TemplateError('TEMPLATE_EXEC', `template: ${where}: ${message}`, {
      frame: {
        template: name,
        file,
        line,
        column,
        character: upToHere.length + 1,
        nil: nilPath(node, message),
        node: shown,
        message,
      },
      cause,
    })
  }
}

/** Runs a template at its own depth and gives its output. Includes nest through here, so the frame must be small. */
export function runTemplate(
  from: Pick<State, 'set' | 'run' | 'compile'>,
  template: Template,
  data: Value,
  marks?: OutputMark[],
): string {
  const code = from.compile(template.tree, from.set.functions)
  const state = begun(from, template, data, code.slots, marks)
  code.exec(state, state.vars[0])
  return ended(state)
}

function begun(
  { set, run, compile }: Pick<State, 'set' | 'run' | 'compile'>,
  template: Template,
  data: Value,
  slots: number,
  marks: OutputMark[] | undefined,
): State {
  run.enter()
  // a nil interface becomes an invalid value here, as reflect.ValueOf(nil) does
  const dot = data === null ? undefined : data
  const state = new State(template, { set, run, compile, depth: -1 }, dot, slots, marks)
  tracerOf(run)?.enter(template)
  return state
}

function ended({ run, out }: State): string {
  tracerOf(run)?.leave(out)
  run.depth--
  run.checkSize(out.length)
  return out
}
