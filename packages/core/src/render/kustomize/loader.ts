import {
  baseName,
  decodeText,
  type FileTree,
  isInside,
  joinPath,
  resolveLinks,
  type TreeEntry,
} from '../../files/index.ts'
import { parseGoUrl, UrlIssue } from '../../text/index.ts'
import { fail, within } from './fail.ts'
import { statusText } from './http-status.ts'
import { parseRepo, type RepoSpec } from './remote.ts'

/** A tree and how its paths are shown in messages. */
export interface Volume {
  readonly tree: FileTree
  /** The absolute path of the root of the tree, '' for `/`. */
  readonly display: string
}

export type RemoteFile =
  | { readonly bytes: Uint8Array }
  | { readonly status: number }
  | { readonly error: Error }
export type RemoteTree = { readonly tree: FileTree } | { readonly error: Error }

/** What brings remote things; both throw when the thing is not there yet and has to be fetched first. */
export interface Remotes {
  file(url: string): RemoteFile
  repo(spec: RepoSpec): RemoteTree
}

/** Thrown where a file answer is final and no directory is to be tried. */
export class HttpFailure {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** One directory that is being built, and the rules about what it may read. */
export class Loader {
  readonly volume: Volume
  /** Inside the volume, without links. */
  readonly root: string
  readonly parent: Loader | undefined
  readonly repo: RepoSpec | undefined
  private readonly restricted: boolean
  private readonly remotes: Remotes

  private constructor(
    volume: Volume,
    root: string,
    parent: Loader | undefined,
    repo: RepoSpec | undefined,
    restricted: boolean,
    remotes: Remotes,
  ) {
    this.volume = volume
    this.root = root
    this.parent = parent
    this.repo = repo
    this.restricted = restricted
    this.remotes = remotes
  }

  /** Where a build starts. */
  static start(given: Volume, path: string, restricted: boolean, remotes: Remotes): Loader {
    const volume = { ...given, tree: remembering(given.tree) }
    const root = within('must build at directory', () => confirmFolder(volume, path))
    return new Loader(volume, root, undefined, undefined, restricted, remotes)
  }

  /** The root as messages show it. */
  get shown(): string {
    return show(this.volume, this.root)
  }

  show(path: string): string {
    return show(this.volume, path)
  }

  /** A directory or repository named by this one. */
  open(path: string): Loader {
    if (path === '') fail('new root cannot be empty')
    const repo = parseRepo(path)
    if (repo !== undefined) return this.openRepo(repo)
    if (path.startsWith('/')) fail(`new root '${path}' cannot be absolute`)
    const wanted = joinPath(this.root, path)
    if (this.clone !== undefined && isOutside(wanted)) {
      fail(
        `security; bases in kustomizations found in cloned git repos must be within the repo, but base '${this.show(wanted)}' is outside '${show(this.volume, '')}'`,
      )
    }
    const root = within('must build at directory', () => confirmFolder(this.volume, wanted))
    this.refuseCycle(root)
    return new Loader(this.volume, root, this, undefined, this.restricted, this.remotes)
  }

  /** The repository that this directory is in, when it was cloned for the build. */
  private get clone(): RepoSpec | undefined {
    return this.repo ?? this.parent?.clone
  }

  private openRepo(repo: RepoSpec): Loader {
    for (let at: Loader | undefined = this; at !== undefined; at = at.parent) {
      if (at.repo?.raw.startsWith(repo.raw) === true) {
        fail(`cycle detected: URI '${repo.raw}' referenced by previous URI '${at.repo.raw}'`)
      }
    }
    const answer = this.remotes.repo(repo)
    if ('error' in answer) throw answer.error
    const volume: Volume = { tree: remembering(answer.tree), display: '/repo' }
    const path = joinPath(repo.path)
    const found = resolveLinks(volume.tree, path)
    if ('error' in found) {
      if (found.error === 'outside') {
        fail(`"${show(volume, path)}" refers to directory outside of repo "${volume.display}"`)
      }
      return fail(linkFailure(volume, path, found.at))
    }
    if (found.path !== '' && volume.tree.entry(found.path)?.kind !== 'directory') {
      fail(`'${show(volume, path)}' refers to file '${baseName(found.path)}'; expecting directory`)
    }
    return new Loader(volume, found.path, this, repo, true, this.remotes)
  }

  private refuseCycle(root: string): void {
    for (let at: Loader | undefined = this; at !== undefined; at = at.parent) {
      if (at.volume !== this.volume) continue
      if (isInside(at.root, root)) {
        fail(
          `cycle detected: candidate root '${this.show(root)}' contains visited root '${at.shown}'`,
        )
      }
    }
  }

