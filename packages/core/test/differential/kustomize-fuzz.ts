// Compares our kustomize with the program on kustomizations made by chance: output, and texts of errors.
//
//   node test/differential/kustomize-fuzz.ts [--from SEED] [--count N] [--keep DIR]
//
// LITECD_KUSTOMIZE_BIN names the program (otherwise the one that `npm run testbin` builds). Prints the seeds that differ,
// each with the first difference; --keep lays their files out below DIR. Exit code 1 when one differs that the program itself builds the
// same twice.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { asData, firstDifference, ours, sameText, theirs } from './kustomize-peer.ts'
import { KustomizationMaker } from './random-kustomization.ts'

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

const from = Number(option('--from') ?? 1)
const count = Number(option('--count') ?? 200)
const keep = option('--keep')
const tally = { built: 0, failed: 0, different: 0 }

function layOut(root: string, files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

async function check(seed: number): Promise<void> {
  const maker = new KustomizationMaker(seed)
  maker.make()
  const root = mkdtempSync(join(tmpdir(), 'litecd-fuzz-'))
  layOut(root, maker.files)
  try {
    const mine = ours(root)
    const peer = await theirs(root)
    if (peer.kind === 'text') tally.built++
    else tally.failed++
    const text = mine.kind === 'remote' ? 'asks for something remote' : mine.text
    if (
      mine.kind === peer.kind &&
      (sameText(text, peer.text) || sameData(mine.kind, text, peer.text))
    )
      return
    // what the program says twice in two ways is left to chance
    const again = await theirs(root)
    if (again.kind !== peer.kind || again.text !== peer.text) return
    tally.different++
    const difference =
      mine.kind === 'text' && peer.kind === 'text'
        ? firstDifference(text, peer.text)
        : `\n    ours   ${mine.kind} ${text.slice(0, 900)}\n    theirs ${peer.kind} ${peer.text.slice(0, 900)}`
    console.log(`seed ${seed} ${difference}`)
    if (keep !== undefined) layOut(join(keep, String(seed)), maker.files)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function sameData(kind: string, a: string, b: string): boolean {
  return kind === 'text' && asData(a) === asData(b)
}

for (let seed = from; seed < from + count; seed++) await check(seed)
console.log(`${tally.built} built, ${tally.failed} failed there, ${tally.different} different`)
if (tally.different > 0) process.exitCode = 1
