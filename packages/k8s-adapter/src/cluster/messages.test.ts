import { ClusterError, CompareError } from '@litecd/core/errors'
import { describe, expect, it } from 'vitest'
import { lastAppliedText } from './client-apply.ts'
import { kubeVersionOf } from './facts.ts'
import { clientSideManagers, upgradePatch } from './managed-fields.ts'
import { cleaned, joinOutput, printedName, reworded } from './messages.ts'

describe('messages', () => {
  it.each([
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'configmap/a'],
    [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }, 'deployment.apps/a'],
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'a-' } }, 'pod/<unknown>'],
  ])('prints a name', (object, name) => {
    expect(printedName(object)).toBe(name)
  })

  it.each([
    ['configmap/a created\n', '', 'configmap/a created'],
    ['configmap/a configured\n', 'Warning: x\n', 'configmap/a configured. Warning: x'],
    ['', ' Warning: x ', 'Warning: x'],
  ])('joins %j and %j', (out, err, joined) => {
    expect(joinOutput(out, err)).toBe(joined)
  })

  it('takes dumps and advice out', () => {
    expect(cleaned(' invalid: map[a:b] map[c:d] is wrong\nand map[x] too ')).toBe(
      'invalid:  is wrong\nand  too',
    )
    expect(
      cleaned('x; if you choose to ignore these errors, turn validation off with --validate=false'),
    ).toBe('x')
  })

  it('keeps what an error is when its words change', () => {
    const conflict = new ClusterError('CLUSTER_CONFLICT', 'no', { status: 409, reason: 'Conflict' })
    expect(reworded(conflict, (text) => `before: ${text}`)).toMatchObject({
      code: 'CLUSTER_CONFLICT',
      message: 'before: no',
      status: 409,
      reason: 'Conflict',
    })
    const patch = reworded(new CompareError('PATCH_FAILED', 'bad'), (text) => text)
    expect([patch.name, patch.code]).toEqual(['ClusterError', 'PATCH_FAILED'])
    expect(() => reworded(new TypeError('ours'), (text) => text)).toThrow(TypeError)
  })

  it('writes the last applied configuration as kubectl does', () => {
    const target = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        annotations: { b: '<', 'kubectl.kubernetes.io/last-applied-configuration': 'old' },
      },
    }
    expect(lastAppliedText(target)).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"b":"\\u003c"},"name":"a"}}\n',
    )
    expect(lastAppliedText({ kind: 'A', apiVersion: 'v1', metadata: {} })).toBe(
      '{"apiVersion":"v1","kind":"A","metadata":{"annotations":{}}}\n',
    )
  })

  it.each([
    ['v1.31.2-eks-7f9249a', 'v1.31.2'],
    ['v1.30.1+k3s1', 'v1.30.1'],
    ['v1.36.1', 'v1.36.1'],
    ['', ''],
  ])('drops what a vendor adds to %j', (version, plain) => {
    expect(kubeVersionOf(version)).toBe(plain)
  })
})

describe('fields of client-side apply', () => {
  const entry = (manager: string, operation: string, fieldsV1: object) => ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
  })
  const annotation = {
    'f:metadata': { 'f:annotations': { 'f:kubectl.kubernetes.io/last-applied-configuration': {} } },
  }
  const object = (...managedFields: object[]) =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { resourceVersion: '7', managedFields },
    }) as never

  it('belong to whoever wrote the annotation', () => {
    const live = object(
      entry('kubectl', 'Update', annotation),
      entry('other', 'Update', { 'f:data': {} }),
      entry('server', 'Apply', annotation),
    )
    expect(clientSideManagers(live)).toEqual(['kubectl'])
  })

  it('go over in one patch that fails if the object has changed', () => {
    const live = object(entry('kubectl', 'Update', { 'f:data': { 'f:a': {} } }))
    expect(upgradePatch(live, ['kubectl'], 'argocd-controller')).toEqual([
      {
        op: 'replace',
        path: '/metadata/managedFields',
        value: [entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {} } })],
      },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ])
    expect(upgradePatch(live, ['nobody'], 'argocd-controller')).toBeUndefined()
  })
})
