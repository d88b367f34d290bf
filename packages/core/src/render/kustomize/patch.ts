import { isLitecdError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { quoteGo, trimSpace } from '../../text/index.ts'
import { formatYaml, type YamlNode } from '../../yaml/index.ts'
import { concealing, shownConfig, shownPatch } from './conceal.ts'
import { fail, within, wrap } from './fail.ts'
import { idText } from './id.ts'
import { applyJsonPatch, floats, type Operation, parseJsonPatch } from './json-patch.ts'
import type { PatchArgs } from './kustomization.ts'
import type { Loader } from './loader.ts'
import { strategicMerge } from './merge.ts'
import { getField, isMissing, jsonToNode } from './node.ts'
import type { Objects } from './objects.ts'
import { originName, transformationsName } from './origin-text.ts'
import { readResources } from './read.ts'
import type { Resource } from './resource.ts'
import type { Schemas } from './schema.ts'
import { Selector, selectorText } from './select.ts'

/** A transformer that is read and waits for the objects. */
export type Transformer = (objects: Objects) => void

/** The configuration of a built-in plugin as messages show it. */
function configText(value: Json): string {
  return formatYaml(shownConfig(value))
}

/** Wraps what goes wrong while a built-in plugin is configured. */
export function configuring<T>(plugin: string, args: Json, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw wrap(
      error,
      `trouble configuring builtin ${plugin} with config: \`\n${configText(args)}\``,
    )
  }
}

/**
 * An entry of `patches`.
 *
 * Source: kustomize v5.8.1 api/internal/builtins/PatchTransformer.go
 */
export function patchTransformer(args: PatchArgs, loader: Loader, schemas: Schemas): Transformer {
  const inline = trimSpace(args.patch ?? '')
  const path = args.path ?? ''
  if (inline === '' && path === '')
    fail(`must specify one of patch and path in\n${configText(args as Json)}`)
  if (inline !== '' && path !== '') {
    fail(`patch and path can't be set at the same time\n${configText(args as Json)}`)
  }
  const source =
    inline === ''
      ? `[path: ${quoteGo(path)}]`
      : `[patch: ${quoteGo(shownPatch(inline, args.target))}]`
  const text = inline === '' ? loadPatch(loader, path) : inline
  const file = inline === '' ? loader.pathOf(path) : ''
  const { strategic, operations } = readPatch(text, path, source)
  if (strategic !== undefined) {
    for (const patch of strategic) {
      patch.allowNameChange = args.options?.allowNameChange ?? false
      patch.allowKindChange = args.options?.allowKindChange ?? false
      // Parity: the options are noted among the annotations of the patch, which are written anew then.
      if (patch.allowNameChange || patch.allowKindChange) {
        patch.setTexts('annotations', patch.annotations())
      }
    }
    if (strategic.length === 0) return () => {}
    return (objects) => applyStrategic(objects, strategic, args, source, schemas, file)
  }
  return (objects) => {
    if (args.target === undefined) fail(`must specify a target for JSON patch ${source}`)
    const selector = new Selector(args.target)
    for (const resource of objects.list.filter((item) => selector.selects(item))) {
      resource.remember()
      patchJson(resource, operations!, file)
    }
    objects.changed()
  }
}

function loadPatch(loader: Loader, path: string): string {
  return within(`failed to get the patch file from path(${path})`, () => loader.text(path))
}

function readPatch(
  text: string,
  path: string,
  source: string,
): { readonly strategic?: Resource[]; readonly operations?: Operation[] } {
  let strategic: Resource[] | undefined
  let cause: unknown
  try {
    strategic = readResources(text, path)
  } catch (error) {
    if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
    cause = error
  }
  const operations = parseJsonPatch(text)
  if ((strategic?.length ?? 0) > 0 && (operations?.length ?? 0) > 0) {
    fail(`illegally qualifies as both an SM and JSON patch: ${source}`)
  }
  if (strategic !== undefined) return { strategic }
  if (operations !== undefined) return { operations }
  const position = isLitecdError(cause) ? cause.position : undefined
  return fail(`unable to parse SM or JSON patch from ${source}`, position, cause)
}

