import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareStrings } from '@litecd/core/json'
import { corrupt } from './object.ts'
import { isMissing } from './object-store.ts'

/** What a ref holds: an object id, or the name of another ref. */
export type RefValue = { readonly id: string } | { readonly symbolic: string }

/** A ref as a server advertises it. `target` is where a symbolic ref points; `peeled` what an annotated tag points to. */
export interface AdvertisedRef {
  readonly name: string
  readonly id: string
  readonly target?: string
  readonly peeled?: string
}

const perWorktree = /^(?:refs\/(?:bisect|worktree|rewritten)\/|(?!refs\/))/
const maxSymbolicDepth = 5 // git refs.h SYMREF_MAXDEPTH

/** Branches, tags and HEAD from loose files and `packed-refs`; the reftable format is not read. */
export class RefStore {
  readonly #gitDir: string
  readonly #commonDir: string
  #packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | undefined

  constructor(gitDir: string, commonDir: string) {
    this.#gitDir = gitDir
    this.#commonDir = commonDir
  }

  /** The value of a full name such as `HEAD` or `refs/heads/main`; undefined when there is none. */
  read(name: string): RefValue | undefined {
    if (!isSafeRefName(name)) return undefined
    const folder = perWorktree.test(name) ? this.#gitDir : this.#commonDir
    let text: string | undefined
    try {
      text = readFileSync(join(folder, name), 'utf8')
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (!isMissing(error) && code !== 'EISDIR') throw corrupt(`ref ${name} cannot be read`, error)
    }
    if (text !== undefined) {
      const symbolic = /^ref:\s*(\S+)\s*$/.exec(text)?.[1]
      if (symbolic !== undefined) return { symbolic }
      const id = /^([0-9a-f]{40})(\s|$)/.exec(text)?.[1]
      if (id !== undefined) return { id }
      throw corrupt(`ref ${name} holds neither an id nor a name`)
    }
    const id = this.#packedRefs().get(name)
    return id === undefined ? undefined : { id }
  }

  /** The object id that a full name leads to; undefined when it leads nowhere. */
  resolve(name: string): string | undefined {
    let at = name
    for (let depth = 0; depth <= maxSymbolicDepth; depth++) {
      const value = this.read(at)
      if (value === undefined) return undefined
      if ('id' in value) return value.id
      at = value.symbolic
    }
    return undefined
  }

  /** Full names of everything below `refs/`, in byte order. */
  names(): readonly string[] {
    const found = new Set(this.#packedRefs().keys())
    const walk = (folder: string, prefix: string): void => {
      let entries: import('node:fs').Dirent[]
      try {
        entries = readdirSync(folder, { withFileTypes: true })
      } catch (error) {
        if (isMissing(error)) return
        throw corrupt(`${folder} cannot be listed`, error)
      }
      for (const entry of entries) {
        const name = `${prefix}${entry.name}`
        if (entry.isDirectory()) walk(join(folder, entry.name), name + '/')
        else if (!entry.name.endsWith('.lock') && isSafeRefName(name)) found.add(name)
      }
    }
    walk(join(this.#commonDir, 'refs'), 'refs/')
    return [...found].sort(compareStrings)
  }

  #packedRefs(): ReadonlyMap<string, string> {
    const path = join(this.#commonDir, 'packed-refs')
    let stamp = ''
    try {
      const stat = statSync(path, { bigint: true })
      stamp = `${stat.mtimeNs}:${stat.size}:${stat.ino}`
    } catch (error) {
      if (!isMissing(error)) throw corrupt('packed-refs cannot be read', error)
    }
    if (this.#packed?.stamp === stamp) return this.#packed.refs
    const refs = new Map<string, string>()
    if (stamp !== '') {
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        const [, id, name] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? []
        if (id !== undefined && name !== undefined) refs.set(name, id)
      }
    }
    this.#packed = { stamp, refs }
    return refs
  }
}

/** False for names that could leave the folder of refs, or that git itself refuses. */
export function isSafeRefName(name: string): boolean {
  return (
    name !== '' &&
    !name.startsWith('/') &&
    !name.endsWith('/') &&
    !name.includes('//') &&
    !name.includes('..') &&
    !name.includes('\\') &&
    !/[\0-\x20\x7f~^:?*[]/.test(name) &&
    !name.split('/').some((part) => part.startsWith('.'))
  )
}
