import { RenderError } from '../../errors/index.ts'
import { defineKey, isObject, type Json } from '../../json/index.ts'
import {
  decodeYamlNode,
  formatFloatG,
  formatYamlNode,
  parseYaml,
  parseYamlNode,
  resolvePlain,
  resolveTagged,
  YamlNode,
  type YamlStyle,
} from '../../yaml/index.ts'
import { fail } from './fail.ts'

export function scalar(value: string, tag: string = '', style: YamlStyle = ''): YamlNode {
  const node = new YamlNode('scalar', tag, value)
  node.style = style
  return node
}

export function emptyMap(): YamlNode {
  return new YamlNode('mapping', '!!map')
}

/** A string, whatever its text looks like. */
export function textNode(value: string): YamlNode {
  return scalar(value, '!!str', value.includes('\n') ? 'literal' : '')
}

export function isMissing(node: YamlNode | undefined): node is undefined {
  return node === undefined || node.tag === '!!null'
}

/** Nothing, null, or a collection without members. */
export function isEmpty(node: YamlNode | undefined): boolean {
  if (node === undefined || node.tag === '!!null') return true
  return (node.kind === 'mapping' || node.kind === 'sequence') && node.content.length === 0
}

export function isText(node: YamlNode): boolean {
  return node.kind === 'scalar' && (node.tag === '!!str' || node.tag === '')
}

/** Index of a key in the content of a mapping, -1 when it is not there or the node is something else. */
export function keyIndex(node: YamlNode, name: string): number {
  if (node.kind !== 'mapping') return -1
  const { content } = node
  for (let i = 0; i < content.length; i += 2) if (content[i]!.value === name) return i
  return -1
}

export function getField(node: YamlNode | undefined, name: string): YamlNode | undefined {
  if (node === undefined) return undefined
  const at = keyIndex(node, name)
  return at === -1 ? undefined : node.content[at + 1]
}

export function clearField(node: YamlNode, name: string): void {
  const at = keyIndex(node, name)
  if (at !== -1) node.content.splice(at, 2)
}

/** Makes `target` say what `source` says; members are shared, not copied. */
export function assign(target: YamlNode, source: YamlNode): void {
  if (target === source) return
  target.kind = source.kind
  target.tag = source.tag
  target.tagged = source.tagged
  target.style = source.style
  target.value = source.value
  target.content = source.content
  target.headComment = source.headComment
  target.lineComment = source.lineComment
  target.footComment = source.footComment
}

const plainWord = /^[A-Za-z][A-Za-z-]*$/
const word11 = /^(?:y|yes|n|no|true|false|on|off|null)$/i

/** Whether a text without quotes is something else than a string in YAML 1.1. */
export function isOther11(value: string): boolean {
  if (value === '' || value.includes('\n')) return false
  if (plainWord.test(value) && !word11.test(value)) return false
  try {
    return typeof parseYaml(value) !== 'string'
  } catch {
    return false
  }
}

function quoteIfOther(value: YamlNode): void {
  if (value.style === '' && isText(value) && isOther11(value.value)) value.style = 'double'
}

/**
 * Sets a field as kyaml does: a present field keeps its quotes, whatever the new value is; a null without `keep`
 * removes it.
 */
export function setField(
  node: YamlNode,
  name: string,
  value: YamlNode | undefined,
  keep: boolean = false,
  keyStyle: YamlStyle = '',
): void {
  if (value === undefined || (value.tag === '!!null' && !keep)) {
    expectKind(node, 'mapping')
    clearField(node, name)
    return
  }
  quoteIfOther(value)
  expectKind(node, 'mapping')
  const present = getField(node, name)
  if (present === undefined) {
    node.content.push(scalar(name, '', keyStyle), value)
    return
  }
  value.style = present.style
  value.tagged = present.tagged
  assign(present, value)
}

/** Sets a scalar in place, keeping its quotes. */
export function setScalar(node: YamlNode, value: YamlNode): void {
  quoteIfOther(value)
  expectKind(node, 'scalar')
  if (value.tag === '!!null') return
  value.style = node.style
  value.tagged = node.tagged
  assign(node, value)
}

const kindNames = {
  document: 'DocumentNode',
  mapping: 'MappingNode',
  sequence: 'SequenceNode',
  scalar: 'ScalarNode',
  alias: 'AliasNode',
} as const

