// Builds one folder with the kustomize program and with ours, and tells what both said.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kustomizeCommand } from '../src/commands/kustomize.ts'

export interface Said {
  readonly code: number
  readonly stdout: string
  /** Without warnings about deprecated fields and hints. */
  readonly error: string
}

export interface Peer {
  /** Absolute paths of the kustomize and helm programs. */
  readonly kustomize: string
  readonly helm: string | undefined
  /** Folder for copies, caches and homes. */
  readonly scratch: string
  /** Environment of both, beside PATH. */
  readonly env: { readonly [name: string]: string }
}

/** Writes files below a new folder of the scratch. */
export function writeFiles(
  scratch: string,
  files: { readonly [path: string]: string | Buffer },
): string {
  const root = mkdtempSync(join(scratch, 'case-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

/** Charts are pulled into the folder that is built, so each of the two has a copy of its own. */
export async function both(
  peer: Peer,
  root: string,
  dir: string,
  args: readonly string[] = [],
): Promise<{ readonly ours: Said; readonly theirs: Said }> {
  const copies = ['ours', 'theirs'].map((name) => {
    const copy = join(mkdtempSync(join(peer.scratch, `${name}-`)), 'r')
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    return copy
  }) as [string, string]
  try {
    return {
      ours: plain(await ours(peer, copies[0], dir, args), copies[0]),
      theirs: plain(await theirs(peer, copies[1], dir, args), copies[1]),
    }
  } finally {
    for (const copy of copies) rmSync(dirname(copy), { recursive: true, force: true })
  }
}

async function ours(peer: Peer, cwd: string, dir: string, args: readonly string[]): Promise<Said> {
  let stdout = ''
  let error = ''
  const cache = mkdtempSync(join(peer.scratch, 'cache-'))
  const code = await kustomizeCommand(['build', dir, ...args], {
    cwd,
    env: { LITECD_CACHE: cache },
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      error += text
    },
  })
  rmSync(cache, { recursive: true, force: true })
  return { code, stdout, error }
}

function theirs(peer: Peer, cwd: string, dir: string, args: readonly string[]): Promise<Said> {
  const helm = peer.helm === undefined ? [] : ['--helm-command', peer.helm]
  const home = mkdtempSync(join(peer.scratch, 'home-'))
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: tmpdir(), ...peer.env }
  return new Promise((done) => {
    execFile(
      peer.kustomize,
      ['build', dir, ...args, ...helm],
      { cwd, env, maxBuffer: 1 << 28 },
      (failure, stdout, stderr) => {
        rmSync(home, { recursive: true, force: true })
        const code = failure === null ? 0 : typeof failure.code === 'number' ? failure.code : -1
        done({ code, stdout, error: stderr })
      },
    )
  })
}

/** Folders that differ between the two stand for the same thing. */
function plain(said: Said, copy: string): Said {
  const lines = said.error
    .replaceAll(copy, '/r')
    .replace(/[^\s'"]*\/kustomize-\d+/g, '/repo')
    .split('\n')
    .filter((line) => !/^(?:# Warning|Hint: )/.test(line))
  return { ...said, error: lines.join('\n').trim() }
}
