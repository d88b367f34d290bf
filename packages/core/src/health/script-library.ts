import type { HealthSettings, KindScripts } from '../argo/index.ts'
import { type FileTree, readText, walkFiles } from '../files/index.ts'
import { compareStrings } from '../json/index.ts'
import { groupOf, type Manifest } from '../kube/index.ts'
import { compileDoublestar } from '../text/index.ts'

export type ScriptLibrary = HealthSettings['library']

/**
 * The scripts of a folder laid out like Argo CD's library: `GROUP/KIND/health.lua`, `GROUP/KIND/actions/discovery.lua`
 * and `GROUP/KIND/actions/NAME/action.lua`, without the group for core kinds. `_` in the path of a folder stands for any
 * text. Other files are not looked at; symbolic links are not followed.
 *
 * Source: argo-cd v3.5.1 resource_customizations
 */
export function readScriptLibrary(tree: FileTree, dir = ''): ScriptLibrary {
  const found = new Map<string, Writable>()
  const of = (folder: string): Writable => {
    const known = found.get(folder)
    if (known !== undefined) return known
    const made: Writable = { actions: {} }
    found.set(folder, made)
    return made
  }
  for (const { path, entry } of walkFiles(tree, dir)) {
    if (entry.kind !== 'file' || !entry.name.endsWith('.lua')) continue
    const inside = dir === '' ? path : path.slice(dir.length + 1)
    const place = scriptPlace(inside)
    if (place === undefined) continue
    const text = readText(tree, path) ?? ''
    const scripts = of(place.folder)
    if (place.what === 'health') scripts.healthLua = text
    else if (place.what === 'discovery') scripts.discoveryLua = text
    else scripts.actions[place.action] = text
  }
  return Object.fromEntries(found)
}

interface Writable {
  healthLua?: string
  discoveryLua?: string
  actions: { [name: string]: string }
}

interface Place {
  readonly folder: string
  readonly what: 'health' | 'discovery' | 'action'
  readonly action: string
}

function scriptPlace(path: string): Place | undefined {
  const health = /^(.+)\/health\.lua$/.exec(path)
  if (health !== null) return { folder: health[1]!, what: 'health', action: '' }
  const discovery = /^(.+)\/actions\/discovery\.lua$/.exec(path)
  if (discovery !== null) return { folder: discovery[1]!, what: 'discovery', action: '' }
  const action = /^(.+)\/actions\/([^/]+)\/action\.lua$/.exec(path)
  return action === null ? undefined : { folder: action[1]!, what: 'action', action: action[2]! }
}

/** How scripts are filed: `group/Kind`, or `Kind` for the core group. */
export function scriptKey(live: Manifest): string {
  const group = groupOf(live.apiVersion)
  return group === '' ? live.kind : `${group}/${live.kind}`
}

interface Wild {
  readonly fits: (key: string) => boolean
  readonly scripts: KindScripts
}
const wildOf = new WeakMap<ScriptLibrary, readonly Wild[]>()

function wildScripts(library: ScriptLibrary): readonly Wild[] {
  const known = wildOf.get(library)
  if (known !== undefined) return known
  const made = Object.entries(library)
    .filter(([folder, { healthLua }]) => folder.includes('_') && healthLua !== undefined)
    .sort(([left], [right]) => compareStrings(left, right))
    .flatMap(([folder, scripts]): readonly Wild[] => {
      const fits = compileDoublestar(folder.replaceAll('_', '*'))
      return fits === undefined ? [] : [{ fits, scripts }]
    })
  wildOf.set(library, made)
  return made
}

/** The script of an object's own folder, or else of the first folder with `_` that fits. */
export function findHealthScript(live: Manifest, library: ScriptLibrary): string | undefined {
  const key = scriptKey(live)
  const own = scriptsFor(live, library)?.healthLua
  return own ?? wildScripts(library).find(({ fits }) => fits(key))?.scripts.healthLua
}

/** Everything that lies in an object's own folder: actions have no folders for many kinds. */
export function scriptsFor(live: Manifest, library: ScriptLibrary): KindScripts | undefined {
  const key = scriptKey(live)
  return Object.hasOwn(library, key) ? library[key] : undefined
}
