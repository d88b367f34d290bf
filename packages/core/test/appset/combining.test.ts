// Every decision about generators inside generators, selectors, lists and clusters, as argo-cd v3.5.1
// applicationset/generators and applicationset/utils test them.
import { describe, expect, it } from 'vitest'
import { requeueAfter } from '../../src/appset/index.ts'
import { SourceError } from '../../src/errors/index.ts'
import type { Json, JsonObject } from '../../src/json/index.ts'
import { errorOf, generated, paramsOf, type World } from './harness.ts'

const list = (...elements: readonly JsonObject[]): JsonObject => ({ list: { elements } })
const matrix = (...generators: readonly JsonObject[]): JsonObject => ({ matrix: { generators } })
const merge = (mergeKeys: readonly string[], ...generators: readonly JsonObject[]): JsonObject => ({
  merge: { mergeKeys, generators },
})
const git = (more: JsonObject = {}): JsonObject => ({
  git: { repoURL: 'RepoURL', revision: 'Revision', ...more },
})
const go: World = { goTemplate: true }

describe('a matrix', () => {
  const files = { 'app1/x': '', 'app2/x': '', 'p1/app4/x': '' }

  it('has every set of one with every set of the other', () => {
    const item = matrix(
      git({ directories: [{ path: 'app*' }] }),
      list({ cluster: 'Cluster', url: 'Url', templated: 'test-{{path.basenameNormalized}}' }),
    )
    const path = (name: string): JsonObject => ({
      path: name,
      'path.basename': name,
      'path.basenameNormalized': name,
      'path[0]': name,
    })
    expect(paramsOf(item, { files })).toEqual(
      ['app1', 'app2'].map((name) => ({
        ...path(name),
        cluster: 'Cluster',
        url: 'Url',
        templated: `test-${name}`,
      })),
    )
    const goItem = matrix(
      git({ directories: [{ path: 'app*' }] }),
      list({ cluster: 'Cluster', templated: 'test-{{ .path.basenameNormalized }}' }),
    )
    expect(paramsOf(goItem, { ...go, files })).toEqual(
      ['app1', 'app2'].map((name) => ({
        path: { path: name, basename: name, basenameNormalized: name, segments: [name] },
        cluster: 'Cluster',
        templated: `test-${name}`,
      })),
    )
  })

  it('has the products of two lists', () => {
    const item = matrix(list({ a: '1' }, { a: '2' }), list({ b: '1' }, { b: '2' }))
    const want = ['1', '2'].flatMap((a) => ['1', '2'].map((b) => ({ a, b })))
    expect(paramsOf(item)).toEqual(want)
    expect(paramsOf(item, go)).toEqual(want)
  })

  it('lets the first win in Go templates, and fails without them', () => {
    const item = matrix(
      list({
        booleanFalse: false,
        booleanTrue: true,
        empty: '',
        zero: 0,
        map: { a: 1, b: 2 },
        list: [1],
      }),
      list({
        booleanFalse: true,
        booleanTrue: false,
        empty: 'x',
        zero: 5,
        map: { b: 3, c: 4 },
        list: [2, 3],
      }),
    )
    expect(paramsOf(item, go)).toEqual([
      {
        booleanFalse: false,
        booleanTrue: true,
        empty: '',
        zero: 0,
        map: { a: 1, b: 2, c: 4 },
        list: [1],
      },
    ])
    expect(errorOf(matrix(list({ a: 'fail', b: 'x' }), list({ a: 'b' })))).toBe(
      'failed to combine string maps with merging params for the matrix generator: found duplicate key a with different value, a: fail ,b: b',
    )
    expect(paramsOf(matrix(list({ a: 'same' }), list({ a: 'same', c: 'd' })))).toEqual([
      { a: 'same', c: 'd' },
    ])
  })

  const two = list({ a: '1' })
  const double = { ...git({ directories: [{ path: '*' }] }), ...two }
  it.each<readonly [string, JsonObject, string]>([
    ['one generator', matrix(two), 'found less than two generators, Matrix support only two'],
    ['no generator', matrix(), 'found less than two generators, Matrix support only two'],
    [
      'three generators',
      matrix(two, two, two),
      'found more than two generators, Matrix support only two',
    ],
    [
      'two in the first item',
      matrix(double, two),
      'error failed to get params for first generator in matrix generator: found more than one generator in matrix.Generators',
    ],
    [
      'two in the second item',
      matrix(two, double),
      'failed to get params for second generator in the matrix generator: found more than one generator in matrix.Generators',
    ],
    [
      'none in an item',
      matrix({}, two),
      'error failed to get params for first generator in matrix generator: child generator generated no parameters',
    ],
    [
      'a third level',
      matrix(matrix(matrix(two, two), two), two),
      'error failed to get params for first generator in matrix generator: child generator returned an error on parameter generation: error failed to get params for first generator in matrix generator: child generator generated no parameters',
    ],
    [
      'a child that fails',
      matrix(git(), two),
      'error failed to get params for first generator in matrix generator: child generator returned an error on parameter generation: ApplicationSet is empty',
    ],
  ])('fails with %s', (_, item, message) => {
    expect(errorOf(item)).toBe(message)
  })

  it('names the repository that cannot be read', () => {
    const item = matrix(
      list({ name: 'a' }),
      git({ repoURL: 'https://{{name}}', files: [{ path: '*' }] }),
    )
    expect(errorOf(item, { files: { 'x.json': '{"a": ' } })).toMatch(
      /^failed to get params for second generator in the matrix generator: child generator returned an error on parameter generation: error generating params from git: unable to process file 'x.json' from repository 'https:\/\/a': unable to parse file: /,
    )
    const gone = new SourceError('SOURCE_UNREACHABLE', 'not there')
    expect(errorOf(item, { tree: () => gone })).toBe(
      'failed to get params for second generator in the matrix generator: child generator returned an error on parameter generation: error generating params from git: error retrieving Git files: not there',
    )
  })

  it('asks for everything that its sets need at once', () => {
    const item = matrix(
      list({ n: 'a' }, { n: 'b' }, { n: 'a' }),
      git({ repoURL: 'https://{{n}}', directories: [{ path: '*' }] }),
    )
    expect(generated(item).asked).toEqual([
      ['a', 'b'].map((name) => ({ ask: 'tree', repoURL: `https://${name}`, revision: 'Revision' })),
    ])
  })

  it('gives elementsYaml of the first to a list', () => {
    const item = matrix(git({ files: [{ path: 'config.yaml' }] }), {
      list: { elements: [], elementsYaml: '{{ .foo.bar | toJson }}' },
    })
    const config = 'foo: {bar: [{chart: a, version: "1"}, {chart: b, version: "2"}]}\n'
    expect(
      paramsOf(item, { ...go, files: { 'config.yaml': config } }).map(({ chart, version }) => [
        chart,
        version,
      ]),
    ).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })
})

