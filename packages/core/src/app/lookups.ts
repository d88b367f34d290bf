import type { Adapters, TemplateWorld } from '../adapters/index.ts'
import { RenderError } from '../errors/index.ts'
import type { JsonObject } from '../json/index.ts'
import { groupOf, type Manifest } from '../kube/index.ts'
import type { LookupQuery } from '../render/index.ts'

const maxObjects = 500

/**
 * The live objects that the templates of one source look up. A render asks with {@link find}, which knows nothing at
 * first; {@link answer} then fetches what was asked for, and the render begins anew.
 *
 * Only objects by name in the destination namespace are found, and Secrets only where they are granted.
 */
export class LiveLookups {
  private readonly cluster: Pick<Adapters['cluster'], 'get'>
  private readonly granted: TemplateWorld['lookup']
  private readonly namespace: string
  private readonly known = new Map<string, Manifest | undefined>()
  private asked = new Map<string, LookupQuery>()

  constructor(
    cluster: Pick<Adapters['cluster'], 'get'>,
    granted: TemplateWorld['lookup'],
    namespace: string,
  ) {
    this.cluster = cluster
    this.granted = granted
    this.namespace = namespace
  }

  readonly find = (query: LookupQuery): JsonObject | undefined => {
    if (!this.isGranted(query)) return undefined
    const key = JSON.stringify([query.apiVersion, query.kind, query.name])
    if (!this.known.has(key)) this.asked.set(key, query)
    return this.known.get(key) as JsonObject | undefined
  }

  /** Fetches what was asked for since the last time; false when that is nothing. Throws ClusterError. */
  async answer(): Promise<boolean> {
    const { asked } = this
    this.asked = new Map()
    for (const [key, { apiVersion, kind, namespace, name }] of asked) {
      if (this.known.size >= maxObjects) {
        throw new RenderError(
          'BUDGET_EXCEEDED',
          `templates look up more than ${maxObjects} live objects`,
        )
      }
      const group = groupOf(apiVersion)
      this.known.set(key, await this.cluster.get({ group, kind, namespace, name }, apiVersion))
    }
    return asked.size > 0
  }

  private isGranted({ apiVersion, kind, namespace, name }: LookupQuery): boolean {
    if (name === '' || namespace === '' || namespace !== this.namespace) return false
    const isSecret = kind === 'Secret' && groupOf(apiVersion) === ''
    return this.granted === 'secrets' || (this.granted === 'objects' && !isSecret)
  }
}
