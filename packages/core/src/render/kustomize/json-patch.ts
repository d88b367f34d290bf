import { RenderError } from '../../errors/index.ts'
import {
  cloneJson,
  deepEqual,
  defineKey,
  isObject,
  type Json,
  parseJson,
} from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { fail } from './fail.ts'

export interface Operation {
  readonly op: string
  readonly path: string | undefined
  readonly from: string | undefined
  /** undefined when the operation has none. */
  readonly value: Json | undefined
}

type Container = Json[] | { [key: string]: Json }

const limit = 5_000_000

/**
 * Reads a JSON patch, written as JSON when it starts with `[`, else as YAML 1.1; undefined when it is none.
 *
 * Source: kustomize v5.8.1 api/internal/builtins/PatchTransformer.go
 */
export function parseJsonPatch(text: string): Operation[] | undefined {
  if (text === '') return undefined
  let value: Json
  try {
    value = text.startsWith('[') ? parseJson(text) : parseYaml(text)
  } catch {
    return undefined // the caller reports that it is no patch of any kind
  }
  if (value === null) return []
  if (!Array.isArray(value)) return undefined
  const operations: Operation[] = []
  for (const item of value as readonly Json[]) {
    if (item !== null && !isObject(item)) return undefined
    const field = (name: string): string | undefined => {
      const found = item?.[name]
      return typeof found === 'string' ? found : undefined
    }
    operations.push({
      op: field('op') ?? 'unknown',
      path: field('path'),
      from: field('from'),
      value: item !== null && Object.hasOwn(item, 'value') ? floats(item['value']!) : undefined,
    })
  }
  return operations
}

/** JSON as Go decodes it into interfaces: every number a float64. */
export function floats(value: Json): Json {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(floats)
  const out: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(value)) defineKey(out, key, floats(item))
  return out
}

/**
 * Applies operations to a document, which is changed in place.
 *
 * Errors: KUSTOMIZE_FAILED in the words of evanphx/json-patch v4; the first one ends the patch.
 */
export function applyJsonPatch(document: Json, operations: readonly Operation[]): Json {
  const patch = new Patching(document as Container)
  for (const operation of operations) patch.run(operation)
  return patch.root as Json
}

class Patching {
  root: Container
  private copied = 0

  constructor(root: Container) {
    this.root = root
  }

  run(operation: Operation): void {
    switch (operation.op) {
      case 'add':
        this.add(operation)
        break
      case 'remove':
        this.remove(operation)
        break
      case 'replace':
        this.replace(operation)
        break
      case 'move':
        this.move(operation)
        break
      case 'test':
        this.test(operation)
        break
      case 'copy':
        this.copy(operation)
        break
      default:
        fail(`Unexpected kind: ${operation.op}`)
    }
  }

  private find(path: string): { readonly at: Container; readonly key: string } | undefined {
    const steps = path.split('/')
    if (steps.length < 2) return undefined
    let at: Container = this.root
    for (const step of steps.slice(1, -1)) {
      const next = lookUp(at, unescapeKey(step))
      if (typeof next !== 'object' || next === null) return undefined
      at = next as Container
    }
    return { at, key: unescapeKey(steps.at(-1)!) }
  }

  private pathOf(operation: Operation, field: 'path' | 'from' = 'path'): string {
    const path = operation[field]
    return path ?? fail(`${operation.op} operation failed to decode ${field}: missing value`)
  }

  private add(operation: Operation): void {
    const path = this.pathOf(operation)
    const found = this.find(path)
    if (found === undefined) {
      fail(`add operation does not apply: doc is missing path: "${path}": missing value`)
    }
    const why = insert(found.at, found.key, cloneJson(operation.value ?? null))
    if (why !== undefined) fail(`error in add for path: '${path}': ${why}`)
  }

  private remove(operation: Operation): void {
    const path = this.pathOf(operation)
    const found = this.find(path)
    if (found === undefined) {
      fail(`remove operation does not apply: doc is missing path: "${path}": missing value`)
    }
    const why = takeOut(found.at, found.key)
    if (why !== undefined) fail(`error in remove for path: '${path}': ${why}`)
  }

  private replace(operation: Operation): void {
    const path = this.pathOf(operation)
    const value = cloneJson(operation.value ?? null)
    if (path === '') {
      if (typeof value !== 'object' || value === null) {
        fail('replace operation value must be object or array: %!w(<nil>)')
      }
      this.root = value as Container
      return
    }
    const found = this.find(path)
    if (found === undefined) {
      fail(`replace operation does not apply: doc is missing path: ${path}: missing value`)
    }
    const { at, key } = found
    if (Array.isArray(at)) {
      const index = indexOf(key, at.length)
      if (typeof index === 'string') {
        fail(`replace operation does not apply: doc is missing key: ${path}: missing value`)
      }
      at[index] = value
    } else defineKey(at, key, value)
  }

