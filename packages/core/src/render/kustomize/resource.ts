import { formatJson, type Json } from '../../json/index.ts'
import { formatYaml, type YamlNode } from '../../yaml/index.ts'
import { shownObject } from './conceal.ts'
import { effectiveNamespace, type Gvk, gvkOf, idKey, isCluster, type ResId } from './id.ts'
import {
  clearField,
  copyNode,
  emptyMap,
  getField,
  isEmpty,
  nodeToJson,
  scalar,
  setField,
  textNode,
} from './node.ts'
import {
  type BuildOrigin,
  originName,
  originText,
  transformationsName,
  transformationsText,
} from './origin-text.ts'

interface PreviousId {
  readonly name: string
  readonly namespace: string
  readonly kind: string
}

const internal = 'internal.config.kubernetes.io/'

/** One object on its way through the build. */
export class Resource {
  /** undefined once a patch has deleted it. */
  node: YamlNode | undefined
  previous: PreviousId[] = []
  prefixes: string[] = []
  suffixes: string[] = []
  needsHash = false
  behavior = ''
  /** Made by a chart: no namespace transformer touches it. */
  fromHelm = false
  allowNameChange = false
  allowKindChange = false
  vars: string[] = []
  origin: BuildOrigin | undefined = undefined
  transformations: BuildOrigin[] = []
  /** The file, and the line in it from 1 where known. */
  file = ''
  line: number | undefined = undefined
  /** Files that shaped it since, in order. */
  inputs: string[] = []
  /** A step has changed it and was not noted yet. */
  touched = false
  /** Of generated data: key → the file that it comes from. */
  dataFiles: ReadonlyMap<string, string> | undefined = undefined

  constructor(node: YamlNode) {
    this.node = node
    this.takeAnnotations()
  }

  copy(): Resource {
    const copy = new Resource(copyNode(this.node!))
    copy.previous = [...this.previous]
    copy.prefixes = [...this.prefixes]
    copy.suffixes = [...this.suffixes]
    copy.needsHash = this.needsHash
    copy.behavior = this.behavior
    copy.fromHelm = this.fromHelm
    copy.allowNameChange = this.allowNameChange
    copy.allowKindChange = this.allowKindChange
    copy.file = this.file
    copy.line = this.line
    copy.inputs = [...this.inputs]
    return copy
  }

  /** Notes a file that shaped it. */
  shapedBy(file: string): void {
    if (file === '' || file === this.file || this.inputs.includes(file)) return
    this.inputs.push(file)
  }

  /** Parity: what kustomize notes in annotations it also believes when the input carries it. */
  private takeAnnotations(): void {
    const annotations = this.metaField('annotations')
    if (annotations === undefined || annotations.kind !== 'mapping') return
    const has = annotations.content.some((key, i) => i % 2 === 0 && key.value.startsWith(internal))
    if (!has) return
    const list = (name: string): string[] => {
      const value = getField(annotations, internal + name)
      return value === undefined ? [] : value.value.split(',')
    }
    const names = list('previousNames')
    const namespaces = list('previousNamespaces')
    const kinds = list('previousKinds')
    if (names.length === namespaces.length && names.length === kinds.length) {
      this.previous = names.map((name, i) => ({
        name,
        namespace: namespaces[i]!,
        kind: kinds[i]!,
      }))
    }
    this.prefixes = list('prefixes')
    this.suffixes = list('suffixes')
    this.needsHash = list('needsHashSuffix')[0] === 'enabled'
    this.behavior = list('generatorBehavior')[0] ?? ''
    this.fromHelm = getField(annotations, internal + 'helm-generated') !== undefined
  }

  /** Writes into annotations what kustomize has there while the build runs. */
  noted(): { readonly [name: string]: string } {
    const notes: { [name: string]: string } = {}
    const put = (name: string, values: readonly string[]): void => {
      if (values.length > 0) notes[internal + name] = values.join(',')
    }
    put(
      'previousNames',
      this.previous.map((id) => id.name),
    )
    put(
      'previousNamespaces',
      this.previous.map((id) => id.namespace),
    )
    put(
      'previousKinds',
      this.previous.map((id) => id.kind),
    )
    put('prefixes', this.prefixes)
    put('suffixes', this.suffixes)
    if (this.needsHash) notes[internal + 'needsHashSuffix'] = 'enabled'
    if (this.fromHelm) notes[internal + 'helm-generated'] = 'true'
    if (this.allowNameChange) notes[internal + 'allowNameChange'] = 'enabled'
    if (this.allowKindChange) notes[internal + 'allowKindChange'] = 'enabled'
    if (this.behavior !== '') notes[internal + 'generatorBehavior'] = this.behavior
    return notes
  }

  /** A patch has taken all annotations away, and with them what the build knew of the object. */
  forget(): void {
    this.previous = []
    this.prefixes = []
    this.suffixes = []
    this.needsHash = false
    this.behavior = ''
    this.fromHelm = false
    this.allowNameChange = false
    this.allowKindChange = false
    this.origin = undefined
    this.transformations = []
  }

