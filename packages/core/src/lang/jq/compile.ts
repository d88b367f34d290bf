import type { Json } from '../../json/index.ts'
import type { Ast, Definition, Pattern, StringPart } from './ast.ts'
import { formats, functions, generators } from './functions.ts'
import type { FunctionValue, Node } from './machine.ts'
import { macros } from './macros.ts'
import {
  type Argument,
  alternative,
  apart,
  attempt,
  type Binder,
  type BoundBody,
  binary,
  bindItem,
  bindKey,
  bindNode,
  bindVariable,
  breakTo,
  call,
  callClosure,
  collect,
  comma,
  condition,
  constant,
  define,
  type EntryNodes,
  empty,
  field,
  foreachNode,
  generator,
  getPathNode,
  identity,
  index,
  inOrder,
  iterate,
  labelled,
  lastOf,
  native,
  objectNode,
  pathsOf,
  pipe,
  reduceNode,
  slicing,
  variable,
} from './nodes.ts'
import { add, negate, operators, plus } from './operators.ts'
import { integer } from './values.ts'

/** What cannot be compiled, in gojq's words. */
export class CompileIssue extends Error {}

/** Names in scope at a place of the program, innermost first, in step with the scope at run time. */
interface Names {
  readonly kind: 'variable' | 'closure' | 'function' | 'label'
  readonly name: string
  readonly arity: number
  readonly outer: Names | undefined
}

const maxNodes = 100_000

/** Turns a parsed program into nodes. Throws CompileIssue for names that are not defined. */
export function compileAst(ast: Ast): Node {
  return new Compiler().node(ast, undefined)
}

class Compiler {
  private nodes = 0

  node(ast: Ast, names: Names | undefined): Node {
    if (++this.nodes > maxNodes) throw new CompileIssue('the program is too large')
    switch (ast.type) {
      case 'identity':
        return identity
      case 'null':
        return constant(null)
      case 'true':
      case 'false':
        return constant(ast.type === 'true')
      case 'number':
        return constant(numberOf(ast.text))
      case 'string':
        return this.string(ast.parts, ast.format, names)
      case 'format':
        return this.format(ast.name)
      case 'index': {
        const of = this.node(ast.of, names)
        const key = plainText(ast.key) ?? plainNumber(ast.key)
        return key === undefined ? index(of, this.node(ast.key, names)) : field(of, key)
      }
      case 'slice': {
        const bound = (end: Ast | undefined): Node =>
          end === undefined ? constant(null) : this.node(end, names)
        return slicing(this.node(ast.of, names), bound(ast.from), bound(ast.to))
      }
      case 'iterate':
        return iterate(this.node(ast.of, names))
      case 'optional':
        return this.optional(ast.of, names)
      case 'group':
        return this.node(ast.of, names)
      case 'array':
        return collect(this.node(ast.of, names))
      case 'emptyArray':
        return constant([])
      case 'object':
        return this.object(ast.entries, names)
      case 'sign':
        return this.sign(ast.sign, ast.of, names)
      case 'pipe':
        return pipe(this.node(ast.left, names), this.node(ast.right, names))
      case 'comma':
        return comma(this.node(ast.left, names), this.node(ast.right, names))
      case 'binary':
        return this.binary(ast.operator, ast.left, ast.right, names)
      case 'bind':
        return this.bind(ast.source, ast.patterns, ast.body, names)
      case 'if':
        return condition(
          this.node(ast.test, names),
          this.node(ast.then, names),
          ast.otherwise === undefined ? identity : this.node(ast.otherwise, names),
        )
      case 'try':
        return attempt(
          this.node(ast.body, names),
          ast.rescue === undefined ? empty : this.node(ast.rescue, names),
        )
      case 'reduce':
      case 'foreach': {
        const start = this.node(ast.start, names)
        const source = this.node(ast.source, names)
        const { binder, inner } = this.pattern(ast.pattern, names)
        const update = this.node(ast.update, inner)
        if (ast.type === 'reduce') return reduceNode(start, source, binder, update)
        const extract = ast.extract === undefined ? identity : this.node(ast.extract, inner)
        return foreachNode(start, source, binder, update, extract)
      }
      case 'label':
        return labelled(this.node(ast.body, push(names, 'label', ast.name)))
      case 'break': {
        const hops = find(names, 'label', ast.name, 0)
        if (hops === undefined) throw new CompileIssue(`label not defined: ${ast.name}`)
        return breakTo(hops, ast.name)
      }
      case 'variable': {
        const hops = find(names, 'variable', ast.name, 0)
        if (hops !== undefined) return variable(hops)
        if (ast.name === '$ENV') return constant({})
        throw new CompileIssue(`variable not defined: ${ast.name}`)
      }
      case 'call':
        return ast.builtIn === true && !ast.name.startsWith(' ')
          ? this.builtIn(ast.name, ast.args, names)
          : this.call(ast.name, ast.args, names)
      case 'define':
        return this.define(ast.definition, ast.body, names)
    }
  }

