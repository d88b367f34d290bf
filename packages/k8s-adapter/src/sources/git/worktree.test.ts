import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { walkFiles } from '@litecd/core/files'
import { afterAll, describe, expect, it } from 'vitest'
import { git, gitBytes, hasGit, seeded, tempFolder } from '../../../test/gitserver/make-repo.ts'
import { parseIgnoreFile } from './ignore.ts'
import { findRepository, openRepository } from './repository.ts'
import { folderTree, openWorktree } from './worktree.ts'

const folders: { remove(): void }[] = []
afterAll(() => {
  for (const folder of folders) folder.remove()
})

function workspace(files: { readonly [path: string]: string }): string {
  const folder = tempFolder()
  folders.push(folder)
  git(folder.path, ['init', '-q', '.'])
  put(folder.path, files)
  git(folder.path, ['add', '-A'])
  git(folder.path, ['commit', '-q', '-m', 'first'])
  return folder.path
}

function put(root: string, files: { readonly [path: string]: string }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

const paths = (root: string, gitChoice?: null): readonly string[] => {
  const { tree } = openWorktree(openRepository(root)!, gitChoice === null ? { git: null } : {})
  return [...walkFiles(tree, '')].map(({ path }) => path)
}

/** What git says differs between a commit and the work tree once everything is added, judged by content alone. */
function wanted(root: string, base: string): readonly unknown[] {
  const index = join(root, '.git', 'index-of-test')
  rmSync(index, { force: true })
  const more = { GIT_INDEX_FILE: index }
  git(root, ['add', '-A'], '', more)
  const args = ['diff', '--cached', '--name-status', '--no-renames', '-z', base]
  const fields = gitBytes(root, args, '', more).toString().split('\0')
  const changes: { path: string; change: string }[] = []
  const names: { readonly [letter: string]: string } = {
    A: 'added',
    D: 'removed',
    M: 'modified',
    T: 'modified',
  }
  for (let i = 0; i + 1 < fields.length; i += 2) {
    changes.push({ path: fields[i + 1]!, change: names[fields[i]!]! })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

describe.skipIf(!hasGit)('a work tree', () => {
  it('holds what would be committed: neither .git nor ignored files', () => {
    const root = workspace({ 'a.yaml': 'a', 'dir/b.yaml': 'b', '.gitignore': '*.log\nbuild/\n' })
    put(root, { 'new.yaml': 'n', 'x.log': 'l', 'build/out.yaml': 'o', 'dir/sub/deep.yaml': 'd' })
    rmSync(join(root, 'a.yaml'))
    symlinkSync('dir/b.yaml', join(root, 'link'))
    for (const choice of [undefined, null] as const) {
      expect(paths(root, choice)).toEqual([
        '.gitignore',
        'dir/b.yaml',
        'dir/sub/deep.yaml',
        'link',
        'new.yaml',
      ])
    }
    const worktree = openWorktree(findRepository(join(root, 'dir', 'sub'))!)
    expect(worktree.tree.entry('link')).toEqual({
      name: 'link',
      kind: 'link',
      target: 'dir/b.yaml',
    })
    expect(worktree.tree.entry('a.yaml')).toBeUndefined()
    expect(worktree.tree.list('dir')).toEqual([
      { name: 'b.yaml', kind: 'file' },
      { name: 'sub', kind: 'directory' },
    ])
    expect(worktree.tree.list('build')).toBeUndefined()
    expect(worktree.tree.list('new.yaml')).toBeUndefined()
    expect(Buffer.from(worktree.tree.read('new.yaml')!).toString()).toBe('n')
    expect(worktree.tree.contentId!('new.yaml')).toBe(git(root, ['hash-object', 'new.yaml']))
    expect(worktree.changesSince(git(root, ['rev-parse', 'HEAD']))).toEqual([
      { path: 'a.yaml', change: 'removed' },
      { path: 'dir/sub/deep.yaml', change: 'added' },
      { path: 'link', change: 'added' },
      { path: 'new.yaml', change: 'added' },
    ])
  })

  it.each([1, 2, 3, 4])(
    'differs from any commit as git says, with or without the program (seed %i)',
    (seed) => {
      const random = seeded(seed * 7919)
      const pick = (n: number): number => Math.floor(random() * n)
      const names = [
        'a',
        'b.yaml',
        'c/d',
        'c/e.yaml',
        'c.txt',
        'f/g/h',
        'i j',
        'ü',
        'run.sh',
        'l1',
        'l2',
        'f2',
        'f2/below',
        'l1/below',
        'c/d/deep',
      ]
      const root = workspace({ seed: 'x' })
      const commits = [git(root, ['rev-parse', 'HEAD'])]
      const disturb = (): void => {
        for (const name of names) {
          const path = join(root, name)
          const dice = random()
          if (dice < 0.4) continue
          try {
            rmSync(path, { recursive: true, force: true })
          } catch {
            continue // below a file
          }
          if (dice < 0.5) continue
          try {
            mkdirSync(dirname(path), { recursive: true })
            if (name.startsWith('l') && dice < 0.8) symlinkSync(['a', 'c'][pick(2)]!, path)
            else writeFileSync(path, `${pick(3)}\n`)
            if (name === 'run.sh') chmodSync(path, random() < 0.5 ? 0o755 : 0o644)
          } catch {
            // a parent is a file this time
          }
        }
      }
      for (let round = 0; round < 6; round++) {
        disturb()
        git(root, ['add', '-A'])
        git(root, ['commit', '-q', '--allow-empty', '-m', `round ${round}`])
        commits.push(git(root, ['rev-parse', 'HEAD']))
        disturb()
        // part of it is in the index already
        if (round % 2 === 0 && isThere(join(root, 'c'))) git(root, ['add', '-A', 'c'])
        for (const choice of [{}, { git: null }]) {
          const worktree = openWorktree(openRepository(root)!, choice)
          for (const base of commits)
            expect(worktree.changesSince(base)).toEqual(wanted(root, base))
          for (const { path, entry } of walkFiles(worktree.tree, '')) {
            if (entry.kind !== 'file') continue
            expect(
              Buffer.from(worktree.tree.read(path)!).equals(readFileSync(join(root, path))),
            ).toBe(true)
            expect(worktree.tree.contentId!(path)).toBe(git(root, ['hash-object', '--', path]))
          }
        }
      }
    },
  )

  it('notices a file that was changed in the moment in which the index was written', () => {
    const root = workspace({ 'a.yaml': 'one' })
    const { mtime, atime } = statSync(join(root, '.git/index'))
    writeFileSync(join(root, 'a.yaml'), 'two')
    utimesSync(join(root, 'a.yaml'), atime, mtime)
    expect(
      openWorktree(openRepository(root)!).changesSince(git(root, ['rev-parse', 'HEAD'])),
    ).toEqual([{ path: 'a.yaml', change: 'modified' }])
  })

  it.each(['2', '3', '4'])('reads index version %s', (version) => {
    const root = workspace({ 'a.yaml': 'a', 'a/b/c.yaml': 'c', 'a/b/cc.yaml': 'cc', z: 'z' })
    put(root, { intent: 'to add' })
    if (version !== '2') git(root, ['add', '-N', 'intent'])
    git(root, ['update-index', '--index-version', version])
    expect(paths(root)).toEqual(['a/b/c.yaml', 'a/b/cc.yaml', 'a.yaml', 'intent', 'z'])
    expect(
      openWorktree(openRepository(root)!).changesSince(git(root, ['rev-parse', 'HEAD'])),
    ).toEqual([{ path: 'intent', change: 'added' }])
  })

  it('takes files of a sparse checkout from the commit', () => {
    const root = workspace({ 'in/a.yaml': 'a', 'out/b.yaml': 'b', 'out/deep/c.yaml': 'c' })
    for (const args of [
      ['set', '--no-sparse-index', 'in'],
      ['set', '--sparse-index', 'in'],
    ]) {
      git(root, ['sparse-checkout', ...args])
      const worktree = openWorktree(openRepository(root)!)
      expect([...walkFiles(worktree.tree, '')].map(({ path }) => path)).toEqual([
        'in/a.yaml',
        'out/b.yaml',
        'out/deep/c.yaml',
      ])
      expect(Buffer.from(worktree.tree.read('out/deep/c.yaml')!).toString()).toBe('c')
      expect(worktree.changesSince(git(root, ['rev-parse', 'HEAD']))).toEqual([])
    }
  })

  it('reads split indexes through git, and says so where there is none', () => {
    const root = workspace({ 'a.yaml': 'a' })
    git(root, ['update-index', '--split-index'])
    put(root, { 'b.yaml': 'b' })
    git(root, ['add', 'b.yaml'])
    expect(paths(root)).toEqual(['a.yaml', 'b.yaml'])
    expect(() => paths(root, null)).toThrow(expect.objectContaining({ code: 'RENDER_UNSUPPORTED' }))
  })

  it('sees committed line endings and filtered content, not what they became on disk', () => {
    const root = workspace({
      '.gitattributes': '*.yaml text eol=crlf\n',
      'a.yaml': 'one\ntwo\n',
      'b.yaml': 'b\n',
    })
    rmSync(join(root, 'a.yaml'))
    git(root, ['checkout', '--', 'a.yaml'])
    expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe('one\r\ntwo\r\n')
    const later = new Date(Date.now() + 5000)
    utimesSync(join(root, '.git/index'), later, later)
    const head = git(root, ['rev-parse', 'HEAD'])
    const worktree = openWorktree(openRepository(root)!)
    expect(Buffer.from(worktree.tree.read('a.yaml')!).toString()).toBe('one\ntwo\n')
    expect(worktree.changesSince(head)).toEqual([])
    writeFileSync(join(root, 'b.yaml'), 'b\r\n')
    expect(openWorktree(openRepository(root)!).changesSince(head)).toEqual([])
  })

  it('passes over repositories within the repository, and shows submodules as empty folders', () => {
    const root = workspace({ 'a.yaml': 'a' })
    const inner = workspace({ 'inner.yaml': 'i' })
    git(root, ['clone', '-q', inner, 'nested'])
    git(root, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub'])
    for (const choice of [undefined, null] as const) {
      expect(paths(root, choice)).toEqual(['.gitmodules', 'a.yaml'])
    }
    const { tree, changesSince } = openWorktree(openRepository(root)!)
    expect(tree.list('sub')).toEqual([])
    expect(changesSince(git(root, ['rev-parse', 'HEAD']))).toEqual([
      { path: '.gitmodules', change: 'added' },
      { path: 'sub', change: 'added' },
    ])
  })

  it('is refused where there is none', () => {
    const folder = tempFolder()
    folders.push(folder)
    git(folder.path, ['init', '-q', '--bare', '.'])
    expect(() => openWorktree(openRepository(folder.path)!)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_INVALID' }),
    )
  })
})

describe.skipIf(!hasGit)('ignore rules', () => {
  const patterns = [
    '*.log',
    '/root.txt',
    'build/',
    '!keep.log',
    'docs/*.md',
    '**/tmp',
    'a/**/z',
    'a/**',
    '\\#x',
    '\\!y',
    'sp ace ',
    'trail\\ ',
    '[a-c]x',
    '[!a-c]y',
    '[[:digit:]]*',
    'foo/*',
    '!foo/bar',
    '/x/',
    '?z',
    'deep/**/q/',
    'no\\',
    'ü*',
    '*',
    '!*/',
    '!*.yaml',
    'b[',
    '[]]',
    'a[^/]b',
    '**',
    'c/**/',
    'x**y',
  ]
  const names = [
    'x.log',
    'keep.log',
    'root.txt',
    'build',
    'docs/a.md',
    'docs/sub/a.md',
    'tmp',
    'q/tmp/file',
    'a/z',
    'a/b/z',
    'a/b/c/z',
    '#x',
    '!y',
    'sp ace',
    'trail ',
    'ax',
    'dx',
    'ay',
    'dy',
    '1',
    'foo/bar',
    'foo/baz/q',
    'x/y',
    'xz',
    'deep/q/f',
    'deep/a/q/f',
    'ü1',
    'k.yaml',
    'n/k.yaml',
    'b[',
    ']',
    'a/b',
    'axb',
    'xay',
    'c/d/e',
    'sub/root.txt',
    'sub/build/f',
  ]
  it.each(Array.from({ length: 25 }, (_, i) => i + 1))(
    'ignore what git ignores (seed %i)',
    (seed) => {
      const random = seeded(seed * 104729)
      const root = workspace({ seed: 'x' })
      for (const name of names) {
        if (random() < 0.7) {
          try {
            put(root, { [name]: 'x' })
          } catch {
            // a file where a folder is wanted, or the other way round
          }
        }
      }
      const some = (): string =>
        patterns
          .filter(() => random() < 0.2)
          .sort(() => random() - 0.5)
          .join('\n') + '\n'
      writeFileSync(join(root, '.gitignore'), some())
      for (const folder of ['a', 'docs', 'foo', 'sub']) {
        if (random() < 0.3 && isThere(join(root, folder))) {
          try {
            writeFileSync(join(root, folder, '.gitignore'), some())
          } catch {
            // a file
          }
        }
      }
      writeFileSync(join(root, '.git/info/exclude'), random() < 0.5 ? some() : '')
      expect(paths(root, null)).toEqual(paths(root))
    },
  )

  it('are read once per line, and nonsense matches nothing', () => {
    expect(
      parseIgnoreFile('# comment\n\n/\n[\n[z-a]\nok\r\n').map((rule) => String(rule.expression)),
    ).toHaveLength(1)
  })
})

describe('a plain folder', () => {
  it('holds every file but those of git', () => {
    const folder = tempFolder()
    folders.push(folder)
    put(folder.path, {
      'a.yaml': 'a',
      'd/b.yaml': 'b',
      '.git/config': 'c',
      'd/.git/x': 'x',
      '.hidden': 'h',
    })
    symlinkSync('../a.yaml', join(folder.path, 'd/link'))
    const tree = folderTree(folder.path)
    expect([...walkFiles(tree, '')].map(({ path }) => path)).toEqual([
      '.hidden',
      'a.yaml',
      'd/b.yaml',
      'd/link',
    ])
    expect(Buffer.from(tree.read('d/b.yaml')!).toString()).toBe('b')
  })
})

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
