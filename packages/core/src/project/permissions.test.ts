import { describe, expect, it } from 'vitest'
import type { AppProject, AppProjectSpec, Destination, KindPattern } from '../argo/index.ts'
import {
  permitsDestination,
  permitsKind,
  permitsSource,
  permitsSourceNamespace,
} from './permissions.ts'

const project = (spec: AppProjectSpec, more: Partial<AppProject> = {}): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'p', namespace: 'argocd' },
  spec,
  ...more,
})
const strict = { strictDenies: true }

describe('permitsSource', () => {
  // the tables of Argo CD v3.5.1 TestAppProject_IsSourcePermitted and IsNegatedSourcePermitted; the last column is what
  // the guide promises
  it.each<[string[], string, boolean, boolean?]>([
    [['*'], 'https://github.com/argoproj/test.git', true],
    [['https://github.com/argoproj/test.git'], 'https://github.com/argoproj/test.git', true],
    [['ssh://git@GITHUB.com:argoproj/test'], 'ssh://git@github.com:argoproj/test', true],
    [['https://github.com/argoproj/*'], 'https://github.com/argoproj/argoproj.git', true],
    [
      ['https://github.com/test1/test.git', 'https://github.com/test2/test.git'],
      'https://github.com/test2/test.git',
      true,
    ],
    [['https://github.com/argoproj/test1.git'], 'https://github.com/argoproj/test2.git', false],
    [['https://github.com/argoproj/*.git'], 'https://github.com/argoproj1/test2.git', false],
    [['https://github.com/argoproj/foo'], 'https://github.com/argoproj/foo1', false],
    [['https://gitlab.com/group/*'], 'https://gitlab.com/group/repo/owner', false],
    [['https://gitlab.com/group/*/*'], 'https://gitlab.com/group/repo/owner', true],
    [['https://gitlab.com/group/*/*/*'], 'https://gitlab.com/group/sub-group/repo/owner', true],
    [['https://gitlab.com/group/**'], 'https://gitlab.com/group/sub-group/repo/owner', true],
    [['!https://github.com/argoproj/test.git'], 'https://github.com/argoproj/test.git', false],
    [['!ssh://git@GITHUB.com:argoproj/test'], 'ssh://git@github.com:argoproj/test', false],
    [['!https://github.com/argoproj/*'], 'https://github.com/argoproj/argoproj.git', false],
    [
      ['https://github.com/test1/test.git', '!https://github.com/test2/test.git'],
      'https://github.com/test2/test.git',
      false,
    ],
    [['!https://github.com/argoproj/foo*'], 'https://github.com/argoproj/foo1', false],
    [['!https://gitlab.com/group/*/*'], 'https://gitlab.com/group/repo/owner', false],
    [['!https://gitlab.com/group/*/*/*'], 'https://gitlab.com/group/sub-group/repo/owner', false],
    [['!https://gitlab.com/group/**'], 'https://gitlab.com/group/sub-group/repo/owner', false],
    [['https://github.com/argoproj/test1.git', '*'], 'https://github.com/argoproj/test2.git', true],
    [['!https://github.com/argoproj/*.git', '*'], 'https://github.com/argoproj1/test2.git', true],
    [['!https://x/*'], 'https://y/z', true, false],
    [['*', '!https://x/*'], 'https://x/a', false],
    [['!https://x/*', '*'], 'https://x/a', false],
    [['https://a/*', '!https://x/*'], 'https://y/z', true, false],
    [['{a,b}'], 'a', false],
    [[], 'https://y/z', false],
  ])('%j %s: %s', (sourceRepos, url, permitted, promised = permitted) => {
    expect(permitsSource(project({ sourceRepos }), url)).toBe(permitted)
    expect(permitsSource(project({ sourceRepos }, strict), url)).toBe(promised)
  })
})

const home = 'https://kubernetes.default.svc'
const at = (server: string, namespace: string): Destination => ({ server, namespace })
const named = (name: string, namespace: string): Destination => ({ name, server: '', namespace })

