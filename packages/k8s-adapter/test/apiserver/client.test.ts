import { type ClusterError, LitecdError } from '@litecd/core/errors'
import { getPath, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  podDriver,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import {
  apiVersionsOf,
  type Change,
  configMaps,
  crds,
  Informer,
  KubeClient,
  loadKubeconfig,
  namespaces,
  type WatchEvent,
} from '../../src/client/index.ts'

const jobs = { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true }
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }

function configMap(name: string, data: JsonObject = {}): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

async function failure(promise: Promise<unknown>): Promise<ClusterError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof LitecdError) return error as ClusterError
    throw error
  }
  throw new Error('expected an error')
}

describe.skipIf(!canStartApiServer('the Kubernetes client'))('client on a real API server', () => {
  let client: KubeClient
  let namespace: string

  beforeAll(async () => {
    client = await sharedClient()
    namespace = await freshNamespace(client, 'client')
  })
  afterAll(() => client.close())

  it('creates, reads, updates, patches and deletes', async () => {
    const options = { namespace, fieldManager: 'tester' }
    const made = await client.create(configMaps, configMap('crud', { a: '1' }), options)
    expect(getPath(made, 'metadata', 'managedFields')).toMatchObject([{ manager: 'tester' }])
    expect((await client.get(configMaps, 'crud', { namespace }))['data']).toEqual({ a: '1' })

    const merged = await client.patch(
      configMaps,
      'crud',
      'merge',
      { data: { a: null, b: '2' } },
      options,
    )
    expect(merged['data']).toEqual({ b: '2' })
    const byJson = await client.patch(
      configMaps,
      'crud',
      'json',
      [{ op: 'replace', path: '/data/b', value: '3' }],
      options,
    )
    expect(byJson['data']).toEqual({ b: '3' })
    const applied = await client.patch(configMaps, 'crud', 'apply', configMap('crud', { c: '4' }), {
      namespace,
      fieldManager: 'other',
    })
    expect(applied['data']).toEqual({ b: '3', c: '4' })

    const stale = await failure(client.update(configMaps, 'crud', made, { namespace }))
    expect([stale.code, stale.status, stale.reason]).toEqual(['CLUSTER_CONFLICT', 409, 'Conflict'])
    const updated = await client.update(
      configMaps,
      'crud',
      { ...applied, data: { d: '5' } },
      options,
    )
    expect(updated['data']).toEqual({ d: '5' })

    const wrongUid = await failure(client.delete(configMaps, 'crud', { namespace, uid: 'nobody' }))
    expect(wrongUid.code).toBe('CLUSTER_CONFLICT')
    await client.delete(configMaps, 'crud', { namespace, dryRun: true })
    await client.delete(configMaps, 'crud', {
      namespace,
      uid: String(getPath(updated, 'metadata', 'uid')),
    })
    const gone = await failure(client.get(configMaps, 'crud', { namespace }))
    expect([gone.code, gone.message]).toEqual(['CLUSTER_NOT_FOUND', 'configmaps "crud" not found'])
  })

  it('says what the server says', async () => {
    const invalid = await failure(client.create(configMaps, configMap('Not a name'), { namespace }))
    expect(invalid).toMatchObject({
      code: 'CLUSTER_REFUSED',
      status: 422,
      reason: 'Invalid',
      retryable: false,
    })
    expect(invalid.message).toContain(
      'ConfigMap "Not a name" is invalid: metadata.name: Invalid value',
    )
    const unknown = { group: 'example.com', version: 'v1', plural: 'things', namespaced: true }
    const missing = await failure(client.get(unknown, 'x', { namespace }))
    expect(missing.message).toBe('the server could not find the requested resource')
    const nobody = new KubeClient({ ...client.connection, credentials: {} })
    const anonymous = await failure(nobody.list(configMaps, { namespace }))
    expect([anonymous.status, anonymous.reason]).toEqual([403, 'Forbidden'])
    nobody.close()
    const wrong = new KubeClient({ ...client.connection, credentials: { token: 'wrong' } })
    expect((await failure(wrong.version())).reason).toBe('Unauthorized')
    wrong.close()
  })

  it('does a dry run without storing', async () => {
    const made = await client.create(configMaps, configMap('dry'), { namespace, dryRun: true })
    expect(nameOf(made)).toBe('dry')
    expect((await failure(client.get(configMaps, 'dry', { namespace }))).status).toBe(404)
  })

  it('keeps integers beyond 2^53', async () => {
    const quota = { group: '', version: 'v1', plural: 'resourcequotas', namespaced: true }
    const big = 9007199254740993n
    const made = await client.create(
      quota,
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'big' },
        spec: { hard: { pods: big } },
      },
      { namespace },
    )
    expect(getPath(made, 'spec', 'hard', 'pods')).toBe('9007199254740993')
    const job = await client.create(
      jobs,
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'big' },
        spec: {
          activeDeadlineSeconds: big,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
        },
      },
      { namespace },
    )
    expect(getPath(job, 'spec', 'activeDeadlineSeconds')).toBe(big)
    await client.delete(jobs, 'big', { namespace, propagationPolicy: 'Background' })
  })

  it('lists in pages and gives items their kind', async () => {
    const own = await freshNamespace(client, 'pages')
    for (let i = 0; i < 7; i++)
      await client.create(configMaps, configMap(`c${i}`), { namespace: own })
    const sizes: number[] = []
    for await (const page of client.pages(configMaps, { namespace: own, limit: 3 })) {
      sizes.push(page.items.length)
    }
    expect(sizes).toEqual([3, 3, 1])
    const all = await client.list(configMaps, { namespace: own, limit: 2, metadataOnly: true })
    expect(all.items.map(nameOf)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'])
    expect(all.items[0]).not.toHaveProperty('data')
    const full = await client.list(configMaps, {
      namespace: own,
      fieldSelector: 'metadata.name=c3',
    })
    expect(full.items).toMatchObject([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c3' } },
    ])
  })

  it('watches from a version', async () => {
    const start = await client.list(configMaps, { namespace })
    const seen: WatchEvent[] = []
    const stop = new AbortController()
    const watching = (async () => {
      for await (const event of client.watch(configMaps, {
        namespace,
        resourceVersion: start.resourceVersion,
        signal: stop.signal,
      })) {
        seen.push(event)
      }
    })()
    await client.create(configMaps, configMap('w'), { namespace })
    await client.patch(configMaps, 'w', 'merge', { data: { k: 'é'.repeat(50_000) } }, { namespace })
    await client.delete(configMaps, 'w', { namespace })
    await eventually('three events', () => seen.filter((e) => e.type !== 'BOOKMARK').length === 3)
    expect(seen.map((event) => event.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    expect(getPath((seen[1] as { object: Manifest }).object, 'data', 'k')).toBe('é'.repeat(50_000))
    stop.abort(new Error('enough'))
    await expect(watching).rejects.toThrow('enough')
  })

  it('streams what exists before what changes', async () => {
    const own = await freshNamespace(client, 'stream')
    await client.create(configMaps, configMap('a'), { namespace: own })
    const events = client.watch(configMaps, { namespace: own, sendInitialEvents: true })
    expect((await events.next()).value).toMatchObject({
      type: 'ADDED',
      object: { kind: 'ConfigMap' },
    })
    expect((await events.next()).value).toMatchObject({ type: 'BOOKMARK', initialEventsEnd: true })
    await events.return(undefined)
  })

  it('impersonates', async () => {
    const somebody = client.as({ user: 'somebody', groups: ['some'], extra: { 'a/b': ['c'] } })
    const who = await somebody.create(
      {
        group: 'authentication.k8s.io',
        version: 'v1',
        plural: 'selfsubjectreviews',
        namespaced: false,
      },
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    )
    expect(getPath(who, 'status', 'userInfo')).toEqual({
      username: 'somebody',
      groups: ['some', 'system:authenticated'],
      extra: { 'a/b': ['c'] },
    })
    expect((await failure(somebody.list(configMaps, { namespace }))).status).toBe(403)
  })

  it('hears warnings', async () => {
    const warnings: string[] = []
    const noisy = new KubeClient(client.connection, { onWarning: (text) => warnings.push(text) })
    await noisy.create(
      deployments,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'w' },
        spec: {
          nonsense: 'a "quoted" word',
          selector: { matchLabels: { a: 'b' } },
          replicas: 0,
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'a', image: 'a' }] },
          },
        },
      },
      { namespace, fieldValidation: 'Warn' },
    )
    expect(warnings).toEqual(['unknown field "spec.nonsense"'])
    noisy.close()
  })

  it('discovers kinds, scopes, subresources and versions', async () => {
    const surface = await client.discovery.surface()
    const versions = apiVersionsOf(surface)
    expect(versions).toContain('v1/Pod')
    expect(versions).toContain('apps/v1')
    expect(versions).not.toContain('authorization.k8s.io/v1')
    const find = (group: string, kind: string, version?: string) =>
      client.discovery.find({ group, kind }, version)
    expect(await find('apps', 'Deployment')).toMatchObject({
      version: 'v1',
      plural: 'deployments',
      namespaced: true,
      subresources: expect.arrayContaining(['scale', 'status']),
    })
    expect(await find('', 'Namespace', 'v1')).toMatchObject({ namespaced: false })
    expect(await find('', 'Namespace', 'v2')).toBeUndefined()
    // The kind of a subresource is not a kind of its own.
    expect(await find('autoscaling', 'Scale')).toBeUndefined()
    expect((await client.version())['gitVersion']).toMatch(/^v1\.\d+\.\d+/)
  })

  it('finds a kind that came after it first looked', async () => {
    const kind = { group: `${namespace}.example.com`, kind: 'Thing' }
    expect(await client.discovery.find(kind)).toBeUndefined()
    await client.create(crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${kind.group}` },
      spec: {
        group: kind.group,
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Cluster',
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
    const found = await eventually('the new kind', () => client.discovery.find(kind))
    expect(found).toMatchObject({ plural: 'things', namespaced: false, version: 'v1' })
    await client.delete(crds, `things.${kind.group}`)
  })

  it('keeps a store that follows', async () => {
    const own = await freshNamespace(client, 'informer')
    await client.create(configMaps, configMap('old', { v: '1' }), { namespace: own })
    await client.create(configMaps, configMap('dull'), { namespace: own })
    const changes: string[] = []
    const informer = new Informer<string>(client, configMaps, {
      namespace: own,
      keep: (object) => getPath(object, 'data', 'v') as string | undefined,
      onChange: ({ name, before, now, synced }: Change<string>) =>
        changes.push(`${name} ${before} ${now} ${synced}`),
    })
    await informer.whenSynced()
    expect([...informer.values()]).toEqual(['1'])
    expect([informer.has(own, 'dull'), informer.get(own, 'dull'), informer.size]).toEqual([
      true,
      undefined,
      2,
    ])
    const put = await client.patch(
      configMaps,
      'old',
      'merge',
      { data: { v: '2' } },
      { namespace: own },
    )
    informer.put(put)
    expect(informer.get(own, 'old')).toBe('2')
    await client.delete(configMaps, 'old', { namespace: own })
    await eventually('the deletion', () => !informer.has(own, 'old'))
    expect(changes).toEqual(['old undefined 1 false', 'old 1 2 true', 'old 2 undefined true'])
    informer.stop()
  })

  it('goes on after its connection is cut', async () => {
    const own = await freshNamespace(client, 'cut')
    const fragile = new KubeClient(client.connection)
    const errors: string[] = []
    const informer = new Informer<string>(fragile, configMaps, {
      namespace: own,
      keep: nameOf,
      onError: (error) => errors.push(error.code),
    })
    await informer.whenSynced()
    fragile.close()
    await client.create(configMaps, configMap('meanwhile'), { namespace: own })
    await eventually('the object made meanwhile', () => informer.get(own, 'meanwhile'))
    expect(errors).toEqual(['CLUSTER_UNREACHABLE'])
    informer.stop()
    fragile.close()
  })

  it('opens more connections than one when many streams are wanted', async () => {
    const stop = new AbortController()
    const crowd = new KubeClient(client.connection)
    // The API server allows 100 streams on a connection; the others must not wait for their end.
    const watches = Array.from({ length: 260 }, () =>
      crowd.watch(configMaps, { namespace, sendInitialEvents: true, signal: stop.signal }),
    )
    await Promise.all(watches.map((watch) => watch.next()))
    await crowd.get(namespaces, namespace)
    stop.abort(new Error('enough'))
    crowd.close()
  })

  it('says that nobody answers', async () => {
    const connection = { server: 'https://127.0.0.1:1', credentials: {} }
    const error = await failure(new KubeClient(connection).version())
    expect(error).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retryable: true, status: 0 })
    expect(error.message).toBe(
      'Get "https://127.0.0.1:1/version": dial tcp 127.0.0.1:1: connect: connection refused',
    )
  })

  it('checks the certificate of the server, under another name if told', async () => {
    const { server, credentials, ca } = client.connection
    const strange = new KubeClient({ server, credentials })
    expect((await failure(strange.version())).message).toContain(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    )
    const named = { server, credentials, ca: ca! }
    const right = new KubeClient({ ...named, tlsServerName: 'kubernetes.default.svc' })
    expect(await right.version()).toHaveProperty('gitVersion')
    const wrong = new KubeClient({ ...named, tlsServerName: 'example.com' })
    expect((await failure(wrong.version())).code).toBe('CLUSTER_UNREACHABLE')
    const careless = new KubeClient({ server, credentials, insecureSkipTlsVerify: true })
    expect(await careless.version()).toHaveProperty('gitVersion')
    for (const one of [strange, right, wrong, careless]) one.close()
  })

  it('reads the kubeconfig of the server', async () => {
    const { kubeconfigPath, url } = await sharedApiServer()
    expect((await loadKubeconfig({ path: kubeconfigPath })).server).toBe(url)
  })

  it('drives pods to their fates', async () => {
    const own = await freshNamespace(client, 'fate')
    const driver = podDriver(client, { namespace: own })
    await driver.ready
    const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true }
    const pod = (name: string, restartPolicy: string, fate?: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, ...(fate === undefined ? {} : { annotations: { 'test/fate': fate } }) },
      spec: { restartPolicy, containers: [{ name: 'main', image: 'example.com/a:1' }] },
    })
    for (const one of [
      pod('run', 'Always'),
      pod('end', 'Never'),
      pod('fail', 'Never', 'fail'),
      pod('hang', 'Always', 'hang'),
      pod('badimage', 'Always', 'badimage'),
    ]) {
      await client.create(pods, one, { namespace: own })
    }
    await client.create(
      deployments,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'a', image: 'a' }] },
          },
        },
      },
      { namespace: own },
    )
    await client.create(
      jobs,
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'task' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
        },
      },
      { namespace: own },
    )
    const phase = async (name: string) =>
      getPath(await client.get(pods, name, { namespace: own }), 'status', 'phase')
    await eventually('run', async () => (await phase('run')) === 'Running')
    await eventually('end', async () => (await phase('end')) === 'Succeeded')
    await eventually('fail', async () => (await phase('fail')) === 'Failed')
    await eventually('a ready Deployment', async () => {
      const web = await client.get(deployments, 'web', { namespace: own })
      return getPath(web, 'status', 'readyReplicas') === 2
    })
    await eventually('a complete Job', async () => {
      const task = await client.get(jobs, 'task', { namespace: own })
      return getPath(task, 'status', 'succeeded') === 1 && getPath(task, 'status', 'completionTime')
    })
    expect([await phase('hang'), await phase('badimage')]).toEqual(['Pending', 'Pending'])
    await client.delete(namespaces, own)
    await eventually('the end of the namespace', async () => {
      try {
        await client.get(namespaces, own)
        return false
      } catch {
        return true
      }
    })
    driver.stop()
  })
})
