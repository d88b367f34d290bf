import type { YamlNode } from './node.ts'
import type { YamlDialect } from './problem.ts'
import { resolvePlain } from './resolve.ts'

/** Whether go-yaml v3 decodes a mapping into `map[string]interface {}`. */
export function hasOnlyTextKeys(node: YamlNode): boolean {
  for (let i = 0; i < node.content.length; i += 2) {
    const tag = tagOf(node.content[i]!)
    if (tag !== '!!str' && tag !== '!!merge') return false
  }
  return true
}

/** The tag of a node in short form; the text decides where none is set. */
export function tagOf(node: YamlNode): string {
  if (node.tag !== '' && node.tag !== '!') return node.tag
  switch (node.kind) {
    case 'mapping':
      return '!!map'
    case 'sequence':
      return '!!seq'
    case 'alias':
      return node.target === undefined ? '' : tagOf(node.target)
    case 'scalar':
      return node.style !== '' ? '!!str' : resolvePlain(node.value, 'v3').tag
    default:
      return ''
  }
}

/** Whether a key is a `<<` that merges. */
export function isMergeKey(node: YamlNode, dialect: YamlDialect): boolean {
  if (node.kind !== 'scalar' || node.value !== '<<') return false
  if (node.tag === '!!merge' || node.tag === '!') return true
  return node.tag === '' && (dialect === 'v3' || node.style === '')
}

/** Whether v3 finds a key twice in a mapping; it compares what is written, not what that means. */
export function hasDoubleKey(node: YamlNode): boolean {
  const seen = new Set<string>()
  for (let i = 0; i < node.content.length; i += 2) {
    const key = node.content[i]!
    const name = `${key.kind} ${key.value}`
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}
