import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packCharts, webFiles } from './charts.ts'
import { GitRepo, git } from './git-repo.ts'
import { WebServer } from './web-server.ts'

let dir = ''
let web: WebServer

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'litecd-parity-test-'))
  web = new WebServer(join(dir, 'git'))
  await web.start()
})

afterAll(async () => {
  await web.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function made(name: string): Promise<GitRepo> {
  const repo = new GitRepo(join(dir, 'git', name))
  await repo.init()
  await repo.commit({
    files: {
      'app/a.yaml': 'a: 1\n',
      'app/list.yaml': [{ kind: 'A' }, { kind: 'B' }],
      'app/bytes': new Uint8Array([0, 255, 10]),
      'app/link': 'symlink:../elsewhere',
      'odd "name"': 'x',
    },
    tag: 'first',
  })
  await repo.commit({ files: { 'app/a.yaml': null }, branch: 'side', annotatedTag: 'second' })
  await repo.commit({ files: { 'app/b.yaml': 'b: 1\n' } })
  await repo.commit({ files: { 'app/c.yaml': 'c: 1\n' }, branch: 'main' })
  return repo
}

describe('a git repository', () => {
  it('has the same SHAs each time', async () => {
    const [a, b] = [await made('same-a'), await made('same-b')]
    expect(a.commits).toEqual(b.commits)
    expect(new Set(a.commits).size).toBe(4)
  })

  it('can be cloned over http, with links, bytes, tags and branches', async () => {
    const repo = await made('cloned')
    const work = join(dir, 'work')
    await git(dir, ['clone', '--quiet', `${web.url}/git/cloned.git`, work])
    const show = async (what: string): Promise<string> =>
      (await git(work, ['show', what])).toString()
    expect((await git(work, ['rev-parse', 'HEAD'])).toString().trim()).toBe(repo.commits[3])
    expect(readlinkSync(join(work, 'app/link'))).toBe('../elsewhere')
    expect(existsSync(join(work, 'odd "name"'))).toBe(true)
    expect(await show('first:app/a.yaml')).toBe('a: 1\n')
    expect(await git(work, ['show', 'first:app/bytes'])).toEqual(Buffer.from([0, 255, 10]))
    expect(await show('first:app/list.yaml')).toBe(
      '{\n  "kind": "A"\n}\n---\n{\n  "kind": "B"\n}\n',
    )
    // The third commit stays on the branch of the second; the fourth leaves from main's own tip.
    expect((await git(work, ['rev-parse', 'origin/side'])).toString().trim()).toBe(repo.commits[2])
    expect((await git(work, ['rev-parse', 'second^{commit}'])).toString().trim()).toBe(
      repo.commits[1],
    )
    expect((await git(work, ['rev-parse', 'HEAD^'])).toString().trim()).toBe(repo.commits[0])
    await expect(git(work, ['show', 'HEAD:app/b.yaml'])).rejects.toThrow()
  })

  it('that does not exist is not found', async () => {
    await expect(git(dir, ['ls-remote', `${web.url}/git/none`])).rejects.toThrow('not found')
  })
})

interface Index {
  readonly entries: {
    readonly web: readonly { readonly version: string; readonly urls: readonly string[] }[]
  }
}

describe('charts and files over http', () => {
  const chart = { 'Chart.yaml': 'name: web\nversion: 1.0.0\n', 'templates/a.yaml': 'a: {{ 1 }}\n' }

  it('are packed with an index', async () => {
    web.serve(
      'one',
      packCharts({
        any: chart,
        more: { ...chart, 'Chart.yaml': { name: 'web', version: '2.0.0' } },
      }),
    )
    const answer = await fetch(`${web.url}/charts/one/index.yaml`)
    const index = (await answer.json()) as Index
    expect(index.entries.web.map((entry) => entry.version)).toEqual(['1.0.0', '2.0.0'])
    const archive = await fetch(`${web.url}/charts/one/${index.entries.web[0]!.urls[0]}`)
    const bytes = gunzipSync(Buffer.from(await archive.arrayBuffer()))
    const tar = spawnSync('tar', ['-tvf', '-'], {
      input: bytes,
    })
    expect(tar.stderr.toString()).toBe('')
    expect(tar.stdout.toString()).toMatch(
      /-rw-r--r-- .* web\/Chart\.yaml\n.*web\/templates\/a\.yaml/,
    )
  })

  it('are served as text or JSON, and otherwise not found without a body', async () => {
    web.serve('two', webFiles({ 'api/list': [], 'api/one': { a: 1 }, 'plain.txt': 'text' }))
    const get = async (path: string): Promise<readonly [number, string]> => {
      const answer = await fetch(`${web.url}/charts/two/${path}`)
      return [answer.status, await answer.text()]
    }
    expect(await get('api/list?per_page=100')).toEqual([200, '[]'])
    expect(JSON.parse((await get('api/one'))[1])).toEqual({ a: 1 })
    expect(await get('plain.txt')).toEqual([200, 'text'])
    expect(await get('none')).toEqual([404, ''])
  })
})
