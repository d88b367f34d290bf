import { describe, expect, it } from 'vitest'
import { joinUrlPath, parseGoUrl } from './go-url.ts'
import {
  normalizeGitUrl,
  parseRepositorySecret,
  type RepositorySettings,
  repositoryFor,
  sameUrl,
} from './repository.ts'
import { maxVersion } from './versions.ts'

describe('normalizeGitUrl', () => {
  it.each([
    ['https://GitHub.com/Org/Repo.git', 'https://github.com/org/repo'],
    [' https://host/a ', 'https://host/a'],
    ['https://host/a/', 'https://host/a/'],
    ['https://host:443/a.git', 'https://host:443/a'],
    ['git@github.com:Org/Repo.git', 'git@github.com/org/repo'],
    ['ssh://git@github.com/Org/Repo', 'git@github.com/org/repo'],
    ['ssh://git@host:2222/a.git', 'git@host:2222/a'],
    ['https://user@host/a', 'https://user@host/a'],
    ['https://host/a.git.git', 'https://host/a.git'],
    ['file:///srv/git/a', 'file:///srv/git/a'],
    ['http://host/%zz', ''],
    ['127.0.0.1:1/x', ''],
    ['host/with space', 'host/with%20space'],
    ['', ''],
  ])('%j is %j', (url, want) => {
    expect(normalizeGitUrl(url)).toBe(want)
  })

  it('makes spellings of one repository equal, and nothing else', () => {
    expect(sameUrl('git@github.com:a/b.git', 'ssh://git@github.com/a/b')).toBe(true)
    expect(sameUrl('https://github.com/a/B', 'https://github.com/A/b.git')).toBe(true)
    expect(sameUrl('https://github.com/a/b', 'http://github.com/a/b')).toBe(false)
    expect(sameUrl('127.0.0.1:1/x', '127.0.0.1:1/x')).toBe(true)
    expect(sameUrl('', '')).toBe(false)
  })
})

describe('parseGoUrl', () => {
  it.each([
    [
      '127.0.0.1:1/charts',
      'parse "127.0.0.1:1/charts": first path segment in URL cannot contain colon',
    ],
    ['http://h:x/', 'parse "http://h:x/": invalid port ":x" after host'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['http://h/%', 'parse "http://h/%": invalid URL escape "%"'],
  ])('refuses %s as Go does', (text, error) => {
    expect(parseGoUrl(text)).toEqual({ error })
  })

  it('takes a name with a port for a scheme', () => {
    expect(parseGoUrl('localhost:1/charts')).toMatchObject({
      scheme: 'localhost',
      opaque: '1/charts',
      host: '',
    })
  })

  it.each([
    ['http://h', 'http://h/index.yaml'],
    ['http://h/a/', 'http://h/a/index.yaml'],
    ['http://h//a/../b?x=1', 'http://h/b/index.yaml?x=1'],
    ['https://u:p@h:8/a%2Fb', 'https://u:p@h:8/a%2Fb/index.yaml'],
  ])('joins a name to the path of %s', (url, want) => {
    expect(joinUrlPath(url, 'index.yaml')).toEqual({ url: want })
  })
})

describe('repositoryFor', () => {
  const secret = (data: { readonly [key: string]: string }): RepositorySettings =>
    parseRepositorySecret(data)
  const template = (data: { readonly [key: string]: string }): RepositorySettings =>
    parseRepositorySecret(data, 'repo-creds')
  const list = {
    repositories: [
      secret({ url: 'https://h/org/a', username: 'all', password: 'x' }),
      secret({ url: 'https://h/org/a.git', project: 'p', username: 'p', password: 'x' }),
      secret({ url: 'https://h/org/b', insecure: 'true', depth: '1' }),
      secret({ url: 'https://h/org/c', project: 'other', username: 'secret' }),
    ],
    templates: [
      template({ url: 'https://h/', username: 'host', password: 'h' }),
      template({
        url: 'https://h/org',
        username: 'org',
        bearerToken: 't',
        proxy: 'http://p',
        forceHttpBasicAuth: 'true',
      }),
    ],
  }
  it.each([
    ['https://H/Org/A', 'p', 'p'],
    ['https://h/org/a', '', 'all'],
    ['https://h/org/a', 'q', 'all'],
    ['https://h/org/b', 'p', 'org'],
    ['https://h/org/c', 'p', 'org'],
    ['https://h/organisation/x', 'p', 'org'],
    ['https://h/x', 'p', 'host'],
    ['https://elsewhere/x', 'p', ''],
  ])('%s in project %j has the user %j', (url, project, username) => {
    expect(repositoryFor(url, project, list).username).toBe(username)
  })

  it('completes a repository by a template, but never trust, depth or name', () => {
    expect(repositoryFor('https://h/org/b', '', list)).toMatchObject({
      url: 'https://h/org/b',
      insecure: true,
      depth: 1,
      bearerToken: 't',
      proxy: 'http://p',
      forceHttpBasicAuth: true,
    })
  })

  it('refuses a boolean that is none', () => {
    expect(() => secret({ url: 'u', insecure: 'yes' })).toThrow(
      expect.objectContaining({
        code: 'SETTINGS_INVALID',
        message: 'unable to get repository "u": strconv.ParseBool: parsing "yes": invalid syntax',
      }),
    )
  })

  it('knows that the two kinds of Secret spell Azure ids differently', () => {
    expect(secret({ azureServicePrincipalClientId: 'a' }).azureServicePrincipalClientId).toBe('a')
    expect(template({ azureServicePrincipalClientID: 'a' }).azureServicePrincipalClientId).toBe('a')
    expect(template({ azureServicePrincipalClientId: 'a' }).azureServicePrincipalClientId).toBe('')
  })
})

describe('maxVersion', () => {
  const tags = [
    'v1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0-rc.1',
    'latest',
    'web-1.5.0',
    'web-v1.4.0',
    'web-x',
  ]
  it.each([
    ['1.x', '', '1.10.0'],
    ['*', '', '1.10.0'],
    ['>=1.0.0-0', '', '2.0.0-rc.1'],
    ['99.99', '', '99.99'],
    ['v1.2', '', 'v1.2'],
    ['latest', '', 'latest'],
    ['main', '', 'failed to determine semver constraint: improper constraint: main'],
    ['^9', '', 'version matching constraint not found in 8 tags'],
    ['1.x', 'web-', 'web-1.5.0'],
    ['v1.4.0', 'web-', 'web-v1.4.0'],
    ['^9', 'web-', 'version matching constraint not found in 3 tags'],
    [
      'main',
      'web-',
      'tagPrefix "web-" requires targetRevision to be a semver constraint, but "main" is not a valid constraint',
    ],
  ])('%s with prefix %j is %j', (revision, prefix, want) => {
    const answer = maxVersion(revision, tags, prefix)
    expect('error' in answer ? answer.error : answer.version).toBe(want)
  })
})
