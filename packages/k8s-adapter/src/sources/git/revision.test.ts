import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { git, hasGit, importHistory, tempFolder } from '../../../test/gitserver/make-repo.ts'
import { remoteRefs } from './advertised.ts'
import { type GitRepository, openRepository } from './repository.ts'
import { resolveAmong } from './resolve.ts'
import { resolveCommit, resolveRevision } from './revision.ts'

const folder = tempFolder()
afterAll(() => folder.remove())

describe.skipIf(!hasGit)('revisions of a local repository', () => {
  let repository: GitRepository
  let ids: readonly string[]
  beforeAll(() => {
    const origin = join(folder.path, 'origin')
    git(folder.path, ['init', '-q', '--bare', 'origin'])
    ids = importHistory(origin, [
      { files: { a: '0' } },
      { files: { a: '1' }, annotatedTag: 'v1.0.0' },
      { files: { a: '2' }, branch: 'topic', parents: [0], tag: 'light' },
      { files: { a: '3' }, parents: [1, 2], branch: 'main' },
      { files: { a: '4' }, branch: 'feature/x' },
      { files: { a: '5' }, branch: 'twin', parents: [3], tag: 'other' },
    ])
    git(origin, ['update-ref', 'refs/tags/twin', ids[0]!])
    git(origin, ['tag', '-a', '-m', 'nested', 'nested', 'v1.0.0'])
    git(folder.path, ['clone', '-q', 'origin', 'work'])
    const work = join(folder.path, 'work')
    git(work, ['branch', 'local', 'origin/topic'])
    git(work, ['pack-refs', '--all'])
    git(work, ['branch', 'loose', 'HEAD~1'])
    git(work, ['update-ref', 'refs/weird/thing', ids[2]!])
    git(work, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/local'])
    repository = openRepository(work)!
  })

  const same = [
    'HEAD',
    '@',
    'main',
    'heads/main',
    'refs/heads/main',
    'origin/main',
    'origin',
    'origin/HEAD',
    'remotes/origin/topic',
    'local',
    'loose',
    'alias',
    'v1.0.0',
    'tags/v1.0.0',
    'v1.0.0^{}',
    'v1.0.0^{commit}',
    'v1.0.0^{tree}',
    'v1.0.0^0',
    'v1.0.0~0',
    'v1.0.0~1',
    'light',
    'nested',
    'nested^{}',
    'nested^{object}',
    'nested^{tag}',
    'HEAD~1',
    'HEAD~',
    'HEAD~2',
    'HEAD^',
    'HEAD^1',
    'HEAD^2',
    'HEAD^2~1',
    'HEAD^^',
    'HEAD^{tree}',
    'HEAD~1^{tree}',
    '@~1',
    '@^2',
    'twin',
    'refs/tags/twin',
    'origin/twin',
    'weird/thing',
    'origin/feature/x',
    'origin/feature/x~1^2',
  ]
  it.each(same)('%s is what git rev-parse says', (text) => {
    const work = join(folder.path, 'work')
    expect(resolveRevision(repository, text)).toBe(git(work, ['rev-parse', '--verify', text]))
  })

  it('reads abbreviated ids of every length, and those in describe names', () => {
    for (const id of ids) {
      for (const length of [7, 8, 20, 39, 40]) {
        expect(resolveRevision(repository, id.slice(0, length))).toBe(id)
        expect(resolveRevision(repository, id.slice(0, length).toUpperCase())).toBe(id)
      }
      expect(resolveRevision(repository, `v1.0.0-3-g${id.slice(0, 8)}`)).toBe(id)
    }
    const tree = git(join(folder.path, 'work'), ['rev-parse', 'HEAD^{tree}'])
    expect(resolveRevision(repository, tree.slice(0, 9))).toBe(tree)
  })

  it('prefers a commit to other objects with the same first digits, and refuses what stays ambiguous', () => {
    const path = join(folder.path, 'crowd')
    const crowd = importHistory(
      makeFolder(path),
      Array.from({ length: 4000 }, (_, i) => ({ files: { f: String(i) } })),
    )
    const crowded = openRepository(path)!
    const text = (id: string): string => {
      try {
        return git(path, ['rev-parse', '--verify', '-q', `${id}^{commit}`])
      } catch {
        return 'refused'
      }
    }
    const ours = (id: string): string => {
      try {
        return resolveCommit(crowded, id)
      } catch {
        return 'refused'
      }
    }
    const probes = crowd.slice(0, 60).map((id) => id.slice(0, 4))
    const answers = probes.map(ours)
    expect(answers).toEqual(probes.map(text))
    expect(answers).toContain('refused')
    expect(answers.filter((answer) => answer !== 'refused').length).toBeGreaterThan(5)
  })

  it.each([
    'nowhere',
    'HEAD~99',
    'HEAD^3',
    'refs/heads',
    '',
    'v1.0.0^{blob}',
    'HEAD@{1}',
    ':/text',
    '../config',
    'config',
    'f'.repeat(40) + '~1',
    'abcd',
  ])('refuses %j', (text) => {
    expect(() => resolveCommit(repository, text)).toThrow(
      expect.objectContaining({ code: 'SOURCE_REVISION_UNKNOWN' }),
    )
  })

  it('knows what the remote would say of a target revision', () => {
    const refs = remoteRefs(repository)
    for (const [revision, id] of [
      ['', ids[3]],
      ['HEAD', ids[3]],
      ['main', ids[3]],
      ['topic', ids[2]],
      ['1.x', ids[1]],
      ['twin', ids[5]],
      ['refs/tags/twin', ids[0]],
    ] as const) {
      expect([revision, resolveAmong(refs, revision)]).toEqual([revision, id])
    }
    expect(refs[0]).toEqual({ name: 'HEAD', id: ids[3], target: 'refs/heads/main' })
    // local branches are none of the remote's
    expect(() => resolveAmong(refs, 'loose')).toThrow("unable to resolve 'loose' to a commit SHA")
  })

  it('names the remedy when a shallow clone ends', () => {
    git(folder.path, [
      'clone',
      '-q',
      '--depth',
      '1',
      `file://${join(folder.path, 'origin')}`,
      'shallow',
    ])
    const shallow = openRepository(join(folder.path, 'shallow'))!
    expect(existsSync(join(shallow.gitDir, 'shallow'))).toBe(true)
    expect(resolveCommit(shallow, 'HEAD')).toBe(ids[3])
    expect(() => resolveCommit(shallow, 'HEAD~1')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('shallow') }),
    )
  })

  it('opens what .git files point to, and says when they point nowhere', () => {
    const path = join(folder.path, 'pointer')
    mkdirSync(path)
    writeFileSync(join(path, '.git'), 'gitdir: ../work/.git\n')
    expect(resolveCommit(openRepository(path)!, 'main')).toBe(ids[3])
    writeFileSync(join(path, '.git'), 'gitdir: ../nothing\n')
    expect(() => openRepository(path)).toThrow(expect.objectContaining({ code: 'SOURCE_CORRUPT' }))
    expect(openRepository(join(folder.path, 'nothing'))).toBeUndefined()
  })
})

function makeFolder(path: string): string {
  git(folder.path, ['init', '-q', '--bare', path])
  return path
}
