import { isObject, type Json, type JsonObject, parsePointer } from '../../../json/index.ts'
import { compileRegexp, type GoRegexp, quoteGo, RegexpIssue } from '../../../text/index.ts'
import { SchemaIssue } from './errors.ts'
import { draftOf, metaschemaSource } from './metaschemas.ts'
import type { Draft, Schema, SchemaSource } from './schema.ts'

/** A document with the schemas that have an id of their own. */
interface Root {
  readonly url: string
  readonly document: Json
  readonly resources: Map<string, Resource>
  readonly seen: Set<string>
}

interface Resource {
  readonly pointer: string
  readonly id: string
  readonly draft: Draft
  readonly anchors: Map<string, string>
  readonly dynamic: Set<string>
}

const maxSchemas = 200_000

/**
 * Compiles the schema at `url` and everything it refers to.
 *
 * `checkDocument` is called for every document that is no metaschema, before anything of it is used. Throws SchemaIssue
 * with the library's text.
 */
export class SchemaCompiler {
  private readonly roots = new Map<string, Root>()
  private readonly schemas = new Map<string, Schema>()
  private readonly sources: ReadonlyMap<string, SchemaSource>
  private readonly checkDocument: (url: string, source: Json, draft: Draft) => void

  constructor(
    sources: ReadonlyMap<string, SchemaSource>,
    checkDocument: (url: string, source: Json, draft: Draft) => void,
  ) {
    this.sources = sources
    this.checkDocument = checkDocument
  }

  compile(url: string): Schema {
    const queue: { readonly schema: Schema; readonly root: Root; readonly pointer: string }[] = []
    const first = this.at(this.root(url), '', queue)
    for (let i = 0; i < queue.length; i++) {
      if (queue.length > maxSchemas) throw new SchemaIssue('schema is too large')
      const { schema, root, pointer } = queue[i]!
      this.fill(schema, root, pointer, queue)
    }
    return first
  }

  private root(url: string): Root {
    const known = this.roots.get(url)
    if (known !== undefined) return known
    const source = this.sources.get(url) ?? metaschemaSource(url)
    if (source === undefined) throw new SchemaIssue(this.loadingIssue(url))
    const root: Root = { url, document: source, resources: new Map(), seen: new Set() }
    this.collect(root, source, url, '', 2020)
    if (!/^https?:\/\/json-schema\.org\//.test(url)) {
      this.checkDocument(`${url}#`, source, root.resources.get('')!.draft)
    }
    this.roots.set(url, root)
    return root
  }

  private loadingIssue(url: string): string {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
    const reason =
      scheme === 'http' || scheme === 'https'
        ? `HTTP request failed for ${url}: schemas are not loaded from the network`
        : scheme === 'file'
          ? `open ${url.replace(/^file:\/\//, '')}: no such file or directory`
          : `no URLLoader registered for ${quoteGo(url)}`
    return `failing loading ${quoteGo(url)}: ${reason}`
  }

  /** Notes ids and anchors of a schema and of the schemas in it. */
  private collect(root: Root, source: Json, base: string, pointer: string, fallback: Draft): void {
    if (root.seen.has(pointer)) return
    root.seen.add(pointer)
    if (!isObject(source)) {
      if (pointer === '') root.resources.set('', resourceOf('', base, fallback))
      return
    }
    let draft = fallback
    const named = source['$schema']
    if (typeof named === 'string') {
      const found = draftOf(named)
      if (found === undefined && pointer === '') {
        throw new SchemaIssue(this.loadingIssue(named.split('#')[0]!))
      }
      draft = found ?? fallback
    }
    let id = idOf(source, draft)
    if (id === '' && pointer !== '') {
      draft = fallback
      id = idOf(source, draft)
    }
    const address = id === '' ? base : resolveUrl(base, id)
    if (id !== '' || pointer === '') {
      for (const other of root.resources.values()) {
        if (other.id === address && other.pointer !== pointer) {
          throw new SchemaIssue(
            `duplicate id ${quoteGo(address)} in ${quoteGo(root.url)} at ${quoteGo(pointer)} and ${quoteGo(other.pointer)}`,
          )
        }
      }
      if (!root.resources.has(pointer))
        root.resources.set(pointer, resourceOf(pointer, address, draft))
    }
    const resource = [...root.resources.values()].find((candidate) => candidate.id === address)!
    collectAnchors(root, source, pointer, resource)
    for (const [step, child] of subschemas(source, draft)) {
      this.collect(root, child, address, pointer + step, resource.draft)
    }
  }

