import { baseName } from '../../files/index.ts'
import { formatJson, type Json } from '../../json/index.ts'
import { encodeBase64, quoteGo, sha256, toHex, trimSpaceLeft } from '../../text/index.ts'
import type { YamlNode } from '../../yaml/index.ts'
import { shownLiteral } from './conceal.ts'
import { fail, wrap } from './fail.ts'
import { floats } from './json-patch.ts'
import type { GeneratorArgs, GeneratorOptions } from './kustomization.ts'
import type { Loader } from './loader.ts'
import { emptyMap, getField, nodeToJson, scalar, setField } from './node.ts'
import { Resource } from './resource.ts'

interface Pair {
  readonly key: string
  /** undefined for literals. */
  readonly file?: string
  readonly value: Uint8Array
}

const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Global options under those of one generator. */
export function mergeOptions(
  own: GeneratorOptions | undefined,
  global: GeneratorOptions | undefined,
): GeneratorOptions | undefined {
  if (global === undefined) return own
  if (own === undefined) return global
  return {
    labels: { ...global.labels, ...own.labels },
    annotations: { ...global.annotations, ...own.annotations },
    disableNameSuffixHash:
      (own.disableNameSuffixHash ?? false) || (global.disableNameSuffixHash ?? false),
    immutable: (own.immutable ?? false) || (global.immutable ?? false),
  }
}

/**
 * The object of a ConfigMap or Secret generator.
 *
 * Source: kustomize v5.8.1 api/internal/generators, api/kv
 */
export function generate(
  kind: 'ConfigMap' | 'Secret',
  args: GeneratorArgs,
  loader: Loader,
  file: string,
  /** Told the bytes that go into the object. */
  spend: (bytes: number) => void,
): Resource {
  const root = emptyMap()
  const put = (map: YamlNode, name: string, value: YamlNode): void => {
    map.content.push(scalar(name), value)
  }
  put(root, 'apiVersion', scalar('v1', '!!str'))
  put(root, 'kind', scalar(kind, '!!str'))
  if ((args.name ?? '') === '') fail('a configmap must have a name')
  const metadata = emptyMap()
  put(metadata, 'name', textValue(args.name!))
  if (args.namespace) put(metadata, 'namespace', textValue(args.namespace))
  put(root, 'metadata', metadata)
  if (kind === 'Secret') put(root, 'type', textValue(args.type || 'Opaque'))
  const pairs = readPairs(args, loader, kind === 'Secret')
  for (const { value } of pairs) spend(value.length)
  fillData(root, kind, pairs)
  const { options } = args
  for (const field of ['labels', 'annotations'] as const) {
    const texts = options?.[field]
    if (texts === undefined || Object.keys(texts).length === 0) continue
    const map = emptyMap()
    for (const key of Object.keys(texts).sort()) setField(map, key, textValue(texts[key]!))
    put(metadata, field, map)
  }
  if (options?.immutable === true) put(root, 'immutable', scalar('true', '!!bool'))
  const resource = new Resource(root)
  resource.needsHash = options?.disableNameSuffixHash !== true
  resource.behavior = behaviorOf(args.behavior)
  resource.file = file
  resource.dataFiles = new Map(
    pairs.flatMap(({ key, file: source }) =>
      source === undefined ? [] : [[key, loader.pathOf(source)] as const],
    ),
  )
  resource.inputs = [
    ...(args.envs ?? []),
    ...(args.files ?? []).map((source) => source.slice(source.indexOf('=') + 1)),
  ].map((path) => loader.pathOf(path))
  return resource
}

function textValue(text: string): YamlNode {
  return scalar(text, '!!str', text.includes('\n') ? 'literal' : '')
}

function behaviorOf(text: string | undefined): string {
  return text === 'replace' || text === 'merge' || text === 'create' ? text : 'unspecified'
}

