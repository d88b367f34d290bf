// CPU time of builds here against the kustomize program's, in one run.
//
//   node bench/kustomize.ts               a patch over 20 objects, an overlay over 1,000, and how it grows to 10,000
//   node bench/kustomize.ts FOLDER...     kustomizations of yours
//
// LITECD_KUSTOMIZE_BIN names the program (otherwise the one that `npm run testbin` builds, or `kustomize`). Every run of
// the program is a new process; ours has warmed up and reads all files anew. Exit code 1 when an output differs.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildKustomization, buildText, type Remotes } from '@litecd/core/render/kustomize'
import { findBinary } from '../../../test/binaries.ts'
import { diskTree } from '../test/differential/disk-tree.ts'

const binary = process.env['LITECD_KUSTOMIZE_BIN'] ?? findBinary('kustomize') ?? 'kustomize'
const rounds = 5

const offline: Remotes = {
  file: (url) => ({ error: new Error(`${url} is remote`) }),
  repo: (spec) => ({ error: new Error(`${spec.raw} is remote`) }),
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

/** User and system time of the program and what it prints. */
function theirs(folder: string): { readonly seconds: number; readonly output: string } {
  const script = 'TIMEFORMAT="%U %S"; time "$@" 2>&3 3>&-'
  const run = spawnSync('bash', ['-c', `{ ${script}; } 3>&2`, 'bash', binary, 'build', folder], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (run.error !== undefined) throw run.error
  if (run.status !== 0) throw new Error(`${binary} build ${folder} failed: ${run.stderr}`)
  const [user, system] = run.stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number)
  return { seconds: user! + system!, output: run.stdout }
}

function ours(folder: string): string {
  const tree = diskTree('/')
  return buildText(buildKustomization({ tree, display: '' }, folder.slice(1), { remotes: offline }))
}

/** CPU seconds of `run`, the mean of as many runs as fill a tenth of a second. */
function cpu(run: () => void): number {
  const start = process.cpuUsage()
  for (let count = 1; ; count++) {
    run()
    const { user, system } = process.cpuUsage(start)
    if (user + system > 100_000) return (user + system) / 1e6 / count
  }
}

/** Runs for a second of CPU time, as long as a host needs that renders all day. */
function warmUp(folder: string): void {
  const start = process.cpuUsage()
  for (;;) {
    ours(folder)
    const { user, system } = process.cpuUsage(start)
    if (user + system > 1_000_000) return
  }
}

/** MB that a build leaves behind while it is the last one: what it holds and what is not collected yet. */
function memory(run: () => void): string {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const before = process.memoryUsage()
  run()
  const after = process.memoryUsage()
  return `heap grows by ${megabytes(after.heapUsed - before.heapUsed)} MB in one build, ${megabytes(after.rss)} MB resident`
}

/** MB that the program has resident at most during one build, as Linux tells; undefined elsewhere. */
function peakOfProgram(folder: string): Promise<string | undefined> {
  const child = spawn(binary, ['build', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak: string | undefined
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1]
      if (kilobytes !== undefined) peak = megabytes(Number(kilobytes) * 1024)
    } catch {
      clearInterval(watch) // the process is gone, or this is not Linux
    }
  }, 10)
  return new Promise((done, refuse) => {
    child.on('error', refuse)
    child.on('exit', () => {
      clearInterval(watch)
      done(peak)
    })
  })
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function compare(name: string, folder: string): void {
  const text = ours(folder)
  warmUp(folder)
  const mine: number[] = []
  const peer: number[] = []
  for (let i = 0; i < rounds; i++) {
    const run = theirs(folder)
    if (run.output !== text) {
      process.stdout.write(`${name}: the output differs\n`)
      process.exitCode = 1
      return
    }
    peer.push(run.seconds)
    mine.push(cpu(() => ours(folder)))
  }
  const [a, b] = [median(mine), median(peer)]
  process.stdout.write(
    `${name.padEnd(44)} ${(a * 1000).toFixed(1)} ms here, ${(b * 1000).toFixed(0)} ms there: ${(a / b).toFixed(3)} ×\n`,
  )
}

function deployment(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: {app: ${name}}
spec:
  replicas: 2
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
      - name: main
        image: registry.example.com/shop/${name}:1.0
        ports:
        - {containerPort: 8080, protocol: TCP}
        env:
        - {name: REGION, value: north}
        - name: TOKEN
          valueFrom: {secretKeyRef: {name: settings, key: token}}
        envFrom:
        - configMapRef: {name: settings}
        resources:
          limits: {cpu: 500m, memory: 256Mi}
`
}

function service(name: string): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec:
  selector: {app: ${name}}
  ports:
  - {name: http, port: 80, targetPort: 8080, protocol: TCP}
`
}

/** A base of `count` objects, half of them Deployments, and an overlay that does a bit of everything. */
function overlay(count: number, full: boolean): string {
  const root = mkdtempSync(join(tmpdir(), 'kustomize-bench-'))
  const write = (path: string, text: string): void => {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const names = Array.from({ length: count / 2 }, (_, i) => `part-${i}`)
  for (const name of names) write(`base/${name}.yaml`, `${deployment(name)}---\n${service(name)}`)
  const list = names.map((name) => `- ${name}.yaml`).join('\n')
  write('base/kustomization.yaml', `resources:\n${list}\n`)
  const patch = `patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: part-0}
    spec:
      template:
        spec:
          containers:
          - name: main
            env:
            - {name: REGION, value: south}
`
  const rest = `namePrefix: shop-
namespace: shop
labels:
- pairs: {team: shop}
  includeSelectors: true
images:
- {name: registry.example.com/shop/part-1, newTag: "2.0"}
- {name: registry.example.com/shop/part-2, newTag: "2.1"}
configMapGenerator:
- name: settings
  literals: [a=b, c=d]
- name: more
  literals: [e=f]
`
  const many = `- target: {kind: Deployment, name: part-.*}
  patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: any}
    spec:
      template:
        spec:
          priorityClassName: high
`
  write('overlay/kustomization.yaml', `resources: [../base]\n${patch}${full ? many + rest : ''}`)
  return root
}

const folders = process.argv.slice(2)
for (const folder of folders) compare(folder, resolve(folder))
if (folders.length === 0) {
  const made: string[] = []
  const make = (count: number, full: boolean): string => {
    const root = overlay(count, full)
    made.push(root)
    return join(root, 'overlay')
  }
  compare('20 objects, one strategic merge patch', make(20, false))
  compare('1,000 objects, an overlay of everything', make(1000, true))
  for (const count of [100, 1000, 10_000]) {
    const folder = make(count, true)
    warmUp(folder)
    const each = (cpu(() => ours(folder)) / count) * 1e6
    process.stdout.write(
      `${String(count).padStart(6)} objects: ${each.toFixed(0)} µs of CPU time each, ${memory(() => ours(folder))}\n`,
    )
  }
  const peak = await peakOfProgram(make(1000, true))
  process.stdout.write(`the program on 1,000 objects: ${peak ?? 'unknown'} MB resident\n`)
  for (const root of made) rmSync(root, { recursive: true })
}
