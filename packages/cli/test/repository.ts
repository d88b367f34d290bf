import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { main } from '../src/main.ts'

/** A git repository in a temporary folder, for one test. */
export interface TestRepository {
  readonly folder: string
  write(files: { readonly [path: string]: string | null | { readonly link: string } }): void
  commit(message: string): void
  git(...args: readonly string[]): string
  /** Runs litecd in the repository. */
  litecd(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }>
  remove(): void
}

export const repoUrl = 'https://git.example.com/team/platform.git'

export function testRepository(): TestRepository {
  const folder = mkdtempSync(join(tmpdir(), 'litecd-cli-'))
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'test',
        GIT_AUTHOR_EMAIL: 'test@example.com',
        GIT_COMMITTER_NAME: 'test',
        GIT_COMMITTER_EMAIL: 'test@example.com',
      },
    })
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', repoUrl)
  return {
    folder,
    git,
    write: (files) => {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path)
        mkdirSync(dirname(file), { recursive: true })
        if (content === null) rmSync(file)
        else if (typeof content === 'string') writeFileSync(file, content)
        else symlinkSync(content.link, file)
      }
    },
    commit: (message) => {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', `--message=${message}`)
    },
    litecd: async (...argv) => {
      let out = ''
      let err = ''
      const code = await main(argv, {
        cwd: folder,
        env: { HOME: folder, PATH: process.env['PATH'] },
        stdoutIsTerminal: false,
        stdout: (text) => {
          out += text
        },
        stderr: (text) => {
          err += text
        },
      })
      return { code, out, err }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** An Application over a folder of the repository. */
export function application(name: string, path: string, extra = ''): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: ${repoUrl}
    path: ${path}
    targetRevision: main
  destination:
    server: https://kubernetes.default.svc
    namespace: ${name}
${extra}`
}

export function configMap(
  name: string,
  data: { readonly [key: string]: string } = { a: '1' },
): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${JSON.stringify(data)}\n`
}