describe('interpolation', () => {
  const clusters = [
    { name: 'dev-01', server: 'https://dev-01', labels: { environment: 'dev' } },
    { name: 'prod-01', server: 'https://prod-01', labels: { environment: 'prod' } },
  ]

  it('reaches selectors of clusters, keys included', () => {
    const item = matrix(list({ env: 'dev', label: 'environment' }), {
      clusters: { selector: { matchLabels: { '{{label}}': '{{env}}' } } },
    })
    expect(paramsOf(item, { clusters }).map(({ name }) => name)).toEqual(['dev-01'])
    const goItem = matrix(list({ env: 'prod' }), {
      clusters: { selector: { matchLabels: { environment: '{{ default "foo" .env }}' } } },
    })
    expect(paramsOf(goItem, { ...go, clusters }).map(({ name }) => name)).toEqual(['prod-01'])
  })

  it('reaches files and repositories', () => {
    const item = matrix(
      list({ name: 'production_01/west', host: 'a' }),
      git({ repoURL: 'https://{{host}}/x.git', files: [{ path: '{{name}}' }] }),
    )
    const { asked, params } = generated(item, { files: { 'production_01/west': 'v: "1"' } })
    expect(asked.flat()).toEqual([
      { ask: 'tree', repoURL: 'https://a/x.git', revision: 'Revision' },
    ])
    expect(params![0]).toMatchObject({ v: '1', path: 'production_01' })
  })

  it('does not touch the selector of the item itself', () => {
    const item = matrix(list({ a: 'x' }), {
      ...list({ b: '1' }),
      selector: { matchLabels: { b: '{{a}}' } },
    })
    expect(paramsOf(item)).toEqual([])
  })

  it('leaves a generator alone for an empty set', () => {
    expect(paramsOf(matrix(list({}), list({ b: '{{a}}' })))).toEqual([{ b: '{{a}}' }])
  })

  it('fails where a template does', () => {
    const item = matrix(
      list({ override: 'foo' }),
      git({ files: [{ path: 'path/{{ index .rmap (default .override .test) }}' }] }),
    )
    expect(errorOf(item, go)).toBe(
      'failed to get params for second generator in the matrix generator: child generator returned an error on parameter generation: failed to replace parameters in generator: failed to execute go template path/{{ index .rmap (default .override .test) }}: template: base:1:8: executing "base" at <index .rmap (default .override .test)>: error calling index: index of untyped nil',
    )
  })

  const values = (
    of: JsonObject,
    world: World,
    first: JsonObject = { path: { basename: 'guestbook' } },
  ): Json => {
    const item = matrix(list(first), {
      clusters: { selector: { matchLabels: { environment: 'dev' } }, values: of },
    })
    const [params] = paramsOf(item, { clusters, ...world })
    return (
      params!['values'] ??
      Object.fromEntries(Object.entries(params!).filter(([key]) => key.startsWith('values.')))
    )
  }
  const strict = { ...go, goTemplateOptions: ['missingkey=error'] }

  it.each<readonly [string, JsonObject, World, JsonObject]>([
    ['resolves what the other gave', { env: '{{.path.basename}}' }, strict, { env: 'guestbook' }],
    [
      'leaves the rest to the generator',
      { n: '{{.name}}', env: '{{.path.basename}}' },
      strict,
      { n: 'dev-01', env: 'guestbook' },
    ],
    [
      'also without missingkey=error',
      { n: '{{.name}}', env: '{{.path.basename}}' },
      go,
      { n: 'dev-01', env: 'guestbook' },
    ],
    ['keeps what is no template', { s: 'fixed' }, go, { s: 'fixed' }],
  ])('of values: %s', (_, of, world, want) => {
    expect(values(of, world)).toEqual(want)
  })

  it('of values without Go templates', () => {
    const of = { env: '{{path.basename}}', n: '{{name}}', x: '{{none}}' }
    expect(values(of, {}, { 'path.basename': 'guestbook' })).toEqual({
      'values.env': 'guestbook',
      'values.n': 'dev-01',
      'values.x': '{{none}}',
    })
  })

  it.each([
    ['a template that cannot be parsed', '{{.path.basename', 'failed to parse template'],
    ['a function that fails', '{{mustFromJson "not-valid-json"}}', 'failed to execute go template'],
  ])('of values fails for %s', (_, bad, message) => {
    expect(() => values({ bad }, strict)).toThrow(
      `failed to replace parameters in generator: failed to pre-resolve Values key "bad": ${message}`,
    )
  })

  it('of values of generators that lie deeper', () => {
    const inner = matrix(
      {
        clusters: {
          selector: { matchLabels: { environment: 'dev' } },
          values: { n: '{{.name}}', e: '{{.env}}' },
        },
      },
      list({ x: '{{.env}}' }),
    )
    expect(paramsOf(matrix(list({ env: 'E' }), inner), { ...go, clusters })).toMatchObject([
      { values: { n: 'dev-01', e: 'E' }, x: 'E', env: 'E' },
    ])
  })
})

