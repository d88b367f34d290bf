// Makes a fresh clone ready: installs what package-lock.json names, once per lock file. Runs on any Node from 20 on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The Node that package.json pins, whatever the host has. */
export const node = join(root, 'node_modules/node/bin/node')
const stamp = join(root, 'node_modules/.litecd-setup')

/** Installs packages unless this lock file has been installed already. */
export function setup() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(node)) return
  process.stderr.write('installing packages (once)\n')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!existsSync(node)) run('npm', ['rebuild', 'node', 'esbuild', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

/** Runs a program in the root of the workspace and ends with its exit code when that is not 0. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    ...options,
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** An environment in which `node` is the pinned one. */
export function environment(extra = {}) {
  const bin = [join(root, 'node_modules/node/bin'), join(root, 'node_modules/.bin')].join(':')
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...extra }
}
