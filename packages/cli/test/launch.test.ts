// The launcher and the bundle, as they are published.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'litecd-launch-'))
const cache = join(folder, 'cache')
const launcher = join(folder, 'bin/litecd.mjs')
const chart = join(folder, 'chart')

beforeAll(() => {
  cpSync(join(root, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true })
  execFileSync(process.execPath, ['scripts/bundle-cli.mjs', join(folder, 'dist')], { cwd: root })
  mkdirSync(join(chart, 'templates'), { recursive: true })
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n')
  writeFileSync(join(chart, 'templates/a.yaml'), 'kind: A\nname: {{ .Release.Name | quote }}\n')
}, 60_000)
beforeEach(() => rmSync(cache, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(argv: readonly string[], env: { readonly [name: string]: string } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, LITECD_CACHE: cache, NODE_DISABLE_COMPILE_CACHE: '', ...env },
  })
  return { status, stdout, stderr }
}

const template = ['helm', 'template', 'r', chart]
const rendered = {
  status: 0,
  stdout: '---\n# Source: chart/templates/a.yaml\nkind: A\nname: "r"\n',
  stderr: '',
}

function kept(): readonly string[] {
  return globSync('code/*/*', { cwd: cache }).map((path) => join(cache, path))
}

it('keeps compiled code for the next run of the same command', () => {
  expect(run(template)).toEqual(rendered)
  const [file] = kept()
  expect(kept()).toHaveLength(1)
  expect(statSync(file!).mode & 0o777).toBe(0o600)
  const whole = readFileSync(file!)
  whole.writeDoubleLE(1e9, 8)
  writeFileSync(file!, whole)
  const { ino } = statSync(file!)
  expect(run(template)).toEqual(rendered)
  expect(statSync(file!).ino).toBe(ino)
  expect(run(['--version']).status).toBe(0)
  expect(kept()).toHaveLength(2)
})

it('keeps more when a later run went further', () => {
  expect(run(['helm', '--help']).status).toBe(0)
  const [file] = kept()
  const whole = readFileSync(file!)
  whole.writeDoubleLE(1, 8) // a microsecond: this machine may be slow now
  writeFileSync(file!, whole)
  expect(run(template)).toEqual(rendered)
  expect(statSync(file!).size).toBeGreaterThan(whole.length)
})

it.each<readonly [string, (code: Buffer) => Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['half of it', (code) => code.subarray(0, code.length >> 1)],
  [
    'a wrong bit',
    (code) => {
      const copy = Buffer.from(code)
      copy[copy.length >> 1]! ^= 1
      return copy
    },
  ],
])('does not run kept code of which there is %s', (_, damage) => {
  run(template)
  const [file] = kept()
  const whole = readFileSync(file!)
  writeFileSync(file!, damage(whole))
  expect(run(template)).toEqual(rendered)
  expect(readFileSync(file!).length).toBeGreaterThan(whole.length / 2)
})

it('does not run the code of another build of the same size and date', () => {
  const built = join(folder, 'dist/litecd.cjs')
  const text = readFileSync(built, 'latin1')
  const packed = new Date('1985-10-26T08:15:00Z') // what npm gives every file
  utimesSync(built, packed, packed)
  expect(run(['--help']).stdout).toContain('helm template, in process')
  const other = text.replace('helm template, in process', 'HELM TEMPLATE, in process')
  try {
    writeFileSync(built, other.replace(/\w{16}\n$/, '0123456789abcdef\n'), 'latin1')
    utimesSync(built, packed, packed)
    expect(run(['--help']).stdout).toContain('HELM TEMPLATE, in process')
  } finally {
    writeFileSync(built, text, 'latin1')
  }
})

it('does not run code that others can write', () => {
  run(template)
  const [file] = kept()
  chmodSync(file!, 0o666)
  const { ino } = statSync(file!)
  expect(run(template)).toEqual(rendered)
  expect(statSync(file!).ino).not.toBe(ino)
  expect(statSync(file!).mode & 0o777).toBe(0o600)
})

it('forgets builds that nobody ran for long', () => {
  for (const [name, daysAgo] of [
    ['old', 40],
    ['recent', 20],
  ] as const) {
    const path = join(cache, 'code', name)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'diff'), '')
    const date = new Date(Date.now() - daysAgo * 24 * 3600 * 1000)
    utimesSync(path, date, date)
  }
  expect(run(template)).toEqual(rendered)
  expect(kept()).toHaveLength(2)
  expect(existsSync(join(cache, 'code/old'))).toBe(false)
})

it('works where it cannot keep anything', () => {
  writeFileSync(join(folder, 'occupied'), '')
  expect(run(template, { LITECD_CACHE: join(folder, 'occupied') })).toEqual(rendered)
})

it('keeps nothing when NODE_DISABLE_COMPILE_CACHE forbids it', () => {
  expect(run(template, { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(rendered)
  expect(existsSync(cache)).toBe(false)
})

it('starts many times at once', async () => {
  const runs = Array.from(
    { length: 6 },
    () =>
      new Promise<number | null>((settle) => {
        spawn(process.execPath, [launcher, ...template], {
          env: { ...process.env, LITECD_CACHE: cache, NODE_DISABLE_COMPILE_CACHE: '' },
          stdio: 'ignore',
        }).on('exit', settle)
      }),
  )
  expect(await Promise.all(runs)).toEqual(runs.map(() => 0))
  expect(kept()).toHaveLength(1)
  expect(run(template)).toEqual(rendered)
})

it('says how to build it where that was not done', () => {
  const elsewhere = join(folder, 'unbuilt')
  cpSync(join(folder, 'bin'), join(elsewhere, 'bin'), { recursive: true })
  const ran = spawnSync(process.execPath, [join(elsewhere, 'bin/litecd.mjs')], { encoding: 'utf8' })
  expect(ran.status).toBe(2)
  expect(ran.stderr).toContain('litecd is not built yet')
})

it('has a stack for as many includes as helm allows, before V8 has optimized anything', () => {
  const endless = join(folder, 'endless')
  cpSync(chart, endless, { recursive: true })
  writeFileSync(
    join(endless, 'templates/a.yaml'),
    '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}\n',
  )
  const ran = run(['helm', 'template', 'r', endless])
  expect(ran.status).toBe(1)
  expect(ran.stderr).toContain('rendering template has a nested reference name: r')
})

it('evaluates deep Jsonnet in a thread of its own', () => {
  const deep = 'local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(20000)'
  expect(run(['jsonnet', '--max-stack', '100000', '-e', deep])).toMatchObject({
    status: 0,
    stdout: '20000\n',
  })
})

it('tells the licences of what is bundled', () => {
  const text = readFileSync(join(folder, 'dist/LICENSES.txt'), 'utf8')
  for (const name of ['re2js', 'diff', 'bcryptjs', 'isomorphic-git']) {
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
})
