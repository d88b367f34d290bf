import { compareStrings } from '../json/index.ts'
import { monthNames, quoteGo } from '../text/index.ts'
import { formatFloatG } from './go-float.ts'
import type { YamlNode } from './node.ts'
import type { YamlDialect } from './problem.ts'
import { type Resolved, resolveTagged } from './resolve.ts'
import { hasDoubleKey, hasOnlyTextKeys, isMergeKey, tagOf } from './tags.ts'

const maxNodes = 1000

/**
 * What Go's `%#v` prints for the value that go-yaml makes of a node; shown in messages about keys. The node must have
 * been decoded without an error. Behind a thousand nodes the text breaks off.
 */
export function goSyntax(node: YamlNode, dialect: YamlDialect): string {
  return new Printer(dialect).print(node)
}

interface Entry {
  readonly rank: number
  readonly size: number
  readonly key: string
  readonly value: YamlNode
}

class Printer {
  private readonly dialect: YamlDialect
  private nodes = 0

  constructor(dialect: YamlDialect) {
    this.dialect = dialect
  }

  print(node: YamlNode): string {
    if (++this.nodes > maxNodes) return '...'
    switch (node.kind) {
      case 'alias':
        return this.print(node.target!)
      case 'sequence': {
        const items: string[] = []
        for (const item of node.content) {
          if (this.nodes > maxNodes) break
          if (!this.isLost(item)) items.push(this.inner(item))
        }
        return `[]interface {}{${items.join(', ')}}`
      }
      case 'mapping':
        return this.mapping(node)
      default:
        return printScalar(this.resolve(node))
    }
  }

  /** v3 reports a mapping with a double key, and goes on without it. */
  private isLost(node: YamlNode): boolean {
    const real = node.kind === 'alias' ? node.target! : node
    return this.dialect === 'v3' && real.kind === 'mapping' && hasDoubleKey(real)
  }

  /** Inside a collection a nil shows its static type. */
  private inner(node: YamlNode): string {
    const text = this.print(node)
    return text === '<nil>' ? 'interface {}(nil)' : text
  }

  private mapping(node: YamlNode): string {
    const textKeys = this.dialect === 'v3' && hasOnlyTextKeys(node)
    const entries = new Map<string, Entry>()
    this.collect(node, entries, textKeys)
    const sorted = [...entries.values()].sort(
      (a, b) => a.rank - b.rank || a.size - b.size || compareStrings(a.key, b.key),
    )
    const pairs: string[] = []
    for (const { key, value } of sorted) {
      if (this.nodes > maxNodes) break
      if (!this.isLost(value)) pairs.push(`${key}:${this.inner(value)}`)
    }
    return `map[${textKeys ? 'string' : 'interface {}'}]interface {}{${pairs.join(', ')}}`
  }

  /** v2 applies a merge where it stands and overwrites, v3 at the end and does not. */
  private collect(node: YamlNode, entries: Map<string, Entry>, textKeys: boolean): void {
    const merges: YamlNode[] = []
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      if (++this.nodes > maxNodes) return
      const keyNode = node.content[i]!
      const value = node.content[i + 1]!
      if (isMergeKey(keyNode, this.dialect)) {
        if (this.dialect === 'v2') this.collectMerge(value, entries, textKeys)
        else merges.push(value)
        continue
      }
      const real = keyNode.kind === 'alias' ? keyNode.target! : keyNode
      const resolved = this.resolve(real)
      if (textKeys && (resolved.value === null || real.kind !== 'scalar')) continue
      const key = textKeys ? quoteGo(textOf(resolved, real)) : this.inner(real)
      if (this.dialect === 'v3' && entries.has(key)) continue
      entries.set(key, { ...order(textKeys ? undefined : resolved), key, value })
    }
    for (const merge of merges) this.collectMerge(merge, entries, textKeys)
  }

  private collectMerge(value: YamlNode, entries: Map<string, Entry>, textKeys: boolean): void {
    const merged = value.kind === 'alias' ? value.target! : value
    const sources = merged.kind === 'sequence' ? [...merged.content] : [merged]
    if (this.dialect === 'v2') sources.reverse()
    for (const source of sources) {
      if (++this.nodes > maxNodes) return
      this.collect(source.kind === 'alias' ? source.target! : source, entries, textKeys)
    }
  }

  private resolve(node: YamlNode): Resolved {
    const text: Resolved = { tag: '!!str', value: node.value }
    if (this.dialect === 'v3') return resolveTagged(tagOf(node), node.value, 'v3') ?? text
    if (node.tag === '' && node.style !== '') return text
    const resolved = resolveTagged(node.tag, node.value, 'v2') ?? text
    // version 2 of go-yaml leaves times as text where any value may stand
    return resolved.tag === '!!timestamp' ? text : resolved
  }
}

function textOf(resolved: Resolved, node: YamlNode): string {
  return typeof resolved.value === 'string' ? resolved.value : node.value
}

const ranks = { '!!str': 1, '!!int': 3, '!!float': 4, '!!bool': 5, '!!timestamp': 6, '!!null': 0 }

/** Go prints maps in order of their keys: nil first, then by type in the order that these have in the real binaries. */
function order(key: Resolved | undefined): { rank: number; size: number } {
  if (key === undefined) return { rank: 1, size: 0 }
  const { tag, value } = key
  if (typeof value === 'bigint' && value >= 2n ** 63n) return { rank: 2, size: Number(value) }
  const size = typeof value === 'string' ? 0 : Number(value)
  return { rank: ranks[tag], size }
}

function printScalar({ tag, value }: Resolved): string {
  if (value === null) return '<nil>'
  if (typeof value === 'string') return tag === '!!timestamp' ? printTime(value) : quoteGo(value)
  if (typeof value === 'boolean') return String(value)
  if (tag === '!!float') return formatFloatG(Number(value))
  return typeof value === 'bigint' && value >= 2n ** 63n ? '0x' + value.toString(16) : String(value)
}

const rfc3339 = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?(Z|.*)$/

function printTime(text: string): string {
  const [, year, month, day, hour, minute, second, fraction, zone] = rfc3339.exec(text)!
  const nanos = (fraction ?? '').padEnd(9, '0')
  const numbers = [day, hour, minute, second, nanos].map(Number).join(', ')
  const place = zone === 'Z' ? 'time.UTC' : 'time.Location("")'
  return `time.Date(${Number(year)}, time.${monthNames[Number(month) - 1]}, ${numbers}, ${place})`
}

/** The text of a key that is no string in the document; undefined for null and for uint64 beyond int64. */
export function goKeyText(key: Resolved): string | undefined {
  const { tag, value } = key
  if (value === null) return undefined
  if (typeof value === 'bigint' && value >= 2n ** 63n) return undefined
  if (tag !== '!!float') return String(value)
  const text = formatFloatG(Number(value), 32)
  if (text === 'NaN') return '.nan'
  return text === '+Inf' ? '.inf' : text === '-Inf' ? '-.inf' : text
}
