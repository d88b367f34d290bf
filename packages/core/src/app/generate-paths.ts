import { type Application, annotationManifestGeneratePaths } from '../argo/index.ts'
import { cleanPath, isInside, type PathChange } from '../files/index.ts'
import { filepathMatch } from '../text/index.ts'

/**
 * The paths whose changes concern a source, by the annotation of the Application; empty without one. Paths that begin
 * with `/` count from the root, others from the source's path.
 *
 * Source: argo-cd v3.5.1 util/app/path/path.go GetAppRefreshPaths
 */
export function refreshPaths(app: Application, sourcePath: string): readonly string[] {
  const text = app.metadata.annotations?.[annotationManifestGeneratePaths] ?? ''
  return text
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (item.startsWith('/') ? cleanPath(item) : cleanPath(`${sourcePath}/${item}`)))
}

/** True when some change is one of the paths, lies below one, or fits one as a pattern. No paths: always true. */
export function concerns(paths: readonly string[], changes: readonly PathChange[]): boolean {
  if (paths.length === 0) return true
  return changes.some(({ path }) =>
    paths.some((wanted) => isInside(path, wanted) || filepathMatch(wanted, path) === true),
  )
}
