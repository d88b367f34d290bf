import { isLitecdError, RenderError } from '../../errors/index.ts'
import { formatJson, type Json } from '../../json/index.ts'
import { quoteGo, trimSpace } from '../../text/index.ts'
import {
  decodeYamlNode,
  formatYamlNode,
  parseYaml,
  parseYamlNode,
  type YamlNode,
} from '../../yaml/index.ts'
import { concealing } from './conceal.ts'
import { fail, wrap } from './fail.ts'
import { idText, isSelected, type ResId } from './id.ts'
import type { FieldOptions, ReplacementArgs, ReplacementTarget } from './kustomization.ts'
import { replacementShape } from './kustomization-shapes.ts'
import type { Loader } from './loader.ts'
import { assign, copyNode, isEmpty, isMissing, scalar } from './node.ts'
import type { Objects } from './objects.ts'
import type { Transformer } from './patch.ts'
import { type CreateKind, lookUp, matchPath, openText, splitFieldPath } from './replacement-path.ts'
import type { Resource } from './resource.ts'
import { Selector } from './select.ts'
import { readShape } from './shape.ts'

const defaultPath = 'metadata.name'

/** Nodes and characters that the replacements of one level may write: they can double what they copy. */
const maxWritten = 20_000_000

interface Budget {
  left: number
}

function spend(budget: Budget, node: YamlNode): void {
  budget.left -= 1 + node.value.length
  if (budget.left < 0) {
    throw new RenderError('BUDGET_EXCEEDED', 'the replacements of a kustomization write too much')
  }
  for (const child of node.content) spend(budget, child)
}

/** Source: kustomize v5.8.1 api/internal/builtins/ReplacementTransformer.go, api/filters/replacement */
export function replacementTransformer(
  entries: readonly ReplacementArgs[],
  loader: Loader,
  /** Told what each entry has touched. */
  after?: (index: number, touched: Iterable<Resource>) => void,
): Transformer {
  const replacements: { args: ReplacementArgs; file: string; index: number }[] = []
  for (const [index, entry] of entries.entries()) {
    const path = entry.path ?? ''
    if (path === '') {
      replacements.push({ args: entry, file: '', index })
      continue
    }
    if (entry.source !== undefined || (entry.targets?.length ?? 0) > 0) {
      fail('cannot specify both path and inline replacement')
    }
    const file = loader.pathOf(path)
    for (const args of readFile(loader.text(path), file)) replacements.push({ args, file, index })
  }
  return (objects) => {
    const budget = { left: maxWritten }
    for (const { args, file, index } of replacements) {
      const touched = replaceOne(objects, args, file, budget)
      after?.(index, touched)
    }
    objects.changed()
  }
}

function readFile(text: string, path: string): readonly ReplacementArgs[] {
  const value = parseYaml(text, { path })
  const options = { struct: 'Replacement', strict: false }
  if (Array.isArray(value)) {
    return readShape(value, { list: replacementShape }, options) as readonly ReplacementArgs[]
  }
  if (typeof value === 'object' && value !== null) {
    return [readShape(value, replacementShape, options) as ReplacementArgs]
  }
  return fail(
    `unsupported replacement type encountered within replacement path: ${value === null ? 'invalid' : typeof value}`,
  )
}

/** Returns the objects that it wrote into. */
function replaceOne(
  objects: Objects,
  args: ReplacementArgs,
  file: string,
  budget: Budget,
): ReadonlySet<Resource> {
  if ((args.sourceValue === undefined && args.source === undefined) || args.targets === undefined) {
    fail('replacements must specify a source and at least one target')
  }
  const value = sourceValueOf(objects, args)
  const touched = new Set<Resource>()
  for (const target of args.targets) {
    if (target.select === undefined) fail('target must specify resources to select')
    const select = selector(target.select)
    const rejects = (target.reject ?? []).map(selector)
    for (const resource of objects.list) {
      if (resource.node === undefined || !select.matchesMarks(resource)) continue
      const ids = resource.allIds()
      if (rejects.some((reject) => isRejected(resource, ids, reject))) continue
      if (!ids.some((id) => select.matchesId(id))) continue
      concealing(resource.kind, () => write(resource, value, target, budget))
      resource.shapedBy(file)
      resource.touched = true
      touched.add(resource)
    }
  }
  return touched
}

function selector(args: NonNullable<ReplacementTarget['select']>): Selector {
  try {
    return new Selector(args)
  } catch (error) {
    throw wrap(error, 'error creating target selector')
  }
}

/** Marks and parts of an id reject each for themselves. */
function isRejected(resource: Resource, ids: readonly ResId[], reject: Selector): boolean {
  const { labelSelector = '', annotationSelector = '' } = reject.args
  if ((labelSelector !== '' || annotationSelector !== '') && reject.matchesMarks(resource)) {
    return true
  }
  return !reject.anyId && ids.some((id) => reject.matchesId(id))
}

