import type { Bind, FieldNode, Node, ObjectNode } from './ast.ts'
import type { Compiler } from './compiler.ts'
import { quoteString } from './json-text.ts'
import { enter, fail, machine } from './machine.ts'
import { toText } from './manifest.ts'
import { hasFieldFrom, indexSuper, leafObject } from './object.ts'
import { needBoolean, plus } from './operators.ts'
import { depthSlot, type FrameScope, selfSlot } from './scope.ts'
import { Site } from './site.ts'
import {
  type Code,
  type Delay,
  type Field,
  type Frame,
  type ObjectValue,
  type Shape,
  typeName,
  type Value,
} from './values.ts'

/** True where all instances of a literal have the same names. */
export function hasStaticNames(node: ObjectNode): boolean {
  const names = new Set<unknown>()
  for (const { name } of node.fields) {
    if (name.kind !== 'literal' || typeof name.value !== 'string') return false
    names.add(name.value)
  }
  return names.size === node.fields.length
}

export function compileObject(node: ObjectNode, compiler: Compiler): Code {
  const { fields, makeFrame } = compileFields(node.fields, node.locals, node.scope!, compiler)
  const asserts = node.asserts.map((each) => {
    const message = each.message === undefined ? undefined : compiler.code(each.message)
    return compileAssert(compiler.code(each.condition), message, compiler.bare(each))
  })
  if (hasStaticNames(node)) {
    const made = node.fields.map((field, i) => fields[i]!(staticName(field.name), undefined))
    const shape: Shape = {
      fields: made,
      index: new Map(made.map((field, i) => [field.name, i])),
      asserts,
      makeFrame,
      visible: undefined,
    }
    return (frame) => leafObject(shape, frame)
  }
  const names = node.fields.map((field) => compiler.code(field.name))
  const site = compiler.site(node)
  return (frame) => {
    const made: Field[] = []
    const index = new Map<string, number>()
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!(frame)
      if (name === null) continue
      if (typeof name !== 'string') {
        return fail(`Field name must be string, got ${typeName(name)}`, site)
      }
      if (index.has(name)) fail(`Duplicate field name: ${quoteString(name)}`, site)
      index.set(name, made.length)
      made.push(fields[i]!(name, undefined))
    }
    return leafObject({ fields: made, index, asserts, makeFrame, visible: undefined }, frame)
  }
}

function staticName(node: Node): string {
  return node.kind === 'literal' ? String(node.value) : ''
}

type FieldTemplate = (name: string, frame: Frame | undefined) => Field

/** What makes fields once their names are known, and what makes the frame they run in. */
export function compileFields(
  nodes: readonly FieldNode[],
  locals: readonly Bind[],
  scope: FrameScope,
  compiler: Compiler,
): {
  readonly fields: readonly FieldTemplate[]
  readonly makeFrame: Shape['makeFrame']
} {
  return {
    fields: nodes.map((node) => compileField(node, compiler)),
    makeFrame: compileFrame(locals, scope, compiler),
  }
}

function compileField(node: FieldNode, compiler: Compiler): FieldTemplate {
  const { value, visibility } = node
  const written = { source: compiler.source, begin: node.begin }
  if (node.plus) {
    const body = compiler.code(value)
    const site =
      value.begin < 0
        ? new Site(undefined, 0, 0, '+:')
        : new Site(compiler.source, value.begin, value.end, '+:')
    return (name, frame) => {
      const code = plusSuper(name, body, node.scope!, site)
      return { name, visibility, constant: undefined, code, framed: true, frame, written }
    }
  }
  const constant =
    value.kind === 'literal' && value.value !== Number.POSITIVE_INFINITY ? value.value : undefined
  const framed = node.scope!.used
  // Most fields of a library are never read, so they are compiled when one is.
  let compiled: Code | undefined
  const code: Code = (frame) => (compiled ??= compiler.code(value))(frame)
  return (name, frame) => ({ name, visibility, constant, code, framed, frame, written })
}

/** `name+: body`: what super has, if it has the field, plus the body. */
function plusSuper(name: string, body: Code, scope: FrameScope, site: Site): Code {
  return (frame) => {
    const self = frame[selfSlot] as ObjectValue
    const depth = frame[depthSlot] as number
    enter(site)
    const right = body(scope.used ? frame : (frame[0] as Frame))
    machine.depth--
    if (!hasFieldFrom(self, depth + 1, name, site)) return right
    return plus(indexSuper(self, depth, name, site), right, site)
  }
}

function compileFrame(
  locals: readonly Bind[],
  scope: FrameScope,
  compiler: Compiler,
): Shape['makeFrame'] {
  if (locals.length === 0) return (parent, self, depth) => [parent, self, depth]
  const slots = locals.map((local) => local.slot!)
  let delays: readonly Delay[] | undefined
  const spare = scope.size - 3 - locals.length
  return (parent, self, depth) => {
    delays ??= locals.map((local) => compiler.delay(local.value))
    const frame: Frame = [parent, self, depth]
    for (let i = 0; i < slots.length + spare; i++) frame.push(undefined)
    for (let i = 0; i < slots.length; i++) frame[slots[i]!] = delays[i]!(frame)
    return frame
  }
}

function compileAssert(condition: Code, message: Code | undefined, site: Site): Code {
  return (frame): Value => {
    if (needBoolean(condition(frame), site)) return true
    const text: Value = message === undefined ? 'Object assertion failed.' : message(frame)
    return fail(toText(text, site), site)
  }
}
