import { describe, expect, it } from 'vitest'
import { isLitecdError } from '../errors/index.ts'
import { type FileTree, memoryTree } from '../files/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { GatheredFacts, generateApplications, readApplicationSet, warningsOf } from './index.ts'
import { Renderer } from './render.ts'

const repoURL = 'https://git.example.com/apps.git'

function setOf(
  generators: readonly JsonObject[],
  more: JsonObject = {},
  project = 'default',
): never {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      generators,
      template: {
        metadata: { name: 'x-{{ .a }}', annotations: { v: '{{ .a }}' } },
        spec: { project, destination: {}, source: { repoURL } },
        ...more,
      },
    },
  } as never
}

/** The code of what a set comes to, or how many Applications. */
function outcome(set: never, tree: FileTree = memoryTree({})): string | number {
  const facts = new GatheredFacts({ clusters: [], providers: false })
  facts.put({ ask: 'tree', repoURL, revision: '' }, tree)
  try {
    const result = generateApplications(readApplicationSet(set), facts)
    return 'needs' in result ? 'needs' : result.applications.length
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error.code
  }
}

const numbers = (name: string, count: number): JsonObject => ({
  list: { elements: Array.from({ length: count }, (_, index): Json => ({ [name]: `${index}` })) },
})
const matrix = (...generators: readonly JsonObject[]): JsonObject => ({ matrix: { generators } })
const annotated = (v: string): JsonObject => ({ metadata: { name: 'x', annotations: { v } } })

describe('what a set may use up', () => {
  it.each<readonly [string, never, string | number]>([
    ['a matrix that is large', setOf([matrix(numbers('a', 100), numbers('b', 100))]), 10_000],
    [
      'a matrix that explodes',
      setOf([matrix(numbers('a', 1000), numbers('b', 1000))]),
      'BUDGET_EXCEEDED',
    ],
    [
      'matrices in a matrix',
      setOf([
        matrix(
          matrix(numbers('a', 300), numbers('b', 300)),
          matrix(numbers('c', 300), numbers('d', 300)),
        ),
      ]),
      'BUDGET_EXCEEDED',
    ],
    ['more Applications than any cluster runs', setOf([numbers('a', 20_001)]), 'BUDGET_EXCEEDED'],
    [
      'a template that loops in one text',
      setOf([numbers('a', 1)], annotated('{{ range until 100000000 }}{{ end }}')),
      'BUDGET_EXCEEDED',
    ],
    [
      'a template that calls itself',
      setOf(
        [numbers('a', 1)],
        annotated('{{ define "t" }}{{ template "t" . }}{{ end }}{{ template "t" . }}'),
      ),
      'APPSET_FAILED', // as Go itself refuses it
    ],
    [
      'texts that grow in every Application',
      setOf([numbers('a', 500)], annotated('{{ repeat 1000000 "x" }}')),
      'BUDGET_EXCEEDED',
    ],
  ])('%s', (_, set, want) => {
    expect(outcome(set)).toBe(want)
  })

  it('bounds the work of all texts together', () => {
    const renderer = new Renderer(
      { goTemplate: true, goTemplateOptions: [], totals: { steps: 1000, size: 1000 } },
      'seed',
    )
    const loop = (): string => renderer.text('{{ range until 30 }}{{ end }}', {})
    for (let count = 0; count < 5; count++) loop()
    expect(() => {
      for (let count = 0; count < 100; count++) loop()
    }).toThrow('the templates of the set come to more than 1000 steps')
    const plain = new Renderer(
      { goTemplate: false, goTemplateOptions: [], totals: { steps: 1000, size: 1000 } },
      'seed',
    )
    expect(plain.text('{{a}}', { a: 'x'.repeat(900) })).toHaveLength(900)
    expect(() => plain.text('{{a}}', { a: 'x'.repeat(200) })).toThrow('characters')
  })

  /** A tree of folders that holds no files. */
  const folders = (count: number): FileTree => {
    const entries = Array.from({ length: count }, (_, index) => ({
      name: `f${index}`,
      kind: 'directory' as const,
    }))
    return {
      entry: () => undefined,
      read: () => undefined,
      list: (path) => (path === '' ? entries : []),
    }
  }

  it('looks at 100,000 directories', () => {
    const tree = folders(100_000)
    const git = { git: { repoURL, directories: [{ path: 'f1234?' }] } }
    const named = { metadata: { name: '{{ .path.basename }}' } }
    expect(outcome(setOf([git], named), tree)).toBe(10)
    // the same patterns are matched once; patterns that differ every time are not without end
    const some = matrix(numbers('a', 1000), { git: { repoURL, directories: [{ path: 'f7' }] } })
    expect(outcome(setOf([some]), tree)).toBe(1000)
    const other = matrix(numbers('a', 1000), {
      git: { repoURL, directories: [{ path: 'other/{{ .a }}' }] },
    })
    expect(outcome(setOf([other]), tree)).toBe('BUDGET_EXCEEDED')
  })

  it('refuses more directories than that', () => {
    const all = setOf([{ git: { repoURL, directories: [{ path: '*' }] } }])
    expect(outcome(all, folders(200_001))).toBe('BUDGET_EXCEEDED')
  })
})