describe('a merge', () => {
  const sets = (item: JsonObject, world: World = {}): readonly unknown[] => [
    ...paramsOf(item, world),
  ]

  it.each<readonly [string, JsonObject, readonly JsonObject[]]>([
    [
      'overrides the base, and drops what is not in it',
      merge(
        ['b'],
        list({ a: '1_1', b: 'same', c: '1_3' }),
        list({ a: '2_1', b: 'same' }),
        list({ a: '3_1', b: 'different', c: '3_3' }),
      ),
      [{ a: '2_1', b: 'same', c: '1_3' }],
    ],
    ['takes absent keys for equal', merge(['b'], list({ a: 'a' }), list({ a: 'a' })), [{ a: 'a' }]],
    [
      'tells an absent key from a present one',
      merge(['b'], list({ a: 'a' }), list({ b: 'b' })),
      [{ a: 'a' }],
    ],
    [
      'takes a matrix',
      merge(
        ['a', 'b'],
        matrix(list({ a: '1' }, { a: '2' }), list({ b: '1' }, { b: '2' })),
        list({ a: '1', b: '1', c: 'added' }),
      ),
      [
        { a: '1', b: '1', c: 'added' },
        { a: '1', b: '2' },
        { a: '2', b: '1' },
        { a: '2', b: '2' },
      ],
    ],
    [
      'takes another merge',
      merge(
        ['a', 'b'],
        merge(
          ['a'],
          list({ a: '1', b: '1' }, { a: '2', b: '2' }),
          list({ a: '1', b: '3', c: 'added' }, { a: '3', b: '2' }),
        ),
        list({ a: '1', b: '3', d: 'added' }),
      ),
      [
        { a: '1', b: '3', c: 'added', d: 'added' },
        { a: '2', b: '2' },
      ],
    ],
    [
      'takes a key that is named twice',
      merge(['k', 'k'], list({ k: 'a' }, { k: 'b' }), list({ k: 'b', x: 'y' })),
      [{ k: 'a' }, { k: 'b', x: 'y' }],
    ],
  ])('%s', (_, item, want) => {
    expect(sets(item)).toEqual(want)
    expect(sets(item, go)).toEqual(want)
  })

  it('compares whole values, and merges maps in Go templates', () => {
    const item = merge(
      ['key'],
      list({ key: { hello: 'world' }, m: { a: 1, b: 2 }, e: 'x', n: 5 }, { key: 'b' }),
      list({ key: { hello: 'world' }, m: { b: 3 }, e: '', n: 0 }),
    )
    expect(sets(item, go)).toEqual([
      { key: { hello: 'world' }, m: { a: 1, b: 3 }, e: '', n: 0 },
      { key: 'b' },
    ])
  })

  const same = list({ key1: 'a', key2: 'a' }, { key1: 'a', key2: 'a' }, { key1: 'b', key2: 'a' })
  const unique =
    'the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique. Duplicate key was '
  it.each<readonly [string, JsonObject, string]>([
    ['no generators', merge(['b']), 'found less than two generators, Merge requires two or more'],
    [
      'one generator',
      merge(['b'], list({ b: 'x' })),
      'found less than two generators, Merge requires two or more',
    ],
    [
      'no keys',
      merge([], list({ b: 'x' }), list({ b: 'x' })),
      'error getting param sets by merge key: no merge keys were specified, Merge requires at least one',
    ],
    [
      'sets that are not unique',
      merge(['key1', 'key2'], same, list({})),
      `error getting param sets by merge key: ${unique}{"key1":"a","key2":"a"}`,
    ],
    [
      'in the second child',
      merge(['key1'], list({ key1: 'z' }), same),
      `error getting param sets by merge key: ${unique}{"key1":"a"}`,
    ],
    [
      'for absent keys too',
      merge(['k'], list({ a: '1' }, { a: '2' }), list({})),
      `error getting param sets by merge key: ${unique}{"k":null}`,
    ],
    [
      'two in one item',
      merge(['a'], list({ a: '1' }), {
        ...list({ a: '1' }),
        ...git({ directories: [{ path: '*' }] }),
      }),
      'error getting param sets from generators: error getting params from generator 2 of 2: found more than one generator in matrix.Generators',
    ],
    [
      'a child that fails',
      merge(['a'], git(), list({ a: '1' })),
      'error getting param sets from generators: error getting params from generator 1 of 2: child generator returned an error on parameter generation: ApplicationSet is empty',
    ],
    [
      'an empty item',
      merge(['a'], list({ a: '1' }), {}),
      'error getting param sets from generators: error getting params from generator 2 of 2: child generator generated no parameters',
    ],
  ])('fails with %s', (_, item, message) => {
    expect(errorOf(item)).toBe(message)
  })
})

