// Every decision about git generators and templates, as argo-cd v3.5.1 applicationset/generators/git_test.go,
// applicationset/utils/utils_test.go and applicationset/controllers/template test them.
import { describe, expect, it } from 'vitest'
import { generateApplications, readApplicationSet } from '../../src/appset/index.ts'
import { slugify } from '../../src/appset/slug.ts'
import { isLitecdError, SourceError } from '../../src/errors/index.ts'
import type { Json, JsonObject } from '../../src/json/index.ts'
import { errorOf, paramsOf, type World } from './harness.ts'

const go: World = { goTemplate: true }
const git = (more: JsonObject): JsonObject => ({
  git: { repoURL: 'RepoURL', revision: 'Revision', ...more },
})
const folders = (...paths: readonly string[]): World => ({
  files: Object.fromEntries(paths.map((path) => [`${path}/x`, ''])),
})

describe('git directories', () => {
  const some = folders('app1', 'app2', 'app_3', 'p1/app4', 'p1/p2/app5')
  const paths = (...directories: readonly JsonObject[]): readonly Json[] =>
    paramsOf(git({ directories }), some).map(({ path }) => path!)

  it('come with every parameter', () => {
    expect(paramsOf(git({ directories: [{ path: 'app*' }] }), some)).toEqual(
      [
        ['app1', 'app1'],
        ['app2', 'app2'],
        ['app_3', 'app-3'],
      ].map(([path, normalized]) => ({
        path,
        'path.basename': path,
        'path.basenameNormalized': normalized,
        'path[0]': path,
      })),
    )
    expect(paramsOf(git({ directories: [{ path: 'p1/*/*' }] }), { ...go, ...some })).toEqual([
      {
        path: {
          path: 'p1/p2/app5',
          basename: 'app5',
          basenameNormalized: 'app5',
          segments: ['p1', 'p2', 'app5'],
        },
      },
    ])
  })

  it('come under a prefix', () => {
    const item = git({ directories: [{ path: 'p1/app*' }], pathParamPrefix: 'myRepo' })
    expect(paramsOf(item, some)).toEqual([
      {
        'myRepo.path': 'p1/app4',
        'myRepo.path.basename': 'app4',
        'myRepo.path.basenameNormalized': 'app4',
        'myRepo.path[0]': 'p1',
        'myRepo.path[1]': 'app4',
      },
    ])
    expect(paramsOf(item, { ...go, ...some })).toEqual([
      {
        myRepo: {
          path: {
            path: 'p1/app4',
            basename: 'app4',
            basenameNormalized: 'app4',
            segments: ['p1', 'app4'],
          },
        },
      },
    ])
  })

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['one segment for a star', [{ path: '*' }], ['app1', 'app2', 'app_3', 'p1']],
    [
      'what one of them fits',
      [{ path: 'p1/*' }, { path: 'p1/p2/*' }],
      ['p1/app4', 'p1/p2', 'p1/p2/app5'],
    ],
    [
      'nothing that is excluded',
      [{ path: '*' }, { path: 'p1', exclude: true }],
      ['app1', 'app2', 'app_3'],
    ],
    [
      'nothing that is excluded, in any order',
      [{ path: 'p1', exclude: true }, { path: '*' }],
      ['app1', 'app2', 'app_3'],
    ],
    [
      'classes and single characters',
      [{ path: 'app[12]' }, { path: 'app?3' }],
      ['app1', 'app2', 'app_3'],
    ],
    ['nothing for a bad pattern', [{ path: 'app[' }], []],
    ['nothing where only exclusions are', [{ path: '*', exclude: true }], []],
  ])('are %s', (_, directories, want) => {
    expect(paths(...directories)).toEqual(want)
  })

  it('are never hidden ones', () => {
    const hidden = folders('.git/a', '.x', 'a/.b/c', 'a/d')
    const item = git({ directories: [{ path: '*' }, { path: '*/*' }, { path: '*/*/*' }] })
    expect(paramsOf(item, hidden).map(({ path }) => path)).toEqual(['a', 'a/d'])
  })

  it('may have values', () => {
    const item = git({
      directories: [{ path: 'p1/app4' }],
      values: { foo: 'bar', aaa: '{{ path[0] }}', 'no-op': '{{ this-does-not-exist }}' },
    })
    expect(paramsOf(item, some)[0]).toMatchObject({
      'values.foo': 'bar',
      'values.aaa': 'p1',
      'values.no-op': '{{ this-does-not-exist }}',
    })
  })

  it('are none in an empty repository, and an error where there is none', () => {
    expect(paramsOf(git({ directories: [{ path: '*' }] }))).toEqual([])
    const tree = (): SourceError => new SourceError('SOURCE_UNREACHABLE', 'error')
    expect(errorOf(git({ directories: [{ path: '*' }] }), { tree })).toBe(
      'error generating params from git: error getting directories from repo: error retrieving Git Directories: error',
    )
    expect(errorOf(git({ files: [{ path: '*' }] }), { tree })).toBe(
      'error generating params from git: error retrieving Git files: error',
    )
    expect(errorOf(git({}))).toBe('ApplicationSet is empty')
  })
})

