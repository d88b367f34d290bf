import { describe, expect, it } from 'vitest'
import { memoryTree } from './memory.ts'
import { changesTouching, recordReads } from './read-log.ts'

const tree = memoryTree({
  'app/a.yaml': 'a',
  'app/sub/b.yaml': 'b',
  'lib/x.yaml': 'x',
  'app/l': { link: '../lib/x.yaml' },
})

describe('recordReads', () => {
  it('notes files, absent paths, folders and links, sorted', () => {
    const log = recordReads(tree)
    log.tree.list('app')
    log.tree.read('app/a.yaml')
    log.tree.entry('app/l')
    log.tree.read('app/none.yaml')
    expect(log.data()).toEqual({
      files: ['app/a.yaml'],
      absent: ['app/none.yaml'],
      folders: ['app'],
      links: ['app/l'],
    })
  })
})

describe('changesTouching', () => {
  const log = {
    files: ['app/a.yaml'],
    absent: ['app/values.yaml', 'base'],
    folders: ['app'],
    links: ['app/l'],
  }
  it.each([
    ['app/a.yaml', 'modified', true],
    ['app/other.yaml', 'modified', false],
    ['app/other.yaml', 'added', true],
    ['app/other.yaml', 'removed', true],
    ['app/new/deep/x.yaml', 'added', true],
    ['app/values.yaml', 'added', true],
    ['app/l', 'modified', true],
    ['base/x.yaml', 'added', true],
    ['elsewhere/x.yaml', 'added', false],
  ] as const)('%s %s: %s', (path, change, want) => {
    expect(changesTouching(log, [{ path, change }]).length > 0).toBe(want)
  })
})
