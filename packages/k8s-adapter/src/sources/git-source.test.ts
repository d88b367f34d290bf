import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceRequest } from '@litecd/core/adapters'
import { type FileTree, walkFiles } from '@litecd/core/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GitServer, startGitServer } from '../../test/gitserver/http-server.ts'
import { git, hasGit, importHistory, tempFolder } from '../../test/gitserver/make-repo.ts'
import { gitProgram } from '../process/index.ts'
import { createSourceFetcher, type SourceFetcherOptions, type Sources } from './index.ts'
import { parseRepositorySecret } from './repository.ts'

const root = tempFolder()
let server: GitServer
let ids: readonly string[]
const opened: Sources[] = []

const content = (tree: FileTree): { readonly [path: string]: string } =>
  Object.fromEntries(
    [...walkFiles(tree, '')].map(({ path, entry }) => [
      path,
      entry.kind === 'link' ? `-> ${entry.target}` : Buffer.from(tree.read(path)!).toString(),
    ]),
  )

let caches = 0
function sources(options: Partial<SourceFetcherOptions> = {}): Sources {
  const fetcher = createSourceFetcher({
    cacheDir: join(root.path, `cache-${caches++}`),
    ...options,
  })
  opened.push(fetcher)
  return fetcher
}

type GitRequest = Extract<SourceRequest, { type: 'git' }>
const at = (url: string, revision: string, more: Partial<GitRequest> = {}): GitRequest => ({
  type: 'git',
  url,
  revision,
  ...more,
})

beforeAll(async () => {
  if (!hasGit) return
  const repos = join(root.path, 'repos')
  mkdirSync(join(repos, 'app.git'), { recursive: true })
  ids = importHistory(join(repos, 'app.git'), [
    {
      files: {
        'app/a.yaml': 'one',
        'base/b.yaml': 'base',
        'other/c.yaml': 'c',
        link: { link: 'app/a.yaml' },
      },
      annotatedTag: 'v1.0.0',
    },
    { files: { 'app/a.yaml': 'two' }, tag: 'v1.2.0' },
    { files: { 'app/a.yaml': 'three' }, tag: 'twin' },
    { files: { 'app/a.yaml': 'topic' }, branch: 'feature/x', parents: [1] },
    { files: { 'app/a.yaml': 'branch' }, branch: 'twin', parents: [1] },
  ])
  git(join(repos, 'app.git'), ['config', 'uploadpack.allowFilter', 'true'])
  git(join(repos, 'app.git'), ['update-ref', 'refs/pull/7/head', ids[3]!])
  mkdirSync(join(repos, 'empty.git'))
  git(join(repos, 'empty.git'), ['init', '-q', '--bare', '.'])
  server = await startGitServer(repos)
})
afterAll(async () => {
  for (const one of opened) one.release()
  server?.close()
  root.remove()
})

const kinds = {
  'over http': () => `${server.url}/app.git`,
  'over http, content apart': () => `${server.url}/app.git`,
  'over http, moved': () => `${server.url}/moved/app.git`,
  'from a folder': () => `file://${join(root.path, 'repos', 'app.git')}`,
  'from a path': () => join(root.path, 'repos', 'app.git'),
  'over http with the user configuration of git': () => `${server.url}/app.git`,
}