describe('git files', () => {
  const production = {
    cluster: {
      owner: 'john.doe@example.com',
      name: 'production',
      address: 'https://kubernetes.default.svc',
    },
    key1: 'val1',
    key2: { key2_1: 'val2_1', key2_2: { key2_2_1: 'val2_2_1' } },
    key3: 123,
    list: ['a', { b: 'c' }],
    empty: {},
    none: null,
  }
  const files = { 'cluster-config/production/config.json': JSON.stringify(production) }
  const item = git({ files: [{ path: '**/config.json' }], values: { aaa: '{{ cluster.owner }}' } })

  it('are flattened for fasttemplate', () => {
    expect(paramsOf(item, { files, doublestar: true })).toEqual([
      {
        'cluster.owner': 'john.doe@example.com',
        'cluster.name': 'production',
        'cluster.address': 'https://kubernetes.default.svc',
        key1: 'val1',
        'key2.key2_1': 'val2_1',
        'key2.key2_2.key2_2_1': 'val2_2_1',
        key3: '123',
        'list.0': 'a',
        'list.1.b': 'c',
        none: '<nil>',
        path: 'cluster-config/production',
        'path.basename': 'production',
        'path[0]': 'cluster-config',
        'path[1]': 'production',
        'path.basenameNormalized': 'production',
        'path.filename': 'config.json',
        'path.filenameNormalized': 'config.json',
        'values.aaa': 'john.doe@example.com',
      },
    ])
  })

  it('stay as they are for Go templates', () => {
    const goItem = git({
      files: [{ path: '**/config.json' }],
      values: { aaa: '{{ .cluster.owner }}' },
    })
    expect(paramsOf(goItem, { ...go, files, doublestar: true })).toEqual([
      {
        ...production,
        path: {
          path: 'cluster-config/production',
          basename: 'production',
          basenameNormalized: 'production',
          segments: ['cluster-config', 'production'],
          filename: 'config.json',
          filenameNormalized: 'config.json',
        },
        values: { aaa: 'john.doe@example.com' },
      },
    ])
  })

  it.each<readonly [string, string, readonly JsonObject[]]>([
    ['an empty file', '', [{}]],
    ['a list of JSON', '[{"a": "1"}, {"b": "2"}]', [{ a: '1' }, { b: '2' }]],
    ['a mapping of YAML', 'a: "1"\nb:\n  c: d\n', [{ a: '1', 'b.c': 'd' }]],
    ['a list of YAML', '- a: "1"\n- b: true\n', [{ a: '1' }, { b: 'true' }]],
    ['an empty list', '[]', []],
  ])('%s', (_, content, want) => {
    const found = paramsOf(git({ files: [{ path: 'dir/f.yaml' }] }), {
      files: { 'dir/f.yaml': content },
    })
    expect(
      found.map((params) =>
        Object.fromEntries(Object.entries(params).filter(([key]) => !key.startsWith('path'))),
      ),
    ).toEqual(want)
  })

  it.each([
    [
      'this is not json or yaml',
      'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type []map[string]interface {}',
    ],
    [
      '5',
      'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type []map[string]interface {}',
    ],
    [
      '[1]',
      'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}',
    ],
  ])('that hold %s are an error', (content, message) => {
    expect(
      errorOf(git({ files: [{ path: 'dir/f.yaml' }] }), { files: { 'dir/f.yaml': content } }),
    ).toBe(
      `error generating params from git: unable to process file 'dir/f.yaml' from repository 'RepoURL': unable to parse file: ${message}`,
    )
  })

  it('at the root have a point for their path', () => {
    const [params] = paramsOf(git({ files: [{ path: 'f.yaml' }] }), { files: { 'f.yaml': 'a: b' } })
    expect(params).toMatchObject({ path: '.', 'path.basename': '.', 'path.filename': 'f.yaml' })
  })

  it('come under a prefix, which wins over what is in them', () => {
    const world = { files: { 'p/f_1.yaml': 'path: x\nmyRepo: z' } }
    const prefixed = git({ files: [{ path: 'p/*' }], pathParamPrefix: 'myRepo' })
    expect(paramsOf(prefixed, world)[0]).toMatchObject({
      path: 'x',
      myRepo: 'z',
      'myRepo.path': 'p',
      'myRepo.path.filename': 'f_1.yaml',
      'myRepo.path.filenameNormalized': 'f-1.yaml',
    })
    expect(paramsOf(prefixed, { ...go, ...world })[0]).toMatchObject({
      path: 'x',
      myRepo: { path: { path: 'p', filename: 'f_1.yaml' } },
    })
    expect(paramsOf(git({ files: [{ path: 'p/*' }] }), world)[0]).toMatchObject({ path: 'p' })
  })

  const tree = Object.fromEntries(
    ['a.yaml', 'env/b.yaml', 'env/dev/c.yaml', 'env/dev/x/d.yaml', 'other/e.yaml'].map((path) => [
      path,
      'a: b',
    ]),
  )
  const names = (doublestar: boolean, ...patterns: readonly JsonObject[]): readonly string[] =>
    paramsOf(git({ files: patterns }), { files: tree, doublestar }).map((params) =>
      `${String(params['path'])}/${String(params['path.filename'])}`.replace(/^\.\//, ''),
    )

  it.each<readonly [string, readonly JsonObject[], readonly string[], readonly string[]]>([
    [
      'a star',
      [{ path: 'env/*.yaml' }],
      ['env/b.yaml', 'env/dev/c.yaml', 'env/dev/x/d.yaml'],
      ['env/b.yaml'],
    ],
    [
      'two stars',
      [{ path: 'env/**/*.yaml' }],
      ['env/dev/c.yaml', 'env/dev/x/d.yaml'],
      ['env/b.yaml', 'env/dev/c.yaml', 'env/dev/x/d.yaml'],
    ],
    ['a folder', [{ path: 'env/dev' }], ['env/dev/c.yaml', 'env/dev/x/d.yaml'], []],
    [
      'an exclusion',
      [{ path: '**/*.yaml' }, { path: 'env/dev/*.yaml', exclude: true }],
      ['env/b.yaml', 'other/e.yaml'],
      ['a.yaml', 'env/b.yaml', 'env/dev/x/d.yaml', 'other/e.yaml'],
    ],
    [
      'several exclusions',
      [{ path: '*.yaml' }, { path: 'env/*', exclude: true }, { path: 'a.yaml', exclude: true }],
      ['other/e.yaml'],
      [],
    ],
  ])('%s: as git matches, and as doublestar does', (_, patterns, asGit, asDoublestar) => {
    expect(names(false, ...patterns)).toEqual(asGit)
    expect(names(true, ...patterns)).toEqual(asDoublestar)
  })
})

/** Generates one Application from a list of one element. */
function application(
  template: JsonObject,
  params: JsonObject,
  spec: JsonObject = {},
): { readonly metadata: JsonObject; readonly spec: JsonObject } | string {
  const set = readApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: { generators: [{ list: { elements: [params] } }], template, ...spec },
  })
  try {
    const result = generateApplications(set, { clusters: [], tree: () => undefined })
    if ('needs' in result) throw new Error('nothing is needed')
    return result.applications[0] as never
  } catch (error) {
    if (isLitecdError(error)) return error.message
    throw error
  }
}