function applyStrategic(
  objects: Objects,
  patches: readonly Resource[],
  args: PatchArgs,
  source: string,
  schemas: Schemas,
  file: string,
): void {
  if (args.target !== undefined) {
    if (patches.length > 1) {
      fail(
        `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
      )
    }
    const { target } = args
    const selector = within(
      `unable to find patch target ${quoteGo(selectorText(target))} in \`resources\``,
      () => new Selector(target),
    )
    patchSelected(
      objects,
      objects.list.filter((item) => selector.selects(item)),
      patches[0]!,
      schemas,
      file,
    )
    return
  }
  for (const patch of patches) {
    const id = idText(patch.originalId)
    const target = within(`no resource matches strategic merge patch ${quoteGo(id)}`, () =>
      objects.uniqueByAnyId(patch.originalId),
    )
    if (patchOne(target, patch.copy(), schemas, file)) objects.changed()
  }
}

/** A patch that fits itself to each object: kind and names of its own play no part. */
export function patchSelected(
  objects: Objects,
  selected: readonly Resource[],
  patch: Resource,
  schemas: Schemas,
  file: string,
): void {
  for (const resource of selected) {
    const own = patch.copy()
    own.setTexts('labels', own.labels())
    own.setTexts('annotations', own.annotations())
    own.setName(own.name)
    own.setNamespace(own.namespace)
    const { apiVersion } = resource
    const field = getField(own.node, 'apiVersion')
    if (field !== undefined && apiVersion !== '') field.value = apiVersion
    patchOne(resource, own, schemas, file)
  }
  objects.dropEmpty()
  objects.changed()
  objects.checkIds()
}

/** Whether ids may be others now. */
function patchOne(resource: Resource, patch: Resource, schemas: Schemas, file: string): boolean {
  const { name, namespace, kind } = resource
  if (patch.allowNameChange || patch.allowKindChange) resource.remember()
  const wipes = wipesAnnotations(patch)
  const result = concealing(kind, () => strategicMerge(resource.node, patch.node, schemas))
  resource.shapedBy(file)
  resource.touched = true
  if (result === undefined) {
    resource.node = undefined
    return true
  }
  if (wipes) resource.forget()
  if (patch.allowNameChange) resource.allowNameChange = true
  if (patch.allowKindChange) resource.allowKindChange = true
  if (resource.node!.content.length === 0) return true
  if (!patch.allowKindChange) resource.setKind(kind)
  if (!patch.allowNameChange) resource.setName(name)
  resource.setNamespace(namespace)
  return wipes || patch.allowNameChange || patch.allowKindChange
}

/** Whether a patch removes all annotations, and so what the build notes there. */
function wipesAnnotations(patch: Resource): boolean {
  // a patch that replaces the whole object does nothing
  if (getField(patch.node, '$patch')?.value === 'replace') return false
  const metadata = getField(patch.node, 'metadata')
  if (metadata === undefined || isMissing(metadata)) return metadata !== undefined
  if (takesAway(metadata)) return true
  const annotations = getField(metadata, 'annotations')
  if (annotations === undefined) return false
  if (isMissing(annotations)) return true
  return takesAway(annotations)
}

function takesAway(map: YamlNode): boolean {
  const strategy = getField(map, '$patch')?.value
  return strategy === 'delete' || strategy === 'replace'
}

/** Source: kustomize v5.8.1 api/filters/patchjson6902 */
export function patchJson(
  resource: Resource,
  operations: readonly Operation[],
  file: string,
): void {
  const document = floats(resource.toJson()) as { [key: string]: Json }
  // Parity: what the build notes stands among the annotations while the patch runs, and returns after it.
  const notes = resource.allNotes()
  if (Object.keys(notes).length > 0) {
    const metadata = (document['metadata'] ??= {}) as { [key: string]: Json }
    metadata['annotations'] = { ...(metadata['annotations'] as object), ...notes }
  }
  const patched = applyJsonPatch(document, operations)
  resource.node = jsonToNode(patched)
  resource.shapedBy(file)
  resource.touched = true
  const annotations = resource.annotations()
  // what is internal returns, what metadata asks for is lost with the annotations
  if (!annotations.delete(originName)) resource.origin = undefined
  if (!annotations.delete(transformationsName)) resource.transformations = []
  for (const name of [...annotations.keys()]) {
    if (name.startsWith('internal.config.kubernetes.io/')) annotations.delete(name)
  }
  resource.setTexts('annotations', annotations)
}
