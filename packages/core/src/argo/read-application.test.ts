import { describe, expect, it } from 'vitest'
import { isLitecdError } from '../errors/index.ts'
import type { Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { readApplication } from './read-application.ts'

function application(metadata: Json, spec: { readonly [field: string]: Json } = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata,
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example.com/a.git', path: '.' },
      destination: {},
      ...spec,
    },
  } as unknown as Manifest
}

function refusal(manifest: Manifest): { code: string; message: string; path: unknown } {
  try {
    readApplication(manifest)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { code: error.code, message: error.message, path: error.data['path'] }
  }
  throw new Error('the Application was taken')
}

describe('readApplication', () => {
  it.each<[string, Json, { readonly [field: string]: Json }, readonly (string | number)[]]>([
    ['no metadata', null, {}, ['metadata']],
    ['no name', { namespace: 'argocd' }, {}, ['metadata']],
    ['a name with control characters', { name: 'a\u001b[2J' }, {}, ['metadata', 'name']],
    ['a name with two lines', { name: 'a\nb' }, {}, ['metadata', 'name']],
    ['a name with capitals', { name: 'Guestbook' }, {}, ['metadata', 'name']],
    ['a name that is too long', { name: 'a'.repeat(254) }, {}, ['metadata', 'name']],
    ['a namespace that is a number', { name: 'a', namespace: 7 }, {}, ['metadata', 'namespace']],
    ['labels that are no map', { name: 'a', labels: 5 }, {}, ['metadata', 'labels']],
    ['a label that is no text', { name: 'a', labels: { x: 1 } }, {}, ['metadata', 'labels', 'x']],
    ['finalizers that are no list', { name: 'a', finalizers: 'x' }, {}, ['metadata', 'finalizers']],
    ['an empty source', { name: 'a' }, { sources: [null] }, ['spec', 'sources', 0]],
    ['a project that is a number', { name: 'a' }, { project: 7 }, ['spec', 'project']],
  ])('refuses %s', (_title, metadata, spec, path) => {
    expect(refusal(application(metadata, spec))).toMatchObject({ code: 'APP_INVALID', path })
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'knows no field %s and drops it',
    (field) => {
      const spec = Object.fromEntries([[field, { a: 1 }]])
      const { application: app, remarks } = readApplication(application({ name: 'a' }, spec))
      expect(remarks.map(({ code, path }) => ({ code, path }))).toEqual([
        { code: 'APP_UNKNOWN_FIELD', path: ['spec', field] },
      ])
      expect(Object.keys(app.spec)).toEqual(['project', 'source', 'destination'])
    },
  )

  it('keeps any key of a map', () => {
    const commonLabels = Object.fromEntries([['__proto__', 'x']])
    const source = { repoURL: 'https://git.example.com/a.git', kustomize: { commonLabels } }
    const { application: app } = readApplication(application({ name: 'a' }, { source }))
    expect(Object.keys(app.spec.source?.kustomize?.commonLabels ?? {})).toEqual(['__proto__'])
  })

  it('keeps the names that the API server takes', () => {
    for (const name of ['a', 'web-1', 'a.b', '9']) {
      expect(readApplication(application({ name })).application.metadata.name).toBe(name)
    }
  })
})