describe('parameters are data', () => {
  const hostile = '{{ .secret }}{{ range until 9 }}x{{ end }}{{b}}'

  it.each([true, false])('and never templated again, goTemplate %s', (goTemplate) => {
    const tag = (name: string): string => (goTemplate ? `{{ .${name} }}` : `{{${name}}}`)
    const set = setOf(
      [
        matrix(
          { list: { elements: [{ a: hostile, secret: 's', b: 'B' }] } },
          { list: { elements: [{ c: tag('a') }] } },
        ),
      ],
      {
        metadata: {
          name: 'x',
          annotations: { a: tag('a'), c: tag('c'), [`key-${tag('b')}`]: 'k' },
        },
      },
    ) as { spec: { goTemplate: boolean; templatePatch?: string } }
    set.spec.goTemplate = goTemplate
    const facts = new GatheredFacts({ clusters: [], providers: false })
    const result = generateApplications(readApplicationSet(set as never), facts)
    if ('needs' in result) throw new Error('nothing is needed')
    expect(result.applications[0]!.metadata.annotations).toEqual({
      a: hostile,
      c: hostile,
      'key-B': 'k',
    })
  })

  it('of a file of a repository', () => {
    const facts = new GatheredFacts({ clusters: [], providers: false })
    const tree = memoryTree({ 'a/x.yaml': `a: '${hostile}'`, '{{ .a }}/x.yaml': 'a: b' })
    facts.put({ ask: 'tree', repoURL, revision: '' }, tree)
    const set = setOf(
      [{ git: { repoURL, files: [{ path: '**/x.yaml' }], values: { v: '{{ .a }}' } } }],
      {
        metadata: {
          name: 'x',
          annotations: { a: '{{ .a }}', p: '{{ .path.path }}', v: '{{ .values.v }}' },
        },
      },
    )
    const result = generateApplications(readApplicationSet(set), facts, {
      newGitFileGlobbing: true,
    })
    if ('needs' in result) throw new Error('nothing is needed')
    expect(result.applications.map(({ metadata }) => metadata.annotations)).toEqual([
      { a: hostile, p: 'a', v: hostile },
      { a: 'b', p: '{{ .a }}', v: 'b' },
    ])
  })

  it('a patch cannot move an Application to another project', () => {
    const set = setOf([{ list: { elements: [{ a: 'x', p: 'admin' }] } }]) as {
      spec: { templatePatch?: string }
    }
    set.spec.templatePatch = '{"spec": {"project": "{{ .p }}", "revisionHistoryLimit": 3}}'
    const facts = new GatheredFacts({ clusters: [], providers: false })
    const result = generateApplications(readApplicationSet(set as never), facts)
    if ('needs' in result) throw new Error('nothing is needed')
    expect(result.applications[0]!.spec).toMatchObject({
      project: 'default',
      revisionHistoryLimit: 3,
    })
  })
})

describe('a project that is a template', () => {
  const git = { git: { repoURL, directories: [{ path: '*' }] } }
  const warned = (generators: readonly JsonObject[], project: string): readonly string[] =>
    warningsOf(readApplicationSet(setOf(generators, {}, project))).map(({ message }) => message)

  it('is warned about where others choose it', () => {
    expect(warned([git], '{{ .path.basename }}')).toEqual([
      'template.spec.project is a template: whoever decides what the git generator finds chooses the project of the Applications; git generators of the set use no credentials of a project and check no signatures',
    ])
    expect(
      warned([matrix(numbers('a', 1), { pullRequest: {} }), { plugin: {} }], '{{ .a }}'),
    ).toEqual([
      'template.spec.project is a template: whoever decides what the pullRequest, plugin generators find chooses the project of the Applications',
    ])
  })

  it("is nobody else's where only lists and clusters decide, nor where it is written out", () => {
    expect(warned([numbers('a', 1), { clusters: {} }], '{{ .a }}')).toEqual([])
    expect(warned([git], 'team')).toEqual([])
  })

  it('may stand in the template of a generator', () => {
    const own = { git: { ...git.git, template: { spec: { project: '{{ .a }}' } } } }
    expect(warned([own], 'team')).toHaveLength(1)
  })
})