function sourceValueOf(objects: Objects, args: ReplacementArgs): YamlNode {
  const { source, sourceValue } = args
  if (sourceValue !== undefined && source !== undefined) {
    fail('value and resource selectors are mutually exclusive')
  }
  if (source === undefined) return scalar(sourceValue!)
  const wanted: ResId = {
    group: source.group ?? '',
    version: source.version ?? '',
    kind: source.kind ?? '',
    name: source.name ?? '',
    namespace: source.namespace ?? '',
  }
  const found = objects.list.filter((resource) =>
    resource.allIds().some((id) => isExactly(id, wanted)),
  )
  const written = source.fieldPath ?? ''
  const shown = [idText(wanted), written, optionsText(source.options)]
    .filter((part) => part !== '')
    .join(':')
  if (found.length > 1) fail(`multiple matches for selector ${shown}`)
  if (found.length === 0) fail(`nothing selected by ${shown}`)
  const path = written === '' ? defaultPath : written
  let node: YamlNode | undefined
  try {
    node = concealing(found[0]!.kind, () => lookUp(found[0]!.node!, splitFieldPath(path)))
  } catch (error) {
    throw wrap(error, 'error looking up replacement source')
  }
  if (node === undefined || isEmpty(node)) {
    return fail(`fieldPath \`${path}\` is missing for replacement source ${idText(wanted)}`)
  }
  return concealing(found[0]!.kind, () => refined(node, source.options))
}

function isExactly(id: ResId, wanted: ResId): boolean {
  const plain = (namespace: string): string => (namespace === '' ? 'default' : namespace)
  return (
    isSelected(id, wanted) &&
    (wanted.name === '' || id.name === wanted.name) &&
    (wanted.namespace === '' || plain(id.namespace) === plain(wanted.namespace))
  )
}

function optionsText(options: FieldOptions | undefined): string {
  if (options === undefined || (!options.delimiter && options.create !== true)) return ''
  return `${options.delimiter ?? ''}(${options.index ?? 0}), create=${options.create ?? false}`
}

function refined(node: YamlNode, options: FieldOptions | undefined): YamlNode {
  if (!options?.delimiter) return node
  if (node.kind !== 'scalar') fail('delimiter option can only be used with scalar nodes')
  const parts = node.value.split(options.delimiter)
  const index = options.index ?? 0
  if (index >= parts.length || index < 0) {
    fail(`options.index ${index} is out of bounds for value ${node.value}`)
  }
  const part = copyNode(node)
  part.value = parts[index]!
  return part
}

function write(
  resource: Resource,
  value: YamlNode,
  target: ReplacementTarget,
  budget: Budget,
): void {
  const paths = target.fieldPaths?.length ? target.fieldPaths : [defaultPath]
  const create: CreateKind =
    target.options?.create === true ? (value.kind as CreateKind) : undefined
  for (const path of paths) {
    const steps = splitFieldPath(path)
    spend(budget, value)
    if (writeInText(resource.node!, value, steps, create)) continue
    const doing = create === undefined ? 'find' : 'find or create'
    const missing = `unable to ${doing} field ${quoteGo(path)} in replacement target`
    let fields: YamlNode[]
    try {
      fields = matchPath(resource.node!, steps, create)
    } catch (error) {
      throw wrap(error, missing)
    }
    if (fields.length === 0) fail(missing)
    for (const field of fields) {
      spend(budget, value)
      if (field.kind === 'scalar') spend(budget, field)
      setValue(field, value, target.options)
    }
  }
}

function setValue(field: YamlNode, value: YamlNode, options: FieldOptions | undefined): void {
  const next = copyNode(value)
  if (options?.delimiter) {
    if (field.kind !== 'scalar') fail('delimiter option can only be used with scalar nodes')
    const parts = field.value.split(options.delimiter)
    const text = isMissing(next) ? '' : next.value
    const index = options.index ?? 0
    if (index < 0) parts.unshift(text)
    else if (index >= parts.length) parts.push(text)
    else parts[index] = text
    next.value = parts.join(options.delimiter)
  }
  if (field.kind === 'scalar') field.value = next.value
  else assign(field, next)
}

/**
 * Writes into the JSON or YAML that a text on the way holds. False when there is none, or the write fails: then the
 * path is taken literally.
 */
function writeInText(
  root: YamlNode,
  value: YamlNode,
  path: readonly string[],
  create: CreateKind,
): boolean {
  for (let i = 1; i < path.length; i++) {
    let field: YamlNode | undefined
    try {
      field = lookUp(root, path.slice(0, i))
    } catch (error) {
      if (!isLitecdError(error)) throw error
      continue // this part of the path has no meaning for sources
    }
    if (field?.kind !== 'scalar') continue
    const document = openText(field.value)
    if (document === undefined) continue
    return writeInDocument(field, document, value, path.slice(i), create)
  }
  return false
}

function writeInDocument(
  field: YamlNode,
  document: YamlNode,
  value: YamlNode,
  path: readonly string[],
  create: CreateKind,
): boolean {
  const content = document.content[0]
  if (content === undefined) return false
  try {
    const found = matchPath(content, path, create)
    if (found.length === 0) return false
    for (const target of found) {
      if (target.kind === 'scalar') target.value = value.value
      else assign(target, value)
    }
    field.value = serialize(document, field.value)
    return true
  } catch (error) {
    // Parity: whatever goes wrong inside a text is not told; kustomize goes on with the literal path.
    if (isLitecdError(error) && error.code !== 'BUDGET_EXCEEDED') return false
    throw error
  }
}

function serialize(document: YamlNode, old: string): string {
  const text = formatYamlNode(document, { indent: 2, compactLists: true })
  const first = trimSpace(old)[0]
  if (first !== '{' && first !== '[') return trimSpace(text)
  const again = parseYamlNode(text)
  const value: Json = again === undefined ? null : decodeYamlNode(again)
  const isPretty = old.includes('\n') && old.includes('  ')
  return formatJson(value, isPretty ? { indent: '  ' } : {})
}
