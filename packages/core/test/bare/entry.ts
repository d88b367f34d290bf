// What the built core must be able to do in a browser or a worker. Run by scripts/checks/bare.mjs.
import { previewApplication, renderApplication } from '../../src/app/index.ts'
import { type Application, defaultSettings } from '../../src/argo/index.ts'
import { memoryTree } from '../../src/files/index.ts'
import { assessHealth } from '../../src/health/index.ts'
import { scopeOfBuiltIn } from '../../src/kube/index.ts'

const tree = memoryTree({
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
  const outcome = await renderApplication(
    app,
    { sources },
    {
      settings: defaultSettings,
      facts: { kubeVersion: 'v1.36.1', apiVersions: [] },
    },
  )
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
  return {
    render: 'sources' in outcome ? true : outcome.failure.message,
    preview: names.join() === 'added Deployment/web' ? true : names.join(),
    'assess health': health === 'Healthy' ? true : String(health),
  }
}
