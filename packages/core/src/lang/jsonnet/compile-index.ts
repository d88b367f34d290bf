import type { IndexNode, Node, SliceNode, SuperIndexNode } from './ast.ts'
import type { Compiler } from './compiler.ts'
import { climb } from './frames.ts'
import { indexValue } from './index-value.ts'
import { hasFieldFrom, indexObject, indexSuper } from './object.ts'
import { needString } from './operators.ts'
import { depthSlot, selfSlot } from './scope.ts'
import { callStd, stdFunction } from './std/index.ts'
import { type Code, type FunctionValue, ObjectValue } from './values.ts'

/** The library function that `std.name` stands for, where `std` is the library. */
export function stdMember(node: Node): FunctionValue | undefined {
  if (node.kind !== 'index' || node.target.kind !== 'var') return undefined
  if (node.target.name !== 'std' || node.target.frame !== undefined) return undefined
  if (node.index.kind !== 'literal' || typeof node.index.value !== 'string') return undefined
  return stdFunction(node.index.value)
}

export function compileIndex(node: IndexNode, compiler: Compiler): Code {
  const member = stdMember(node)
  if (member !== undefined) return () => member
  const site = compiler.site(node)
  const target = compiler.code(node.target)
  if (node.index.kind === 'literal' && typeof node.index.value === 'string') {
    const name = node.index.value
    return (frame) => {
      const value = target(frame)
      if (value instanceof ObjectValue) return indexObject(value, name, site)
      return indexValue(value, name, site)
    }
  }
  const index = compiler.code(node.index)
  return (frame) => {
    const value = target(frame)
    return indexValue(value, index(frame), site)
  }
}

export function compileSuperIndex(node: SuperIndexNode, compiler: Compiler): Code {
  const site = compiler.site(node)
  const index = compiler.code(node.index)
  const up = climb(node.from!.hops(node.frame!))
  return (frame) => {
    const name = needString(index(frame), site)
    const inside = up(frame)
    return indexSuper(inside[selfSlot] as ObjectValue, inside[depthSlot] as number, name, site)
  }
}

export function compileInSuper(node: SuperIndexNode, compiler: Compiler): Code {
  const site = compiler.site(node)
  const index = compiler.code(node.index)
  const up = climb(node.from!.hops(node.frame!))
  return (frame) => {
    const name = needString(index(frame), site)
    const inside = up(frame)
    const depth = (inside[depthSlot] as number) + 1
    return hasFieldFrom(inside[selfSlot] as ObjectValue, depth, name, site)
  }
}

export function compileSlice(node: SliceNode, compiler: Compiler): Code {
  const site = compiler.bare(node)
  const target = compiler.delay(node.target)
  const parts = node.parts.map((part) => (part === undefined ? () => null : compiler.delay(part)))
  const [from, to, step] = parts
  const slice = stdFunction('slice')!
  return (frame) => callStd(slice, [target(frame), from!(frame), to!(frame), step!(frame)], site)
}