describe('selectors after generators', () => {
  const element = {
    cluster: 'cluster',
    url: 'https://x:6443/y',
    values: { foo: 'bar' },
    list: ['bar'],
  }
  const count = (selector: JsonObject | undefined, world: World): number => {
    const { list: _, ...plain } = element
    const item = list(world.goTemplate === true ? element : plain)
    return paramsOf(selector === undefined ? item : { ...item, selector }, world).length
  }

  it.each<readonly [string, JsonObject | undefined, number]>([
    ['none', undefined, 1],
    ['an empty one', {}, 1],
    ['a nested value that differs', { matchLabels: { 'values.foo': 'foo' } }, 0],
    ['a nested value', { matchLabels: { 'values.foo': 'bar' } }, 1],
    ['a value that is no label value', { matchLabels: { url: 'https://x:6443/y' } }, 1],
    ['In', { matchExpressions: [{ key: 'cluster', operator: 'In', values: ['a', 'cluster'] }] }, 1],
    [
      'NotIn',
      { matchExpressions: [{ key: 'cluster', operator: 'NotIn', values: ['cluster'] }] },
      0,
    ],
    [
      'NotIn of an absent one',
      { matchExpressions: [{ key: 'none', operator: 'NotIn', values: ['x'] }] },
      1,
    ],
    ['Exists', { matchExpressions: [{ key: 'cluster', operator: 'Exists' }] }, 1],
    ['DoesNotExist', { matchExpressions: [{ key: 'cluster', operator: 'DoesNotExist' }] }, 0],
  ])('%s', (_, selector, want) => {
    expect(count(selector, {})).toBe(want)
    expect(count(selector, go)).toBe(want)
  })

  it('see lists by their index', () => {
    expect(count({ matchLabels: { 'list.0': 'bar' } }, go)).toBe(1)
    expect(count({ matchLabels: { 'list.1': 'bar' } }, go)).toBe(0)
  })

  const keyRule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
  it.each<readonly [JsonObject, string]>([
    [{ matchLabels: { 'path[0]': 'a' } }, `key: Invalid value: "path[0]": ${keyRule}`],
    [{ matchLabels: { '/a': 'b' } }, 'key: Invalid value: "/a": prefix part must be non-empty'],
    [
      { matchLabels: { '': 'b' } },
      `key: Invalid value: "": name part must be non-empty; ${keyRule}`,
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Near', values: ['x'] }] },
      '"Near" is not a valid pod selector operator',
    ],
    [
      { matchExpressions: [{ key: 'a b', operator: 'In', values: [] }] },
      `[key: Invalid value: "a b": ${keyRule}, values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty]`,
    ],
  ])('that are none: %j', (selector, message) => {
    expect(errorOf({ ...list({ a: 'b' }), selector })).toBe(
      `error parsing label selector: ${message}`,
    )
    expect(errorOf(matrix({ ...list({ a: 'b' }), selector }, list({ c: 'd' })))).toBe(
      `error failed to get params for first generator in matrix generator: child generator returned an error on parameter generation: error parsing label selector: ${message}`,
    )
  })
})

