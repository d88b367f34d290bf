import type { YamlNode } from '../../yaml/index.ts'
import { fail } from './fail.ts'
import { isCluster, type ResId } from './id.ts'
import { clearField, emptyMap, getField, scalar, setField } from './node.ts'
import type { Objects } from './objects.ts'
import type { Resource } from './resource.ts'

/**
 * Adds a generated object, or lets it replace or complete the one that is there, which is returned.
 *
 * Source: kustomize v5.8.1 api/resmap/reswrangler.go
 */
export function absorb(objects: Objects, resource: Resource): Resource | undefined {
  const { id, behavior } = resource
  const found = objects.byAnyId(id)
  const [old] = found
  const changes = behavior === 'merge' || behavior === 'replace'
  if (old === undefined) {
    if (changes) fail(`id ${goId(id)} does not exist; cannot merge or replace`)
    objects.append(resource)
    return undefined
  }
  if (found.length > 1) {
    const shown = found.map((item) => item.describe()).join(' ')
    fail(`found multiple objects [${shown}] that could accept merge of ${goId(id)}`)
  }
  if (!changes) {
    fail(
      `id ${goId(id)} exists; can not use behavior: '${behavior || 'unspecified'}', behavior must be merge or replace`,
    )
  }
  takeIdentity(resource, old)
  if (behavior === 'merge') {
    mergeData(resource, old, 'data')
    mergeData(resource, old, 'binaryData')
    if (old.origin !== undefined) resource.origin = old.origin
  }
  objects.replace(old, resource)
  return old
}

function goId(id: ResId): string {
  const text = (value: string): string => JSON.stringify(value)
  const gvk = `resid.Gvk{Group:${text(id.group)}, Version:${text(id.version)}, Kind:${text(id.kind)}, isClusterScoped:${isCluster(id)}}`
  return `resid.ResId{Gvk:${gvk}, Name:${text(id.name)}, Namespace:${text(id.namespace)}}`
}

/** Name, namespace and history of the old object; its labels and annotations below the new ones. */
function takeIdentity(resource: Resource, old: Resource): void {
  resource.setTexts('labels', new Map([...old.labels(), ...resource.labels()]))
  resource.setTexts('annotations', new Map([...old.annotations(), ...resource.annotations()]))
  resource.setName(old.name)
  resource.setNamespace(old.namespace)
  resource.previous = [...old.previous]
  resource.prefixes = [...old.prefixes]
  resource.suffixes = [...old.suffixes]
  resource.behavior = old.behavior
  resource.needsHash = resource.needsHash && old.needsHash
  resource.fromHelm = old.fromHelm
  resource.vars = [...old.vars]
  resource.transformations = [...old.transformations]
  resource.inputs = [...new Set([old.file, ...old.inputs, resource.file, ...resource.inputs])]
  resource.file = old.file
  resource.line = old.line
}

function mergeData(resource: Resource, old: Resource, field: 'data' | 'binaryData'): void {
  const texts = new Map([
    ...textsOf(getField(old.node, field)),
    ...textsOf(getField(resource.node, field)),
  ])
  clearField(resource.node!, field)
  if (texts.size === 0) return
  const map = emptyMap()
  for (const key of [...texts.keys()].sort()) {
    const text = texts.get(key)!
    setField(map, key, scalar(text, '!!str', text.includes('\n') ? 'literal' : ''))
  }
  resource.node!.content.push(scalar(field), map)
}

function textsOf(map: YamlNode | undefined): [string, string][] {
  const pairs: [string, string][] = []
  if (map?.kind !== 'mapping') return pairs
  for (let i = 0; i < map.content.length; i += 2) {
    const value = map.content[i + 1]!
    pairs.push([map.content[i]!.value, value.tag === '!!null' ? '' : value.value])
  }
  return pairs
}
