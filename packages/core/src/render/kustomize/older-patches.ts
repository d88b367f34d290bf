import { isLitecdError } from '../../errors/index.ts'
import { cloneJson } from '../../json/index.ts'
import { shownPatch } from './conceal.ts'
import { fail, messageOf } from './fail.ts'
import { parseJsonPatch } from './json-patch.ts'
import type { PatchArgs } from './kustomization.ts'
import type { Loader } from './loader.ts'
import { patchJson, patchSelected, type Transformer } from './patch.ts'
import { readResources } from './read.ts'
import type { Resource } from './resource.ts'
import type { Schemas } from './schema.ts'
import { Selector } from './select.ts'

/** Source: kustomize v5.8.1 api/internal/builtins/PatchStrategicMergeTransformer.go */
export function strategicMergeTransformer(
  paths: readonly string[],
  inline: string,
  loader: Loader,
  schemas: Schemas,
  /** Told what each entry has touched. */
  after?: (index: number, touched: Iterable<Resource>) => void,
): Transformer {
  if (paths.length === 0 && inline === '') fail('empty file path and empty patch content')
  const patches: { patch: Resource; file: string; index: number }[] = []
  for (const [index, path] of paths.entries()) {
    const { resources, file } = readInlineOrFile(path, loader)
    for (const patch of resources) patches.push({ patch, file, index })
  }
  if (inline !== '')
    for (const patch of readResources(inline, '')) patches.push({ patch, file: '', index: -1 })
  if (patches.length === 0) {
    const shown = paths.map((path) => shownPatch(path))
    fail(`patch appears to be empty; files=[${shown.join(' ')}], Patch=${shownPatch(inline)}`)
  }
  return (objects) => {
    for (const { patch, file, index } of patches) {
      const target = objects.uniqueByAnyId(patch.originalId)
      const selected = objects.list.filter((item) => item.key === target.key)
      patchSelected(objects, selected, patch, schemas, file)
      after?.(index, selected)
    }
  }
}

function readInlineOrFile(
  path: string,
  loader: Loader,
): { readonly resources: Resource[]; readonly file: string } {
  try {
    return { resources: readResources(path, ''), file: '' }
  } catch (error) {
    if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
  }
  const file = loader.pathOf(path)
  const text = loader.text(path)
  try {
    return { resources: readResources(text, file), file }
  } catch (error) {
    throw malformed(error, path)
  }
}

/** Adds the file to a syntax error. */
export function malformed(error: unknown, path: string): unknown {
  if (!isLitecdError(error) || !error.message.includes('MalformedYAMLError')) return error
  try {
    return fail(`${messageOf(error)} in File: ${path}`, error.position, error)
  } catch (named) {
    return named
  }
}

/** Source: kustomize v5.8.1 api/internal/builtins/PatchJson6902Transformer.go */
export function json6902Transformer(args: PatchArgs, loader: Loader): Transformer {
  const target = args.target ?? {}
  if ((target.name ?? '') === '') fail('must specify the target name')
  const path = args.path ?? ''
  let text = args.patch ?? ''
  if (path === '' && text === '') fail('empty file path and empty jsonOp')
  if (path !== '') {
    if (text !== '') fail('must specify a file path or jsonOp, not both')
    text = loader.text(path)
    if (text === '') fail(`patch file '${path}' empty seems to be empty`)
  }
  const operations = parseJsonPatch(text)
  if (operations === undefined)
    return fail(`decoding ${shownPatch(text, target)}: it is no list of operations`)
  if (operations.length === 0)
    fail(`patch appears to be empty; file=${path}, JsonOp=${shownPatch(text, target)}`)
  const file = path === '' ? '' : loader.pathOf(path)
  return (objects) => {
    const selector = new Selector(target)
    for (const resource of objects.list.filter((item) => selector.selects(item))) {
      patchJson(
        resource,
        operations.map((operation) => ({
          ...operation,
          value: operation.value === undefined ? undefined : cloneJson(operation.value),
        })),
        file,
      )
    }
    objects.changed()
  }
}
