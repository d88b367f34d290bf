import { describe, expect, it } from 'vitest'
import type { IgnoreDifference, Settings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import type { Manifest } from '../kube/index.ts'
import { applyIgnoreRules, compileIgnoreRules, compileJqDeletion, rulesFor } from './index.ts'

const manifest = (kind: string, apiVersion: string, rest: object = {}): Manifest =>
  ({ apiVersion, kind, metadata: { name: 'a', namespace: 'n' }, ...rest }) as Manifest

const deployment = manifest('Deployment', 'apps/v1', {
  spec: { replicas: 1, list: ['a', 'b', 'c'], 'odd/key~': 1 },
})

function compile(entry: Partial<IgnoreDifference>, overrides: Settings['overrides'] = {}) {
  const rule = { group: 'apps', kind: 'Deployment', ...entry }
  return compileIgnoreRules([rule], overrides, compileJqDeletion)
}

const spec = (entry: Partial<IgnoreDifference>, object: Manifest = deployment): unknown =>
  applyIgnoreRules(object, compile(entry)).manifest?.['spec']

describe('which objects a rule is for', () => {
  it.each<[string, Partial<IgnoreDifference>, boolean]>([
    ['group and kind', {}, true],
    ['a group is no prefix', { group: 'app' }, false],
    ['no group is the core group only', { group: '' }, false],
    ['globs in both', { group: 'a*', kind: '{Deployment,DaemonSet}' }, true],
    ['a star for any group', { group: '*', kind: '*' }, true],
    ['the name', { name: 'a' }, true],
    ['another name', { name: 'b' }, false],
    ['names are no globs', { name: '*' }, false],
    ['another namespace', { namespace: 'm' }, false],
  ])('%s', (_name, entry, matches) => {
    const rules = compile({ jsonPointers: ['/spec'], ...entry })
    expect(rulesFor(deployment, rules)).toHaveLength(matches ? 1 : 0)
  })

  it.each([
    ['apps/Deployment', true],
    ['*/*', true],
    ['apps/Deploy*', true],
    ['Deployment', false],
    ['apps/v1/Deployment', false],
  ])('override %s', (key, matches) => {
    const rules = compileIgnoreRules(
      [],
      {
        [key]: {
          ignoreDifferences: {
            jsonPointers: ['/spec'],
            jqPathExpressions: [],
            managedFieldsManagers: [],
          },
        },
      },
      compileJqDeletion,
    )
    expect(rulesFor(deployment, rules)).toHaveLength(matches ? 1 : 0)
  })
})

describe('what a rule removes', () => {
  it.each<[string, Partial<IgnoreDifference>, unknown]>([
    ['a field', { jsonPointers: ['/spec/replicas'] }, { list: ['a', 'b', 'c'], 'odd/key~': 1 }],
    [
      'escaped keys',
      { jsonPointers: ['/spec/odd~1key~0'] },
      { replicas: 1, list: ['a', 'b', 'c'] },
    ],
    [
      'items by index, one after the other',
      { jsonPointers: ['/spec/list/0', '/spec/list/0'] },
      { replicas: 1, list: ['c'], 'odd/key~': 1 },
    ],
    [
      'items from the end',
      { jsonPointers: ['/spec/list/-1'] },
      { replicas: 1, list: ['a', 'b'], 'odd/key~': 1 },
    ],
    [
      'nothing where nothing is',
      { jsonPointers: ['/spec/none', '/spec/list/9', '/spec/replicas/x', '', '/spec/*'] },
      deployment['spec'],
    ],
    [
      'by jq',
      { jqPathExpressions: ['.spec.list[] | select(. != "b")', '.spec.replicas'] },
      { list: ['b'], 'odd/key~': 1 },
    ],
    [
      'nothing where jq fails',
      { jqPathExpressions: ['.spec.replicas[0]', 'error("x")', '.spec.list.a'] },
      deployment['spec'],
    ],
    [
      'nothing with several outputs',
      { jqPathExpressions: ['.spec.replicas), (.'] },
      deployment['spec'],
    ],
    ['nothing for an endless program', { jqPathExpressions: ['def f: f; f'] }, deployment['spec']],
  ])('%s', (_name, entry, rest) => {
    expect(spec(entry)).toEqual(rest)
  })

  it('tells which rules did something', () => {
    const rules = compile({ jsonPointers: ['/spec/replicas', '/spec/none'] })
    const { applied } = applyIgnoreRules(deployment, rules)
    expect(applied.map(({ rule }) => [rule.text, rule.source])).toEqual([
      ['/spec/replicas', { from: 'application', index: 0 }],
    ])
  })

  it('keeps the input as it was', () => {
    const before = structuredClone(deployment)
    spec({ jsonPointers: ['/spec/list/0'], jqPathExpressions: ['.spec.replicas'] })
    expect(deployment).toEqual(before)
  })

  it('lets whole numbers through jq as doubles', () => {
    const object = manifest('Deployment', 'apps/v1', {
      spec: { exact: 9007199254740994n, rounded: 9007199254740993n, gone: 1 },
    })
    expect(spec({ jqPathExpressions: ['.spec.gone'] }, object)).toEqual({
      exact: 9007199254740994n,
      rounded: 9007199254740992n,
    })
  })

  it.each([
    ['the whole object', '.', undefined],
    ['all fields', '.[]', {}],
    ['the kind', '.kind', { apiVersion: 'apps/v1' }],
  ])('can remove %s', (_name, expression, rest) => {
    const { manifest: left } = applyIgnoreRules(
      { apiVersion: 'apps/v1', kind: 'Deployment' } as Manifest,
      compile({ jqPathExpressions: [expression] }),
    )
    expect(left).toEqual(rest)
  })

  it.each([
    ['.spec |', 'unexpected token ")"'],
    ['foo', 'function not defined: foo/0'],
    ['.a[', 'unexpected token ")"'],
  ])('refuses %s in the words of gojq', (expression, message) => {
    let told: unknown
    try {
      compile({ jqPathExpressions: [expression] })
    } catch (error) {
      told = isLitecdError(error) ? [error.code, error.message] : error
    }
    expect(told).toEqual(['JQ_INVALID', message])
  })
})