describe('permitsDestination', () => {
  // the tables of Argo CD v3.5.1 TestAppProject_IsDestinationPermitted and IsNegatedDestinationPermitted
  it.each<[string, Destination[], Destination, boolean, boolean?]>([
    ['the same', [at(home, 'default')], at(home, 'default'), true],
    ['another namespace', [at(home, 'default')], at(home, 'kube-system'), false],
    ['another server', [at('https://my-cluster', 'default')], at(home, 'default'), false],
    ['any namespace', [at(home, '*')], at(home, 'kube-system'), true],
    ['some servers', [at('https://*.default.svc', 'default')], at(home, 'default'), true],
    [
      'other servers',
      [at('https://team1-*', 'default')],
      at('https://test2-dev-cluster', 'default'),
      false,
    ],
    ['some namespaces', [at(home, 'test-*')], at(home, 'test-foo'), true],
    ['other namespaces', [at(home, 'test-*')], at(home, 'test'), false],
    ['all', [at('*', '*')], at(home, 'test'), true],
    ['by name', [named('test', '*')], named('test', 'test'), true],
    ['by another name', [named('test2', '*')], named('test', 'test'), false],
    [
      'several in braces',
      [
        { name: 'host-cluster', server: home, namespace: '!{kube-system,argocd}' },
        { name: 'other', server: 'https://other', namespace: '*' },
      ],
      at('https://other', 'kube-system'),
      true,
    ],
    ['not that server', [at(`!${home}`, 'default')], at(home, 'default'), false],
    ['not that namespace', [at(home, '!default')], at(home, 'kube-system'), true, false],
    [
      'not another server',
      [at('!https://my-cluster', 'default')],
      at(home, 'default'),
      true,
      false,
    ],
    ['not that server at all', [at(`!${home}`, '*')], at(home, 'kube-system'), false],
    ['not such servers', [at('!https://*.default.svc', 'default')], at(home, 'default'), false],
    [
      'not other servers',
      [at('!https://team1-*', 'default')],
      at('https://test2-dev-cluster', 'default'),
      true,
      false,
    ],
    ['not such namespaces', [at(home, '!test-*')], at(home, 'test-foo'), false],
    ['not other namespaces', [at(home, '!test-*')], at(home, 'test'), true, false],
    ['not that name', [named('!test', '*')], named('test', 'test'), false],
    ['not another name', [named('!test2', '*')], named('test', 'test'), true, false],
    [
      'denied after it was allowed',
      [at('*', 'kube-system'), at('*', '!kube-system')],
      at(home, 'kube-system'),
      false,
    ],
    ['one of all denied', [at('*', '*'), at('*', '!kube-system')], at(home, 'kube-system'), false],
    ['and the others not', [at('*', '*'), at('*', '!kube-system')], at(home, 'web'), true],
    ['its server denied', [at(home, '*'), at(`!${home}`, '*')], at(home, 'kube-system'), false],
    [
      'its server denied for the namespace',
      [at('*', '*'), at(`!${home}`, 'kube-system')],
      at(home, 'kube-system'),
      false,
    ],
    [
      'its server denied for another namespace',
      [at('*', '*'), at(`!${home}`, 'kube-system')],
      at(home, 'default'),
      true,
    ],
    [
      'two denials, one hits',
      [at('*', '*'), at(`!${home}`, 'kube-system'), at('*', '!kube-system')],
      at('https://test-dev-cluster', 'kube-system'),
      false,
    ],
    [
      'two denials, none hits',
      [at('*', '*'), at(`!${home}`, 'kube-system'), at('*', '!kube-system')],
      at(home, 'default'),
      true,
    ],
    [
      'its name denied after it was allowed',
      [named('test', '*'), named('!test', '*')],
      named('test', 'test'),
      false,
    ],
    [
      'a denial of another namespace',
      [at('*', 'test'), at('!https://test-server', 'other')],
      at('https://test-server', 'test'),
      true,
    ],
    [
      'a denial of another server',
      [at('*', '*'), at('https://test-server', '!other')],
      at('https://other-test-server', 'other'),
      true,
    ],
    [
      'a name that hits denies every namespace',
      [at('*', '*'), named('!prod', 'x')],
      { ...named('prod', 'y'), server: home },
      false,
    ],
    ['an empty pattern fits nothing', [{ namespace: '*' }], at(home, 'a'), false],
    ['none', [], at(home, 'a'), false],
  ])('%s', (_, destinations, target, permitted, promised = permitted) => {
    const { server = '', name = '', namespace = '' } = target
    const where = { server, name, namespace }
    expect(permitsDestination(project({ destinations }), where)).toBe(permitted)
    expect(permitsDestination(project({ destinations }, strict), where)).toBe(promised)
  })

  // Argo CD v3.5.1 TestAppProject_IsDestinationPermitted_PermitOnlyProjectScopedClusters
  it.each<[Destination, { server?: string; name?: string }[], Destination, boolean]>([
    [at('https://team1-*', 'default'), [], at('https://team1-x.com', 'default'), false],
    [
      at('https://my.example.com', 'default'),
      [{ server: 'https://my.example.com' }],
      at('https://my.example.com', 'default'),
      true,
    ],
    [
      at('https://my.example.com', 'default'),
      [{ server: 'https://my.example.com' }],
      { ...at('https://other.example.com', 'default'), name: 'other' },
      false,
    ],
    [named('some', 'default'), [], named('some', 'default'), false],
    [named('some', 'default'), [{ name: 'some' }], named('some', 'default'), true],
    [named('some', 'default'), [{ name: 'some' }], named('other', 'default'), false],
  ])('of scoped clusters only: %j %j %j: %s', (item, own, target, permitted) => {
    const scopedClusters = own.map(({ server = '-', name = '' }) => ({ server, name }))
    const spec = { permitOnlyProjectScopedClusters: true, destinations: [item] }
    const { server = '', name = '', namespace = '' } = target
    expect(permitsDestination(project(spec, { scopedClusters }), { server, name, namespace })).toBe(
      permitted,
    )
  })
})

