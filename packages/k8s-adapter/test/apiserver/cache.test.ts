import type { LiveQuery } from '@litecd/core/adapters'
import { getPath, type JsonObject } from '@litecd/core/json'
import { annotationsOf, formatKey, keyOf, type Manifest, nameOf } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  podDriver,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { type CacheChange, ClusterCache } from '../../src/cache/index.ts'
import { configMaps, crds, KubeClient, type ResourceRef } from '../../src/client/index.ts'
import { createCluster } from '../../src/cluster/index.ts'

const deployments: ResourceRef = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
const claims: ResourceRef = {
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  namespaced: true,
}
const instanceOf = (live: Manifest): string | undefined => annotationsOf(live)['example.com/app']

describe.skipIf(!canStartApiServer('the watch cache'))('cache on a real API server', () => {
  let client: KubeClient
  let cache: ClusterCache
  let namespace: string
  const changes: CacheChange[] = []

  beforeAll(async () => {
    client = await sharedClient()
    namespace = await freshNamespace(client, 'cache')
    cache = new ClusterCache(client, {
      instanceOf,
      onChange: (change) => {
        if (change.key.namespace === namespace) changes.push(change)
      },
    })
    await cache.start()
  })
  afterAll(() => {
    cache.stop()
    client.close()
  })

  const configMap = (name: string, app?: string, data: JsonObject = {}): Manifest => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      ...(app === undefined ? {} : { annotations: { 'example.com/app': app } }),
    },
    data,
  })
  const query = (instance: string, targets: readonly Manifest[] = []): LiveQuery => ({
    instance,
    instanceOf,
    targets: targets.map((target) => ({ key: keyOf(target), apiVersion: target.apiVersion })),
  })
  const live = async (instance: string, targets: readonly Manifest[] = []): Promise<string[]> =>
    (await cache.managedLiveObjects(query(instance, targets)))
      .map((one) => formatKey(keyOf(one)).replace(namespace, '$NS'))
      .sort()
  const make = (object: Manifest, resource: ResourceRef = configMaps): Promise<Manifest> =>
    client.create(resource, object, { namespace })
  const seen = (name: string): readonly string[] =>
    changes
      .filter(({ key }) => key.name === name)
      .map(({ instances, root, before, now }) => {
        const what = before === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
        return `${what} ${root ? 'root' : 'child'} of ${instances.join('+') || 'nobody'}`
      })

  it('finds what an instance tracks, and what lies at its targets', async () => {
    await make(configMap('mine', 'one', { v: '1' }))
    await make(configMap('others', 'two'))
    await make(configMap('free'))
    await eventually('the objects', () => changes.length >= 3)
    const targets = [configMap('free'), configMap('absent'), configMap('others')]
    expect(await live('one', targets)).toEqual([
      '/ConfigMap/$NS/free',
      '/ConfigMap/$NS/mine',
      '/ConfigMap/$NS/others',
    ])
    expect(await live('one')).toEqual(['/ConfigMap/$NS/mine'])
    const [mine] = await cache.managedLiveObjects(query('one'))
    expect(mine).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { v: '1' } })
    expect(mine).toHaveProperty('metadata.managedFields')
  })

  it('tells what changed, and whom it concerns', async () => {
    await client.patch(configMaps, 'mine', 'merge', { data: { v: '2' } }, { namespace })
    await client.patch(configMaps, 'free', 'merge', { data: { v: '2' } }, { namespace })
    await client.delete(configMaps, 'others', { namespace })
    await eventually('the deletion', () => seen('others').length === 2)
    expect(seen('mine')).toEqual(['added root of one', 'changed root of one'])
    // Nobody tracks it, and of its metadata nothing has changed that is kept.
    expect(seen('free')).toEqual(['added root of nobody'])
    expect(seen('others')).toEqual(['added root of two', 'removed root of two'])
    const change = changes.filter(({ key }) => key.name === 'mine').at(-1)!
    expect([getPath(change.before, 'data', 'v'), getPath(change.now, 'data', 'v')]).toEqual([
      '1',
      '2',
    ])
  })

  it('sees a tracked object of a kind that nobody has asked for', async () => {
    await make(
      {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'lost', namespace, annotations: { 'example.com/app': 'one' } },
        spec: { limits: [] },
      },
      { group: '', version: 'v1', plural: 'limitranges', namespaced: true },
    )
    await eventually('the object', () => seen('lost').length > 0)
    const found = await cache.managedLiveObjects(query('one'))
    expect(found.find((one) => one.kind === 'LimitRange')).toHaveProperty('spec.limits')
  })

  it('knows children, their images, and their roots when they change', async () => {
    const driver = podDriver(client, { namespace })
    await driver.ready
    const web = await make(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace, annotations: { 'example.com/app': 'three' } },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: {
              initContainers: [{ name: 'i', image: 'init:1' }],
              containers: [{ name: 'a', image: 'web:1' }],
            },
          },
        },
      },
      deployments,
    )
    const below = await eventually('the pod', async () => {
      const found = await cache.descendants([web])
      return found.some((one) => one.kind === 'Pod') && found
    })
    expect(below.map((one) => one.kind)).toEqual(['ReplicaSet', 'Pod'])
    expect(getPath(below[1], 'spec')).toEqual({
      containers: [{ name: 'a', image: 'web:1' }],
      initContainers: [{ name: 'i', image: 'init:1' }],
    })
    const pod = nameOf(below[1]!)
    expect(seen(pod)).toEqual(['added child of three'])
    expect(await live('three')).toEqual(['apps/Deployment/$NS/web'])
    await client.delete(deployments, 'web', { namespace, propagationPolicy: 'Foreground' })
    await eventually(
      'the end',
      () => seen(pod).at(-1)?.startsWith('removed') && seen('web').at(-1)?.startsWith('removed'),
    )
    expect(await live('three')).toEqual([])
    driver.stop()
  })

  it('does not take the claims of a StatefulSet for roots', async () => {
    const labelled = { 'example.com/app': 'four' }
    await make(
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace, annotations: labelled },
        spec: {
          replicas: 0,
          serviceName: 'db',
          selector: { matchLabels: { app: 'db' } },
          template: {
            metadata: { labels: { app: 'db' } },
            spec: { containers: [{ name: 'a', image: 'a' }] },
          },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
            },
          ],
        },
      },
      { group: 'apps', version: 'v1', plural: 'statefulsets', namespaced: true },
    )
    for (const name of ['data-db-0', 'data-db-x']) {
      await make(
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name, namespace, annotations: labelled },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
        },
        claims,
      )
    }
    await eventually('the claims', () => seen('data-db-x').length > 0)
    expect(await live('four')).toEqual([
      '/PersistentVolumeClaim/$NS/data-db-x',
      'apps/StatefulSet/$NS/db',
    ])
    const set = (await cache.managedLiveObjects(query('four'))).find(
      (one) => one.kind === 'StatefulSet',
    )!
    const below = (await cache.descendants([set])).filter(
      ({ kind }) => kind !== 'ControllerRevision',
    )
    expect(below.map(nameOf)).toEqual(['data-db-0'])
  })

  it('reads an object again in the version of its target', async () => {
    const hpa = (version: string, spec: JsonObject): Manifest => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h', namespace, annotations: { 'example.com/app': 'five' } },
      spec,
    })
    const spec = {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
    }
    await make(hpa('v2', spec), {
      group: 'autoscaling',
      version: 'v2',
      plural: 'horizontalpodautoscalers',
      namespaced: true,
    })
    await eventually('the object', () => seen('h').length > 0)
    const [older] = await cache.managedLiveObjects(query('five', [hpa('v1', {})]))
    expect(older!.apiVersion).toBe('autoscaling/v1')
    const [preferred] = await cache.managedLiveObjects(query('five'))
    expect(preferred!.apiVersion).toBe('autoscaling/v2')
  })

  it('sees at once what was written through the cluster adapter', async () => {
    const cluster = createCluster({
      client,
      live: cache,
      onWrite: (key, written) => cache.wrote(key, written),
    })
    for (let i = 0; i < 20; i++) {
      await cluster.apply(configMap(`fast-${i}`, 'six', { v: `${i}` }), {
        dryRun: 'none',
        serverSide: i % 2 === 0,
        force: false,
        validate: true,
        fieldManager: 'x',
      })
      const found = await cluster.managedLiveObjects(query('six'))
      expect(found.map((one) => getPath(one, 'data', 'v'))).toContain(`${i}`)
    }
  })

  it('follows kinds that come and go', async () => {
    const group = `${namespace}.example.com`
    const thing: Manifest = {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 't', namespace, annotations: { 'example.com/app': 'seven' } },
    }
    const resource = { group, version: 'v1', plural: 'things', namespaced: true }
    expect(await live('seven', [thing])).toEqual([])
    await client.create(crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        names: { kind: 'Thing', plural: 'things' },
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
    })
    await eventually('a thing', () => make(thing, resource).catch(() => undefined))
    await eventually('the watch', async () => (await live('seven')).length === 1)
    expect(await live('seven')).toEqual([`$NS.example.com/Thing/${namespace}/t`])
    await client.delete(crds, `things.${group}`)
    await eventually('the end of the kind', async () => (await live('seven')).length === 0)
  })

  it('watches nothing but what is used, if told', async () => {
    const own = new KubeClient(client.connection)
    const small = new ClusterCache(own, { instanceOf, kinds: 'used' })
    await small.start()
    // A tracked object of a kind that nobody asked for is not seen; this is the price.
    expect(await small.managedLiveObjects(query('five'))).toEqual([])
    const found = await small.managedLiveObjects(query('one', [configMap('absent')]))
    expect(found.map(nameOf)).toEqual(['mine'])
    small.stop()
    own.close()
  })

  it('forgets the bodies of kinds that are no longer used', async () => {
    const before = cache.find(keyOf(configMap('mine')))
    expect(before).toHaveProperty('data')
    await cache.retain([])
    expect(cache.find(keyOf(configMap('mine')))).not.toHaveProperty('data')
    const [mine] = await cache.managedLiveObjects(query('one', [configMap('mine')]))
    expect(mine).toHaveProperty('data')
  })

  it('looks at everything anew when tracking changes', async () => {
    const label = (one: Manifest): string | undefined =>
      nameOf(one) === 'free' ? 'renamed' : undefined
    await cache.trackBy(label)
    expect(await live('renamed')).toContain('/ConfigMap/$NS/free')
    expect(await live('one')).toEqual([])
    await cache.trackBy(instanceOf)
  })

  it('fails, or leaves out, what it may not list', async () => {
    const stranger = client.as({ user: 'nobody', groups: ['system:authenticated'] })
    const strict = new ClusterCache(stranger, { instanceOf, server: 'https://registered' })
    const host = client.connection.server
    await expect(strict.managedLiveObjects(query('one'))).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(
        new RegExp(
          `^failed to get cluster info for "https://registered": error synchronizing cache state : ` +
            `failed to sync cluster ${host}: failed to load initial state of resource \\S+: ` +
            `failed to list resources: \\S+ is forbidden: User "nobody" cannot list resource `,
        ),
      ),
    })
    strict.stop()
    const lenient = new ClusterCache(stranger, { instanceOf, forbidden: 'drop' })
    expect(await lenient.managedLiveObjects(query('one'))).toEqual([])
    lenient.stop()
  })
})