describe('a list', () => {
  it('has texts, and one map of values, without Go templates', () => {
    expect(
      paramsOf(list({ cluster: 'cluster', url: 'url' }, { cluster: 'c', values: { foo: 'bar' } })),
    ).toEqual([
      { cluster: 'cluster', url: 'url' },
      { cluster: 'c', 'values.foo': 'bar' },
    ])
    expect(errorOf(list({ a: 1 }))).toBe('error parsing value as string %!w(<nil>)')
    expect(errorOf(list({ values: 'x' }))).toBe('error parsing values map')
  })

  it('has anything with them', () => {
    const element = { cluster: 'c', n: 1, values: { foo: ['bar'] } }
    expect(paramsOf(list(element), go)).toEqual([element])
  })

  it('adds what a text holds', () => {
    const item = { list: { elements: [{ a: '1' }], elementsYaml: '- a: "2"\n- {a: 3, b: [x]}\n' } }
    expect(paramsOf(item)).toEqual([{ a: '1' }, { a: '2' }, { a: 3, b: ['x'] }])
    const failing = (elementsYaml: string): string =>
      errorOf({ list: { elements: [], elementsYaml } })
    const words =
      'error unmarshling decoded ElementsYaml error unmarshaling JSON: while decoding JSON: json: cannot unmarshal '
    expect(failing('a: b')).toBe(`${words}object into Go value of type []map[string]interface {}`)
    expect(failing('[a]')).toBe(`${words}string into Go value of type map[string]interface {}`)
    expect(failing('true')).toBe(`${words}bool into Go value of type []map[string]interface {}`)
    expect(failing('5')).toBe(`${words}number into Go value of type []map[string]interface {}`)
  })
})

