import type {
  BranchesRequest,
  PathRequest,
  PluginRequest,
  ProviderAnswers,
  ProviderReader,
  ProviderRequest,
  PullRequest,
  ResourcesRequest,
  ScmBranch,
  ScmQuery,
} from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import { deepEqual, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { fitsSelector, labelsOf, type Manifest, nameOf } from '@litecd/core/kube'
import { parseYamlDocuments } from '@litecd/core/yaml'
import {
  Form,
  type Listing,
  type PluginEntry,
  type RepositoryEntry,
  text,
} from './providers-form.ts'

/** The format of the file, for the help of commands. */
export const providersFormat = `The file of --scm says what hosts of repositories, plugins and the cluster would answer. It is YAML:
  repositories:                 # for scmProvider
    - provider: github          # the generator's block
      where: {organization: acme}   # fields of that block; the first entry that fits counts
      list:
        - repository: web
          id: 11                # what else is known: organization, labels, archived
          branch: main          # the default branch
          urls: {ssh: 'git@example.com:acme/web.git', https: 'https://example.com/acme/web.git'}
          branches:             # of allBranches, all; paths only where a filter asks
            - {name: main, sha: 0123abc, paths: [deploy/app.yaml]}
  pullRequests:                 # for pullRequest
    - provider: github
      where: {owner: acme, repo: web}
      list:
        - {number: 7, title: Add it, branch: feature, targetBranch: main, headSha: 0123abc, author: ann, labels: [deploy]}
    - {provider: gitea, where: {owner: acme, repo: gone}, missing: true}
  plugins:                      # for plugin
    - {configMap: my-plugin, input: {env: prod}, parameters: [{name: a}]}   # without input: whatever it is
  objects:                      # for clusterDecisionResource: the ConfigMap and the objects, as kubectl prints them
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: decisions}, data: {apiVersion: ex.io/v1, kind: placements, matchKey: clusterName}}`

/**
 * Answers of a file. What the file does not tell is no guess but an error: RENDER_UNSUPPORTED.
 *
 * Throws USAGE where the file has another form.
 */
export function parseProviders(content: string, path: string): ProviderReader {
  const form = new Form(path)
  const roots = Array.from(parseYamlDocuments(content, { path }), ({ value }) => value)
    .filter((value) => value !== null)
    .map((value) =>
      form.map(value, 'the file', {
        repositories: 'list',
        pullRequests: 'list',
        plugins: 'list',
        objects: 'list',
      }),
    )
  const all = (name: string): readonly Json[] =>
    roots.flatMap((root) => (root[name] as readonly Json[] | undefined) ?? [])
  const answers = new Answers(
    path,
    all('repositories').map((one, index) =>
      form.listing(one, `repositories[${index}]`, (item, at, where) =>
        form.repository(item, at, where),
      ),
    ),
    all('pullRequests').map((one, index) =>
      form.listing(one, `pullRequests[${index}]`, (item, at) => form.pullRequest(item, at)),
    ),
    all('plugins').map((one, index) => form.plugin(one, `plugins[${index}]`)),
    all('objects').map((one, index) => form.object(one, `objects[${index}]`)),
  )
  return {
    read: async <R extends ProviderRequest>(request: R) =>
      answers.to(request) as ProviderAnswers[R['ask']],
  }
}

class Answers {
  readonly #path: string
  readonly #repositories: readonly Listing<RepositoryEntry>[]
  readonly #pulls: readonly Listing<PullRequest>[]
  readonly #plugins: readonly PluginEntry[]
  readonly #objects: readonly Manifest[]

  constructor(
    path: string,
    repositories: readonly Listing<RepositoryEntry>[],
    pulls: readonly Listing<PullRequest>[],
    plugins: readonly PluginEntry[],
    objects: readonly Manifest[],
  ) {
    this.#path = path
    this.#repositories = repositories
    this.#pulls = pulls
    this.#plugins = plugins
    this.#objects = objects
  }

  to(request: ProviderRequest): unknown {
    switch (request.ask) {
      case 'repositories':
        return this.#listing(this.#repositories, request, 'scmProvider').list.map(
          ({ repository }) => repository,
        )
      case 'branches':
        return this.#branches(request)
      case 'path':
        return this.#hasPath(request)
      case 'pullRequests':
        return this.#listing(this.#pulls, request, 'pullRequest').list
      case 'plugin':
        return this.#plugin(request)
      case 'configMap': {
        const found = this.#objects.find(
          (one) => one.kind === 'ConfigMap' && nameOf(one) === request.name,
        )
        if (found === undefined) {
          throw this.#unknown('clusterDecisionResource', `the ConfigMap ${request.name}`)
        }
        const data = isObject(found['data']) ? found['data'] : {}
        return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value)]))
      }
      case 'resources':
        return this.#resources(request)
    }
  }

  #listing<T>(
    listings: readonly Listing<T>[],
    { provider, config }: ScmQuery,
    generator: string,
  ): Listing<T> {
    const found = listings.find(
      (one) =>
        one.provider === provider &&
        Object.entries(one.where).every(
          ([field, value]) => config[field] !== undefined && deepEqual(config[field], value),
        ),
    )
    if (found === undefined) {
      const named = ['organization', 'group', 'owner', 'project', 'teamProject', 'repo', 'region']
        .filter((field) => typeof config[field] === 'string')
        .map((field) => `${field} ${text(config, field)}`)
      throw this.#unknown(
        generator,
        `${provider}${named.length > 0 ? ` of ${named.join(', ')}` : ''}`,
      )
    }
    if (found.missing) throw new SourceError('SOURCE_NOT_FOUND', '404 Not Found')
    return found
  }

  #entry(request: BranchesRequest | PathRequest): RepositoryEntry {
    const { organization, repository } = request.repository
    const found = this.#listing(this.#repositories, request, 'scmProvider').list.find(
      (one) =>
        one.repository.organization === organization && one.repository.repository === repository,
    )
    if (found !== undefined) return found
    throw this.#unknown('scmProvider', `the repository ${organization}/${repository}`)
  }

  #branches(request: BranchesRequest): readonly ScmBranch[] {
    const { repository, branches } = this.#entry(request)
    const place = `${repository.organization}/${repository.repository}`
    if (branches === undefined) throw this.#unknown('scmProvider', `the branches of ${place}`)
    const all = branches.map(({ name, sha }) => ({ name, sha }))
    return request.config['allBranches'] === true
      ? all
      : all.filter(({ name }) => name === repository.branch)
  }

  #hasPath(request: PathRequest): boolean {
    const { repository, branches = [] } = this.#entry(request)
    const { name } = request.branch
    const paths = branches.find((one) => one.name === name)?.paths
    if (paths === undefined) {
      throw this.#unknown(
        'scmProvider',
        `the paths in branch ${name} of ${repository.organization}/${repository.repository}`,
      )
    }
    const { path } = request
    return paths.some((one) => one === path || one.startsWith(`${path}/`))
  }

  #plugin({ configMap, parameters }: PluginRequest): readonly JsonObject[] {
    const found = this.#plugins.find(
      (one) =>
        one.configMap === configMap &&
        (one.input === undefined || deepEqual(one.input, { ...parameters })),
    )
    if (found === undefined) throw this.#unknown('plugin', `what ${configMap} makes of its input`)
    return found.parameters
  }

  #resources({
    group,
    version,
    resource,
    name,
    labelSelector,
  }: ResourcesRequest): readonly Manifest[] {
    const kin = this.#objects.filter(
      (one) => one.apiVersion === `${group}/${version}` && pluralOf(one.kind) === resource,
    )
    if (kin.length === 0) {
      throw this.#unknown('clusterDecisionResource', `any ${resource} of ${group}/${version}`)
    }
    return kin.filter((one) =>
      name === undefined
        ? fitsSelector(labelSelector ?? {}, labelsOf(one)) === true
        : nameOf(one) === name,
    )
  }

  #unknown(generator: string, what: string): SourceError {
    return new SourceError(
      'RENDER_UNSUPPORTED',
      `the ${generator} generator needs to know ${what}, which ${this.#path} does not tell`,
      { hint: 'Add it to the file of --scm.', data: { generator } },
    )
  }
}

/** Source: k8s.io/apimachinery v0.36.1 pkg/api/meta UnsafeGuessKindToResource */
function pluralOf(kind: string): string {
  const single = kind.toLowerCase()
  if (single.endsWith('endpoints')) return single
  if (single.endsWith('s')) return `${single}es`
  return single.endsWith('y') ? `${single.slice(0, -1)}ies` : `${single}s`
}
