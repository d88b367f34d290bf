import { describe, expect, it } from 'vitest'
import type { Application, PackageEvent, PushEvent } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { concernedApplications } from './webhook.ts'

const annotation = 'argocd.argoproj.io/manifest-generate-paths'
const mono = 'https://git.example.com/team/mono.git'

function app(name: string, spec: JsonObject, paths?: string): Application {
  const annotations = paths === undefined ? {} : { [annotation]: paths }
  return { metadata: { name, annotations }, spec } as unknown as Application
}
const at = (name: string, paths?: string, path = `apps/${name}`, targetRevision = 'HEAD') =>
  app(name, { source: { repoURL: mono, targetRevision, path } }, paths)

const push = (files: readonly string[] | undefined, more: Partial<PushEvent> = {}): PushEvent => ({
  kind: 'push',
  urls: ['https://git.example.com/team/mono'],
  revision: 'main',
  touchedHead: true,
  files,
  forSets: true,
  forApplications: true,
  ...more,
})
const names = (event: PushEvent | PackageEvent, apps: readonly Application[]): string =>
  Array.from(
    concernedApplications(event, apps),
    ({ application, hydrate }) => application.metadata.name + (hydrate ? '+hydrate' : ''),
  ).join(' ')

describe('paths of a push', () => {
  const apps = [
    at('a', '.'),
    at('b', '.;../../shared'),
    at('c', '.'),
    at('d', '/shared'),
    at('e', ' . ; /docs/*.md '),
    at('f', '/docs/*.txt'),
    at('g', ''),
    at('h'),
    at('i', '/shared/lib'),
    at('j', '/**/deploy.yaml'),
    at('k', 'deploy.yaml', 'apps/a'),
    at('l', '.', 'apps/a', 'release'),
    app(
      'm',
      {
        sources: [
          { repoURL: 'https://charts.example.com', chart: 'web', targetRevision: '1.2.3' },
          { repoURL: mono, targetRevision: 'HEAD', ref: 'values' },
        ],
      },
      '.',
    ),
  ]

  it.each<[string, readonly string[] | undefined, string]>([
    ['some files', ['apps/a/deploy.yaml', 'shared/lib.yaml', 'docs/readme.md'], 'a b d e g h k m'],
    ['none told', undefined, 'a b c d e f g h i j k m'],
    ['an empty list', [], 'a b c d e f g h i j k m'],
    ['one below a folder', ['shared/lib/x'], 'b d g h i m'],
    ['with a slash before it', ['/docs/a.txt'], 'f g h m'],
  ])('%s', (_, files, want) => {
    expect(names(push(files), apps)).toBe(want)
  })

  it('of another branch', () => {
    const event = push(undefined, { revision: 'release', touchedHead: false })
    expect(names(event, apps)).toBe('l')
  })

  it('of another repository', () => {
    expect(names(push(undefined, { urls: ['https://git.example.com/team/other'] }), apps)).toBe('')
  })

  it('of a host that Applications take no notice of', () => {
    expect(names(push(undefined, { forApplications: false }), apps)).toBe('')
  })
})

describe('a source hydrator', () => {
  const hydrated = (paths?: string): Application =>
    app(
      'x',
      {
        sourceHydrator: {
          drySource: { repoURL: mono, path: 'dry', targetRevision: 'main' },
          syncSource: { targetBranch: 'env/prod', path: 'sync' },
        },
      },
      paths,
    )
  const synced = { revision: 'env/prod', touchedHead: false }

  // the hydrator's rows of Argo CD v3.5.1 TestHandleEvent
  it.each<[string, string | undefined, readonly string[], Partial<PushEvent>, string]>([
    ['its sync path', undefined, ['sync/a.yaml'], synced, 'x'],
    ['besides its sync path', undefined, ['other/a.yaml'], synced, ''],
    ['the annotation does not matter there', 'deploy', ['sync/a.yaml'], synced, 'x'],
    ['anything of the dry branch', undefined, ['other/a.yaml'], {}, 'x+hydrate'],
    ['its dry paths', 'deploy', ['dry/deploy/a.yaml'], {}, 'x+hydrate'],
    ['besides its dry paths', 'deploy', ['dry/a.yaml'], {}, ''],
  ])('%s', (_, paths, files, more, want) => {
    expect(names(push(files, more), [hydrated(paths)])).toBe(want)
  })
})

describe('a package', () => {
  const event: PackageEvent = { kind: 'package', url: 'oci://ghcr.io/Org/chart', tag: '1.2.3' }
  const oci = (name: string, repoURL: string, targetRevision?: string): Application =>
    app(name, { source: { repoURL, ...(targetRevision && { targetRevision }) } })

  it('refreshes and hydrates who follows its tag', () => {
    const apps = [
      oci('exact', 'oci://ghcr.io/org/chart', '1.2.3'),
      oci('range', 'OCI://ghcr.io/org/chart/'.replace('OCI', 'oci'), '^1.0.0'),
      oci('plain', 'ghcr.io/org/chart', '1.*'),
      oci('other-tag', 'oci://ghcr.io/org/chart', '1.2.4'),
      oci('no-tag', 'oci://ghcr.io/org/chart'),
      oci('split', 'ghcr.io/org', '1.2.3'),
    ]
    expect(names(event, apps)).toBe('exact+hydrate range+hydrate plain+hydrate')
  })
})
