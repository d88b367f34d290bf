import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonnetCommand } from './jsonnet.ts'

// What stands on the right was printed by jsonnet v0.22.0.

const files = {
  'a.jsonnet': "local x = import 'x.libsonnet'; { x: x, f: std.thisFile }",
  'lib1/x.libsonnet': '"one"',
  'lib2/x.libsonnet': '"two"',
  'f.jsonnet': "function(a, b='B') [a, b, std.extVar('e')]",
  'm.jsonnet': "{ 'x.json': { a: 1 }, 'y/z.json': [1] }",
  'ms.jsonnet': "{ 'x.txt': 'hi', 'y.txt': 'ho' }",
  's.jsonnet': '"str"',
  'y.jsonnet': '[{ a: 1 }, 2]',
  'bad.jsonnet': '{ a: }',
  'esc.jsonnet': "{ '../e': 1 }",
  'str.txt': 'content\n',
  'out/keep': '',
}

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'litecd-jsonnet-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
})
afterEach(() => rmSync(cwd, { recursive: true }))

async function run(
  ...argv: string[]
): Promise<{ code: number; stdout: string; firstError: string }> {
  let stdout = ''
  let stderr = ''
  const code = await jsonnetCommand(argv, {
    cwd,
    env: { FROM_ENV: 'env' },
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  return { code, stdout, firstError: stderr.split('\n')[0]! }
}

describe('jsonnet prints', () => {
  it.each([
    [['-J', 'lib1', 'a.jsonnet'], '{\n   "f": "a.jsonnet",\n   "x": "one"\n}\n'],
    [['-J', 'lib1', '-J', 'lib2', './a.jsonnet'], '{\n   "f": "a.jsonnet",\n   "x": "two"\n}\n'],
    [['f.jsonnet', '-A', 'a=1', '-V', 'e=2'], '[\n   "1",\n   "B",\n   "2"\n]\n'],
    [['f.jsonnet', '--tla-code', 'a=1+1', '--ext-code', 'e=[]'], '[\n   2,\n   "B",\n   [ ]\n]\n'],
    [
      ['f.jsonnet', '--tla-str-file', 'a=str.txt', '--ext-code-file', 'e=s.jsonnet'],
      '[\n   "content\\n",\n   "B",\n   "str"\n]\n',
    ],
    [['-V', 'FROM_ENV', '-e', 'std.extVar("FROM_ENV")'], '"env"\n'],
    [['-V', 'e=1', '-V', 'e=2', '-e', 'std.extVar("e")'], '"2"\n'],
    [['-A', 'a=1', 's.jsonnet'], '"str"\n'],
    [['-S', 's.jsonnet'], 'str\n'],
    [['--no-trailing-newline', 's.jsonnet'], '"str"'],
    [['-Sm', 'out', 'ms.jsonnet'], 'out/x.txt\nout/y.txt\n'],
    [['-cm', 'out', 'm.jsonnet'], 'out/x.json\nout/y/z.json\n'],
    [['-y', 'y.jsonnet'], '---\n{\n   "a": 1\n}\n---\n2\n...\n'],
    [['-y', '-e', '[]'], ''],
    [['-e', '--', 'std.thisFile'], '""\n'],
  ])('%j', async (argv, stdout) => {
    expect(await run(...argv)).toEqual({ code: 0, stdout, firstError: '' })
  })
})

describe('jsonnet fails', () => {
  it.each([
    [
      ['a.jsonnet'],
      'RUNTIME ERROR: couldn\'t open import "x.libsonnet": no match locally or in the Jsonnet library paths',
    ],
    [['f.jsonnet'], 'RUNTIME ERROR: Missing argument: a'],
    [['-A', 'c=1', 'f.jsonnet'], 'RUNTIME ERROR: function has no parameter c'],
    [['bad.jsonnet'], 'bad.jsonnet:1:6-7 Unexpected: "}" while parsing terminal'],
    [['nofile.jsonnet'], 'Opening input file: nofile.jsonnet: no such file or directory'],
    [['lib1'], 'Reading input file: lib1: is a directory'],
    [['-S', 'y.jsonnet'], 'RUNTIME ERROR: expected string result, got: array'],
    [
      ['-y', 's.jsonnet'],
      'RUNTIME ERROR: stream mode: top-level object was a string, should be an array whose elements hold the JSON for each document in the stream.',
    ],
    [['-m', 'nodir', 'm.jsonnet'], 'open nodir: no such file or directory'],
    [['-o', 'no/o', 's.jsonnet'], 'open no/o: no such file or directory'],
    [[], 'ERROR: must give filename'],
    [['a', 'b'], 'ERROR: only one filename is allowed'],
    [['--nope', 'a'], 'ERROR: unrecognized argument: --nope'],
    [['-V', 'absent', 'a'], 'ERROR: environment variable absent was undefined'],
    [['--ext-str-file', 'x', 'a'], 'ERROR: argument not in form <var>=<file> "x"'],
    [['-s', 'x', 'a'], 'Invalid integer "x"'],
    [['-J'], 'Expected another commandline argument.'],
    [
      ['-s', '20', '-e', 'local f(n) = f(n + 1); f(0)'],
      'RUNTIME ERROR: max stack frames exceeded.',
    ],
  ])('%j', async (argv, firstError) => {
    expect(await run(...argv)).toEqual({ code: 1, stdout: '', firstError })
  })
})

it('writes nothing outside the folder of -m', async () => {
  const { code, firstError } = await run('-m', 'out', 'esc.jsonnet')
  expect([code, firstError]).toEqual([1, 'openat ../e: path escapes from parent'])
})

it('writes what it lists', async () => {
  await run('-c', '-m', 'new', '-o', 'list', 'm.jsonnet')
  expect(readFileSync(join(cwd, 'list'), 'utf8')).toBe('new/x.json\nnew/y/z.json\n')
  expect(readFileSync(join(cwd, 'new/y/z.json'), 'utf8')).toBe('[\n   1\n]\n')
})

it('has a stack as deep as --max-stack says', () => {
  const command = new URL('./jsonnet.ts', import.meta.url).href
  const script = `
    const { jsonnetCommand } = await import(${JSON.stringify(command)})
    const print = (text) => process.stdout.write(text)
    const argv = ['-s', '100000', '-e', 'local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(50000)']
    const io = { cwd: '.', env: {}, stdoutIsTerminal: false, stdout: print, stderr: print }
    process.exitCode = await jsonnetCommand(argv, io)`
  const run = spawnSync(
    process.execPath,
    ['--conditions=litecd-source', '--input-type=module', '-e', script],
    { encoding: 'utf8', cwd: import.meta.dirname },
  )
  expect(run).toMatchObject({ status: 0, stdout: '50000\n' })
})
