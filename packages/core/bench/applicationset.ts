// CPU time of generating Applications, and how it is bounded. Exit code 1 when 5,000 Applications take more than 3 s.
//
//   node bench/applicationset.ts
import { normalizeSpec } from '@litecd/core/app'
import {
  GatheredFacts,
  generateApplications,
  Planner,
  readApplicationSet,
  type TreeRequest,
} from '@litecd/core/appset'
import type { Application } from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import { type FileTree, memoryTree } from '@litecd/core/files'
import type { Json, JsonObject } from '@litecd/core/json'

const count = 5_000
const limitSeconds = 3
const repoURL = 'https://git.example.com/acme/apps.git'

function set(goTemplate: boolean, generators: readonly JsonObject[], name: string): JsonObject {
  const tag = (text: string): string => (goTemplate ? `{{ .${text} }}` : `{{${text}}}`)
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'bench', namespace: 'argocd' },
    spec: {
      goTemplate,
      ...(goTemplate ? { goTemplateOptions: ['missingkey=error'] } : {}),
      generators,
      template: {
        metadata: {
          name: `app-${tag(name)}`,
          labels: { team: tag(name), stage: 'prod' },
          annotations: { note: `made for ${tag(name)}` },
        },
        spec: {
          project: 'default',
          source: {
            repoURL,
            path: `apps/${tag(name)}`,
            targetRevision: 'main',
            helm: {
              valueFiles: ['values.yaml', `values-${tag(name)}.yaml`],
              parameters: [{ name: 'host', value: `${tag(name)}.example.com` }],
              valuesObject: { ingress: { host: `${tag(name)}.example.com` }, replicas: 2 },
            },
          },
          destination: { server: 'https://kubernetes.default.svc', namespace: tag(name) },
          syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
        },
      },
    },
  }
}

/** `folders` folders, each with a file of parameters. */
function repository(folders: number): FileTree {
  const files: { [path: string]: string } = {}
  for (let index = 0; index < folders; index++) {
    files[`apps/a${index}/config.yaml`] = `name: a${index}\nlevels: {one: {two: ${index}}}\n`
  }
  return memoryTree(files)
}

const tree: TreeRequest = { ask: 'tree', repoURL, revision: 'main' }

function factsWith(of: FileTree | undefined, clusters = 0): GatheredFacts {
  const facts = new GatheredFacts({
    providers: true,
    clusters: Array.from({ length: clusters }, (_, index) => ({
      name: `c${index}`,
      server: `https://c${index}.example.com`,
      labels: { stage: 'prod' },
    })),
  })
  if (of !== undefined) facts.put(tree, of)
  return facts
}

/** Generates until nothing is wanted any more. */
function generate(object: JsonObject, facts: GatheredFacts): readonly Application[] {
  for (;;) {
    const result = generateApplications(readApplicationSet(object as never), facts)
    if ('applications' in result) return result.applications
    for (const request of result.needs) {
      if (request.ask === 'repositories') {
        facts.put(
          request,
          Array.from({ length: count }, (_, index) => ({
            organization: 'acme',
            repository: `r${index}`,
            id: index,
            cloneUrls: { ssh: `git@git.example.com:acme/r${index}.git`, https: '' },
            branch: 'main',
            labels: ['deploy'],
          })),
        )
      } else if (request.ask === 'branches') {
        facts.put(request, [{ name: 'main', sha: 'a'.repeat(40) }])
      } else if (request.ask === 'path') facts.put(request, true)
      else throw new Error(`${request.ask} was not to be asked`)
    }
  }
}

function cpu<T>(work: () => T): { readonly seconds: number; readonly value: T } {
  const start = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(start)
  return { seconds: (user + system) / 1e6, value }
}

const elements: readonly Json[] = Array.from({ length: count }, (_, index) => ({
  name: `a${index}`,
}))
const list = { list: { elements } }
const git = (more: JsonObject): JsonObject => ({ git: { repoURL, revision: 'main', ...more } })
const directories = git({ directories: [{ path: 'apps/*' }, { path: 'apps/none', exclude: true }] })
const clusters = { clusters: { selector: { matchLabels: { stage: 'prod' } } } }
const fewFolders = git({ directories: [{ path: 'apps/*' }] })
const scm = {
  scmProvider: {
    github: { organization: 'acme' },
    filters: [{ repositoryMatch: '^r', labelMatch: 'deploy', pathsExist: ['deploy'] }],
  },
}

