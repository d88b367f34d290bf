import { compareStrings, getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { apiVersionOf, type GroupKind, groupOf, versionOf } from '@litecd/core/kube'
import type { ApiResource } from './resource.ts'

/** One GET; `undefined` when the answer is 304 Not Modified. */
export type Fetch = (
  path: string,
  headers: { readonly [name: string]: string },
) => Promise<{ readonly body: Json; readonly etag: string } | undefined>

/** Everything an API server serves, at one moment. */
export interface ApiSurface {
  /** Groups and versions in the server's order: the first version of a group is the preferred one. */
  readonly resources: readonly ApiResource[]
  /** `group/version` of groups whose own server did not answer; their kinds are missing here, not gone. */
  readonly stale: readonly string[]
}

const aggregated = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

function text(value: Json | undefined, field: string): string {
  const found = getPath(value, field)
  return typeof found === 'string' ? found : ''
}

function list(value: Json | undefined, field: string): readonly Json[] {
  const found = getPath(value, field)
  return Array.isArray(found) ? found : []
}

function readAggregated(body: Json, resources: ApiResource[], stale: string[]): void {
  for (const item of list(body, 'items')) {
    const group = getPath(item, 'metadata', 'name')
    for (const entry of list(item, 'versions')) {
      const version = text(entry, 'version')
      const groupName = typeof group === 'string' ? group : ''
      if (text(entry, 'freshness') === 'Stale') stale.push(apiVersionOf(groupName, version))
      for (const resource of list(entry, 'resources')) {
        const kind = text(getPath(resource, 'responseKind'), 'kind')
        // A resource that only has subresources (such as a scale without its parent) has no kind of its own.
        if (kind === '') continue
        resources.push({
          group: text(getPath(resource, 'responseKind'), 'group') || groupName,
          kind,
          version: text(getPath(resource, 'responseKind'), 'version') || version,
          plural: text(resource, 'resource'),
          namespaced: text(resource, 'scope') === 'Namespaced',
          verbs: list(resource, 'verbs').map(String),
          subresources: list(resource, 'subresources').map((sub) => text(sub, 'subresource')),
        })
      }
    }
  }
}

/** An APIResourceList of servers before 1.26, where subresources are entries called `parent/sub`. */
function readLegacy(groupVersion: string, body: Json): readonly ApiResource[] {
  const items = list(body, 'resources').filter(isObject)
  const subs = (plural: string): readonly string[] =>
    items
      .map((item) => text(item, 'name'))
      .filter((name) => name.startsWith(`${plural}/`))
      .map((name) => name.slice(plural.length + 1))
  return items
    .filter((item) => !text(item, 'name').includes('/'))
    .map((item: JsonObject) => ({
      group: text(item, 'group') || groupOf(groupVersion),
      version: text(item, 'version') || versionOf(groupVersion),
      kind: text(item, 'kind'),
      plural: text(item, 'name'),
      namespaced: item['namespaced'] === true,
      verbs: list(item, 'verbs').map(String),
      subresources: subs(text(item, 'name')),
    }))
}

/**
 * What the server serves: two requests where it knows aggregated discovery (1.26 and later), one for each version of
 * each group otherwise. Asking again costs two answers of 304 when nothing has changed.
 */
export class Discovery {
  private readonly fetch: Fetch
  private readonly etags = new Map<string, { readonly etag: string; readonly body: Json }>()
  private held: Promise<ApiSurface> | undefined
  private loads = 0
  private index:
    | { readonly of: ApiSurface; readonly byKind: Map<string, ApiResource[]> }
    | undefined

  constructor(fetch: Fetch) {
    this.fetch = fetch
  }

  /** The surface as last seen; asks the server the first time. Errors as the client's. */
  surface(): Promise<ApiSurface> {
    if (this.held === undefined) return this.refresh()
    return this.held
  }

  /** Asks the server now. After a CRD or an APIService has changed, and when a kind that should exist is not found. */
  refresh(): Promise<ApiSurface> {
    const load = this.load()
    this.held = load
    load.catch(() => {
      if (this.held === load) this.held = undefined
    })
    return load
  }

  /**
   * A kind in one version, or in the server's preferred one. Undefined when the server does not serve it, which is
   * only said after asking it again.
   */
  async find(kind: GroupKind, version?: string): Promise<ApiResource | undefined> {
    const before = this.loads
    const found = this.lookup(await this.surface(), kind, version)
    if (found !== undefined) return found
    // Somebody may have asked while we waited; that answer is as good as one of our own.
    return this.lookup(await (this.loads > before ? this.surface() : this.refresh()), kind, version)
  }

  /** As {@link find}, but content with what was last seen. */
  async peek(kind: GroupKind, version?: string): Promise<ApiResource | undefined> {
    return this.lookup(await this.surface(), kind, version)
  }

  private lookup(surface: ApiSurface, kind: GroupKind, version?: string): ApiResource | undefined {
    if (this.index?.of !== surface) {
      const byKind = new Map<string, ApiResource[]>()
      for (const resource of surface.resources) {
        const key = `${resource.group}/${resource.kind}`
        const same = byKind.get(key)
        if (same === undefined) byKind.set(key, [resource])
        else same.push(resource)
      }
      this.index = { of: surface, byKind }
    }
    const served = this.index.byKind.get(`${kind.group}/${kind.kind}`) ?? []
    return version === undefined
      ? served[0]
      : served.find((resource) => resource.version === version)
  }

  private async get(path: string): Promise<Json> {
    const old = this.etags.get(path)
    const answer = await this.fetch(path, {
      accept: aggregated,
      ...(old === undefined ? {} : { 'if-none-match': old.etag }),
    })
    if (answer === undefined) return old!.body
    if (answer.etag !== '') this.etags.set(path, answer)
    return answer.body
  }

  private async load(): Promise<ApiSurface> {
    const [core, groups] = await Promise.all([this.get('/api'), this.get('/apis')])
    this.loads++
    const resources: ApiResource[] = []
    const stale: string[] = []
    if (text(core, 'kind') === 'APIGroupDiscoveryList') readAggregated(core, resources, stale)
    else await this.loadLegacy('/api', list(core, 'versions').map(String), resources, stale)
    if (text(groups, 'kind') === 'APIGroupDiscoveryList') readAggregated(groups, resources, stale)
    else await this.loadLegacy('/apis', legacyVersions(groups), resources, stale)
    return { resources, stale }
  }

  private async loadLegacy(
    root: string,
    versions: readonly string[],
    resources: ApiResource[],
    stale: string[],
  ): Promise<void> {
    const lists = await Promise.all(
      versions.map((version) =>
        this.get(`${root}/${version}`).catch(() => {
          // One broken aggregated API must not hide the others.
          stale.push(version)
          return undefined
        }),
      ),
    )
    for (const [i, body] of lists.entries()) {
      if (body !== undefined) resources.push(...readLegacy(versions[i]!, body))
    }
  }
}

/** Group versions of an APIGroupList, the preferred one of each group first. */
function legacyVersions(body: Json): readonly string[] {
  return list(body, 'groups').flatMap((group) => {
    const all = list(group, 'versions').map((version) => text(version, 'groupVersion'))
    const preferred = text(getPath(group, 'preferredVersion'), 'groupVersion')
    return [...all.filter((v) => v === preferred), ...all.filter((v) => v !== preferred)]
  })
}

/** `v1`, `v1/Pod`, … sorted by bytes: every version that can be listed and watched, as Helm's `.Capabilities` shows it. */
export function apiVersionsOf(surface: ApiSurface): readonly string[] {
  const all = new Set<string>()
  for (const resource of surface.resources) {
    // Source: argo-cd v3.5.1 gitops-engine/pkg/utils/kube/ctl.go GetAPIResources
    if (!resource.verbs.includes('list') || !resource.verbs.includes('watch')) continue
    const groupVersion = apiVersionOf(resource.group, resource.version)
    all.add(groupVersion)
    all.add(`${groupVersion}/${resource.kind}`)
  }
  return [...all].sort(compareStrings)
}
