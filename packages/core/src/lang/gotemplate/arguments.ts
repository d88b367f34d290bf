import type { NumberNode, Operand } from './nodes.ts'
import { printNode } from './nodes.ts'
import type { State } from './state.ts'
import { GoObject, type ParamType, Struct, TypedMap, typeName, type Value } from './value.ts'

/** Types whose zero value is nil, so that an untyped nil is accepted for them. */
function canBeNil(type: ParamType): boolean {
  switch (type) {
    case 'interface {}':
    case 'reflect.Value':
    case 'map[string]interface {}':
    case '[]interface {}':
    case '*semver.Version':
    case 'io.Writer':
      return true
    default:
      return false
  }
}

function accepts(type: ParamType, value: Value): boolean {
  switch (type) {
    case 'interface {}':
    case 'reflect.Value':
      return true
    case 'string':
      return typeof value === 'string'
    case 'bool':
      return typeof value === 'boolean'
    case 'int':
      return typeof value === 'bigint'
    case 'float64':
      return typeof value === 'number'
    case 'map[string]interface {}':
      return value instanceof Map || (value instanceof TypedMap && isPlainMap(value))
    case '[]interface {}':
      return Array.isArray(value) || typeName(value) === type
    default:
      return value instanceof GoObject && value.goType === type
  }
}

function isPlainMap(value: TypedMap): boolean {
  return value.elementType === 'interface {}'
}

/**
 * Go's check of a value against a parameter: no conversion but out of a named map.
 *
 * Ends the execution with `wrong type for value` or `invalid value`.
 */
export function checkArgument(state: State, type: ParamType, value: Value): Value {
  if (type === 'interface {}') {
    // a copy of a struct cannot be addressed: methods of its pointer are out of reach from here on
    return value instanceof Struct ? value.copied() : value
  }
  if (accepts(type, value)) {
    if (type !== 'map[string]interface {}' || !(value instanceof TypedMap)) return value
    return value.isNil ? undefined : value.map
  }
  if (value === undefined) {
    if (canBeNil(type)) return undefined
    return state.fail(`invalid value; expected ${type}`)
  }
  const got = value === null ? 'interface {}' : typeName(value)
  return state.fail(`wrong type for value; expected ${type}; got ${got}`)
}

/** A literal as an argument: its value, or what is wrong with it there. */
export type ConstantResult = { readonly value: Value } | { readonly error: string }

/** A literal for a parameter of the type; undefined for nodes that are no literals. */
export function constantFor(type: ParamType, node: Operand): ConstantResult | undefined {
  switch (node.type) {
    case 'nil':
      return canBeNil(type) ? { value: undefined } : { error: `cannot assign nil to ${type}` }
    case 'bool':
    case 'string':
    case 'number':
      break
    default:
      return undefined
  }
  const found = (wanted: string): ConstantResult => ({
    error: `expected ${wanted}; found ${printNode(node)}`,
  })
  switch (type) {
    case 'interface {}':
    case 'reflect.Value':
      return node.type === 'number' ? idealConstant(node) : { value: node.value }
    case 'bool':
      return node.type === 'bool' ? { value: node.value } : found('bool')
    case 'string':
      return node.type === 'string' ? { value: node.value } : found('string')
    case 'float64':
      return node.type === 'number' && node.float !== undefined
        ? { value: node.float }
        : found('float')
    case 'int':
    case 'int64':
    case 'time.Duration':
      return node.type === 'number' && node.int !== undefined
        ? { value: node.int }
        : found('integer')
    case 'uint32':
      return node.type === 'number' && node.uint !== undefined
        ? { value: node.uint }
        : found('unsigned integer')
    default:
      return { error: `can't handle ${printNode(node)} for arg of type ${type}` }
  }
}

/** A number where no type is asked for: its spelling decides between int and float64. */
export function idealConstant(node: NumberNode): ConstantResult {
  if (node.complex !== undefined) return { value: node.complex }
  const { text } = node
  const isHexInt = /^0[xX]./.test(text) && !/[pP]/.test(text)
  if (node.float !== undefined && !isHexInt && !text.startsWith("'") && /[.eEpP]/.test(text)) {
    return { value: node.float }
  }
  if (node.int !== undefined) return { value: node.int }
  return { error: `${text} overflows int` }
}