  private string(
    parts: readonly StringPart[],
    format: string | undefined,
    names: Names | undefined,
  ): Node {
    const encoder = format === undefined ? undefined : this.format(format)
    let node: Node | undefined
    for (const part of parts) {
      if (part === '' && parts.length > 1) continue
      const piece =
        typeof part === 'string'
          ? constant(part)
          : pipe(this.node(part, names), encoder ?? native([], functions['tostring/0']!))
      node = node === undefined ? piece : binary(add, node, piece)
    }
    return node ?? constant('')
  }

  private format(name: string): Node {
    const run = Object.hasOwn(formats, name) ? formats[name] : undefined
    if (run === undefined) return native([constant(name.slice(1))], functions['format/1']!)
    return native([], run)
  }

  /** `?` covers the last step of a chain only: `.a.b?` fails where `.a` does. */
  private optional(of: Ast, names: Names | undefined): Node {
    const isStep = of.type === 'index' || of.type === 'slice' || of.type === 'iterate'
    if (!isStep || of.of.type === 'identity') return attempt(this.node(of, names), empty)
    const last = { ...of, of: { type: 'identity' } } as Ast
    return pipe(this.node(of.of, names), attempt(this.node(last, names), empty))
  }

  private object(
    entries: readonly { readonly key: string | Ast; readonly value: Ast | undefined }[],
    names: Names | undefined,
  ): Node {
    if (entries.length === 0) return constant({})
    return objectNode(
      entries.map(({ key, value }): EntryNodes => {
        if (typeof key !== 'string') {
          return { key: this.node(key, names), value: value && this.node(value, names) }
        }
        if (!key.startsWith('$')) {
          return { key: constant(key), value: value && this.node(value, names) }
        }
        const bound = this.node({ type: 'variable', name: key }, names)
        if (value === undefined) return { key: constant(key.slice(1)), value: bound }
        return { key: bound, value: this.node(value, names) }
      }),
    )
  }

  private sign(sign: '+' | '-', of: Ast, names: Names | undefined): Node {
    if (of.type === 'number') {
      const number = numberOf(of.text)
      return constant(sign === '-' ? negate(number) : number)
    }
    const run = sign === '-' ? negate : plus
    return pipe(
      this.node(of, names),
      native([], (value) => run(value)),
    )
  }

  private binary(operator: string, left: Ast, right: Ast, names: Names | undefined): Node {
    switch (operator) {
      case '//':
        return alternative(this.node(left, names), this.node(right, names))
      case 'and':
      case 'or': {
        const second = condition(this.node(right, names), constant(true), constant(false))
        const first = this.node(left, names)
        return operator === 'and'
          ? condition(first, second, constant(false))
          : condition(first, constant(true), second)
      }
      case '=':
        return apart(this.node(macros['assign 2']!([left, right]), names))
      case '|=':
        return apart(this.node(macros['modify 2']!([left, right]), names))
      default:
    }
    if (operator.endsWith('=') && !Object.hasOwn(operators, operator)) {
      return apart(this.node(macros['update 2']!([left, right], operator.slice(0, -1)), names))
    }
    return binary(operators[operator]!, this.node(left, names), this.node(right, names))
  }

  private bind(
    source: Ast,
    patterns: readonly Pattern[],
    body: Ast,
    names: Names | undefined,
  ): Node {
    const node = this.node(source, names)
    const all = patterns.length === 1 ? [] : [...new Set(patterns.flatMap(variablesOf))]
    let outer = names
    for (const name of all) outer = push(outer, 'variable', name)
    const ways = patterns.map((pattern): BoundBody => {
      const { binder, inner } = this.pattern(pattern, outer)
      return { bind: binder, body: this.node(body, inner) }
    })
    return bindNode(node, ways, all.length)
  }

  private pattern(
    pattern: Pattern,
    names: Names | undefined,
  ): { readonly binder: Binder; readonly inner: Names | undefined } {
    switch (pattern.type) {
      case 'variable':
        return { binder: bindVariable, inner: push(names, 'variable', pattern.name) }
      case 'array': {
        const binders: Binder[] = []
        let inner = names
        for (const [at, item] of pattern.items.entries()) {
          const part = this.pattern(item, inner)
          inner = part.inner
          binders.push(bindItem(at, part.binder))
        }
        return { binder: inOrder(binders), inner }
      }
      case 'object': {
        const binders: Binder[] = []
        let inner = names
        for (const { key, variable: name, value } of pattern.entries) {
          const keyNode = this.node(key, inner)
          const parts: Binder[] = []
          if (name !== undefined) {
            parts.push(bindVariable)
            inner = push(inner, 'variable', name)
          }
          if (value !== undefined) {
            const part = this.pattern(value, inner)
            parts.push(part.binder)
            inner = part.inner
          }
          binders.push(bindKey(keyNode, parts))
        }
        return { binder: inOrder(binders), inner }
      }
    }
  }

