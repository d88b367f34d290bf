import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SourceError } from '@litecd/core/errors'
import type { GitProgram } from '../../process/index.ts'
import { corrupt } from './object.ts'
import { isMissing } from './object-store.ts'
import type { GitRepository } from './repository.ts'

/** A path that git tracks, with what it remembers of the file on disk. */
export interface IndexEntry {
  readonly path: string
  readonly mode: number
  readonly id: string
  /** 0, or 1 to 3 for the sides of a merge conflict. */
  readonly stage: number
  /** The file is tracked but deliberately not on disk (sparse checkout). */
  readonly skipWorktree: boolean
  /** `git add --intent-to-add`: the id means nothing yet. */
  readonly intentToAdd: boolean
  /** What lstat said when the file was last seen to have this id; undefined where it was not recorded. */
  readonly stat: IndexStat | undefined
}

export interface IndexStat {
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
  readonly size: number
}

export interface GitIndex {
  readonly entries: readonly IndexEntry[]
  /** When the index was written. A file changed at that time or later may differ unnoticed. */
  readonly writtenMs: number
}

/**
 * The index of a work tree, versions 2 to 4. Split indexes are read through the git program.
 *
 * @throws SourceError SOURCE_CORRUPT, RENDER_UNSUPPORTED
 * Source: git Documentation/gitformat-index
 */
export function readIndex(repository: GitRepository, git: GitProgram | undefined): GitIndex {
  const path = join(repository.gitDir, 'index')
  let bytes: Buffer
  let writtenMs: number
  try {
    writtenMs = statSync(path).mtimeMs
    bytes = readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return { entries: [], writtenMs: 0 }
    throw corrupt(`${path} cannot be read`, error)
  }
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') {
    throw corrupt(`${path} is no index of git`)
  }
  const version = bytes.readUInt32BE(4)
  const parsed = version >= 2 && version <= 4 ? parseEntries(bytes, version, path) : undefined
  if (parsed === undefined || !onlyKnownExtensions(bytes, parsed.end)) {
    return { entries: askGit(repository, git), writtenMs }
  }
  const entries = parsed.entries.flatMap((entry) =>
    entry.mode === 0o40000 ? [...expandSparseFolder(repository, entry)] : [entry],
  )
  return { entries, writtenMs }
}

function parseEntries(
  bytes: Buffer,
  version: number,
  path: string,
): { readonly entries: readonly IndexEntry[]; readonly end: number } {
  const count = bytes.readUInt32BE(8)
  const limit = bytes.length - 20 // the sum at the end
  const entries: IndexEntry[] = []
  let at = 12
  let name: Buffer = Buffer.alloc(0)
  for (let i = 0; i < count; i++) {
    if (at + 62 > limit) throw corrupt(`${path} is cut short`)
    const flags = bytes.readUInt16BE(at + 60)
    const extended = (flags & 0x4000) !== 0 ? bytes.readUInt16BE(at + 62) : 0
    const start = at
    let text = at + 62 + ((flags & 0x4000) !== 0 ? 2 : 0)
    let kept: Buffer = Buffer.alloc(0)
    if (version === 4) {
      let strip = 0
      for (let byte = 0x80, first = true; byte & 0x80; first = false) {
        byte = bytes[text++]!
        strip = first ? byte & 0x7f : (strip + 1) * 128 + (byte & 0x7f)
      }
      if (strip > name.length) throw corrupt(`${path} is damaged`)
      kept = name.subarray(0, name.length - strip)
    }
    const end = bytes.indexOf(0, text)
    if (end === -1 || end >= limit) throw corrupt(`${path} is cut short`)
    name =
      version === 4 ? Buffer.concat([kept, bytes.subarray(text, end)]) : bytes.subarray(text, end)
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7)
    const time = (offset: number): number =>
      bytes.readUInt32BE(start + offset) * 1000 + bytes.readUInt32BE(start + offset + 4) / 1e6
    entries.push({
      path: name.toString('utf8'),
      mode: bytes.readUInt32BE(start + 24),
      id: bytes.toString('hex', start + 40, start + 60),
      stage: (flags >> 12) & 3,
      skipWorktree: (extended & 0x4000) !== 0,
      intentToAdd: (extended & 0x2000) !== 0,
      stat: {
        ctimeMs: time(0),
        mtimeMs: time(8),
        ino: bytes.readUInt32BE(start + 20),
        size: bytes.readUInt32BE(start + 36),
      },
    })
  }
  return { entries, end: at }
}

/** Extensions in capitals are optional; of the others `sdir` (sparse folders) is understood. */
function onlyKnownExtensions(bytes: Buffer, start: number): boolean {
  for (let at = start; at + 8 <= bytes.length - 20; ) {
    const name = bytes.toString('latin1', at, at + 4)
    if (!/^[A-Z]/.test(name) && name !== 'sdir') return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return true
}

/** A folder of a sparse index stands for all files of its tree, none of which is on disk. */
function* expandSparseFolder(repository: GitRepository, folder: IndexEntry): Generator<IndexEntry> {
  for (const child of repository.tree(folder.id)) {
    const entry: IndexEntry = {
      ...folder,
      path: folder.path + child.name + (child.mode === 0o40000 ? '/' : ''),
      mode: child.mode,
      id: child.id,
      skipWorktree: true,
      stat: undefined,
    }
    if (child.mode === 0o40000) yield* expandSparseFolder(repository, entry)
    else yield entry
  }
}

function askGit(repository: GitRepository, git: GitProgram | undefined): readonly IndexEntry[] {
  const result = git?.runSync(['ls-files', '-s', '-z', '-t', '--full-name'], {
    cwd: repository.workTree ?? repository.gitDir,
    userConfig: true,
    maxOutputBytes: 1 << 29,
  })
  if (result === undefined || result.status !== 0) {
    throw new SourceError(
      'RENDER_UNSUPPORTED',
      `the index of ${repository.gitDir} is of a kind that only the git program can read`,
      {
        hint: 'install git, or run `git update-index --no-split-index` once',
        ...(result === undefined ? {} : { data: { stderr: result.stderr } }),
      },
    )
  }
  const entries: IndexEntry[] = []
  for (const line of result.stdout.toString('utf8').split('\0')) {
    const [, tag, mode, id, stage, path] =
      /^(\S) (\d+) ([0-9a-f]{40}) (\d)\t(.*)$/s.exec(line) ?? []
    if (path === undefined) continue
    entries.push({
      path,
      mode: Number.parseInt(mode!, 8),
      id: id!,
      stage: Number(stage),
      skipWorktree: tag === 'S',
      intentToAdd: id === 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
      stat: undefined,
    })
  }
  return entries
}
