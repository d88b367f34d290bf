import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../../files/index.ts'
import { nameOf } from '../../../kube/index.ts'
import type { RenderContext, RenderedManifest, RenderInput } from '../../types.ts'
import { helmRenderer } from './renderer.ts'

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: "7"\n',
  'web/values.yaml': `# defaults
replicas: 1
image:
  repository: app
  tag: ""
resources:
  limits:
    cpu: 1
env:
  - name: A
    value: one
  - name: B
    value: two
plain: true
note: |
  first
  second
db:
  port: 1
names: [x, y]
`,
  'web/prod.yaml': 'replicas: 3\nresources:\n  limits:\n    memory: 1Gi\n',
  'web/templates/_helpers.tpl': `{{- define "web.name" -}}
{{ .Release.Name }}-{{ .Values.suffix }}
{{- end }}
{{- define "web.labels" -}}
app: {{ include "web.name" . }}
tier: {{ .tier | default "none" }}
{{- end }}
`,
  'web/templates/app.yaml': `{{- $tag := .Values.image.tag | default .Chart.AppVersion }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "web.name" . }}
  labels:
    {{- include "web.labels" (dict "Values" .Values "Release" .Release "tier" .Values.tier) | nindent 4 }}
data:
  replicas: {{ .Values.replicas | quote }}
  image: "{{ .Values.image.repository }}:{{ $tag }}"
  {{- with .Values.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  env:
    {{- range .Values.env }}
    - name: {{ .name }}
      value: {{ .value }}
    {{- end }}
  {{- if .Values.plain }}
  mode: plain
  {{- else }}
  mode: fancy
  {{- end }}
  shape: {{ if .Values.plain }}flat{{ else }}round{{ end }}
  note: {{ .Values.note | quote }}
  text: |
    {{- .Values.note | nindent 4 }}
  looked: {{ index .Values "db" "port" | quote }}
  listed: {{ join "," .Values.names }}
  late: {{ tpl "{{ .Values.replicas }}" . | quote }}
`,
  'web/crds/crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: x\n',
  'web/charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'web/charts/sub/values.yaml': 'color: red\nsize: 1\nglobal: {zone: a}\n',
  'web/charts/sub/templates/sub.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: sub}
data:
  color: {{ .Values.color }}
  size: {{ .Values.size | quote }}
  zone: {{ .Values.global.zone }}
