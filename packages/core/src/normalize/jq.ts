import { isLitecdError } from '../errors/index.ts'
import { deepEqual, defineKey, isObject, type Json } from '../json/index.ts'
import { compileJq, type JqLimits, type JqProgram } from '../lang/jq/index.ts'
import type { JqCompiler, JqDeletion } from './ignore.ts'

/**
 * The compiler of path expressions on the jq of this package. A program that takes more than its steps is skipped, as
 * Argo CD skips one that takes longer than a second.
 *
 * Source: argo-cd v3.5.1 util/argo/normalizers/diff_normalizer.go
 */
export const compileJqDeletion: JqCompiler = jqDeletionWithin(undefined)

/** The same with a budget of steps for each document. */
export function jqDeletionWithin(maxSteps: number | undefined): JqCompiler {
  const limits = maxSteps === undefined ? {} : { maxSteps }
  return (source) => deletion(compileJq(source), limits)
}

function deletion(program: JqProgram, limits: JqLimits): JqDeletion {
  return (document) => {
    const input = holdsBigints(document) ? doubles(document) : document
    const output = onlyOutput(program, input, limits)
    if (output === undefined || output === input) return output && document
    if (!isWritable(output)) return undefined
    const integers = signed(output)
    return deepEqual(integers, document) ? document : integers
  }
}

function onlyOutput(program: JqProgram, input: Json, limits: JqLimits): Json | undefined {
  try {
    const outputs = program.run(input, limits)
    const first = outputs.next()
    if (first.done === true || outputs.next().done !== true) return undefined
    return first.value
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return undefined
  }
}

/** Programs can make numbers that JSON has no text for. */
function isWritable(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isWritable)
  return !isObject(value) || Object.values(value).every(isWritable)
}

function holdsBigints(value: Json): boolean {
  if (typeof value === 'bigint') return true
  if (Array.isArray(value)) return value.some(holdsBigints)
  if (!isObject(value)) return false
  for (const key of Object.keys(value)) if (holdsBigints(value[key] as Json)) return true
  return false
}

// Argo CD hands documents to jq with all numbers as doubles and reads the output anew.
const doubles = (document: Json): Json =>
  mapNumbers(document, (value) => (typeof value === 'bigint' ? Number(value) : value))

const signed = (document: Json): Json =>
  mapNumbers(document, (value) => {
    if (Number.isSafeInteger(value) || !(typeof value === 'bigint' || Number.isInteger(value))) {
      return value
    }
    const whole = BigInt(value)
    return BigInt.asIntN(64, whole) === whole ? whole : Number(whole)
  })

/** A value that holds no other numbers comes back as it is. */
function mapNumbers(value: Json, map: (value: number | bigint) => Json): Json {
  if (typeof value === 'number' || typeof value === 'bigint') return map(value)
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => mapNumbers(item, map))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  if (!isObject(value)) return value
  let changed = false
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    const item = mapNumbers(value[key] as Json, map)
    changed ||= item !== value[key]
    defineKey(out, key, item)
  }
  return changed ? out : value
}