describe.skipIf(!hasGit).each(Object.entries(kinds))('git %s', (name, url) => {
  const make = (): Sources =>
    sources({
      userConfig: name.includes('user configuration'),
      blobless: name.includes('apart'),
    })
  it('resolves every kind of revision', async () => {
    const fetcher = make()
    const want: readonly (readonly [string, string, string?])[] = [
      ['', ids[2]!],
      ['HEAD', ids[2]!],
      ['main', ids[2]!],
      ['refs/heads/main', ids[2]!],
      ['feature/x', ids[3]!],
      ['v1.0.0', ids[0]!],
      ['refs/tags/v1.0.0', ids[0]!],
      ['1.x', ids[1]!],
      ['~1.0', ids[0]!],
      ['>=1.0.0, <1.2.0', ids[0]!],
      ['twin', ids[4]!],
      ['refs/tags/twin', ids[2]!],
      ['refs/pull/7/head', ids[3]!],
      ['pull/7/head', ids[3]!],
      [ids[0]!, ids[0]!],
      [ids[0]!.toUpperCase(), ids[0]!.toUpperCase()],
      [ids[0]!.slice(0, 7), ids[0]!.slice(0, 7)],
      ['0.0', ids[1]!, 'v1.2.'],
    ]
    for (const [revision, id, tagPrefix] of want) {
      if (tagPrefix === undefined)
        expect([revision, await fetcher.resolve(at(url(), revision))]).toEqual([revision, id])
    }
    expect(await fetcher.resolve(at(url(), '1.x.x', { tagPrefix: 'v' }))).toBe(ids[1])
  })

  it.each([
    ['nowhere', "unable to resolve 'nowhere' to a commit SHA"],
    ['heads/main', "unable to resolve 'heads/main' to a commit SHA"],
    ['origin/main', "unable to resolve 'origin/main' to a commit SHA"],
    ['012345', "unable to resolve '012345' to a commit SHA"],
    ['^9.0', "unable to resolve '^9.0' to a commit SHA"],
    ['1.2', "unable to resolve '1.2' to a commit SHA"],
  ])('says that %s is unknown', async (revision, message) => {
    await expect(make().resolve(at(url(), revision))).rejects.toMatchObject({
      code: 'SOURCE_REVISION_UNKNOWN',
      message,
    })
  })

  it('fetches trees, whole or where paths are named', async () => {
    const fetcher = make()
    const tree = await fetcher.fetch(at(url(), ''), ids[1]!)
    const whole = {
      'app/a.yaml': 'two',
      'base/b.yaml': 'base',
      'other/c.yaml': 'c',
      link: '-> app/a.yaml',
    }
    expect(content(tree)).toEqual(whole)
    expect(tree.revision).toBe(ids[1])
    for (const id of [ids[0]!, ids[3]!]) {
      const narrow = await fetcher.fetch(at(url(), '', { paths: ['app'] }), id)
      expect(content(narrow)).toEqual({ ...whole, 'app/a.yaml': id === ids[0] ? 'one' : 'topic' })
    }
    const fresh = make()
    const narrow = await fresh.fetch(
      at(url(), '', { paths: ['app', 'nothing', 'base/b.yaml'] }),
      ids[2]!,
    )
    expect(content(narrow)).toEqual({ ...whole, 'app/a.yaml': 'three' })
  })

  it('expands abbreviated commits, and says when one is not there', async () => {
    const fetcher = make()
    const tree = await fetcher.fetch(at(url(), ''), ids[0]!.slice(0, 7))
    expect(tree.revision).toBe(ids[0])
    expect(content(tree)['app/a.yaml']).toBe('one')
    await expect(fetcher.fetch(at(url(), ''), '0123456')).rejects.toMatchObject({
      code: 'SOURCE_REVISION_UNKNOWN',
      message:
        "Failed to checkout revision 0123456: `git fetch origin 0123456 --tags --force --prune` failed exit status 128: fatal: couldn't find remote ref 0123456",
    })
    const none = '0123456789abcdef0123456789abcdef01234567'
    const shares = url().startsWith('http') ? '' : `fatal: git upload-pack: not our ref ${none}\n`
    await expect(fetcher.fetch(at(url(), ''), none)).rejects.toMatchObject({
      code: 'SOURCE_REVISION_UNKNOWN',
      message: `Failed to checkout revision ${none}: \`git fetch origin ${none} --tags --force --prune\` failed exit status 128: ${shares}fatal: remote error: upload-pack: not our ref ${none}`,
    })
  })

  it('lists the paths that differ between two commits', async () => {
    expect(await make().changes(at(url(), ''), ids[0]!, ids[3]!)).toEqual([
      { path: 'app/a.yaml', change: 'modified' },
    ])
  })
})

