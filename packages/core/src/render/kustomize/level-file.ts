import { joinPath } from '../../files/index.ts'
import { fail, inLevel } from './fail.ts'
import type { Kustomization } from './kustomization.ts'
import { fileNames, readKustomization } from './kustomization-read.ts'
import type { Loader } from './loader.ts'
import type { BuildSession } from './session.ts'

/** The kustomization file of a level. */
export interface LevelFile {
  readonly name: string
  /** As provenance shows it. */
  readonly path: string
  readonly text: string
  readonly kustomization: Kustomization
  /** What the file says, where the kustomization was edited in memory. */
  readonly written: Kustomization | undefined
}

/** Reads the file of a level; `edited` stands in for what it says. */
export function readLevelFile(
  session: BuildSession,
  loader: Loader,
  edited: Kustomization | undefined,
): LevelFile {
  const { name, text } = findFile(loader)
  const path = loader.pathOf(name)
  const read = (): ReturnType<typeof readKustomization> => {
    try {
      return readKustomization(text, path, loader.shown)
    } catch (error) {
      throw inLevel(error, path)
    }
  }
  if (edited !== undefined) {
    const written = session.trace === undefined ? undefined : read().value
    return { name, path, text, kustomization: edited, written }
  }
  const { value, warnings } = read()
  session.warn(warnings)
  return { name, path, text, kustomization: value, written: undefined }
}

function findFile(loader: Loader): { readonly name: string; readonly text: string } {
  const found = fileNames.filter((name) => {
    const at = loader.resolve(joinPath(loader.root, name))
    return 'path' in at && loader.volume.tree.entry(at.path)?.kind === 'file'
  })
  const [name] = found
  if (name === undefined) {
    const [first, second, third] = fileNames.map((known) => `'${known}'`)
    return fail(
      `unable to find one of ${first}, ${second} or ${third} in directory '${loader.shown}'`,
      { path: loader.pathOf('.') },
    )
  }
  if (found.length > 1) {
    fail(`Found multiple kustomization files under: ${loader.shown}\n`, {
      path: loader.pathOf('.'),
    })
  }
  return { name, text: loader.text(name) }
}