  private at(
    root: Root,
    pointer: string,
    queue: { readonly schema: Schema; readonly root: Root; readonly pointer: string }[],
  ): Schema {
    const location = `${root.url}#${pointer}`
    const known = this.schemas.get(location)
    if (known !== undefined) return known
    const resource = resourceAt(root, pointer)
    const schema = {
      location: root.url + '#' + encodePointer(pointer),
      draft: resource.draft,
      allPropertiesEvaluated: false,
      allItemsEvaluated: false,
      itemsEvaluated: 0,
    } as Schema
    this.schemas.set(location, schema)
    queue.push({ schema, root, pointer })
    schema.resource = this.at(root, resource.pointer, queue)
    return schema
  }

  private fill(
    schema: Schema,
    root: Root,
    pointer: string,
    queue: { readonly schema: Schema; readonly root: Root; readonly pointer: string }[],
  ): void {
    const source = lookup(root, pointer)
    // a pointer may lead to what no keyword makes a schema
    if (!root.seen.has(pointer)) {
      const around = resourceAt(root, pointer)
      this.collect(root, source, around.id, pointer, around.draft)
      if (!/^https?:\/\/json-schema\.org\//.test(root.url)) {
        this.checkDocument(`${root.url}#${pointer}`, source, around.draft)
      }
    }
    const resource = resourceAt(root, pointer)
    if (schema.draft >= 2020 && schema === schema.resource) {
      schema.dynamicAnchors = new Map(
        [...resource.dynamic].map((anchor) => [
          anchor,
          this.at(root, resource.anchors.get(anchor)!, queue),
        ]),
      )
    }
    if (typeof source === 'boolean') schema.bool = source
    else if (isObject(source)) {
      if (Object.keys(source).length === 0) schema.bool = true
      else {
        const child = (step: string): Schema => this.at(root, pointer + step, queue)
        const refer = (ref: string): Schema => this.refer(root, resource, ref, queue)
        new Keywords(schema, source, child, refer).read()
      }
    }
    schema.allPropertiesEvaluated = schema.additionalProperties !== undefined
    if (schema.draft < 2020) {
      const { items } = schema
      schema.allItemsEvaluated =
        schema.additionalItems !== undefined || (items !== undefined && !Array.isArray(items))
      schema.itemsEvaluated = Array.isArray(items) ? items.length : 0
    } else {
      schema.allItemsEvaluated = schema.items2020 !== undefined
      schema.itemsEvaluated = schema.prefixItems?.length ?? 0
    }
  }

  private refer(
    root: Root,
    resource: Resource,
    ref: string,
    queue: { readonly schema: Schema; readonly root: Root; readonly pointer: string }[],
  ): Schema {
    const hash = ref.indexOf('#')
    const fragment = decodeURIComponentSafe(hash === -1 ? '' : ref.slice(hash + 1))
    const url = resolveUrl(resource.id, hash === -1 ? ref : ref.slice(0, hash))
    const local =
      url === root.url
        ? root.resources.get('')
        : [...root.resources.values()].find(({ id }) => id === url)
    const target = local === undefined ? this.root(url) : root
    const within = local ?? target.resources.get('')!
    if (fragment === '' || fragment.startsWith('/')) {
      return this.at(target, within.pointer + fragment, queue)
    }
    const anchored = within.anchors.get(fragment)
    if (anchored === undefined) {
      throw new SchemaIssue(
        `anchor in ${quoteGo(`${within.id}#${fragment}`)} not found in schema ${quoteGo(target.url)}`,
      )
    }
    return this.at(target, anchored, queue)
  }
}

function resourceOf(pointer: string, id: string, draft: Draft): Resource {
  return { pointer, id, draft, anchors: new Map(), dynamic: new Set() }
}

function resourceAt(root: Root, pointer: string): Resource {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const resource = root.resources.get(at)
    if (resource !== undefined) return resource
    if (!at.includes('/')) return root.resources.get('')!
  }
}

function idOf(source: JsonObject, draft: Draft): string {
  if (draft < 2019 && Object.hasOwn(source, '$ref')) return ''
  const id = source[draft === 4 ? 'id' : '$id']
  return typeof id === 'string' ? id.split('#')[0]! : ''
}

function collectAnchors(root: Root, source: JsonObject, pointer: string, resource: Resource): void {
  const add = (anchor: unknown): void => {
    if (typeof anchor !== 'string' || anchor === '') return
    const known = resource.anchors.get(anchor)
    if (known !== undefined && known !== pointer) {
      throw new SchemaIssue(
        `duplicate anchor ${quoteGo(anchor)} in ${quoteGo(root.url)} at ${quoteGo(known)} and ${quoteGo(pointer)}`,
      )
    }
    resource.anchors.set(anchor, pointer)
  }
  const { draft } = resource
  if (draft < 2019) {
    if (Object.hasOwn(source, '$ref')) return
    const id = source[draft === 4 ? 'id' : '$id']
    const fragment = typeof id === 'string' ? id.split('#')[1] : undefined
    if (fragment !== undefined && !fragment.startsWith('/')) add(fragment)
    return
  }
  add(source['$anchor'])
  if (draft >= 2020 && typeof source['$dynamicAnchor'] === 'string') {
    add(source['$dynamicAnchor'])
    resource.dynamic.add(source['$dynamicAnchor'])
  }
}

