// Runs the core, bundled for a browser, in a realm that has nothing of Node: no process, no Buffer, no require.
import vm from 'node:vm'
import { bundleBareCore } from './bundle.mjs'

const code = await bundleBareCore()
// What every browser and worker has, and no more.
const context = vm.createContext({ TextEncoder, TextDecoder, URL, setTimeout })
vm.runInContext(code, context, { filename: 'core.js' })
const results = await vm.runInContext('bare.run()', context)
for (const [what, ok] of Object.entries(results)) {
  if (ok !== true) {
    process.stdout.write(`without Node, core cannot ${what}: ${ok}\n`)
    process.exitCode = 1
  }
}
process.stdout.write(
  `${(code.length / 1024).toFixed(0)} KiB bundled, ${Object.keys(results).length} things done\n`,
)
