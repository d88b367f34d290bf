import { describe, expect, it } from 'vitest'
import { type LitecdError, SourceError } from '../../../errors/index.ts'
import { memoryTree } from '../../../files/index.ts'
import { nameOf } from '../../../kube/index.ts'
import type { RenderAnswer, RenderContext, RenderInput } from '../../types.ts'
import { helmRenderer } from './renderer.ts'

const charts = 'http://charts.example.com'
const secure = 'https://charts.example.com/stable'
const registry = 'oci://registry.example.com/charts'
const shown = '{{ .Chart.Name }}-{{ .Chart.Version }}'
const template = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${shown}}\n`
const chartFiles = (version: string, dir = ''): { readonly [path: string]: string } => ({
  [`${dir}Chart.yaml`]: `apiVersion: v2\nname: lib\nversion: ${version}\n`,
  [`${dir}templates/x.yaml`]: template,
})
const building =
  'error building helm chart dependencies: failed to build helm dependencies: failed to build dependencies: failed running helm: `helm dependency build` failed exit status 1: Error: '

interface Situation {
  /** Flow style entries of `dependencies`. */
  readonly dependencies: readonly string[]
  readonly files?: { readonly [path: string]: string }
  readonly isV1?: boolean
  /** What the fetcher says, by URL and revision. */
  readonly answers?: { readonly [place: string]: RenderAnswer }
  /** Beginnings of repositories that the project permits. */
  readonly permitted?: readonly string[]
}

function inputOf({ dependencies, files = {}, isV1 = false, permitted }: Situation): RenderInput {
  const list = `dependencies:\n${dependencies.map((text) => `- ${text}\n`).join('')}`
  const head = `apiVersion: ${isV1 ? 'v1' : 'v2'}\nname: web\nversion: 1.0.0\n`
  const tree = memoryTree({
    'web/Chart.yaml': isV1 ? head : head + list,
    ...(isV1 ? { 'web/requirements.yaml': list } : {}),
    ...files,
  })
  const context = {
    appName: 'app',
    namespace: '',
    project: 'default',
    kubeVersion: '',
    apiVersions: [],
    settings: { helmValuesFileSchemes: [] } as never,
    multiSource: false,
    ...(permitted === undefined
      ? {}
      : { permitsSource: (url) => permitted.some((start) => url.startsWith(start)) }),
  } satisfies RenderContext
  const source = { repoURL: 'https://example.com/repo.git', path: 'web' }
  return { source, tree, path: 'web', revision: 'abc', context, refs: {}, answers: {} }
}

/** Names of what is rendered, or the error; places that were asked for come first. */
function outcome(situation: Situation): readonly string[] {
  const input = inputOf(situation)
  const needs = helmRenderer.needs(input)
  const places = needs.map(({ request }) => `${request.url} ${request.revision}`)
  const answers: { [id: string]: RenderAnswer } = {}
  for (const [i, need] of needs.entries())
    answers[need.id] = situation.answers?.[places[i]!] as never
  try {
    const manifests = helmRenderer.render({ ...input, answers })
    return [...places, ...manifests.map(({ manifest }) => nameOf(manifest)).sort()]
  } catch (error) {
    return [...places, (error as LitecdError).message.replace(building, 'build: ')]
  }
}

const lib = (version: string): RenderAnswer => ({
  tree: memoryTree(chartFiles(version)),
  revision: version,
})
const failing = (stage: string, reason: string, more = {}): RenderAnswer => ({
  error: new SourceError('SOURCE_NOT_FOUND', 'in other words', {
    data: { stage, reason, ...more },
  }),
})

describe('dependencies that a chart does not hold', () => {
  /** Of `^1.0.0` locked at 1.0.0. */
  const digests = {
    secure: 'sha256:1d45d3f0b856391990db5598c632ae9068e12fe26644f913dfb7937a0f0460de',
    plain: 'sha256:d53efccddf30479b958e3c79d3bd8695a345301285d9a4e12f2f10dee218659a',
    allFields: 'sha256:fc127282e0e729fa6440d623447c62f617af9552f513836981f06914e2bafe33',
    helm2: 'sha256:c2092af006c98563d198d046b665176f2f15117341c5c52667063e1eb5ef2d50',
  }
  const lock = (version: string, repository: string, digest: string): string =>
    `dependencies:\n- name: lib\n  repository: ${repository}\n  version: ${version}\ndigest: ${digest}\n`

  it.each<[string, Situation, readonly string[]]>([
    [
      'come from a repository',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${charts}'}`],
        answers: { [`${charts} ^1.0.0`]: lib('1.3.0') },
      },
      [`${charts} ^1.0.0`, 'lib-1.3.0'],
    ],
    [
      'come once for two aliases',
      {
        dependencies: [
          `{name: lib, version: 1.x, repository: '${charts}'}`,
          `{name: lib, version: 1.x, repository: '${charts}', alias: two}`,
        ],
        answers: { [`${charts} 1.x`]: lib('1.3.0') },
      },
      [`${charts} 1.x`, 'lib-1.3.0', 'two-1.3.0'],
    ],
    [
      'may be two versions of one chart',
      {
        dependencies: [
          `{name: lib, version: 1.0.0, repository: '${charts}'}`,
          `{name: lib, version: 1.3.0, repository: '${charts}', alias: two}`,
        ],
        answers: { [`${charts} 1.0.0`]: lib('1.0.0'), [`${charts} 1.3.0`]: lib('1.3.0') },
      },
      [`${charts} 1.0.0`, `${charts} 1.3.0`, 'lib-1.0.0', 'two-1.3.0'],
    ],
    [
      'come from a registry',
      {
        dependencies: [`{name: lib, version: 1.0.0, repository: '${registry}'}`],
        answers: { [`${registry} 1.0.0`]: lib('1.0.0') },
      },
      [`${registry} 1.0.0`, 'lib-1.0.0'],
    ],
    [
      'lie elsewhere in the repository',
      {
        dependencies: ["{name: lib, version: ^1.0.0, repository: 'file://../lib'}"],
        files: chartFiles('1.5.0', 'lib/'),
      },
      ['lib-1.5.0'],
    ],
    [
      'lie elsewhere in another version',
      {
        dependencies: ["{name: lib, version: ^2.0.0, repository: 'file://../lib'}"],
        files: chartFiles('1.5.0', 'lib/'),
      },
      [
        'build: can\'t get a valid version for 1 subchart(s): "lib" (repository "file://../lib", version "^2.0.0"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml',
      ],
    ],
    [
      'lie nowhere',
      { dependencies: ["{name: lib, version: ^1.0.0, repository: 'file://../nolib'}"] },
      ['build: directory ../nolib not found'],
    ],
    [
      'lie outside of the repository',
      { dependencies: ["{name: lib, version: ^1.0.0, repository: 'file:///etc/lib'}"] },
      ['build: directory /etc/lib not found'],
    ],
    [
      'lie in a folder that is no chart',
      {
        dependencies: ["{name: lib, version: ^1.0.0, repository: 'file://../lib'}"],
        files: { 'lib/README.md': '' },
      },
      ['build: Chart.yaml file is missing'],
    ],
    [
      'have no repository',
      { dependencies: ['{name: lib, version: 1.0.0}'] },
      ['build: directory charts/lib not found'],
    ],
    [
      'have a repository that is no URL',
      { dependencies: ['{name: lib, version: 1.0.0, repository: stable}'] },
      [
        `build: no repository definition for stable. Please add them via 'helm repo add'\nNote that repositories must be URLs or aliases. For example, to refer to the "example"\nrepository, use "https://charts.example.com/" or "@example" instead of\n"example". Don't forget to add the repo, too ('helm repo add').`,
      ],
    ],
    [
      'have a constraint that is none',
      { dependencies: [`{name: lib, version: x y, repository: '${charts}'}`] },
      [
        'build: dependency "lib" has an invalid version/constraint format: improper constraint: "x y"',
      ],
    ],
    [
      'are unknown to their repository',
      {
        dependencies: [`{name: lib, version: 1.0.0, repository: '${charts}'}`],
        answers: { [`${charts} 1.0.0`]: failing('chart', '') },
      },
      [`${charts} 1.0.0`, `build: lib chart not found in repo ${charts}`],
    ],
    [
      'have no such version',
      {
        dependencies: [
          `{name: lib, version: ^2.0.0, repository: '${charts}'}`,
          `{name: lib, version: 9.0.0, repository: '${charts}', alias: b}`,
        ],
        answers: {
          [`${charts} ^2.0.0`]: failing('version', ''),
          [`${charts} 9.0.0`]: failing('version', ''),
        },
      },
      [
        `${charts} ^2.0.0`,
        `${charts} 9.0.0`,
        `build: can't get a valid version for 2 subchart(s): "lib" (repository "${charts}", version "^2.0.0"), "lib" (repository "${charts}", version "9.0.0"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml`,
      ],
    ],
    [
      'cannot be downloaded',
      {
        dependencies: [`{name: lib, version: 1.0.0, repository: '${charts}'}`],
        answers: {
          [`${charts} 1.0.0`]: failing('archive', 'failed to fetch U : 404 Not Found', {
            url: 'U',
          }),
        },
      },
      [`${charts} 1.0.0`, 'build: could not download U: failed to fetch U : 404 Not Found'],
    ],
    [
      'are in an http repository without an index',
      {
        dependencies: [`{name: lib, version: 1.0.0, repository: '${charts}'}`],
        answers: { [`${charts} 1.0.0`]: failing('index', 'looks like nothing') },
      },
      [
        `${charts} 1.0.0`,
        `build: no cached repository for helm-manager-34a18bb101e6a775849786171cf28b118e4cb1466766fb134cfe6282298199b6 found. (try 'helm repo update'): open <helm cache>/repository/helm-manager-34a18bb101e6a775849786171cf28b118e4cb1466766fb134cfe6282298199b6-index.yaml: no such file or directory`,
      ],
    ],
    [
      'are in an https repository without an index',
      {
        dependencies: [`{name: lib, version: 1.0.0, repository: '${secure}'}`],
        answers: {
          [`${secure} 1.0.0`]: failing('index', 'looks like nothing', {
            flags: '--username ****** ',
          }),
        },
      },
      [
        `${secure} 1.0.0`,
        `error building helm chart dependencies: failed to add helm repository ${secure}: failed to add repository: failed running helm: \`helm repo add --username ****** https:--charts.example.com-stable ${secure}\` failed exit status 1: Error: looks like nothing`,
      ],
    ],
    [
      'are in a repository whose name nobody knows',
      {
        dependencies: ["{name: lib, version: 1.0.0, repository: '@stable'}"],
        answers: { '@stable 1.0.0': failing('name', 'could not find protocol handler for: ') },
      },
      [
        '@stable 1.0.0',
        'error building helm chart dependencies: failed to add helm repository : failed to add repository: failed running helm: `helm repo add stable ` failed exit status 1: Error: could not find protocol handler for: ',
      ],
    ],
    [
      'are in a registry that lists no tags',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${registry}'}`],
        answers: { [`${registry} ^1.0.0`]: failing('tags', 'Get "x": refused') },
      },
      [
        `${registry} ^1.0.0`,
        `build: could not retrieve list of tags for repository ${registry}: Get "x": refused`,
      ],
    ],
    [
      'are locked',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${secure}'}`],
        files: { 'web/Chart.lock': lock('1.0.0', secure, digests.secure) },
        answers: { [`${secure} 1.0.0`]: lib('1.0.0') },
      },
      [`${secure} 1.0.0`, 'lib-1.0.0'],
    ],
    [
      'are locked with all fields, which count in the digest',
      {
        dependencies: [
          `{name: lib, version: ^1.0.0, repository: '${secure}', condition: lib.enabled, tags: [a], alias: two, import-values: [{parent: there, child: here}, z]}`,
        ],
        files: { 'web/Chart.lock': lock('1.0.0', secure, digests.allFields) },
        answers: { [`${secure} 1.0.0`]: lib('1.0.0') },
      },
      [`${secure} 1.0.0`, 'two-1.0.0'],
    ],
    [
      'are locked under the URL of a repository that is called by name',
      {
        dependencies: ["{name: lib, version: ^1.0.0, repository: 'alias:stable'}"],
        files: { 'web/Chart.lock': lock('1.0.0', secure, digests.secure) },
        answers: { 'alias:stable 1.0.0': lib('1.0.0') },
      },
      ['alias:stable 1.0.0', 'lib-1.0.0'],
    ],
    [
      'are locked in a repository over http, which nobody adds',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${charts}'}`],
        files: { 'web/Chart.lock': lock('1.0.0', charts, digests.plain) },
      },
      [
        `build: no repository definition for ${charts}. Please add the missing repos via 'helm repo add'`,
      ],
    ],
    [
      'are locked by Helm 2, in a repository of requirements.yaml, which nobody adds',
      {
        isV1: true,
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${secure}'}`],
        files: { 'web/requirements.lock': lock('1.0.0', secure, digests.helm2) },
      },
      [
        `build: no repository definition for ${secure}. Please add the missing repos via 'helm repo add'`,
      ],
    ],
    [
      'are locked at a version that is gone',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${secure}'}`],
        files: { 'web/Chart.lock': lock('1.0.0', secure, digests.secure) },
        answers: { [`${secure} 1.0.0`]: failing('version', '') },
      },
      [`${secure} 1.0.0`, 'build: could not find : no matching version'],
    ],
    [
      'are locked by somebody else',
      {
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${secure}'}`],
        files: { 'web/Chart.lock': lock('1.0.0', secure, 'sha256:0') },
      },
      [
        "build: the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'helm dependency update'",
      ],
    ],
    [
      'are locked by somebody else in the first version of charts',
      {
        isV1: true,
        dependencies: [`{name: lib, version: ^1.0.0, repository: '${charts}'}`],
        files: { 'web/requirements.lock': lock('1.0.0', charts, 'sha256:0') },
      },
      [
        'build: the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the dependencies',
      ],
    ],
  ])('%s', (_, situation, want) => {
    expect(outcome(situation)).toEqual(want)
  })
})

