import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/gitserver/make-repo.ts'
import { findProgram } from './find.ts'
import { gitProgram, isAtLeast, openGitProgram } from './git.ts'
import { runProgram, runProgramSync } from './run.ts'

const node = process.execPath
const env = { PATH: process.env['PATH'] }
const script = (text: string): readonly string[] => ['-e', text]
const folder = tempFolder()
afterAll(() => folder.remove())

describe('runProgram', () => {
  it('gives what goes in and takes what comes out', async () => {
    const echo = script(
      'process.stdin.pipe(process.stdout); process.stderr.write("said"); process.exitCode = 3',
    )
    for (const result of [
      await runProgram(node, echo, { env, input: 'hello' }),
      runProgramSync(node, echo, { env, input: 'hello' }),
    ]) {
      expect(result).toMatchObject({ status: 3, stderr: 'said', ended: undefined })
      expect(result.stdout.toString()).toBe('hello')
    }
  })

  it('passes on nothing of its own environment', async () => {
    process.env['LITECD_TEST_SECRET'] = 'secret'
    const print = script('console.log(JSON.stringify(process.env))')
    const result = await runProgram(node, print, { env: { A: 'b' } })
    expect(JSON.parse(result.stdout.toString())).toEqual({ A: 'b' })
    delete process.env['LITECD_TEST_SECRET']
  })

  it('ends a program that takes too long, says too much, or is no longer wanted', async () => {
    const sleep = script('setTimeout(() => {}, 60_000)')
    expect(await runProgram(node, sleep, { env, timeoutMs: 200 })).toMatchObject({
      status: undefined,
      ended: 'timeout',
    })
    expect(runProgramSync(node, sleep, { env, timeoutMs: 200 })).toMatchObject({
      status: undefined,
      ended: 'timeout',
    })
    const chatter = script('for (;;) require("fs").writeSync(1, "x".repeat(10000))')
    expect(await runProgram(node, chatter, { env, maxOutputBytes: 100_000 })).toMatchObject({
      ended: 'output',
    })
    expect(runProgramSync(node, chatter, { env, maxOutputBytes: 100_000 })).toMatchObject({
      ended: 'output',
    })
    const signal = AbortSignal.timeout(200)
    expect(await runProgram(node, sleep, { env, signal })).toMatchObject({ ended: 'aborted' })
    expect(await runProgram(node, sleep, { env, signal: AbortSignal.abort() })).toMatchObject({
      ended: 'aborted',
    })
  })

  it('kills a program that does not want to end', async () => {
    const stubborn = script(
      'process.on("SIGTERM", () => {}); setTimeout(() => {}, 60_000); console.log("ready")',
    )
    const started = performance.now()
    expect(await runProgram(node, stubborn, { env, timeoutMs: 500 })).toMatchObject({
      status: undefined,
      ended: 'timeout',
    })
    expect(performance.now() - started).toBeLessThan(6000)
  }, 10_000)

  it('keeps the beginning and the end of what a program complains about', async () => {
    const long = script('process.stderr.write("begin" + "x".repeat(500_000) + "end")')
    for (const result of [
      await runProgram(node, long, { env }),
      runProgramSync(node, long, { env }),
    ]) {
      expect(result.stderr.startsWith('begin')).toBe(true)
      expect(result.stderr.endsWith('end')).toBe(true)
      expect(result.stderr.length).toBeLessThan(70_000)
    }
  })

  it('does not mind a program that reads nothing', async () => {
    const result = await runProgram(node, script(''), { env, input: 'x'.repeat(1_000_000) })
    expect(result).toMatchObject({ status: 0 })
  })

  it('rejects when there is no such program', async () => {
    await expect(runProgram(join(folder.path, 'none'), [], { env })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(() => runProgramSync(join(folder.path, 'none'), [], { env })).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    )
  })
})

describe('findProgram', () => {
  it('finds executable files in absolute folders of PATH alone', () => {
    const bin = join(folder.path, 'bin')
    mkdirSync(join(bin, 'folder'), { recursive: true })
    writeFileSync(join(bin, 'tool'), '')
    writeFileSync(join(bin, 'data'), '')
    chmodSync(join(bin, 'tool'), 0o755)
    const search = { PATH: `:relative:/nothing:${bin}` }
    expect(findProgram('tool', search)).toBe(join(bin, 'tool'))
    expect(findProgram('data', search)).toBeUndefined()
    expect(findProgram('folder', search)).toBeUndefined()
    expect(findProgram('tool', { PATH: '' })).toBeUndefined()
    expect(findProgram('tool', {})).toBeUndefined()
  })
})

describe.skipIf(gitProgram() === undefined)('the git program', () => {
  const git = gitProgram()!
  it('knows its version', () => {
    expect(isAtLeast(git, 1, 9)).toBe(true)
    expect(isAtLeast(git, 99, 0)).toBe(false)
    expect(openGitProgram(node)?.version[0]).not.toBe(git.version[0])
    expect(openGitProgram(join(folder.path, 'none'))).toBeUndefined()
  })

  it('sees its own configuration, not that of the user unless told, and no other repository', async () => {
    const home = join(folder.path, 'home')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Somebody\n')
    const kept = {
      HOME: process.env['HOME'],
      GIT_DIR: process.env['GIT_DIR'],
      GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'],
    }
    Object.assign(process.env, { HOME: home, GIT_DIR: '/nothing' })
    delete process.env['GIT_CONFIG_GLOBAL']
    try {
      const config: readonly (readonly [string, string])[] = [['litecd.secret', 'a "b" $c']]
      const ask = async (key: string, userConfig: boolean): Promise<string> =>
        (await git.run(['config', key], { config, userConfig })).stdout.toString().trim()
      expect(await ask('litecd.secret', false)).toBe('a "b" $c')
      expect(await ask('user.name', false)).toBe('')
      expect(await ask('user.name', true)).toBe('Somebody')
      const where = git.runSync(['rev-parse', '--git-dir'], { cwd: folder.path })
      expect(where.status).not.toBe(0)
      expect(where.stderr).toContain('not a git repository')
    } finally {
      for (const [name, value] of Object.entries(kept)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })
})
