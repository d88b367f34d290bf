// helmCharts of kustomizations: what the kustomize program makes of them with the helm program is what we make.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinary, haveBinaries } from '../../../test/binaries.ts'
import { chartArchive } from '../../k8s-adapter/test/chartserver/archives.ts'
import { type FileServer, startFileServer } from '../../k8s-adapter/test/chartserver/servers.ts'
import { both, type Peer, writeFiles } from './kustomize-peer.ts'

const templates: { readonly [path: string]: string } = {
  'values.yaml':
    '# of the chart\nname: own\nlist: [a, b]\nnested:\n  keep: 1\n  change: 2\n  gone: x\nnothing:\ntext: "1.0"\nbig: 12345678901\n',
  'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-all
  labels: {app: {{ .Values.name | quote }}}
data:
  release: {{ .Release.Name }}/{{ .Release.Namespace }}/{{ .Release.Service }}
  chart: {{ .Chart.Name }}-{{ .Chart.Version }}
  kube: {{ .Capabilities.KubeVersion.Version }}
  api: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}
  values: |
{{ toYaml .Values | indent 4 }}
`,
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}, namespace: {{ .Values.space | default "own" }}}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: "x:1", envFrom: [{configMapRef: {name: {{ .Release.Name }}-all}}]}]}
`,
  'templates/hook.yaml':
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-install}}\n',
  'templates/tests/t.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: test, annotations: {helm.sh/hook: test}}\n',
  'templates/NOTES.txt': 'Thank you for {{ .Release.Name }}',
  'crds/crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n',
}