const oneSchema = ['not', 'additionalProperties', 'items', 'additionalItems']
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'items']
const schemaMaps = ['definitions', 'properties', 'patternProperties', 'dependencies']

/** The schemas directly below one, with the steps to them. */
function* subschemas(source: JsonObject, draft: Draft): Generator<readonly [string, Json]> {
  const ones = [...oneSchema]
  const lists = [...schemaLists]
  const maps = [...schemaMaps]
  if (draft >= 6) ones.push('propertyNames', 'contains')
  if (draft >= 7) ones.push('if', 'then', 'else')
  if (draft >= 2019) {
    ones.push('unevaluatedProperties', 'unevaluatedItems', 'contentSchema')
    maps.push('$defs', 'dependentSchemas')
  }
  if (draft >= 2020) lists.push('prefixItems')
  const isSchema = (value: Json | undefined): value is Json =>
    typeof value === 'boolean' || isObject(value)
  for (const key of ones) {
    const value = source[key]
    if (isSchema(value)) yield [`/${key}`, value]
  }
  for (const key of lists) {
    const value = source[key]
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) if (isSchema(item)) yield [`/${key}/${i}`, item]
    }
  }
  for (const key of maps) {
    const value = source[key]
    if (isObject(value)) {
      for (const name of Object.keys(value)) {
        if (isSchema(value[name])) yield [`/${key}/${escapeStep(name)}`, value[name]]
      }
    }
  }
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function encodePointer(pointer: string): string {
  return pointer
    .split('/')
    .map((step) => encodeURIComponent(step).replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent))
    .join('/')
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SchemaIssue(`error in parsing ${quoteGo(text)}: invalid URL escape`)
  }
}

