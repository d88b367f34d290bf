// `npm test`: sets up a fresh clone and runs everything that needs no extra program.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, node, root, setup } from './setup.mjs'

setup()
const { status } = spawnSync(
  node,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: environment() },
)
process.exit(status ?? 1)