`,
}

function manifests(traceFields = true): readonly RenderedManifest[] {
  const context = {
    appName: 'app',
    namespace: 'demo',
    project: 'default',
    kubeVersion: '',
    apiVersions: [],
    settings: { helmValuesFileSchemes: [] } as never,
    multiSource: false,
    traceFields,
  } satisfies RenderContext
  const input: RenderInput = {
    source: {
      repoURL: 'https://example.com/repo.git',
      path: 'web',
      helm: {
        valueFiles: ['prod.yaml'],
        parameters: [{ name: 'sub.size', value: '5' }],
        valuesObject: { suffix: 's', tier: 'front' },
      },
    },
    tree: memoryTree(files),
    path: 'web',
    revision: 'abc',
    context,
    refs: {},
    answers: {},
  }
  return helmRenderer.render(input)
}

const rendered = new Map(manifests().map((one) => [nameOf(one.manifest), one] as const))

function causes(name: string, path: readonly (string | number)[]): readonly string[] {
  return rendered
    .get(name)!
    .trace!.causesOf(path)
    .map(({ kind, text, position }) => {
      const line = position?.line === undefined ? '' : `:${position.line}`
      const place = position === undefined ? '' : `${position.path.slice(4)}${line} `
      return `${kind} ${place}${text}`
    })
}

describe('where a field of a chart comes from', () => {
  it.each<[string, readonly (string | number)[], readonly string[]]>([
    ['app-s', ['kind'], ['template templates/app.yaml:3 as written']],
    [
      'app-s',
      ['data', 'replicas'],
      ['template templates/app.yaml:9 .Values.replicas', 'values prod.yaml:1 .Values.replicas'],
    ],
    [
      'app-s',
      ['metadata', 'name'],
      [
        'template templates/_helpers.tpl:2 define "web.name": .Release.Name, .Values.suffix',
        'parameter .Release.Name',
        'parameter .Values.suffix (values of the Application)',
        'template templates/app.yaml:5 include "web.name"',
      ],
    ],
    [
      'app-s',
      ['metadata', 'labels', 'tier'],
      [
        'template templates/_helpers.tpl:6 define "web.labels": as written',
        'template templates/app.yaml:7 .Values.tier, include "web.labels"',
        'parameter .Values.tier (values of the Application)',
      ],
    ],
    [
      'app-s',
      ['data', 'image'],
      [
        'template templates/app.yaml:10 .Values.image.repository, .Values.image.tag, .Chart.AppVersion',
        'values values.yaml:4 .Values.image.repository',
        'values values.yaml:5 .Values.image.tag',
        'values Chart.yaml:4 .Chart.AppVersion',
      ],
    ],
    [
      'app-s',
      ['data', 'resources', 'limits', 'memory'],
      [
        'template templates/app.yaml:13 .Values.resources.limits.memory',
        'values prod.yaml:4 .Values.resources.limits.memory',
      ],
    ],
    [
      'app-s',
      ['data', 'resources', 'limits', 'cpu'],
      [
        'template templates/app.yaml:13 .Values.resources.limits.cpu',
        'values values.yaml:8 .Values.resources.limits.cpu',
      ],
    ],
    [
      'app-s',
      ['data', 'env', 1, 'value'],
      [
        'template templates/app.yaml:18 .Values.env[1].value',
        'values values.yaml:13 .Values.env[1].value',
      ],
    ],
    ['app-s', ['data', 'mode'], ['template templates/app.yaml:21 as written if .Values.plain']],
    [
      'app-s',
      ['data', 'shape'],
      ['template templates/app.yaml:25 .Values.plain', 'values values.yaml:14 .Values.plain'],
    ],
    [
      'app-s',
      ['data', 'text'],
      [
        'template templates/app.yaml:27 as written',
        'template templates/app.yaml:28 .Values.note',
        'values values.yaml:15 .Values.note',
      ],
    ],
    [
      'app-s',
      ['data', 'looked'],
      ['template templates/app.yaml:29 .Values.db.port', 'values values.yaml:19 .Values.db.port'],
    ],
    [
      'app-s',
      ['data', 'listed'],
      ['template templates/app.yaml:30 .Values.names', 'values values.yaml:20 .Values.names'],
    ],
    [
      'sub',
      ['data', 'size'],
      [
        'template charts/sub/templates/sub.yaml:6 .Values.size',
        'parameter .Values.size (parameter sub.size)',
      ],
    ],
    [
      'sub',
      ['data', 'color'],
      [
        'template charts/sub/templates/sub.yaml:5 .Values.color',
        'values charts/sub/values.yaml:1 .Values.color',
      ],
    ],
    [
      'sub',
      ['data', 'zone'],
      [
        'template charts/sub/templates/sub.yaml:7 .Values.global.zone',
        'values charts/sub/values.yaml:3 .Values.global.zone',
      ],
    ],
    ['x', ['kind'], ['resource crds/crd.yaml:2 as written']],
    ['app-s', ['data', 'nothing'], []],
  ])('%s %j', (name, path, want) => {
    expect(causes(name, path)).toEqual(want)
  })

  it('is told of no text of a template that does not exist as a file', () => {
    expect(causes('app-s', ['data', 'late'])).toEqual([
      'template templates/app.yaml:31 .Values.replicas',
      'values prod.yaml:1 .Values.replicas',
    ])
  })

  it('changes nothing in what is rendered, and is not told unless asked for', () => {
    const plain = manifests(false)
    expect(plain.map(({ manifest }) => manifest)).toEqual(
      manifests().map(({ manifest }) => manifest),
    )
    expect(plain.every(({ trace }) => trace === undefined)).toBe(true)
  })
})
