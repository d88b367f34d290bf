// Runs a TypeScript program of this workspace on the pinned Node: node scripts/run.mjs FILE [ARG...]
import { spawnSync } from 'node:child_process'
import { environment, node, root, setup } from './setup.mjs'

setup()
const { status } = spawnSync(node, ['--conditions=litecd-source', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: environment(),
})
process.exit(status ?? 1)
