import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RenderError, SpecError } from '@litecd/core/errors'
import { isObject, type Json } from '@litecd/core/json'
import { formatKey, keyOf, type Manifest } from '@litecd/core/kube'
import { parseYamlDocuments } from '@litecd/core/yaml'

/** Objects of a cluster, by the text of their keys (`formatKey`). */
export type LiveObjects = ReadonlyMap<string, Manifest>

/**
 * Reads what `kubectl get … -o yaml` or `-o json` printed: a file, or all .yaml, .yml and .json files of a folder and
 * those below. Lists are taken apart; of one object the last copy counts.
 *
 * Throws SpecError USAGE for a path that cannot be read, RenderError with the position for text that is no such output.
 */
export function readLiveObjects(path: string, cwd: string): LiveObjects {
  const out = new Map<string, Manifest>()
  for (const file of filesOf(path, cwd)) {
    for (const { value, line } of parseYamlDocuments(textOf(file), {
      path: file,
      numbers: 'int64',
    })) {
      for (const object of objectsOf(value, { path: file, line }))
        out.set(formatKey(keyOf(object)), object)
    }
  }
  return out
}

function filesOf(path: string, cwd: string): readonly string[] {
  const full = resolve(cwd, path)
  const wrong = (error: unknown): SpecError =>
    new SpecError('USAGE', `--live-objects ${path}: ${(error as Error).message}`)
  try {
    if (!statSync(full).isDirectory()) return [full]
    return readdirSync(full, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ya?ml|json)$/.test(name))
      .sort()
      .map((name) => join(full, name))
  } catch (error) {
    throw wrong(error)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SpecError('USAGE', `--live-objects ${file}: ${(error as Error).message}`)
  }
}

function objectsOf(
  value: Json,
  position: { readonly path: string; readonly line: number },
): readonly Manifest[] {
  if (value === null) return []
  const items = isObject(value) ? value['items'] : undefined
  if (Array.isArray(items) && isObject(value) && String(value['kind']).endsWith('List')) {
    return items.flatMap((item: Json) => objectsOf(item, position))
  }
  if (
    !isObject(value) ||
    typeof value['kind'] !== 'string' ||
    typeof value['apiVersion'] !== 'string'
  ) {
    throw new RenderError('MANIFEST_INVALID', 'this is no object of a cluster', {
      position,
      hint: 'Give what `kubectl get KINDS -A -o yaml` prints.',
    })
  }
  return [value as Manifest]
}
