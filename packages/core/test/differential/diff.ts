// Compares our diff with that of Argo CD's engine, over random pairs of objects of all kinds.
//
//   node test/differential/diff.ts ORACLE [COUNT [SEED]]       ORACLE: the program of scripts/diff-oracle
//
// Prints counts for each way of comparing, and every difference; exit code 1 when there is one. Left out are pairs on which
// the engine panics, and what differs on purpose or in text only: Endpoints (their ports are sorted by a hash there), twice
// the same finalizer, errors of Go's decoder, and lists that hold one key twice. Server-side diff is tried on a few kinds
// only: the engine's test data has older schemas of others.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { defaultSettings } from '@litecd/core/argo'
import {
  compileDiffRules,
  type DiffRules,
  diffPairs,
  maskSecrets,
  withDefinitions,
} from '@litecd/core/diff'
import { isLitecdError } from '@litecd/core/errors'
import { deepEqual, isObject, type Json, type JsonObject, parseJson } from '@litecd/core/json'
import {
  FieldSet,
  formatKey,
  keyOf,
  type Manifest,
  type MergeType,
  mergeTypesWith,
  ownedFields,
} from '@litecd/core/kube'
import { thingDefinition } from './custom-kind.ts'
import {
  allKinds,
  Chance,
  type Kind,
  mutated,
  randomObject,
  randomValue,
} from './random-objects.ts'

type Answer = { readonly ok: Json } | { readonly error: string }

class Oracle {
  readonly #child: ChildProcess
  readonly #waiting: ((answer: Answer) => void)[] = []

  constructor(path: string) {
    this.#child = spawn(path, { stdio: ['pipe', 'pipe', 'ignore'] })
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.#waiting.shift()!(parseJson(line) as unknown as Answer)
    })
  }

  ask(request: object): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#child.stdin!.write(`${JSON.stringify(request)}\n`)
    })
  }

  end(): void {
    this.#child.stdin!.end()
  }
}

const app = { metadata: { name: 'a' }, spec: { project: '', destination: {} } }
const plainRules = compileDiffRules(app as never, defaultSettings)
const builtIn = mergeTypesWith([])
const common = allKinds.filter(({ kind }) =>
  /^(?:Deployment|Pod|Service|StatefulSet|Secret|Role|ConfigMap|Namespace|Ingress|CronJob)$/.test(
    kind,
  ),
)
const thing: Kind = { apiVersion: 'example.com/v1', kind: 'Thing' }

/** One pair, what to ask the oracle, and what we say. */
interface Question {
  readonly target: Manifest
  readonly live: Manifest
  readonly ask: object
  readonly ours: () => Json
}

function placed(value: Json, { apiVersion, kind }: Kind): Manifest {
  const object = isObject(value) ? value : {}
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const finalizers = Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : []
  const named = {
    ...metadata,
    name: 'a',
    finalizers: [...new Set(finalizers.filter((one) => one !== null))],
  }
  for (const field of ['labels', 'annotations'] as const) {
    const map = metadata[field]
    if (isObject(map)) Object.assign(named, { [field]: withTexts(map) })
  }
  return { ...object, apiVersion, kind, metadata: named } as unknown as Manifest
}

function withTexts(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']))
}

