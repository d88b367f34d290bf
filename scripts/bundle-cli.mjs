// `node scripts/bundle-cli.mjs [FOLDER]`: bundles the command line with all it uses into litecd.cjs in packages/cli/dist
// or another folder, and beside it the licences of what is not ours.
//
// One classic script, not modules: V8 can keep the compiled code of a script that has run, of modules only what it
// compiles before they run. See packages/cli/bin/litecd.mjs.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { root } from './setup.mjs'

const folder = resolve(root, process.argv[2] ?? 'packages/cli/dist')

/** bcryptjs would ask Node's cryptography for chance, which we give it; loading that costs a tenth of the start. */
const bcryptWithoutCrypto = {
  name: 'bcrypt without crypto',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^crypto$/ }, ({ importer, path }) =>
      importer.includes('/node_modules/bcryptjs/') ? { path, namespace: 'none' } : undefined,
    )
    onLoad({ filter: /^/, namespace: 'none' }, () => ({ contents: 'export default undefined' }))
  },
}

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['packages/cli/src/main.ts'],
  outdir: folder,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'es2024',
  minifySyntax: true,
  minifyWhitespace: true, // names stay: they are in the stacks of errors
  legalComments: 'eof',
  conditions: ['litecd-source'],
  define: { 'import.meta.url': 'litecdUrl', 'import.meta.main': 'false' },
  plugins: [bcryptWithoutCrypto],
  metafile: true,
  write: false,
})
const [{ text }] = outputFiles
// a text of ASCII takes half the memory; esbuild leaves regular expressions and comments as they are
const ascii = text.replace(
  /[^\0-\x7f]/g,
  (char) => '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0'),
)
mkdirSync(folder, { recursive: true })
// the launcher keeps compiled code under this name: V8 itself compares only lengths
const name = createHash('sha256').update(ascii).digest('hex').slice(0, 16)
writeFileSync(join(folder, 'litecd.cjs'), `${ascii.trimEnd()}\n//${name}\n`)
writeFileSync(join(folder, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)))

function licenses(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  return [...packages]
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(root, path, 'package.json'), 'utf8'),
      )
      const file = readdirSync(join(root, path)).find((entry) =>
        /^(licen[cs]e|copying)/i.test(entry),
      )
      const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8')
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