describe('repositories that the project does not permit', () => {
  const other = 'https://other.example.com'
  const dependencies = [
    `{name: lib, version: 1.0.0, repository: '${secure}'}`,
    `{name: lib, version: 1.0.0, repository: '${other}', alias: two}`,
    `{name: lib, version: 1.0.0, repository: '${registry}', alias: three}`,
  ]
  const places = [secure, other, registry].map((url) => `${url} 1.0.0`)
  const unreachable = failing(
    'index',
    `looks like "${other}" is not a valid chart repository or cannot be reached: no such host`,
  )
  const lost = failing('archive', 'failed to fetch', { url: 'U' })
  const answers = Object.fromEntries(places.map((place) => [place, lib('1.0.0')]))
  const refused = (list: string): readonly string[] => [
    ...places,
    `helm repos ${list} are not permitted in project 'default'`,
  ]

  it.each<[string, Partial<Situation>, readonly string[]]>([
    [
      'are all named when one cannot be reached',
      { answers: { ...answers, [places[1]!]: unreachable }, permitted: ['https://charts.'] },
      refused(`${other}, registry.example.com/charts`),
    ],
    [
      'are named when a chart cannot be downloaded, be it of another repository',
      { answers: { ...answers, [places[0]!]: lost }, permitted: ['https://'] },
      refused('registry.example.com/charts'),
    ],
    [
      'do no harm as long as they answer',
      { answers, permitted: [] },
      [...places, 'lib-1.0.0', 'three-1.0.0', 'two-1.0.0'],
    ],
    [
      'do not hide other failures',
      { answers: { ...answers, [places[0]!]: failing('chart', '') }, permitted: [] },
      [...places, `build: lib chart not found in repo ${secure}`],
    ],
    [
      'do not hide why a permitted one cannot be reached',
      { answers: { ...answers, [places[0]!]: lost }, permitted: [''] },
      [...places, 'build: could not download U: failed to fetch'],
    ],
  ])('%s', (_, situation, want) => {
    expect(outcome({ dependencies, ...situation })).toEqual(want)
  })
})
