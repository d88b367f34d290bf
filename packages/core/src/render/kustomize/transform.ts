import { compileRegexp, RegexpIssue } from '../../text/index.ts'
import type { YamlNode } from '../../yaml/index.ts'
import type { FieldSpec } from './config.ts'
import { fail, within } from './fail.ts'
import { type Setter, visitField } from './field-spec.ts'
import { type Gvk, gvkText, isSelected } from './id.ts'
import type { ImageArgs } from './kustomization.ts'
import { expectKind, getField, isMissing, scalar, setField, setScalar } from './node.ts'
import type { Objects } from './objects.ts'
import type { Resource } from './resource.ts'

export type SubjectMode = 'defaultOnly' | 'allServiceAccounts' | 'none'

/** Source: kustomize v5.8.1 api/filters/namespace, api/internal/builtins/NamespaceTransformer.go */
export function setNamespaces(
  objects: Objects,
  namespace: string,
  specs: readonly FieldSpec[],
  options: { readonly unsetOnly?: boolean; readonly subjects?: SubjectMode } = {},
): void {
  if (namespace === '') return
  const counts = new Map<string, number>()
  for (const resource of objects.list) {
    const { key } = resource
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const resource of objects.list) {
    if (resource.node === undefined || resource.fromHelm) continue
    const before = resource.key
    resource.remember()
    namespaceOne(resource, namespace, specs, options)
    const { key } = resource
    counts.set(before, counts.get(before)! - 1)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count !== 1) {
      const same = objects.list.filter((other) => other.key === key)
      const shown = same.map((other) => other.describe()).join(' ')
      fail(`namespace transformation produces ID conflict: [${shown}]`)
    }
  }
  objects.changed()
}

/** Writes the namespace into one object. */
export function namespaceOne(
  resource: Resource,
  namespace: string,
  specs: readonly FieldSpec[],
  options: { readonly unsetOnly?: boolean; readonly subjects?: SubjectMode } = {},
): void {
  const set: Setter = (node) => {
    if (
      options.unsetOnly === true &&
      node.kind === 'scalar' &&
      node.value !== '' &&
      node.tag !== '!!null'
    ) {
      return false
    }
    setScalar(node, scalar(namespace, '!!str'))
    return true
  }
  if (!resource.isClusterScoped()) visitField(resource, metadataNamespace, set, 'scalar')
  if (resource.kind === 'RoleBinding' || resource.kind === 'ClusterRoleBinding') {
    setSubjects(resource, options.subjects ?? 'defaultOnly', set)
  }
  const isCoreV1 = resource.apiVersion === 'v1'
  for (const spec of specs) {
    if (spec.path === 'metadata/namespace') continue
    if (spec.path === 'metadata/name' && !isCoreV1) continue
    if (spec.path === 'subjects/namespace' && /^(?:Cluster)?RoleBinding$/.test(spec.kind)) continue
    within('namespace transformation failed', () =>
      visitField(resource, spec, set, 'scalar', '!!str'),
    )
  }
}

const metadataNamespace: FieldSpec = {
  group: '',
  version: '',
  kind: '',
  path: 'metadata/namespace',
  steps: ['metadata', 'namespace'],
  create: true,
}

function setSubjects(resource: Resource, mode: SubjectMode, set: Setter): void {
  if (mode === 'none') return
  const subjects = getField(resource.node, 'subjects')
  if (isMissing(subjects)) return
  expectKind(subjects, 'sequence')
  const [field, wanted] = mode === 'defaultOnly' ? ['name', 'default'] : ['kind', 'ServiceAccount']
  for (const subject of subjects.content) {
    const mark = getField(subject, field!)
    if (isMissing(mark) || mark.value !== wanted) continue
    let namespace = getField(subject, 'namespace')
    if (namespace === undefined) {
      namespace = scalar('')
      subject.content.push(scalar('namespace'), namespace)
    }
    if (set(namespace)) resource.touched = true
  }
}