describe('templates without Go', () => {
  it.each<readonly [string, JsonObject, string]>([
    ['{{one}}', { one: 'two' }, 'two'],
    ['{{ one }}', { one: 'two' }, 'two'],
    ['}} {{', { one: 'two' }, '}} {{'],
    ['{{ }}', { one: '{{ }}' }, '{{ }}'],
    ['{{ }}', { ' ': 'two', '': 'three' }, '{{ }}'],
    ['{{one}}', { '{{one}}': '{{one}}' }, '{{one}}'],
    ['{{one}}', { '{{one}}': '{{two}}' }, '{{one}}'],
    ['{{ONE}}', { one: 'two' }, '{{ONE}}'],
    ['{{one}}{{one}}', { one: 'two' }, 'twotwo'],
    ['{{one}}{{three}}', { one: 'two', three: 'four' }, 'twofour'],
    ['{{one}} {{three}}', { one: '"hello" world', three: 'four' }, '"hello" world four'],
    ['{{one}}', { one: '{{two}}', two: 'x' }, '{{two}}'],
  ])('%s with %j', (text, params, want) => {
    for (const template of everywhere(text)) {
      const app = application(template.template, params)
      if (typeof app === 'string') throw new Error(app)
      expect(template.read(app), template.name).toBe(want)
    }
  })

  it('need an end', () => {
    const app = application(
      { metadata: { name: '{{properly.closed}} {{improperly.closed}' }, spec: {} },
      { a: 'b' },
    )
    expect(app).toBe(
      'invalid template: Cannot find end tag="}}" in the template="{{properly.closed}} {{improperly.closed}" starting from "improperly.closed}"',
    )
  })

  it('reach keys', () => {
    const app = application(
      { metadata: { name: 'x', annotations: { 'a-{{key}}': 'b-{{value}}' } }, spec: {} },
      { key: 'k', value: 'v' },
    )
    expect(app).toMatchObject({ metadata: { annotations: { 'a-k': 'b-v' } } })
  })
})

