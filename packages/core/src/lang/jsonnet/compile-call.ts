import type { ApplyNode } from './ast.ts'
import {
  bindFrame,
  call,
  forceArguments,
  leave,
  type NamedSlots,
  trampoline,
  trim,
} from './calls.ts'
import { stdMember } from './compile-index.ts'
import type { Compiler, Tail } from './compiler.ts'
import { enter, machine } from './machine.ts'
import { needFunction } from './operators.ts'
import type { Site } from './site.ts'
import { callStd, strictImplementation } from './std/index.ts'
import {
  type Code,
  type Delay,
  type Frame,
  FunctionValue,
  type Slot,
  type Value,
} from './values.ts'

export function compileCall(node: ApplyNode, tail: Tail, compiler: Compiler): Code {
  if (node.named.length > 0 || node.tailstrict) return compileGeneral(node, tail, compiler)
  const member = stdMember(node.target)
  const plain =
    member === undefined ? compilePlain(node, compiler) : compileStdCall(node, member, compiler)
  if (tail === 'none') return plain
  const general = compileGeneral(node, tail, compiler)
  return (frame) => (machine.trimmable === machine.depth ? general(frame) : plain(frame))
}

function compileGeneral(node: ApplyNode, tail: Tail, compiler: Compiler): Code {
  const target = compiler.code(node.target)
  const site = compiler.site(node)
  const positional = node.positional.map((argument) => compiler.delay(argument))
  const names = node.named.map((argument) => argument.name)
  const values = node.named.map((argument) => compiler.delay(argument.value))
  return (frame) => {
    const fn = needFunction(target(frame), site)
    const slots = delayed(positional, frame)
    const named = names.length === 0 ? undefined : { names, slots: delayed(values, frame) }
    return perform(fn, slots, named, site, node.tailstrict, tail)
  }
}

function delayed(delays: readonly Delay[], frame: Frame): readonly Slot[] {
  return delays.map((delay) => delay(frame))
}

function perform(
  fn: FunctionValue,
  slots: readonly Slot[],
  named: NamedSlots | undefined,
  site: Site,
  strict: boolean,
  tail: Tail,
): Value {
  const trimmed = tail !== 'none' && trim()
  const { def } = fn
  if (def.native !== undefined || (!strict && !(trimmed && tail === 'tail'))) {
    return call(fn, slots, named, site)
  }
  const frame = bindFrame(fn, slots, named, site)
  if (strict) forceArguments(def, frame, site)
  if (trimmed && tail === 'tail') return leave(def, frame, site, strict)
  return trampoline(def, frame, site)
}

/** Calls outside tail positions, with as little as possible between the caller and the callee. */
function compilePlain(node: ApplyNode, compiler: Compiler): Code {
  const target = compiler.code(node.target)
  const site = compiler.site(node)
  const arguments_ = node.positional.map((argument) => compiler.delay(argument))
  const count = arguments_.length
  const [a, b] = arguments_
  const slow = (fn: FunctionValue, frame: Frame): Value =>
    call(fn, delayed(arguments_, frame), undefined, site)
  const fill =
    count === 0
      ? () => {}
      : count === 1
        ? (callee: Frame, frame: Frame) => {
            callee[1] = a!(frame)
          }
        : count === 2
          ? (callee: Frame, frame: Frame) => {
              callee[1] = a!(frame)
              callee[2] = b!(frame)
            }
          : (callee: Frame, frame: Frame) => {
              for (let i = 0; i < count; i++) callee[i + 1] = arguments_[i]!(frame)
            }
  return (frame) => {
    const fn = target(frame)
    if (!(fn instanceof FunctionValue)) return needFunction(fn, site)
    const { def } = fn
    if (def.native !== undefined || def.parameters.length !== count) return slow(fn, frame)
    const callee = def.makeFrame(fn.frame)
    fill(callee, frame)
    enter(site)
    const value = def.code(callee)
    machine.depth--
    return value
  }
}

/** A call to the library by name: arguments that the function evaluates first anyway need no thunks. */
function compileStdCall(node: ApplyNode, member: FunctionValue, compiler: Compiler): Code {
  const site = compiler.site(node)
  const { positional } = node
  const strict = strictImplementation(member)
  if (strict === undefined || positional.length !== member.def.parameters.length) {
    const delays = positional.map((argument) => compiler.delay(argument))
    return (frame) => callStd(member, delayed(delays, frame), site)
  }
  const codes = positional.map((argument) => compiler.code(argument))
  const argument = (code: Code, frame: Frame): Value => {
    enter(site)
    const value = code(frame)
    machine.depth--
    return value
  }
  const [a, b, c] = codes
  switch (codes.length) {
    case 1:
      return (frame) => strict(argument(a!, frame), undefined, undefined, site)
    case 2:
      return (frame) => {
        const x = argument(a!, frame)
        return strict(x, argument(b!, frame), undefined, site)
      }
    case 3:
      return (frame) => {
        const x = argument(a!, frame)
        const y = argument(b!, frame)
        return strict(x, y, argument(c!, frame), site)
      }
    default: {
      const delays = positional.map((each) => compiler.delay(each))
      return (frame) => callStd(member, delayed(delays, frame), site)
    }
  }
}
