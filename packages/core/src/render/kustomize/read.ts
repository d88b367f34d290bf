import { isLitecdError, RenderError } from '../../errors/index.ts'
import { formatJson, isObject, type Json } from '../../json/index.ts'
import { trimSpace } from '../../text/index.ts'
import { decodeYamlNode, parseYamlNode, type YamlNode } from '../../yaml/index.ts'
import { type NodeBudget, withoutAnchors } from './anchors.ts'
import { concealQuotes } from './conceal.ts'
import { fail } from './fail.ts'
import { getField, isEmpty, isMissing } from './node.ts'
import { Resource } from './resource.ts'

/** What one file or text may grow to when its anchors are expanded. */
const maxNodes = 1_000_000

/**
 * Objects of a text: documents cut at `---`, anchors expanded, Lists replaced by their items.
 *
 * Errors: KUSTOMIZE_FAILED in kustomize's words, BUDGET_EXCEEDED for alias bombs.
 * Source: kustomize v5.8.1 kyaml/kio/byteio_reader.go, api/resource/factory.go
 */
export function readResources(
  text: string,
  file: string,
  budget: NodeBudget = { left: maxNodes },
): Resource[] {
  const nodes = expandLists(checked(readNodes(text, file, budget)), budget)
  return nodes.map(({ node, line }) => resourceOf(node, file, line))
}

function resourceOf(node: YamlNode, file: string, line: number | undefined): Resource {
  const resource = new Resource(node)
  resource.file = file
  resource.line = line
  return resource
}

/**
 * Objects of a text, Lists as they are, without those that are only there for the build. What is null or empty is left
 * out first: undefined when nothing else is there.
 */
export function readPlainResources(text: string, file: string): Resource[] | undefined {
  const nodes = readNodes(text, file)
  if (nodes.length === 0) return undefined
  const resources = checked(nodes).map(({ node, line }) => resourceOf(node, file, line))
  return resources.filter((resource) => {
    const mark = resource.annotations().get(localConfig)
    return mark === undefined || mark === 'false'
  })
}

/** Marks objects that take part in the build and are not in its result. */
export const localConfig = 'config.kubernetes.io/local-config'

interface Found {
  readonly node: YamlNode
  readonly line: number | undefined
}

function readNodes(text: string, file: string, budget: NodeBudget = { left: maxNodes }): Found[] {
  const pieces = splitText(text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text)
  const found: Found[] = []
  for (const piece of pieces) {
    const document = parsePiece(piece, file)
    const node = document?.content[0]
    if (document === undefined || isMissing(node)) continue
    const meta = metaOf(node)
    const isList = meta?.kind === 'List' || meta?.kind === 'ResourceList'
    if (pieces.length === 1 && isList) {
      const items = getField(node, 'items')
      if (items !== undefined || getField(node, 'functionConfig') !== undefined) {
        for (const item of items?.content ?? [])
          found.push({ node: item, line: item.line || undefined })
        continue
      }
    }
    found.push({ node, line: piece.line + node.line - 1 })
  }
  const start = budget.left
  // one text may not use all that a build has
  const own = { left: Math.min(start, maxNodes) }
  const allowed = own.left
  const read = found.map(({ node, line }) => ({ node: withoutAnchors(node, own, []), line }))
  budget.left = start - (allowed - own.left)
  return read
}

interface Piece {
  readonly text: string
  readonly line: number
}

function splitText(text: string): Piece[] {
  if (text === '') return []
  const pieces: Piece[] = []
  let start = 0
  let line = 1
  let at = 0
  for (;;) {
    const feed = text.indexOf('\n---', at)
    if (feed === -1) break
    const end = text.indexOf('\n', feed + 1)
    if (end === -1) break
    const rest = trimSpace(text.slice(feed + 4, end))
    if (rest !== '' && !rest.startsWith('#')) {
      fail(`invalid document separator: ${trimSpace(text.slice(feed, end + 1))}`)
    }
    const part = text.slice(start, feed) + '\n'
    pieces.push({ text: part, line })
    line += countLines(part) + 1
    start = end + 1
    at = start
  }
  pieces.push({ text: text.slice(start), line })
  return pieces
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function parsePiece(piece: Piece, file: string): YamlNode | undefined {
  try {
    return parseYamlNode(piece.text, { path: file, line: piece.line })
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'YAML_INVALID') throw error
    const message = /Secret/.test(piece.text) ? concealQuotes(error.message) : error.message
    throw new RenderError('KUSTOMIZE_FAILED', `MalformedYAMLError: ${message}`, {
      position: error.position,
      cause: message === error.message ? error : undefined,
    })
  }
}

