import { defineKey, isObject, type Json } from '../json/index.ts'
import { AliasBudget } from './alias-budget.ts'
import { decodeBase64 } from './base64.ts'
import { goSyntax, quoteGo } from './go-syntax.ts'
import type { YamlNode } from './node.ts'
import { type SourceOptions, yamlError } from './problem.ts'
import { mismatch, type Resolved, resolveTagged } from './resolve.ts'
import { hasOnlyTextKeys, tagOf } from './tags.ts'

type Target = { [key: string]: Json }

/** Marks a mapping that Go decodes into `map[interface {}]interface {}`, which JSON cannot hold. */
const general = Symbol('general map')

const maxMessages = 1000

/**
 * The value of nodes read in the v3 dialect, as Kustomize turns them into JSON: dates become RFC 3339 text, keys must be
 * strings, a key may be there once, aliases and merges are expanded.
 *
 * Errors: YAML_INVALID in Go's words.
 * Source: go.yaml.in/yaml v3.0.4 decode.go, encoding/json
 */
export function decodeYamlNode(node: YamlNode, options: SourceOptions = {}): Json {
  return new Decoder(options).root(node)
}

class Decoder {
  private readonly options: SourceOptions
  private readonly budget: AliasBudget
  private readonly messages: string[] = []
  private suspicious = false

  constructor(options: SourceOptions) {
    this.options = options
    this.budget = new AliasBudget(options)
  }

  root(node: YamlNode): Json {
    let value: Json | undefined
    if (node.kind === 'document') {
      this.budget.count()
      value = node.content[0] === undefined ? null : this.value(node.content[0])
    } else {
      value = this.value(node)
    }
    if (this.messages.length > 0) {
      throw yamlError(this.options, `yaml: unmarshal errors:\n  ${this.messages.join('\n  ')}`)
    }
    if (this.suspicious) this.check(value ?? null)
    return value ?? null
  }

  /** undefined where Go reports an error and goes on. */
  private value(node: YamlNode): Json | undefined {
    this.budget.count()
    switch (node.kind) {
      case 'scalar':
        return this.scalar(node)
      case 'sequence': {
        const items: Json[] = []
        for (const child of node.content) {
          const item = this.value(child)
          if (item !== undefined) items.push(item)
        }
        return items
      }
      case 'mapping': {
        const object: Target = {}
        const textKeys = hasOnlyTextKeys(node)
        if (!textKeys) {
          this.suspicious = true
          Object.defineProperty(object, general, { value: true })
        }
        return this.mapping(node, object, textKeys, undefined) ? object : undefined
      }
      default: {
        if (node.target === undefined) return null
        this.budget.enter(node)
        const value = this.value(node.target)
        this.budget.leave(node)
        return value
      }
    }
  }

  private scalar(node: YamlNode): Json {
    const { value } = this.resolve(node)
    if (typeof value === 'number' && !Number.isFinite(value)) this.suspicious = true
    return value
  }

  private resolve(node: YamlNode): Resolved {
    const isText =
      (node.tag === '' || node.tag === '!' || node.tag === '!!str') &&
      node.style !== '' &&
      node.style !== 'flow'
    if (isText) return { tag: '!!str', value: node.value }
    if (node.tag === '!!binary') {
      const text = decodeBase64(node.value)
      if (text === undefined) this.fail('!!binary value contains invalid base64 data', node)
      return { tag: '!!str', value: text }
    }
    const resolved = resolveTagged(node.tag, node.value, 'v3')
    if (resolved === undefined) this.fail(mismatch(node.tag, node.value, 'v3'), node)
    return resolved
  }

  private fail(problem: string, node: YamlNode): never {
    const at = node.line === 0 ? undefined : { line: node.line - 1, column: node.column - 1 }
    throw yamlError(this.options, 'yaml: ' + problem, at)
  }

