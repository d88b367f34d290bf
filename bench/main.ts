// `npm run bench [-- NAME...]`: runs every bench of the workspace, each in a process of its own, one after another.
// A bench is packages/*/bench/NAME.ts: it runs ours and, where there is one, the peer program in the same run, and prints
// the ratio with memory beside it.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)
const benches = globSync('packages/*/bench/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
const names = benches.map((file) => basename(file, '.ts'))
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`no such bench: ${unknown.join(', ')} (there are ${names.join(', ')})\n`)
  process.exit(2)
}
let failed = false
for (const [index, file] of benches.entries()) {
  const name = names[index]!
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--conditions=litecd-source', file],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (status !== 0) {
    failed = true
    process.stdout.write(`${name} failed\n`)
  }
}
process.exit(failed ? 1 : 0)