interface Place {
  readonly name: string
  readonly template: JsonObject
  readonly read: (app: { readonly metadata: JsonObject; readonly spec: JsonObject }) => unknown
}

/** Templates with a text at every kind of place. */
function everywhere(text: string): readonly Place[] {
  const metadata = { name: 'application-one', labels: { a: 'label-value' } }
  const source = (field: string): Place => ({
    name: field,
    template: { metadata, spec: { source: { [field]: text } } },
    read: ({ spec }) => (spec['source'] as JsonObject)[field],
  })
  const destination = (field: string): Place => ({
    name: field,
    template: { metadata, spec: { destination: { [field]: text } } },
    read: ({ spec }) => (spec['destination'] as JsonObject)[field],
  })
  return [
    ...['path', 'repoURL', 'targetRevision', 'chart'].map(source),
    ...['server', 'namespace', 'name'].map(destination),
    {
      name: 'project',
      template: { metadata, spec: { project: text } },
      read: ({ spec }) => spec['project'],
    },
    {
      name: 'an annotation',
      template: { metadata: { ...metadata, annotations: { x: text } }, spec: {} },
      read: (app) => (app.metadata['annotations'] as JsonObject)['x'],
    },
    {
      name: 'valuesObject',
      template: {
        metadata,
        spec: { source: { helm: { valuesObject: { some: [{ deep: text }] } } } },
      },
      read: ({ spec }) =>
        (spec as { source: { helm: { valuesObject: { some: { deep: string }[] } } } }).source.helm
          .valuesObject.some[0]!.deep,
    },
  ]
}