describe.skipIf(!hasGit)('without a git program', () => {
  it('fetches over http by isomorphic-git', async () => {
    const fetcher = sources({ git: null })
    const url = `${server.url}/app.git`
    expect(await fetcher.resolve(at(url, '1.x'))).toBe(ids[1])
    const tree = await fetcher.fetch(at(url, '', { paths: ['app'] }), ids[1]!)
    expect(content(tree)).toEqual({
      'app/a.yaml': 'two',
      'base/b.yaml': 'base',
      'other/c.yaml': 'c',
      link: '-> app/a.yaml',
    })
    expect((await fetcher.fetch(at(url, ''), ids[3]!.slice(0, 8))).revision).toBe(ids[3])
    const none = '0123456789abcdef0123456789abcdef01234567'
    await expect(fetcher.fetch(at(url, ''), none)).rejects.toMatchObject({
      code: 'SOURCE_REVISION_UNKNOWN',
      message: expect.stringContaining(`not our ref ${none}`),
    })
    await expect(fetcher.fetch(at('http://127.0.0.1:1/x', ''), none)).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      retryable: true,
      message: expect.stringContaining('dial tcp 127.0.0.1:1: connect: connection refused'),
    })
  })

  it('leaves a repository behind that git finds nothing wrong with', async () => {
    const cacheDir = join(root.path, 'cache-own')
    const fetcher = sources({ git: null, cacheDir })
    const folder = join(root.path, 'repos', 'growing.git')
    mkdirSync(folder)
    const large = Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * 7919) % 1009}`)
    const growing = importHistory(
      folder,
      Array.from({ length: 6 }, (_, i) => {
        large[i * 100] = `edit ${i}`
        return { files: { large: large.join('\n'), [`dir${i}/a`]: `${i}` } }
      }),
    )
    const url = `${server.url}/growing.git`
    const counts: number[] = []
    let cache = ''
    for (const id of growing) {
      await fetcher.fetch(at(url, ''), id)
      cache = join(cacheDir, 'git', readdirSync(join(cacheDir, 'git'))[0]!)
      const all = git(cache, ['cat-file', '--batch-all-objects', '--batch-check', '--unordered'])
      counts.push(all.split('\n').length - counts.reduce((sum, count) => sum + count, 0))
    }
    expect(git(cache, ['fsck', '--full', '--strict'])).toBe('')
    expect(git(cache, ['rev-parse', '--is-shallow-repository'])).toBe('true')
    for (const id of growing)
      expect(git(cache, ['ls-tree', '-r', id])).toBe(git(folder, ['ls-tree', '-r', id]))
    expect((await fetcher.fetch(at(url, ''), growing[2]!.slice(0, 9))).revision).toBe(growing[2])
    // deltas came against what was there, and packs were completed: each holds few objects
    const first = await sources({ git: null }).fetch(at(url, ''), growing[5]!)
    expect(content(first)['large']).toBe(large.join('\n'))
    expect(Math.max(...counts.slice(1))).toBeLessThan(counts[0]! + 4)
  })

  it('says what ssh needs', async () => {
    await expect(
      sources({ git: null }).fetch(at('git@host.invalid:a/b.git', ''), ids[0]!),
    ).rejects.toMatchObject({
      code: 'RENDER_UNSUPPORTED',
      message: expect.stringContaining('needs the git program'),
    })
  })
})

describe.skipIf(!hasGit)('what goes wrong', () => {
  it.each([
    [
      'http://127.0.0.1:1/x.git',
      'SOURCE_UNREACHABLE',
      'failed to list refs: Get "http://127.0.0.1:1/x.git/info/refs?service=git-upload-pack": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    ['ftp://127.0.0.1:1/x', 'SOURCE_REFUSED', 'failed to list refs: unsupported scheme "ftp"'],
    ['not a url', 'SOURCE_NOT_FOUND', 'failed to list refs: repository not found'],
    ['file:///nothing/here', 'SOURCE_NOT_FOUND', 'failed to list refs: repository not found'],
    ['SERVER/none.git', 'SOURCE_NOT_FOUND', 'failed to list refs: repository not found'],
    [
      'SERVER/empty.git',
      'SOURCE_REVISION_UNKNOWN',
      'failed to list refs: remote repository is empty',
    ],
  ])('%s', async (url, code, message) => {
    const target = at(url.replace('SERVER', server.url), 'main')
    const error = await sources()
      .resolve(target)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code, retryable: code === 'SOURCE_UNREACHABLE' })
    expect((error as Error).message.startsWith(message)).toBe(true)
  })

  it.each([
    [401, 'SOURCE_REFUSED', 'authentication required', false],
    [403, 'SOURCE_REFUSED', 'authorization failed', false],
    [404, 'SOURCE_NOT_FOUND', 'repository not found', false],
    [500, 'SOURCE_UNREACHABLE', 'status code: 500', true],
    [503, 'SOURCE_UNREACHABLE', 'status code: 503', true],
    [418, 'SOURCE_REFUSED', 'status code: 418', false],
  ])('a server that answers %i', async (status, code, message, retryable) => {
    await server.behave({ status })
    try {
      const url = `${server.url}/app.git`
      await expect(sources().resolve(at(url, 'main'))).rejects.toMatchObject({
        code,
        retryable,
        message: expect.stringContaining(message),
      })
      await expect(sources().fetch(at(url, 'main'), ids[0]!)).rejects.toMatchObject({
        message: expect.stringContaining(
          'Failed to fetch default: `git fetch origin --tags --force --prune` failed exit status 128: ',
        ),
      })
    } finally {
      await server.behave({})
    }
  })

  it('a server that never answers', async () => {
    await server.behave({ delayMs: 1000 })
    try {
      const url = `${server.url}/app.git`
      await expect(sources().resolve(at(url, 'main', { timeoutMs: 100 }))).rejects.toMatchObject({
        code: 'SOURCE_UNREACHABLE',
        retryable: true,
      })
      await expect(
        sources().fetch(at(url, 'main', { timeoutMs: 100 }), ids[0]!),
      ).rejects.toMatchObject({
        code: 'SOURCE_UNREACHABLE',
        message: expect.stringContaining('timeout'),
      })
      const gone = AbortSignal.timeout(50)
      await expect(
        sources().fetch(at(url, 'main'), ids[0]!, { signal: gone }),
      ).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' })
    } finally {
      await server.behave({})
    }
  })
})

describe.skipIf(!hasGit)('credentials', () => {
  const password = 'p4ss w0rd $HOME'
  const withSecret = (data: { readonly [key: string]: string }, git?: null): Sources =>
    sources({
      blobless: true,
      repositories: () => ({
        repositories: [parseRepositorySecret({ url: `${server.url}/app.git`, ...data })],
        templates: [],
      }),
      ...(git === null ? { git } : {}),
    })
  it.each([
    ['a password', { basic: `ada:${password}` }, { username: 'ada', password }],
    ['a password without a user', { basic: 'x-access-token:tok' }, { password: 'tok' }],
    ['a bearer token', { bearer: 'tok' }, { bearerToken: 'tok' }],
  ])('%s', async (_, behaviour, secret) => {
    await server.behave(behaviour)
    const request = at(`${server.url}/app.git`, 'main', { paths: ['app'] })
    try {
      for (const git of [undefined, null] as const) {
        const fetcher = withSecret(secret, git)
        expect(await fetcher.resolve(request)).toBe(ids[2])
        // content that is fetched late needs the credentials as well
        expect(content(await fetcher.fetch(request, ids[2]!))['other/c.yaml']).toBe('c')
        await expect(withSecret({}, git).resolve(request)).rejects.toMatchObject({
          code: 'SOURCE_REFUSED',
        })
        await expect(
          withSecret({ password: 'wrong' }, git).fetch(request, ids[2]!),
        ).rejects.toMatchObject({ code: 'SOURCE_REFUSED' })
      }
    } finally {
      await server.behave({})
    }
  })

  it('leave nothing on disk', async () => {
    await server.behave({ basic: `ada:${password}` })
    const cacheDir = join(root.path, 'cache-secret')
    const inUrl = `${server.url.replace('//', `//ada:${encodeURIComponent(password)}@`)}/app.git`
    try {
      for (const git of [undefined, null] as const) {
        const plain = sources({ cacheDir: `${cacheDir}/${git}`, ...(git === null ? { git } : {}) })
        expect(await plain.resolve(at(inUrl, 'main'))).toBe(ids[2])
        await plain.fetch(at(inUrl, 'main'), ids[2]!)
      }
      const fetcher = sources({
        cacheDir,
        repositories: () => ({
          repositories: [
            parseRepositorySecret({ url: `${server.url}/app.git`, username: 'ada', password }),
          ],
          templates: [],
        }),
      })
      await fetcher.fetch(at(`${server.url}/app.git`, 'main'), ids[2]!)
    } finally {
      await server.behave({})
    }
    const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(3)
    const secrets = [
      password,
      encodeURIComponent(password),
      Buffer.from(`ada:${password}`).toString('base64'),
    ]
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1')
      for (const secret of secrets) expect(text.includes(secret)).toBe(false)
    }
  })
})

describe.skipIf(!hasGit)('caches', () => {
  it('remember refs for three minutes, unless told to look again', async () => {
    let now = 1_000_000
    const fetcher = sources({ now: () => now })
    const folder = join(root.path, 'repos', 'moving.git')
    mkdirSync(folder)
    const moving = importHistory(folder, [
      { files: { a: '1' } },
      { files: { a: '2' }, branch: 'next' },
    ])
    const url = `${server.url}/moving.git`
    expect(await fetcher.resolve(at(url, 'main'))).toBe(moving[0])
    git(folder, ['update-ref', 'refs/heads/main', moving[1]!])
    now += 179_000
    expect(await fetcher.resolve(at(url, 'main'))).toBe(moving[0])
    now += 2_000
    expect(await fetcher.resolve(at(url, 'main'))).toBe(moving[1])
    git(folder, ['update-ref', 'refs/heads/main', moving[0]!])
    expect(await fetcher.resolve(at(url, 'main'), { noRevisionCache: true })).toBe(moving[0])
    expect(await fetcher.resolve(at(url, 'main'))).toBe(moving[0])
  })

  it('fold what is asked at the same time, and fetch a commit once', async () => {
    const fetcher = sources()
    const url = `${server.url}/app.git`
    await server.requests()
    await Promise.all(Array.from({ length: 5 }, () => fetcher.resolve(at(url, 'main'))))
    expect(await server.requests()).toHaveLength(2)
    const trees = await Promise.all(
      Array.from({ length: 5 }, () => fetcher.fetch(at(url, ''), ids[2]!)),
    )
    const used = (await server.requests()).length
    expect(used).toBeGreaterThan(0)
    expect(trees.map((tree) => tree.revision)).toEqual(Array(5).fill(ids[2]))
    await fetcher.fetch(at(url, ''), ids[2]!)
    expect(await server.requests()).toEqual([])
    await Promise.all(
      [ids[0]!, ids[1]!, ids[3]!, ids[4]!].map((id) => fetcher.fetch(at(url, ''), id)),
    )
    expect((await server.requests()).length).toBeGreaterThan(used)
  })

  it('bring only the content that is wanted where the server can, the rest when it is read', async () => {
    const cacheDir = join(root.path, 'cache-partial')
    const fetcher = sources({ cacheDir, blobless: true })
    const tree = await fetcher.fetch(at(`${server.url}/app.git`, '', { paths: ['app'] }), ids[0]!)
    const [name] = readdirSync(join(cacheDir, 'git'))
    const present = (): string =>
      git(join(cacheDir, 'git', name!), ['rev-list', '--objects', '--missing=print', ids[0]!])
        .split('\n')
        .filter((line) => line.startsWith('?'))
        .sort()
        .join()
    const base = git(join(root.path, 'repos/app.git'), ['rev-parse', `${ids[0]}:base/b.yaml`])
    const other = git(join(root.path, 'repos/app.git'), ['rev-parse', `${ids[0]}:other/c.yaml`])
    expect(present()).toBe([`?${base}`, `?${other}`].sort().join())
    await server.requests()
    expect(Buffer.from(tree.read('app/a.yaml')!).toString()).toBe('one')
    expect(tree.entry('link')?.target).toBe('app/a.yaml')
    expect(await server.requests()).toEqual([])
  })

  it('do not fill with packs, and keep what was fetched lately', async () => {
    const cacheDir = join(root.path, 'cache-packs')
    const fetcher = sources({ cacheDir })
    const folder = join(root.path, 'repos', 'busy.git')
    mkdirSync(folder)
    const many = importHistory(
      folder,
      Array.from({ length: 60 }, (_, i) => ({
        files: { a: String(i), [`dir/${i}`]: `file ${i}` },
      })),
    )
    const url = `${server.url}/busy.git`
    const trees = []
    for (const id of many) trees.push(await fetcher.fetch(at(url, ''), id))
    const [name] = readdirSync(join(cacheDir, 'git'))
    const packs = readdirSync(join(cacheDir, 'git', name!, 'objects/pack')).filter((file) =>
      file.endsWith('.pack'),
    )
    expect(packs.length).toBeLessThan(20)
    for (const [i, tree] of trees.entries()) expect(content(tree)['a']).toBe(String(i))
    fetcher.release()
    for (const [i, tree] of trees.entries()) expect(content(tree)[`dir/${i}`]).toBe(`file ${i}`)
  })

  it('survive being removed', async () => {
    const cacheDir = join(root.path, 'cache-removed')
    const url = `${server.url}/app.git`
    const first = sources({ cacheDir })
    await first.fetch(at(url, ''), ids[0]!)
    first.release()
    rmSync(cacheDir, { recursive: true })
    expect(content(await first.fetch(at(url, ''), ids[0]!))['app/a.yaml']).toBe('one')
    expect(existsSync(cacheDir)).toBe(true)
  })

  it('work with servers that know only the old protocol', async () => {
    await server.behave({ version0: true })
    try {
      const fetcher = sources({ blobless: true })
      const url = `${server.url}/app.git`
      expect(await fetcher.resolve(at(url, 'v1.0.0'))).toBe(ids[0])
      expect(await fetcher.resolve(at(url, ''))).toBe(ids[2])
      // commit 0 is not the tip of anything: such a server gives it only with everything else
      expect(
        content(await fetcher.fetch(at(url, '', { paths: ['app'] }), ids[0]!))['base/b.yaml'],
      ).toBe('base')
      expect(content(await sources({ git: null }).fetch(at(url, ''), ids[2]!))['app/a.yaml']).toBe(
        'three',
      )
    } finally {
      await server.behave({})
    }
  })
})

describe.skipIf(!hasGit)('submodules', () => {
  const make = (
    name: string,
    modules: string,
    links: { readonly [path: string]: string },
    files: { readonly [path: string]: string } = {},
  ): string => {
    const folder = join(root.path, 'repos', name)
    mkdirSync(folder)
    importHistory(folder, [{ files: { ...files, '.gitmodules': modules, 'app/x.yaml': name } }])
    const index = { GIT_INDEX_FILE: join(folder, 'index-of-test') }
    git(folder, ['read-tree', 'main'], '', index)
    for (const [path, id] of Object.entries(links))
      git(folder, ['update-index', '--add', '--cacheinfo', `160000,${id},${path}`], '', index)
    const tree = git(folder, ['write-tree'], '', index)
    const commit = git(folder, ['commit-tree', tree, '-m', 'with modules'])
    git(folder, ['update-ref', 'refs/heads/main', commit])
    return commit
  }
  it('are put in place, relative ones and nested ones too', async () => {
    const inner = make('inner.git', '[submodule "deep"]\n\tpath = deep\n\turl = ../app.git\n', {
      deep: ids[0]!,
    })
    const outer = make(
      'outer.git',
      `[submodule "m"]\n\tpath = libs/inner\n\turl = ${server.url}/inner.git\n`,
      { 'libs/inner': inner },
    )
    for (const git of [undefined, null] as const) {
      const fetcher = sources(git === null ? { git } : {})
      const url = `${server.url}/outer.git`
      const tree = await fetcher.fetch(at(url, ''), outer)
      expect(content(tree)).toMatchObject({
        'app/x.yaml': 'outer.git',
        'libs/inner/app/x.yaml': 'inner.git',
        'libs/inner/deep/app/a.yaml': 'one',
        'libs/inner/deep/link': '-> app/a.yaml',
      })
      expect(tree.list('libs/inner')!.map(({ name }) => name)).toEqual([
        '.gitmodules',
        'app',
        'deep',
      ])
      expect(tree.entry('libs/inner')).toEqual({ name: 'inner', kind: 'directory' })
      expect(tree.contentId!('libs/inner/app/x.yaml')).toMatch(/^[0-9a-f]{40}$/)
      const without = await fetcher.fetch(at(url, '', { submodules: false }), outer)
      expect(without.list('libs/inner')).toEqual([])
    }
  })

  it('cannot reach into this machine, and fail as in Argo CD', async () => {
    const local = make(
      'local.git',
      `[submodule "m"]\n\tpath = m\n\turl = file://${join(root.path, 'repos/app.git')}\n`,
      { m: ids[0]! },
    )
    await expect(sources().fetch(at(`${server.url}/local.git`, ''), local)).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      message:
        "Failed to checkout FETCH_HEAD: failed to update submodules: `git submodule update --init --recursive` failed exit status 1: fatal: transport 'file' not allowed",
    })
    const nameless = make('nameless.git', '', { m: ids[0]! })
    await expect(sources().fetch(at(`${server.url}/nameless.git`, ''), nameless)).rejects.toThrow(
      "No url found for submodule path 'm'",
    )
    const gone = make('gone.git', '[submodule "m"]\n\tpath = m\n\turl = ../none.git\n', {
      m: ids[0]!,
    })
    await expect(sources().fetch(at(`${server.url}/gone.git`, ''), gone)).rejects.toMatchObject({
      message: expect.stringContaining('failed to update submodules'),
    })
  })
})

it.skipIf(!hasGit)('is tested with a git program that can fetch content apart', () => {
  expect(gitProgram()?.version[0]).toBeGreaterThanOrEqual(2)
})
