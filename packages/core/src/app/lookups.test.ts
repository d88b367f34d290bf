import { describe, expect, it } from 'vitest'
import type { Chance, TemplateWorld } from '../adapters/index.ts'
import { type Application, defaultSettings } from '../argo/index.ts'
import { ClusterError } from '../errors/index.ts'
import { memoryTree } from '../files/index.ts'
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