  private move(operation: Operation): void {
    const from = this.pathOf(operation, 'from')
    const source = this.find(from)
    if (source === undefined) {
      fail(`move operation does not apply: doc is missing from path: ${from}: missing value`)
    }
    const value = this.valueAt(source, (why) => `error in move for path: '${source.key}': ${why}`)
    const why = takeOut(source.at, source.key)
    if (why !== undefined) fail(`error in move for path: '${source.key}': ${why}`)
    const path = this.pathOf(operation)
    const target = this.find(path)
    if (target === undefined) {
      fail(`move operation does not apply: doc is missing destination path: ${path}: missing value`)
    }
    const refused = insert(target.at, target.key, value ?? null)
    if (refused !== undefined) fail(`error in move for path: '${path}': ${refused}`)
  }

  private test(operation: Operation): void {
    const path = this.pathOf(operation)
    const failed = `testing value ${path} failed: test failed`
    if (path === '') {
      if (!deepEqual(this.root as Json, operation.value ?? null)) fail(failed)
      return
    }
    const found = this.find(path)
    if (found === undefined) {
      fail(`test operation does not apply: is missing path: ${path}: missing value`)
    }
    const value = this.valueAt(found, (why) => `error in test for path: '${path}': ${why}`)
    if (!deepEqual(value ?? null, operation.value ?? null)) fail(failed)
  }

  private copy(operation: Operation): void {
    const from = this.pathOf(operation, 'from')
    const source = this.find(from)
    if (source === undefined) {
      fail(`copy operation does not apply: doc is missing from path: ${from}: missing value`)
    }
    const value = this.valueAt(source, (why) => `error in copy for from: '${from}': ${why}`)
    const path = this.pathOf(operation)
    const target = this.find(path)
    if (target === undefined) {
      fail(`copy operation does not apply: doc is missing destination path: ${path}: missing value`)
    }
    this.copied += sizeOf(value ?? null)
    if (this.copied > limit) {
      throw new RenderError('BUDGET_EXCEEDED', 'the copies of a JSON patch are too large')
    }
    const why = insert(target.at, target.key, cloneJson(value ?? null))
    if (why !== undefined) fail(`error while adding value during copy: ${why}`)
  }

  private valueAt(
    place: { readonly at: Container; readonly key: string },
    message: (why: string) => string,
  ): Json | undefined {
    const { at, key } = place
    if (!Array.isArray(at)) return Object.hasOwn(at, key) ? at[key] : undefined
    const index = indexOf(key, at.length)
    return typeof index === 'string' ? fail(message(index)) : at[index]
  }
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  for (const item of Object.values(value)) size += sizeOf(item)
  return size
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function lookUp(at: Container, key: string): Json | undefined {
  if (!Array.isArray(at)) return Object.hasOwn(at, key) ? at[key] : undefined
  const index = indexOf(key, at.length)
  return typeof index === 'string' ? undefined : at[index]
}

function atoi(key: string): number | string {
  if (/^[+-]?\d+$/.test(key)) return Number(key)
  return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`
}

/** The index that a key stands for among `length` elements, or what is wrong with it. */
function indexOf(key: string, length: number): number | string {
  const index = atoi(key)
  if (typeof index === 'string') return index
  if (index >= length || index < -length) {
    return `Unable to access invalid index: ${index}: invalid index referenced`
  }
  return index < 0 ? index + length : index
}

function insert(at: Container, key: string, value: Json): string | undefined {
  if (!Array.isArray(at)) {
    defineKey(at, key, value)
    return undefined
  }
  if (key === '-') {
    at.push(value)
    return undefined
  }
  const number = atoi(key)
  if (typeof number === 'string') return `value was not a proper array index: '${key}': ${number}`
  const index = indexOf(key, at.length + 1)
  if (typeof index === 'string') return index
  at.splice(index, 0, value)
  return undefined
}

function takeOut(at: Container, key: string): string | undefined {
  if (Array.isArray(at)) {
    const index = indexOf(key, at.length)
    if (typeof index === 'string') return index
    at.splice(index, 1)
    return undefined
  }
  if (!Object.hasOwn(at, key)) return `Unable to remove nonexistent key: ${key}: missing value`
  delete at[key]
  return undefined
}