describe('Go templates', () => {
  const image = { replicas: 3, image: { name: 'busybox', version: 'latest' } }
  const hpa = (enabled: boolean): JsonObject => ({
    replicas: 3,
    hpa: { enabled, minReplicas: 1, maxReplicas: 5 },
  })
  const conditional =
    '{{ if .hpa.enabled }}{{ .hpa.maxReplicas }}{{ else }}{{ .replicas }}{{ end }}'

  it.each<readonly [string, JsonObject, string]>([
    ['{{ .one }}', { one: 'two' }, 'two'],
    ['{{ .one }}', { one: '{{one}}' }, '{{one}}'],
    ['{{ .one }}', { one: '{{ .two }}', two: 'x' }, '{{ .two }}'],
    ['{{.one}}{{.three}}', { one: 'two', three: 'four' }, 'twofour'],
    ['{{.one}} {{.three}}', { one: '"hello" world', three: 'four' }, '"hello" world four'],
    ['{{ .image.name }}:{{ .image.version }}', image, 'busybox:latest'],
    [conditional, hpa(true), '5'],
    [conditional, hpa(false), '3'],
    [
      '{{ range .volumes }}[{{ .name }}]{{ end }}',
      { volumes: [{ name: 'one' }, { name: 'two' }] },
      '[one][two]',
    ],
    [
      '{{ index .admin "admin-ca" }}, {{ index .admin "admin-jks" }}',
      { admin: { 'admin-ca': 'a', 'admin-jks': 'b' } },
      'a, b',
    ],
    [
      '{{ index .admin "admin-ca" }}, \\\\ "Hello world"',
      { admin: { 'admin-ca': 'value "admin" ca with \\' } },
      'value "admin" ca with \\, \\\\ "Hello world"',
    ],
    ['{{.quote}}', { quote: '"' }, '"'],
    ['{{.data}}', {}, '{{.data}}'],
    ['--> {{.doesnotexist}} <--', { unused: 'x' }, '--> <no value> <--'],
    [
      '{{ toYaml . | indent 2 }}',
      { foo: { bar: { bool: true, number: 2, str: 'Hello world' } } },
      '  foo:\n    bar:\n      bool: true\n      number: 2\n      str: Hello world',
    ],
    ['{{ get (fromYaml .value) "hello" }}', { value: 'hello: world' }, 'world'],
    [
      '{{ fromYamlArray .value | last }}',
      { value: '- hello world\n- bonjour tout le monde' },
      'bonjour tout le monde',
    ],
    [
      '{{ normalize .a }} {{ slugify .a }} {{ slugify 5 false .a }} {{ slugify 8 true .a }}',
      { a: 'Feat/My_Branch' },
      'feat-my-branch feat-my-branch feat feat-my',
    ],
  ])('%s with %j', (text, params, want) => {
    for (const place of everywhere(text)) {
      const app = application(place.template, params, { goTemplate: true })
      if (typeof app === 'string') throw new Error(`${place.name}: ${app}`)
      expect(place.read(app), place.name).toBe(want)
    }
  })

  it.each<readonly [string, JsonObject, string, string]>([
    [
      '{{functiondoesnotexist}}',
      { data: 'x' },
      '',
      'failed to parse template {{functiondoesnotexist}}: template: base:1: function "functiondoesnotexist" not defined',
    ],
    [
      '{{.data.test}}',
      { data: 'x' },
      '',
      'failed to execute go template {{.data.test}}: template: base:1:7: executing "base" at <.data.test>: can\'t evaluate field test in type interface {}',
    ],
    [
      '--> {{.doesnotexist}} <--',
      { unused: 'x' },
      'missingkey=error',
      'failed to execute go template --> {{.doesnotexist}} <--: template: base:1:6: executing "base" at <.doesnotexist>: map has no entry for key "doesnotexist"',
    ],
    [
      '{{ get (fromYaml .value) "hello" }}',
      { value: 'non\n compliant\n yaml' },
      '',
      'failed to execute go template {{ get (fromYaml .value) "hello" }}: template: base:1:8: executing "base" at <fromYaml .value>: error calling fromYaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}',
    ],
    [
      '{{ fromYamlArray .value | last }}',
      { value: 'non\n compliant\n yaml' },
      '',
      'failed to execute go template {{ fromYamlArray .value | last }}: template: base:1:3: executing "base" at <fromYamlArray .value>: error calling fromYamlArray: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type []interface {}',
    ],
  ])('%s fails', (text, params, option, message) => {
    const options = option === '' ? {} : { goTemplateOptions: [option] }
    const template = { metadata: { name: text }, spec: {} }
    expect(application(template, params, { goTemplate: true, ...options })).toBe(message)
  })

  it('reach keys', () => {
    const template = {
      metadata: { name: 'x', labels: { 'a-{{ .key }}': 'b-{{ .value }}' } },
      spec: {},
    }
    expect(application(template, { key: 'k', value: 'v' }, { goTemplate: true })).toMatchObject({
      metadata: { labels: { 'a-k': 'b-v' } },
    })
  })
})

