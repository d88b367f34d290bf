import { defineKey, type Json } from '../json/index.ts'
import { AliasBudget } from './alias-budget.ts'
import { binaryText } from './binary.ts'
import { formatFloatG } from './go-float.ts'
import { goKeyText, goSyntax } from './go-syntax.ts'
import type { YamlNode } from './node.ts'
import { type SourceOptions, yamlError } from './problem.ts'
import { mismatch, type Resolved, resolveTagged } from './resolve.ts'
import { isMergeKey } from './tags.ts'

type Target = { [key: string]: Json }

/**
 * How integers are handed over. `exact`: int64 and uint64 as bigint where a double would round them. `int64`: as
 * Kubernetes decodes unstructured objects, where uint64 beyond int64 is a float. `float64`: as Go's JSON decoder does
 * into `any`, rounding everything.
 */
export type NumberMode = 'exact' | 'int64' | 'float64'

export interface DecodeOptions extends SourceOptions {
  /** A key that is set twice is an error. */
  readonly strict?: boolean | undefined
  readonly numbers?: NumberMode | undefined
  /**
   * Numbers and booleans as the text that sigs.k8s.io/yaml puts into a Go string: for fields of that type, such as those
   * of Chart.yaml, where `1e6` becomes `1e+06` and `1.10` becomes `1.1`.
   */
  readonly scalarsAsText?: boolean | undefined
}

/** A key that JSON cannot have, kept with its mapping until it is sure that the mapping survives. */
const badKey = Symbol('bad key')

interface BadPair {
  readonly key: YamlNode
  readonly value: YamlNode
}

const maxMessages = 1000

/**
 * The value of a document as sigs.k8s.io/yaml converts it to JSON, from nodes read in the v2 dialect.
 *
 * Errors: YAML_INVALID in Go's words.
 * Source: go.yaml.in/yaml v2.4.3 decode.go, sigs.k8s.io/yaml v1.6.0 yaml.go
 */
export function decodeV2(document: YamlNode, options: DecodeOptions): Json {
  return new Decoder(options).document(document)
}

class Decoder {
  private readonly options: DecodeOptions
  private readonly numbers: NumberMode
  private readonly budget: AliasBudget
  private readonly messages: string[] = []
  private suspicious = false

  constructor(options: DecodeOptions) {
    this.options = options
    this.numbers = options.numbers ?? 'exact'
    this.budget = new AliasBudget(options)
  }

  document(document: YamlNode): Json {
    this.budget.count()
    const value = this.value(document.content[0]!)
    if (this.messages.length > 0) {
      throw yamlError(this.options, `yaml: unmarshal errors:\n  ${this.messages.join('\n  ')}`)
    }
    if (this.suspicious) {
      this.checkKeys(value)
      this.checkNumbers(value)
    }
    return value
  }

  private value(node: YamlNode): Json {
    this.budget.count()
    switch (node.kind) {
      case 'scalar':
        return this.scalar(node)
      case 'sequence': {
        const items: Json[] = []
        for (const item of node.content) items.push(this.value(item))
        return items
      }
      case 'mapping': {
        const object: Target = {}
        this.mapping(node, object, this.options.strict ? new Set() : undefined)
        return object
      }
      default: {
        this.budget.enter(node)
        const value = this.value(node.target!)
        this.budget.leave(node)
        return value
      }
    }
  }

  private scalar(node: YamlNode): Json {
    const { tag, value } = this.resolve(node)
    // v2 leaves dates as they are written
    if (tag === '!!timestamp') return node.value
    if (this.options.scalarsAsText && value !== null && tag !== '!!str') return goText(tag, value)
    if (typeof value === 'number' && !Number.isFinite(value)) this.suspicious = true
    if (typeof value === 'bigint') {
      if (this.numbers === 'float64') return Number(value)
      if (this.numbers === 'int64' && value >= 2n ** 63n) return Number(value)
    }
    return value
  }

  private resolve(node: YamlNode): Resolved {
    if (node.tag === '') {
      if (node.style !== '') return { tag: '!!str', value: node.value }
      return resolveTagged('', node.value, 'v2')!
    }
    if (node.tag === '!!binary') {
      const text = binaryText(node.value)
      if (text === undefined) this.fail('!!binary value contains invalid base64 data', node)
      return { tag: '!!str', value: text }
    }
    const resolved = resolveTagged(node.tag, node.value, 'v2')
    if (resolved === undefined) this.fail(mismatch(node.tag, node.value, 'v2'), node)
    return resolved
  }

