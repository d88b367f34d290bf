import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Commit, fileOf } from '../../packages/core/test/corpus/argocd-cases.ts'

/** Runs git and resolves with what it printed. Rejects with its own words. */
export function git(
  dir: string,
  args: readonly string[],
  input?: Uint8Array,
  env: NodeJS.ProcessEnv = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: dir,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        ...env,
      },
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out))
      else reject(new Error(`git ${args[0]}: ${Buffer.concat(err).toString().trim()}`))
    })
    child.stdin.on('error', () => {}) // git may end before it has read everything; its exit code tells
    child.stdin.end(input)
  })
}

function data(bytes: Uint8Array | string): Uint8Array {
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return Buffer.concat([Buffer.from(`data ${body.length}\n`), body, Buffer.from('\n')])
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

/**
 * A bare git repository with the commits of a case. Names, dates and the parent decide the SHA together with the
 * files, so that the same case with the same placeholders has the same SHAs.
 *
 * As in a work tree, HEAD is a branch, `branch` checks one out, and it stays checked out.
 */
export class GitRepo {
  readonly dir: string
  readonly commits: string[] = []
  #branch = 'main'
  readonly #tips = new Map<string, string>()

  constructor(dir: string) {
    this.dir = dir
  }

  async init(): Promise<void> {
    mkdirSync(this.dir, { recursive: true })
    await git(this.dir, ['init', '--quiet', '--bare', '--initial-branch=main'])
    for (const [key, value] of [
      ['uploadpack.allowFilter', 'true'],
      ['uploadpack.allowAnySHA1InWant', 'true'],
    ]) {
      await git(this.dir, ['config', key!, value!])
    }
  }

  /** Makes one commit with all that a case says about it. */
  async commit(commit: Commit): Promise<void> {
    const branch = commit.branch ?? this.#branch
    const parent = this.#tips.get(branch) ?? this.#tips.get(this.#branch)
    const date = `${1767225600 + this.commits.length * 60} +0000` // 2026-01-01, one a minute
    const person = `Example <example@example.com> ${date}`
    const parts: (Uint8Array | string)[] = [
      `commit refs/heads/${branch}\nmark :1\ncommitter ${person}\n`,
      data(`commit ${this.commits.length + 1}\n`),
      parent === undefined ? '' : `from ${parent}\n`,
    ]
    for (const [path, content] of Object.entries(commit.files)) {
      if (content === null) {
        parts.push(`D ${quote(path)}\n`)
        continue
      }
      const file = fileOf(content)
      const isLink = 'link' in file
      parts.push(`M ${isLink ? '120000' : '100644'} inline ${quote(path)}\n`)
      parts.push(data(isLink ? file.link : file.bytes))
    }
    parts.push('\n')
    if (commit.tag !== undefined) parts.push(`reset refs/tags/${commit.tag}\nfrom :1\n\n`)
    if (commit.annotatedTag !== undefined) {
      parts.push(`tag ${commit.annotatedTag}\nfrom :1\ntagger ${person}\n`)
      parts.push(data(`tag ${commit.annotatedTag}\n`))
    }
    const stream = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    )
    const marks = join(this.dir, 'runner-marks')
    await git(this.dir, ['fast-import', '--quiet', `--export-marks=${marks}`], stream)
    const sha = /^:1 ([0-9a-f]{40})$/m.exec(readFileSync(marks, 'utf8'))?.[1]
    if (sha === undefined) throw new Error('git fast-import made no commit')
    this.commits.push(sha)
    this.#tips.set(branch, sha)
    if (branch !== this.#branch) {
      await git(this.dir, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
    }
    this.#branch = branch
  }
}
