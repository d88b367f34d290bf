import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../files/index.ts'
import { evaluateJsonnet, JsonnetCache, type JsonnetOptions, treeImporter } from './index.ts'

const nothing = treeImporter(memoryTree({}))

function program(text: string, options: Partial<JsonnetOptions> = {}): JsonnetOptions {
  return { entry: { name: 'p.jsonnet', text }, importer: nothing, ...options }
}

function failure(options: JsonnetOptions): Record<string, unknown> {
  try {
    evaluateJsonnet(options).text()
  } catch (error) {
    return (error as { toJSON(): Record<string, unknown> }).toJSON()
  }
  throw new Error('it did not fail')
}

describe('results', () => {
  it('are JSON with doubles', () => {
    const value = evaluateJsonnet(program('{ a: [1, 1e21, null], b:: 2, __proto__: "own" }')).json()
    expect(JSON.stringify(value)).toBe('{"__proto__":"own","a":[1,1e+21,null]}')
  })
  it('are text as jsonnet prints it', () => {
    expect(evaluateJsonnet(program('{ a: [], b: [{}] }')).text()).toBe(
      '{\n   "a": [ ],\n   "b": [\n      { }\n   ]\n}',
    )
  })
  it('are files and documents', () => {
    const files = evaluateJsonnet(program('{ "b.json": 1, "a.json": [2] }')).files()
    expect([...files]).toEqual([
      ['a.json', '[\n   2\n]'],
      ['b.json', '1'],
    ])
    expect(evaluateJsonnet(program('[1, "x"]')).documents()).toEqual(['1', '"x"'])
    expect(evaluateJsonnet(program('"x"')).string()).toBe('x')
  })
  it('can be asked for again after a failure', () => {
    const result = evaluateJsonnet(program('"text"'))
    expect(() => result.files()).toThrow('multi mode: top-level object was a string')
    expect(result.text()).toBe('"text"')
  })
})

describe('variables', () => {
  it('are strings, or code that runs in a scope of its own when it is asked for', () => {
    const extVars = [
      { name: 's', value: '1 + 1' },
      { name: 'c', value: 'std.extVar("s") + std.thisFile', code: true },
      { name: 'unused', value: 'error "no"', code: true },
      { name: 'broken', value: ')', code: true },
    ]
    const text = 'std.extVar("s") + "|" + std.extVar("c")'
    expect(evaluateJsonnet(program(text, { extVars })).string()).toBe('1 + 1|1 + 1<extvar:c>')
    expect(failure(program('std.extVar("broken")', { extVars }))['message']).toBe(
      '<extvar:broken>:1:1-2 Unexpected: ")" while parsing terminal\n\n)\n\n',
    )
  })
  it('go to a program that is a function, and are ignored otherwise', () => {
    const tlas = [{ name: 'a', value: '1', code: true }]
    expect(evaluateJsonnet(program('function(a, b=a + 1) [a, b]', { tlas })).json()).toEqual([1, 2])
    expect(evaluateJsonnet(program('3', { tlas })).json()).toBe(3)
    expect(failure(program('function(b) b', { tlas }))['message']).toBe(
      'RUNTIME ERROR: function has no parameter a\n\tTop-level function call\t\n',
    )
  })
})

describe('errors', () => {
  it('have a place, the source line, a hint and the trace of the program', () => {
    expect(failure(program('local o = { name: 1 };\n[\n  o.nane,\n]'))).toEqual({
      name: 'RenderError',
      code: 'JSONNET_RUNTIME',
      message:
        'RUNTIME ERROR: Field does not exist: nane\n\tp.jsonnet:3:3-9\tthunk from <$>\n\tArray element 0\t\n\tDuring manifestation\t\n',
      position: { path: 'p.jsonnet', line: 3, column: 3 },
      hint: 'Did you mean name?',
      data: { line: '  o.nane,' },
      retryable: false,
    })
  })
  it('count columns in bytes, as go-jsonnet does', () => {
    expect(failure(program('"é" + x'))['message']).toBe(
      'p.jsonnet:1:8-9 Unknown variable: x\n\n"é" + x\n\n',
    )
  })
  it('shorten long traces', () => {
    const text = 'local f(n) = if n == 0 then error "end" else 1 + f(n - 1); f(30)'
    const lines = String(failure(program(text))['message']).split('\n')
    expect(lines).toHaveLength(23)
    expect(lines[11]).toBe('\t...')
    expect(String(failure(program(text, { maxTrace: 0 }))['message']).split('\n')).toHaveLength(35)
  })
})

describe('imports', () => {
  const files = {
    'main.jsonnet':
      '[(import "a.libsonnet").v, importstr "t.txt", importbin "t.txt", (import "./a.libsonnet").v]',
    'a.libsonnet': '{ v: std.trace("once", std.extVar("x")), w: import "missing.libsonnet" }',
    't.txt': 'é',
  }
  it('are evaluated once, and listed', () => {
    const traces: string[] = []
    const result = evaluateJsonnet({
      entry: { path: 'main.jsonnet' },
      importer: treeImporter(memoryTree(files)),
      extVars: [{ name: 'x', value: 'X' }],
      trace: (line) => traces.push(line),
    })
    expect(result.json()).toEqual(['X', 'é', [195, 169], 'X'])
    expect(traces).toEqual(['TRACE: a.libsonnet:1 once'])
    expect(result.imports).toEqual(['a.libsonnet', 't.txt'])
  })
  it('share compiled files but no values through a cache', () => {
    const cache = new JsonnetCache()
    const run = (x: string, tree: typeof files): unknown =>
      evaluateJsonnet({
        entry: { path: 'main.jsonnet' },
        importer: treeImporter(memoryTree(tree)),
        extVars: [{ name: 'x', value: x }],
        cache,
      }).json()
    expect(run('1', files)).toEqual(['1', 'é', [195, 169], '1'])
    expect(run('2', files)).toEqual(['2', 'é', [195, 169], '2'])
    expect(run('3', { ...files, 'a.libsonnet': '{ v: "new" }' })).toEqual([
      'new',
      'é',
      [195, 169],
      'new',
    ])
  })
  it('may start another evaluation', () => {
    const inner = (): string => evaluateJsonnet(program('std.length(std.range(1, 50))')).text()
    const importer: JsonnetOptions['importer'] = (_, path) => ({
      path,
      bytes: new TextEncoder().encode(inner()),
    })
    expect(evaluateJsonnet(program('[import "x", 1 + 1]', { importer })).json()).toEqual([50, 2])
  })
})
