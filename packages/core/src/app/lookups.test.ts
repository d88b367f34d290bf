import { describe, expect, it } from 'vitest'
import type { Chance, LookupQuery, TemplateWorld } from '../adapters/index.ts'
import { type Application, defaultSettings } from '../argo/index.ts'
import { ClusterError } from '../errors/index.ts'
import { memoryTree } from '../files/index.ts'
import type { JsonObject } from '../json/index.ts'
import { type Manifest, nameOf, namespaceOf, type ResourceKey } from '../kube/index.ts'
import { renderApplication } from './render.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    source: { repoURL: 'https://git.example.com/x', path: 'web' },
  },
}

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: out}\ndata:\n  found: ${data}\n`

const live: readonly Manifest[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'web' },
    data: { to: 'b' },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'b', namespace: 'web' },
    data: { to: 'end' },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'other' },
    data: { to: 'x' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'web' },
    data: { to: 'c2g=' },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'web' },
    spec: { replicas: 4 },
  },
]

/** What the template made of its look-ups, or the failure; and which objects the cluster was asked for. */
async function rendered(
  template: string,
  templates: TemplateWorld | undefined,
  get?: (key: ResourceKey) => Promise<Manifest | undefined>,
  lookup?: (query: LookupQuery) => Promise<JsonObject | undefined>,
): Promise<{ readonly found: unknown; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const tree = memoryTree({
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/templates/out.yaml': template,
  })
  const outcome = await renderApplication(
    app,
    {
      sources: { resolve: async () => 'a'.repeat(40), fetch: async () => tree },
      cluster: {
        ...(lookup === undefined ? {} : { lookup }),
        get: async (key, apiVersion) => {
          asked.push(`${apiVersion} ${key.kind} ${key.namespace}/${key.name}`)
          if (get !== undefined) return get(key)
          return live.find(
            (object) =>
              object.kind === key.kind &&
              nameOf(object) === key.name &&
              namespaceOf(object) === key.namespace,
          )
        },
      },
      ...(templates === undefined ? {} : { templates }),
    },
    { settings: defaultSettings, facts: { kubeVersion: 'v1.36.1', apiVersions: [] } },
  )
  if ('failure' in outcome) return { found: outcome.failure.message, asked }
  const out = outcome.sources[0]!.manifests[0]!
  return { found: (out.manifest['data'] as { readonly found?: unknown }).found, asked }
}

describe('lookup in charts', () => {
  const one = configMap('{{ dig "data" "to" "none" (lookup "v1" "ConfigMap" "web" "a") }}')

  it('is empty unless it is granted', async () => {
    expect(await rendered(one, undefined)).toEqual({ found: 'none', asked: [] })
    expect(await rendered(one, {})).toEqual({ found: 'none', asked: [] })
  })

  it('finds an object of the destination namespace', async () => {
    expect(await rendered(one, { lookup: 'objects' })).toEqual({
      found: 'b',
      asked: ['v1 ConfigMap web/a'],
    })
    const number = configMap(
      '{{ (lookup "apps/v1" "Deployment" "web" "d").spec.replicas | quote }}',
    )
    expect(await rendered(number, { lookup: 'objects' })).toMatchObject({ found: '4' })
  })

  it('may follow what was found before, asking once for each', async () => {
    const chain = configMap(
      '{{ $a := lookup "v1" "ConfigMap" "web" "a" }}{{ with $a }}{{ (lookup "v1" "ConfigMap" "web" .data.to).data.to }}{{ end }}',
    )
    const guarded = configMap(
      '{{ $a := lookup "v1" "ConfigMap" "web" "a" }}{{ with $a }}{{ dig "data" "to" "" (lookup "v1" "ConfigMap" "web" .data.to) }}{{ end }}',
    )
    const want = { found: 'end', asked: ['v1 ConfigMap web/a', 'v1 ConfigMap web/b'] }
    for (const template of [chain, guarded]) {
      expect(await rendered(template, { lookup: 'objects' })).toEqual(want)
    }
  })

  it('is answered before a chart may fail for want of it', async () => {
    const must = configMap(
      '{{ required "no a" (dig "data" "to" "" (lookup "v1" "ConfigMap" "web" "a")) }}',
    )
    expect(await rendered(must, { lookup: 'objects' })).toMatchObject({ found: 'b' })
    expect((await rendered(must, undefined)).found).toContain('no a')
  })

  it.each([
    ['another namespace', '"v1" "ConfigMap" "other" "a"'],
    ['cluster-scoped objects', '"v1" "Namespace" "" "web"'],
    ['lists', '"v1" "ConfigMap" "web" ""'],
    ['Secrets', '"v1" "Secret" "web" "s"'],
  ])('does not find %s', async (_, query) => {
    const template = configMap(`{{ lookup ${query} | empty | quote }}`)
    expect(await rendered(template, { lookup: 'objects' })).toEqual({ found: 'true', asked: [] })
  })

  it('finds Secrets where they are granted, of the destination namespace only', async () => {
    const secret = configMap('{{ dig "data" "to" "none" (lookup "v1" "Secret" "web" "s") }}')
    expect(await rendered(secret, { lookup: 'secrets' })).toMatchObject({ found: 'c2g=' })
    const other = configMap('{{ lookup "v1" "Secret" "other" "s" | empty | quote }}')
    expect(await rendered(other, { lookup: 'secrets' })).toEqual({ found: 'true', asked: [] })
  })

  it('tells that the cluster does not answer', async () => {
    const broken = async (): Promise<never> => {
      throw new ClusterError('CLUSTER_UNREACHABLE', 'connection refused', { status: 0, reason: '' })
    }
    expect((await rendered(one, { lookup: 'objects' }, broken)).found).toContain(
      'connection refused',
    )
  })

  it('ends where a chart asks for ever more', async () => {
    const many = configMap(
      '{{ range until 501 }}{{ $x := lookup "v1" "ConfigMap" "web" (printf "n%d" .) }}{{ end }}x',
    )
    expect((await rendered(many, { lookup: 'objects' })).found).toContain(
      'templates look up more than 500 live objects',
    )
  })
})

describe('lookup of a host that has lists', () => {
  const named = (apiVersion: string, kind: string, name: string, namespace?: string): Manifest => ({
    apiVersion,
    kind,
    metadata: namespace === undefined ? { name } : { name, namespace },
  })
  /** Answers as an API server does: kinds of the whole cluster do not heed the namespace. */
  const objects: readonly Manifest[] = [...live, named('v1', 'Node', 'n'), named('v1', 'Node', 'm')]
  const server = async (query: LookupQuery): Promise<JsonObject | undefined> => {
    const { apiVersion, kind, namespace, name } = query
    if (kind === 'Secret' && namespace === '') {
      const message = 'secrets is forbidden: User "x" cannot list resource "secrets"'
      throw new ClusterError('CLUSTER_REFUSED', message, { status: 403, reason: 'Forbidden' })
    }
    const items = objects.filter(
      (object) =>
        object.kind === kind &&
        (name === '' || nameOf(object) === name) &&
        (namespace === '' || kind === 'Node' || namespaceOf(object) === namespace),
    )
    return name === '' ? { apiVersion, kind: `${kind}List`, metadata: {}, items } : items[0]
  }
  const names = (query: string): string =>
    configMap(
      `"{{ $l := lookup ${query} }}{{ $l.kind }} {{ range $l.items }}{{ .metadata.name }} {{ end }}{{ with $l.metadata }}{{ .name }}{{ end }}"`,
    )
  const found = async (query: string, granted: TemplateWorld['lookup']): Promise<unknown> =>
    (await rendered(names(query), { lookup: granted! }, undefined, server)).found

  it.each<readonly [string, string, TemplateWorld['lookup'], string]>([
    ['a list of the namespace', '"v1" "ConfigMap" "web" ""', 'objects', 'ConfigMapList a b '],
    ['an empty list', '"v1" "Service" "web" ""', 'objects', 'ServiceList '],
    ['a list of all namespaces', '"v1" "ConfigMap" "" ""', 'cluster', 'ConfigMapList a b a '],
    ['no list of all namespaces unless granted', '"v1" "ConfigMap" "" ""', 'secrets', ' '],
    ['no list of another namespace unless granted', '"v1" "ConfigMap" "other" ""', 'objects', ' '],
    ['a list of another namespace', '"v1" "ConfigMap" "other" ""', 'cluster', 'ConfigMapList a '],
    ['no Secrets among objects', '"v1" "Secret" "web" ""', 'objects', ' '],
    ['Secrets', '"v1" "Secret" "web" ""', 'secrets', 'SecretList s '],
    ['nothing of the whole cluster under a namespace', '"v1" "Node" "web" ""', 'secrets', ' '],
    ['no object of the whole cluster under a namespace', '"v1" "Node" "web" "n"', 'objects', ' '],
    ['objects of the whole cluster', '"v1" "Node" "" "n"', 'cluster', 'Node n'],
    ['lists of the whole cluster', '"v1" "Node" "" ""', 'cluster', 'NodeList n m '],
  ])('gives %s', async (_, query, granted, want) => {
    expect(await found(query, granted)).toBe(want)
  })

  it('fails the template where the server refuses', async () => {
    const template = configMap('"{{ lookup "v1" "Secret" "" "" }}"')
    const { found } = await rendered(template, { lookup: 'cluster' }, undefined, server)
    expect(found).toContain('error calling lookup: secrets is forbidden: User "x" cannot list')
    expect(found).toContain('web/templates/out.yaml:5:13')
  })

  it('gives whole numbers as Kubernetes reads them', async () => {
    const template = configMap(
      '"{{ with (lookup "apps/v1" "Deployment" "web" "d").spec.replicas }}{{ typeOf . }}{{ end }}"',
    )
    // the first round finds nothing, and nil has no fields
    const guarded = template
      .replace('(lookup', '(dict "spec" dict | merge (lookup')
      .replace('"d")', '"d"))')
    expect((await rendered(guarded, { lookup: 'objects' }, undefined, server)).found).toBe('int64')
  })

  it('ends where lists are endless', async () => {
    const many = async (): Promise<JsonObject> => ({
      kind: 'ConfigMapList',
      items: Array.from({ length: 20_001 }, () => named('v1', 'ConfigMap', 'x', 'web')),
    })
    const template = names('"v1" "ConfigMap" "web" ""')
    expect((await rendered(template, { lookup: 'objects' }, undefined, many)).found).toContain(
      'templates look up lists of more than 20000 live objects',
    )
  })
})

describe('chance in charts', () => {
  const random = configMap('{{ randAlphaNum 20 }}-{{ now | unixEpoch }}')

  it('follows from the Application and the chart', async () => {
    const { found } = await rendered(random, undefined)
    expect(await rendered(random, undefined)).toMatchObject({ found })
  })

  it('is real where a host gives it', async () => {
    let byte = 0
    const chance: Chance = {
      stream: () => ({ bytes: (count) => new Uint8Array(count).fill(byte++) }),
      now: () => ({ unixSeconds: 1_700_000_000 + byte, nanos: 0 }),
    }
    const first = await rendered(random, { chance })
    expect(first.found).toMatch(/^[0-9a-zA-Z]{20}-17000000\d\d$/)
    expect((await rendered(random, { chance })).found).not.toBe(first.found)
  })
})
