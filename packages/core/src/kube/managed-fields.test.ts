import { describe, expect, it } from 'vitest'
import { handOverFields, type ManagedFieldsEntry, uniteFields } from './managed-fields.ts'

function entry(
  manager: string,
  operation: string,
  fieldsV1: object,
  apiVersion = 'v1',
): ManagedFieldsEntry {
  return { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1 } as ManagedFieldsEntry
}

describe('uniteFields', () => {
  it.each<[object, object, object]>([
    [{}, { 'f:a': {} }, { 'f:a': {} }],
    [{ 'f:a': {} }, { 'f:a': {} }, { 'f:a': {} }],
    [{ 'f:a': { 'f:b': {} } }, { 'f:a': { 'f:c': {} } }, { 'f:a': { 'f:b': {}, 'f:c': {} } }],
    [{ 'f:a': {} }, { 'f:a': { 'f:b': {} } }, { 'f:a': { '.': {}, 'f:b': {} } }],
    [{ 'f:a': { 'f:b': {} } }, { 'f:a': {} }, { 'f:a': { '.': {}, 'f:b': {} } }],
    [
      { 'f:a': { '.': {}, 'k:{"name":"x"}': { 'f:y': {} } } },
      { 'f:a': { 'k:{"name":"x"}': { 'f:z': {} } } },
      { 'f:a': { '.': {}, 'k:{"name":"x"}': { 'f:y': {}, 'f:z': {} } } },
    ],
  ])('%j and %j', (a, b, want) => {
    expect(uniteFields(a as never, b as never)).toEqual(want)
  })
})

describe('handOverFields', () => {
  const old = entry('kubectl-client-side-apply', 'Update', { 'f:data': { 'f:a': {} } })
  const other = entry('kube-controller-manager', 'Update', { 'f:status': {} })

  it('turns the old entry into the new owner where that has none', () => {
    expect(handOverFields([old, other], 'kubectl-client-side-apply', 'argocd-controller')).toEqual([
      entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {} } }),
      other,
    ])
  })

  it('unites the fields with those of the new owner', () => {
    const own = entry('argocd-controller', 'Apply', { 'f:data': { 'f:b': {} } })
    expect(
      handOverFields([own, other, old], 'kubectl-client-side-apply', 'argocd-controller'),
    ).toEqual([entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } }), other])
  })

  it('drops old entries of another version', () => {
    const own = entry('argocd-controller', 'Apply', { 'f:data': { 'f:b': {} } }, 'v2')
    expect(handOverFields([own, old], 'kubectl-client-side-apply', 'argocd-controller')).toEqual([
      own,
    ])
  })

  it('leaves subresources and lists without the old owner alone', () => {
    const status = { ...old, subresource: 'status' }
    const list = [status, other]
    expect(handOverFields(list, 'kubectl-client-side-apply', 'argocd-controller')).toBe(list)
  })
})