  /**
   * Sets the pairs of a mapping, then those of its merge that are not there yet. `merged` holds the keys that are set
   * already when this mapping is itself merged into another. False when a key is there twice.
   */
  private mapping(
    node: YamlNode,
    target: Target,
    textKeys: boolean,
    merged: Set<string> | undefined,
  ): boolean {
    if (!this.areUnique(node)) return false
    let merge: YamlNode | undefined
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      const keyNode = node.content[i]!
      const valueNode = node.content[i + 1]!
      if (isMerge(keyNode)) {
        merge = valueNode
        continue
      }
      const key = this.key(keyNode, textKeys)
      if (key === undefined) continue
      if (merged?.has(key)) continue
      merged?.add(key)
      const value = this.value(valueNode)
      if (value !== undefined) defineKey(target, key, value)
    }
    if (merge !== undefined) {
      let present = merged
      if (present === undefined) {
        present = new Set()
        for (let i = 0; i < node.content.length; i += 2) {
          const key = this.key(node.content[i]!, false)
          if (key !== undefined) present.add(key)
        }
      }
      this.merge(merge, target, textKeys, present)
    }
    return true
  }

  private areUnique(node: YamlNode): boolean {
    const seen = new Map<string, YamlNode[]>()
    const messages: [number, number, string][] = []
    for (let i = 0; i < node.content.length; i += 2) {
      const key = node.content[i]!
      const name = `${key.kind} ${key.value}`
      const before = seen.get(name)
      if (before === undefined) {
        seen.set(name, [key])
        continue
      }
      for (const [j, first] of before.entries()) {
        if (messages.length >= maxMessages) break
        const text = `line ${key.line}: mapping key ${quoteGo(key.value)} already defined at line ${first.line}`
        messages.push([first.line, j, text])
      }
      before.push(key)
    }
    if (messages.length === 0) return true
    this.messages.push(...messages.map(([, , text]) => text))
    return false
  }

  private key(node: YamlNode, textKeys: boolean): string | undefined {
    const value = this.value(node)
    if (textKeys && typeof value === 'object' && value !== null) {
      const real = node.kind === 'alias' ? node.target! : node
      const tag = tagOf(real)
      const text = tag === '!!map' || tag === '!!seq' ? tag : `${tag} \`\``
      this.messages.push(`line ${real.line}: cannot unmarshal ${text} into string`)
      return undefined
    }
    if (typeof value === 'object' && value !== null) {
      this.fail(`invalid map key: ${goSyntax(node, 'v3')}`, node)
    }
    if (value === undefined || value === null) return undefined
    return typeof value === 'string' ? value : textOf(node)
  }

  private merge(node: YamlNode, target: Target, textKeys: boolean, present: Set<string>): void {
    if (node.kind === 'mapping') {
      this.budget.count()
      this.mapping(node, target, textKeys, present)
    } else if (node.kind === 'alias' && node.target?.kind === 'mapping') {
      this.budget.count()
      this.budget.enter(node)
      this.budget.count()
      this.mapping(node.target, target, textKeys, present)
      this.budget.leave(node)
    } else if (node.kind === 'sequence') {
      for (const item of node.content) {
        if (item.kind === 'sequence') this.failMerge(item)
        this.merge(item, target, textKeys, present)
      }
    } else {
      this.failMerge(node)
    }
  }

  private failMerge(node: YamlNode): never {
    this.fail('map merge requires map or sequence of maps as the value', node)
  }

  private check(value: Json): void {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
      throw yamlError(this.options, `json: unsupported value: ${text}`)
    }
    if (typeof value !== 'object' || value === null) return
    if (isObject(value) && (value as { readonly [general]?: boolean })[general]) {
      throw yamlError(this.options, 'json: unsupported type: map[interface {}]interface {}')
    }
    for (const child of Object.values(value)) this.check(child)
  }
}

function textOf(node: YamlNode): string {
  return node.kind === 'alias' && node.target !== undefined ? textOf(node.target) : node.value
}

function isMerge(node: YamlNode): boolean {
  if (node.kind !== 'scalar' || node.value !== '<<') return false
  return node.tag === '' || node.tag === '!' || node.tag === '!!merge'
}
