// Compares our own checks of custom resources with Lua checks of a folder that is laid out like Argo CD's library.
//
//   node test/differential/health.ts FOLDER [ROUNDS [SEED]]     FOLDER: resource_customizations of a checkout of Argo CD v3.5.1
//
// Runs every test that lies in the folder, on the Lua engine and on our own checks, and then ROUNDS changed copies of every
// test object: fields dropped, doubled, taken from another object or set to words that the script knows. Prints what
// differs in status or message; exit code 1 when something does.
import { defaultSettings } from '@litecd/core/argo'
import { readText, walkFiles } from '@litecd/core/files'
import { assessHealth, readScriptLibrary, testScripts } from '@litecd/core/health'
import { deepEqual, isObject, type Json, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { parseYaml } from '@litecd/core/yaml'
import { diskTree } from './disk-tree.ts'
import { Chance } from './random-objects.ts'

interface Seed {
  readonly folder: string
  readonly object: Manifest
}

const [root, rounds = '10', seed = '1'] = process.argv.slice(2)
if (root === undefined) {
  process.stderr.write('usage: health.ts FOLDER [ROUNDS [SEED]]\n')
  process.exit(2)
}
const tree = diskTree(root)
const library = readScriptLibrary(tree)
const chance = new Chance(Number(seed))
const words = new Map<string, readonly string[]>()

const results = testScripts(tree)
const failures = results.filter(({ failure }) => failure !== undefined)
for (const { name, failure } of failures) process.stdout.write(`${name}\n  ${failure}\n`)
process.stdout.write(`${results.length} tests on the Lua engine, ${failures.length} failed\n`)

const seeds = readSeeds()
const byFolder = Map.groupBy(seeds, ({ folder }) => folder)
let compared = 0
let different = 0
for (const { folder, object } of seeds) {
  compare(folder, object)
  const others = byFolder.get(folder)!
  for (let round = 0; round < Number(rounds); round++) {
    const copy = structuredClone(object) as Manifest
    const times = 1 + chance.below(3)
    for (let time = 0; time < times; time++) change(copy, folder, others)
    compare(folder, copy)
  }
}
process.stdout.write(`${compared} objects judged by both, ${different} differ\n`)
process.exit(failures.length > 0 || different > 0 ? 1 : 0)

function readSeeds(): readonly Seed[] {
  const found: Seed[] = []
  for (const { path } of walkFiles(tree, '')) {
    const match = /^(.+)\/testdata\/[^/]+\.yaml$/.exec(path)
    const folder = match?.[1]
    if (folder === undefined || library[folder]?.healthLua === undefined) continue
    const value = parseYaml(readText(tree, path) ?? '')
    if (isObject(value) && typeof value['kind'] === 'string') {
      found.push({ folder, object: plain(value) as Manifest })
    }
  }
  return found
}

/** Without bigints, which a changed number would not mix with. */
function plain(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)),
  ) as Json
}

function compare(folder: string, object: Manifest): void {
  const own = assessHealth(object)
  const lua = assessHealth(object, { health: { ...defaultSettings.health, library } })
  compared++
  if (deepEqual(own as unknown as Json, lua as unknown as Json)) return
  different++
  process.stdout.write(
    `${folder}\n  own ${JSON.stringify(own)}\n  lua ${JSON.stringify(lua)}\n  ${JSON.stringify(object)}\n`,
  )
}

type Place = { readonly holder: JsonObject | Json[]; readonly key: string | number }

function placesIn(value: Json, found: Place[] = []): Place[] {
  if (Array.isArray(value)) {
    value.forEach((item: Json, key) => {
      found.push({ holder: value as Json[], key })
      placesIn(item, found)
    })
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      found.push({ holder: value, key })
      placesIn(item, found)
    }
  }
  return found
}

function change(object: Manifest, folder: string, others: readonly Seed[]): void {
  const fields = object as { [field: string]: Json }
  if (chance.below(10) === 0) {
    const field = chance.pick(['status', 'spec'])
    const other = (chance.pick(others).object as JsonObject)[field]
    if (other === undefined) delete fields[field]
    else fields[field] = plain(other)
    return
  }
  const places = placesIn(fields['status'] ?? {}).concat(placesIn(fields['spec'] ?? {}))
  if (places.length === 0) return
  const { holder, key } = chance.pick(places)
  const target = holder as { [key: string | number]: Json }
  const value = target[key]!
  if (chance.below(3) === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete target[key]
  } else if (typeof value === 'string') target[key] = chance.pick(wordsOf(folder))
  else if (typeof value === 'number') target[key] = chance.pick([0, 1, 2, value + 1])
  else if (typeof value === 'boolean') target[key] = !value
  else if (Array.isArray(value) && value.length > 0) (value as Json[]).push(plain(value[0] as Json))
}

/** The texts of a script, and the statuses of conditions. */
function wordsOf(folder: string): readonly string[] {
  const known = words.get(folder)
  if (known !== undefined) return known
  const script = library[folder]?.healthLua ?? ''
  const made = [...script.matchAll(/"([^"\n]{1,40})"/g)].map((match) => match[1]!)
  made.push('True', 'False', 'Unknown')
  words.set(folder, made)
  return made
}