interface Meta {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly labels: YamlNode | undefined
  readonly annotations: YamlNode | undefined
}

/** undefined where nothing of an object is there. */
function metaOf(node: YamlNode): Meta | undefined {
  const present = (map: YamlNode | undefined, name: string): YamlNode | undefined => {
    const value = getField(map, name)
    return isEmpty(value) ? undefined : value
  }
  const apiVersion = present(node, 'apiVersion')
  const kind = present(node, 'kind')
  const metadata = present(node, 'metadata')
  const name = present(metadata, 'name')
  const namespace = present(metadata, 'namespace')
  const labels = present(metadata, 'labels')
  const annotations = present(metadata, 'annotations')
  if (
    ![apiVersion, kind, name, namespace, labels, annotations].some((part) => part !== undefined)
  ) {
    return undefined
  }
  return {
    apiVersion: apiVersion?.value ?? '',
    kind: kind?.value ?? '',
    name: name?.value ?? '',
    namespace: namespace?.value ?? '',
    labels,
    annotations,
  }
}

/** Errors unless the object has a kind and, Lists excepted, a name. */
export function checkMeta(node: YamlNode): void {
  const meta = metaOf(node)
  if (meta === undefined) fail('missing Resource metadata')
  if (meta.kind === '') fail(`missing kind in object ${metaText(meta)}`)
  if (meta.kind.endsWith('List')) return
  if (meta.name === '') fail(`missing metadata.name in object ${metaText(meta)}`)
}

function metaText(meta: Meta): string {
  const map = (node: YamlNode | undefined): string => {
    const pairs: string[] = []
    if (node?.kind === 'mapping') {
      for (let i = 0; i < node.content.length; i += 2) {
        pairs.push(`${node.content[i]!.value}:${node.content[i + 1]!.value}`)
      }
    }
    return `map[${pairs.sort().join(' ')}]`
  }
  const labels = map(meta.labels)
  const annotations = map(meta.annotations)
  return `{{${meta.apiVersion} ${meta.kind}} {{${meta.name} ${meta.namespace}} ${labels} ${annotations}}}`
}

function checked(found: readonly Found[]): Found[] {
  const kept: Found[] = []
  for (const item of found) {
    if (isEmpty(item.node)) continue
    checkMeta(item.node)
    kept.push(item)
  }
  return kept
}

function expandLists(found: readonly Found[], budget: NodeBudget): Found[] {
  const queue = [...found]
  const out: Found[] = []
  for (let at = 0; at < queue.length; at++) {
    const item = queue[at]!
    const kind = getField(item.node, 'kind')?.value ?? ''
    if (!kind.endsWith('List')) {
      out.push(item)
      continue
    }
    const map = listValue(item.node, kind)
    if (!isObject(map) || !Object.hasOwn(map, 'items')) {
      out.push(item)
      continue
    }
    const items = map['items']
    if (items === null) continue
    if (!Array.isArray(items)) {
      return fail(`expected array in ${kind}/items, but found ${goType(items as Json)}`)
    }
    for (const value of items) {
      const nodes = readNodes(formatJson(value as Json), '', budget)
      queue.push(...checked(nodes.map(({ node }) => ({ node, line: item.line }))))
    }
  }
  return out
}

function listValue(node: YamlNode, kind: string): Json {
  try {
    return decodeYamlNode(node)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const message =
      kind === 'SecretList' || kind === 'List' ? concealQuotes(error.message) : error.message
    return fail(`trouble expanding list of ${kind}; ${message}`, error.position)
  }
}

function goType(value: Json): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float64'
    default:
      return 'map[string]interface {}'
  }
}
