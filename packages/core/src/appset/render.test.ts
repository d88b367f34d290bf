import { describe, expect, it } from 'vitest'
import { memoryTree } from '../files/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { generateApplications, readApplicationSet } from './index.ts'
import { fasttemplate } from './render.ts'
import { slugify } from './slug.ts'

/** The Applications of a set with these generators, as `name=annotation v`. */
function generate(spec: JsonObject, template: JsonObject = {}): readonly string[] {
  const set = readApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      template: {
        metadata: { name: 'x', annotations: { v: '{{v}}' }, ...template },
        spec: { project: 'default', destination: {}, source: { repoURL: 'https://example.com/x' } },
      },
      ...spec,
    },
  })
  const tree = memoryTree({ 'apps/a/x.yaml': 'v: {{two}}', '.git/b/x': '', 'apps/b/c/x.yaml': '1' })
  const result = generateApplications(set, { clusters: [], tree: () => tree })
  if ('needs' in result) throw new Error('nothing is needed')
  return result.applications.map(
    ({ metadata }) => `${metadata.name}=${(metadata.annotations as { v?: string }).v}`,
  )
}
const list = (...elements: readonly Json[]): JsonObject => ({ list: { elements } })

describe('fasttemplate', () => {
  it('leaves unknown tags, and does not look at what it has put in', () => {
    expect(fasttemplate('{{ a }}-{{b}}-{{ }}', { a: '{{b}}', c: 1 })).toBe('{{b}}-{{b}}-{{ }}')
    expect(fasttemplate('{{c}}', { c: 1 })).toBe('{{c}}')
    expect(fasttemplate('{{constructor}}', {})).toBe('{{constructor}}')
  })

  it('needs both ends on one line', () => {
    expect(fasttemplate('{{a\n}}', { a: 'x' })).toBe('{{a\n}}')
    expect(() => fasttemplate('{{a}} {{', { a: 'x' })).toThrow('Cannot find end tag="}}"')
  })
})

describe('Go templates', () => {
  it('print <no value> for a missing key, or fail, as the options say', () => {
    const spec = { goTemplate: true, generators: [list({ a: '1' })] }
    const annotations = { v: '{{ .b }}|{{ .b.c }}' }
    expect(generate(spec, { annotations })).toEqual(['x=<no value>|<no value>'])
    expect(() =>
      generate({ ...spec, goTemplateOptions: ['missingkey=error'] }, { annotations }),
    ).toThrow('map has no entry for key "b"')
    expect(() => generate({ ...spec, goTemplateOptions: ['missingkey=never'] })).toThrow(
      'unrecognized option: missingkey=never',
    )
  })

  it('are bounded', () => {
    const annotations = { v: '{{ range until 100000000 }}{{ end }}' }
    expect(() =>
      generate({ goTemplate: true, generators: [list({ a: 1 })] }, { annotations }),
    ).toThrow(/budget/)
  })

  it('do not reach the environment', () => {
    const spec = { goTemplate: true, generators: [list({ a: '1' })] }
    for (const name of ['env', 'expandenv', 'getHostByName', 'include', 'lookup']) {
      expect(() => generate(spec, { annotations: { v: `{{ ${name} "HOME" }}` } })).toThrow(
        `function "${name}" not defined`,
      )
    }
  })
})

describe('generators', () => {
  it('bound a matrix that explodes', () => {
    const many = list(...Array.from({ length: 1000 }, (_, index) => ({ [`k${index}`]: 'x' })))
    expect(() => generate({ generators: [{ matrix: { generators: [many, many] } }] })).toThrow(
      /more than 100000 sets|duplicate key/,
    )
  })

  it('never render what a repository says', () => {
    const files = { repoURL: 'https://example.com/x', files: [{ path: 'apps/a/*' }] }
    expect(() => generate({ generators: [{ git: files }] })).toThrow(
      "unable to process file 'apps/a/x.yaml'",
    )
    const directories = { repoURL: 'https://example.com/x', directories: [{ path: 'apps/*' }] }
    expect(
      generate({ generators: [{ git: directories }] }, { annotations: { v: '{{path[1]}}' } }),
    ).toEqual(['x=a', 'x=b'])
  })

  it('keep keys with special meaning as data', () => {
    const element = JSON.parse('{"__proto__": "p", "v": "1"}') as JsonObject
    expect(generate({ generators: [list(element)] })).toEqual(['x=1'])
  })
})

it('cuts slugs between words', () => {
  expect(slugify('one two-three', 8)).toBe('one-two')
  expect(slugify('one two-three', 8, false)).toBe('one-two')
  expect(slugify('onetwothree', 5)).toBe('onetw')
})
