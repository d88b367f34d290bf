import { canonicalJson, goFloat, isObject, type Json } from '../../json/index.ts'
import { quoteGo } from '../../text/index.ts'
import { formatSteps } from './field-set.ts'
import type { MergeList, MergeMap, MergeScalar, MergeType } from './merge-type.ts'
import { shapeFor } from './shapes.ts'
import { fieldStep, fieldType, itemStep } from './steps.ts'

interface Problem {
  readonly path: string
  readonly message: string
}

/**
 * Why a value does not fit its type, in the words of Kubernetes: fields that the schema does not have, values of the
 * wrong shape, list items without their key or twice with the same. Undefined when it fits.
 *
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 typed/validate.go
 */
export function misfit(value: Json, type: MergeType): string | undefined {
  const problems: Problem[] = []
  check(value, type, [], problems)
  if (problems.length === 0) return undefined
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return lines.length === 1 ? lines[0] : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n')
}

function check(value: Json, type: MergeType, path: string[], problems: Problem[]): void {
  const problem = (message: string): void => {
    problems.push({ path: formatSteps(path), message })
  }
  const shape = shapeFor(type, value)
  switch (shape?.kind) {
    case 'map':
      if (isObject(value)) checkMap(value, shape.map, path, problems)
      else if (value !== null) problem(`expected map, got ${shown(value)}`)
      break
    case 'list':
      if (Array.isArray(value)) checkList(value, shape.list, path, problems)
      else if (value !== null) problem(`expected list, got ${shown(value)}`)
      break
    case 'scalar': {
      const message = scalarMisfit(value, shape.scalar)
      if (message !== undefined) problem(message)
      break
    }
    default:
      problem('schema error: invalid atom: inlined')
  }
}

function checkMap(
  value: { readonly [key: string]: Json },
  map: MergeMap,
  path: string[],
  problems: Problem[],
): void {
  for (const name of Object.keys(value).sort()) {
    const type = fieldType(map, name)
    path.push(fieldStep(name))
    if (type === undefined) {
      problems.push({ path: formatSteps(path), message: 'field not declared in schema' })
    } else check(value[name] as Json, type, path, problems)
    path.pop()
    if (type === undefined) return
  }
}

function checkList(
  value: readonly Json[],
  list: MergeList,
  path: string[],
  problems: Problem[],
): void {
  const seen = new Set<string>()
  for (const [index, item] of value.entries()) {
    let step = `i:${index}`
    if (list.ownership !== 'atomic') {
      const found = itemStep(list, item)
      if ('problem' in found) {
        const message = `element ${index}: ${found.problem}`
        problems.push({ path: formatSteps(path), message })
        return
      }
      step = found.step
      if (seen.has(step)) {
        const message = `duplicate entries for key ${formatSteps([step])}`
        problems.push({ path: formatSteps(path), message })
      }
      seen.add(step)
    }
    path.push(step)
    check(item, list.item, path, problems)
    path.pop()
  }
}

function scalarMisfit(value: Json, scalar: MergeScalar): string | undefined {
  if (value === null) return undefined
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      if (typeof value === 'string') return undefined
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${shown(value)}`
    case 'untyped':
      if (typeof value !== 'object') return undefined
      return `expected any scalar, got ${shown(value)}`
  }
}

/** As `%v` prints the value that wraps it. */
function shown(value: Json): string {
  return `&{${plain(value)}}`
}

function plain(value: Json): string {
  if (value === null) return '<nil>'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`
  if (isObject(value)) {
    const keys = Object.keys(value).sort()
    return `map[${keys.map((key) => `${key}:${plain(value[key] as Json)}`).join(' ')}]`
  }
  return scalarText(value)
}

function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'string') return quoteGo(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (isObject(value)) {
    const keys = Object.keys(value).sort()
    const entries = keys.map((key) => `${quoteGo(key)}:${goSyntax(value[key] as Json)}`)
    return `map[string]interface {}{${entries.join(', ')}}`
  }
  return scalarText(value)
}

function scalarText(value: Json): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value)
  return canonicalJson(value)
}

function goType(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
