import { baseName } from '../../files/index.ts'
import type { JsonObject } from '../../json/index.ts'
import { parseYaml, type YamlNode } from '../../yaml/index.ts'
import { splitPath } from './config.ts'
import { fail } from './fail.ts'
import type { SelectorArgs } from './kustomization.ts'
import { selectorShape } from './kustomization-shapes.ts'
import type { Loader } from './loader.ts'
import { emptyMap, expectKind, getField, isMissing, scalar, setScalar } from './node.ts'
import type { Transformer } from './patch.ts'
import type { Resource } from './resource.ts'
import { Selector } from './select.ts'
import { readShape, type Shape } from './shape.ts'
import { namespaceOne } from './transform.ts'

export const valueTargetShape: Shape = {
  fields: { selector: selectorShape, fieldPath: 'string', filePathPosition: 'int' },
}

interface ValueTarget {
  readonly selector?: SelectorArgs
  readonly fieldPath?: string
  readonly filePathPosition?: number
}

/** Writes one value to places of selected objects. */
export function valueAdd(config: JsonObject, loader: Loader): Transformer {
  const value = ((config['value'] as string | undefined) ?? '').trim() || baseName(loader.shown)
  let targets = (config['targets'] ?? []) as readonly ValueTarget[]
  const path = (config['targetFilePath'] as string | undefined) ?? ''
  if (path !== '') {
    const more = readShape(
      parseYaml(loader.text(path), { path }),
      { fields: { targets: { list: valueTargetShape } } },
      { struct: 'Targets', strict: false },
    ) as { readonly targets?: readonly ValueTarget[] }
    targets = [...targets, ...(more.targets ?? [])]
  }
  if (targets.length === 0) fail('must specify at least one target')
  for (const target of targets) {
    if ((target.fieldPath ?? '') === '') fail('fieldPath cannot be empty')
    const position = target.filePathPosition ?? 0
    if (position < 0) fail(`value of FilePathPosition (${position}) cannot be negative`)
  }
  return (objects) => {
    for (const target of targets) {
      const selector = target.selector === undefined ? undefined : new Selector(target.selector)
      for (const resource of objects.list) {
        if (selector !== undefined && !selector.selects(resource)) continue
        if (target.fieldPath === 'metadata/namespace') namespaceOne(resource, value, [])
        else addValue(resource, value, target)
      }
    }
    objects.changed()
  }
}

function addValue(resource: Resource, value: string, target: ValueTarget): void {
  let at: YamlNode = resource.node!
  const steps = splitPath('/' + target.fieldPath!)
  for (const [i, step] of steps.entries()) {
    expectKind(at, 'mapping')
    let next = getField(at, step)
    if (next === undefined) {
      next = i === steps.length - 1 ? scalar('') : emptyMap()
      at.content.push(scalar(step), next)
    }
    at = next
  }
  expectKind(at, 'scalar')
  const position = target.filePathPosition ?? 0
  const text =
    position === 0 ? value : insertPart(isMissing(at) ? '' : at.value, position - 1, value)
  setScalar(at, scalar(text))
  resource.touched = true
}

/** Puts a segment into a path; an absolute path stays one. */
function insertPart(path: string, position: number, part: string): string {
  const isAbsolute = path.startsWith('/')
  const steps = path.split('/').filter((step) => step !== '')
  steps.splice(Math.min(position, steps.length), 0, part)
  return (isAbsolute ? '/' : '') + steps.join('/')
}
