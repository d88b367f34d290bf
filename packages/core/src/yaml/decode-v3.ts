import { defineKey, isObject, type Json } from '../json/index.ts'
import { quoteGo } from '../text/index.ts'
import { AliasBudget } from './alias-budget.ts'
import { binaryText } from './binary.ts'
import { goSyntax } from './go-syntax.ts'
import type { YamlNode } from './node.ts'
import { type SourceOptions, yamlError } from './problem.ts'
import { mismatch, type Resolved, resolveTagged } from './resolve.ts'
import { hasOnlyTextKeys, isMergeKey, tagOf } from './tags.ts'

type Target = { [key: string]: Json }

/** Marks a mapping that Go decodes into `map[interface {}]interface {}`, which JSON cannot hold. */
const general = Symbol('general map')

const maxMessages = 1000

const badZone = /^\d{4}-\d\d-\d\dT[\d:.]+[-+]2[45]:\d\d$/

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
    const { tag, value } = this.resolve(node)
    if (tag === '!!timestamp' && badZone.test(String(value))) this.suspicious = true
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
      const text = binaryText(node.value)
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
      if (isMergeKey(keyNode, 'v3')) {
        merge = valueNode
        continue
      }
      const key = this.key(keyNode, textKeys, merged !== undefined)
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
          const key = this.key(node.content[i]!, false, true)
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

  private key(node: YamlNode, textKeys: boolean, isHashed: boolean): string | undefined {
    const real = node.kind === 'alias' ? node.target! : node
    if (textKeys && real.kind !== 'scalar') {
      this.refuseText(real)
      return undefined
    }
    const value = this.value(node)
    if (typeof value === 'object' && value !== null) {
      if (!isHashed) this.fail(`invalid map key: ${goSyntax(node, 'v3')}`, node)
      // Parity: while merging, go-yaml first looks the key up among those that are set.
      this.fail(`runtime error: hash of unhashable type ${typeOf(real)}`, node)
    }
    if (value === undefined) return undefined
    // Parity: a null does not fit a string, so that its pair is left out; other keys fit, but not into JSON.
    if (value === null) return textKeys ? undefined : ''
    return typeof value === 'string' ? value : textOf(node)
  }

  /** A collection where Go wants a string for a key. */
  private refuseText(node: YamlNode): void {
    if (node.kind === 'mapping' && !this.areUnique(node)) return
    const tag = tagOf(node)
    const text = tag === '!!map' || tag === '!!seq' ? tag : `${tag} \`\``
    this.messages.push(`line ${node.line}: cannot unmarshal ${text} into string`)
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
    if (typeof value === 'string' && badZone.test(value)) {
      const reason = 'Time.MarshalJSON: timezone hour outside of range [0,23]'
      throw yamlError(this.options, `json: error calling MarshalJSON for type time.Time: ${reason}`)
    }
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

function typeOf(node: YamlNode): string {
  if (node.kind === 'sequence') return '[]interface {}'
  return hasOnlyTextKeys(node) ? 'map[string]interface {}' : 'map[interface {}]interface {}'
}

function textOf(node: YamlNode): string {
  return node.kind === 'alias' && node.target !== undefined ? textOf(node.target) : node.value
}
