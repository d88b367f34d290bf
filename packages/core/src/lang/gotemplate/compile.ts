import { quoteGo } from '../../text/index.ts'
import type { Exec, Origin, Signal } from './code.ts'
import { isTrue } from './compare.ts'
import { isStackOverflow } from './errors.ts'
import { Expressions, type Variable } from './expressions.ts'
import { formatValue } from './format.ts'
import type { BranchNode, ListNode, Node, PipeNode, TemplateNode } from './nodes.ts'
import type { Tree } from './parse.ts'
import { type Rounds, roundsOf } from './range.ts'
import { State } from './state.ts'
import { tracedBranch, tracedLoop, tracedStatement } from './traced.ts'
import { tracerOf } from './tracer.ts'
import { type FunctionTable, GoObject, type Value } from './value.ts'

export interface CompiledTree {
  readonly exec: Exec
  /** Number of variables, `$` included. */
  readonly slots: number
}

const compiled = new WeakMap<
  Tree,
  { readonly functions: FunctionTable; readonly code: CompiledTree }
>()

/** Turns a tree into closures, once for each table of functions. */
export function compileTree(tree: Tree, functions: FunctionTable): CompiledTree {
  const known = compiled.get(tree)
  if (known !== undefined && known.functions === functions) return known.code
  const code = new Compiler(functions, tree.name === undefined, false).tree(tree.root)
  compiled.set(tree, { functions, code })
  return code
}

const compiledTraced: typeof compiled = new WeakMap()

/** The same for runs with a tracer, which must be there. */
export function compileTraced(tree: Tree, functions: FunctionTable): CompiledTree {
  const known = compiledTraced.get(tree)
  if (known !== undefined && known.functions === functions) return known.code
  const code = new Compiler(functions, tree.name === undefined, true).tree(tree.root)
  compiledTraced.set(tree, { functions, code })
  return code
}

const nothing: Exec = () => 0

/**
 * Because: most programs run most of a template once, right after their start, so that making code is what takes their
 * time. Branches are compiled when they are first taken, texts need no code, and expressions are one function each.
 */
class Compiler {
  private readonly functions: FunctionTable
  /** A file's own statements leave marks. */
  private readonly isFile: boolean
  private readonly isTraced: boolean
  private readonly expressions: Expressions

  constructor(functions: FunctionTable, isFile: boolean, isTraced: boolean) {
    this.functions = functions
    this.isFile = isFile
    this.isTraced = isTraced
    this.expressions = new Expressions(functions, isTraced)
  }

  tree(root: ListNode): CompiledTree {
    const exec = this.list(root)
    return { exec, slots: this.expressions.slots }
  }

  private list(list: ListNode): Exec {
    const { nodes } = list
    if (nodes.length === 0) return nothing
    if (this.isTraced) return this.tracedList(nodes)
    if (nodes.length === 1 && !this.isFile) return this.statement(nodes[0]!)
    const parts = new Array<string | Exec>(nodes.length)
    for (let i = 0; i < parts.length; i++) {
      const node = nodes[i]!
      parts[i] = node.type === 'text' ? node.text : this.statement(node)
    }
    const { isFile } = this
    return (state, dot) => {
      const marks = isFile ? state.marks : undefined
      for (let i = 0; i < parts.length; i++) {
        if (marks !== undefined) state.mark(marks, nodes[i]!.pos)
        const part = parts[i]!
        if (typeof part === 'string') state.write(part)
        else {
          const signal = part(state, dot)
          if (signal !== 0) return signal
        }
      }
      return 0
    }
  }

  private tracedList(nodes: readonly Node[]): Exec {
    const parts = nodes.map((node) => tracedStatement(node.pos, this.statement(node)))
    return (state, dot) => {
      for (let i = 0; i < parts.length; i++) {
        const signal = parts[i]!(state, dot)
        if (signal !== 0) return signal
      }
      return 0
    }
  }

  /** A list that is compiled in the scope of where it stands when it is reached for the first time. */
  private later(list: ListNode, origin: Origin): Exec {
    const { scope } = this.expressions
    let exec: Exec | undefined
    return (state, dot) => {
      exec ??= this.within(scope, origin, list)
      return exec(state, dot)
    }
  }

  private within(scope: Variable, origin: Origin, list: ListNode): Exec {
    const { expressions } = this
    const before = { scope: expressions.scope, dot: expressions.dot }
    expressions.scope = scope
    expressions.dot = origin
    const exec = this.list(list)
    expressions.scope = before.scope
    expressions.dot = before.dot
    return exec
  }

  private statement(node: Node): Exec {
    switch (node.type) {
      case 'text': {
        const { text } = node
        return (state) => {
          state.write(text)
          return 0
        }
      }
      case 'action':
        return this.action(node.pipe)
      case 'if':
      case 'with':
        return this.branch(node)
      case 'range':
        return this.range(node)
      case 'template':
        return this.template(node)
      case 'break':
        return () => 1
      case 'continue':
        return () => 2
      case 'list':
        return this.list(node)
    }
  }

