import { describe, expect, it } from 'vitest'
import { RenderError } from '../errors/index.ts'
import type { Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  maskKindless,
  maskSecret,
  secretChanges,
  withoutQuotations,
  withoutSecretValues,
} from './preview-secrets.ts'

const hidden = 'hunter2'

function secret(fields: { readonly [field: string]: Json }): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...fields } as Manifest
}

const annotated = {
  metadata: {
    name: 's',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': hidden, team: 'web' },
  },
}

describe('secrets in a preview', () => {
  it.each<[string, { readonly [field: string]: Json }]>([
    ['data', { data: { password: hidden } }],
    ['stringData', { stringData: { password: hidden } }],
    ['stringData that is a text', { stringData: hidden }],
    ['data that is a list', { data: [hidden] }],
    ['a misspelt field', { StringData: { password: hidden } }],
    ['a field that no Secret has', { password: hidden }],
    ['what kubectl applied last', annotated],
  ])('show nothing of %s', (_title, fields) => {
    expect(JSON.stringify(maskSecret(secret(fields)))).not.toContain(hidden)
    expect(JSON.stringify(withoutSecretValues(secret(fields)))).not.toContain(hidden)
    const changes = secretChanges(secret({}), secret(fields))
    expect(JSON.stringify(changes)).not.toContain(hidden)
    expect(changes).toHaveLength('metadata' in fields ? 0 : 1)
  })

  it('keep keys, labels and other annotations', () => {
    expect(maskSecret(secret({ ...annotated, type: 'Opaque', data: { a: hidden } }))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 's',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '++++++++',
          team: 'web',
        },
      },
      type: 'Opaque',
      data: { a: '++++++++' },
    })
  })

  it('leave other kinds alone, and what has no kind is no other kind', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: hidden } } as unknown as Manifest
    expect(maskSecret(map)).toBe(map)
    expect(maskKindless(map)).toBe(map)
    const kindless = { metadata: { name: 's' }, stringData: { a: hidden } } as unknown as Manifest
    expect(JSON.stringify(maskKindless(kindless))).not.toContain(hidden)
  })

  it('tell which keys differ, text before base64', () => {
    const before = secret({ data: { a: 'MQ==', b: 'MQ==', c: 'MQ==' } })
    const after = secret({ data: { a: 'MQ==', b: 'Mg==' }, stringData: { d: '1' } })
    expect(secretChanges(before, after)).toEqual([
      { key: 'b', change: 'modify' },
      { key: 'c', change: 'remove' },
      { key: 'd', change: 'add' },
    ])
  })

  it.each([
    `yaml: cannot decode !!str \`${hidden}\` as a !!int`,
    `yaml: unknown anchor '${hidden}' referenced`,
    `yaml: anchor '${hidden}' value contains itself`,
  ])('take quotations out of %s', (why) => {
    const position = { path: 'a.yaml', line: 3 }
    const failure = {
      message: `rpc error: ${why}`,
      error: new RenderError('YAML_INVALID', why, { position, hint: 'mend it' }),
      source: 0,
      reads: undefined,
    }
    const clean = withoutQuotations(failure)
    expect(clean.message + clean.error.message).not.toContain(hidden)
    expect(clean.error).toMatchObject({ code: 'YAML_INVALID', position, hint: 'mend it' })
  })
})
