// Plays the cases recorded from a real Argo CD (corpus/argocd/FORMAT.md) against litecd's controller on a real API
// server, and says where the answers differ.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { KubeClient, loadKubeconfig } from '@litecd/k8s-adapter/client'
import {
  corpusFolder,
  findCases,
  type ParityCase,
  readCase,
} from '../../packages/core/test/corpus/argocd-cases.ts'
import { type ApiServer, canStartApiServer, podDriver, startApiServer } from '../apiserver/index.ts'
import { Api } from './api.ts'
import { Controller } from './controller.ts'
import { argoKinds } from './crds.ts'
import { accept, lost } from './equal-list.ts'
import { fits, type KnownDifference, readKnown } from './known.ts'
import { type Played, playCase, type World } from './play.ts'
import { printCase, printTotal } from './print.ts'
import { selfTest } from './self-test.ts'
import { SettingsKeeper } from './settings.ts'
import { argoNamespace, Store } from './store.ts'
import { judge, type Verdict } from './verdict.ts'
import { WebServer } from './web-server.ts'

const usage = `npm run parity [-- [options] [DIR|FILE...]]

  DIR            cases below it; a name such as \`compare\` stands for corpus/argocd/compare. All by default.
  --only GLOB    only cases whose AREA/NAME fits; * stands for any text
  --jobs N       cases side by side; 4
  --quiet S      at most S seconds without a change before a beat is recorded; as the case says by default
  --limit S      at most S seconds until a beat is recorded although it is not quiet
  --http         repositories by http:// instead of file://
  --accept       add cases that are newly equal to corpus/argocd-equal.txt
  --controller C the command line that starts the controller; this repository's sources by default
  --log FILE     where the controller's output goes
  --answers DIR  write what was answered, AREA/NAME.got.yaml in JSON
  --self-test    compare each recorded answer with itself and with itself changed; starts nothing
  -v             all differences, unabridged`

const knownTable = resolve(corpusFolder, '../argocd-known-differences.yaml')

function selectCases(dirs: readonly string[], only: string | undefined): readonly ParityCase[] {
  const folders = dirs.length === 0 ? [corpusFolder] : dirs
  const files = folders.flatMap((dir) => findCases(existsSync(dir) ? dir : join(corpusFolder, dir)))
  return [...new Set(files.map((file) => resolve(file)))]
    .map(readCase)
    .filter((one) => only === undefined || fits(only, one.name))
}

const projectSpec = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*' }],
}

async function installArgo(api: Api): Promise<void> {
  for (const crd of argoKinds) await api.apply(crd, 'install')
  const metadata = { name: argoNamespace }
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, 'install')
  await api.apply(
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: argoNamespace },
      spec: projectSpec,
    },
    'install',
  )
}

interface Options {
  readonly jobs: number
  readonly quiet: number | undefined
  readonly limit: number | undefined
  readonly verbose: boolean
  readonly http: boolean
  readonly answers: string | undefined
  readonly log: string | undefined
  readonly command: readonly string[] | undefined
  readonly known: readonly KnownDifference[]
}

type Results = ReadonlyMap<string, Verdict>

/** What a run must not leave behind when it is stopped; API servers end by themselves. */
const atSignal = new Set<() => void>()

