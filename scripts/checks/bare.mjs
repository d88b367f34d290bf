// Bundles core for a browser and runs it in a realm that has nothing of Node: no process, no Buffer, no require.
import vm from 'node:vm'
import { build } from 'esbuild'
import { root } from '../setup.mjs'

const { outputFiles } = await build({
  stdin: {
    contents: "export * from './packages/core/test/bare/entry.ts'",
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'bare',
  platform: 'browser',
  target: 'es2024',
  conditions: ['litecd-source'],
  logLevel: 'error',
})
const code = outputFiles[0].text
const context = vm.createContext({ TextEncoder, TextDecoder, URL })
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
