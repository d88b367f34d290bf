import { RenderError, SourceError } from '../../../errors/index.ts'
import { type FileTree, joinPath, resolveLinks } from '../../../files/index.ts'
import { bytesToText, quoteGo } from '../../../text/index.ts'
import { type BufferedFile, maxFileSize, withoutMark } from './buffered.ts'
import { type IgnoreTest, parseHelmignore } from './helmignore.ts'

const maxDepth = 100
const maxFiles = 200_000

/**
 * The files of a chart folder in Helm's order, without those that .helmignore leaves out. Links are followed inside the
 * tree.
 *
 * Throws SOURCE_NOT_FOUND, SOURCE_UNSAFE, HELM_FAILED, BUDGET_EXCEEDED.
 */
export function readChartFolder(tree: FileTree, dir: string): readonly BufferedFile[] {
  const root = resolveLinks(tree, dir)
  if ('error' in root) throw new SourceError('SOURCE_NOT_FOUND', `path "${dir}" not found`)
  const rules = tree.read(joinPath(root.path, '.helmignore'))
  const ignores = parseHelmignore(rules === undefined ? '' : bytesToText(rules))
  const files: BufferedFile[] = []
  walk(tree, root.path, '', ignores, files, 0)
  return files
}

function walk(
  tree: FileTree,
  folder: string,
  prefix: string,
  ignores: IgnoreTest,
  files: BufferedFile[],
  depth: number,
): void {
  if (depth > maxDepth) {
    throw new RenderError('BUDGET_EXCEEDED', `chart folders nest deeper than ${maxDepth} levels`)
  }
  for (const entry of tree.list(folder) ?? []) {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    let path = folder === '' ? entry.name : `${folder}/${entry.name}`
    let kind = entry.kind
    if (kind === 'link') {
      const target = resolveLinks(tree, path)
      if ('error' in target) {
        throw new SourceError(
          target.error === 'outside' ? 'SOURCE_UNSAFE' : 'SOURCE_NOT_FOUND',
          `error evaluating symlink ${path}: lstat ${target.at}: no such file or directory`,
        )
      }
      path = target.path
      kind = tree.entry(path)?.kind ?? 'directory'
    }
    const isFolder = kind === 'directory'
    if (ignores(name, isFolder)) continue
    if (isFolder) {
      walk(tree, path, name, ignores, files, depth + 1)
      continue
    }
    const bytes = tree.read(path)
    if (bytes === undefined) throw new SourceError('SOURCE_NOT_FOUND', `error reading ${name}`)
    if (bytes.length > maxFileSize) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `chart file ${quoteGo(entry.name)} is larger than the maximum file size ${maxFileSize}`,
      )
    }
    if (files.length >= maxFiles) {
      throw new RenderError('BUDGET_EXCEEDED', `chart has more than ${maxFiles} files`)
    }
    files.push({ name, bytes: withoutMark(bytes) })
  }
}
