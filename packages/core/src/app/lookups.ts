import type { Adapters, LookupQuery, TemplateWorld } from '../adapters/index.ts'
import { type ClusterError, isLitecdError, RenderError } from '../errors/index.ts'
import { getPath, type JsonObject } from '../json/index.ts'
import { groupOf } from '../kube/index.ts'

const maxQueries = 500
const maxItems = 20_000

/** What look-ups need of a cluster; there are no lists without `lookup`. */
export type LookupCluster = Pick<Adapters['cluster'], 'get' | 'lookup'>

type Answer = { readonly found: JsonObject | undefined } | { readonly failure: ClusterError }

/**
 * The live objects that the templates of one source look up. A render asks with {@link find}, which knows nothing at
 * first; {@link answer} then fetches what was asked for, and the render begins anew.
 *
 * Unless the whole cluster is granted, only what lies in the destination namespace is found, and Secrets only where
 * they are granted.
 */
export class LiveLookups {
  private readonly cluster: LookupCluster
  private readonly granted: TemplateWorld['lookup']
  private readonly namespace: string
  private readonly known = new Map<string, Answer>()
  private asked = new Map<string, LookupQuery>()
  private items = 0

  constructor(cluster: LookupCluster, granted: TemplateWorld['lookup'], namespace: string) {
    this.cluster = cluster
    this.granted = granted
    this.namespace = namespace
  }

  /** Throws the ClusterError that answered the same question. */
  readonly find = (query: LookupQuery): JsonObject | undefined => {
    if (!this.isGranted(query)) return undefined
    const { apiVersion, kind, namespace, name } = query
    const key = JSON.stringify([apiVersion, kind, namespace, name])
    const answer = this.known.get(key)
    if (answer === undefined) {
      this.asked.set(key, query)
      return undefined
    }
    if ('failure' in answer) throw answer.failure
    return answer.found
  }

  /**
   * Fetches what was asked for since the last time; false when that is nothing. A refusal of the server is kept for the
   * template; throws ClusterError where it is worth trying again.
   */
  async answer(): Promise<boolean> {
    const { asked } = this
    this.asked = new Map()
    for (const [key, query] of asked) {
      if (this.known.size >= maxQueries) {
        throw new RenderError(
          'BUDGET_EXCEEDED',
          `templates look up more than ${maxQueries} live objects`,
        )
      }
      this.known.set(key, await this.ask(query))
    }
    return asked.size > 0
  }

  private async ask(query: LookupQuery): Promise<Answer> {
    const { apiVersion, kind, namespace, name } = query
    const { cluster } = this
    try {
      if (cluster.lookup !== undefined) return { found: this.inside(await cluster.lookup(query)) }
      if (name === '') return { found: undefined }
      const group = groupOf(apiVersion)
      return { found: this.inside(await cluster.get({ group, kind, namespace, name }, apiVersion)) }
    } catch (error) {
      if (!isClusterError(error) || error.retryable || error.code === 'CLUSTER_UNREACHABLE') {
        throw error
      }
      return { failure: error }
    }
  }

  private isGranted({ apiVersion, kind, namespace }: LookupQuery): boolean {
    if (this.granted === 'cluster') return true
    if (namespace === '' || namespace !== this.namespace) return false
    const isSecret = kind === 'Secret' && groupOf(apiVersion) === ''
    return this.granted === 'secrets' || (this.granted === 'objects' && !isSecret)
  }

  /** What was found, unless it lies elsewhere: kinds of the whole cluster do not heed a namespace. */
  private inside(found: JsonObject | undefined): JsonObject | undefined {
    const items = found?.['items']
    const isList = Array.isArray(items) && String(found?.['kind']).endsWith('List')
    if (isList) this.count(items.length)
    if (found === undefined || this.granted === 'cluster') return found
    const objects = isList ? items : [found]
    const isInside = objects.every(
      (object) => getPath(object, 'metadata', 'namespace') === this.namespace,
    )
    return isInside ? found : undefined
  }

  private count(items: number): void {
    this.items += items
    if (this.items <= maxItems) return
    throw new RenderError(
      'BUDGET_EXCEEDED',
      `templates look up lists of more than ${maxItems} live objects`,
    )
  }
}

function isClusterError(error: unknown): error is ClusterError {
  return isLitecdError(error) && error.code.startsWith('CLUSTER_')
}
