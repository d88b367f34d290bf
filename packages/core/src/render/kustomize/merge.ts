import { isObject, type JsonObject } from '../../json/index.ts'
import { YamlNode } from '../../yaml/index.ts'
import { fail } from './fail.ts'
import {
  appendAll,
  findElement,
  setElement,
  tuplesOf,
  unify,
  validPositions,
} from './merge-lists.ts'
import {
  clearField,
  expectKind,
  formatNode,
  getField,
  isEmpty,
  isMissing,
  keyIndex,
  scalar,
  setField,
  setScalar,
} from './node.ts'
import type { Schema, Schemas } from './schema.ts'

/** Where new elements of merged lists go: in front for patches, behind for Helm values. */
export type ListDirection = 'prepend' | 'append'

const directive = '$patch'

/**
 * Merges `patch` into `target`, which is changed in place; the patch is used up.
 *
 * Returns what came out, undefined when the patch deletes the target.
 *
 * Source: kustomize v5.8.1 kyaml/yaml/merge2, kyaml/yaml/walk
 */
export function strategicMerge(
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  schemas: Schemas,
  direction: ListDirection = 'prepend',
): YamlNode | undefined {
  return new Merger(schemas, direction).merge(target, patch, undefined)
}

class Merger {
  private readonly schemas: Schemas
  private readonly direction: ListDirection
  /** Nulls that were written and stay. */
  private readonly kept = new Set<YamlNode>()

  constructor(schemas: Schemas, direction: ListDirection) {
    this.schemas = schemas
    this.direction = direction
  }

  merge(
    target: YamlNode | undefined,
    patch: YamlNode | undefined,
    given: Schema | undefined,
  ): YamlNode | undefined {
    const schema = this.schemaOf(target, patch, given)
    const leader = isMissing(target) ? (isMissing(patch) ? undefined : patch) : target
    const kind = leader === undefined ? 'mapping' : leader.kind
    if (leader !== undefined) {
      expectKind(target, kind)
      expectKind(patch, kind)
    }
    if (target !== undefined && patch !== undefined) carryStyle(target, patch)
    if (kind === 'mapping') return this.mergeMaps(target, patch, schema)
    if (kind === 'scalar') return patch ?? target
    if (kind !== 'sequence') return undefined
    if (schema?.mergeKeys === undefined) return patch ?? target
    return this.mergeLists(target, patch, schema, schema.mergeKeys)
  }

  private schemaOf(
    target: YamlNode | undefined,
    patch: YamlNode | undefined,
    given: Schema | undefined,
  ): Schema | undefined {
    const written = this.commentSchema(target) ?? this.commentSchema(patch)
    if (written !== undefined) return written
    if (given !== undefined) return given
    for (const node of [target, patch]) {
      if (isMissing(node) || node.kind !== 'mapping') continue
      const kind = getField(node, 'kind')
      const apiVersion = getField(node, 'apiVersion')
      if (isEmpty(kind) || isEmpty(apiVersion)) continue
      const found = this.schemas.type(apiVersion!.value, kind!.value)
      if (found !== undefined) return found
    }
    return undefined
  }

