import { isLitecdError } from '../errors/index.ts'
import type { YamlNode } from './node.ts'
import { parseYamlNode } from './parse.ts'

/** A place in a text: line and column from 1. */
export interface YamlPlace {
  readonly line: number
  readonly column: number
}

/**
 * Where the value at `path` stands in the first document of `text`; for a key of a mapping, the key itself. Where the
 * path does not lead all the way, the last step that exists. Undefined when the text cannot be read.
 */
export function locate(text: string, path: readonly (string | number)[]): YamlPlace | undefined {
  let node: YamlNode | undefined
  try {
    node = parseYamlNode(text)
  } catch (error) {
    if (isLitecdError(error)) return undefined
    throw error
  }
  if (node?.kind === 'document') node = node.content[0]
  if (node === undefined) return undefined
  let place: YamlPlace = { line: node.line, column: node.column }
  for (const step of path) {
    const at: YamlNode = node.kind === 'alias' ? (node.target ?? node) : node
    let next: YamlNode | undefined
    if (at.kind === 'sequence' && typeof step === 'number') {
      next = at.content[step]
      if (next !== undefined) place = { line: next.line, column: next.column }
    } else if (at.kind === 'mapping') {
      for (let i = 0; i + 1 < at.content.length; i += 2) {
        const key = at.content[i]!
        if (key.value !== String(step)) continue
        next = at.content[i + 1]
        place = { line: key.line, column: key.column }
      }
    }
    if (next === undefined) break
    node = next
  }
  return place.line === 0 ? undefined : place
}
