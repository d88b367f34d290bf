// Compares our kustomize with the program, byte for byte.
//
//   node test/differential/kustomize.ts [-v] [--errors] [--enable-helm] [--only TEXT] DIR...   every kustomization below DIR
//   node test/differential/kustomize.ts [...] --go-tests DIR     what the Go tests in DIR write, such as api/krusty
//
// LITECD_KUSTOMIZE_BIN names the program (otherwise the one that `npm run testbin` builds). Prints counts and the first
// difference of every kustomization; exit code 1 when one differs that the program itself builds the same twice. The program runs without
// network: what needs it fails there, and is counted apart. Errors are compared with --errors. With --enable-helm charts
// that lie in the tree are inflated.
import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { findBinary } from '../../../../test/binaries.ts'
import { unpackGoTests } from './krusty.ts'
import { asData, firstDifference, ours, sameText, theirs } from './kustomize-peer.ts'

const names = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])

const tally = {
  built: 0,
  equal: 0,
  orders: 0,
  errors: 0,
  sameErrors: 0,
  remote: 0,
  ours: 0,
  theirs: 0,
}

async function compare(folder: string, options: Options): Promise<void> {
  const mine = ours(folder, options.helm !== undefined)
  const peer = await theirs(folder, options.helm)
  if (mine.kind === 'remote') {
    tally.remote++
    if (peer.kind === 'text')
      console.log(`different ${folder}\n    ours   asks for something remote`)
    return
  }
  if (peer.kind === 'error') {
    tally.errors++
    if (mine.kind === 'error' && sameText(mine.text, peer.text)) tally.sameErrors++
    else if (mine.kind === 'text' || options.errors) {
      const text = mine.kind === 'text' ? 'builds' : mine.text
      console.log(
        `error     ${folder}\n    ours   ${text.slice(0, 1500)}\n    theirs ${peer.text.slice(0, 1500)}`,
      )
    }
    return
  }
  tally.built++
  if (mine.kind === 'error') {
    console.log(`different ${folder}\n    ours   ${mine.text.slice(0, 1000)}`)
    return
  }
  tally.ours += mine.ms
  tally.theirs += peer.ms
  if (mine.text === peer.text) tally.equal++
  else if (asData(mine.text) === asData(peer.text)) {
    tally.orders++
    if (options.verbose)
      console.log(`order     ${folder}\n  ${firstDifference(mine.text, peer.text)}`)
  } else console.log(`different ${folder}\n  ${firstDifference(mine.text, peer.text)}`)
}

interface Options {
  readonly verbose: boolean
  readonly errors: boolean
  /** The helm program, when charts are inflated. */
  readonly helm: string | undefined
}

async function main(argv: readonly string[]): Promise<void> {
  const only = argv.includes('--only') ? argv[argv.indexOf('--only') + 1]! : ''
  const dirs = argv.flatMap((arg, i) => {
    if (arg.startsWith('-') || argv[i - 1] === '--only') return []
    return [argv[i - 1] === '--go-tests' ? unpackGoTests(arg) : arg]
  })
  const options = {
    verbose: argv.includes('-v'),
    errors: argv.includes('--errors'),
    helm: argv.includes('--enable-helm') ? findBinary('helm') : undefined,
  }
  for (const dir of dirs) {
    const folders = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((path) => names.has(path.slice(path.lastIndexOf('/') + 1)))
      .map((path) => dirname(resolve(dir, path)))
    for (const folder of [...new Set(folders)].sort()) {
      if (folder.includes(only)) await compare(folder, options)
    }
  }
  const different = tally.built - tally.equal - tally.orders
  console.log(
    `built:     ${tally.equal} of ${tally.built} equal, ${tally.orders} in another order of keys`,
  )
  console.log(`errors:    ${tally.sameErrors} of ${tally.errors} with the same text`)
  console.log(`remote:    ${tally.remote}`)
  console.log(`time:      ${Math.round(tally.ours)} ms ours, ${Math.round(tally.theirs)} ms theirs`)
  if (different > 0) process.exitCode = 1
}

await main(process.argv.slice(2))