/** A chart in the tree of the kustomization. */
function local(folder: string, name: string, version = '0.1.0'): { [path: string]: string } {
  const files: { [path: string]: string } = {
    [`${folder}/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
  }
  for (const [path, text] of Object.entries(templates)) files[`${folder}/${name}/${path}`] = text
  return files
}

const runs = haveBinaries('helmCharts of kustomize', ['kustomize', 'helm'])

describe.skipIf(!runs)('helmCharts, as the kustomize program inflates them', () => {
  let root = ''
  let server: FileServer
  let peer: Peer

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'litecd-charts-'))
    server = await startFileServer()
    const versions = ['1.0.0', '1.1.0', '2.0.0-beta.1']
    for (const version of versions) {
      server.files[`/app-${version}.tgz`] = chartArchive('app', version, templates)
    }
    const entries = versions.map(
      (version) =>
        `  - {apiVersion: v2, name: app, version: ${version}, urls: [app-${version}.tgz]}`,
    )
    server.files['/index.yaml'] = `apiVersion: v1\nentries:\n  app:\n${entries.join('\n')}\n`
    peer = {
      kustomize: findBinary('kustomize')!,
      helm: findBinary('helm'),
      scratch: root,
      env: {},
    }
  })

  afterAll(() => {
    server.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function compare(
    files: { readonly [path: string]: string },
    args: readonly string[] = [],
    dir = '.',
  ): ReturnType<typeof both> {
    const written = Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll('REPO', server.url),
    ])
    const folder = writeFiles(root, Object.fromEntries(written))
    return both(peer, folder, dir, ['--enable-helm', ...args])
  }

  const chart = (...lines: string[]): string =>
    `helmCharts:\n- name: app\n  ${lines.join('\n  ')}\n`
  const inline =
    'valuesInline: {name: inline, list: [c], nested: {change: 3, gone: null, more: {x: y}}, text: 2}'

  it.each<[string, string, { readonly [path: string]: string }?, (readonly string[])?]>([
    ['a chart in the tree', chart('releaseName: r')],
    ['no name', chart('namespace: ns')],
    ['a namespace of its own', `namespace: outer\n${chart('releaseName: r', 'namespace: inner')}`],
    ['the namespace of the level', `namespace: outer\n${chart('releaseName: r')}`],
    ['a name by template', chart('nameTemplate: "n-{{ upper \\"x\\" | lower }}"')],
    ['definitions', chart('releaseName: r', 'includeCRDs: true')],
    ['no hooks', chart('releaseName: r', 'skipHooks: true')],
    ['no tests', chart('releaseName: r', 'skipTests: true')],
    ['a version of Kubernetes', chart('releaseName: r', 'kubeVersion: v1.30.4')],
    ['API versions', chart('releaseName: r', 'apiVersions: [example.com/v1, other/v1]')],
    [
      'flags',
      chart('releaseName: r'),
      {},
      ['--helm-kube-version', '1.29.0', '--helm-api-versions', 'example.com/v1'],
    ],
    [
      'flags below fields',
      chart('releaseName: r', 'kubeVersion: "1.28"', 'apiVersions: [x/v1]'),
      {},
      ['--helm-kube-version', '1.29.0', '--helm-api-versions', 'example.com/v1'],
    ],
    ['inline values', chart('releaseName: r', inline)],
    ['inline values that win', chart('releaseName: r', 'valuesMerge: override', inline)],
    ['inline values that lose', chart('releaseName: r', 'valuesMerge: merge', inline)],
    ['inline values alone', chart('releaseName: r', 'valuesMerge: replace', inline)],
    [
      'inline lists of maps',
      chart('releaseName: r', 'valuesInline: {list: [{name: x}, {name: y}], nested: {}}'),
    ],
    [
      'numbers inline',
      chart(
        'releaseName: r',
        'valuesInline: {a: 1e3, b: 0x10, c: 010, d: yes, e: 1.50, f: "no", big: 12345678901234567890}',
      ),
    ],
    [
      'a values file',
      chart('releaseName: r', 'valuesFile: v.yaml'),
      { 'v.yaml': 'name: file\nnested: {keep: 5}\n' },
    ],
    [
      'a values file with inline values',
      chart('releaseName: r', 'valuesFile: v.yaml', inline),
      { 'v.yaml': 'name: file\nnested: {keep: 5}\nonly: 1\n' },
    ],
    [
      'more values files',
      chart('releaseName: r', 'additionalValuesFiles: [m.yaml, n.yaml]', inline),
      { 'm.yaml': 'name: m\nfrom: m\n', 'n.yaml': 'name: n\n' },
    ],
    ['null inline', chart('releaseName: r', 'valuesInline: {nested: null, name: ~}')],
    [
      'a home',
      `helmGlobals: {chartHome: here/charts}\n${chart('releaseName: r')}`,
      local('here/charts', 'app', '0.2.0'),
    ],
    ['a version of a chart in the tree', chart('releaseName: r', 'version: 9.9.9')],
    [
      'the newest of a repository',
      `helmGlobals: {chartHome: none}\n${chart('releaseName: r', 'repo: REPO')}`,
    ],
    [
      'a version of a repository',
      `helmGlobals: {chartHome: none}\n${chart('releaseName: r', 'repo: REPO', 'version: 1.0.0')}`,
    ],
    [
      'a range of a repository',
      `helmGlobals: {chartHome: none}\n${chart('releaseName: r', 'repo: REPO', 'version: "~1.0"')}`,
    ],
    [
      'a preview of a repository',
      `helmGlobals: {chartHome: none}\n${chart('releaseName: r', 'repo: REPO', 'devel: true')}`,
    ],
    [
      'a repository with inline values',
      `helmGlobals: {chartHome: none}\n${chart('releaseName: r', 'repo: REPO', 'version: 1.1.0', inline)}`,
    ],
    ['a repository with the chart at its place', chart('releaseName: r', 'repo: REPO')],
    [
      'a place for the version',
      chart('releaseName: r', 'repo: REPO', 'version: 1.0.0'),
      local('charts/app-1.0.0', 'app', '1.0.0'),
    ],
    [
      'transformers behind a chart',
      `namePrefix: p-\nnameSuffix: -s\ncommonLabels: {l: v}\nimages: [{name: x, newTag: "2"}]\nnamespace: moved\n${chart('releaseName: r')}`,
    ],
    [
      'patches behind a chart',
      `${chart('releaseName: r')}patches:\n- target: {kind: ConfigMap}\n  patch: '[{"op": "add", "path": "/data/more", "value": "z"}]'\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: r, namespace: own}, spec: {replicas: 3}}'\n`,
    ],
    [
      'two charts',
      `helmCharts:\n- {name: app, releaseName: one}\n- {name: app, releaseName: two, skipHooks: true, skipTests: true, valuesInline: {space: two}}\n`,
    ],
    [
      'the older field',
      'helmChartInflationGenerator:\n- {chartName: app, releaseName: old, values: v.yaml, valuesLocal: {name: local}}\n',
      { 'v.yaml': 'name: v\n' },
    ],
    [
      'a generator',
      'generators: [g.yaml]\n',
      {
        'g.yaml':
          'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: app\nreleaseName: gen\nvaluesInline: {name: g}\n',
      },
    ],
    ['origins', `buildMetadata: [originAnnotations]\n${chart('releaseName: r')}`],
  ])('%s', async (_, text, more = {}, args = []) => {
    const { ours, theirs } = await compare(
      { ...local('charts', 'app'), 'kustomization.yaml': text, ...more },
      args,
    )
    expect(theirs).toMatchObject({ code: 0, error: '' })
    expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout })
  })

  it('takes charts of levels below, with the namespace of the level above', async () => {
    const { ours, theirs } = await compare({
      ...local('base/charts', 'app'),
      'base/kustomization.yaml': chart('releaseName: r'),
      'kustomization.yaml': 'resources: [base]\nnamespace: above\n',
    })
    expect(theirs).toMatchObject({ code: 0, error: '' })
    expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout })
  })

  it.each<[string, string, { readonly [path: string]: string }?]>([
    ['no chart and no repository', `helmGlobals: {chartHome: none}\n${chart('releaseName: r')}`],
    ['no name', 'helmCharts: [{releaseName: r}]\n'],
    ['a way to merge that is none', chart('releaseName: r', 'valuesMerge: both')],
    ['a values file that is not there', chart('releaseName: r', 'valuesFile: none.yaml')],
    [
      'another values file that is not there',
      chart('releaseName: r', 'additionalValuesFiles: [none.yaml]'),
    ],
    ['a values file outside', chart('releaseName: r', 'valuesFile: ../v.yaml')],
    ['a home outside', `helmGlobals: {chartHome: ../charts}\n${chart('releaseName: r')}`],
    [
      'a file where the chart should be',
      `helmGlobals: {chartHome: f}\n${chart('releaseName: r')}`,
      { 'f/app': 'a file' },
    ],
    [
      'an object without a name',
      chart('releaseName: r', 'valuesInline: {name: x}'),
      { 'charts/app/templates/bad.yaml': 'apiVersion: v1\nkind: ConfigMap\n' },
    ],
    ['two objects with one id', `${chart('releaseName: r')}- {name: app, releaseName: r}\n`],
    [
      'an empty values file',
      chart('releaseName: r', 'valuesFile: v.yaml', inline),
      { 'v.yaml': '' },
    ],
    [
      'comments in a values file',
      chart('releaseName: r', 'valuesFile: v.yaml', 'valuesMerge: merge', inline),
      { 'v.yaml': '# nothing\n' },
    ],
    ['a field that is unknown', chart('releaseName: r', 'valueFile: x')],
  ])('fails as it fails: %s', async (_, text, more = {}) => {
    const files = { ...local('k/charts', 'app'), 'v.yaml': 'name: v\n', ...local('charts', 'app') }
    const own = Object.entries({ 'kustomization.yaml': text, ...more })
    const { ours, theirs } = await compare(
      { ...files, ...Object.fromEntries(own.map(([path, content]) => [`k/${path}`, content])) },
      [],
      'k',
    )
    expect(theirs.code).toBe(1)
    // Go prints the address of its generator
    const error = theirs.error.replace(/ &\{0x[^}]*\}/, '')
    expect(ours).toEqual({ code: 1, stdout: '', error })
  })

  // What helm itself says names its own command and temporary files.
  it.each<[string, string, { readonly [path: string]: string }?]>([
    [
      'a template that fails',
      chart('releaseName: r'),
      { 'charts/app/templates/bad.yaml': '{{ fail "no" }}' },
    ],
    [
      'a version that is not there',
      `helmGlobals: {chartHome: none}\n${chart('repo: REPO', 'version: 3.0.0')}`,
    ],
    ['a chart that is not there', 'helmCharts: [{name: other, repo: REPO}]\n'],
    ['a repository that is none', 'helmCharts: [{name: other, repo: REPO/none}]\n'],
    ['a name and a template', chart('releaseName: r', 'nameTemplate: "t"')],
    ['a name that is none', chart('releaseName: Not_A_Name')],
    ['a version of Kubernetes that is none', chart('releaseName: r', 'kubeVersion: new')],
  ])('fails where helm fails: %s', async (_, text, more = {}) => {
    const { ours, theirs } = await compare({
      ...local('charts', 'app'),
      'kustomization.yaml': text,
      ...more,
    })
    expect(theirs.code).toBe(1)
    expect(ours.code).toBe(1)
    expect(ours.error).not.toBe('')
  })
})
