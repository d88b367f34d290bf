import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { SpecError } from '@litecd/core/errors'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf } from '@litecd/core/kube'

export interface RepositoryEntry {
  readonly repository: ScmRepository
  /** Undefined where the file does not tell. */
  readonly branches: readonly BranchEntry[] | undefined
}

export interface BranchEntry extends ScmBranch {
  readonly paths: readonly string[] | undefined
}

export interface Listing<T> {
  readonly provider: string
  readonly where: JsonObject
  readonly missing: boolean
  readonly list: readonly T[]
}

export interface PluginEntry {
  readonly configMap: string
  readonly input: Json | undefined
  readonly parameters: readonly JsonObject[]
}

/** Field names of a mapping, and how each value is read. */
type Shape = { readonly [field: string]: 'text' | 'number' | 'flag' | 'map' | 'list' | 'any' }

const providers: ReadonlySet<string> = new Set([
  'github',
  'gitlab',
  'gitea',
  'bitbucketServer',
  'bitbucket',
  'azureDevOps',
  'azuredevops',
  'awsCodeCommit',
])

/** Reads the parts of the file, and says where one is wrong. */
export class Form {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  refuse(at: string, why: string): never {
    throw new SpecError('USAGE', `${this.#path}: ${at}: ${why}`, {
      hint: 'litecd appset generate --help shows the format.',
    })
  }

  map(value: Json, at: string, shape: Shape): JsonObject {
    if (!isObject(value)) return this.refuse(at, 'a mapping is wanted')
    for (const [key, item] of Object.entries(value)) {
      const kind = Object.hasOwn(shape, key) ? shape[key] : undefined
      if (kind === undefined) {
        this.refuse(at, `${key} is not known; known: ${Object.keys(shape).join(', ')}`)
      }
      const fits =
        kind === 'any' ||
        (kind === 'text' && typeof item === 'string') ||
        (kind === 'number' && (typeof item === 'number' || typeof item === 'bigint')) ||
        (kind === 'flag' && typeof item === 'boolean') ||
        (kind === 'map' && isObject(item)) ||
        (kind === 'list' && Array.isArray(item))
      if (!fits) this.refuse(`${at}.${key}`, `a ${kind} is wanted`)
    }
    return value
  }

  listing<T>(
    value: Json,
    at: string,
    read: (item: Json, at: string, where: JsonObject) => T,
  ): Listing<T> {
    const entry = this.map(value, at, {
      provider: 'text',
      where: 'map',
      list: 'list',
      missing: 'flag',
    })
    const provider = text(entry, 'provider')
    if (!providers.has(provider)) {
      this.refuse(`${at}.provider`, `one of ${[...providers].join(', ')} is wanted`)
    }
    const missing = entry['missing'] === true
    if (!missing && entry['list'] === undefined) this.refuse(at, 'list is missing')
    const where = (entry['where'] as JsonObject | undefined) ?? {}
    const list = (entry['list'] as readonly Json[] | undefined) ?? []
    return {
      provider: provider === 'azuredevops' ? 'azureDevOps' : provider,
      where,
      missing,
      list: list.map((item, index) => read(item, `${at}.list[${index}]`, where)),
    }
  }

  repository(value: Json, at: string, where: JsonObject): RepositoryEntry {
    const entry = this.map(value, at, {
      organization: 'text',
      repository: 'text',
      id: 'any',
      branch: 'text',
      urls: 'map',
      labels: 'list',
      archived: 'flag',
      branches: 'list',
    })
    if (text(entry, 'repository') === '') this.refuse(at, 'repository is missing')
    const owner = ['organization', 'group', 'owner', 'project'].find(
      (field) => typeof where[field] === 'string',
    )
    const { id, urls, branches } = entry
    return {
      repository: {
        organization:
          text(entry, 'organization') || (owner === undefined ? '' : text(where, owner)),
        repository: text(entry, 'repository'),
        id: typeof id === 'string' ? id : Number(id ?? 0),
        cloneUrls: Object.fromEntries(
          Object.entries((urls as JsonObject | undefined) ?? {}).map(([key, url]) => [
            key,
            String(url),
          ]),
        ),
        branch: text(entry, 'branch'),
        labels: texts(entry['labels']),
        archived: entry['archived'] === true,
      },
      branches: Array.isArray(branches)
        ? branches.map((one: Json, index) => this.branch(one, `${at}.branches[${index}]`))
        : undefined,
    }
  }

  branch(value: Json, at: string): BranchEntry {
    const entry = this.map(value, at, { name: 'text', sha: 'text', paths: 'list' })
    if (text(entry, 'name') === '') this.refuse(at, 'name is missing')
    return {
      name: text(entry, 'name'),
      sha: text(entry, 'sha'),
      paths: entry['paths'] === undefined ? undefined : texts(entry['paths']),
    }
  }

  pullRequest(value: Json, at: string): PullRequest {
    const entry = this.map(value, at, {
      number: 'number',
      title: 'text',
      branch: 'text',
      targetBranch: 'text',
      headSha: 'text',
      author: 'text',
      labels: 'list',
    })
    for (const field of ['number', 'branch', 'headSha']) {
      if (entry[field] === undefined) this.refuse(at, `${field} is missing`)
    }
    return {
      number: Number(entry['number']),
      title: text(entry, 'title'),
      branch: text(entry, 'branch'),
      targetBranch: text(entry, 'targetBranch'),
      headSha: text(entry, 'headSha'),
      author: text(entry, 'author'),
      labels: texts(entry['labels']),
    }
  }

  plugin(value: Json, at: string): PluginEntry {
    const entry = this.map(value, at, { configMap: 'text', input: 'map', parameters: 'list' })
    const { parameters } = entry
    if (!Array.isArray(parameters) || !parameters.every(isObject)) {
      return this.refuse(`${at}.parameters`, 'a list of mappings is wanted')
    }
    return { configMap: text(entry, 'configMap'), input: entry['input'], parameters }
  }

  object(value: Json, at: string): Manifest {
    if (!isObject(value) || typeof value['kind'] !== 'string') {
      return this.refuse(at, 'an object of Kubernetes is wanted')
    }
    if (nameOf(value as Manifest) === '') this.refuse(at, 'metadata.name is missing')
    return value as Manifest
  }
}

export function text(object: JsonObject, field: string): string {
  const value = object[field]
  return typeof value === 'string' ? value : ''
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