describe('clusters', () => {
  const clusters = [
    {
      name: 'staging-01',
      server: 'https://staging-01.example.com',
      project: '',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', environment: 'staging', org: 'foo' },
      annotations: { 'foo.argoproj.io': 'staging' },
    },
    {
      name: 'production_01/west',
      server: 'https://production-01.example.com',
      project: 'prod-project',
      labels: {
        'argocd.argoproj.io/secret-type': 'cluster',
        environment: 'production',
        org: 'bar',
      },
      annotations: { 'foo.argoproj.io': 'production' },
    },
  ]
  const names = (spec: JsonObject, world: World = {}): readonly Json[] =>
    paramsOf({ clusters: spec }, { clusters, ...world }).map(({ name }) => name!)

  it('come with every parameter', () => {
    const [production] = paramsOf(
      {
        clusters: {
          selector: { matchLabels: { environment: 'production' } },
          values: { lol: '{{name}}', raw: 'x' },
        },
      },
      { clusters },
    )
    expect(production).toEqual({
      name: 'production_01/west',
      nameNormalized: 'production-01-west',
      server: 'https://production-01.example.com',
      project: 'prod-project',
      'metadata.labels.argocd.argoproj.io/secret-type': 'cluster',
      'metadata.labels.environment': 'production',
      'metadata.labels.org': 'bar',
      'metadata.annotations.foo.argoproj.io': 'production',
      'values.lol': 'production_01/west',
      'values.raw': 'x',
    })
    const [goStaging] = paramsOf(
      {
        clusters: {
          selector: { matchLabels: { environment: 'staging' } },
          values: { l: '{{ .metadata.labels.org }}' },
        },
      },
      { ...go, clusters },
    )
    expect(goStaging).toEqual({
      name: 'staging-01',
      nameNormalized: 'staging-01',
      server: 'https://staging-01.example.com',
      project: '',
      metadata: { labels: clusters[0]!.labels, annotations: clusters[0]!.annotations },
      values: { l: 'foo' },
    })
  })

  it.each<readonly [string, JsonObject, readonly string[]]>([
    [
      'all, and our own, without a selector',
      {},
      ['production_01/west', 'staging-01', 'in-cluster'],
    ],
    [
      'all that are Secrets',
      { selector: { matchLabels: { 'argocd.argoproj.io/secret-type': 'cluster' } } },
      ['production_01/west', 'staging-01'],
    ],
    [
      'by label',
      { selector: { matchLabels: { environment: 'production' } } },
      ['production_01/west'],
    ],
    [
      'by expression',
      {
        selector: {
          matchExpressions: [
            { key: 'environment', operator: 'In', values: ['production', 'staging'] },
          ],
        },
      },
      ['production_01/west', 'staging-01'],
    ],
    [
      'by both',
      {
        selector: {
          matchExpressions: [
            { key: 'environment', operator: 'In', values: ['production', 'staging'] },
          ],
          matchLabels: { org: 'bar' },
        },
      },
      ['production_01/west'],
    ],
  ])('are %s', (_, spec, want) => {
    expect(names(spec)).toEqual(want)
    expect(names(spec, go)).toEqual(want)
  })

  it('may be one flat list', () => {
    const flat = paramsOf(
      { clusters: { flatList: true, values: { v: '{{ .name }}' } } },
      { ...go, clusters },
    )
    expect(flat).toHaveLength(1)
    expect(
      (flat[0]!['clusters'] as readonly JsonObject[]).map(({ name, values }) => [name, values]),
    ).toEqual([
      ['production_01/west', { v: 'production_01/west' }],
      ['staging-01', { v: 'staging-01' }],
      ['in-cluster', { v: 'in-cluster' }],
    ])
    const none = { clusters: { flatList: true, selector: { matchLabels: { a: 'b' } } } }
    expect(paramsOf(none, { clusters })).toEqual([{ clusters: [] }])
  })

  it('have our own only where no Secret has its server', () => {
    const own = { name: 'here', server: 'https://kubernetes.default.svc', labels: { a: 'b' } }
    expect(names({}, { clusters: [own] })).toEqual(['here'])
    expect(names({ selector: { matchLabels: { a: 'c' } } }, { clusters: [own] })).toEqual([])
  })

  it('of one name are one', () => {
    const twice = [clusters[0]!, { ...clusters[0]!, server: 'https://other' }]
    expect(names({ selector: { matchLabels: { org: 'foo' } } }, { clusters: twice })).toEqual([
      'staging-01',
    ])
  })
})

