import { describe, expect, it } from 'vitest'
import { isLitecdError, type LitecdError } from '../../errors/index.ts'
import { memoryTree } from '../../files/index.ts'
import { buildKustomization, buildText } from './build.ts'
import { shownPatch } from './conceal.ts'

const secret = 'hunter2'

function problem(files: { readonly [path: string]: string }): LitecdError {
  try {
    buildText(
      buildKustomization({ tree: memoryTree(files), display: '/r' }, '', {
        remotes: {
          file: () => ({ status: 404 }),
          repo: (spec) => ({ error: new Error(`${spec.raw} is not here`) }),
        },
      }),
    )
  } catch (error) {
    if (isLitecdError(error)) return error
    throw error
  }
  throw new Error('it builds')
}

/** Everything that a log could print of an error. */
function everything(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const text = `${error.message} ${error.stack} ${JSON.stringify(error)}`
  return error.cause === undefined ? text : `${text} ${everything(error.cause)}`
}

const object = (name: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: {password: ${secret}}\n`

describe('values that no message shows', () => {
  it.each<[string, { readonly [path: string]: string }, string]>([
    [
      'values of charts',
      {
        'kustomization.yaml': `helmCharts:\n- name: c\n  valuesInline:\n    auth: {password: ${secret}}\n    list: [${secret}]\n`,
      },
      'valuesInline:\n  auth:\n    password: ++++++++\n  list:\n  - ++++++++\n`: must specify --enable-helm',
    ],
    [
      'literals',
      {
        'kustomization.yaml': `secretGenerator: [{name: s, literals: [a=${secret}, "${secret}"]}]`,
      },
      'literal sources [a=++++++++ ++++++++]: invalid literal source ++++++++, expected key=value',
    ],
    [
      'objects that collide',
      {
        'kustomization.yaml': 'resources: [a.yaml]\nnamespace: nn\n',
        'a.yaml': `${object('s')}---\n${object('s, namespace: other')}`,
      },
      '"stringData":{"password":"++++++++"}',
    ],
    [
      'patches that cannot be read',
      {
        'kustomization.yaml': `resources: [a.yaml]\npatches:\n- patch: |\n    kind: Secret\n    stringData: {password: ${secret}\n`,
        'a.yaml': object('s'),
      },
      'unable to parse SM or JSON patch from [patch: "++++++++"]',
    ],
    [
      'operations on Secrets',
      {
        'kustomization.yaml': `resources: [a.yaml]\npatches:\n- target: {kind: S.*}\n  patch: '[{"op": "add", "path": "/data/p", "value": "${secret}"'\n`,
        'a.yaml': object('s'),
      },
      'unable to parse SM or JSON patch from [patch: "++++++++"]',
    ],
    [
      'fields of the wrong kind',
      {
        'kustomization.yaml': `resources: [a.yaml]\npatches: [{patch: '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: {a: b}}}'}]\n`,
        'a.yaml': object('s'),
      },
      'wrong node kind: expected ScalarNode but got MappingNode: node contents:\n++++++++',
    ],
    [
      'texts with a wrong tag',
      {
        'kustomization.yaml': 'resources: [a.yaml]\n',
        'a.yaml': object('s').replace(secret, `!!int ${secret}`),
      },
      'cannot decode !!str `++++++++` as a !!int',
    ],
    [
      'texts that look like aliases',
      {
        'kustomization.yaml': 'resources: [a.yaml]\n',
        'a.yaml': object('s').replace(secret, `*${secret}`),
      },
      "unknown anchor '++++++++' referenced",
    ],
    [
      'parts of sources',
      {
        'kustomization.yaml': `resources: [a.yaml]\nreplacements:\n- source: {kind: Secret, fieldPath: stringData.password, options: {delimiter: ".", index: 3}}\n  targets: [{select: {kind: Secret}}]\n`,
        'a.yaml': object('s'),
      },
      'options.index 3 is out of bounds for value ++++++++',
    ],
  ])('%s', (_, files, message) => {
    const error = problem(files)
    expect(error.message).toContain(message)
    expect(everything(error)).not.toContain(secret)
  })
})

describe('shownPatch', () => {
  it.each<[string, string, object | undefined, boolean]>([
    ['a patch of another kind', 'kind: Deployment\nspec: {password: x}', undefined, true],
    ['a patch of a Secret', 'kind: Secret', undefined, false],
    ['references to Secrets', 'kind: Pod\nspec: {secretKeyRef: {name: x}}', undefined, true],
    ['operations anywhere', '- op: add\n  path: /data/x', undefined, false],
    ['operations on other kinds', '- op: add\n  path: /data/x', { kind: 'ConfigMap' }, true],
    ['operations on any kind', '- op: add\n  path: /data/x', { name: 'x' }, false],
    ['operations beside data', '- op: add\n  path: /spec/x', { name: 'x' }, true],
  ])('%s', (_, text, target, isShown) => {
    expect(shownPatch(text, target)).toBe(isShown ? text : '++++++++')
  })
})
