// Bundles packages/core/test/bare/entry.ts for a browser, as one script that defines `bare`.
import { build } from 'esbuild'
import { root } from '../setup.mjs'

/** The text of the script. */
export async function bundleBareCore() {
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
  return outputFiles[0].text
}
