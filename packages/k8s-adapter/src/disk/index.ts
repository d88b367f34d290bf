// disk: folders of this machine that options name, as core values.
// In: paths. Out: trees, libraries of scripts. Never: the cluster, the network, writing.
import { statSync } from 'node:fs'
import { SpecError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import { readScriptLibrary, type ScriptLibrary } from '@litecd/core/health'
import { folderTree } from '../sources/git/index.ts'

/** A folder that an option names. `what` begins the message. Throws SpecError USAGE where there is none. */
export function openFolder(path: string, what: string): FileTree {
  let reason = 'it is no folder'
  try {
    if (statSync(path).isDirectory()) return folderTree(path)
  } catch (error) {
    reason = (error as Error).message
  }
  throw new SpecError('USAGE', `${what}: ${reason}`)
}

/**
 * The Lua scripts of a folder that is laid out like Argo CD's resource_customizations. `what` begins messages.
 *
 * Throws SpecError USAGE where there is no such folder, or none of its files is a script in its place.
 */
export function openHealthLibrary(path: string, what: string): ScriptLibrary {
  const library = readScriptLibrary(openFolder(path, what))
  if (Object.keys(library).length > 0) return library
  throw new SpecError('USAGE', `${what}: there is no script in it`, {
    hint: 'Checks lie in GROUP/KIND/health.lua, actions in GROUP/KIND/actions/NAME/action.lua.',
  })
}
