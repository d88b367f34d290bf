import type {
  AssertNode,
  Bind,
  ConditionalNode,
  ErrorNode,
  FunctionNode,
  LocalNode,
  Node,
  SelfNode,
  VarNode,
} from './ast.ts'
import { compileCall } from './compile-call.ts'
import { compileArray, compileArrayComp, compileObjectComp } from './compile-comp.ts'
import {
  compileIndex,
  compileInSuper,
  compileSlice,
  compileSuperIndex,
  stdMember,
} from './compile-index.ts'
import { compileObject, hasStaticNames } from './compile-object.ts'
import { compileBinary, compileUnary } from './compile-operator.ts'
import type { Compiler, Tail } from './compiler.ts'
import { climb, frameMaker, readSlot } from './frames.ts'
import { fail, machine } from './machine.ts'
import { toText } from './manifest.ts'
import { needBoolean } from './operators.ts'
import { selfSlot } from './scope.ts'
import { nowhere, Site } from './site.ts'
import type { Source } from './source.ts'
import { stdObject } from './std/index.ts'
import {
  ArrayValue,
  type Code,
  type Delay,
  type Frame,
  type FunctionDef,
  FunctionValue,
  Thunk,
  type Value,
} from './values.ts'

/** Code that evaluates a resolved tree in a frame of its file. Bodies of functions are compiled when first called. */
export function compile(root: Node, source: Source): Code {
  return new TreeCompiler(source).code(root)
}

class TreeCompiler implements Compiler {
  readonly source: Source

  constructor(source: Source) {
    this.source = source
  }

  site(node: Node): Site {
    if (node.begin < 0) return nowhere
    return new Site(this.source, node.begin, node.end, node.context ?? '')
  }

  bare(node: { readonly begin: number; readonly end: number }): Site {
    return new Site(this.source, node.begin, node.end, '')
  }

  code(node: Node, tail: Tail = 'none'): Code {
    switch (node.kind) {
      case 'literal': {
        const { value } = node
        if (value !== Number.POSITIVE_INFINITY) return () => value
        const site = this.site(node)
        return () => fail('overflow', site)
      }
      case 'var':
        return this.variable(node)
      case 'self':
        return this.self(node)
      case 'dollar':
        return this.self(node)
      case 'superIndex':
        return compileSuperIndex(node, this)
      case 'inSuper':
        return compileInSuper(node, this)
      case 'index':
        return compileIndex(node, this)
      case 'slice':
        return compileSlice(node, this)
      case 'apply':
        return compileCall(node, tail, this)
      case 'applyBrace':
        return compileBinary({ ...node, kind: 'binary', op: '+' }, tail, this)
      case 'binary':
        return compileBinary(node, tail, this)
      case 'unary':
        return compileUnary(node, tail, this)
      case 'if':
        return this.conditional(node, tail)
      case 'error':
        return this.error(node)
      case 'assert':
        return this.assertion(node, tail)
      case 'function':
        return this.lambda(node)
      case 'local':
        return this.local(node, tail)
      case 'import':
      case 'importstr':
      case 'importbin':
        return this.importation(node.kind, node.path, this.site(node))
      case 'array':
        return compileArray(node, this)
      case 'arrayComp':
        return compileArrayComp(node, this)
      case 'object':
        return compileObject(node, this)
      case 'objectComp':
        return compileObjectComp(node, this)
      case 'parens':
        return this.code(node.inner, tail)
    }
  }

  delay(node: Node): Delay {
    switch (node.kind) {
      case 'parens':
        return this.delay(node.inner)
      case 'literal':
        if (node.value !== Number.POSITIVE_INFINITY) return this.code(node)
        break
      case 'function':
      case 'self':
        return this.code(node)
      case 'object':
        if (hasStaticNames(node)) return this.code(node)
        break
      case 'array':
        if (node.elements.length === 0) return this.code(node)
        break
      case 'index':
        if (stdMember(node) !== undefined) return this.code(node)
        break
      case 'var':
        return this.delayedVariable(node)
      default:
    }
    const code = this.code(node)
    return (frame) => new Thunk(code, frame)
  }

