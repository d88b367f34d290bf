import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings } from '../argo/index.ts'
import { memoryTree } from '../files/index.ts'
import { scopeOfBuiltIn } from '../kube/index.ts'
import { previewApplication } from './preview.ts'
import { renderApplication } from './render.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    source: { repoURL: 'https://git.example.com/x', path: 'web' },
    ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
  },
}

const deployment = (replicas: string, image: string, extra: string): string => `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: other
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: sidecar
          image: sidecar:1
        - name: web
          image: ${image}
${extra}`

async function side(text: string) {
  const tree = memoryTree({ 'web/all.yaml': text })
  const outcome = await renderApplication(
    app,
    { sources: { resolve: async () => 'a'.repeat(40), fetch: async () => tree } },
    {
      settings: defaultSettings,
      facts: { kubeVersion: 'v1.36.1', apiVersions: [] },
      traceFields: true,
    },
  )
  return { app, outcome }
}

describe('explained changes', () => {
  it('tell the line of a manifest, of the base for what is gone, and the rule that ignores', async () => {
    const base = await side(deployment('2', 'web:1', '          workingDir: /srv\n'))
    const head = await side(deployment('3', 'web:2', ''))
    const preview = previewApplication(base, head, {
      settings: defaultSettings,
      facts: { scopeOf: scopeOfBuiltIn },
      explain: true,
    })
    const [object] = preview.objects
    const told = object?.fields.map(({ path }, index) => [
      path.at(-1),
      object.explanations?.[index],
    ])
    const written = (line: number, column: number) => ({
      causes: [
        { kind: 'resource', text: 'as written', position: { path: 'web/all.yaml', line, column } },
      ],
    })
    expect(told).toEqual([
      ['replicas', { ...written(12, 3), ignoredBy: 'spec.ignoreDifferences[0]' }],
      ['image', written(21, 11)],
      ['workingDir', written(22, 11)],
    ])
  })

  it('are left out unless asked for', async () => {
    const base = await side(deployment('2', 'web:1', ''))
    const head = await side(deployment('3', 'web:1', ''))
    const options = { settings: defaultSettings, facts: { scopeOf: scopeOfBuiltIn } }
    expect(previewApplication(base, head, options).objects[0]).not.toHaveProperty('explanations')
  })
})
