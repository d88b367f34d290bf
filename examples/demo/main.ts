// The demo behind `npm start`: a small GitOps repository in a temporary folder, one pull request, and its report.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from '../../packages/cli/src/main.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'litecd-demo-'))

function git(...args: readonly string[]): void {
  execFileSync('git', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'demo',
      GIT_AUTHOR_EMAIL: 'demo@example.com',
      GIT_COMMITTER_NAME: 'demo',
      GIT_COMMITTER_EMAIL: 'demo@example.com',
      // so that the commits have the same names everywhere
      GIT_AUTHOR_DATE: '2026-01-05T09:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-05T09:00:00Z',
    },
  })
}

try {
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', 'https://git.example.com/shop/platform.git')
  cpSync(join(here, 'base'), folder, { recursive: true })
  git('add', '--all')
  git('commit', '--quiet', '--message=The platform as it runs')
  git('checkout', '--quiet', '-b', 'add-cache')
  cpSync(join(here, 'change'), folder, { recursive: true })
  git('add', '--all')
  git('commit', '--quiet', '--message=Add a cache to the guestbook')
  process.stdout.write('$ litecd diff --base main --head add-cache\n\n')
  const code = await main([
    'diff',
    '--base',
    'main',
    '--head',
    'add-cache',
    ...process.argv.slice(2),
    folder,
  ])
  // 1 only says that something changes, which is what a demo is for
  process.exitCode = code === 1 ? 0 : code
} finally {
  rmSync(folder, { recursive: true, force: true })
}