  private action(pipe: PipeNode): Exec {
    const evaluate = this.expressions.pipe(pipe)
    if (pipe.declared.length > 0) {
      return (state, dot) => {
        evaluate(state, dot)
        return 0
      }
    }
    return (state, dot) => {
      const value = evaluate(state, dot)
      state.write(typeof value === 'string' ? value : printable(value))
      return 0
    }
  }

  private branch(node: BranchNode): Exec {
    const before = this.expressions.scope
    const evaluate = this.expressions.pipe(node.pipe)
    const { scope, dot: outer } = this.expressions
    const isWith = node.type === 'with'
    const inner = isWith ? undefined : outer
    const { list, elseList } = node
    let exec: Exec
    if (this.isTraced) {
      const otherwise = elseList === undefined ? undefined : this.later(elseList, outer)
      exec = tracedBranch(node.pos, evaluate, isWith, this.later(list, inner), otherwise)
    } else {
      let then: Exec | undefined
      let otherwise: Exec | undefined
      exec = (state, dot) => {
        const value = evaluate(state, dot)
        if (isTrue(value)) {
          then ??= this.within(scope, inner, list)
          return then(state, isWith ? value : dot)
        }
        if (elseList === undefined) return 0
        otherwise ??= this.within(scope, outer, elseList)
        return otherwise(state, dot)
      }
    }
    this.expressions.scope = before
    return exec
  }

  private range(node: BranchNode): Exec {
    const before = this.expressions.scope
    const { pipe, elseList } = node
    const evaluate = this.expressions.pipe(pipe)
    const slots = this.expressions.slotsOf(pipe)
    // with two variables the first is the index
    const elementSlot = slots.at(-1)
    const indexSlot = slots.length > 1 ? slots[0] : undefined
    const dotSlot = this.expressions.slots++
    const begin = (state: State, rounds: Rounds, i: number, element: Value): void => {
      state.run.step()
      state.run.checkSize(state.out.length)
      state.noteElement(dotSlot, rounds.elementType)
      // two variables may be the same one
      if (indexSlot !== undefined) state.assign(indexSlot, rounds.index(i))
      if (elementSlot !== undefined) {
        state.assign(elementSlot, element)
        state.noteElement(elementSlot, rounds.elementType)
      }
    }
    const list = this.later(node.list, dotSlot)
    const otherwise =
      elseList === undefined ? undefined : this.later(elseList, this.expressions.dot)
    this.expressions.scope = before
    if (this.isTraced) {
      return (state, dot) => {
        const tracer = tracerOf(state.run)!
        const loop = tracedLoop(state, dot, evaluate)
        const rounds = roundsOf(state, loop.over, indexSlot !== undefined)
        const { size } = rounds
        for (let i = 0; i < size; i++) {
          const element = rounds.element(i)
          const reads = loop.readsOf(rounds, i)
          begin(state, rounds, i, element)
          for (const slot of slots) tracer.assign(state, slot, reads)
          if (tracer.inside(reads, false, node.pos, () => list(state, element)) === 1) break
        }
        if (size > 0 || otherwise === undefined) return 0
        return outOfElse(otherwise(state, dot))
      }
    }
    return (state, dot) => {
      const over = evaluate(state, dot)
      const rounds = roundsOf(state, over, indexSlot !== undefined)
      const { size } = rounds
      for (let i = 0; i < size; i++) {
        const element = rounds.element(i)
        begin(state, rounds, i, element)
        if (list(state, element) === 1) break
      }
      if (size > 0 || otherwise === undefined) return 0
      return outOfElse(otherwise(state, dot))
    }
  }

  private template(node: TemplateNode): Exec {
    const evaluate = node.pipe === undefined ? undefined : this.expressions.pipe(node.pipe)
    const { functions } = this
    const compile = this.isTraced ? compileTraced : compileTree
    return (state, dot) => {
      state.node = node
      const template = state.set.lookup(node.name)
      if (template === undefined) return state.fail(`template ${quoteGo(node.name)} not defined`)
      const data = evaluate?.(state, dot)
      const code = compile(template.tree, functions)
      const { run } = state
      if (state.depth >= run.limits.depth) tooDeep(state, node)
      run.step()
      const inner = new State(template, state, data, code.slots)
      tracerOf(run)?.enter(template)
      try {
        code.exec(inner, data)
      } catch (error) {
        // a host's stack ends long before Go's; where that much is left again, say what Go would say
        if (isStackOverflow(error) && state.depth > 200) tooDeep(state, node)
        throw error
      }
      tracerOf(run)?.leave(inner.out)
      state.write(inner.out)
      return 0
    }
  }
}

/** A break in the else of a loop belongs to the loop around it for the parser, but Go ends the inner one. */
function outOfElse(signal: Signal): Signal {
  return signal === 1 ? 0 : signal
}

function tooDeep(state: State, node: TemplateNode): never {
  state.node = node
  return state.fail('exceeded maximum template depth (100000)')
}

/** What an action prints: nil is `<no value>`. */
function printable(value: Value): string {
  if (value === undefined || value === null) return '<no value>'
  if (value instanceof GoObject) {
    const text = value.addressableText()
    if (text !== undefined) return text
    // a pointer is followed before it is printed
    if (value.kind === 'ptr') return formatValue(value).replace(/^&/, '')
  }
  return formatValue(value)
}