/** Errors unless the node is missing, null or of the kind. */
export function expectKind(node: YamlNode | undefined, kind: keyof typeof kindNames): void {
  if (isMissing(node) || node.kind === kind) return
  fail(
    `wrong node kind: expected ${kindNames[kind]} but got ${kindNames[node.kind]}: ` +
      `node contents:\n${formatNode(node)}`,
  )
}

export function formatNode(node: YamlNode): string {
  return formatYamlNode(node, { indent: 2, compactLists: true })
}

export function copyNode(node: YamlNode): YamlNode {
  const copy = new YamlNode(node.kind, node.tag, node.value)
  copy.tagged = node.tagged
  copy.style = node.style
  copy.anchor = node.anchor
  copy.target = node.target
  copy.headComment = node.headComment
  copy.lineComment = node.lineComment
  copy.footComment = node.footComment
  copy.line = node.line
  copy.column = node.column
  copy.content = node.content.map(copyNode)
  return copy
}

class Unsure extends Error {}

/**
 * The value of an object as JSON, as kustomize gets it by writing the node and reading it again.
 *
 * Errors: YAML_INVALID in Go's words where the node cannot be read back: keys that are no strings or there twice, tags
 * that do not fit.
 */
export function nodeToJson(node: YamlNode): Json {
  try {
    return quickJson(node)
  } catch (error) {
    if (!(error instanceof Unsure)) throw error
  }
  const again = parseYamlNode(formatYamlNode(node, { indent: 2, compactLists: true }))
  return again === undefined ? null : decodeYamlNode(again)
}

function quickJson(node: YamlNode): Json {
  if (node.kind === 'scalar') return scalarJson(node)
  if (node.kind === 'sequence') return node.content.map(quickJson)
  if (node.kind !== 'mapping') throw new Unsure()
  const object: { [key: string]: Json } = {}
  const { content } = node
  for (let i = 0; i < content.length; i += 2) {
    const key = content[i]!
    const name = key.value
    if (key.kind !== 'scalar' || key.tagged || !isTextKey(key) || Object.hasOwn(object, name)) {
      throw new Unsure()
    }
    defineKey(object, name, quickJson(content[i + 1]!))
  }
  return object
}

function isTextKey(key: YamlNode): boolean {
  if (key.value === '<<') return false
  if (key.style !== '' || key.tag === '!!str') return true
  return key.tag === '' && resolvePlain(key.value, 'v3').tag === '!!str'
}

function scalarJson(node: YamlNode): Json {
  const { tag, value } = node
  // Parity: go-yaml does not read every folded text back as it wrote it.
  if (node.style === 'folded' && value.includes('\n')) throw new Unsure()
  if (node.tagged) {
    if (tag === '!!binary') throw new Unsure()
    const resolved = resolveTagged(tag, value, 'v3')
    if (resolved === undefined) throw new Unsure()
    return sure(resolved.value)
  }
  if (tag === '!!str' || (node.style !== '' && (tag === '' || tag === '!'))) return value
  const resolved = resolvePlain(value, 'v3')
  if (tag !== '' && tag !== resolved.tag) throw new Unsure()
  return node.style === '' || node.style === 'flow' ? sure(resolved.value) : value
}

function sure(value: Json): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Unsure()
  return value
}

/** Nodes as kyaml has them after a way through JSON: numbers are float64, keys sorted, strings quoted if they must. */
export function jsonToNode(value: Json): YamlNode {
  if (typeof value === 'string') {
    if (value.includes('\n')) return scalar(value, '!!str', 'literal')
    const plain = value !== '' && !isOther11(value) && resolvePlain(value, 'v3').tag === '!!str'
    return scalar(value, '!!str', plain ? '' : 'double')
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = formatFloatG(Number(value))
    return scalar(text, resolvePlain(text, 'v3').tag)
  }
  if (typeof value === 'boolean') return scalar(String(value), '!!bool')
  if (value === null) return scalar('null', '!!null')
  if (Array.isArray(value)) {
    const list = new YamlNode('sequence', '!!seq')
    list.content = value.map(jsonToNode)
    return list
  }
  const map = new YamlNode('mapping', '!!map')
  if (!isObject(value)) throw new RenderError('KUSTOMIZE_FAILED', 'value is no JSON')
  for (const key of Object.keys(value)) map.content.push(jsonToNode(key), jsonToNode(value[key]!))
  return map
}
