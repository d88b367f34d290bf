import type {
  BinaryNode,
  Bind,
  FieldNode,
  ForSpec,
  FunctionNode,
  LocalNode,
  Node,
  ObjectCompNode,
  ObjectNode,
} from './ast.ts'
import { StaticFailure } from './failure.ts'
import { unknownVariableHint } from './hints.ts'
import { FrameScope, firstObjectLocal, Names } from './scope.ts'
import type { Source } from './source.ts'

/** Where a node stands. */
interface Place {
  readonly frame: FrameScope
  readonly names: Names
  /** The object literal around, and the outermost one. */
  readonly self: FrameScope | undefined
  readonly dollar: FrameScope | undefined
}

const anonymous = 'anonymous'

/**
 * Static analysis: gives every variable, self and super its frame and slot, names the surroundings of every node for
 * stack traces, and finds what is wrong without running anything.
 *
 * Throws StaticFailure: a misplaced `$` first, then whatever comes first in go-jsonnet's order of visiting.
 * Source: go-jsonnet 0.22 internal/program/static_analyzer.go, internal/parser/context.go
 */
export function resolve(root: Node, source: Source): FrameScope {
  const frame = new FrameScope('file', undefined, 1)
  const names = new Names(undefined, frame, new Map())
  const resolver = new Resolver(source)
  resolver.visit(root, { frame, names, self: undefined, dollar: undefined }, '$', anonymous)
  const failure = resolver.dollarFailure ?? resolver.failure
  if (failure !== undefined) throw failure
  return frame
}

class Resolver {
  failure: StaticFailure | undefined
  dollarFailure: StaticFailure | undefined
  private readonly source: Source

  constructor(source: Source) {
    this.source = source
  }

  private fail(node: Node, message: string, hint?: string): void {
    this.failure ??= new StaticFailure(this.source, node.begin, node.end, message, hint)
  }

  private all(
    nodes: readonly (Node | undefined)[],
    place: Place,
    context: string | undefined,
  ): void {
    for (const node of nodes) if (node !== undefined) this.visit(node, place, context, anonymous)
  }

  /** `context` is undefined in places that go-jsonnet leaves unnamed; `bind` is the name that the node is bound to. */
  visit(node: Node, place: Place, context: string | undefined, bind: string): void {
    node.context = context
    const thunk = context === undefined ? undefined : `thunk from <${context}>`
    switch (node.kind) {
      case 'literal':
      case 'import':
      case 'importstr':
      case 'importbin':
        return
      case 'var': {
        const found = place.names.find(node.name)
        if (found === undefined && node.name !== 'std') {
          const hint = unknownVariableHint(node.name, place.names.all())
          this.fail(node, `Unknown variable: ${node.name}`, hint)
          return
        }
        node.from = place.frame
        node.frame = found?.frame
        node.slot = found?.slot ?? 0
        if (found !== undefined) found.frame.used = true
        return
      }
      case 'self':
        if (place.self === undefined) this.fail(node, "Can't use self outside of an object.")
        else reach(node, place, place.self)
        return
      case 'dollar':
        if (place.dollar === undefined) {
          this.dollarFailure ??= new StaticFailure(
            this.source,
            node.begin,
            node.end,
            'No top-level object found.',
          )
        } else reach(node, place, place.dollar)
        return
      case 'superIndex':
      case 'inSuper':
        if (place.self === undefined) this.fail(node, "Can't use super outside of an object.")
        else reach(node, place, place.self)
        this.visit(node.index, place, context, anonymous)
        return
      case 'index': {
        const inner = node.dotted ? undefined : context
        this.all([node.target, node.index], place, inner)
        return
      }
      case 'slice':
        this.all([node.target, node.parts[0], node.parts[1]], place, context)
        this.all([node.parts[2]], place, undefined)
        return
      case 'apply':
        this.visit(node.target, place, context, anonymous)
        this.all(node.positional, place, thunk)
        this.all(
          node.named.map((argument) => argument.value),
          place,
          thunk,
        )
        return
      case 'applyBrace':
        this.all([node.left, node.right], place, context)
        return
      case 'binary':
        this.binary(node, place, context)
        return
      case 'unary':
        this.visit(node.operand, place, context, anonymous)
        return
      case 'if':
        this.all([node.condition, node.then, node.otherwise], place, context)
        return
      case 'error':
        this.visit(node.message, place, context, anonymous)
        return
      case 'assert':
        this.all([node.condition, node.rest, node.message], place, context)
        return
      case 'parens':
        this.visit(node.inner, place, context, anonymous)
        return
      case 'array':
        this.all(node.elements, place, thunk)
        return
      case 'function':
        this.lambda(node, place, context, bind)
        return
      case 'local':
        this.local(node, place, context, bind)
        return
      case 'arrayComp':
        this.forSpecs(node.specs, place, context, (inner) =>
          this.visit(node.body, inner, thunk, anonymous),
        )
        return
      case 'object':
        this.object(node, place, context, bind)
        return
      case 'objectComp':
        this.objectComp(node, place, context, bind)
        return
    }
  }