  private commentSchema(node: YamlNode | undefined): Schema | undefined {
    if (isMissing(node)) return undefined
    const comment = node.lineComment || node.headComment
    if (comment === '') return undefined
    const text = comment.replace(/^#+/, '').trim()
    if (!text.startsWith('{')) return undefined
    let schema: unknown
    try {
      schema = JSON.parse(text)
    } catch {
      return undefined // an ordinary comment
    }
    if (!isObject(schema) || !Object.keys(schema).some(isSchemaKey)) return undefined
    return this.schemas.inline(schema as JsonObject)
  }

  private mergeMaps(
    target: YamlNode | undefined,
    patch: YamlNode | undefined,
    schema: Schema | undefined,
  ): YamlNode | undefined {
    const result = this.startMap(target, patch)
    if (result === undefined || result.kind !== 'mapping') return result
    for (const name of fieldNames(result, patch)) {
      const at = patch === undefined ? -1 : keyIndex(patch, name)
      const given = at === -1 ? undefined : patch!.content[at + 1]
      const value = this.merge(
        getField(result, name),
        given,
        this.fieldComment(result, patch, name) ?? schema?.field(name),
      )
      const keep = value !== undefined && this.kept.has(value)
      // a key that the patch brings keeps its quotes
      setField(
        result,
        name,
        value,
        keep,
        value === given && at !== -1 ? patch!.content[at]!.style : '',
      )
    }
    return result
  }

  private fieldComment(
    result: YamlNode,
    patch: YamlNode | undefined,
    name: string,
  ): Schema | undefined {
    for (const node of [result, patch]) {
      if (node === undefined) continue
      const at = keyIndex(node, name)
      if (at === -1) continue
      const found = this.commentSchema(node.content[at + 1]) ?? this.commentSchema(node.content[at])
      if (found !== undefined) return found
    }
    return undefined
  }

  private startMap(
    target: YamlNode | undefined,
    patch: YamlNode | undefined,
  ): YamlNode | undefined {
    if (isMissing(target)) {
      if (patch?.kind === 'mapping' && takeMapDirective(patch, true) === 'delete') return undefined
      const written = (target as YamlNode | undefined)?.value ?? ''
      if (patch !== undefined || written === '') return patch
      const node = scalar(written, '!!null')
      this.kept.add(node)
      return node
    }
    if (patch === undefined) return target
    if (patch.tag === '!!null') return undefined
    const strategy = takeMapDirective(patch, false)
    if (strategy === 'delete') return undefined
    return strategy === 'replace' ? patch : target
  }

  private mergeLists(
    target: YamlNode | undefined,
    patch: YamlNode | undefined,
    schema: Schema,
    keys: readonly string[],
  ): YamlNode | undefined {
    let result = target
    if (isMissing(target)) result = patch
    else if (patch !== undefined) {
      if (patch.tag === '!!null') return undefined
      const strategy = takeListDirective(patch)
      if (strategy === 'delete') return undefined
      if (strategy === 'replace') result = patch
    }
    if (isMissing(result)) return undefined
    const sources = this.direction === 'prepend' ? [patch, result] : [result, patch]
    const byKey = keys.length > 0
    const names = byKey ? keys : ['']
    const tuples = tuplesOf(sources, names)
    if (tuples.length === 0) return result
    if (names.length > 1) unify(tuples)
    return this.fillList(result, patch, schema.elements(), names, tuples)
  }

  private fillList(
    result: YamlNode,
    patch: YamlNode | undefined,
    schema: Schema | undefined,
    keys: readonly string[],
    tuples: readonly (readonly string[])[],
  ): YamlNode {
    const valid = validPositions(tuples, keys)
    const names = valid.map((at) => keys[at]!)
    const added = new YamlNode('sequence')
    for (const tuple of tuples) {
      const values = valid.map((at) => tuple[at]!)
      const own = validPositions([values], names)
      const wanted = own.map((at) => names[at]!)
      const wantedValues = own.map((at) => values[at]!)
      const element = this.merge(
        findElement(result, wanted, wantedValues),
        patch === undefined ? undefined : findElement(patch, wanted, wantedValues),
        schema,
      )
      if (isMissing(element) || (element.kind === 'mapping' && element.content.length === 0)) {
        setElement(result, undefined, names, values)
        continue
      }
      for (const [i, name] of names.entries()) {
        if (values[i] === '' || getField(element, name) !== undefined) continue
        if (name === '') setScalar(element, scalar(values[i]!))
        else setField(element, name, scalar(values[i]!))
      }
      setElement(added, element, names, values)
    }
    return this.direction === 'prepend'
      ? appendAll(added, result, names)
      : appendAll(result, added, names)
  }
}

function isSchemaKey(key: string): boolean {
  return key === 'type' || key === 'items' || key === 'properties' || key.startsWith('x-')
}

/** An empty collection takes over whether the other is written in one line. */
function carryStyle(target: YamlNode, patch: YamlNode): void {
  if (target.kind !== 'scalar' && target.content.length === 0) target.style = patch.style
}

function fieldNames(a: YamlNode, b: YamlNode | undefined): string[] {
  const names = new Set<string>()
  for (let i = 0; i < a.content.length; i += 2) names.add(a.content[i]!.value)
  if (b !== undefined && b !== a && b.kind === 'mapping') {
    for (let i = 0; i < b.content.length; i += 2) names.add(b.content[i]!.value)
  }
  return [...names].sort()
}

function takeMapDirective(patch: YamlNode, lenient: boolean): string {
  if (patch.kind !== 'mapping') {
    if (lenient) return ''
    return fail(
      `no implemented strategic merge patch strategy for '${patch.tag}' ('${formatNode(patch)}')`,
    )
  }
  const value = getField(patch, directive)?.value
  if (value === undefined) return 'merge'
  if (value === 'delete' || value === 'replace' || value === 'merge') {
    clearField(patch, directive)
    return value
  }
  if (lenient) return ''
  return fail(`unknown patch strategy '${value}'`)
}

function takeListDirective(patch: YamlNode): string {
  const element = patch.content.find(
    (candidate) => candidate.kind === 'mapping' && getField(candidate, directive) !== undefined,
  )
  if (element === undefined || element.content.length > 2) return 'merge'
  const value = getField(element, directive)!.value
  if (value !== 'delete' && value !== 'replace' && value !== 'merge') {
    return fail(`unknown patch strategy '${value}'`)
  }
  setElement(patch, undefined, [directive], [value])
  return value
}
