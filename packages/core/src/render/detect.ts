import type { ApplicationSource, Settings, SourceType } from '../argo/index.ts'
import { RenderError } from '../errors/index.ts'
import { baseName, dirName, type FileTree, walkFiles } from '../files/index.ts'

const blocks = [
  ['kustomize', 'Kustomize'],
  ['helm', 'Helm'],
  ['directory', 'Directory'],
  ['plugin', 'Plugin'],
] as const

/** The type whose block the source holds; undefined when it holds none. Several are an error. */
export function explicitSourceType(source: ApplicationSource): SourceType | undefined {
  const present = blocks.filter(([field]) => source[field] !== undefined && source[field] !== null)
  if (present.length > 1) {
    throw new RenderError(
      'SPEC_INVALID',
      `error getting app source type: multiple application sources defined: ${present.map(([, type]) => type).join(',')}`,
      { hint: 'Keep only one of kustomize, helm, directory and plugin in the source.' },
    )
  }
  return present[0]?.[1]
}

/**
 * How a folder is rendered: by its block, else by the files in it; what settings switch off falls back to Directory.
 *
 * Parity: a file whose name merely ends with `Chart.yaml` makes its folder a chart, and a later file in walking order
 * overrules an earlier one. Source: argo-cd v3.5.1 util/app/discovery/discovery.go
 */
export function detectSourceType(
  tree: FileTree,
  path: string,
  source: ApplicationSource,
  settings: Settings,
): SourceType {
  const enabled = (type: SourceType): boolean => {
    if (type === 'Helm') return settings.sourceTypes.helm
    if (type === 'Kustomize') return settings.sourceTypes.kustomize
    return true
  }
  const explicit = explicitSourceType(source)
  if (explicit !== undefined) return enabled(explicit) ? explicit : 'Directory'
  let found: SourceType = 'Directory'
  // Only the mark of the folder itself counts, so its own entries are enough.
  for (const { path: file, entry } of walkFiles(tree, path, () => false)) {
    if (dirName(file) !== path || entry.kind === 'directory') continue
    const name = baseName(file)
    if (name.endsWith('Chart.yaml') && enabled('Helm')) found = 'Helm'
    if (
      (name === 'kustomization.yaml' || name === 'kustomization.yml' || name === 'Kustomization') &&
      enabled('Kustomize')
    ) {
      found = 'Kustomize'
    }
  }
  return found
}
