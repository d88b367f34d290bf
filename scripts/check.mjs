// `npm run check`: everything about the code that is no test. Stops at the first step that fails.
import { spawnSync } from 'node:child_process'
import { environment, node, root, setup } from './setup.mjs'

setup()
const env = environment()
const steps = [
  ['format and lint', 'biome', ['ci', '--error-on-warnings']],
  [
    'storeys',
    'depcruise',
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'packages'],
  ],
  ['types', 'tsc', ['-b']],
  ['dead code', 'knip', []],
  ['build', node, ['scripts/build.mjs']],
  ['packed packages', node, ['scripts/checks/packed.mjs']],
  ['core without Node', node, ['scripts/checks/bare.mjs']],
]
for (const [name, command, args] of steps) {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (status !== 0) {
    process.stdout.write(`${stdout ?? ''}${stderr ?? ''}\n${name}: failed after ${seconds} s\n`)
    process.exit(1)
  }
  process.stdout.write(`${name}: ok (${seconds} s)\n`)
}
