import { describe, expect, it } from 'vitest'
import { corpusFolder, expand, readCase } from '../../packages/core/test/corpus/argocd-cases.ts'
import { contraction, normalise } from './normalise.ts'

const names = {
  app: 'c0ffee0',
  namespace: 'c0ffee0-ns',
  repo: 'http://127.0.0.1:1234/git/c0ffee0',
  charts: 'http://127.0.0.1:1234/charts/c0ffee0',
  server: 'https://localhost:6443',
  token: 'secret-token',
  commits: ['0123456789abcdef0123456789abcdef01234567', 'fedcba9876543210fedcba9876543210fedcba98'],
  workFolders: ['/tmp/run/repo-cache', '/tmp/run'],
}

describe('names of a run become placeholders', () => {
  const contract = contraction(names, [[/port \d+/g, 'port <port>']])
  it.each([
    ['c0ffee0-child:/ConfigMap:c0ffee0-ns/conf', '$APP-child:/ConfigMap:$NS/conf'],
    [`${names.repo}-none and ${names.charts}/x.yaml`, '$REPO-none and $CHARTS/x.yaml'],
    [`to ${names.commits[1]}`, 'to <commit 2>'],
    ['pre-0123456-presync-1767225600', 'pre-<commit 1 short>-presync-<unix>'],
    ['at fedcba98', 'at <commit 2 short8>'],
    ['a0123456b is no commit', 'a0123456b is no commit'],
    ['2026-01-02T03:04:05Z 2026-01-02T03:04:05.123456+02:00', '<time> <time>'],
    ['Retrying attempt #1 at 3:04PM.', 'Retrying attempt #1 at <time>.'],
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '<uid>'],
    ['10.0.0.17', '<clusterIP>'],
    ['open /tmp/run/repo-cache/x: no', 'open <work>/x: no'],
    ['from "/dev/shm/123456"', 'from "<file>"'],
    ['on port 99', 'on port <port>'],
  ])('%s', (text, expected) => {
    expect(contract(text)).toBe(expected)
  })

  it('in keys too, at any depth, but not in the label of a beat', () => {
    const beats = [{ beat: 'c0ffee0', objects: [{ 'c0ffee0.example.com': ['c0ffee0-ns'] }] }]
    const of = readCase(`${corpusFolder}compare/refresh-annotation.yaml`)
    expect(normalise(beats, names, of)).toEqual([
      { beat: 'c0ffee0', objects: [{ '$APP.example.com': ['$NS'] }] },
    ])
  })
})

describe('placeholders become names of a run', () => {
  it.each([
    ['$APP-one:/ConfigMap:$NS/x', 'c0ffee0-one:/ConfigMap:c0ffee0-ns/x'],
    ['<commit 1>', names.commits[0]],
    ['<commit 2 short>', 'fedcba9'],
    ['<commit 2 short8>', 'fedcba98'],
    ['$$APP ${HOME} $ARGOCD_APP_NAME', '$c0ffee0 ${HOME} $ARGOCD_APP_NAME'],
  ])('%s', (text, expected) => {
    expect(expand(text, names)).toBe(expected)
    expect(expand({ [text]: [text] }, names)).toEqual({ [expected!]: [expected] })
  })

  it('a commit that is not made yet is an error', () => {
    expect(() => expand('<commit 3>', names)).toThrow('not made yet')
  })
})