  /** Bytes of a file, by a path relative to this directory or a URL. Throws {@link HttpFailure} too. */
  read(path: string): Uint8Array {
    if (isRemote(path)) return this.readRemote(path)
    const { volume } = this
    const wanted = path.startsWith('/') ? fromAbsolute(volume, path) : joinPath(this.root, path)
    const found = this.resolve(wanted)
    if ('error' in found) return fail(linkFailure(volume, wanted, found.at, found.error))
    if (!isFile(volume.tree, found.path)) return fail(this.noFile(wanted))
    if (this.restricted && !isInside(found.path, this.root)) {
      fail(`security; file '${show(volume, wanted)}' is not in or below '${this.shown}'`)
    }
    return volume.tree.read(found.path) ?? fail(`open ${show(volume, found.path)}: no such file`)
  }

  /** Why a path that leads to a folder cannot be read; undefined for all others. */
  folderFailure(path: string): string | undefined {
    if (path.startsWith('/') || isRemote(path)) return undefined
    const wanted = joinPath(this.root, path)
    const found = this.resolve(wanted)
    if ('error' in found || isFile(this.volume.tree, found.path)) return undefined
    return this.noFile(wanted)
  }

  private noFile(path: string): string {
    const shown = show(this.volume, path)
    return this.restricted ? `'${shown}' must resolve to a file` : `read ${shown}: is a directory`
  }

  /** Links are followed; what lies below the folder without one is found without asking for the way to it. */
  resolve(path: string): ReturnType<typeof resolveLinks> {
    const { tree } = this.volume
    if (!isInside(path, this.root) || path === this.root) return resolveLinks(tree, path)
    let at = this.root
    const steps = path.slice(this.root === '' ? 0 : this.root.length + 1).split('/')
    for (const [i, step] of steps.entries()) {
      at = at === '' ? step : `${at}/${step}`
      const kind = tree.entry(at)?.kind
      const isLast = i === steps.length - 1
      if (kind === undefined) return { error: 'missing', at }
      if (kind !== 'directory' && !(isLast && kind === 'file')) return resolveLinks(tree, path)
    }
    return { path: at }
  }

  text(path: string): string {
    return decodeText(this.read(path))
  }

  /** The path of a file as provenance shows it: in the tree, or with the repository that was cloned. */
  pathOf(path: string): string {
    return isRemote(path) ? path : this.named(joinPath(this.root, path))
  }

  /** The same for a path inside the volume. */
  named(inside: string): string {
    const repo = this.clone
    if (repo === undefined) return inside
    return `${repo.clone}//${inside}${repo.ref === '' ? '' : `?ref=${repo.ref}`}`
  }

  private readRemote(url: string): Uint8Array {
    const answer = this.remotes.file(url)
    if ('bytes' in answer) return answer.bytes
    if ('error' in answer) throw answer.error
    if (parseRepo(url) !== undefined) fail('URL is a git repository')
    throw new HttpFailure(`HTTP Error: status code ${answer.status} (${statusText(answer.status)})`)
  }
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith('../')
}

function isFile(tree: FileTree, path: string): boolean {
  return path !== '' && tree.entry(path)?.kind === 'file'
}

/** A tree that is asked only once what stands at a path. */
function remembering(tree: FileTree): FileTree {
  const known = new Map<string, TreeEntry | undefined>()
  return {
    entry: (path) => {
      let entry = known.get(path)
      if (entry === undefined && !known.has(path)) known.set(path, (entry = tree.entry(path)))
      return entry
    },
    read: (path) => tree.read(path),
    list: (path) => tree.list(path),
    ...(tree.contentId === undefined ? {} : { contentId: (path) => tree.contentId!(path) }),
  }
}

function isRemote(path: string): boolean {
  if (!/^https?:/i.test(path)) return false
  const url = parseGoUrl(path)
  return !(url instanceof UrlIssue) && (url.scheme === 'http' || url.scheme === 'https')
}

function fromAbsolute(volume: Volume, path: string): string {
  const inside = path === volume.display || path.startsWith(volume.display + '/')
  if (!inside) return fail(`security; file '${path}' is outside of the source`)
  return joinPath(path.slice(volume.display.length))
}

function show(volume: Volume, path: string): string {
  if (path === '') return volume.display === '' ? '/' : volume.display
  const steps = `${volume.display}/${path}`.split('/')
  const out: string[] = []
  for (const step of steps) {
    if (step === '..') out.pop()
    else if (step !== '' && step !== '.') out.push(step)
  }
  const start = volume.display.startsWith('/') || volume.display === '' ? '/' : ''
  return start + out.join('/')
}

function linkFailure(volume: Volume, path: string, at: string, error = 'missing'): string {
  const shown = show(volume, path)
  if (error === 'loop') return `evalsymlink failure on '${shown}' : EvalSymlinks: too many links`
  if (error === 'outside') return `security; '${show(volume, at)}' leads out of the source`
  return `evalsymlink failure on '${shown}' : lstat ${show(volume, at)}: no such file or directory`
}

function confirmFolder(volume: Volume, path: string): string {
  const found = resolveLinks(volume.tree, path)
  if ('error' in found) {
    return fail(`not a valid directory: ${linkFailure(volume, path, found.at, found.error)}`)
  }
  if (found.path !== '' && volume.tree.entry(found.path)?.kind !== 'directory') {
    fail(`'${show(volume, path)}': file is not directory`)
  }
  return found.path
}