function related(
  chance: Chance,
  kinds: readonly Kind[] = allKinds,
): {
  readonly kind: Kind
  readonly next: (rate: number) => Manifest
} {
  const kind = chance.pick(kinds === allKinds && chance.is(0.6) ? common : kinds)
  const custom = kinds === allKinds && chance.is(0.15)
  const base = randomObject(kind, chance)
  const as = custom ? thing : kind
  return { kind: as, next: (rate) => placed(mutated(base, chance, rate), as) }
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function withMetadata(manifest: Manifest, more: JsonObject): Manifest {
  const metadata = manifest['metadata'] as JsonObject
  return { ...manifest, metadata: { ...metadata, ...more } } as Manifest
}

function ourDiff(target: Manifest, live: Manifest, rules: DiffRules, predicted?: Manifest): Json {
  const key = keyOf(target)
  const dryRuns = new Map(predicted === undefined ? [] : [[formatKey(key), { object: predicted }]])
  const [diff] = diffPairs([{ key, target, live }], rules, { dryRuns })
  const { modified, normalizedLive, predictedLive } = diff!
  return { modified, live: normalizedLive!, predicted: predictedLive! }
}

// Labels of random objects must not turn old tracking on; status is compared too.
const rulesFor = (more: Partial<DiffRules>): DiffRules => ({
  ...plainRules,
  ignore: { rules: [] },
  knownTypes: new Map(),
  ...more,
})

function client(chance: Chance): Question {
  const { next } = related(chance)
  const target = next(0.1)
  const annotations = { [lastApplied]: JSON.stringify(next(0.1)) }
  const found = next(chance.is(0.3) ? 0 : 0.1)
  const live = chance.is(0.6) ? withMetadata(found, { annotations }) : found
  return {
    target,
    live,
    ask: { mode: 'client' },
    ours: () => ourDiff(target, live, rulesFor({})),
  }
}

/** `fieldsV1` of a set. */
function written(set: FieldSet): JsonObject {
  const out: { [step: string]: Json } = {}
  for (const step of set.members) out[step] = {}
  for (const [step, below] of set.children) {
    out[step] = { ...(set.has(step) ? { '.': {} } : {}), ...written(below) }
  }
  return out
}

/** What the API server never lets anybody own. */
const unowned = FieldSet.of([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'selfLink',
    'generation',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
])

function entry(manager: string, operation: string, object: Manifest, type: MergeType): JsonObject {
  const owned = ownedFields(object, type).recursiveDifference(
    FieldSet.of([...unowned.paths()].filter((path) => path.join() !== 'f:metadata')),
  )
  const { apiVersion } = object
  return { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1: written(owned) }
}

function owners(
  chance: Chance,
  next: (rate: number) => Manifest,
  type: MergeType,
): readonly JsonObject[] {
  const others = chance.pick(['Apply', 'Update'])
  return [
    ...(chance.is(0.8) ? [entry('argocd-controller', 'Apply', next(0.1), type)] : []),
    ...(chance.is(0.5) ? [entry('kubectl', others, next(0.3), type)] : []),
    ...(chance.is(0.1) ? [{ ...entry('x', 'Update', next(0.3), type), apiVersion: 'v9' }] : []),
  ]
}

function structured(chance: Chance): Question | undefined {
  const { kind, next } = related(chance)
  const type = builtIn(kind.apiVersion, kind.kind)
  if (type === undefined) return undefined
  const target = next(0.1)
  const managedFields = [...owners(chance, next, type)]
  const live = withMetadata(next(0.1), { managedFields })
  return {
    target,
    live,
    ask: { mode: 'structured' },
    ours: () => ourDiff(target, live, rulesFor({ structuredMerge: true })),
  }
}

function custom(chance: Chance): Question {
  const { definition, schema } = thingDefinition
  const base = randomValue(schema, chance)
  const next = (rate: number): Manifest => placed(mutated(base, chance, rate), thing)
  const rules = withDefinitions(rulesFor({ structuredMerge: true }), [definition])
  const type = rules.mergeTypes(thing.apiVersion, thing.kind)!
  const target = next(0.1)
  const live = withMetadata(next(0.1), { managedFields: [...owners(chance, next, type)] })
  return {
    target,
    live,
    ask: { mode: 'structured', definition, version: 'v1' },
    ours: () => ourDiff(target, live, rules),
  }
}

const unchanged = allKinds.filter(({ apiVersion, kind }) =>
  /^(?:v1 ConfigMap|v1 Secret|v1 Namespace|v1 ServiceAccount|apps\/v1 Deployment|.*\/v1 (?:Cluster)?RoleB?.*)$/.test(
    `${apiVersion} ${kind}`,
  ),
)

function server(chance: Chance): Question {
  const { kind, next } = related(chance, unchanged)
  const type = builtIn(kind.apiVersion, kind.kind)!
  const [target, live] = [next(0.1), next(0.1)]
  const seen = next(0.1)
  const managedFields = [
    entry('argocd-controller', 'Apply', next(0.2), type),
    entry('w', 'Update', seen, type),
  ]
  const predicted = withMetadata(seen, { managedFields: chance.is(0.95) ? managedFields : [] })
  const webhook = chance.is(0.15)
  const rules = rulesFor({ serverSideDiff: true, includeMutationWebhook: webhook })
  return {
    target,
    live,
    ask: { mode: 'server', predicted, webhook },
    ours: () => ourDiff(target, live, rules, predicted),
  }
}

function secret(chance: Chance): Question {
  const base: Json = {
    data: { a: 'YQ==', b: 'Yg==', c: 'not base64' },
    stringData: { a: 'x', d: 'y' },
    metadata: { name: 'a', annotations: { token: 'a', other: 'b' } },
  }
  const kind = { apiVersion: 'v1', kind: 'Secret' }
  const next = (): Manifest => placed(mutated(base, chance, 0.2), kind)
  const side = (): Manifest => {
    const text = chance.is(0.2) ? 'broken {' : JSON.stringify(next())
    return chance.is(0.5)
      ? next()
      : withMetadata(next(), { annotations: { token: 'c', [lastApplied]: text } })
  }
  const [target, live] = [side(), side()]
  return {
    target,
    live,
    ask: { mode: 'secret', annotation: 'token' },
    ours: () => maskSecrets({ target, live }, ['token']) as unknown as Json,
  }
}

/** What cannot be compared, or differs on purpose. */
function isExcused(question: Question, theirs: Answer, ours: Answer): boolean {
  const { kind } = question.target
  if (kind === 'Endpoints' || kind === 'Event') return true
  if (repeatsKeys(question.target) || repeatsKeys(question.live)) return true
  if (!('error' in theirs)) return 'error' in ours && /declared merge key/.test(ours.error)
  // the schemas of the old cluster that the engine's tests use, and Go's own words
  const elsewhere =
    /^panic: |unable to resolve parseableType|cannot be unmarshaled|errors:|illegal base64|duplicate entries/
  if (elsewhere.test(theirs.error)) return true
  if (/server side diff/.test(theirs.error))
    return /field not declared|omits all key/.test(theirs.error)
  const before = (text: string): string => text.split(/map: map|merged bytes|\[\[/)[0]!
  return 'error' in ours && before(theirs.error) === before(ours.error)
}

function repeatsKeys(value: Json): boolean {
  if (Array.isArray(value)) {
    const names = value.flatMap((item: Json) => (isObject(item) ? [itemName(item)] : []))
    return new Set(names).size < names.length || value.some(repeatsKeys)
  }
  return isObject(value) && Object.values(value).some((item) => repeatsKeys(item))
}

function itemName(item: JsonObject): string {
  const found = [
    'name',
    'key',
    'containerPort',
    'port',
    'mountPath',
    'type',
    'ip',
    'uid',
    'topologyKey',
  ]
  return String(found.map((field) => item[field]).find((one) => one !== undefined) ?? '')
}

function guarded(ours: () => Json): Answer {
  try {
    return { ok: ours() }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { error: error.message.replace(/^failed to calculate diff: /, '') }
  }
}

async function main(path: string, count: number, seed: number): Promise<void> {
  const oracle = new Oracle(path)
  const modes = { client, structured, custom, server, secret }
  for (const [mode, make] of Object.entries(modes)) {
    const tally = { pairs: 0, equal: 0, modified: 0, errors: 0, excused: 0 }
    for (let i = 0; i < count; i++) {
      const question = make(new Chance(seed * 104_729 + i * 7919))
      if (question === undefined) continue
      const { target, live, ask } = question
      const theirs = await oracle.ask({ target, live, ...ask })
      const ours = guarded(question.ours)
      tally.pairs++
      if ('error' in theirs) tally.errors++
      else if (isObject(theirs.ok) && theirs.ok['modified'] === true) tally.modified++
      if (deepEqual(theirs as unknown as Json, ours as unknown as Json)) tally.equal++
      else if (isExcused(question, theirs, ours)) tally.excused++
      else {
        process.exitCode = 1
        console.log(`${mode} ${i}: ${JSON.stringify({ target, live, ...ask })}`)
        console.log(`  theirs ${JSON.stringify(theirs)}\n  ours   ${JSON.stringify(ours)}`)
      }
    }
    console.log(mode.padEnd(12), JSON.stringify(tally))
  }
  oracle.end()
}

const [path, count = '1000', seed = '1'] = process.argv.slice(2)
if (path === undefined) {
  console.error('usage: node test/differential/diff.ts ORACLE [COUNT [SEED]]')
  process.exitCode = 2
} else await main(path, Number(count), Number(seed))
