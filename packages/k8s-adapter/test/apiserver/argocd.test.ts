import type { Application, Operation } from '@litecd/core/argo'
import { getPath, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { ArgoObjects, applicationSets, applications, appProjects } from '../../src/argocd/index.ts'
import { configMaps, coreEvents, KubeClient, secrets } from '../../src/client/index.ts'
import { createEventSink } from '../../src/events/index.ts'

describe.skipIf(!canStartApiServer("Argo CD's objects"))(
  "Argo CD's objects on a real API server",
  () => {
    let client: KubeClient
    let namespace: string
    let argo: ArgoObjects
    const heard: string[] = []

    const app = (name: string, spec: JsonObject = {}): Manifest => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name },
      spec: {
        project: 'default',
        source: { repoURL: 'https://example.com/repo', path: 'app' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'here' },
        ...spec,
      },
    })
    const map = (
      name: string,
      data: JsonObject,
      labels: JsonObject = { 'app.kubernetes.io/part-of': 'argocd' },
    ): Manifest => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels },
      data,
    })
    const waitFor = (what: string): Promise<true> => eventually(what, () => heard.includes(what))

    beforeAll(async () => {
      client = await sharedClient()
      await installCrds(client)
      namespace = await freshNamespace(client, 'argocd')
      await client.create(
        configMaps,
        map('argocd-cm', { 'application.resourceTrackingMethod': 'label' }),
        { namespace },
      )
      await client.create(applications, app('first'), { namespace })
      argo = new ArgoObjects({
        client,
        namespace,
        environment: {},
        onApplication: (key, before, now) => {
          const what = before === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
          heard.push(`${what} ${key.replace(namespace, '$NS')}`)
        },
        onSurroundings: (what, name) => heard.push(`${what} ${name}`),
      })
      await argo.whenSynced()
    })
    afterAll(() => {
      argo.stop()
      client.close()
    })

    it('has definitions that refuse what means nothing', async () => {
      const { project: _, ...noProject } = app('bad')['spec'] as JsonObject
      await expect(
        client.create(applications, { ...app('bad'), spec: noProject }, { namespace }),
      ).rejects.toThrow('spec.project: Required value')
      await expect(
        client.create(applications, app('bad', { source: { path: 'x' } }), { namespace }),
      ).rejects.toThrow('spec.source.repoURL: Required value')
      await expect(
        client.create(
          applicationSets,
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            metadata: { name: 'bad' },
            spec: { generators: [] },
          },
          { namespace },
        ),
      ).rejects.toThrow('spec.template: Required value')
      const table = await client.request({
        method: 'GET',
        path: `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications`,
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      })
      const columns = getPath(table, 'columnDefinitions') as readonly JsonObject[]
      expect(columns.map((column) => column['name'])).toEqual([
        'Name',
        'Sync Status',
        'Health Status',
        'Revision',
        'Project',
      ])
    })

    it('keeps what it does not know', async () => {
      const odd = await client.create(applications, app('odd', { something: { new: 1 } }), {
        namespace,
      })
      expect(getPath(odd, 'spec', 'something')).toEqual({ new: 1 })
      await client.delete(applications, 'odd', { namespace })
    })

    it('follows Applications', async () => {
      expect([...argo.applications()].map(({ metadata }) => metadata.name)).toContain('first')
      expect(heard).toContain('added $NS/first')
      await client.create(applications, app('second'), { namespace })
      await waitFor('added $NS/second')
      const second = argo.application(`${namespace}/second`)!
      expect(second.spec.project).toBe('default')
      expect(second.metadata).not.toHaveProperty('managedFields')
      await client.delete(applications, 'second', { namespace })
      await waitFor('removed $NS/second')
      expect(argo.application(`${namespace}/second`)).toBeUndefined()
      expect(argo.application('elsewhere/first')).toBeUndefined()
    })

    it('patches and reads, and sees its own writes at once', async () => {
      const key = `${namespace}/first`
      for (let i = 0; i < 10; i++) {
        await argo.patch(key, { status: { sync: { status: 'Synced', revision: `${i}` } } })
        expect(argo.application(key)!.status?.sync?.revision).toBe(`${i}`)
      }
      await argo.patch(key, { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } } })
      await argo.patch(key, { metadata: { annotations: null } })
      const stored = (await argo.read(key))!
      expect(stored.metadata.annotations).toBeUndefined()
      expect(await argo.read(`${namespace}/nothing`)).toBeUndefined()
      expect(await argo.patch(`${namespace}/nothing`, {})).toBeUndefined()
    })

    it('starts one operation at a time, without the traces of the last one', async () => {
      const key = `${namespace}/first`
      await argo.patch(key, { status: { operationState: { phase: 'Failed', message: 'old' } } })
      const operation = { sync: { revision: 'abc' }, initiatedBy: { automated: true } } as Operation
      const both = await Promise.all([
        argo.startOperation(key, operation),
        argo.startOperation(key, operation),
      ])
      expect([...both].sort()).toEqual(['started', 'taken'])
      const stored = (await argo.read(key)) as Application
      expect(stored.operation).toEqual(operation)
      expect(stored.status?.operationState).toBeUndefined()
      expect(stored.status?.sync?.status).toBe('Synced')
      expect(await argo.startOperation(`${namespace}/nothing`, operation)).toBe('gone')
    })

    it('follows projects and settings', async () => {
      expect(argo.settings().settings.tracking.method).toBe('label')
      await client.patch(
        configMaps,
        'argocd-cm',
        'merge',
        { data: { 'application.resourceTrackingMethod': 'annotation' } },
        { namespace },
      )
      await waitFor('settings argocd-cm')
      expect(argo.settings().settings.tracking.method).toBe('annotation')
      const project = (description: string): Manifest => ({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'p' },
        spec: { description },
      })
      await client.create(appProjects, project('one'), { namespace })
      await waitFor('project p')
      expect(argo.project('p')?.spec).toEqual({ description: 'one' })
      expect(argo.project('q')).toBeUndefined()
    })

    it('does not see a ConfigMap without the label', async () => {
      await client.create(
        configMaps,
        map('argocd-cmd-params-cm', { 'application.namespaces': '*' }, {}),
        { namespace },
      )
      const elsewhere = await freshNamespace(client, 'elsewhere')
      await client.create(applications, app('far'), { namespace: elsewhere })
      await client.create(applications, app('near'), { namespace })
      await waitFor('added $NS/near')
      expect(argo.application(`${elsewhere}/far`)).toBeUndefined()
      await client.patch(
        configMaps,
        'argocd-cmd-params-cm',
        'merge',
        {
          metadata: { labels: { 'app.kubernetes.io/part-of': 'argocd' } },
          data: { 'application.namespaces': elsewhere },
        },
        { namespace },
      )
      await waitFor(`added ${elsewhere}/far`)
      expect(argo.application(`${elsewhere}/far`)?.metadata.name).toBe('far')
    })

    it('knows clusters by their Secrets', async () => {
      const home = 'https://kubernetes.default.svc'
      expect(argo.clusters()).toEqual([{ server: home, name: 'in-cluster' }])
      expect(argo.cluster(`${home}/`)?.connection).toBe(client.connection)
      const { server, credentials, ca } = client.connection
      const config = {
        bearerToken: credentials.token,
        tlsClientConfig: {
          caData: Buffer.from(ca!).toString('base64'),
          serverName: 'kubernetes.default.svc',
        },
      }
      const labels = { 'argocd.argoproj.io/secret-type': 'cluster' }
      const secret = (name: string, stringData: JsonObject): Manifest => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, labels },
        stringData,
      })
      await client.create(
        secrets,
        secret('far', {
          name: 'far',
          server: `${server}/`,
          config: JSON.stringify(config),
          namespaces: 'a, b',
        }),
        { namespace },
      )
      await client.create(
        secrets,
        secret('broken', { name: 'broken', server: 'https://broken', config: '{' }),
        { namespace },
      )
      await waitFor('cluster broken')
      expect(argo.clusters()).toEqual([
        { server, name: 'far' },
        { server: home, name: 'in-cluster' },
      ])
      const far = argo.cluster(server)!
      expect(far).toMatchObject({ name: 'far', namespaces: ['a', 'b'], clusterResources: false })
      const there = new KubeClient(far.connection)
      expect(await there.version()).toHaveProperty('gitVersion')
      there.close()
      expect(argo.cluster('https://nowhere')).toBeUndefined()
      await client.patch(
        configMaps,
        'argocd-cm',
        'merge',
        { data: { 'cluster.inClusterEnabled': 'false' } },
        { namespace },
      )
      await eventually('the switch', () => argo.cluster(home) === undefined)
      expect(argo.clusters()).toEqual([{ server, name: 'far' }])
    })

    it('writes events', async () => {
      const errors: string[] = []
      const sink = createEventSink({
        client,
        namespace,
        reasons: new Set(['ResourceUpdated', 'OperationStarted']),
        keepsLabel: (key) => key === 'team',
        onError: (error) => errors.push(error.message),
      })
      const regarding = await client.get(applications, 'first', { namespace })
      const labelled = {
        ...regarding,
        metadata: { ...(regarding['metadata'] as JsonObject), labels: { team: 'a', other: 'b' } },
      }
      sink.emit(labelled, {
        type: 'Normal',
        reason: 'ResourceUpdated',
        message: 'Updated sync status:  -> Synced',
      })
      sink.emit(labelled, {
        type: 'Normal',
        reason: 'ResourceUpdated',
        message: 'Updated health status:  -> Healthy',
      })
      sink.emit(labelled, { type: 'Normal', reason: 'StatusRefreshed', message: 'not wanted' })
      const events = await eventually('two events', async () => {
        const found = await client.list(coreEvents, {
          namespace,
          fieldSelector: 'involvedObject.name=first',
        })
        return found.items.length === 2 && found.items
      })
      const [one] = events
      expect(events.map((event) => event['message']).sort()).toEqual([
        'Updated health status:  -> Healthy',
        'Updated sync status:  -> Synced',
      ])
      expect(nameOf(one!)).toMatch(/^first\.[0-9a-f]{16}$/)
      expect(one).toMatchObject({
        metadata: {
          labels: { team: 'a' },
          annotations: {
            'dest-server': 'https://kubernetes.default.svc',
            'dest-namespace': 'here',
          },
        },
        source: { component: 'argocd-application-controller' },
        involvedObject: { kind: 'Application', name: 'first', namespace },
        count: 1,
        type: 'Normal',
        reason: 'ResourceUpdated',
      })
      const stranger = createEventSink({
        client: client.as({ user: 'nobody' }),
        namespace,
        onError: (error) => errors.push(error.message),
      })
      stranger.emit(regarding, { type: 'Warning', reason: 'X', message: 'x' })
      await eventually('the refusal', () => errors.length > 0)
      expect(errors[0]).toContain('cannot create resource "events"')
    })
  },
)
