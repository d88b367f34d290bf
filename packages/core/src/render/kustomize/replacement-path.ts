import { isLitecdError } from '../../errors/index.ts'
import { compileRegexp, RegexpIssue, trimSpace } from '../../text/index.ts'
import { parseYamlNode, YamlNode } from '../../yaml/index.ts'
import { splitPath } from './config.ts'
import { fail } from './fail.ts'
import { expectKind, formatNode, getField, isMissing, scalar } from './node.ts'

/** Cuts a path at dots; `[a.b]` is one name, `[k=v.w]` one selector of an element. */
export function splitFieldPath(path: string): string[] {
  const parts = splitPath(path, '.')
  const out: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    if (!part.startsWith('[') || part.endsWith(']')) {
      out.push(part)
      continue
    }
    let joined = part
    while (i + 1 < parts.length) {
      joined += '.' + parts[++i]!
      if (parts[i]!.endsWith(']')) break
    }
    out.push(joined.includes('=') ? joined : joined.replace(/^[[\]]+|[[\]]+$/g, ''))
  }
  return out
}

const isElement = (part: string): boolean => part.startsWith('[') && part.endsWith(']')
const isIndex = (part: string): boolean => /^\+?\d+$/.test(part)

function splitElement(part: string): { readonly key: string; readonly value: string } {
  const inner = part.replace(/\]$/, '').replace(/^\[/, '')
  const equals = inner.indexOf('=')
  if (equals === -1) {
    fail('list path element must contain fieldName=fieldValue for element to match')
  }
  return { key: inner.slice(0, equals), value: inner.slice(equals + 1) }
}

/** The node at a path, as sources of replacements and vars are found; undefined when it is missing. */
export function lookUp(root: YamlNode, path: readonly string[]): YamlNode | undefined {
  let at: YamlNode | undefined = root
  for (const raw of path) {
    const part = trimSpace(raw)
    if (part === '') continue
    if (/^[+-]?\d+$/.test(part) || part === '-') {
      const index = part === '-' ? -1 : Number(part)
      if (index < 0 && part !== '-') fail(`array index ${index} cannot be negative`)
      expectKind(at, 'sequence')
      at = at.content.at(index)
    } else if (part === '*') fail('wildcard is not supported in PathGetter')
    else if (isElement(part)) {
      const { key, value } = splitElement(part)
      expectKind(at, 'sequence')
      at = at.content.find((item) =>
        key === '' ? item.value === value : getField(item, key)?.value === value,
      )
    } else {
      if (isMissing(at)) return undefined
      expectKind(at, 'mapping')
      at = getField(at, part)
    }
    if (at === undefined) return undefined
  }
  return at
}

export type CreateKind = 'mapping' | 'sequence' | 'scalar' | undefined

/**
 * All nodes at a path, as targets of replacements are found. With `create` what is missing is made, the last node of
 * that kind.
 *
 * Source: kustomize v5.8.1 kyaml/yaml/match.go
 */
export function matchPath(node: YamlNode, path: readonly string[], create: CreateKind): YamlNode[] {
  const [part, ...rest] = path
  if (part === undefined) return [node]
  if (isIndex(part)) return matchIndex(node, Number(part), rest, create)
  if (isElement(part)) return matchElements(node, part, rest, create)
  if (part === '*') {
    expectKind(node, 'sequence')
    return node.content.flatMap((item) => matchPath(item, rest, create))
  }
  return matchField(node, part, rest, create)
}

function kindFor(next: string | undefined, create: NonNullable<CreateKind>): YamlNode {
  if (next === undefined) return new YamlNode(create)
  return new YamlNode(isElement(next) || isIndex(next) ? 'sequence' : 'mapping')
}

function matchField(
  node: YamlNode,
  name: string,
  rest: readonly string[],
  create: CreateKind,
): YamlNode[] {
  expectKind(node, 'mapping')
  let field = isMissing(node) ? undefined : getField(node, name)
  if (field === undefined) {
    if (create === undefined) return []
    field = kindFor(rest[0], create)
    node.content.push(scalar(name), field)
  }
  if (field.kind === 'scalar' && rest.length > 0) {
    const inner = parseScalar(field.value)
    return inner === undefined ? [] : matchPath(inner, rest, create)
  }
  return matchPath(field, rest, create)
}

function parseScalar(text: string): YamlNode | undefined {
  return parseYamlNode(text)?.content[0]
}

function matchIndex(
  node: YamlNode,
  index: number,
  rest: readonly string[],
  create: CreateKind,
): YamlNode[] {
  expectKind(node, 'sequence')
  const { content } = node
  if (index === content.length && create !== undefined) content.push(kindFor(rest[0], create))
  if (content.length < index + 1) {
    fail(`index ${index} specified but only ${content.length} elements found`)
  }
  return matchPath(content[index]!, rest, create)
}

function matchElements(
  node: YamlNode,
  part: string,
  rest: readonly string[],
  create: CreateKind,
): YamlNode[] {
  const { key, value } = splitElement(part)
  const pattern = compileRegexp(value)
  if (pattern instanceof RegexpIssue) return fail(pattern.message)
  expectKind(node, 'sequence')
  const matches = (item: YamlNode): boolean => {
    const field = key === '' ? item : getField(item, key)
    return field !== undefined && pattern.test(trimSpace(formatNode(field)))
  }
  const find = (): YamlNode[] =>
    node.content
      .filter(matches)
      .flatMap((item) => (key === '' ? [item] : matchPath(item, rest, create)))
  const found = find()
  if (found.length > 0 || create === undefined) return found
  if (key === '') node.content.push(scalar(value))
  else {
    const element = new YamlNode('mapping')
    element.content.push(scalar(key), scalar(value))
    node.content.push(element)
  }
  return find()
}

/** The document in a text, and where in it a path ends; undefined when the text holds none. */
export function openText(text: string): YamlNode | undefined {
  try {
    return parseYamlNode(text)
  } catch (error) {
    if (isLitecdError(error) && error.code === 'BUDGET_EXCEEDED') throw error
    return undefined // the text is no YAML, so that the path does not go on inside
  }
}
