import type { BinaryNode, BinaryOperator, Node, UnaryNode, UnaryOperator } from './ast.ts'
import type { Compiler, Tail } from './compiler.ts'
import {
  bitwise,
  compare,
  complement,
  divide,
  equals,
  minus,
  needBoolean,
  needNumber,
  plus,
  times,
} from './operators.ts'
import type { Site } from './site.ts'
import { callStd, stdFunction } from './std/index.ts'
import type { Code, Value } from './values.ts'

export function compileBinary(node: BinaryNode, tail: Tail, compiler: Compiler): Code {
  const { op } = node
  if (op === '+') return compileSum(node, tail, compiler)
  // go-jsonnet rewrites these two to calls.
  if (op === '%') return compileStdCall('mod', node, node.left, node.right, compiler)
  if (op === 'in') return compileStdCall('objectHasAll', node, node.right, node.left, compiler)
  const last: Tail = tail === 'none' ? 'none' : 'operand'
  const left = compiler.code(node.left)
  const right = compiler.code(node.right, last)
  const site = compiler.site(node)
  if (op === '&&') {
    return (frame) => needBoolean(left(frame), site) && needBoolean(right(frame), site)
  }
  if (op === '||') {
    return (frame) => needBoolean(left(frame), site) || needBoolean(right(frame), site)
  }
  if (op === '==') return compileEquals(left, right, node.right, site)
  const apply = operations[op]
  return (frame) => {
    const x = left(frame)
    return apply(x, right(frame), site)
  }
}

type Operation = (left: Value, right: Value, site: Site) => Value

const operations: Readonly<
  Record<Exclude<BinaryOperator, '+' | '%' | 'in' | '&&' | '||'>, Operation>
> = {
  '*': times,
  '/': divide,
  '-': minus,
  '==': equals,
  '!=': (x, y, site) => !equals(x, y, site),
  '<': (x, y, site) =>
    typeof x === 'number' && typeof y === 'number' ? x < y : compare(x, y, site) < 0,
  '<=': (x, y, site) =>
    typeof x === 'number' && typeof y === 'number' ? x <= y : compare(x, y, site) <= 0,
  '>': (x, y, site) =>
    typeof x === 'number' && typeof y === 'number' ? x > y : compare(x, y, site) > 0,
  '>=': (x, y, site) =>
    typeof x === 'number' && typeof y === 'number' ? x >= y : compare(x, y, site) >= 0,
  '&': (x, y, site) => bitwise('&', x, y, site),
  '|': (x, y, site) => bitwise('|', x, y, site),
  '^': (x, y, site) => bitwise('^', x, y, site),
  '<<': (x, y, site) => bitwise('<<', x, y, site),
  '>>': (x, y, site) => bitwise('>>', x, y, site),
}

function compileEquals(left: Code, right: Code, rightNode: Node, site: Site): Code {
  if (rightNode.kind === 'literal') {
    // literals are scalars, which are equal when they are the same
    const { value } = rightNode
    if (value !== Number.POSITIVE_INFINITY) return (frame) => left(frame) === value
  }
  return (frame) => {
    const x = left(frame)
    return equals(x, right(frame), site)
  }
}

/** Sums lean to the left and may be long: a loop instead of a recursion. */
function compileSum(node: BinaryNode, tail: Tail, compiler: Compiler): Code {
  const last: Tail = tail === 'none' ? 'none' : 'operand'
  const terms: Code[] = []
  const sites: Site[] = []
  let left: Node = node
  while ((left.kind === 'binary' && left.op === '+') || left.kind === 'applyBrace') {
    terms.push(compiler.code(left.right, left === node ? last : 'none'))
    sites.push(compiler.site(left))
    left = left.left
  }
  const first = compiler.code(left)
  if (terms.length === 1) {
    const second = terms[0]!
    const site = sites[0]!
    return (frame) => {
      const x = first(frame)
      return plus(x, second(frame), site)
    }
  }
  return (frame) => {
    let sum = first(frame)
    for (let i = terms.length - 1; i >= 0; i--) sum = plus(sum, terms[i]!(frame), sites[i]!)
    return sum
  }
}

function compileStdCall(
  name: 'mod' | 'objectHasAll',
  node: BinaryNode,
  first: Node,
  second: Node,
  compiler: Compiler,
): Code {
  const site = compiler.bare(node)
  const x = compiler.delay(first)
  const y = compiler.delay(second)
  const fn = stdFunction(name)!
  return (frame) => callStd(fn, [x(frame), y(frame)], site)
}

export function compileUnary(node: UnaryNode, tail: Tail, compiler: Compiler): Code {
  const operand = compiler.code(node.operand, tail === 'none' ? 'none' : 'operand')
  const site = compiler.site(node)
  const apply = unary[node.op]
  return (frame) => apply(operand(frame), site)
}

const unary: Readonly<Record<UnaryOperator, (value: Value, site: Site) => Value>> = {
  '!': (value, site) => !needBoolean(value, site),
  '~': complement,
  '+': needNumber,
  '-': (value, site) => -needNumber(value, site),
}
