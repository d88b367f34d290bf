// What the built core must be able to do in a browser or a worker. Run by scripts/checks/bare.mjs.
import { previewApplication, renderApplication } from '../../src/app/index.ts'
import { type Application, defaultSettings } from '../../src/argo/index.ts'
import { memoryTree } from '../../src/files/index.ts'
import { assessHealth } from '../../src/health/index.ts'
import { nameOf, scopeOfBuiltIn } from '../../src/kube/index.ts'

const tree = memoryTree({
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n',
  'program/a.jsonnet':
    "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: std.join('-', ['a', 'b'])}}",
  'web/deployment.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n',
})
const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: 'default',
    source: { repoURL: 'https://example.com/x.git', path: 'web' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
  },
}

/** Each entry is true, or says what came out instead. */
export async function run(): Promise<{ readonly [what: string]: true | string }> {
  const sources = { resolve: async () => 'a'.repeat(40), fetch: async () => tree }
  const options = {
    settings: defaultSettings,
    facts: { kubeVersion: 'v1.36.1', apiVersions: [] },
  }
  const at = (path: string): Application => ({
    ...app,
    spec: { ...app.spec, source: { repoURL: 'https://example.com/x.git', path } },
  })
  /** The names of what the folder renders to, or why it does not. */
  const named = async (path: string): Promise<string> => {
    const rendered = await renderApplication(at(path), { sources }, options)
    if (!('sources' in rendered)) return rendered.failure.message
    return rendered.sources
      .flatMap(({ manifests }) => manifests.map(({ manifest }) => nameOf(manifest)))
      .join()
  }
  const outcome = await renderApplication(app, { sources }, options)
  const preview = previewApplication(
    undefined,
    { app, outcome },
    {
      settings: defaultSettings,
      facts: { scopeOf: scopeOfBuiltIn },
    },
  )
  const names = preview.objects.map(
    (object) => `${object.change} ${object.key.kind}/${object.key.name}`,
  )
  const health = assessHealth({ apiVersion: 'v1', kind: 'Service', spec: {} }).health?.status
  const chart = await named('chart')
  const program = await named('program')
  return {
    'render a chart': chart === 'web' ? true : chart,
    'evaluate Jsonnet': program === 'a-b' ? true : program,
    render: 'sources' in outcome ? true : outcome.failure.message,
    preview: names.join() === 'added Deployment/web' ? true : names.join(),
    'assess health': health === 'Healthy' ? true : String(health),
  }
}