  private call(name: string, args: readonly Ast[], names: Names | undefined): Node {
    const arity = args.length
    const hops = find(names, 'function', name, arity)
    const closure = arity === 0 ? find(names, 'closure', name, 0) : undefined
    if (closure !== undefined && (hops === undefined || closure < hops)) return callClosure(closure)
    if (hops !== undefined) {
      return call(
        hops,
        args.map((arg): Argument => {
          const sameAs =
            arg.type === 'call' && arg.args.length === 0 ? nearest(names, arg.name) : undefined
          return { node: this.node(arg, names), sameAs }
        }),
      )
    }
    return this.builtIn(name, args, names)
  }

  private builtIn(name: string, args: readonly Ast[], names: Names | undefined): Node {
    const signature = `${name}/${args.length}`
    const nodes = (): readonly Node[] => args.map((arg) => this.node(arg, names))
    switch (signature) {
      case 'empty/0':
        return empty
      case 'path/1':
        return pathsOf(this.node(args[0]!, names))
      case 'last/1':
        return lastOf(this.node(args[0]!, names))
      case 'getpath/1':
        return getPathNode(this.node(args[0]!, names))
      case 'not/0':
        return condition(identity, constant(false), constant(true))
      case 'env/0':
        return constant({})
      case 'input/0':
        throw new CompileIssue('input(s)/0 is not allowed')
      default:
    }
    if (Object.hasOwn(macros, signature)) {
      return this.node(macros[signature]!(args), names)
    }
    if (Object.hasOwn(functions, signature)) return native(nodes(), functions[signature]!)
    if (Object.hasOwn(generators, signature)) return generator(nodes(), generators[signature]!)
    throw new CompileIssue(`function not defined: ${signature}`)
  }

  private define(definition: Definition, body: Ast, names: Names | undefined): Node {
    const { name, parameters } = definition
    const outer = push(names, 'function', name, parameters.length)
    let inner = outer
    for (const parameter of parameters) inner = push(inner, 'closure', parameter.replace('$', ''))
    for (const parameter of parameters) {
      if (parameter.startsWith('$')) inner = push(inner, 'variable', parameter)
    }
    let compiled: Node | undefined
    const value: FunctionValue = { parameters, body: () => compiled! }
    compiled = this.node(definition.body, inner)
    return define(value, this.node(body, outer))
  }
}

function push(
  outer: Names | undefined,
  kind: Names['kind'],
  name: string,
  arity: number = 0,
): Names {
  return { kind, name, arity, outer }
}

/** How many scopes out a name is; undefined where it is not defined. */
function find(
  names: Names | undefined,
  kind: Names['kind'],
  name: string,
  arity: number,
): number | undefined {
  let hops = 0
  for (let at = names; at !== undefined; at = at.outer, hops++) {
    if (at.kind === kind && at.name === name && at.arity === arity) return hops
  }
  return undefined
}

/** The closure that a name without arguments stands for, unless a function of that name hides it. */
function nearest(names: Names | undefined, name: string): number | undefined {
  const closure = find(names, 'closure', name, 0)
  const hiding = find(names, 'function', name, 0)
  if (closure === undefined || (hiding !== undefined && hiding < closure)) return undefined
  return closure
}

function variablesOf(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case 'variable':
      return [pattern.name]
    case 'array':
      return pattern.items.flatMap(variablesOf)
    case 'object':
      return pattern.entries.flatMap(({ variable: name, value }) => [
        ...(name === undefined ? [] : [name]),
        ...(value === undefined ? [] : variablesOf(value)),
      ])
  }
}

/** A whole number in full; with a point or an exponent the nearest double. */
export function numberOf(text: string): Json {
  if (/^[-+]?\d+$/.test(text)) return integer(BigInt(text.replace('+', '')))
  return Number(text)
}

function plainText(ast: Ast): string | undefined {
  if (ast.type !== 'string' || ast.format !== undefined || ast.parts.length !== 1) return undefined
  const [part] = ast.parts
  return typeof part === 'string' ? part : undefined
}

function plainNumber(ast: Ast): Json | undefined {
  return ast.type === 'number' ? numberOf(ast.text) : undefined
}
