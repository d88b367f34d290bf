// Repositories for tests, made by the git program.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasGit: boolean = spawnSync('git', ['--version']).status === 0

const env: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
  GIT_ALLOW_PROTOCOL: 'file:http:https',
}

/** Runs git without any configuration of the user; output as text without the last newline. */
export function git(
  folder: string,
  args: readonly string[],
  input?: string | Buffer,
  more: NodeJS.ProcessEnv = {},
): string {
  return gitBytes(folder, args, input, more).toString('utf8').replace(/\n$/, '')
}

export function gitBytes(
  folder: string,
  args: readonly string[],
  input?: string | Buffer,
  more: NodeJS.ProcessEnv = {},
): Buffer {
  return execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
    cwd: folder,
    env: { ...env, ...more },
    input: input ?? '',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** A folder that goes away with the test: `using` it, or call `remove`. */
export interface TempFolder {
  readonly path: string
  remove(): void
  [Symbol.dispose](): void
}

export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'litecd-test-'))
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  return { path, remove, [Symbol.dispose]: remove }
}

export type FileContent =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly executable: string }
  | null

/** One commit of a history that {@link importHistory} makes. Files are changes against the first parent. */
export interface CommitSpec {
  /** Numbers of earlier commits, from 0; undefined is the commit before this one. */
  readonly parents?: readonly number[]
  /** Path → content; null deletes. */
  readonly files: { readonly [path: string]: FileContent }
  readonly date?: number
  readonly branch?: string
  readonly tag?: string
  readonly annotatedTag?: string
}

/** Makes a bare repository with the given commits, quickly; returns their ids. HEAD is `main`. */
export function importHistory(folder: string, commits: readonly CommitSpec[]): readonly string[] {
  git(folder, ['init', '-q', '--bare', '.'])
  const parts: Buffer[] = []
  const text = (line: string): void => void parts.push(Buffer.from(line + '\n'))
  const data = (bytes: Uint8Array): void => {
    text(`data ${bytes.length}`)
    parts.push(Buffer.from(bytes), Buffer.from('\n'))
  }
  let mark = 100_000
  commits.forEach((commit, index) => {
    const branch = commit.branch ?? 'main'
    const blobs: [string, string, number | undefined][] = []
    for (const [path, content] of Object.entries(commit.files)) {
      if (content === null) {
        blobs.push([path, '', undefined])
        continue
      }
      const bytes =
        typeof content === 'string'
          ? Buffer.from(content)
          : content instanceof Uint8Array
            ? content
            : Buffer.from('link' in content ? content.link : content.executable)
      const mode =
        typeof content === 'string' || content instanceof Uint8Array
          ? '100644'
          : 'link' in content
            ? '120000'
            : '100755'
      text('blob')
      text(`mark :${++mark}`)
      data(bytes)
      blobs.push([path, mode, mark])
    }
    const parents = commit.parents ?? (index === 0 ? [] : [index - 1])
    if (parents.length === 0) text(`reset refs/heads/${branch}`)
    text(`commit refs/heads/${branch}`)
    text(`mark :${index + 1}`)
    text(`committer Ada <ada@example.com> ${commit.date ?? 1_700_000_000 + index} +0000`)
    data(Buffer.from(`commit ${index}`))
    parents.forEach((parent, which) => {
      text(`${which === 0 ? 'from' : 'merge'} :${parent + 1}`)
    })
    for (const [path, mode, blob] of blobs) {
      text(blob === undefined ? `D ${quote(path)}` : `M ${mode} :${blob} ${quote(path)}`)
    }
    text('')
    if (commit.tag !== undefined) {
      text(`reset refs/tags/${commit.tag}`)
      text(`from :${index + 1}`)
      text('')
    }
    if (commit.annotatedTag !== undefined) {
      text(`tag ${commit.annotatedTag}`)
      text(`from :${index + 1}`)
      text('tagger Ada <ada@example.com> 1700000000 +0000')
      data(Buffer.from('a tag'))
    }
  })
  git(folder, ['fast-import', '--quiet', '--force', '--export-marks=marks'], Buffer.concat(parts))
  const ids: string[] = []
  const marks = readFileSync(join(folder, 'marks'), 'utf8')
  for (const line of marks.split('\n')) {
    const [, number, id] = /^:(\d+) ([0-9a-f]{40})$/.exec(line) ?? []
    if (number !== undefined && Number(number) <= commits.length) ids[Number(number) - 1] = id!
  }
  rmSync(join(folder, 'marks'))
  return ids
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`
}

/** A small seeded generator of numbers in [0, 1): tests must be repeatable. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