  /** Long sums lean to the left: walks down them without recursion. */
  private binary(node: BinaryNode, place: Place, context: string | undefined): void {
    const rights: Node[] = []
    let left: Node = node
    // `a in b` is a call in go-jsonnet, with b as the first argument
    for (; left.kind === 'binary' && left.op !== 'in'; left = left.left) {
      left.context = context
      rights.push(left.right)
    }
    if (left.kind === 'binary') {
      left.context = context
      this.all([left.right, left.left], place, context)
    } else this.visit(left, place, context, anonymous)
    this.all(rights.reverse(), place, context)
  }

  private lambda(
    node: FunctionNode,
    place: Place,
    context: string | undefined,
    bind: string,
  ): void {
    const frame = new FrameScope('function', place.frame, 1)
    const slots = new Map(node.parameters.map((parameter) => [parameter.name, frame.slot()]))
    node.scope = frame
    const inner = { ...place, frame, names: new Names(place.names, frame, slots) }
    const inside = context === undefined ? undefined : `function <${bind}>`
    this.all(
      node.parameters.map((parameter) => parameter.fallback),
      inner,
      inside,
    )
    this.visit(node.body, inner, inside, anonymous)
  }

  private local(node: LocalNode, place: Place, context: string | undefined, bind: string): void {
    let frame = place.frame
    if (frame.kind === 'object') {
      frame = new FrameScope('block', frame, 1)
      node.block = frame
    }
    const slots = new Map<string, number>()
    for (const each of node.binds) slots.set(each.name, (each.slot = frame.slot()))
    const inner = { ...place, frame, names: new Names(place.names, frame, slots) }
    for (const { name, value } of node.binds) {
      const named = context === undefined ? undefined : `thunk <${name}> from <${context}>`
      this.visit(value, inner, named, name)
    }
    this.visit(node.body, inner, context, bind)
  }

  /** Visits sources, conditions and `body` in go-jsonnet's order: from the inside out, sources last. */
  private forSpecs(
    specs: readonly ForSpec[],
    place: Place,
    context: string | undefined,
    body: (place: Place) => void,
  ): void {
    const [spec, ...rest] = specs
    if (spec === undefined) {
      body(place)
      return
    }
    const frame = new FrameScope('function', place.frame, 1)
    const slots = new Map([[spec.name, frame.slot()]])
    spec.scope = frame
    const inner = { ...place, frame, names: new Names(place.names, frame, slots) }
    this.all(spec.conditions, inner, context)
    this.forSpecs(rest, inner, context, body)
    this.visit(spec.source, place, context, anonymous)
  }

  private object(node: ObjectNode, place: Place, context: string | undefined, bind: string): void {
    const inside = context === undefined ? undefined : `object <${bind}>`
    const inObject = objectPlace(node.locals, place)
    node.scope = inObject.frame
    inObject.frame.used = true
    for (const local of node.locals) this.visit(local.value, inObject, inside, anonymous)
    for (const field of node.fields) this.fieldValue(field, node.locals, place, inside)
    for (const { condition, message } of node.asserts) {
      this.all([condition, message], inObject, inside)
    }
    for (const field of node.fields) this.visit(field.name, place, context, anonymous)
  }

  private fieldValue(
    field: FieldNode,
    locals: readonly Bind[],
    place: Place,
    inside: string | undefined,
  ): void {
    const view = objectPlace(locals, place)
    field.scope = view.frame
    this.visit(field.value, view, inside, anonymous)
  }

  private objectComp(
    node: ObjectCompNode,
    place: Place,
    context: string | undefined,
    bind: string,
  ): void {
    const inside = context === undefined ? undefined : `object <${bind}>`
    this.forSpecs(node.specs, place, context, (inner) => {
      const inObject = objectPlace(node.locals, inner)
      node.scope = inObject.frame
      inObject.frame.used = true
      for (const local of node.locals) this.visit(local.value, inObject, inside, anonymous)
      this.fieldValue(node.field, node.locals, inner, inside)
      this.visit(node.field.name, inner, context, anonymous)
    })
  }
}

/** A fresh view of an object's inside. Views of one object have the same slots. */
function objectPlace(locals: readonly Bind[], place: Place): Place {
  const frame = new FrameScope('object', place.frame, firstObjectLocal)
  const slots = new Map<string, number>()
  for (const local of locals) slots.set(local.name, (local.slot = frame.slot()))
  return {
    frame,
    names: new Names(place.names, frame, slots),
    self: frame,
    dollar: place.dollar ?? frame,
  }
}

function reach(
  node: { from?: FrameScope; frame?: FrameScope },
  place: Place,
  target: FrameScope,
): void {
  node.from = place.frame
  node.frame = target
  target.used = true
}
