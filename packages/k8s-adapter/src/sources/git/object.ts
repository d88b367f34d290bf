import { SourceError } from '@litecd/core/errors'

export type GitObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object as git stores it. The bytes are shared with caches: never write to them. */
export interface GitObject {
  readonly type: GitObjectType
  readonly bytes: Buffer
}

/** One name in a tree object. `mode` is git's: 0o100644, 0o100755, 0o120000 (link), 0o40000 (tree), 0o160000 (submodule). */
export interface GitTreeEntry {
  readonly name: string
  readonly mode: number
  readonly id: string
}

export interface GitCommit {
  readonly id: string
  readonly tree: string
  readonly parents: readonly string[]
  /** Seconds since the Unix epoch. */
  readonly committedAt: number
}

export const modeTree = 0o40000
export const modeLink = 0o120000
export const modeSubmodule = 0o160000

export function corrupt(what: string, cause?: unknown): SourceError {
  return new SourceError('SOURCE_CORRUPT', what, {
    cause,
    hint: 'run `git fsck` in the repository, or fetch it again',
  })
}

export function tooLarge(size: number | undefined, maxBytes: number): SourceError {
  return new SourceError(
    'BUDGET_EXCEEDED',
    `a git object${size === undefined ? '' : ` of ${size} bytes`} is larger than the ${maxBytes} bytes that are allowed`,
  )
}

/** Names of a tree object in git's own order (folders sort as if their name ended in '/'). */
export function parseTree(bytes: Buffer, id: string): GitTreeEntry[] {
  const entries: GitTreeEntry[] = []
  let at = 0
  while (at < bytes.length) {
    let mode = 0
    let byte = bytes[at++]!
    while (byte !== 0x20) {
      if (byte < 0x30 || byte > 0x37) throw corrupt(`tree ${id} is malformed`)
      mode = mode * 8 + (byte - 0x30)
      if (at >= bytes.length) throw corrupt(`tree ${id} is malformed`)
      byte = bytes[at++]!
    }
    const end = bytes.indexOf(0, at)
    if (end === -1 || end + 21 > bytes.length) throw corrupt(`tree ${id} is cut short`)
    const name = bytes.toString('utf8', at, end)
    entries.push({ name, mode, id: bytes.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

/** The fields of a commit that walking history needs. */
export function parseCommit(bytes: Buffer, id: string): GitCommit {
  const headEnd = bytes.indexOf('\n\n')
  const head = bytes.toString('latin1', 0, headEnd === -1 ? bytes.length : headEnd)
  let tree = ''
  const parents: string[] = []
  let committedAt = 0
  for (const line of head.split('\n')) {
    if (line.startsWith('tree ')) tree = line.slice(5)
    else if (line.startsWith('parent ')) parents.push(line.slice(7))
    else if (line.startsWith('committer ')) {
      committedAt = Number(/> (-?\d+)/.exec(line)?.[1] ?? 0)
      break
    }
  }
  if (!/^[0-9a-f]{40}$/.test(tree)) throw corrupt(`commit ${id} names no tree`)
  return { id, tree, parents, committedAt }
}

/** What an annotated tag points to. */
export function parseTag(bytes: Buffer, id: string): { readonly id: string } {
  const target = /^object ([0-9a-f]{40})\n/.exec(bytes.toString('latin1', 0, 64))?.[1]
  if (target === undefined) throw corrupt(`tag ${id} points to nothing`)
  return { id: target }
}
