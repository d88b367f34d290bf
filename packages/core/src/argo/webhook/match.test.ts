import { describe, expect, it } from 'vitest'
import { revisionOf } from './fields.ts'
import { apiMatcher, comparesTo, repositoryMatcher, touches } from './match.ts'

describe('repositoryMatcher', () => {
  // the table of Argo CD v3.5.1 Test_GetWebURLRegex
  it.each<[string, string, boolean]>([
    ['https://example.com/org/a..d', 'https://example.com/org/abcd', false],
    ['https://an.example.com/org/repo', 'https://an-example.com/org/repo', false],
    ['https://example.com/org/repo', 'https://example.com/org/repo', true],
    ['https://example.com/org/repo', 'https://example.com/org/repo-2', false],
    ['https://example.com/org/repo', 'https://example.com/org/repo.git', true],
    ['https://example.com/org/repo', 'git@example.com:org/repo', true],
    ['https://example.com/org/repo', 'user@example.com:org/repo', true],
    ['https://example.com/org/repo', 'ssh://git@example.com/org/repo', true],
    ['https://example.com/org/repo', 'ssh://git@example.com:22/org/repo', true],
    ['https://example.com:443/org/repo', 'ssh://git@example.com:22/org/repo', true],
    ['https://example.com:443/org/repo', 'ssh://git@ssh.example.com:443/org/repo', true],
    ['https://example.com:443/org/repo', 'ssh://git@altssh.example.com:443/org/repo', true],
    ['https://example.com:443/org/repo', 'ssh://git@unknown.example.com:443/org/repo', false],
    ['https://example.com/org/repo', 'ssh://user-name@example.com/org/repo', true],
    ['https://example.com/org/repo', 'ssh://-user-name@example.com/org/repo', false],
    ['https://example.com:443/org/repo', 'GIT@EXAMPLE.COM:22:ORG/REPO', true],
    ['https://example.com/org/repo%20', 'https://example.com/org/repo%20', true],
    ['https://user@example.com/org/repo', 'http://example.com/org/repo', true],
    ['https://user@example.com/org/repo', 'https://example.com/org/repo', true],
    ['http://example.com/org/repo', 'https://user@example.com/org/repo', true],
    ['https://user@example.com/org/repo', 'ssh://example.com/org/repo', true],
    ['', '', false],
    ['https://exa mple.com/%zz', 'https://example.com/', false],
    ['https://example.com/a+b(c)', 'https://example.com/a+b(c)', true],
  ])('%s and %s: %s', (page, url, fits) => {
    expect(repositoryMatcher(page)(url)).toBe(fits)
  })
})

describe('apiMatcher', () => {
  // the table of Argo CD v3.5.1 Test_GetAPIURLRegex
  it.each<[string, string, boolean]>([
    ['https://an.example.com/', 'https://an-example.com/', false],
    ['https://example.com/', 'https://example.com/', true],
    ['https://example.com/', 'ssh://example.com/', false],
    ['https://user@example.com/', 'http://example.com/', true],
    ['http://example.com/', 'https://user@example.com/', true],
    ['https://api.github.com/repos/org/x', 'https://api.github.com/', true],
    ['https://api.github.com/repos/org/x', 'https://api.github.com', true],
    ['https://ghe.example.com/api/v3/repos/o/x', 'https://ghe.example.com/api/v3/', false],
  ])('%s and %s: %s', (url, api, fits) => {
    expect(apiMatcher(url)(api)).toBe(fits)
  })
})

describe('touches', () => {
  // the table of Argo CD v3.5.1 TestAppRevisionHasChanged
  it.each<[string, string, boolean, boolean]>([
    ['', 'master', true, true],
    ['', 'master', false, false],
    ['HEAD', 'master', true, true],
    ['dev', 'master', true, false],
    ['dev', 'dev', false, true],
    ['refs/heads/dev', 'master', true, false],
    ['refs/heads/dev', 'dev', false, true],
    ['refs/tags/dev', 'dev', false, true],
    ['env/test', 'env/test', false, true],
    ['refs/heads/env/test', 'env/test', false, true],
    ['refs/tags/env/test', 'env/test', false, true],
    ['three/part/rev', 'rev', false, false],
    ['1.*', '1.1.0', false, true],
    ['refs/tags/1.*', '1.1.0', false, true],
    ['1.*', '2.0.0', false, false],
    ['1.*', 'dev', false, false],
    ['a/b/HEAD', 'x', true, true],
    ['refs/remotes/HEAD', 'x', true, true],
    ['refs/heads/refs/heads/x', 'refs/heads/x', false, true],
    ['refs/heads/x', 'refs/heads/x', false, false],
  ])('%s, push of %s, HEAD %s: %s', (target, revision, touchedHead, concerned) => {
    expect(touches({ revision, touchedHead }, target)).toBe(concerned)
  })

  it('never counts an empty target for an artifact', () => {
    expect(comparesTo('1.0.0', '')).toBe(false)
    expect(comparesTo('1.2.3', '^1.0.0')).toBe(true)
  })
})

it.each([
  ['refs/heads/main', 'main'],
  ['refs/heads/a/b', 'a/b'],
  ['main', 'main'],
  ['a/b', 'b'],
  ['', ''],
])('revisionOf %j: %j', (ref, revision) => {
  expect(revisionOf(ref)).toBe(revision)
})
