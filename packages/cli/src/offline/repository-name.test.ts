import { describe, expect, it } from 'vitest'
import { repositoryName } from './repository-name.ts'

describe('repositoryName', () => {
  it.each([
    'https://github.com/team/platform',
    'https://github.com/Team/Platform.git',
    'https://user:token@github.com/team/platform.git/',
    'git@github.com:team/platform.git',
    'ssh://git@github.com/team/platform.git',
    'ssh://git@github.com:22/team/platform',
    'http://github.com:8080/team/platform.git',
  ])('knows %s', (url) => {
    expect(repositoryName(url)).toBe('github.com/team/platform')
  })

  it.each([
    ['/srv/git/platform.git', '/srv/git/platform'],
    ['file:///srv/git/platform.git', 'file:///srv/git/platform'],
    ['https://github.com/team/other', 'github.com/team/other'],
  ])('keeps %s apart', (url, name) => {
    expect(repositoryName(url)).toBe(name)
  })
})
