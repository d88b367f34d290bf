import { quoteGo } from '../../text/index.ts'
import { callMethod, type UntypedArgument } from './calls.ts'
import type { Eval, Nil, Origin, Stage } from './code.ts'
import type { AnyNode } from './nodes.ts'
import type { State } from './state.ts'
import { GoObject, Struct, TypedMap, typeName, type Value } from './value.ts'

/** `.a.b.c` on the dot (`base` undefined) or on a value, without arguments. */
export function fieldsOf(
  node: AnyNode,
  base: Eval | undefined,
  fields: readonly string[],
  origin: Origin,
  nil: Nil,
): Stage {
  const last = fields.length - 1
  const isChain = node.type === 'chain'
  let path: string | undefined
  // a template that is included often would note the same path each time
  let noted: Set<string> | undefined
  return (state, dot) => {
    state.node = node
    let value = base === undefined ? dot : base(state, dot)
    const { reads, root } = state.run
    if (value === root && reads !== noted && reads !== undefined && !isChain) {
      path ??= fields.join('.')
      reads.add(path)
      noted = reads
    }
    let holder: Value
    for (let i = 0; i <= last; i++) {
      const receiver = value
      if (receiver instanceof Map) {
        const entry = receiver.get(fields[i]!)
        value = entry === undefined ? missing(state, fields[i]!) : entry
      } else
        value = fieldOf(state, node, receiver, fields[i]!, holder, i === 0 ? origin : undefined)
      holder = receiver
    }
    return value === null ? nil : value
  }
}

/** The same with arguments, which only the last field can take, as a method. */
export function methodOf(
  node: AnyNode,
  base: Eval | undefined,
  fields: readonly string[],
  origin: Origin,
  args: readonly UntypedArgument[],
  hasFinal: boolean,
): Stage {
  const last = fields.length - 1
  const name = fields[last]!
  return (state, dot, final) => {
    state.node = node
    let receiver = base === undefined ? dot : base(state, dot)
    let holder: Value
    let from = origin
    for (let i = 0; i < last; i++) {
      const outer = receiver
      receiver = fieldOf(state, node, outer, fields[i]!, holder, from)
      holder = outer
      from = undefined
    }
    if (receiver === undefined) return fieldOf(state, node, receiver, name, holder, from)
    const definition = receiver instanceof GoObject ? receiver.method(name) : undefined
    if (definition !== undefined) {
      return callMethod(state, dot, definition, name, node, args, hasFinal, final) ?? undefined
    }
    if (receiver instanceof Map || receiver instanceof TypedMap) {
      state.fail(`${name} is not a method but has arguments`)
    }
    if (receiver instanceof Struct && receiver.fields.has(name)) {
      state.fail(`${name} has arguments but cannot be invoked as function`)
    }
    return fieldOf(state, node, receiver, name, holder, from) ?? undefined
  }
}

/** What a key that a map does not have gives. */
function missing(state: State, name: string): Value {
  switch (state.run.missingKey) {
    case 'zero':
      return null
    case 'default':
      return undefined
    case 'error':
      return state.fail(`map has no entry for key ${quoteGo(name)}`)
  }
}

/**
 * One step of a field chain without arguments. `holder` is what the receiver was taken out of, `origin` where it was
 * kept: errors name the static type it has there.
 */
function fieldOf(
  state: State,
  node: AnyNode,
  receiver: Value,
  name: string,
  holder: Value,
  origin: Origin,
): Value {
  if (receiver === undefined) {
    if (state.run.missingKey === 'error') {
      return state.fail(`nil data; no entry for key ${quoteGo(name)}`)
    }
    return undefined
  }
  if (receiver === null) return state.fail(`nil pointer evaluating interface {}.${name}`)
  if (receiver instanceof Map) {
    const entry = receiver.get(name)
    return entry === undefined ? missing(state, name) : entry
  }
  if (receiver instanceof GoObject) {
    const method = receiver.method(name)
    if (method !== undefined) {
      return callMethod(state, undefined, method, name, node, [], false, undefined)
    }
    if (receiver instanceof TypedMap) {
      const entry = receiver.map.get(name)
      return entry === undefined ? receiver.zero : entry
    }
    if (receiver instanceof Struct && receiver.fields.has(name)) {
      if (/^\p{Lu}/u.test(name)) return receiver.fields.get(name)
      const type = staticType(state, receiver, holder, origin)
      return state.fail(`${name} is an unexported field of struct type ${type}`)
    }
  }
  const type = staticType(state, receiver, holder, origin)
  return state.fail(`can't evaluate field ${name} in type ${type}`)
}

function staticType(state: State, receiver: Value, holder: Value, origin: Origin): string {
  if (holder instanceof Map) return 'interface {}'
  if (holder instanceof TypedMap) return holder.elementType
  return (origin === undefined ? undefined : state.elementTypeAt(origin)) ?? typeName(receiver)
}
