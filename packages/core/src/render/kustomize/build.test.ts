import { describe, expect, it } from 'vitest'
import { isLitecdError, type LitecdError } from '../../errors/index.ts'
import { type MemoryTreeInput, memoryTree } from '../../files/index.ts'
import { type BuildOptions, buildKustomization, buildText } from './build.ts'
import type { Remotes } from './loader.ts'

const offline: Remotes = {
  file: () => ({ status: 404 }),
  repo: (spec) => ({ error: new Error(`${spec.raw} is not here`) }),
}

function build(
  files: MemoryTreeInput,
  dir: string = '',
  options: Partial<BuildOptions> = {},
): ReturnType<typeof buildKustomization> {
  const volume = { tree: memoryTree(files), display: '/r' }
  return buildKustomization(volume, dir, { remotes: offline, ...options })
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

  it('gives the innermost file where nothing tells more', () => {
    const error = problem({
      'kustomization.yaml': 'components: [part]\nresources: [a.yaml]\n',
      'a.yaml': conf,
      'part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nreplicas: [{name: none, count: 1}]\n',
    })
    expect(error.position).toEqual({ path: 'part/kustomization.yaml' })
    expect(error.data).toEqual({
      kustomizations: ['kustomization.yaml', 'part/kustomization.yaml'],
    })
  })

  it('gives the position of what is wrong, through every level', () => {
    const error = problem({
      'kustomization.yaml': 'resources: [base]\n',
      'base/kustomization.yaml': 'resources: [bad.yaml]\n',
      'base/bad.yaml': `${conf}---\na: b: c\n`,
    })
    expect(error.position).toMatchObject({ path: 'base/bad.yaml', line: 6 })
    expect(error.message).toContain("recursed accumulation of path '/r/base'")
    expect(error.data).toEqual({
      kustomizations: ['kustomization.yaml', 'base/kustomization.yaml'],
    })
  })
})

describe('what kustomize logs', () => {
  it.each<[string, string, Partial<BuildOptions>, string]>([
    [
      'vars that nothing names',
      'resources: [a.yaml]\nvars:\n- {name: B, objref: {apiVersion: v1, kind: ConfigMap, name: conf}}\n- {name: A, objref: {apiVersion: v1, kind: ConfigMap, name: conf}}\n',
      {},
      'well-defined vars that were never replaced: A,B',
    ],
    [
      'an order that is given twice',
      'resources: [a.yaml]\nsortOptions: {order: fifo}\n',
      { reorder: 'legacy' },
      "Warning: Sorting order is set both in 'kustomization.yaml'",
    ],
  ])('%s', (_, text, options, want) => {
    const lines: string[] = []
    const files = { 'kustomization.yaml': text, 'a.yaml': conf }
    build(files, '', { ...options, log: (line) => lines.push(line) })
    expect(lines).toEqual([expect.stringContaining(want)])
  })

  it('nothing otherwise', () => {
    const lines: string[] = []
    const files = { 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': conf }
    build(files, '', { reorder: 'none', log: (line) => lines.push(line) })
    expect(lines).toEqual([])
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

  it('stops trees of levels that read the same objects again and again', () => {
    const objects = Array.from({ length: 500 }, (_, i) => conf.replace('conf', `c${i}`))
    const files: { [path: string]: string } = {
      'l14/kustomization.yaml': 'resources: [a.yaml]\n',
      'l14/a.yaml': objects.join('---\n'),
    }
    for (let i = 0; i < 14; i++) {
      const side = (prefix: string): string => `resources: [../l${i + 1}]\nnamePrefix: ${prefix}-\n`
      files[`x${i}/kustomization.yaml`] = side('x')
      files[`z${i}/kustomization.yaml`] = side('z')
      files[`l${i}/kustomization.yaml`] = `resources: [../x${i}, ../z${i}]\n`
    }
    const limits = { depth: 100, levels: 10_000, nodes: 100_000, generatedBytes: 1000 }
    expect(() => build(files, 'l0', { limits })).toThrow('too many nodes')
  })

  it('stops generators that read one large file under many names', () => {
    const names = Array.from({ length: 200 }, (_, i) => `k${i}=big.txt`)
    const error = problem({
      'kustomization.yaml': `configMapGenerator: [{name: c, files: [${names.join(', ')}]}]\n`,
      'big.txt': 'x'.repeat(1024 * 1024),
    })
    expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED' })
    expect(error.message).toContain('generators')
  })

  it('stops vars that insert much', () => {
    const uses = Array.from({ length: 200 }, () => '$(BIG)$(BIG)').join('')
    const error = problem({
      'kustomization.yaml':
        'resources: [a.yaml]\nvars: [{name: BIG, objref: {apiVersion: v1, kind: ConfigMap, name: big}, fieldref: {fieldpath: data.k}}]\n',
      'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata: {k: "${'x'.repeat(400_000)}"}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, args: ["${uses}"]}]}\n`,
    })
    expect(error.code).toBe('BUDGET_EXCEEDED')
  })

  it('stops copies of JSON patches that double', () => {
    const copies = Array.from(
      { length: 40 },
      (_, i) => `{"op": "copy", "from": "/spec", "path": "/spec/c${i}"}`,
    )
    const error = problem({
      'kustomization.yaml': 'resources: [a.yaml]\npatches: [{path: p.json, target: {kind: X}}]\n',
      'a.yaml': 'apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: {a: 1}\n',
      'p.json': `[${copies.join(', ')}]`,
    })
    expect(error.code).toBe('BUDGET_EXCEEDED')
  })

  it.each([
    ['itself', { 'a/kustomization.yaml': 'resources: [../a]\n' }],
    [
      'the folder above',
      { 'a/kustomization.yaml': 'resources: [..]\n', 'kustomization.yaml': 'resources: [a]\n' },
    ],
    [
      'each other',
      {
        'a/kustomization.yaml': 'resources: [../b]\n',
        'b/kustomization.yaml': 'resources: [../a]\n',
      },
    ],
    [
      'a component that includes it',
      {
        'a/kustomization.yaml': 'components: [../b]\n',
        'b/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [../a]\n',
      },
    ],
  ])('refuses a level that includes %s', (_, files) => {
    expect(problem(files, 'a').message).toContain('cycle detected')
  })

  it.each([
    ['a file outside', 'resources: [../../etc/passwd]\n'],
    ['an absolute file', 'resources: [/etc/passwd]\n'],
    ['a generator source outside', 'configMapGenerator: [{name: c, files: [../../etc/passwd]}]\n'],
    ['a patch outside', 'resources: [a.yaml]\npatches: [{path: ../../../etc/passwd}]\n'],
  ])('reads no %s', (_, text) => {
    const error = problem({ 'in/kustomization.yaml': text, 'in/a.yaml': conf }, 'in')
    expect(error.message).toMatch(/security;|leads out|outside of the source/)
  })

  it('runs expressions in linear time', () => {
    const start = performance.now()
    const text = buildText(
      build({
        'kustomization.yaml':
          'resources: [a.yaml]\nimages: [{name: "(a*)*b", newTag: "1"}]\npatches: [{target: {name: "(a|a)*c"}, patch: "[]"}]\n',
        'a.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: ${'a'.repeat(5000)}}\nspec: {containers: [{name: c, image: ${'a'.repeat(5000)}}]}\n`,
      }),
    )
    expect(text).toContain('kind: Pod')
    expect(performance.now() - start).toBeLessThan(10_000)
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
