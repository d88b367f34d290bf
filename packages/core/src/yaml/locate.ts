import { isLitecdError } from '../errors/index.ts'
import { Composer } from './compose.ts'
import type { YamlNode } from './node.ts'

/** A place in a text: line and column from 1. */
export interface YamlPlace {
  readonly line: number
  readonly column: number
}

/**
 * Where the first document of a text has what `path` leads to: the key of a field, the first character of a list item.
 * Aliases and merges are followed. Where the path does not lead all the way, the last step that is there, or with
 * `exact` undefined. Undefined when the text cannot be read.
 */
export function locate(
  text: string,
  path: readonly (string | number)[],
  options: { readonly exact?: boolean } = {},
): YamlPlace | undefined {
  return locator(text)(path, options)
}

/** {@link locate} for many questions about one text, which is read when the first one comes. */
export function locator(
  text: string,
): (
  path: readonly (string | number)[],
  options?: { readonly exact?: boolean },
) => YamlPlace | undefined {
  let known: { readonly root: YamlNode | undefined } | undefined
  return (path, options = {}) => {
    known ??= { root: readRoot(text) }
    return known.root === undefined ? undefined : find(known.root, path, options)
  }
}

function find(
  root: YamlNode,
  path: readonly (string | number)[],
  options: { readonly exact?: boolean },
): YamlPlace | undefined {
  let place = root
  let node = root
  for (const step of path) {
    const next = stepInto(resolveAlias(node), step)
    if (next === undefined) {
      if (options.exact) return undefined
      break
    }
    place = next.place
    node = next.value
  }
  return { line: place.line, column: place.column }
}

function readRoot(text: string): YamlNode | undefined {
  try {
    return new Composer(text, 'v2', {}).next()?.content[0]
  } catch (error) {
    if (isLitecdError(error)) return undefined
    throw error
  }
}

function resolveAlias(node: YamlNode): YamlNode {
  return node.kind === 'alias' && node.target !== undefined ? node.target : node
}

interface Found {
  readonly place: YamlNode
  readonly value: YamlNode
}

function stepInto(node: YamlNode, step: string | number): Found | undefined {
  if (node.kind === 'sequence') {
    const item = node.content[Number(step)]
    return item === undefined ? undefined : { place: item, value: item }
  }
  return node.kind === 'mapping' ? field(node, String(step), 0) : undefined
}

const maxMerges = 20

/** The last pair that sets the key, as the decoder has it. */
function field(node: YamlNode, name: string, merges: number): Found | undefined {
  if (merges > maxMerges) return undefined
  for (let i = node.content.length - 2; i >= 0; i -= 2) {
    const place = node.content[i]!
    const value = node.content[i + 1]!
    const key = resolveAlias(place)
    if (key.kind !== 'scalar') continue
    if (key.value === '<<' && key.style === '') {
      const merged = resolveAlias(value)
      const sources = merged.kind === 'sequence' ? merged.content : [merged]
      for (const source of sources) {
        const found = field(resolveAlias(source), name, merges + 1)
        if (found !== undefined) return found
      }
    } else if (key.value === name) {
      return { place, value }
    }
  }
  return undefined
}