const scenes: readonly (readonly [string, JsonObject, () => GatheredFacts])[] = [
  ['list, fasttemplate', set(false, [list], 'name'), () => factsWith(undefined)],
  ['list, goTemplate', set(true, [list], 'name'), () => factsWith(undefined)],
  [
    'git directories',
    set(true, [directories], 'path.basename'),
    () => factsWith(repository(count)),
  ],
  [
    'git files',
    set(true, [git({ files: [{ path: 'apps/*/config.yaml' }] })], 'name'),
    () => factsWith(repository(count)),
  ],
  [
    'matrix of 50 clusters and 100 folders',
    set(true, [{ matrix: { generators: [clusters, fewFolders] } }], 'path.basename'),
    () => factsWith(repository(100), 50),
  ],
  ['scmProvider with a path filter', set(true, [scm], 'repository'), () => factsWith(undefined)],
]

let slow = false
console.log(
  `${count} Applications, CPU seconds of the first run in a process that has done the others before`,
)
for (const [title, object, factsOf] of scenes) {
  const facts = factsOf()
  const { seconds, value } = cpu(() => generate(object, facts))
  if (value.length !== count) throw new Error(`${title}: ${value.length} Applications`)
  const bad = seconds > limitSeconds
  slow ||= bad
  console.log(`  ${title.padEnd(40)} ${seconds.toFixed(2)} s${bad ? '  too slow' : ''}`)
}

const made = generate(scenes[1]![1], factsWith(undefined))
const planned = cpu(() => {
  const planner = new Planner(readApplicationSet(scenes[1]![1] as never), {
    preservedAnnotations: [],
    preservedLabels: [],
    normalizeSpec,
  })
  return made.filter((app) => planner.decide(app, undefined) !== undefined).length
})
console.log(`  ${'deciding what to write'.padEnd(40)} ${planned.seconds.toFixed(2)} s`)

console.log('\nlimits')
const big = factsWith(repository(100_000))
const found = cpu(() =>
  generate(set(true, [git({ directories: [{ path: 'apps/a9999*' }] })], 'path.basename'), big),
)
console.log(
  `  ${'100,000 directories, 11 of them wanted'.padEnd(40)} ${found.seconds.toFixed(2)} s, ${found.value.length} Applications`,
)

/** What a set is refused with, and what that took. */
function refused(title: string, object: JsonObject, facts: GatheredFacts): void {
  const { seconds, value } = cpu(() => {
    try {
      return `${generate(object, facts).length} Applications`
    } catch (error) {
      if (!isLitecdError(error)) throw error
      return `${error.code}: ${error.message}`
    }
  })
  slow ||= !value.startsWith('BUDGET_EXCEEDED')
  console.log(`  ${title.padEnd(40)} ${seconds.toFixed(2)} s, ${value}`)
}

const thousand = { list: { elements: elements.slice(0, 1000) } }
const keyed = (key: string): JsonObject => ({
  list: { elements: elements.slice(0, 1000).map((_, index) => ({ [key]: `${index}` })) },
})
refused(
  'matrix of 1,000 and 1,000',
  set(true, [{ matrix: { generators: [thousand, keyed('b')] } }], 'name'),
  factsWith(undefined),
)
refused(
  'matrix of matrices, 1,000 in each',
  set(
    true,
    [
      {
        matrix: {
          generators: [
            { matrix: { generators: [thousand, keyed('b')] } },
            { matrix: { generators: [keyed('c'), keyed('d')] } },
          ],
        },
      },
    ],
    'name',
  ),
  factsWith(undefined),
)
refused(
  '1,000 looks at 100,000 directories',
  set(
    true,
    [{ matrix: { generators: [thousand, git({ directories: [{ path: 'none/{{ .name }}' }] })] } }],
    'name',
  ),
  big,
)
const loop = set(true, [list], 'name')
const looping = JSON.parse(
  JSON.stringify(loop).replace('made for', '{{ range until 400000 }}{{ end }} for'),
) as JsonObject
refused('templates that loop', looping, factsWith(undefined))
const largeTexts = JSON.parse(
  JSON.stringify(loop).replace('made for', '{{ repeat 1000000 \\"x\\" }} for'),
) as JsonObject
refused('templates that grow', largeTexts, factsWith(undefined))
process.exit(slow ? 1 : 0)
