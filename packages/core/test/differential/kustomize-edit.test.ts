// What Argo CD does to a kustomization file with `kustomize edit`, by the program, against our edit in memory: the result
// of the build, and what refuses.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinary, haveBinaries } from '../../../../test/binaries.ts'
import type { KustomizeSource } from '../../src/argo/index.ts'
import { memoryTree } from '../../src/files/index.ts'
import type { JsonObject } from '../../src/json/index.ts'
import { buildKustomization, buildText } from '../../src/render/kustomize/index.ts'
import { editKustomization } from '../../src/render/kustomize/source/edit.ts'
import { formatYaml, parseYaml } from '../../src/yaml/index.ts'

const runs = haveBinaries('edits of kustomizations', ['kustomize'])

const objects = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: a, image: "nginx:1"}
      - {name: b, image: "reg.io:5000/x/app@sha256:aa"}
      - {name: c, image: other}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
`

const plain = 'resources: [objects.yaml]\n'
const busy = `# a comment
bases: [base]
resources: [objects.yaml]
namePrefix: old-
images:
- {name: nginx, newName: reg.io/nginx, newTag: "5"}
- {name: other, digest: "sha256:dd"}
replicas: [{name: web, count: 2}]
commonLabels: {a: b}
commonAnnotations: {m: w}
labels:
- {pairs: {x: w}}
- {pairs: {s: t}, includeSelectors: true}
- {pairs: {tt: t}, includeTemplates: true}
patches:
- {target: {kind: Service}, patch: '[{"op": "add", "path": "/metadata/annotations", "value": {first: "1"}}]'}
components: [one]
`

const rest = {
  'objects.yaml': objects,
  'base/kustomization.yaml': 'resources: [c.yaml]\n',
  'base/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
  'one/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {one: "1"}\n',
  'two/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -two\n',
}

const environment: { readonly [name: string]: string } = { ARGOCD_APP_NAME: 'shop', EMPTY: '' }

/** The commands of Argo CD, in its order; a function is what it does to the file itself. */
function commandsOf(
  source: KustomizeSource,
  root: string,
): (string[] | ((file: string) => void))[] {
  const expand = (text: string): string =>
    text.replace(/\$(\$|\{(\w+)\}|(\w+))/g, (_, all: string, a?: string, b?: string) =>
      all === '$' ? '$' : (environment[(a ?? b)!] ?? ''),
    )
  const out: (string[] | ((file: string) => void))[] = []
  if (source.namePrefix) out.push(['set', 'nameprefix', '--', source.namePrefix])
  if (source.nameSuffix) out.push(['set', 'namesuffix', '--', source.nameSuffix])
  if (source.images?.length) out.push(['set', 'image', ...source.images.map(expand)])
  if (source.replicas?.length) {
    out.push(['set', 'replicas', ...source.replicas.map(({ name, count }) => `${name}=${count}`)])
  }
  const labels = Object.entries(source.commonLabels ?? {})
  if (labels.length > 0) {
    out.push([
      'add',
      'label',
      ...(source.forceCommonLabels ? ['--force'] : []),
      ...(source.labelWithoutSelector ? ['--without-selector'] : []),
      ...(source.labelIncludeTemplates ? ['--include-templates'] : []),
      ...labels.map(([key, value]) => `${key}:${expand(value)}`),
    ])
  }
  const annotations = Object.entries(source.commonAnnotations ?? {})
  if (annotations.length > 0) {
    const value = (text: string): string => (source.commonAnnotationsEnvsubst ? expand(text) : text)
    out.push([
      'add',
      'annotation',
      ...(source.forceCommonAnnotations ? ['--force'] : []),
      ...annotations.map(([key, text]) => `${key}:${value(text)}`),
    ])
  }
  if (source.namespace) out.push(['set', 'namespace', '--', source.namespace])
  const { patches } = source
  if (patches?.length) {
    out.push((file) => {
      const value = parseYaml(readFileSync(file, 'utf8')) as JsonObject
      const before = (value['patches'] ?? []) as readonly JsonObject[]
      writeFileSync(file, formatYaml({ ...value, patches: [...before, ...patches] }))
    })
  }
  const components = (source.components ?? []).filter(
    (path) => !source.ignoreMissingComponents || existsSync(join(root, path)),
  )
  if (components.length > 0) out.push(['add', 'component', ...components])
  return out
}

type Answer = { readonly text: string } | { readonly error: string }

function theirs(source: KustomizeSource, files: { readonly [path: string]: string }): Answer {
  const root = mkdtempSync(join(tmpdir(), 'litecd-edit-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const run = (args: readonly string[]): Answer => {
      const { status, stdout, stderr } = spawnSync(findBinary('kustomize')!, args, {
        cwd: root,
        encoding: 'utf8',
      })
      const error = stderr.replace(/^# Warning.*\n/gm, '').replaceAll(root, '/r')
      return status === 0 ? { text: stdout } : { error }
    }
    for (const command of commandsOf(source, root)) {
      if (typeof command === 'function') command(join(root, 'kustomization.yaml'))
      else {
        const answer = run(['edit', ...command])
        if ('error' in answer) return answer
      }
    }
    return run(['build', '.'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function ours(source: KustomizeSource, files: { readonly [path: string]: string }): Answer {
  const tree = memoryTree(files)
  try {
    const kustomization = editKustomization(source, { tree, path: '', environment })
    const build = buildKustomization({ tree, display: '/r' }, '', {
      remotes: { file: () => ({ status: 404 }), repo: () => ({ error: new Error('none') }) },
      kustomization,
    })
    return { text: buildText(build) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

const cases: readonly (readonly [string, KustomizeSource])[] = [
  ['names', { namePrefix: 'p-', nameSuffix: '-s' }],
  ['a prefix with a dash', { namePrefix: '--p-' }],
  ['a namespace', { namespace: 'n-1' }],
  ['an empty namespace', { namespace: '' }],
  ['a tag', { images: ['nginx:2'] }],
  ['a digest', { images: ['nginx@sha256:bb'] }],
  ['tag and digest', { images: ['nginx:2@sha256:bb'] }],
  ['a new name', { images: ['nginx=reg.io:5000/nginx'] }],
  ['a new name and tag', { images: ['nginx=reg.io:5000/nginx:2'] }],
  ['a new name and digest', { images: ['nginx=reg.io/nginx@sha256:bb'] }],
  ['a new name, tag and digest', { images: ['nginx=reg.io/nginx:3@sha256:bb'] }],
  ['a registry with a port', { images: ['reg.io:5000/x/app:7', 'other=reg.io:5000/other:2'] }],
  ['what is there', { images: ['nginx=*:9', 'other=new/other:*'] }],
  ['a star for all', { images: ['nginx=*:*', 'other=*@*'] }],
  ['an image twice', { images: ['nginx:2', 'nginx:3'] }],
  [
    'variables in images',
    { images: ['nginx=$ARGOCD_APP_NAME/nginx:${ARGOCD_APP_NAME}', 'other:$NONE'] },
  ],
  ['an image without anything', { images: ['nginx'] }],
  ['replicas', { replicas: [{ name: 'web', count: 4 }] }],
  ['replicas as text', { replicas: [{ name: 'web', count: '4' }] }],
  ['no replicas', { replicas: [{ name: 'web', count: 0 }] }],
  ['labels', { commonLabels: { l: 'v', k: 'w' } }],
  ['a label with a colon', { commonLabels: { l: 'v:w' } }],
  ['a label in quotes', { commonLabels: { l: '"8"' } }],
  ['an empty label', { commonLabels: { l: '' } }],
  ['a label that is there', { commonLabels: { a: 'c' } }],
  ['a label by force', { commonLabels: { a: 'c', l: 'v' }, forceCommonLabels: true }],
  ['labels without selectors', { commonLabels: { l: 'v' }, labelWithoutSelector: true }],
  [
    'a label without selectors that is there',
    { commonLabels: { x: 'v' }, labelWithoutSelector: true },
  ],
  [
    'a label without selectors by force',
    { commonLabels: { x: 'v' }, labelWithoutSelector: true, forceCommonLabels: true },
  ],
  ['a label that is elsewhere', { commonLabels: { a: 'v' }, labelWithoutSelector: true }],
  [
    'labels of templates',
    { commonLabels: { l: 'v' }, labelWithoutSelector: true, labelIncludeTemplates: true },
  ],
  ['labels of templates with selectors', { commonLabels: { l: 'v' }, labelIncludeTemplates: true }],
  ['variables in labels', { commonLabels: { l: '$ARGOCD_APP_NAME', m: '$$X' } }],
  ['annotations', { commonAnnotations: { o: 'p' } }],
  ['an annotation with colons', { commonAnnotations: { o: 'https://example.com/a' } }],
  ['an annotation that is there', { commonAnnotations: { m: 'p' } }],
  ['an annotation by force', { commonAnnotations: { m: 'p' }, forceCommonAnnotations: true }],
  ['variables in annotations', { commonAnnotations: { o: '${ARGOCD_APP_NAME}' } }],
  [
    'variables that count',
    { commonAnnotations: { o: '${ARGOCD_APP_NAME}' }, commonAnnotationsEnvsubst: true },
  ],
  [
    'patches',
    {
      patches: [
        {
          target: { kind: 'Service' },
          patch: '- {op: add, path: /metadata/labels, value: {p: q}}',
        },
      ],
    },
  ],
  [
    'patches with options',
    {
      patches: [
        {
          patch: 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: NodePort}',
          options: { allowNameChange: true },
        },
      ],
    },
  ],
  ['components', { components: ['two', 'one'] }],
  ['a component that is not there', { components: ['none'] }],
  ['components that may miss', { components: ['none', 'two'], ignoreMissingComponents: true }],
  ['only components that miss', { components: ['none'], ignoreMissingComponents: true }],
  [
    'everything',
    {
      namePrefix: 'p-',
      nameSuffix: '-s',
      images: ['nginx:2'],
      replicas: [{ name: 'web', count: 3 }],
      commonLabels: { l: 'v' },
      labelWithoutSelector: true,
      commonAnnotations: { o: 'p' },
      namespace: 'n-1',
      patches: [
        { target: { kind: 'Service' }, patch: '- {op: add, path: /metadata/labels/p, value: q}' },
      ],
      components: ['two'],
    },
  ],
]

describe.skipIf(!runs)('edits of kustomizations, as the program makes them', () => {
  for (const [name, file] of [
    ['a short file', plain],
    ['a long file', busy],
  ] as const) {
    it.each(cases)(`of ${name}: %s`, (_, source) => {
      const files = { ...rest, 'kustomization.yaml': file }
      const [mine, peer] = [ours(source, files), theirs(source, files)]
      if ('text' in peer) {
        expect(mine).toEqual(peer)
        return
      }
      // Argo CD shows the command before what the program says
      expect(mine).toHaveProperty('error')
      const said = peer.error
        .replace(/^Error: /, '')
        .trim()
        .split('\n')[0]!
      expect(
        (mine as { readonly error: string }).error.replaceAll('<path to cached source>', '/r'),
      ).toContain(said)
    })
  }

  it.each([
    ['no file', { 'other.yaml': '' }],
    ['two files', { 'kustomization.yaml': plain, Kustomization: plain }],
    ['a file that cannot be read', { 'kustomization.yaml': 'resources: {\n' }],
    ['a field that is unknown', { 'kustomization.yaml': 'resource: [a]\n' }],
  ])('fails with %s', (_, own) => {
    const source: KustomizeSource = { namePrefix: 'p-' }
    const files = { ...rest, ...own }
    const [mine, peer] = [ours(source, files), theirs(source, files)]
    const said = (peer as { readonly error: string }).error
      .replace(/^Error: /, '')
      .split('\n')[0]!
      .trim()
    expect((mine as { readonly error: string }).error).toContain(said)
  })
})