  private variable(node: VarNode): Code {
    if (node.frame === undefined) {
      const std = stdObject(this.source.thisFile)
      return () => std
    }
    const slot = node.slot!
    const site = this.site(node)
    const hops = node.from!.hops(node.frame)
    if (hops === 0) return (frame) => readSlot(frame, slot, site)
    if (hops === 1) return (frame) => readSlot(frame[0] as Frame, slot, site)
    if (hops === 2) return (frame) => readSlot((frame[0] as Frame)[0] as Frame, slot, site)
    const up = climb(hops)
    return (frame) => readSlot(up(frame), slot, site)
  }

  /** What is known already is passed on; what is not gets a thunk of its own, which stack traces show. */
  private delayedVariable(node: VarNode): Delay {
    const code = this.code(node)
    if (node.frame === undefined) return code
    const slot = node.slot!
    const up = climb(node.from!.hops(node.frame))
    return (frame) => {
      const value = up(frame)[slot]
      if (value === undefined) return new Thunk(code, frame)
      if (!(value instanceof Thunk)) return value as Value
      return value.value === undefined ? new Thunk(code, frame) : value.value
    }
  }

  private self(node: SelfNode): Code {
    const hops = node.from!.hops(node.frame!)
    if (hops === 0) return (frame) => frame[selfSlot] as Value
    if (hops === 1) return (frame) => (frame[0] as Frame)[selfSlot] as Value
    const up = climb(hops)
    return (frame) => up(frame)[selfSlot] as Value
  }

  private conditional(node: ConditionalNode, tail: Tail): Code {
    const condition = this.code(node.condition)
    const then = this.code(node.then, tail)
    const otherwise = node.otherwise === undefined ? () => null : this.code(node.otherwise, tail)
    const site = this.site(node)
    return (frame) => {
      const value = condition(frame)
      if (value === true) return then(frame)
      return value === false || needBoolean(value, site) ? otherwise(frame) : null
    }
  }

  private error(node: ErrorNode): Code {
    const message = this.code(node.message)
    const site = this.site(node)
    return (frame) => fail(toText(message(frame), site), site)
  }

  private assertion(node: AssertNode, tail: Tail): Code {
    const condition = this.code(node.condition)
    const message = node.message === undefined ? () => 'Assertion failed' : this.code(node.message)
    const rest = this.code(node.rest, tail)
    const site = this.bare(node)
    return (frame) => {
      if (needBoolean(condition(frame), nowhere)) return rest(frame)
      return fail(toText(message(frame), site), site)
    }
  }

  private lambda(node: FunctionNode): Code {
    const { parameters } = node
    const fallbacks = parameters.map(({ fallback }) => fallback && this.delay(fallback))
    const body = (): Code => this.code(node.body, 'tail')
    const def: Mutable<FunctionDef> = {
      parameters: parameters.map((parameter) => parameter.name),
      fallbacks,
      required: fallbacks.filter((fallback) => fallback === undefined).length,
      makeFrame: frameMaker(node.scope!.size),
      code: (frame) => (def.code = body())(frame),
      native: undefined,
    }
    return (frame) => new FunctionValue(def, frame)
  }

  private local(node: LocalNode, tail: Tail): Code {
    const body = this.code(node.body, tail)
    const bind = this.binds(node.binds)
    if (node.block === undefined) {
      return (frame) => {
        bind(frame)
        return body(frame)
      }
    }
    const makeFrame = frameMaker(node.block.size)
    return (parent) => {
      const frame = makeFrame(parent)
      bind(frame)
      return body(frame)
    }
  }

  private binds(binds: readonly Bind[]): (frame: Frame) => void {
    const slots = binds.map((bind) => bind.slot!)
    const delays = binds.map((bind) => this.delay(bind.value))
    if (slots.length === 1) {
      const slot = slots[0]!
      const delay = delays[0]!
      return (frame) => {
        frame[slot] = delay(frame)
      }
    }
    return (frame) => {
      for (let i = 0; i < slots.length; i++) frame[slots[i]!] = delays[i]!(frame)
    }
  }

  private importation(kind: 'import' | 'importstr' | 'importbin', path: string, site: Site): Code {
    const from = this.source.path
    if (kind === 'import') return () => machine.world.importCode(from, path, site) as Value
    if (kind === 'importstr') return () => machine.world.importText(from, path, site)
    return () => new ArrayValue([...machine.world.importBytes(from, path, site)])
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