describe('values', () => {
  it('cannot refer to each other', () => {
    const values = { lol1: 'lol', lol2: '{{values.lol1}}{{values.lol1}}', lol3: '{{values.lol2}}' }
    expect(paramsOf({ clusters: { values } })[0]).toMatchObject({
      'values.lol1': 'lol',
      'values.lol2': '{{values.lol1}}{{values.lol1}}',
      'values.lol3': '{{values.lol2}}',
    })
    const goValues = {
      lol1: 'lol',
      lol2: '{{.values.lol1}}{{.values.lol1}}',
      d: '{{ default "bar" .none }}',
    }
    expect(paramsOf({ clusters: { values: goValues } }, go)[0]!['values']).toEqual({
      lol1: 'lol',
      lol2: '<no value><no value>',
      d: 'bar',
    })
  })
})

describe('when sets are looked at again', () => {
  const minutes = (count: number): number => count * 60_000
  const poll = minutes(3)
  it.each<readonly [string, JsonObject, number]>([
    ['list', list({ a: 'b' }), 0],
    ['clusters', { clusters: {} }, 0],
    ['git', git(), poll],
    ['git with its own time', git({ requeueAfterSeconds: 1 }), 1000],
    ['git never', git({ requeueAfterSeconds: 0 }), 0],
    ['clusterDecisionResource', { clusterDecisionResource: {} }, poll],
    ['scmProvider', { scmProvider: {} }, minutes(30)],
    ['pullRequest', { pullRequest: {} }, minutes(30)],
    ['plugin', { plugin: {} }, minutes(30)],
    ['plugin with its own time', { plugin: { requeueAfterSeconds: 5 } }, 5000],
    ['a matrix of those that do not', matrix(list({}), { clusters: {} }), 0],
    [
      'a matrix, the least of its children',
      matrix(git({ requeueAfterSeconds: 1 }), { scmProvider: {} }),
      1000,
    ],
    [
      'a matrix with a pull request generator',
      matrix(git({ requeueAfterSeconds: 7 }), { pullRequest: { requeueAfterSeconds: 5 } }),
      5000,
    ],
    [
      'a merge inside a matrix',
      matrix(merge(['a'], { plugin: { requeueAfterSeconds: 9 } }, list({})), git()),
      9000,
    ],
    [
      'never is not the least',
      matrix(git({ requeueAfterSeconds: 0 }), { plugin: {} }),
      minutes(30),
    ],
  ])('%s', (_, item, want) => {
    expect(requeueAfter([item], poll)).toBe(want)
  })
})