function lookup(root: Root, pointer: string): Json {
  let current: Json | undefined = root.document
  for (const step of parsePointer(pointer) ?? []) {
    if (Array.isArray(current)) current = current[Number(step)] as Json | undefined
    else current = isObject(current) && Object.hasOwn(current, step) ? current[step] : undefined
    if (current === undefined) {
      throw new SchemaIssue(`json-pointer in ${quoteGo(`${root.url}#${pointer}`)} not found`)
    }
  }
  return current
}

/** RFC 3986 resolution as far as schemas use it. */
function resolveUrl(base: string, ref: string): string {
  if (ref === '') return base
  if (/^[a-z][a-z0-9+.-]*:/i.test(ref)) return ref
  try {
    return new URL(ref, base).href
  } catch {
    return base.replace(/[^/]*$/, '') + ref
  }
}

/** Reads the keywords of one schema object. */
class Keywords {
  private readonly schema: Schema
  private readonly source: JsonObject
  private readonly child: (step: string) => Schema
  private readonly refer: (ref: string) => Schema

  constructor(
    schema: Schema,
    source: JsonObject,
    child: (step: string) => Schema,
    refer: (ref: string) => Schema,
  ) {
    this.schema = schema
    this.source = source
    this.child = child
    this.refer = refer
  }

  read(): void {
    const { schema, source } = this
    const { draft } = schema
    const ref = this.text('$ref')
    if (ref !== undefined) {
      schema.ref = this.refer(ref)
      if (draft < 2019) return
    }
    this.applicators()
    this.assertions()
    if (draft >= 6 && Object.hasOwn(source, 'const')) schema.constant = { value: source['const']! }
    if (draft >= 7) this.conditional()
    if (draft >= 2019) this.recent()
  }

  private set<K extends keyof Schema>(key: K, value: Schema[K] | undefined): void {
    if (value !== undefined) this.schema[key] = value
  }

  private applicators(): void {
    const { schema, source } = this
    const { draft } = schema
    this.set('allOf', this.list('allOf'))
    this.set('anyOf', this.list('anyOf'))
    this.set('oneOf', this.list('oneOf'))
    this.set('not', this.one('not'))
    if (draft < 2020) {
      if (Array.isArray(source['items'])) {
        this.set('items', this.list('items'))
        this.set('additionalItems', this.additional('additionalItems'))
      } else this.set('items', this.one('items'))
    } else {
      this.set('prefixItems', this.list('prefixItems'))
      this.set('items2020', this.one('items'))
    }
    this.set('properties', this.map('properties'))
    const patterns = this.map('patternProperties')
    if (patterns !== undefined) {
      schema.patternProperties = [...patterns].map(([pattern, value]) => ({
        regexp: this.regexp(pattern, '/patternProperties'),
        schema: value,
      }))
    }
    this.set('additionalProperties', this.additional('additionalProperties'))
    const dependencies = source['dependencies']
    if (isObject(dependencies)) {
      schema.dependencies = new Map(
        Object.keys(dependencies).map((name) => {
          const value = dependencies[name]!
          return [
            name,
            Array.isArray(value) ? strings(value) : this.child(`/dependencies/${escapeStep(name)}`),
          ]
        }),
      )
    }
    if (draft >= 6) {
      this.set('contains', this.one('contains'))
      this.set('propertyNames', this.one('propertyNames'))
    }
  }

  private assertions(): void {
    const { schema, source } = this
    const type = source['type']
    if (typeof type === 'string') schema.types = [type]
    else if (Array.isArray(type)) schema.types = strings(type)
    if (Array.isArray(source['enum'])) schema.enumeration = source['enum']
    this.set('multipleOf', this.number('multipleOf'))
    this.bound('maximum', 'exclusiveMaximum')
    this.bound('minimum', 'exclusiveMinimum')
    for (const key of [
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'minProperties',
      'maxProperties',
    ] as const) {
      this.set(key, this.count(key))
    }
    const pattern = this.text('pattern')
    if (pattern !== undefined) schema.pattern = this.regexp(pattern, '/pattern')
    schema.uniqueItems = source['uniqueItems'] === true
    if (Array.isArray(source['required'])) schema.required = strings(source['required'])
    if (schema.draft < 2019) this.set('format', this.text('format'))
  }

  private bound(
    key: 'minimum' | 'maximum',
    exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
  ): void {
    if (this.source[exclusive] === true) this.set(exclusive, this.number(key))
    else {
      this.set(key, this.number(key))
      this.set(exclusive, this.number(exclusive))
    }
  }

  private conditional(): void {
    const { schema, source } = this
    const condition = this.one('if')
    if (condition === undefined) return
    schema.condition = condition
    if (source['if'] !== false) this.set('then', this.one('then'))
    if (source['if'] !== true) this.set('otherwise', this.one('else'))
  }

  private recent(): void {
    const { schema, source } = this
    const recursive = this.text('$recursiveRef')
    if (recursive !== undefined) schema.recursiveRef = this.refer(recursive)
    schema.recursiveAnchor = source['$recursiveAnchor'] === true
    if (schema.contains !== undefined) {
      this.set('minContains', this.count('minContains'))
      this.set('maxContains', this.count('maxContains'))
    }
    const required = source['dependentRequired']
    if (isObject(required)) {
      schema.dependentRequired = new Map(
        Object.keys(required)
          .filter((name) => Array.isArray(required[name]))
          .map((name) => [name, strings(required[name] as readonly Json[])]),
      )
    }
    this.set('dependentSchemas', this.map('dependentSchemas'))
    this.set('unevaluatedItems', this.one('unevaluatedItems'))
    this.set('unevaluatedProperties', this.one('unevaluatedProperties'))
    if (schema.draft < 2020) return
    const dynamic = this.text('$dynamicRef')
    if (dynamic !== undefined) {
      const fragment = dynamic.split('#')[1] ?? ''
      schema.dynamicRef = {
        target: this.refer(dynamic),
        anchor: fragment.startsWith('/') ? '' : fragment,
      }
    }
    this.set('dynamicAnchor', this.text('$dynamicAnchor'))
  }

  private one(key: string): Schema | undefined {
    return Object.hasOwn(this.source, key) ? this.child(`/${key}`) : undefined
  }

  private list(key: string): readonly Schema[] | undefined {
    const value = this.source[key]
    return Array.isArray(value) ? value.map((_, i) => this.child(`/${key}/${i}`)) : undefined
  }

  private map(key: string): ReadonlyMap<string, Schema> | undefined {
    const value = this.source[key]
    if (!isObject(value)) return undefined
    return new Map(
      Object.keys(value).map((name) => [name, this.child(`/${key}/${escapeStep(name)}`)]),
    )
  }

  private additional(key: string): boolean | Schema | undefined {
    const value = this.source[key]
    return typeof value === 'boolean' ? value : this.one(key)
  }

  private text(key: string): string | undefined {
    const value = this.source[key]
    return typeof value === 'string' ? value : undefined
  }

  private number(key: string): number | bigint | undefined {
    const value = this.source[key]
    return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
  }

  private count(key: string): number | undefined {
    const value = this.number(key)
    return value !== undefined && Number.isInteger(Number(value)) ? Number(value) : undefined
  }

  private regexp(pattern: string, step: string): GoRegexp {
    const regexp = compileRegexp(pattern)
    if (regexp instanceof RegexpIssue) {
      throw new SchemaIssue(
        `invalid regex ${quoteGo(pattern)} at ${quoteGo(this.schema.location + step)}: ${regexp.message}`,
      )
    }
    return regexp
  }
}

function strings(list: readonly Json[]): readonly string[] {
  return list.filter((item) => typeof item === 'string')
}