const unnamed: readonly Gvk[] = [
  { group: '', version: '', kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', version: '', kind: 'APIService' },
  { group: '', version: '', kind: 'Namespace' },
]

/** Source: kustomize v5.8.1 api/internal/builtins/PrefixTransformer.go, SuffixTransformer.go */
export function addAffix(
  objects: Objects,
  where: 'prefix' | 'suffix',
  text: string,
  specs: readonly FieldSpec[],
): void {
  for (const resource of objects.list) {
    const id = resource.originalId
    if (unnamed.some((gvk) => isSelected(id, gvk))) continue
    for (const spec of specs) {
      if (!isSelected(id, spec)) continue
      if (spec.path === 'metadata/name' && text !== '') {
        const known = where === 'prefix' ? resource.prefixes : resource.suffixes
        known.push(text)
        resource.remember()
      }
      visitField(resource, spec, (node) => {
        expectKind(node, 'scalar')
        const value = where === 'prefix' ? text + node.value : node.value + text
        setScalar(node, scalar(value))
        return true
      })
    }
  }
  objects.changed()
}

/** Writes labels or annotations into the maps at the places. */
export function setTexts(
  objects: Objects,
  texts: { readonly [key: string]: string },
  specs: readonly FieldSpec[],
): void {
  const keys = Object.keys(texts).sort()
  if (keys.length === 0) return
  for (const resource of objects.list) {
    for (const key of keys) {
      // Parity: one node per object and key: places made by the same transformer share it, later changes too.
      const value = scalar(texts[key]!, '!!str')
      for (const spec of specs) {
        const set: Setter = (node) => {
          setField(node, key, value)
          return true
        }
        visitField(resource, spec, set, 'mapping', '!!map')
      }
    }
  }
}

/** Source: kustomize v5.8.1 api/internal/builtins/ReplicaCountTransformer.go */
export function setReplicas(
  objects: Objects,
  name: string,
  count: number | bigint,
  specs: readonly FieldSpec[],
): void {
  let found = false
  for (const spec of specs) {
    for (const resource of objects.list) {
      const isMatch = resource.allIds().some((id) => id.name === name && isSelected(id, spec))
      if (!isMatch) continue
      found = true
      visitField(
        resource,
        spec,
        (node) => {
          setScalar(node, scalar(String(count), '!!int'))
          return true
        },
        'scalar',
        '!!int',
      )
    }
  }
  if (!found) {
    const kinds = specs.map(gvkText).join(' ')
    fail(`resource with name ${name} does not match a config with the following GVK [${kinds}]`)
  }
}

/** Source: kustomize v5.8.1 api/filters/imagetag, api/internal/image */
export function setImages(objects: Objects, image: ImageArgs, specs: readonly FieldSpec[]): void {
  const update = imageUpdate(image)
  for (const resource of objects.list) {
    if (resource.node === undefined || resource.kind === 'CustomResourceDefinition') continue
    if (visitContainers(resource.node, update)) resource.touched = true
  }
  for (const resource of objects.list) {
    if (resource.node === undefined || resource.kind === 'CustomResourceDefinition') continue
    for (const spec of specs) visitField(resource, spec, update)
  }
}

/** Whether anything changed. */
function visitContainers(node: YamlNode, update: Setter): boolean {
  let changed = false
  if (node.kind === 'sequence') {
    for (const item of node.content) {
      if (item.kind !== 'scalar' && visitContainers(item, update)) changed = true
    }
    return changed
  }
  if (node.kind !== 'mapping') return false
  for (let i = 0; i < node.content.length; i += 2) {
    const value = node.content[i + 1]!
    if (value.kind === 'scalar') continue
    if (visitContainers(value, update)) changed = true
    const name = node.content[i]!.value
    if ((name !== 'containers' && name !== 'initContainers') || value.kind !== 'sequence') continue
    for (const item of value.content) {
      expectKind(item, 'mapping')
      const field = isMissing(item) ? undefined : getField(item, 'image')
      if (field !== undefined && update(field)) changed = true
    }
  }
  return changed
}

function imageUpdate(image: ImageArgs): Setter {
  const name = image.name ?? ''
  const pattern = compileRegexp(`^${name}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`)
  const literal = /^[\w/:-]+$/.test(name) ? name : undefined
  return (node) => {
    expectKind(node, 'scalar')
    // Parity: an expression that is none fails only where there is an image
    if (pattern instanceof RegexpIssue) return fail(pattern.message)
    if (literal !== undefined && !node.value.startsWith(literal)) return false
    if (!pattern.test(node.value)) return false
    setScalar(node, scalar(newImage(node.value, image)))
    return true
  }
}

function newImage(text: string, image: ImageArgs): string {
  let { name, tag, digest } = splitImage(text)
  if (image.newName) name = image.newName
  if (image.newTag) {
    tag = image.newTag
    digest = image.digest ?? ''
  } else if (image.digest) {
    tag = ''
    digest = image.digest
  } else if (image.tagSuffix) {
    tag += image.tagSuffix
    digest = ''
  }
  return name + (tag === '' ? '' : ':' + tag) + (digest === '' ? '' : '@' + digest)
}

/** Cuts an image at tag and digest, searching behind the first slash. */
export function splitImage(text: string): {
  readonly name: string
  readonly tag: string
  readonly digest: string
} {
  const slash = Math.max(text.indexOf('/'), 0)
  const at = text.indexOf('@', slash)
  const colon = text.indexOf(':', slash)
  if (at === -1 && colon === -1) return { name: text, tag: '', digest: '' }
  if (at !== -1 && (colon === -1 || at < colon)) {
    return { name: text.slice(0, at), tag: '', digest: text.slice(at + 1) }
  }
  if (at === -1) return { name: text.slice(0, colon), tag: text.slice(colon + 1), digest: '' }
  return { name: text.slice(0, colon), tag: text.slice(colon + 1, at), digest: text.slice(at + 1) }
}