describe('permitsKind', () => {
  const kinds = (...texts: string[]): KindPattern[] =>
    texts.map((text) => {
      const [group = '', kind = '', name] = text.split('/')
      return { group, kind, ...(name === undefined ? {} : { name }) }
    })

  // Argo CD v3.5.1 TestAppProject_IsGroupKindPermitted
  it.each<[AppProjectSpec, string, boolean, boolean]>([
    [{ namespaceResourceWhitelist: [] }, 'apps/ReplicaSet', true, false],
    [{ namespaceResourceWhitelist: kinds('apps/ReplicaSet') }, 'apps/ReplicaSet', true, true],
    [{ namespaceResourceWhitelist: kinds('apps/ReplicaSet') }, 'apps/Action', true, false],
    [{ namespaceResourceBlacklist: kinds('apps/Deployment') }, 'apps/Deployment', true, false],
    [{ namespaceResourceBlacklist: kinds('apps/Deployment') }, 'apps/ReplicaSet', true, true],
    [
      {
        namespaceResourceWhitelist: kinds('*/*'),
        namespaceResourceBlacklist: kinds('apps/Dep*'),
      },
      'apps/Deployment',
      true,
      false,
    ],
    [{ clusterResourceBlacklist: kinds('/Namespace') }, '/Namespace', false, false],
    [
      { clusterResourceWhitelist: kinds('*/*'), clusterResourceBlacklist: kinds('*/*') },
      '/Namespace',
      false,
      false,
    ],
    [
      { clusterResourceWhitelist: kinds('*/*'), clusterResourceBlacklist: kinds('*/*') },
      'apps/Action',
      true,
      true,
    ],
    [{ clusterResourceWhitelist: [] }, '/Namespace', false, false],
    [{}, '/Namespace', false, false],
    [{}, 'apps/Action', true, true],
    [{ clusterResourceWhitelist: kinds('/Namespace/team1-*') }, '/Namespace/other', false, false],
    [{ clusterResourceWhitelist: kinds('/Namespace/team1-*') }, '/Namespace/team1-a', false, true],
    [{ clusterResourceWhitelist: kinds('/Namespace/') }, '/Namespace/other', false, true],
    [
      {
        clusterResourceWhitelist: kinds('*/*'),
        clusterResourceBlacklist: kinds('/Namespace/kube-*'),
      },
      '/Namespace/kube-system',
      false,
      false,
    ],
    [{ namespaceResourceWhitelist: kinds('apps/[') }, 'apps/Deployment', true, false],
    [{ namespaceResourceWhitelist: kinds('apps/deployment') }, 'apps/Deployment', true, false],
  ])('%j %s namespaced %s: %s', (spec, text, namespaced, permitted) => {
    const [group = '', kind = '', name = ''] = text.split('/')
    const scope = namespaced ? 'Namespaced' : 'Cluster'
    expect(permitsKind(project(spec), { group, kind }, name, scope)).toBe(permitted)
  })
})

describe('permitsSourceNamespace', () => {
  // Argo CD v3.5.1 TestAppProjectIsSourceNamespacePermitted
  it.each<[string[], string, boolean]>([
    [['other-ns'], 'argocd', true],
    [['other-ns'], '', true],
    [[], 'argocd', true],
    [[], 'some-ns', false],
    [['some-ns'], 'some-ns', true],
    [['some-ns'], 'other-ns', false],
    [['some-*'], 'some-ns', true],
    [['some-*'], 'other-ns', false],
    [['*'], 'other-ns', true],
    [['/^some-ns[0-9]$/'], 'some-ns1', true],
    [['/^some-ns[0-9]$/'], 'some-ns', false],
    [['/^((?!some).)*$/', 'other-ns'], 'other-ns', true],
    [['/[/'], 'some-ns', false],
  ])('%j %j: %s', (sourceNamespaces, namespace, permitted) => {
    expect(permitsSourceNamespace(project({ sourceNamespaces }), namespace, 'argocd')).toBe(
      permitted,
    )
  })
})
