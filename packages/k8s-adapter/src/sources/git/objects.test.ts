import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walkFiles } from '@litecd/core/files'
import { deepEqual } from '@litecd/core/json'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type CommitSpec,
  type FileContent,
  git,
  gitBytes,
  hasGit,
  importHistory,
  seeded,
  tempFolder,
} from '../../../test/gitserver/make-repo.ts'
import { mergeBase, mergeBases } from './history.ts'
import { findRepository, type GitRepository, openRepository } from './repository.ts'
import { diffTrees, gitTree } from './tree.ts'

const folders: { remove(): void }[] = []
afterAll(() => {
  for (const folder of folders) folder.remove()
})
const temp = (): string => {
  const folder = tempFolder()
  folders.push(folder)
  return folder.path
}

/** A history with merges, renames of files to folders and back, large files with small edits, links and odd names. */
function randomHistory(seed: number, count: number): readonly CommitSpec[] {
  const random = seeded(seed)
  const pick = (n: number): number => Math.floor(random() * n)
  const paths = [
    'a.yaml',
    'dir/b.yaml',
    'dir/sub/c.yaml',
    'dir.txt',
    'dir-x',
    'ünï/ø.yaml',
    'big.txt',
    'x/y/z/w',
    'link',
    'run.sh',
    'q "uo\\te',
  ]
  const content = (path: string, index: number): FileContent => {
    if (path === 'link') return { link: ['a.yaml', '../out', 'dir', 'nowhere'][pick(4)]! }
    if (path === 'run.sh')
      return random() < 0.5 ? { executable: `echo ${pick(3)}` } : `echo ${pick(3)}`
    if (path === 'big.txt') {
      const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * 7919) % 1000}`)
      for (let i = 0; i < 5; i++) lines[pick(3000)] = `edit ${index} ${pick(100)}`
      return lines.join('\n')
    }
    if (random() < 0.05) return ''
    if (random() < 0.1) return Uint8Array.from({ length: pick(400) }, () => pick(256))
    return `kind: ConfigMap\nvalue: ${pick(5)}\n${'# filler\n'.repeat(pick(60))}`
  }
  return Array.from({ length: count }, (_, index) => {
    const files: { [path: string]: FileContent } = {}
    for (const path of paths) {
      if (index === 0 || random() < 0.25)
        files[path] = random() < 0.15 ? null : content(path, index)
    }
    const parents = new Set<number>()
    if (index > 0) {
      parents.add(random() < 0.7 ? index - 1 : pick(index))
      while (random() < 0.3) parents.add(pick(index))
    }
    return {
      files,
      parents: index > 0 && random() < 0.03 ? [] : [...parents],
      date: 1_700_000_000 + index * 60 + (random() < 0.1 ? -pick(5000) : pick(30)),
      branch: `b${index}`,
    }
  })
}

const packings: { readonly [name: string]: (folder: string) => string | undefined } = {
  'fast-import packs': () => undefined,
  'loose objects': (folder) => {
    const packs = readdirSync(join(folder, 'objects/pack')).filter((f) => f.endsWith('.pack'))
    const other = temp()
    git(other, ['init', '-q', '--bare', '.'])
    for (const pack of packs) {
      git(other, ['unpack-objects', '-q'], readFileSync(join(folder, 'objects/pack', pack)))
    }
    git(other, ['fetch', '-q', folder, '+refs/*:refs/*'])
    return other
  },
  'repack -adf with deep deltas': (folder) =>
    void git(folder, ['repack', '-adfq', '--depth=4000', '--window=50']),
  gc: (folder) => void git(folder, ['gc', '-q', '--aggressive', '--prune=now']),
  'id deltas (no offset deltas)': (folder) =>
    void git(folder, ['-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq']),
  'index version 1': (folder) => void git(folder, ['-c', 'pack.indexVersion=1', 'repack', '-adfq']),
  'many packs with a multi-pack-index': (folder) => {
    git(folder, ['-c', 'pack.packSizeLimit=1m', 'repack', '-adfq', '--max-pack-size=1m'])
    git(folder, ['multi-pack-index', 'write'])
    git(folder, ['commit-graph', 'write'])
  },
  alternates: (folder) => {
    const other = temp()
    git(other, ['clone', '-q', '--bare', '--shared', folder, '.'])
    git(other, ['fetch', '-q', folder, '+refs/*:refs/*'])
    return other
  },
  'alternates by a relative path, two deep': (folder) => {
    const holder = temp()
    git(holder, ['clone', '-q', '--bare', '--shared', folder, 'one'])
    git(holder, ['clone', '-q', '--bare', '--shared', 'one', 'two'])
    writeFileSync(join(holder, 'two/objects/info/alternates'), '# a comment\n../../one/objects\n')
    git(join(holder, 'two'), ['fetch', '-q', folder, '+refs/*:refs/*'])
    return join(holder, 'two')
  },
  'a linked work tree': (folder) => {
    const holder = temp()
    git(folder, ['worktree', 'add', '-q', '--detach', join(holder, 'wt'), 'b0'])
    mkdirSync(join(holder, 'wt/deep/er'), { recursive: true })
    return join(holder, 'wt/deep/er')
  },
}

describe.skipIf(!hasGit)('git objects', () => {
  let seed = 11
  it.each(Object.entries(packings))('equal what git reads: %s', (_, repackAs) => {
    const folder = temp()
    const ids = importHistory(folder, randomHistory(seed++, 60))
    const place = repackAs(folder) ?? folder
    const repository = findRepository(place)!
    expect(repository).toBeDefined()

    const all = gitBytes(place, ['cat-file', '--batch-all-objects', '--batch', '--unordered'])
    let at = 0
    let objects = 0
    while (at < all.length) {
      const end = all.indexOf(10, at)
      const [id, type, size] = all.toString('latin1', at, end).split(' ') as [
        string,
        string,
        string,
      ]
      const bytes = all.subarray(end + 1, end + 1 + Number(size))
      at = end + 1 + Number(size) + 1
      objects++
      const object = repository.objects.read(id)
      expect(object?.type, id).toBe(type)
      expect(object!.bytes.equals(bytes), id).toBe(true)
      expect(repository.objects.has(id)).toBe(true)
      expect(repository.objects.idsWithPrefix(id.slice(0, 12))).toEqual([id])
    }
    expect(objects).toBeGreaterThan(150)
    expect(repository.objects.read('0'.repeat(40))).toBeUndefined()
    expect(repository.objects.has('f'.repeat(40))).toBe(false)

    for (const id of [ids[0]!, ids[17]!, ids.at(-1)!]) expectSameTree(place, repository, id)
    const random = seeded(seed)
    for (let i = 0; i < 12; i++) {
      const a = ids[Math.floor(random() * ids.length)]!
      const b = ids[Math.floor(random() * ids.length)]!
      expect(gitDiff(place, a, b)).toEqual(diffTrees(repository, a, b))
      expectSameBases(place, repository, a, b)
    }
    repository.close()
  })

  it('finds every merge base of a history with many merges and clocks that run backwards', () => {
    const folder = temp()
    const random = seeded(99)
    const ids = importHistory(
      folder,
      Array.from({ length: 120 }, (_, index): CommitSpec => {
        const parents = new Set<number>()
        const count = index === 0 ? 0 : random() < 0.5 ? 1 : 2
        while (parents.size < Math.min(count, index)) {
          parents.add(Math.max(0, index - 1 - Math.floor(random() * 12)))
        }
        return {
          files: { f: String(index) },
          parents: [...parents],
          date: 1_700_000_000 + Math.floor(random() * 10_000),
          branch: `b${index}`,
        }
      }),
    )
    const repository = openRepository(folder)!
    let several = 0
    for (let i = 0; i < 150; i++) {
      const a = ids[Math.floor(random() * ids.length)]!
      const b = ids[Math.floor(random() * ids.length)]!
      if (expectSameBases(folder, repository, a, b) > 1) several++
    }
    expect(several).toBeGreaterThan(5)
  })

  it('sees objects and packs that came after it was opened', () => {
    const folder = temp()
    importHistory(folder, randomHistory(5, 10))
    const repository = openRepository(folder)!
    const head = repository.refs.resolve('refs/heads/b9')!
    repository.commit(head)
    const loose = git(folder, ['hash-object', '-w', '--stdin'], 'new content')
    expect(repository.objects.read(loose)?.bytes.toString()).toBe('new content')
    const blob = git(folder, ['hash-object', '-w', '--stdin'], 'packed content')
    git(folder, ['update-ref', 'refs/tags/keep', blob])
    git(folder, ['repack', '-adfq'])
    git(folder, ['prune-packed'])
    expect(repository.objects.read(blob)?.bytes.toString()).toBe('packed content')
    expect(repository.peel(head).type).toBe('commit')
  })

  it('says what is wrong with a damaged repository', () => {
    const folder = temp()
    importHistory(folder, randomHistory(6, 20))
    git(folder, ['repack', '-adfq'])
    const name = readdirSync(join(folder, 'objects/pack')).find((f) => f.endsWith('.pack'))!
    const path = join(folder, 'objects/pack', name)
    const bytes = readFileSync(path)
    for (let i = 40; i < bytes.length - 20; i += 7) bytes[i] = 0xa5
    chmodSync(path, 0o644)
    writeFileSync(path, bytes)
    const repository = openRepository(folder)!
    const head = repository.refs.resolve('refs/heads/b9')!
    expect(() => [...walkFiles(gitTree(repository, head), '')]).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/SOURCE_CORRUPT|BUDGET_EXCEEDED/) }),
    )
  })

  it('refuses repositories with SHA-256 ids', () => {
    const folder = temp()
    git(folder, ['init', '-q', '--object-format=sha256', '.'])
    expect(() => openRepository(folder)).toThrow(
      expect.objectContaining({
        code: 'RENDER_UNSUPPORTED',
        message: expect.stringContaining('sha256'),
      }),
    )
  })

  it('refuses objects that are larger than allowed', () => {
    const folder = temp()
    importHistory(folder, [{ files: { big: 'x'.repeat(100_000) } }])
    const repository = openRepository(folder, { maxObjectBytes: 50_000 })!
    const tree = gitTree(repository, repository.refs.resolve('HEAD')!)
    expect(() => tree.read('big')).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }))
  })
})

function expectSameTree(place: string, repository: GitRepository, id: string): void {
  const tree = gitTree(repository, id)
  const listed = gitBytes(place, ['ls-tree', '-r', '-z', '--full-tree', id])
    .toString()
    .split('\0')
    .slice(0, -1)
  const want = new Map(
    listed.map((line) => {
      const [, mode, blob, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line)!
      return [path!, { mode, blob }]
    }),
  )
  const seen = [...walkFiles(tree, '')]
  expect(seen.map(({ path }) => path).sort()).toEqual([...want.keys()].sort())
  for (const { path, entry } of seen) {
    const { mode, blob } = want.get(path)!
    const bytes = gitBytes(place, ['cat-file', 'blob', blob!])
    expect(deepEqual(tree.entry(path) as never, entry as never)).toBe(true)
    if (mode === '120000') {
      expect(entry).toEqual({
        name: path.split('/').at(-1),
        kind: 'link',
        target: bytes.toString(),
      })
      expect(tree.read(path)).toBeUndefined()
    } else {
      expect(entry.kind).toBe('file')
      expect(Buffer.from(tree.read(path)!).equals(bytes)).toBe(true)
      expect(tree.contentId!(path)).toBe(blob)
    }
    expect(tree.list(path)).toBeUndefined()
    expect(tree.entry(path + '/below')).toBeUndefined()
  }
  const sub = gitTree(repository, id, 'dir')
  expect([...walkFiles(sub, '')].map(({ path }) => 'dir/' + path).sort()).toEqual(
    [...want.keys()].filter((path) => path.startsWith('dir/')).sort(),
  )
}

function gitDiff(place: string, a: string, b: string): unknown {
  const fields = gitBytes(place, ['diff', '--name-status', '--no-renames', '-z', a, b])
    .toString()
    .split('\0')
  const changes: { path: string; change: string }[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const change = { A: 'added', D: 'removed', M: 'modified', T: 'modified' }[fields[i]!]!
    changes.push({ path: fields[i + 1]!, change })
  }
  return changes.sort((x, y) => Buffer.compare(Buffer.from(x.path), Buffer.from(y.path)))
}

function expectSameBases(place: string, repository: GitRepository, a: string, b: string): number {
  let want: string[] = []
  try {
    want = git(place, ['merge-base', '--all', a, b]).split('\n')
  } catch {
    // git exits with 1 when there is none
  }
  const got = mergeBases(repository, a, b)
  expect([...got].sort()).toEqual([...want].sort())
  expect(mergeBase(repository, a, b)).toBe(got[0])
  return got.length
}