describe('finalizers', () => {
  const standard = 'resources-finalizer.argocd.argoproj.io'
  it.each<
    readonly [
      string,
      readonly string[] | undefined,
      JsonObject | undefined,
      readonly string[] | undefined,
    ]
  >([
    ['that are there stay', ['existing'], undefined, ['existing']],
    ['for the background stay', [`${standard}/background`], undefined, [`${standard}/background`]],
    ['are the standard one where there are none', undefined, undefined, [standard]],
    ['are the standard one for an empty list', [], undefined, [standard]],
    ['with an empty policy too', undefined, {}, [standard]],
    [
      'are none where resources are preserved',
      undefined,
      { preserveResourcesOnDeletion: true },
      undefined,
    ],
    ['that are there stay then, too', ['user'], { preserveResourcesOnDeletion: true }, ['user']],
  ])('%s', (_, finalizers, syncPolicy, want) => {
    const metadata = { name: 'x', ...(finalizers === undefined ? {} : { finalizers }) }
    const app = application(
      { metadata, spec: {} },
      { a: 'b' },
      syncPolicy === undefined ? {} : { syncPolicy },
    )
    expect((app as { metadata: JsonObject }).metadata['finalizers']).toEqual(want)
  })
})

describe('patches', () => {
  const template = {
    metadata: { name: 'x', annotations: { a: '1' } },
    spec: {
      project: 'default',
      source: { repoURL: 'r', helm: { valueFiles: ['a'] } },
      destination: { server: 's' },
      syncPolicy: { syncOptions: ['a=b'] },
    },
  }
  const patched = (templatePatch: string, goTemplate = true): unknown =>
    application(template, { name: 'n', list: ['x', 'y'] }, { goTemplate, templatePatch })

  it.each([
    [
      'JSON',
      '{"metadata": {"annotations": {"b": "2"}}, "spec": {"source": {"helm": {"valueFiles": ["b"]}}, "syncPolicy": null}}',
    ],
    [
      'YAML',
      'metadata:\n  annotations: {b: "2"}\nspec:\n  source:\n    helm: {valueFiles: [b]}\n  syncPolicy: null\n',
    ],
  ])('of %s add, replace and remove', (_, patch) => {
    const app = patched(patch) as { metadata: JsonObject; spec: JsonObject }
    expect(app.metadata['annotations']).toEqual({ a: '1', b: '2' })
    expect(app.spec).toEqual({
      project: 'default',
      source: { repoURL: 'r', helm: { valueFiles: ['b'] } },
      destination: { server: 's' },
    })
  })

  it('are one template', () => {
    const patch =
      'spec:\n  source:\n    helm:\n      valueFiles:\n{{- range .list }}\n      - {{ . }}-{{ $.name }}\n{{- end }}\n'
    expect(patched(patch)).toMatchObject({
      spec: { source: { helm: { valueFiles: ['x-n', 'y-n'] } } },
    })
  })

  it('leave the project', () => {
    expect(patched('{"spec": {"project": "other"}}')).toMatchObject({
      spec: { project: 'default' },
    })
  })

  it.each([
    [
      'hello world',
      'invalid templatePatch "\\"hello world\\"": json: cannot unmarshal string into Go value of type v1alpha1.Application',
    ],
    [
      '{"spec": {"project": 5}}',
      'invalid templatePatch "{\\"spec\\": {\\"project\\": 5}}": json: cannot unmarshal number into Go struct field ApplicationSpec.spec.project of type string',
    ],
  ])('that are none: %s', (patch, message) => {
    const error = patched(patch)
    expect(typeof error).toBe('string')
    expect(String(error).replace('Application.spec.project', 'ApplicationSpec.spec.project')).toBe(
      message,
    )
  })
})

describe('slugs', () => {
  const long =
    'feat/a_really+long_pull_request_name_to_test_argo_slugification_and_branch_name_shortening_feature'
  const word =
    'feat/areallylongpullrequestnametotestargoslugificationandbranchnameshorteningfeature'
  it.each([
    [long, false, 50, 'feat-a-really-long-pull-request-name-to-test-argo'],
    [long, true, 53, 'feat-a-really-long-pull-request-name-to-test-argo'],
    [word, true, 50, 'feat'],
    ['one-two-three', false, 8, 'one-two'],
    ['one-two-three', false, 0, ''],
    ['one-two-three', true, 0, 'one-two-three'],
    ['--ab--cd--ef', false, 6, 'ab-cd'],
    [word, false, 50, 'feat-areallylongpullrequestnametotestargoslugifica'],
  ])('of %s, %s, %d', (text, whole, max, want) => {
    expect(slugify(text, max, whole)).toBe(want)
  })
})
