import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { application, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
          resources: {limits: {cpu: 0.5}}
---
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: hidden-value}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "team:web"}
`

const live = `apiVersion: v1
kind: List
items:
  - apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: web
      managedFields:
        - manager: kubectl-edit
          operation: Update
          apiVersion: apps/v1
          time: "2026-01-01T00:00:00Z"
          fieldsV1:
            f:spec: {f:template: {f:spec: {f:containers: {'k:{"name":"web"}': {f:image: {}}}}}}
    spec:
      replicas: 7
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          restartPolicy: Always
          containers:
            - name: web
              image: web:9
              resources: {limits: {cpu: 500m}}
  - apiVersion: v1
    kind: Secret
    metadata: {name: db, namespace: web}
    data: {password: b3RoZXItdmFsdWU=}
`

const ignoring = `  ignoreDifferences:
    - group: apps
      kind: Deployment
      jsonPointers: [/spec/replicas]
`

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'apps/web.yaml': application('web', 'web', ignoring),
    'web/all.yaml': deployment,
  })
  repository.commit('start')
  repository.write({ 'live.txt': live })
})

afterEach(() => repository.remove())

describe('litecd explain', () => {
  it('lists the objects of an Application with where they come from', async () => {
    const { code, out } = await repository.litecd('explain', 'web')
    expect({ code, out }).toEqual({
      code: 0,
      out: `Application argocd/web  apps/web.yaml:1
  apps/v1 Deployment web/web  web/all.yaml:1
  v1 Secret web/db  web/all.yaml:15
  rbac.authorization.k8s.io/v1 ClusterRole team:web  web/all.yaml:20
`,
    })
  })

  it('tells what made the fields of one object, however its name is written', async () => {
    const { out } = await repository.litecd('explain', 'web', 'clusterrole/team:web:metadata')
    expect(out).toBe(`Application argocd/web  apps/web.yaml:1

  rbac.authorization.k8s.io/v1 ClusterRole team:web  web/all.yaml:20
    metadata.name: team:web  ← line 22
    metadata.annotations["argocd.argoproj.io/tracking-id"]: web:rbac.authorization.k8s.io/ClusterRole:web/team:web  ← tracking
`)
  })

  it('tells how an object stands against a live one', async () => {
    const selector = 'Deployment/web:spec.replicas'
    const { code, out } = await repository.litecd(
      'explain',
      'web',
      selector,
      '--live-objects',
      'live.txt',
    )
    expect({ code, out }).toEqual({
      code: 0,
      out: `Application argocd/web  apps/web.yaml:1

  apps/v1 Deployment web/web  web/all.yaml:1  OutOfSync, Progressing
    spec.replicas: 2  ← line 5
    + metadata.annotations:
    +   argocd.argoproj.io/tracking-id: web:apps/Deployment:web/web
    ~ spec.template.spec.containers[name=web].image: web:9 → web:1
      live value set by kubectl-edit (Update, 2026-01-01T00:00:00Z)
      ← line 12
    = spec.replicas: ignored, spec.ignoreDifferences[0]: /spec/replicas
    = spec.template.spec.restartPolicy: a default of Kubernetes 1.36
    = spec.template.spec.containers[name=web].resources.limits.cpu: the same value, written differently
`,
    })
  })

  it.each([[[]], [['-o', 'json']], [['--live-objects', 'live.txt']]])(
    'keeps values of Secrets to itself (%j)',
    async (flags) => {
      const { out, err } = await repository.litecd('explain', 'web', 'Secret/db', ...flags)
      expect(out).toContain('password')
      expect(out + err).not.toMatch(/hidden-value|aGlkZGVu|b3RoZXI|other-value/)
    },
  )

  it.each<[string, readonly string[], string]>([
    ['no Application', [], 'which Application?'],
    ['an unknown Application', ['db'], 'there is no Application db here'],
    ['an unknown object', ['web', 'Service/web'], 'the Application renders no Service/web'],
    [
      'an unknown field',
      ['web', 'Deployment/web:spec.foo'],
      'Deployment/web has no field spec.foo',
    ],
    ['no path', ['web', 'Deployment/web:spec[name'], 'not a path from character 5 on'],
    ['no file', ['web', '--live-objects', 'gone'], '--live-objects gone'],
    ['two worlds', ['web', '--live', '--live-objects', 'live.txt'], 'exclude each other'],
    ['no cluster', ['web', '--live', '--kubeconfig', 'gone'], '--live'],
    ['no objects', ['web', '--live-objects', 'apps/web.txt'], '--live-objects apps/web.txt'],
  ])('refuses %s', async (_title, args, message) => {
    const { code, err } = await repository.litecd('explain', ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
