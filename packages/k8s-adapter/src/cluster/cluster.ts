import type {
  ApplyOptions,
  Cluster,
  DeleteOptions,
  DryRun,
  LiveQuery,
  LiveRoot,
  LookupQuery,
  PatchRequest,
  WriteResult,
} from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import type { ClusterFacts, Manifest, ResourceKey } from '@litecd/core/kube'
import { nameOf, namespaceOf } from '@litecd/core/kube'
import { type KubeClient, namespaces } from '../client/index.ts'
import { authReconcile, needsReconcile } from './auth-reconcile.ts'
import { clientApply } from './client-apply.ts'
import { isCrd, whenEstablished } from './crd-ready.ts'
import { readFacts } from './facts.ts'
import { type LiveSource, listingSource } from './live.ts'
import { lookUp } from './lookup.ts'
import { joinOutput, printedName, reworded } from './messages.ts'
import { findPlace, placeOf, type RemoteObject } from './objects.ts'
import { createObject, replaceObject } from './replace.ts'
import { serverApply } from './server-apply.ts'

export interface ClusterOptions {
  /** Reads, and asks for live objects; the identity that writes may be another. */
  readonly client: KubeClient
  /** Writes; `client` when absent. With impersonation: `client.as(…)`. */
  readonly writer?: KubeClient
  /** Live objects; the server's own lists when absent. */
  readonly live?: LiveSource
  /** Hears of every object written and, with undefined, of every object that is no more; for read-your-writes. */
  readonly onWrite?: (key: ResourceKey, live: Manifest | undefined) => void
  /**
   * Field manager of writes for which Argo CD names none: create, replace, `auth reconcile`, patches. The server then
   * takes the program's name.
   */
  readonly programManager?: string
}

/** The cluster adapter over one API server. Every write throws ClusterError with the text that Argo CD would show. */
export function createCluster(options: ClusterOptions): Cluster {
  return new RemoteCluster(options)
}

class RemoteCluster implements Cluster {
  private readonly reader: KubeClient
  private readonly writer: KubeClient
  private readonly live: LiveSource
  private readonly programManager: string
  private readonly tell: (key: ResourceKey, live: Manifest | undefined) => void

  constructor(options: ClusterOptions) {
    this.reader = options.client
    this.writer = options.writer ?? options.client
    this.live = options.live ?? listingSource(options.client)
    this.programManager = options.programManager ?? 'argocd-application-controller'
    this.tell = options.onWrite ?? (() => {})
  }

  facts(): Promise<ClusterFacts> {
    return readFacts(this.reader)
  }

  managedLiveObjects(query: LiveQuery): Promise<readonly Manifest[]> {
    return this.live.managedLiveObjects(query)
  }

  topLevel(namespace: string): Promise<readonly LiveRoot[]> {
    return this.live.topLevel(namespace)
  }

  descendants(roots: readonly Manifest[]): Promise<readonly Manifest[]> {
    return this.live.descendants(roots)
  }

  async get(key: ResourceKey, apiVersion: string): Promise<Manifest | undefined> {
    return (await findPlace(this.reader, key, apiVersion))?.find()
  }

  lookup(query: LookupQuery): Promise<JsonObject | undefined> {
    return lookUp(this.reader, query)
  }

  async apply(given: Manifest, options: ApplyOptions): Promise<WriteResult> {
    const { remote, target } = await placeOf(this.writer, given)
    const dry = { none: '', client: ' (dry run)', server: ' (server dry run)' }[options.dryRun]
    if (options.serverSide) {
      const { live, warnings } = await serverApply(remote, target, options)
      await this.written(remote, live, options)
      const out = `${printedName(live)} serverside-applied${dry}`
      return { live, message: joinOutput(out, warnings) }
    }
    const before = needsReconcile(target) ? await this.reconcile(remote, target, options) : ''
    const { live, verb, warnings } = await clientApply(remote, target, options)
    await this.written(remote, live, options)
    return { live, message: joinOutput(`${before}${printedName(live)} ${verb}${dry}`, warnings) }
  }

  async replace(given: Manifest, options: ApplyOptions): Promise<WriteResult> {
    const { remote, target } = await placeOf(this.writer, given)
    const result = await replaceObject(remote, target, options, this.programManager)
    await this.written(remote, result.live, options)
    return result
  }

  async create(given: Manifest, options: ApplyOptions): Promise<WriteResult> {
    const { remote, target } = await placeOf(this.writer, given)
    const result = await createObject(remote, target, options, this.programManager)
    await this.written(remote, result.live, options)
    return result
  }

  async update(given: Manifest, options: { readonly dryRun: DryRun }): Promise<Manifest> {
    const { remote, target } = await placeOf(this.writer, given)
    const dryRun = options.dryRun !== 'none'
    const live = await remote.update(target, { fieldManager: this.programManager, dryRun })
    await this.written(remote, live, options)
    return live
  }

  async delete(key: ResourceKey, apiVersion: string, options: DeleteOptions): Promise<void> {
    if (options.dryRun === 'client') return
    const remote = await this.place(key, apiVersion)
    await remote.delete({
      dryRun: options.dryRun === 'server',
      propagationPolicy: options.propagation,
      gracePeriodSeconds: options.gracePeriodSeconds,
      uid: options.uid,
    })
  }

  async patch(key: ResourceKey, apiVersion: string, request: PatchRequest): Promise<Manifest> {
    const remote = await this.place(key, apiVersion)
    const live = await remote.patch(request.type, request.patch, {
      subresource: request.subresource,
      dryRun: request.dryRun === 'server',
      fieldManager: request.fieldManager ?? this.programManager,
    })
    if (request.dryRun === undefined || request.dryRun === 'none') this.tell(keyAt(remote), live)
    return live
  }

  private async place(key: ResourceKey, apiVersion: string): Promise<RemoteObject> {
    const remote = await findPlace(this.writer, key, apiVersion)
    if (remote !== undefined) return remote
    throw new ClusterError(
      'CLUSTER_NOT_FOUND',
      'the server could not find the requested resource',
      {
        status: 404,
        reason: 'NotFound',
      },
    )
  }

  private async reconcile(
    remote: RemoteObject,
    target: Manifest,
    options: ApplyOptions,
  ): Promise<string> {
    try {
      // kubectl would make the namespace; Argo CD does not want that.
      const namespace = namespaceOf(target)
      if (options.dryRun === 'none' && remote.resource.namespaced && namespace !== '') {
        await this.writer.get(namespaces, namespace).catch((error: unknown) => {
          throw reworded(error, (text) => `error getting namespace ${namespace}: ${text}`)
        })
      }
      return await authReconcile(remote, target, options, this.programManager)
    } catch (error) {
      throw reworded(error, (text) => `error running kubectl auth reconcile: ${text}`)
    }
  }

  private async written(
    remote: RemoteObject,
    live: Manifest | undefined,
    options: { readonly dryRun: DryRun },
  ): Promise<void> {
    if (options.dryRun !== 'none' || live === undefined) return
    this.tell(keyAt(remote, nameOf(live)), live)
    if (isCrd(live)) await whenEstablished(remote, live)
  }
}

function keyAt(remote: RemoteObject, name: string = remote.name): ResourceKey {
  const { group, kind } = remote.resource
  return { group, kind, namespace: remote.namespace, name }
}