  private fail(problem: string, node: YamlNode): never {
    throw yamlError(this.options, 'yaml: ' + problem, {
      line: node.line - 1,
      column: node.column - 1,
    })
  }

  /** Sets the pairs of a mapping in the order of the document; a merge overwrites what stands before it. */
  private mapping(node: YamlNode, target: Target, seen: Set<string> | undefined): void {
    const { content } = node
    for (let i = 0; i < content.length; i += 2) {
      const keyNode = content[i]!
      const valueNode = content[i + 1]!
      if (isMergeKey(keyNode, 'v2')) {
        this.merge(valueNode, target, seen)
        continue
      }
      const key = this.key(keyNode, valueNode, target)
      const value = this.value(valueNode)
      if (seen !== undefined && !this.isNew(keyNode, valueNode, seen)) continue
      if (key !== undefined) defineKey(target, key, value)
    }
  }

  private key(node: YamlNode, valueNode: YamlNode, target: Target): string | undefined {
    if (node.kind === 'scalar' && node.tag === '' && node.style !== '') {
      this.budget.count()
      return node.value
    }
    this.value(node)
    const real = node.kind === 'alias' ? node.target! : node
    if (real.kind !== 'scalar') this.fail(`invalid map key: ${goSyntax(real, 'v2')}`, node)
    const resolved = this.resolve(real)
    if (resolved.tag === '!!str') return resolved.value as string
    if (resolved.tag === '!!timestamp') return real.value
    const text = goKeyText(resolved)
    if (text === undefined) {
      this.suspicious = true
      const pair: BadPair = { key: real, value: valueNode }
      Object.defineProperty(target, badKey, { value: pair, configurable: true })
    }
    return text
  }

  private isNew(keyNode: YamlNode, valueNode: YamlNode, seen: Set<string>): boolean {
    const real = keyNode.kind === 'alias' ? keyNode.target! : keyNode
    const key = goSyntax(real, 'v2')
    if (!seen.has(key)) {
      seen.add(key)
      return true
    }
    if (this.messages.length < maxMessages) {
      this.messages.push(`line ${valueNode.line}: key ${key} already set in map`)
    }
    return false
  }

  private merge(node: YamlNode, target: Target, seen: Set<string> | undefined): void {
    if (node.kind === 'mapping') {
      this.budget.count()
      this.mapping(node, target, seen)
    } else if (node.kind === 'alias' && node.target!.kind === 'mapping') {
      this.budget.count()
      this.budget.enter(node)
      this.budget.count()
      this.mapping(node.target!, target, seen)
      this.budget.leave(node)
    } else if (node.kind === 'sequence') {
      for (let i = node.content.length - 1; i >= 0; i--) {
        const item = node.content[i]!
        if (item.kind === 'sequence') this.failMerge(item)
        this.merge(item, target, seen)
      }
    } else {
      this.failMerge(node)
    }
  }

  private failMerge(node: YamlNode): never {
    this.fail('map merge requires map or sequence of maps as the value', node)
  }

  private checkKeys(value: Json): void {
    if (typeof value !== 'object' || value === null) return
    const bad = (value as { readonly [badKey]?: BadPair })[badKey]
    if (bad !== undefined) {
      const key = goSyntax(bad.key, 'v2')
      const type = key === '<nil>' ? '%!s(<nil>)' : 'uint64'
      throw yamlError(
        this.options,
        `unsupported map key of type: ${type}, key: ${key}, value: ${goSyntax(bad.value, 'v2')}`,
      )
    }
    for (const child of Object.values(value)) this.checkKeys(child)
  }

  private checkNumbers(value: Json): void {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
      throw yamlError(this.options, `json: unsupported value: ${text}`)
    }
    if (typeof value !== 'object' || value === null) return
    for (const child of Object.values(value)) this.checkNumbers(child)
  }
}

/** Source: sigs.k8s.io/yaml v1.6.0 yaml.go `convertToJSONableObject` */
function goText(tag: Resolved['tag'], value: Exclude<Resolved['value'], null>): string {
  return tag === '!!float' ? formatFloatG(Number(value), 32) : String(value)
}