  private metaField(name: string): YamlNode | undefined {
    const metadata = getField(this.node, 'metadata')
    return isEmpty(metadata) ? undefined : getField(metadata, name)
  }

  get apiVersion(): string {
    return getField(this.node, 'apiVersion')?.value ?? ''
  }

  get kind(): string {
    return getField(this.node, 'kind')?.value ?? ''
  }

  get name(): string {
    const name = this.metaField('name')
    return isEmpty(name) ? '' : name!.value
  }

  get namespace(): string {
    const namespace = this.metaField('namespace')
    return isEmpty(namespace) ? '' : namespace!.value
  }

  get gvk(): Gvk {
    return gvkOf(this.apiVersion, this.kind)
  }

  get id(): ResId {
    return { ...this.gvk, name: this.name, namespace: this.namespace }
  }

  get key(): string {
    return idKey(this.id)
  }

  previousIds(): ResId[] {
    const { group, version } = this.gvk
    return this.previous.map(({ name, namespace, kind }) => ({
      group,
      version,
      kind,
      name,
      // Parity: the namespace of an old id is the effective one, as text.
      namespace,
    }))
  }

  get originalId(): ResId {
    const first = this.previous[0]
    return first === undefined ? this.id : { ...this.gvk, ...first }
  }

  allIds(): ResId[] {
    return [...this.previousIds(), this.id]
  }

  remember(): void {
    const { id } = this
    this.previous.push({ name: id.name, namespace: effectiveNamespace(id), kind: id.kind })
  }

  isClusterScoped(): boolean {
    return isCluster(this.gvk)
  }

  setName(name: string): void {
    setField(this.metadata(), 'name', scalar(name))
  }

  setNamespace(namespace: string): void {
    if (namespace === '') {
      const metadata = getField(this.node, 'metadata')
      if (metadata !== undefined) clearField(metadata, 'namespace')
    } else setField(this.metadata(), 'namespace', scalar(namespace))
  }

  setKind(kind: string): void {
    setField(this.node!, 'kind', scalar(kind))
  }

  /** The metadata map, made when it is not there. */
  metadata(): YamlNode {
    let metadata = getField(this.node, 'metadata')
    if (metadata === undefined) {
      metadata = emptyMap()
      this.node!.content.push(scalar('metadata'), metadata)
    }
    return metadata
  }

  labels(): Map<string, string> {
    return textsOf(this.metaField('labels'))
  }

  annotations(): Map<string, string> {
    return textsOf(this.metaField('annotations'))
  }

  /** Writes a map of texts anew, sorted, or removes it when it is empty. */
  setTexts(field: 'labels' | 'annotations', texts: ReadonlyMap<string, string>): void {
    const metadata = this.metadata()
    if (metadata.kind !== 'mapping') return
    clearField(metadata, field)
    if (texts.size === 0) return
    const map = emptyMap()
    for (const key of [...texts.keys()].sort()) {
      map.content.push(scalar(key), textNode(texts.get(key)!))
    }
    metadata.content.push(scalar(field), map)
  }

  toJson(): Json {
    return this.node === undefined ? null : nodeToJson(this.node)
  }

  /** As kustomize prints it in messages, with what it notes in annotations. */
  describe(): string {
    return formatJson(shownObject(nodeToJson(this.withNotes())))
  }

  /** The same as YAML. */
  describeYaml(): string {
    return formatYaml(shownObject(nodeToJson(this.withNotes())))
  }

  /** The same, with what `buildMetadata` asks for. */
  allNotes(): { readonly [name: string]: string } {
    const notes: { [name: string]: string } = { ...this.noted() }
    if (this.origin !== undefined) notes[originName] = originText(this.origin)
    if (this.transformations.length > 0) {
      notes[transformationsName] = transformationsText(this.transformations)
    }
    return notes
  }

  /** A copy with what kustomize notes in annotations. */
  withNotes(): YamlNode {
    const copy = this.copy()
    const notes = this.allNotes()
    if (Object.keys(notes).length === 0) return copy.node!
    // Parity: transformations are added to annotations that have become texts.
    if (this.transformations.length > 0) copy.setTexts('annotations', copy.annotations())
    const metadata = copy.metadata()
    let annotations = getField(metadata, 'annotations')
    if (isEmpty(annotations)) setField(metadata, 'annotations', (annotations = emptyMap()))
    for (const [name, value] of Object.entries(notes)) setField(annotations!, name, textNode(value))
    return copy.node!
  }
}

function textsOf(map: YamlNode | undefined): Map<string, string> {
  const texts = new Map<string, string>()
  if (map === undefined || map.kind !== 'mapping') return texts
  for (let i = 0; i < map.content.length; i += 2) {
    texts.set(map.content[i]!.value, map.content[i + 1]!.value)
  }
  return texts
}
