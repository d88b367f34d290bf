import type { ApplyOptions, Cluster } from '@litecd/core/adapters'
import { type ClusterError, LitecdError } from '@litecd/core/errors'
import { getPath, type Json, type JsonObject } from '@litecd/core/json'
import { annotationsOf, keyOf, type Manifest } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  freshNamespace,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { configMaps, type KubeClient } from '../../src/client/index.ts'
import { createCluster } from '../../src/cluster/index.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const clientSide: ApplyOptions = {
  dryRun: 'none',
  serverSide: false,
  force: false,
  validate: true,
  fieldManager: 'argocd-controller',
}
const serverSide: ApplyOptions = { ...clientSide, serverSide: true }
const dry: ApplyOptions = { ...clientSide, dryRun: 'client' }

async function failure(promise: Promise<unknown>): Promise<ClusterError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof LitecdError) return error as ClusterError
    throw error
  }
  throw new Error('expected an error')
}

function managers(object: Manifest): readonly string[] {
  const entries = getPath(object, 'metadata', 'managedFields') as readonly JsonObject[]
  return entries.map((entry) => `${entry['manager']} ${entry['operation']}`).sort()
}

describe.skipIf(!canStartApiServer('the cluster adapter'))('cluster on a real API server', () => {
  let client: KubeClient
  let cluster: Cluster
  let namespace: string

  beforeAll(async () => {
    client = await sharedClient()
    cluster = createCluster({ client })
    namespace = await freshNamespace(client, 'cluster')
  })
  afterAll(() => client.close())

  const object = (
    apiVersion: string,
    kind: string,
    name: string,
    rest: JsonObject = {},
  ): Manifest => ({
    apiVersion,
    kind,
    metadata: { name, namespace },
    ...rest,
  })
  const configMap = (name: string, data: JsonObject): Manifest =>
    object('v1', 'ConfigMap', name, { data })
  const find = (target: Manifest): Promise<Manifest | undefined> =>
    cluster.get(keyOf(target), target.apiVersion)
  const apply = async (target: Manifest, options: ApplyOptions = clientSide): Promise<string> =>
    (await cluster.apply(target, options)).message

  it('knows facts', async () => {
    const facts = await cluster.facts()
    expect(facts.kubeVersion).toMatch(/^v1\.\d+\.\d+$/)
    expect(facts.apiVersions).toContain('apps/v1/Deployment')
    expect(facts.scopeOf({ group: '', kind: 'Namespace' })).toBe('Cluster')
    expect(facts.scopeOf({ group: 'apps', kind: 'Deployment' })).toBe('Namespaced')
    expect(facts.scopeOf({ group: 'nowhere', kind: 'Thing' })).toBeUndefined()
  })

  it('applies on the client side: created, unchanged, configured', async () => {
    expect(await apply(configMap('a', { a: '1', b: '<2>', n: null }), dry)).toBe(
      'configmap/a created (dry run)',
    )
    expect(await find(configMap('a', {}))).toBeUndefined()
    expect(await apply(configMap('a', { a: '1', b: '<2>', n: null }))).toBe('configmap/a created')
    const made = (await find(configMap('a', {})))!
    expect(made['data']).toEqual({ a: '1', b: '<2>' })
    expect(annotationsOf(made)[lastApplied]).toBe(
      '{"apiVersion":"v1","data":{"a":"1","b":"\\u003c2\\u003e","n":null},"kind":"ConfigMap",' +
        `"metadata":{"annotations":{},"name":"a","namespace":"${namespace}"}}\n`,
    )
    expect(managers(made)).toEqual(['argocd-controller Update'])
    await apply(configMap('a', { a: '1', b: '2' }))
    expect(await apply(configMap('a', { a: '1', b: '2' }))).toBe('configmap/a unchanged')
    // Somebody else's key stays, ours that left the source goes.
    await client.patch(configMaps, 'a', 'merge', { data: { other: 'x' } }, { namespace })
    expect(await apply(configMap('a', { a: '2' }), dry)).toBe('configmap/a configured (dry run)')
    expect(await apply(configMap('a', { a: '2' }))).toBe('configmap/a configured')
    expect((await find(configMap('a', {})))!['data']).toEqual({ a: '2', other: 'x' })
    expect(await apply(configMap('a', { a: '2' }), dry)).toBe('configmap/a unchanged (dry run)')
  })

  it('says that the annotation was missing', async () => {
    await client.create(configMaps, configMap('bare', { a: '1' }), { namespace })
    expect(await apply(configMap('bare', { a: '1' }))).toBe(
      'configmap/bare configured. Warning: resource configmaps/bare is missing the ' +
        'kubectl.kubernetes.io/last-applied-configuration annotation which is required by  apply.  ' +
        'apply should only be used on resources created declaratively by either  create --save-config ' +
        'or  apply. The missing annotation will be patched automatically.',
    )
  })

  it('merges lists of built-in kinds by their keys', async () => {
    const web = (containers: readonly Json[], ports?: readonly Json[]): Manifest =>
      object('apps/v1', 'Deployment', 'web', {
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: ports === undefined ? containers : [...containers, ...ports] },
          },
        },
      })
    const a = {
      name: 'a',
      image: 'a:1',
      env: [
        { name: 'ONE', value: '1' },
        { name: 'TWO', value: '2' },
      ],
    }
    const b = { name: 'b', image: 'b:1' }
    expect(await apply(web([a, b]))).toBe('deployment.apps/web created')
    expect(await apply(web([a, b]))).toBe('deployment.apps/web unchanged')
    await client.patch(
      { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
      'web',
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'sidecar', image: 's:1' }] } } } },
      { namespace },
    )
    expect(await apply(web([{ ...a, image: 'a:2', env: [{ name: 'TWO', value: '3' }] }]))).toBe(
      'deployment.apps/web configured',
    )
    const live = (await find(web([])))!
    const containers = getPath(
      live,
      'spec',
      'template',
      'spec',
      'containers',
    ) as readonly JsonObject[]
    expect(containers.map((one) => [one['name'], one['image'], one['env']]).sort()).toEqual([
      ['a', 'a:2', [{ name: 'TWO', value: '3' }]],
      ['sidecar', 's:1', undefined],
    ])
  })

  it('replaces lists of custom kinds whole', async () => {
    const group = `${namespace}.example.com`
    const crd: Manifest = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        names: { kind: 'Thing', plural: 'things', singular: 'thing' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    }
    const thing = (spec: JsonObject): Manifest => object(`${group}/v1`, 'Thing', 't', { spec })
    const missing = await failure(cluster.apply(thing({}), clientSide))
    expect(missing.code).toBe('CLUSTER_NOT_FOUND')
    expect(missing.message).toBe(
      `resource mapping not found for name: "t" namespace: "${namespace}" from "/dev/shm/0": ` +
        `no matches for kind "Thing" in version "${group}/v1"\nensure CRDs are installed first`,
    )
    expect(await apply(crd)).toBe(
      `customresourcedefinition.apiextensions.k8s.io/things.${group} created`,
    )
    // The kind is served as soon as the apply has come back.
    expect(await apply(thing({ list: [{ name: 'a' }, { name: 'b' }], keep: 1, gone: true }))).toBe(
      `thing.${group}/t created`,
    )
    expect(await apply(thing({ list: [{ name: 'b' }], keep: 1 }))).toBe(
      `thing.${group}/t configured`,
    )
    expect((await find(thing({})))!['spec']).toEqual({ list: [{ name: 'b' }], keep: 1 })
    expect(await apply(thing({ list: [{ name: 'b' }], keep: 1 }))).toBe(
      `thing.${group}/t unchanged`,
    )
    expect(await apply(crd)).toBe(
      `customresourcedefinition.apiextensions.k8s.io/things.${group} unchanged`,
    )
    await cluster.delete(keyOf(crd), crd.apiVersion, { dryRun: 'none', propagation: 'Foreground' })
  })

  it('keeps refusals in the words of kubectl and the server', async () => {
    const bad = await failure(cluster.apply(configMap('Bad_Name', {}), clientSide))
    expect(bad.message).toMatch(
      /^ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": /,
    )
    expect([bad.status, bad.reason]).toEqual([422, 'Invalid'])
    const wrong = object('v1', 'Service', 'wrong', { spec: { ports: [{ port: 'eighty' }] } })
    expect((await failure(cluster.apply(wrong, clientSide))).message).toMatch(
      /^Service in version "v1" cannot be handled as a Service: json: cannot unmarshal string into Go struct field ServicePort\.spec\.ports\.port/,
    )
    const fixed = (v: string): Manifest => ({ ...configMap('fixed', { v }), immutable: true })
    await apply(fixed('1'))
    const refused = await failure(cluster.apply(fixed('2'), clientSide))
    expect(refused.message).toBe(
      'error when patching "/dev/shm/0": ConfigMap "fixed" is invalid: data: Forbidden: ' +
        'field is immutable when `immutable` is set',
    )
    expect((await failure(cluster.apply(fixed('2'), { ...serverSide, force: true }))).message).toBe(
      'error validating options: --force cannot be used with --server-side',
    )
    const before = (await find(fixed('')))!
    expect(await apply(fixed('2'), { ...clientSide, force: true })).toBe(
      'configmap/fixed configured',
    )
    const after = (await find(fixed('')))!
    expect(after['data']).toEqual({ v: '2' })
    expect(getPath(after, 'metadata', 'uid')).not.toBe(getPath(before, 'metadata', 'uid'))
    expect((await failure(cluster.replace(fixed('3'), clientSide))).message).toMatch(
      /^error when replacing "\/dev\/shm\/0": ConfigMap "fixed" is invalid/,
    )
    const unnamed = { ...configMap('', {}), metadata: { generateName: 'gen-', namespace } }
    expect((await failure(cluster.apply(unnamed, clientSide))).message).toBe(
      'from gen-: cannot use generate name with apply',
    )
  })

  it('shows an object that may not be read', async () => {
    const stranger = createCluster({ client, writer: client.as({ user: 'stranger' }) })
    const error = await failure(stranger.apply(configMap('secret', {}), clientSide))
    expect(error.status).toBe(403)
    expect(error.message).toBe(
      'error when retrieving current configuration of:\n' +
        'Resource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\n' +
        `Name: "secret", Namespace: "${namespace}"\nfrom server for: "/dev/shm/0": ` +
        'configmaps "secret" is forbidden: User "stranger" cannot get resource "configmaps" in API ' +
        `group "" in the namespace "${namespace}"`,
    )
  })

  it('applies on the server side, and cleans up after client-side apply', async () => {
    expect(await apply(configMap('s', { a: '1', b: '1' }))).toBe('configmap/s created')
    expect(await apply(configMap('s', { a: '1' }), serverSide)).toBe(
      'configmap/s serverside-applied',
    )
    const live = (await find(configMap('s', {})))!
    expect(live['data']).toEqual({ a: '1' })
    expect(managers(live)).toEqual(['argocd-controller Apply'])
    expect(annotationsOf(live)).not.toHaveProperty(lastApplied)
    // Conflicts are taken over.
    await client.patch(configMaps, 's', 'apply', configMap('s', { a: '9' }), {
      namespace,
      fieldManager: 'other',
      force: true,
    })
    await apply(configMap('s', { a: '1' }), serverSide)
    expect((await find(configMap('s', {})))!['data']).toEqual({ a: '1' })
  })

  it('asks the server what an apply would do, with defaults and managed fields', async () => {
    const target = object('v1', 'Service', 'dry', { spec: { ports: [{ port: 80 }] } })
    const result = await cluster.apply(target, { ...serverSide, dryRun: 'server' })
    expect(result.message).toBe('service/dry serverside-applied (server dry run)')
    expect(getPath(result.live, 'spec', 'sessionAffinity')).toBe('None')
    expect(managers(result.live!)).toEqual(['argocd-controller Apply'])
    expect(await find(target)).toBeUndefined()
  })

  it('replaces and creates without the annotation', async () => {
    const target = configMap('r', { v: '1' })
    expect((await failure(cluster.replace(target, clientSide))).message).toBe(
      'error when replacing "/dev/shm/0": configmaps "r" not found',
    )
    expect((await cluster.create(target, dry)).message).toBe('configmap/r created (dry run)')
    expect((await cluster.create(target, clientSide)).message).toBe('configmap/r created')
    expect((await failure(cluster.create(target, clientSide))).message).toBe(
      'configmaps "r" already exists',
    )
    const live = (await find(target))!
    expect(managers(live)).toEqual(['argocd-application-controller Update'])
    expect(annotationsOf(live)).toEqual({})
    expect((await cluster.replace(configMap('r', { w: '2' }), dry)).message).toBe(
      'configmap/r replaced (dry run)',
    )
    expect((await cluster.replace(configMap('r', { w: '2' }), clientSide)).message).toBe(
      'configmap/r replaced',
    )
    expect((await find(target))!['data']).toEqual({ w: '2' })
    const forced = await cluster.replace(configMap('r', { x: '3' }), { ...clientSide, force: true })
    expect(forced.message).toBe(
      `configmap "r" deleted from ${namespace} namespace\nconfigmap/r replaced`,
    )
    expect(getPath(forced.live, 'metadata', 'uid')).not.toBe(getPath(live, 'metadata', 'uid'))
  })

  it('updates, patches and deletes', async () => {
    const target = configMap('u', { v: '1' })
    const { live } = await cluster.create(target, clientSide)
    const updated = await cluster.update({ ...live!, data: { v: '2' } }, { dryRun: 'none' })
    expect(updated['data']).toEqual({ v: '2' })
    const stale = await failure(cluster.update({ ...live!, data: {} }, { dryRun: 'none' }))
    expect(stale.code).toBe('CLUSTER_CONFLICT')
    const patched = await cluster.patch(keyOf(target), 'v1', {
      type: 'merge',
      patch: { data: { v: null } },
    })
    expect(patched['data']).toBeUndefined()
    const remove = { dryRun: 'none', propagation: 'Background' } as const
    await cluster.delete(keyOf(target), 'v1', { ...remove, dryRun: 'client' })
    await cluster.delete(keyOf(target), 'v1', remove)
    expect((await failure(cluster.delete(keyOf(target), 'v1', remove))).code).toBe(
      'CLUSTER_NOT_FOUND',
    )
    expect(await cluster.get({ ...keyOf(target), group: 'nowhere' }, 'nowhere/v1')).toBeUndefined()
  })

  it('warns about an object that is going', async () => {
    const target = configMap('going', { v: '1' })
    await cluster.apply(
      { ...target, metadata: { name: 'going', namespace, finalizers: ['example.com/wait'] } },
      clientSide,
    )
    await cluster.delete(keyOf(target), 'v1', { dryRun: 'none', propagation: 'Foreground' })
    const warned = 'Warning: Detected changes to resource going which is currently being deleted.'
    const kept = {
      ...target,
      metadata: { name: 'going', namespace, finalizers: ['example.com/wait'] },
    }
    expect(await apply({ ...kept, data: { v: '2' } })).toBe(`configmap/going configured. ${warned}`)
    expect(await apply({ ...kept, data: { v: '3' } }, serverSide)).toBe(
      `configmap/going serverside-applied. ${warned}`,
    )
    await cluster.patch(keyOf(target), 'v1', {
      type: 'merge',
      patch: { metadata: { finalizers: null } },
    })
  })

  it('reconciles roles and bindings before it applies them', async () => {
    const rbac = 'rbac.authorization.k8s.io/v1'
    const role = (...verbs: string[]): Manifest =>
      object(rbac, 'Role', 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs }] })
    const binding = (to: string, ...names: string[]): Manifest =>
      object(rbac, 'RoleBinding', 'reader', {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: to },
        subjects: names.map((name) => ({ kind: 'ServiceAccount', name, namespace })),
      })
    const missing = (kind: string): string =>
      `Warning: resource ${kind}/reader is missing the ${lastApplied} annotation which is required by  ` +
      'apply.  apply should only be used on resources created declaratively by either  create ' +
      '--save-config or  apply. The missing annotation will be patched automatically.'
    expect(await apply(role('get'), dry)).toBe(
      'role.rbac.authorization.k8s.io/reader reconciled (dry run). reconciliation required create\n' +
        '\tmissing rules added:\n\t\t{Verbs:[get] APIGroups:[] Resources:[pods] ResourceNames:[] ' +
        'NonResourceURLs:[]}role.rbac.authorization.k8s.io/reader created (dry run)',
    )
    expect(await apply(role('get'))).toBe(
      'role.rbac.authorization.k8s.io/reader reconciled. reconciliation required create\n' +
        '\tmissing rules added:\n\t\t{Verbs:[get] APIGroups:[] Resources:[pods] ResourceNames:[] ' +
        'NonResourceURLs:[]}role.rbac.authorization.k8s.io/reader configured. ' +
        missing('roles'),
    )
    expect(await apply(role('get'))).toBe(
      'role.rbac.authorization.k8s.io/reader reconciledrole.rbac.authorization.k8s.io/reader unchanged',
    )
    expect(await apply(role('get', 'list', 'watch'))).toBe(
      'role.rbac.authorization.k8s.io/reader reconciled. reconciliation required update\n' +
        '\tmissing rules added:\n' +
        '\t\t{Verbs:[list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n' +
        '\t\t{Verbs:[watch] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}' +
        'role.rbac.authorization.k8s.io/reader configured',
    )
    expect((await find(role()))!['rules']).toEqual(role('get', 'list', 'watch')['rules'])

    expect(await apply(binding('reader', 'runner'))).toBe(
      'rolebinding.rbac.authorization.k8s.io/reader reconciled. reconciliation required create\n' +
        `\tmissing subjects added:\n\t\t{Kind:ServiceAccount APIGroup: Name:runner Namespace:${namespace}}` +
        'rolebinding.rbac.authorization.k8s.io/reader configured. ' +
        missing('rolebindings'),
    )
    // An update may not change what a binding refers to.
    expect(await apply(binding('writer', 'runner'))).toBe(
      'rolebinding.rbac.authorization.k8s.io/reader reconciled. reconciliation required recreate' +
        'rolebinding.rbac.authorization.k8s.io/reader configured. ' +
        missing('rolebindings'),
    )
    expect(getPath(await find(binding('')), 'roleRef', 'name')).toBe('writer')
    const lost = { ...role('get'), metadata: { name: 'reader', namespace: 'no-such-namespace' } }
    expect((await failure(cluster.apply(lost, clientSide))).message).toBe(
      'error running kubectl auth reconcile: error getting namespace no-such-namespace: ' +
        'namespaces "no-such-namespace" not found',
    )
  })

  it('takes the namespace off what has none', async () => {
    const name = `${namespace}-viewer`
    const target = object('rbac.authorization.k8s.io/v1', 'ClusterRole', name, { rules: [] })
    expect(await apply(target)).toContain(
      `clusterrole.rbac.authorization.k8s.io/${name} configured`,
    )
    const key = { ...keyOf(target), namespace: '' }
    const live = (await cluster.get(key, target.apiVersion))!
    expect(annotationsOf(live)[lastApplied]).not.toContain('"namespace"')
    await cluster.delete(key, target.apiVersion, { dryRun: 'none', propagation: 'Foreground' })
  })

  it('finds live objects and what hangs below them, by lists', async () => {
    const own = await freshNamespace(client, 'live')
    const tracked = (name: string, app?: string): Manifest => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        namespace: own,
        ...(app === undefined ? {} : { annotations: { 'example.com/app': app } }),
      },
    })
    const ours = await client.create(configMaps, tracked('ours', own), { namespace: own })
    await client.create(configMaps, tracked('theirs', 'other'), { namespace: own })
    await client.create(configMaps, tracked('free'), { namespace: own })
    await client.create(
      configMaps,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'child',
          namespace: own,
          annotations: { 'example.com/app': own },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: 'ours',
              uid: getPath(ours, 'metadata', 'uid') ?? '',
            },
          ],
        },
      },
      { namespace: own },
    )
    const query = {
      instance: own,
      instanceOf: (live: Manifest) => annotationsOf(live)['example.com/app'],
      targets: ['free', 'absent'].map((name) => ({ key: keyOf(tracked(name)), apiVersion: 'v1' })),
    }
    const live = await cluster.managedLiveObjects(query)
    expect(live.map((one) => keyOf(one).name).sort()).toEqual(['free', 'ours'])
    const below = await cluster.descendants(live)
    expect(below.map((one) => keyOf(one).name)).toEqual(['child'])
  })
})
