import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { application, configMap, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'apps/web.yaml': application('web', 'web'),
    'apps/db.yaml': application('db', 'db'),
    'web/a.yaml': configMap('a'),
    'web/role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r, namespace: wrong}\n',
    'db/s.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: hidden-value}\n',
  })
  repository.commit('start')
})

afterEach(() => repository.remove())

describe('litecd render', () => {
  it('prints one Application as it would be sent to the cluster', async () => {
    const { code, out } = await repository.litecd('render', '--app', 'web')
    expect(code).toBe(0)
    expect(out).toBe(`---
apiVersion: v1
data:
  a: "1"
kind: ConfigMap
metadata:
  annotations:
    argocd.argoproj.io/tracking-id: web:/ConfigMap:web/a
  name: a
  namespace: web
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  annotations:
    argocd.argoproj.io/tracking-id: web:rbac.authorization.k8s.io/ClusterRole:web/r
  name: r
`)
  })

  it('masks Secrets unless told otherwise', async () => {
    expect((await repository.litecd('render', '--app', 'db')).out).not.toContain('hidden-value')
    expect((await repository.litecd('render', '--app', 'db', '--show-secrets')).out).toContain(
      'hidden-value',
    )
  })

  it('prints a List as JSON', async () => {
    const { out } = await repository.litecd('render', '-o', 'json')
    const list = JSON.parse(out) as { kind: string; items: { kind: string }[] }
    expect(list.kind).toBe('List')
    expect(list.items.map((item) => item.kind).sort()).toEqual([
      'ClusterRole',
      'ConfigMap',
      'Secret',
    ])
  })

  it('goes on after an Application that fails, and exits with 3', async () => {
    repository.write({ 'web/bad.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n' })
    const { code, out, err } = await repository.litecd('render')
    expect(code).toBe(3)
    expect(err).toContain('web/bad.yaml:3')
    expect(out).toContain('kind: Secret')
  })

  it('knows no other Application', async () => {
    const { code, err } = await repository.litecd('render', '--app', 'nope')
    expect(code).toBe(2)
    expect(err).toContain('Known: argocd/db, argocd/web')
  })

  it('gives templates chance that follows from the Application, or real chance', async () => {
    repository.write({
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "{{ randAlphaNum 30 }}"}\n',
    })
    const text = async (...flags: readonly string[]): Promise<string> => {
      const { code, out } = await repository.litecd('render', '--app', 'web', ...flags)
      expect(code).toBe(0)
      return /x: (\w{30})/.exec(out)?.[1] ?? out
    }
    const usual = await text()
    expect(usual).toMatch(/^\w{30}$/)
    expect(await text()).toBe(usual)
    const first = await text('--real-chance')
    expect(first).toMatch(/^\w{30}$/)
    expect(await text('--real-chance')).not.toBe(first)
    expect((await repository.litecd('render', '--help')).out).toContain('--real-chance')
    expect((await repository.litecd('diff', '--help')).out).toContain('--real-chance')
  })

  it('tells what made a field of a chart', async () => {
    repository.write({
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/values.yaml': '# defaults\nsize: 3\n',
      'web/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: {{ .Values.size | quote }}\n',
    })
    repository.commit('chart')
    const { out } = await repository.litecd('explain', 'web', 'configmap/a:data.x')
    expect(out).toContain('← line 5 .Values.size')
    expect(out).toContain('web/values.yaml:2 .Values.size')
  })
})
