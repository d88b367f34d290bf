import { RenderError } from '../../errors/index.ts'
import type { YamlNode } from '../../yaml/index.ts'
import { fail } from './fail.ts'
import { clearField, copyNode } from './node.ts'

/** How much more may be read: nodes, and text that aliases repeat, 64 characters for one. */
export interface NodeBudget {
  left: number
}

/** A tree without anchors, aliases and merge keys. `open` are the aliases on the way here. */
export function withoutAnchors(node: YamlNode, budget: NodeBudget, open: YamlNode[]): YamlNode {
  budget.left -= open.length === 0 ? 1 : 1 + (node.value.length >> 6)
  if (budget.left < 0) {
    throw new RenderError(
      'BUDGET_EXCEEDED',
      open.length === 0
        ? 'the objects of a kustomization have too many nodes'
        : 'yaml: document contains excessive aliasing',
    )
  }
  node.anchor = ''
  if (node.kind === 'alias') {
    const { target } = node
    if (target === undefined || open.includes(target)) {
      return fail(`yaml: anchor '${node.value}' value contains itself`)
    }
    open.push(target)
    const copy = withoutAnchors(copyNode(target), budget, open)
    open.pop()
    return copy
  }
  if (node.kind === 'scalar') return node
  if (node.kind === 'mapping') foldMerge(node)
  const { content } = node
  for (let i = 0; i < content.length; i++) {
    const child = content[i]!
    if (child.kind === 'scalar' && child.anchor === '') {
      budget.left -= open.length === 0 ? 1 : 1 + (child.value.length >> 6)
      continue
    }
    content[i] = withoutAnchors(child, budget, open)
  }
  return node
}

/** Replaces `<<` by what it brings: earlier maps win over later ones, own keys over all. */
function foldMerge(node: YamlNode): void {
  let value: YamlNode | undefined
  for (let i = 0; i < node.content.length; i += 2) {
    if (node.content[i]!.tag !== '!!merge') continue
    if (value !== undefined) fail('duplicate merge key')
    value = node.content[i + 1]!
  }
  if (value === undefined) return
  const own = [...node.content]
  clearField(node, '<<')
  const present = new Set<string>()
  for (let i = 0; i < own.length; i += 2) present.add(own[i]!.value)
  // maps given first are the stronger ones
  for (const map of mergedMaps(value).reverse()) {
    for (let i = 0; i < map.content.length; i += 2) {
      const key = map.content[i]!
      if (key.tag === '!!merge') {
        node.content.push(copyNode(key), copyNode(map.content[i + 1]!))
        foldMerge(node)
        for (let j = 0; j < node.content.length; j += 2) present.add(node.content[j]!.value)
        continue
      }
      if (present.has(key.value)) continue
      present.add(key.value)
      node.content.push(copyNode(key), copyNode(map.content[i + 1]!))
    }
  }
}

/** Weakest first. */
function mergedMaps(value: YamlNode): YamlNode[] {
  if (value.kind === 'mapping') return [value]
  if (value.kind === 'alias') {
    if (value.target?.kind !== 'mapping') {
      fail('invalid map merge: received alias for a non-map value')
    }
    return [value.target]
  }
  if (value.kind !== 'sequence') {
    return fail('map merge requires map or sequence of maps as the value')
  }
  let maps: YamlNode[] = []
  for (const item of value.content) {
    if (item.kind === 'sequence') fail('invalid map merge: received a nested sequence')
    maps = [...mergedMaps(item), ...maps]
  }
  return maps
}
