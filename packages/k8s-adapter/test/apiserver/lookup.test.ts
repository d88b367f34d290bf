import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LookupQuery } from '@litecd/core/adapters'
import { renderApplication } from '@litecd/core/app'
import { defaultSettings } from '@litecd/core/argo'
import { memoryTree } from '@litecd/core/files'
import { getPath, type JsonObject, parseJson, setPath } from '@litecd/core/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  freshNamespace,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { findBinary, haveBinaries } from '../../../../test/binaries.ts'
import { configMaps, type KubeClient, secrets } from '../../src/client/index.ts'
import { createCluster } from '../../src/cluster/index.ts'

const chartFile = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
const template = [
  '{{- $found := lookup .Values.v .Values.k .Values.ns .Values.name }}',
  'apiVersion: v1',
  'kind: ConfigMap',
  'metadata: {name: shown}',
  'data:',
  '  json: {{ toJson $found | b64enc | quote }}',
  '  types: "{{ typeOf $found.items }} {{ with $found.spec }}{{ typeOf .replicas }} {{ .replicas }}{{ end }}"',
  '',
].join('\n')

const canRun = canStartApiServer('lookup in charts') && haveBinaries('lookup beside helm', ['helm'])

describe.skipIf(!canRun)('lookup on a real API server, beside helm', () => {
  let client: KubeClient
  let dir: string
  let namespace: string
  let other: string

  beforeAll(async () => {
    const server = await sharedApiServer()
    client = await sharedClient()
    namespace = await freshNamespace(client, 'lookup')
    other = await freshNamespace(client, 'lookup-other')
    dir = mkdtempSync(join(tmpdir(), 'litecd-lookup-'))
    mkdirSync(join(dir, 'web', 'templates'), { recursive: true })
    writeFileSync(join(dir, 'web', 'Chart.yaml'), chartFile)
    writeFileSync(join(dir, 'web', 'templates', 'out.yaml'), template)
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      clusters: [{ name: 'x', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'x', user: { token: server.token } }],
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    }
    writeFileSync(join(dir, 'kubeconfig'), JSON.stringify(config))
    const label = { 'lookup-test': namespace }
    for (const [place, name] of [
      [namespace, 'one'],
      [namespace, 'two'],
      [other, 'three'],
    ] as const) {
      const metadata = { name, namespace: place, labels: label }
      await client.create(
        configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: name } },
        { namespace: place },
      )
    }
    await client.create(
      secrets,
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'hidden', namespace },
        stringData: { a: 'b' },
      },
      { namespace },
    )
    await client.request({
      method: 'POST',
      path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'none' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      },
    })
  })
  afterAll(() => {
    client.close()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Data of the rendered ConfigMap, with what was found as JSON; or the end of the error. */
  const shown = (data: { readonly json?: unknown; readonly types?: unknown }): unknown => {
    const found = parseJson(Buffer.from(String(data.json), 'base64').toString())
    const version = getPath(found, 'metadata', 'resourceVersion')
    // that of a list counts every write to the server
    const isList = getPath(found, 'items') !== undefined && typeof version === 'string'
    return {
      found: isList ? setPath(found as JsonObject, ['metadata', 'resourceVersion'], 'N') : found,
      types: data.types,
    }
  }
  const calling = (text: string): string =>
    /error calling lookup: .*/.exec(text)?.[0].trimEnd() ?? text

  async function theirs({ apiVersion, kind, namespace: ns, name }: LookupQuery): Promise<unknown> {
    const values = Object.entries({ v: apiVersion, k: kind, ns, name }).flatMap(([key, value]) => [
      '--set-literal',
      `${key}=${value}`,
    ])
    const flags = ['--dry-run=server', '--kubeconfig', join(dir, 'kubeconfig')]
    try {
      const { stdout } = await promisify(execFile)(
        findBinary('helm')!,
        ['template', 'r', join(dir, 'web'), ...flags, ...values],
        { maxBuffer: 1 << 26 },
      )
      const field = (key: string): string | undefined =>
        new RegExp(`^  ${key}: "(.*)"$`, 'm').exec(stdout)?.[1]
      return shown({ json: field('json'), types: field('types') })
    } catch (error) {
      return calling((error as { readonly stderr: string }).stderr)
    }
  }

  async function ours(
    { apiVersion, kind, namespace: ns, name }: LookupQuery,
    granted: 'objects' | 'secrets' | 'cluster',
  ): Promise<unknown> {
    const tree = memoryTree({ 'web/Chart.yaml': chartFile, 'web/templates/out.yaml': template })
    const outcome = await renderApplication(
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'web', namespace: 'argocd' },
        spec: {
          project: 'default',
          destination: { server: 'https://kubernetes.default.svc', namespace },
          source: {
            repoURL: 'https://git.example.com/x',
            path: 'web',
            helm: { valuesObject: { v: apiVersion, k: kind, ns, name } },
          },
        },
      },
      {
        sources: { resolve: async () => 'a'.repeat(40), fetch: async () => tree },
        cluster: createCluster({ client }),
        templates: { lookup: granted },
      },
      { settings: defaultSettings, facts: { kubeVersion: 'v1.36.1', apiVersions: [] } },
    )
    if ('failure' in outcome) return calling(outcome.failure.message.split('\n\n')[0]!)
    return shown(getPath(outcome.sources[0]!.manifests[0]!.manifest, 'data') as object)
  }

  const query = (text: string): LookupQuery => {
    const [apiVersion = '', kind = '', ns = '', name = ''] = text.split(' ')
    const place = { NS: namespace, OTHER: other }[ns] ?? ns
    return { apiVersion, kind, namespace: place === '-' ? '' : place, name }
  }

  it.each([
    'v1 ConfigMap NS',
    'v1 ConfigMap OTHER',
    'v1 ConfigMap -',
    'v1 ConfigMap NS one',
    'v1 ConfigMap NS none',
    'v1 ConfigMap - one',
    'v1 Secret NS',
    'v1 Pod NS',
    'v1 Namespace -',
    'v1 Namespace NS NS',
    'v1 Namespace - default',
    'apps/v1 Deployment NS',
    'apps/v1 Deployment NS none',
    'v1 ConfigMap nowhere',
    'v1 Unknown NS x',
    'none.example.com/v1 Thing NS',
    'none.example.com/v1 Thing NS x',
    'a/b/c Thing NS',
    'v1 ConfigMap NS a/b',
    'v1 ConfigMap a/b',
    'authorization.k8s.io/v1 SubjectAccessReview -',
  ])(
    'gives what helm gives: %s',
    async (text) => {
      const wanted = query(text)
      // what other tests write at the same time may come between the two
      for (let attempt = 1; ; attempt++) {
        const [want, got] = [await theirs(wanted), await ours(wanted, 'cluster')]
        if (attempt < 9 && JSON.stringify(want) !== JSON.stringify(got)) continue
        expect(got).toEqual(want)
        break
      }
    },
    30_000,
  )

  it('keeps to the destination namespace unless the cluster is granted', async () => {
    const nothing = await ours(query('v1 ConfigMap NS none'), 'objects')
    expect(nothing).toMatchObject({ found: {} })
    for (const text of [
      'v1 ConfigMap OTHER',
      'v1 ConfigMap -',
      'v1 Namespace NS',
      'v1 Secret NS',
    ]) {
      expect([text, await ours(query(text), 'objects')]).toEqual([text, nothing])
    }
    expect(await ours(query('v1 Secret NS'), 'secrets')).toEqual(
      await theirs(query('v1 Secret NS')),
    )
    expect(await ours(query('v1 ConfigMap NS'), 'objects')).toEqual(
      await theirs(query('v1 ConfigMap NS')),
    )
  })
})
