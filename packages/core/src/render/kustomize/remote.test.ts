import { describe, expect, it } from 'vitest'
import { parseRepo } from './remote.ts'

describe('parseRepo', () => {
  it.each([
    ['github.com/org/repo/sub/dir?ref=v1', 'https://github.com/org/repo', 'v1', 'sub/dir'],
    ['git@github.com:org/repo.git//sub', 'git@github.com:org/repo.git', '', 'sub'],
    ['ssh://git@host.io:22/org/repo.git?ref=x', 'ssh://git@host.io:22/org/repo.git', 'x', ''],
    ['https://gitlab.com/g/sub/proj.git//dir', 'https://gitlab.com/g/sub/proj.git', '', 'dir'],
    ['https://example.com/a/b/c/d', 'https://example.com/a/b', '', 'c/d'],
    [
      'https://dev.azure.com/o/p/_git/r/sub?version=v2',
      'https://dev.azure.com/o/p/_git/r',
      'v2',
      'sub',
    ],
    ['git@host:org/repo/sub', 'git@host:org/repo', '', 'sub'],
    ['github.com/org/repo.git/sub?ref=a/b', 'https://github.com/org/repo.git', 'a/b', 'sub'],
    ['git::https://github.com/org/repo//x', 'https://github.com/org/repo', '', 'x'],
    ['file:///srv/repo', 'file:///srv/repo', '', ''],
    ['ssh://git@github.com/org/repo', 'git@github.com:org/repo', '', ''],
  ])('%s', (raw, clone, ref, path) => {
    expect(parseRepo(raw)).toMatchObject({ raw, clone, ref, path })
  })

  it.each([
    'org/repo',
    '../base',
    '/abs/path',
    'https://github.com/org',
    'https://github.com/org/repo/../../x',
  ])('%s is a path or nothing', (raw) => {
    expect(parseRepo(raw)).toBeUndefined()
  })

  it('reads timeouts and submodules', () => {
    const spec = parseRepo('https://github.com/o/r//s?ref=main&timeout=5s&submodules=false')
    expect(spec).toMatchObject({ timeoutMs: 5000, submodules: false })
    expect(parseRepo('https://github.com/o/r?timeout=61')).toMatchObject({ timeoutMs: 61_000 })
    expect(parseRepo('https://github.com/o/r?timeout=x')).toMatchObject({
      timeoutMs: 27_000,
      submodules: true,
    })
  })
})