function fillData(root: YamlNode, kind: 'ConfigMap' | 'Secret', pairs: readonly Pair[]): void {
  const data = emptyMap()
  const binary = emptyMap()
  for (const { key, value } of pairs) {
    const text = kind === 'ConfigMap' ? utf8(value) : undefined
    const target = text === undefined && kind === 'ConfigMap' ? binary : data
    setField(target, key, textValue(text ?? brokenBase64(value)))
  }
  if (data.content.length > 0 || kind === 'Secret') root.content.push(scalar('data'), data)
  if (binary.content.length > 0) root.content.push(scalar('binaryData'), binary)
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** Base64, in lines of 70 characters as soon as there are more than 70. */
function brokenBase64(bytes: Uint8Array): string {
  const text = encodeBase64(bytes)
  if (text.length < 70) return text
  let out = ''
  for (let i = 0; i < text.length; i += 70) out += text.slice(i, i + 70) + '\n'
  return out
}

function readPairs(args: GeneratorArgs, loader: Loader, isSecret: boolean): Pair[] {
  const shown = (source: string): string => (isSecret ? shownLiteral(source) : source)
  const pairs = [
    ...prefixed('env source files', args.envs, () =>
      (args.envs ?? []).flatMap((path) =>
        envPairs(loader.read(path)).map((pair) => ({ ...pair, file: path })),
      ),
    ),
    ...prefixed('literal sources', args.literals?.map(shown), () =>
      (args.literals ?? []).map((source) => literalPair(source, shown)),
    ),
    ...prefixed('file sources', args.files, () =>
      (args.files ?? []).map((source) => filePair(source, loader)),
    ),
  ]
  return unique(pairs, args.name!)
}

function prefixed(
  what: string,
  sources: readonly string[] | undefined,
  read: () => Pair[],
): Pair[] {
  try {
    return read()
  } catch (error) {
    const colon = what === 'literal sources' ? '' : ':'
    throw wrap(wrap(error, `${what}${colon} [${(sources ?? []).join(' ')}]`), 'loading KV pairs')
  }
}

function unique(pairs: readonly Pair[], name: string): Pair[] {
  const seen = new Set<string>()
  for (const { key } of pairs) {
    if (seen.has(key)) fail(`configmap ${name} illegally repeats the key \`${key}\``)
    seen.add(key)
  }
  return [...pairs].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function literalPair(source: string, shown: (source: string) => string): Pair {
  const equals = source.indexOf('=')
  if (equals < 1) fail(`invalid literal source ${shown(source)}, expected key=value`)
  let value = source.slice(equals + 1)
  const quote = value[0]
  if (value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote)) {
    value = value.slice(1, -1)
  }
  return { key: source.slice(0, equals), value: encoder.encode(value) }
}

function filePair(source: string, loader: Loader): Pair {
  const parts = source.split('=')
  if (parts.length === 1) {
    return { key: baseName(source.replace(/\/+$/, '')), value: loader.read(source), file: source }
  }
  const [key, path] = parts as [string, string]
  if (parts.length > 2) fail(`source ${quoteGo(source)} key name or file path contains '='`)
  if (key === '')
    fail(`missing key name for file path ${quoteGo(path)} in source ${quoteGo(source)}`)
  if (path === '')
    fail(`missing file path for key name ${quoteGo(key)} in source ${quoteGo(source)}`)
  return { key, value: loader.read(path), file: path }
}

/** Parity: a line that fills the buffer of Go's scanner ends the reading. */
const maxLine = 65_536

function envPairs(bytes: Uint8Array): Pair[] {
  const pairs: Pair[] = []
  let start = 0
  for (let line = 0; start < bytes.length; line++) {
    const feed = bytes.indexOf(10, start)
    const end = feed === -1 ? bytes.length : feed
    if (end - start >= maxLine) break
    const hasReturn = end > start && bytes[end - 1] === 13
    const text = utf8(bytes.subarray(start, hasReturn ? end - 1 : end))
    if (text === undefined) {
      return fail(`line ${line} has invalid utf8 bytes`)
    }
    start = end + 1
    const content = trimSpaceLeft(line === 0 ? text.replace(/^\ufeff/, '') : text)
    if (content === '' || content.startsWith('#')) continue
    const equals = content.indexOf('=')
    const key = equals === -1 ? content : content.slice(0, equals)
    if (key === '') continue
    pairs.push({ key, value: encoder.encode(equals === -1 ? '' : content.slice(equals + 1)) })
  }
  return pairs
}

/**
 * The suffix that stands for the content of a ConfigMap or Secret.
 *
 * Source: kustomize v5.8.1 api/hasher
 */
export function nameHash(resource: Resource): string {
  const { kind } = resource
  const field = (name: string): Json => hashedValue(getField(resource.node, name))
  const map = (name: string): { readonly [name: string]: Json } => {
    const value = field(name)
    return typeof value === 'string' ? {} : { [name]: value }
  }
  let content: Json
  if (kind === 'ConfigMap') {
    content = { data: field('data'), kind, name: '', ...map('binaryData') }
  } else if (kind === 'Secret') {
    content = { data: field('data'), kind, name: '', ...map('stringData'), type: field('type') }
  } else {
    // Because: kustomize hashes its own nodes there, with their places
    content = nodeToJson(resource.withNotes())
  }
  const hex = toHex(sha256(encoder.encode(formatJson(content)))).slice(0, 10)
  const instead: { readonly [digit: string]: string } = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }
  return hex.replace(/[013ae]/g, (digit) => instead[digit]!)
}

/** Parity: what is absent is an empty text, a scalar its text, `null` too; a list is lost. Numbers are floats. */
function hashedValue(node: YamlNode | undefined): Json {
  if (node === undefined) return ''
  if (node.kind === 'scalar') return node.value
  return node.kind === 'mapping' ? floats(nodeToJson(node)) : null
}
