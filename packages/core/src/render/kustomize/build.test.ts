import { describe, expect, it } from 'vitest'
import { isLitecdError, type LitecdError } from '../../errors/index.ts'
import { type MemoryTreeInput, memoryTree } from '../../files/index.ts'
import { buildKustomization, buildText } from './build.ts'
import type { Remotes } from './loader.ts'

const offline: Remotes = {
  file: () => ({ status: 404 }),
  repo: (spec) => ({ error: new Error(`${spec.raw} is not here`) }),
}

function build(files: MemoryTreeInput, dir: string = ''): ReturnType<typeof buildKustomization> {
  return buildKustomization({ tree: memoryTree(files), display: '/r' }, dir, { remotes: offline })
}

function problem(files: MemoryTreeInput, dir: string = ''): LitecdError {
  try {
    build(files, dir)
  } catch (error) {
    if (isLitecdError(error)) return error
    throw error
  }
  throw new Error('it builds')
}

const conf = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {k: v}\n'

describe('where objects come from', () => {
  it('names file, line, patches and generator sources', () => {
    const { objects } = build({
      'kustomization.yaml':
        'resources: [all.yaml]\nconfigMapGenerator: [{name: made, files: [f.txt]}]\npatches: [{path: p.yaml}]\n',
      'all.yaml': `# a comment\n---\n${conf}---\n${conf.replace('conf', 'other')}`,
      'f.txt': 'text',
      'p.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {k: w}\n',
    })
    expect(objects.map(({ file, line, inputs }) => ({ file, line, inputs }))).toEqual([
      { file: 'all.yaml', line: 3, inputs: [] },
      { file: 'kustomization.yaml', line: undefined, inputs: ['f.txt'] },
      { file: 'all.yaml', line: 8, inputs: ['p.yaml', 'kustomization.yaml'] },
    ])
  })

  it('gives the position of what is wrong, through every level', () => {
    const error = problem({
      'kustomization.yaml': 'resources: [base]\n',
      'base/kustomization.yaml': 'resources: [bad.yaml]\n',
      'base/bad.yaml': `${conf}---\na: b: c\n`,
    })
    expect(error.position).toMatchObject({ path: 'base/bad.yaml', line: 6 })
    expect(error.message).toContain("recursed accumulation of path '/r/base'")
  })
})

describe('untrusted input', () => {
  it('stops alias bombs', () => {
    const levels = Array.from({ length: 30 }, (_, i) =>
      i === 0 ? '  a0: &a0 [x, x]' : `  a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`,
    )
    const error = problem({
      'kustomization.yaml': 'resources: [a.yaml]\n',
      'a.yaml': `apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec:\n${levels.join('\n')}\n`,
    })
    expect(error.code).toBe('BUDGET_EXCEEDED')
  })

  it('stops replacements that double what they copy', () => {
    const one =
      '- source: {kind: X, fieldPath: spec}\n  targets:\n  - select: {kind: X}\n    fieldPaths: [spec.more, spec.other]\n'
    const error = problem({
      'kustomization.yaml': `resources: [a.yaml]\nreplacements:\n${one.repeat(60)}`,
      'a.yaml':
        'apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: {a: [1, 2, 3], more: {}, other: {}}\n',
    })
    expect(error.code).toBe('BUDGET_EXCEEDED')
  })

  it('stops chains of levels', () => {
    const files: { [path: string]: string } = { 'l300/kustomization.yaml': 'namePrefix: a\n' }
    for (let i = 0; i < 300; i++) {
      files[`l${i}/kustomization.yaml`] = `resources: [../l${i + 1}]\n`
    }
    expect(problem(files, 'l0').code).toBe('BUDGET_EXCEEDED')
  })

  it.each([
    ['a link out of the tree', { 'a.yaml': { link: '../../etc/passwd' } }],
    ['an absolute link', { 'a.yaml': { link: '/etc/passwd' } }],
    ['a link in a circle', { 'a.yaml': { link: 'a.yaml' } }],
  ])('refuses %s', (_, files) => {
    const error = problem({ 'kustomization.yaml': 'resources: [a.yaml]\n', ...files })
    expect(error.code).toBe('KUSTOMIZE_FAILED')
    expect(error.message).toMatch(/leads out of the source|too many links/)
  })

  it('refuses plugins by their name', () => {
    const error = problem({
      'kustomization.yaml': 'resources: [a.yaml]\ntransformers: [t.yaml]\n',
      'a.yaml': conf,
      't.yaml': 'apiVersion: example.com/v1\nkind: Runs\nmetadata: {name: z}\n',
    })
    expect(error).toMatchObject({ code: 'RENDER_UNSUPPORTED' })
    expect(error.message).toContain("'Runs'")
  })

  it('keeps the prototype of objects out of it', () => {
    const text = buildText(
      build({
        'kustomization.yaml': 'resources: [a.yaml]\npatches: [{path: p.yaml, target: {kind: X}}]\n',
        'a.yaml': 'apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: {}\n',
        'p.yaml': '- {op: add, path: /spec/__proto__, value: {polluted: yes}}\n',
      }),
    )
    expect(text).toContain('__proto__:\n    polluted: true')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
