import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../../files/index.ts'
import { isObject, type Json } from '../../../json/index.ts'
import { type BuildOptions, type BuiltObject, buildKustomization } from '../build.ts'

const base = {
  'base/kustomization.yaml': `resources:
- app.yaml
- other.yaml
configMapGenerator:
- name: settings
  files: [a.txt]
  envs: [e.env]
  literals: [l=1]
`,
  'base/app.yaml': `# the app
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: side
        image: side:1
      - name: main
        image: main:1
        envFrom:
        - configMapRef: {name: settings}
`,
  'base/other.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: {name: one}\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: two\n',
  'base/a.txt': 'text',
  'base/e.env': 'E=2\n',
}

const overlay = {
  'over/kustomization.yaml': `resources: [../base]
namePrefix: p-
namespace: space
patches:
- path: merge.yaml
- path: ops.yaml
  target: {kind: Service, name: two}
- target: {kind: Service}
  patch: |
    - op: add
      path: /metadata/labels
      value: {inline: "yes"}
images:
- {name: none, newTag: "9"}
- name: side
  newTag: "2"
replicas:
- {name: web, count: 5}
replacements:
- source: {kind: Service, name: one, fieldPath: kind}
  targets: [{select: {kind: Service, name: two}, fieldPaths: [spec.type], options: {create: true}}]
transformers: [t.yaml]
`,
  'over/merge.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: main
        image: main:2
        env:
        - name: A
          value: "1"
`,
  'over/ops.yaml': `- op: add
  path: /metadata/annotations
  value: {x: y}
- op: add
  path: /spec
  value: {ports: [{port: 80}]}
- op: replace
  path: /spec/ports/0/port
  value: 81
`,
  'over/t.yaml':
    'apiVersion: builtin\nkind: AnnotationsTransformer\nmetadata: {name: notes}\nannotations: {n: m}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n',
}

function build(
  files: { readonly [path: string]: string },
  dir: string,
  options: Partial<BuildOptions> = {},
): readonly BuiltObject[] {
  return buildKustomization({ tree: memoryTree(files), display: '/r' }, dir, {
    remotes: { file: () => ({ status: 404 }), repo: () => ({ error: new Error('none') }) },
    traceFields: true,
    ...options,
  }).objects
}

function named(objects: readonly BuiltObject[], name: string): BuiltObject {
  return objects.find(({ value }) => {
    const metadata = value['metadata'] as { readonly name: string }
    return metadata.name.startsWith(name)
  })!
}

/** Each cause as `kind text file:line`. */
function causes(object: BuiltObject, path: string): readonly string[] {
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return object.trace!.causesOf(steps).map(({ kind, text, position }) => {
    const at =
      position === undefined ? '' : ` ${position.path}${position.line ? `:${position.line}` : ''}`
    return `${kind} ${text}${at}`
  })
}

describe('what made each field', () => {
  const objects = build({ ...base, ...overlay }, 'over')
  const deployment = named(objects, 'p-web')
  const second = named(objects, 'p-two')
  const settings = named(objects, 'p-settings')

  it.each([
    ['kind', ['resource as written base/app.yaml:3']],
    ['metadata.namespace', ['transformer namespace over/kustomization.yaml:3']],
    [
      'metadata.name',
      ['transformer namePrefix over/kustomization.yaml:2', 'resource as written base/app.yaml:5'],
    ],
    [
      'spec.replicas',
      [
        'transformer replicas[0] over/kustomization.yaml:18',
        'patch patches[0] over/merge.yaml:6',
        'resource as written base/app.yaml:7',
      ],
    ],
    // the patched container comes first
    [
      'spec.template.spec.containers.0.image',
      ['patch patches[0] over/merge.yaml:11', 'resource as written base/app.yaml:14'],
    ],
    ['spec.template.spec.containers.0.env.0.value', ['patch patches[0] over/merge.yaml:14']],
    [
      'spec.template.spec.containers.0.envFrom.0.configMapRef.name',
      ['transformer name of another object', 'resource as written base/app.yaml:16'],
    ],
    [
      'spec.template.spec.containers.1.image',
      ['transformer images[1] over/kustomization.yaml:15', 'resource as written base/app.yaml:12'],
    ],
    ['metadata.annotations.n', ['transformer AnnotationsTransformer notes over/t.yaml:1']],
    ['spec.nothing', []],
  ])('of a Deployment: %s', (path, want) => {
    expect(causes(deployment, path)).toEqual(want)
  })

  it.each([
    ['metadata.annotations.x', ['patch patches[1] over/ops.yaml:1']],
    ['spec.ports.0.port', ['patch patches[1] over/ops.yaml:7']],
    ['metadata.labels.inline', ['patch patches[2] over/kustomization.yaml:8']],
    ['spec.type', ['transformer replacements[0] over/kustomization.yaml:20']],
    ['apiVersion', ['resource as written base/other.yaml:5']],
  ])('of a Service: %s', (path, want) => {
    expect(causes(second, path)).toEqual(want)
  })

  it.each([
    ['data.l', ['generator configMapGenerator[0] base/kustomization.yaml:5']],
    ['data.a.txt', []],
    ['data.E', ['generator configMapGenerator[0] base/e.env']],
    [
      'metadata.name',
      [
        'transformer hash of the content',
        'transformer namePrefix over/kustomization.yaml:2',
        'generator configMapGenerator[0] base/kustomization.yaml:5',
      ],
    ],
  ])('of a generated object: %s', (path, want) => {
    expect(causes(settings, path)).toEqual(want)
  })

  it('finds keys with dots', () => {
    const [cause] = settings.trace!.causesOf(['data', 'a.txt'])
    expect(cause).toMatchObject({ kind: 'generator', position: { path: 'base/a.txt' } })
  })

  it('tells all causes of what lies below', () => {
    expect(
      causes(deployment, 'spec.template.spec.containers').map((text) => text.split(' ')[0]),
    ).toEqual(['transformer', 'transformer', 'patch', 'resource'])
  })

  it('knows every field of every object', () => {
    const leaves = (value: Json, path: (string | number)[]): (string | number)[][] => {
      if (Array.isArray(value)) return value.flatMap((item: Json, i) => leaves(item, [...path, i]))
      if (!isObject(value)) return [path]
      return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]))
    }
    for (const object of objects) {
      for (const path of leaves(object.value, [])) {
        expect(object.trace!.causesOf(path), path.join('.')).not.toEqual([])
      }
    }
  })

  it('costs nothing when nobody asks', () => {
    const [first] = build({ ...base, ...overlay }, 'over', { traceFields: false })
    expect(first!.trace).toBeUndefined()
  })

  it('keeps the history of data that a generator merges into', () => {
    const merged = build(
      {
        ...base,
        'over/kustomization.yaml':
          'resources: [../base]\nconfigMapGenerator: [{name: settings, behavior: merge, literals: [l=2, m=3]}]\n',
      },
      'over',
    )
    const object = named(merged, 'settings')
    expect(causes(object, 'data.E')).toEqual(['generator configMapGenerator[0] base/e.env'])
    expect(causes(object, 'data.l')[0]).toBe(
      'generator configMapGenerator[0] over/kustomization.yaml:2',
    )
  })

  it('names patches that came first in order', () => {
    const files = {
      'kustomization.yaml':
        'resources: [a.yaml]\npatchesStrategicMerge: [one.yaml, two.yaml]\npatchesJson6902: [{path: ops.yaml, target: {version: v1, kind: Service, name: s}}]\n',
      'a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {a: 1}\n',
      'one.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {a: 2, b: 2}\n',
      'two.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  b: 3\n',
      'ops.yaml': '[{"op": "add", "path": "/spec/c", "value": 4}]',
    }
    const [object] = build(files, '')
    expect(causes(object!, 'spec.a')).toEqual([
      'patch patchesStrategicMerge[0] one.yaml:4',
      'resource as written a.yaml:4',
    ])
    expect(causes(object!, 'spec.b')[0]).toBe('patch patchesStrategicMerge[1] two.yaml:5')
    expect(causes(object!, 'spec.c')).toEqual(['patch patchesJson6902[0] ops.yaml:1'])
    expect(object!.inputs).toEqual(
      ['one.yaml', 'kustomization.yaml', 'two.yaml', 'ops.yaml'].sort(
        (a, b) => order(a) - order(b),
      ),
    )
  })
})

function order(name: string): number {
  return ['one.yaml', 'two.yaml', 'kustomization.yaml', 'ops.yaml'].indexOf(name)
}

describe('which files made an object', () => {
  it('names only those that changed it', () => {
    const objects = build({ ...base, ...overlay }, 'over', { traceFields: false })
    expect(objects.map(({ file, inputs }) => [file, inputs])).toEqual([
      [
        'base/kustomization.yaml',
        ['base/e.env', 'base/a.txt', 'over/kustomization.yaml', 'over/t.yaml'],
      ],
      ['base/other.yaml', ['over/kustomization.yaml', 'over/t.yaml']],
      ['base/other.yaml', ['over/ops.yaml', 'over/kustomization.yaml', 'over/t.yaml']],
      ['base/app.yaml', ['over/merge.yaml', 'over/kustomization.yaml', 'over/t.yaml']],
    ])
  })

  it('leaves out a file whose images are of others', () => {
    const [object] = build(
      {
        'kustomization.yaml': 'resources: [a.yaml]\nimages: [{name: other, newTag: "1"}]\n',
        'a.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x}]}\n',
      },
      '',
    )
    expect(object!.inputs).toEqual([])
  })

  it('names templates of charts', () => {
    const files = {
      'kustomization.yaml':
        'helmCharts: [{name: app, releaseName: r, valuesFile: v.yaml}]\nnamePrefix: p-\n',
      'v.yaml': 'a: 1\n',
      'charts/app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
      'charts/app/values.yaml': '',
      'charts/app/templates/two.yaml':
        '{{- if .Values.a }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n{{- end }}\n',
    }
    const objects = build(files, '', { helm: { enabled: true } })
    expect(objects.map(({ file, line, inputs }) => [file, line, inputs])).toEqual([
      ['charts/app/templates/two.yaml', 2, ['v.yaml', 'kustomization.yaml']],
      ['charts/app/templates/two.yaml', 6, ['v.yaml', 'kustomization.yaml']],
    ])
    expect(causes(objects[1]!, 'metadata.name')).toEqual([
      'transformer namePrefix kustomization.yaml:2',
      'template template charts/app/templates/two.yaml:6',
      'generator helmCharts[0] kustomization.yaml:1',
    ])
  })
})
