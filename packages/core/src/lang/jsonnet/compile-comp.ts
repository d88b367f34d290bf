import type { ArrayCompNode, ArrayNode, ForSpec, Node, ObjectCompNode } from './ast.ts'
import { compileFields } from './compile-object.ts'
import type { Compiler } from './compiler.ts'
import { frameMaker } from './frames.ts'
import { quoteString } from './json-text.ts'
import { enter, fail, machine } from './machine.ts'
import { leafObject } from './object.ts'
import { checkLength, needBoolean } from './operators.ts'
import { nowhere, type Site } from './site.ts'
import {
  ArrayValue,
  type Code,
  type Field,
  type Frame,
  type Slot,
  Thunk,
  typeName,
  wrongType,
} from './values.ts'

export function compileArray(node: ArrayNode, compiler: Compiler): Code {
  const delays = node.elements.map((element) => compiler.delay(element))
  return (frame) => {
    const items: Slot[] = []
    for (let i = 0; i < delays.length; i++) items.push(delays[i]!(frame))
    return new ArrayValue(items)
  }
}

export function compileArrayComp(node: ArrayCompNode, compiler: Compiler): Code {
  const site = compiler.bare(node)
  const body = compiler.delay(node.body)
  const steps = compileSpecs(node.specs, site, compiler)
  return (frame) => {
    const items: Slot[] = []
    steps(frame, (inner) => {
      items.push(body(inner))
    })
    checkLength(items.length, site)
    return new ArrayValue(items)
  }
}

type Steps = (frame: Frame, each: (frame: Frame) => void) => void

/** Runs through the combinations of all `for`s that pass their `if`s; every step has a frame of its own. */
function compileSpecs(specs: readonly ForSpec[], site: Site, compiler: Compiler): Steps {
  const [spec, ...rest] = specs
  if (spec === undefined) return (frame, each) => each(frame)
  const source = compiler.code(spec.source)
  const passes = compileConditions(spec.conditions, compiler)
  const inner = compileSpecs(rest, site, compiler)
  const makeFrame = frameMaker(spec.scope!.size)
  return (frame, each) => {
    enter(site)
    const array = source(frame)
    machine.depth--
    if (!(array instanceof ArrayValue)) wrongType(array, 'array', site)
    for (const item of array.items) {
      const step = makeFrame(frame)
      step[1] = item instanceof Thunk && item.value !== undefined ? item.value : item
      enter(site)
      if (passes === undefined || passes(step)) inner(step, each)
      machine.depth--
    }
  }
}

function compileConditions(
  conditions: readonly Node[],
  compiler: Compiler,
): ((frame: Frame) => boolean) | undefined {
  const codes = conditions.map((condition) => compiler.code(condition))
  const [first] = codes
  if (first === undefined) return undefined
  if (codes.length === 1) return (frame) => needBoolean(first(frame), nowhere)
  return (frame) => codes.every((code) => needBoolean(code(frame), nowhere))
}

/**
 * An object comprehension: all steps first, then all names, as go-jsonnet orders it. Every field keeps the frame of
 * its step.
 */
export function compileObjectComp(node: ObjectCompNode, compiler: Compiler): Code {
  const bare = compiler.bare(node)
  const site = compiler.site(node)
  const steps = compileSpecs(node.specs, bare, compiler)
  const name = compiler.code(node.field.name)
  const { fields, makeFrame } = compileFields([node.field], node.locals, node.scope!, compiler)
  const template = fields[0]!
  return (frame) => {
    const frames: Frame[] = []
    enter(bare)
    steps(frame, (inner) => {
      frames.push(inner)
    })
    machine.depth--
    const found: Field[] = []
    const index = new Map<string, number>()
    for (const step of frames) {
      enter(bare)
      const key = name(step)
      if (key !== null && typeof key !== 'string') {
        fail(`Field name must be string, got ${typeName(key)}`, site)
      }
      machine.depth--
      if (key === null) continue
      if (index.has(key)) fail(`Duplicate field name: ${quoteString(key)}`, bare)
      index.set(key, found.length)
      found.push(template(key, step))
    }
    return leafObject({ fields: found, index, asserts: [], makeFrame, visible: undefined }, frame)
  }
}
