import { compareStrings } from '../json/index.ts'
import { formatFloatG } from './go-float.ts'
import type { YamlNode } from './node.ts'
import type { YamlDialect } from './problem.ts'
import { type Resolved, resolveTagged } from './resolve.ts'
import { hasOnlyTextKeys, tagOf } from './tags.ts'

const maxLength = 4096

/** What Go's `%#v` prints for the value that go-yaml makes of a node; shown in messages about keys. */
export function goSyntax(node: YamlNode, dialect: YamlDialect): string {
  return new Printer(dialect).print(node, maxLength)
}

class Printer {
  private readonly dialect: YamlDialect

  constructor(dialect: YamlDialect) {
    this.dialect = dialect
  }

  print(node: YamlNode, budget: number): string {
    if (budget <= 0) return '...'
    switch (node.kind) {
      case 'alias':
        return this.print(node.target!, budget - 8)
      case 'sequence': {
        let out = '[]interface {}{'
        for (const [i, item] of node.content.entries()) {
          if (out.length > budget) break
          out += (i > 0 ? ', ' : '') + this.inner(item, budget - out.length)
        }
        return out + '}'
      }
      case 'mapping':
        return this.mapping(node, budget)
      default:
        return printScalar(this.resolve(node))
    }
  }

  /** Inside a collection a nil shows its static type. */
  private inner(node: YamlNode, budget: number): string {
    const text = this.print(node, budget)
    return text === '<nil>' ? 'interface {}(nil)' : text
  }

  private mapping(node: YamlNode, budget: number): string {
    const entries = new Map<string, { rank: number; size: number; text: string; value: string }>()
    let used = 0
    for (let i = 0; i < node.content.length && used < budget; i += 2) {
      const key = node.content[i]!
      const text = this.inner(key, budget - used)
      const value = this.inner(node.content[i + 1]!, budget - used)
      used += text.length + value.length
      const resolved = key.kind === 'scalar' ? this.resolve(key) : undefined
      entries.set(text, { ...order(resolved), text, value })
    }
    const sorted = [...entries.values()].sort(
      (a, b) => a.rank - b.rank || a.size - b.size || compareStrings(a.text, b.text),
    )
    const type = this.dialect === 'v3' && hasOnlyTextKeys(node) ? 'string' : 'interface {}'
    return `map[${type}]interface {}{${sorted.map((e) => `${e.text}:${e.value}`).join(', ')}}`
  }

  private resolve(node: YamlNode): Resolved {
    const text: Resolved = { tag: '!!str', value: node.value }
    if (this.dialect === 'v3') return resolveTagged(tagOf(node), node.value, 'v3') ?? text
    if (node.tag === '') return node.style === '' ? resolveTagged('', node.value, 'v2')! : text
    const resolved = resolveTagged(node.tag, node.value, 'v2') ?? text
    return resolved.tag === '!!timestamp' ? text : resolved
  }
}

/** Go prints maps in order of their keys: nil first, then by kind. */
function order(key: Resolved | undefined): { rank: number; size: number } {
  const value = key?.value
  if (value === null || value === undefined) return { rank: 0, size: 0 }
  if (typeof value === 'boolean') return { rank: 1, size: value ? 1 : 0 }
  if (key?.tag === '!!int') return { rank: 2, size: Number(value) }
  if (typeof value === 'number') return { rank: 3, size: value }
  return { rank: 4, size: 0 }
}

function printScalar(resolved: Resolved): string {
  const { tag, value } = resolved
  if (value === null) return '<nil>'
  if (typeof value === 'string') return quoteGo(value)
  if (typeof value === 'boolean') return String(value)
  if (tag === '!!float') return formatFloatG(Number(value))
  return typeof value === 'bigint' && value >= 2n ** 63n ? '0x' + value.toString(16) : String(value)
}

const shortEscapes: { readonly [char: string]: string } = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

/** A string as Go's `strconv.Quote` writes it. */
export function quoteGo(text: string): string {
  let out = ''
  for (const char of text) {
    const short = shortEscapes[char]
    if (short !== undefined) out += short
    else if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) out += char
    else {
      const code = char.codePointAt(0)!
      if (code < 0x80) out += '\\x' + code.toString(16).padStart(2, '0')
      else if (code < 0x10000) out += '\\u' + code.toString(16).padStart(4, '0')
      else out += '\\U' + code.toString(16).padStart(8, '0')
    }
  }
  return `"${out}"`
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
