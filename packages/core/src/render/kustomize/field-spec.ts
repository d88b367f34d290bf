import type { YamlNode } from '../../yaml/index.ts'
import { concealing } from './conceal.ts'
import type { FieldSpec } from './config.ts'
import { fail, wrap } from './fail.ts'
import { idText, isSelected } from './id.ts'
import { emptyMap, getField, scalar } from './node.ts'
import type { Resource } from './resource.ts'

/** What is made where a path that may be created ends. */
export type CreateKind = 'mapping' | 'scalar'

/** Changes a node; false when it left it as it was. */
export type Setter = (node: YamlNode) => boolean

/**
 * Calls `set` with every node at the place. Lists on the way are entered element by element; what is missing or null
 * ends the way silently, unless it may be created.
 *
 * Source: kustomize v5.8.1 api/filters/fieldspec/fieldspec.go
 */
export function visitField(
  resource: Resource,
  spec: FieldSpec,
  set: Setter,
  create?: CreateKind,
  tag: string = '',
): void {
  if (spec.kind !== '' && spec.kind !== resource.kind) return
  if (!isSelected(resource.gvk, spec)) return
  try {
    if (concealing(resource.kind, () => walk(resource.node!, spec, 0, set, create, tag))) {
      resource.touched = true
    }
  } catch (error) {
    throw wrap(error, `considering field '${spec.path}' of object ${idText(resource.id)}`)
  }
}

/** Whether anything changed. */
function walk(
  node: YamlNode,
  spec: FieldSpec,
  at: number,
  set: Setter,
  create: CreateKind | undefined,
  tag: string,
): boolean {
  if (at === spec.steps.length) return set(node)
  if (node.tag === '!!null') return false
  if (node.kind === 'sequence') {
    let changed = false
    try {
      for (const item of node.content) {
        if (walk(item, spec, at, set, create, tag)) changed = true
      }
    } catch (error) {
      throw wrap(error, `visit traversal on path: [${spec.steps.slice(at).join(' ')}]`)
    }
    return changed
  }
  if (node.kind !== 'mapping') fail('expected sequence or mapping node')
  const step = spec.steps[at]!
  const isList = step.endsWith('[]')
  const name = isList ? step.slice(0, -2) : step
  if (name === '') fail('cannot set or create an empty field name')
  const isLast = at + 1 === spec.steps.length
  const made =
    !spec.create || create === undefined || isList ? undefined : isLast ? create : 'mapping'
  let field = getField(node, name)
  if (field === undefined) {
    if (made === undefined) return false
    field = made === 'mapping' ? emptyMap() : scalar('')
    node.content.push(scalar(name), field)
  }
  if (field.tag === '!!null' && (made !== undefined || isList)) {
    field.kind = made ?? 'sequence'
    field.tag = made === undefined ? '' : isLast ? tag : '!!map'
    field.style = ''
    field.value = ''
  }
  return walk(field, spec, at + 1, set, create, tag)
}
