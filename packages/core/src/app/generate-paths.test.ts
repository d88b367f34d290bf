import { describe, expect, it } from 'vitest'
import type { Application } from '../argo/index.ts'
import { concerns, refreshPaths } from './generate-paths.ts'

function app(annotation: string): Application {
  return {
    metadata: {
      name: 'a',
      annotations: { 'argocd.argoproj.io/manifest-generate-paths': annotation },
    },
  } as unknown as Application
}

describe('refreshPaths', () => {
  it.each([
    ['.', 'app', ['app']],
    ['.;/shared', 'app', ['app', 'shared']],
    [' ../shared ; ', 'app', ['shared']],
    ['', 'app', []],
    ['/', 'app', ['']],
  ])('%j in %s', (annotation, path, want) => {
    expect(refreshPaths(app(annotation), path)).toEqual(want)
  })
})

describe('concerns', () => {
  it.each([
    [['app'], 'app/x.yaml', true],
    [['app'], 'apple/x.yaml', false],
    [['app/*.yaml'], 'app/x.yaml', true],
    [['app/*.yaml'], 'app/sub/x.yaml', false],
    [[''], 'anything', true],
    [[], 'anything', true],
  ])('%j and %s: %s', (paths, path, want) => {
    expect(concerns(paths, [{ path, change: 'modified' }])).toBe(want)
  })
})