/** Plays cases with a number of workers. */
async function playAll(
  cases: readonly ParityCase[],
  jobs: number,
  one: (of: ParityCase) => Promise<void>,
): Promise<void> {
  const queue = [...cases]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

function writeAnswer(folder: string, of: ParityCase, played: Played): void {
  const file = join(folder, `${of.name}.got.yaml`)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ beats: played.answer }, null, 1)}\n`)
}

async function runCases(
  cases: readonly ParityCase[],
  world: World,
  options: Options,
  crashes: readonly string[],
): Promise<Results> {
  const verdicts = new Map<string, Verdict>()
  await playAll(cases, options.jobs, async (of) => {
    const start = Date.now()
    const crashesBefore = crashes.length
    const played = await playCase(of, world)
    const crash =
      crashes.length > crashesBefore ? [{ at: 'controller', words: 'ended meanwhile' }] : []
    const verdict = judge(of, played.answer, [...played.failures, ...crash], options.known)
    verdicts.set(of.name, verdict)
    if (options.answers !== undefined) writeAnswer(options.answers, of, played)
    const seconds = (Date.now() - start) / 1000
    const restless = played.restless.map((words) => `recorded before it was quiet: ${words}`)
    console.log(printCase(of.name, verdict, seconds, options.verbose, restless))
  })
  return verdicts
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function withServer(
  server: ApiServer,
  dir: string,
  cases: readonly ParityCase[],
  options: Options,
): Promise<Results> {
  const connection = await loadKubeconfig({ path: server.kubeconfigPath })
  const client = new KubeClient(connection, { userAgent: 'litecd-parity' })
  const api = new Api(client)
  const pods = podDriver(client)
  const store = new Store()
  const web = new WebServer(join(dir, 'git'))
  const port = options.command === undefined ? await freePort() : undefined
  const controller = new Controller(server.kubeconfigPath, dir, options.command, options.log, port)
  const crashes: string[] = []
  controller.onCrash = (words) => {
    crashes.push(words)
    console.error(`${words}\nThe controller is started again.`)
    setTimeout(() => controller.start(), 1000)
  }
  const settings = new SettingsKeeper(api, () => controller.restart())
  atSignal.add(() => controller.kill())
  try {
    await installArgo(api)
    await settings.init()
    await Promise.all([web.start(), store.start(api), pods.ready])
    controller.start()
    const world: World = {
      api,
      store,
      web,
      settings,
      gitDir: join(dir, 'git'),
      gitOverHttp: options.http,
      server: server.url.replace('127.0.0.1', 'localhost'),
      token: server.token,
      workFolders: controller.workFolders,
      controllerUrl: port === undefined ? undefined : `http://127.0.0.1:${port}`,
      maxQuiet: options.quiet,
      maxLimit: options.limit,
    }
    return await runCases(cases, world, options, crashes)
  } finally {
    controller.onCrash = () => {}
    await controller.stop()
    if (options.log !== undefined) console.log(`The controller's output: ${options.log}`)
    store.stop()
    pods.stop()
    await web.stop()
    client.close()
  }
}

/** Cases side by side on one API server, those that need everything for themselves one by one on another. */
async function runAll(cases: readonly ParityCase[], options: Options): Promise<Results> {
  const dir = mkdtempSync(join(tmpdir(), 'litecd-parity-'))
  atSignal.add(() => rmSync(dir, { recursive: true, force: true }))
  const together = cases.filter((of) => !of.alone)
  const alone = cases.filter((of) => of.alone)
  const groups = [
    { name: 'together', cases: together, options },
    { name: 'alone', cases: alone, options: { ...options, jobs: 1 } },
  ].filter((group) => group.cases.length > 0)
  try {
    const results = await Promise.allSettled(
      groups.map(async (group) => {
        const server = await startApiServer({ controllers: true })
        try {
          const log =
            options.log === undefined || groups.length === 1
              ? options.log
              : `${options.log}.${group.name}`
          const own = { ...group.options, log }
          return await withServer(server, join(dir, group.name), group.cases, own)
        } finally {
          await server.stop()
        }
      }),
    )
    return new Map(
      results.flatMap((result) => {
        if (result.status === 'rejected') throw result.reason
        return [...result.value]
      }),
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      jobs: { type: 'string' },
      quiet: { type: 'string' },
      limit: { type: 'string' },
      http: { type: 'boolean' },
      accept: { type: 'boolean' },
      controller: { type: 'string' },
      log: { type: 'string' },
      answers: { type: 'string' },
      'self-test': { type: 'boolean' },
      verbose: { type: 'boolean', short: 'v' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) {
    console.log(usage)
    return 0
  }
  const cases = selectCases(positionals, values.only)
  if (cases.length === 0) {
    console.error('no case fits')
    return 2
  }
  if (values['self-test'] === true) return selfTest(cases)
  if (!canStartApiServer('parity')) return 2
  const options: Options = {
    jobs: Number(values.jobs ?? Math.max(4, cpus().length)),
    quiet: values.quiet === undefined ? undefined : Number(values.quiet),
    limit: values.limit === undefined ? undefined : Number(values.limit),
    verbose: values.verbose === true,
    http: values.http === true,
    answers: values.answers,
    log: values.log,
    command: values.controller?.split(' '),
    known: readKnown(knownTable),
  }
  let verdicts = await runAll(cases, options)
  const again = lost(verdicts, cases)
  if (again.length > 0) {
    console.log(`${again.length} that were equal before are played once more, one by one:`)
    verdicts = new Map([...verdicts, ...(await runAll(again, { ...options, jobs: 1 }))])
  }
  console.log(printTotal([...verdicts.values()]))
  const gone = lost(verdicts, cases)
  for (const { name } of gone) console.error(`${name} was equal before (corpus/argocd-equal.txt)`)
  if (values.accept === true) accept(verdicts, cases)
  return gone.length > 0 ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const undo of atSignal) undo()
    process.exit(130)
  })
}

// An idle connection does not keep a process alive, and an early end must not look like success.
process.exitCode = 2
const alive = setInterval(() => {}, 60_000)
main()
  .then(
    (code) => {
      process.exitCode = code
    },
    (error: unknown) => console.error(error),
  )
  .finally(() => clearInterval(alive))
