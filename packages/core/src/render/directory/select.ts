import type { DirectorySource } from '../../argo/index.ts'
import { RenderError } from '../../errors/index.ts'
import { decodeText, type FileTree, resolveLinks, walkFiles } from '../../files/index.ts'
import { compileGlob } from '../../text/index.ts'

/** A file that takes part. `name` is relative to the folder of the Application, as errors show it. */
export interface ManifestFile {
  readonly name: string
  readonly path: string
  readonly text: string
}

const manifestName = /^.*\.(yaml|yml|json|jsonnet)$/
const skipMarker = '+argocd:skip-file-rendering'

/**
 * The manifest files of a folder in lexical order.
 *
 * Parity: dot files take part; exclude is looked at before include; an invalid pattern matches nothing; the marker
 * skips a file wherever it stands in it; Jsonnet files do not count towards the size limit.
 * Errors: SOURCE_UNSAFE for a link out of the tree, BUDGET_EXCEEDED beyond `maxBytes` (0: no limit).
 */
export function selectFiles(
  tree: FileTree,
  dir: string,
  options: DirectorySource,
  maxBytes: number,
): readonly ManifestFile[] {
  const exclude = globOf(options.exclude)
  const include = globOf(options.include)
  const files: ManifestFile[] = []
  let size = 0
  for (const { path, entry } of walkFiles(tree, dir, () => options.recurse === true)) {
    if (!manifestName.test(entry.name)) continue
    const name = dir === '' ? path : path.slice(dir.length + 1)
    const real = entry.kind === 'link' ? followLink(tree, path, name) : path
    if (real === undefined || tree.entry(real)?.kind !== 'file') continue
    if (exclude?.(name) === true) continue
    if (include !== undefined && !include(name)) continue
    const bytes = tree.read(real)
    if (bytes === undefined) continue
    const text = decodeText(bytes)
    if (text.includes(skipMarker)) continue
    if (!name.endsWith('.jsonnet')) {
      size += bytes.length
      if (maxBytes > 0 && size > maxBytes) {
        throw new RenderError(
          'BUDGET_EXCEEDED',
          `failed to get potentially valid manifests: invalid manifest file "${path}": exceeded max combined manifest file size`,
          {
            position: { path },
            hint: `The manifests of one Application may have ${maxBytes} bytes together; split it, or raise reposerver.max.combined.directory.manifests.size.`,
          },
        )
      }
    }
    files.push({ name, path, text })
  }
  return files
}

function globOf(pattern: string | undefined): ((name: string) => boolean) | undefined {
  if (pattern === undefined || pattern === '') return undefined
  return compileGlob(pattern) ?? (() => false)
}

/** The real path of a link; undefined when it dangles. */
function followLink(tree: FileTree, path: string, name: string): string | undefined {
  const real = resolveLinks(tree, path)
  if ('path' in real) return real.path
  if (real.error === 'missing') return undefined
  throw new RenderError(
    'SOURCE_UNSAFE',
    `failed to get potentially valid manifests: invalid manifest file "${path}": illegal filepath in symlink at "${name}"`,
    { position: { path }, hint: 'Point the link to a file inside the repository.' },
  )
}
