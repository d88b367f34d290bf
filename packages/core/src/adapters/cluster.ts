import type { Json, JsonObject } from '../json/index.ts'
import type { ClusterFacts, Manifest, ResourceKey } from '../kube/index.ts'
import type { LookupQuery } from './templates.ts'

/** 'client' asks nothing of the server's storage: kubectl's own guess; 'server' runs admission without persisting. */
export type DryRun = 'none' | 'client' | 'server'
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan'

export interface ApplyOptions {
  readonly dryRun: DryRun
  /** Server-side apply instead of kubectl's three-way client-side apply. */
  readonly serverSide: boolean
  /**
   * Client side and replace: delete and create again when a patch is refused. Server-side apply always takes fields over
   * and refuses this, in kubectl's words.
   */
  readonly force: boolean
  /** False switches off the server's field validation (`Validate=false`). */
  readonly validate: boolean
  /** Argo CD's is `argocd-controller`. */
  readonly fieldManager: string
}

/** What a write did. `message` is kubectl's line, such as `configmap/web created` or `deployment.apps/web configured`. */
export interface WriteResult {
  readonly live: Manifest | undefined
  readonly message: string
}

export interface DeleteOptions {
  readonly dryRun: DryRun
  /** Undefined leaves the choice to the server. */
  readonly propagation: PropagationPolicy | undefined
  readonly gracePeriodSeconds?: number
  /** Delete only the object with this uid. */
  readonly uid?: string
}

export interface PatchRequest {
  readonly type: 'merge' | 'json' | 'strategic'
  readonly patch: Json
  readonly subresource?: 'status' | 'scale'
  readonly dryRun?: DryRun
  readonly fieldManager?: string
}

/**
 * The live objects of an Application: root objects for which `owns` is true, and whatever lies at `keys` whoever owns
 * it. `owns` looks at tracking labels and annotations only, so a cache may call it once per object and keep the answer.
 */
export interface LiveQuery {
  /** Tracking name: `name`, or `namespace_name` outside the controller's namespace. */
  readonly instance: string
  /** The tracking name of a live object, or undefined when nobody tracks it. */
  readonly instanceOf: (live: Manifest) => string | undefined
  /** Keys of targets with the apiVersion in which each is wanted. */
  readonly targets: readonly { readonly key: ResourceKey; readonly apiVersion: string }[]
}

/** An object without owners. */
export interface LiveRoot {
  /** Perhaps no more of it than its name, kind and owners. */
  readonly manifest: Manifest
  /** Tracking name that it carries. */
  readonly instance: string | undefined
}

export interface ClusterReader {
  facts(): Promise<ClusterFacts>
  managedLiveObjects(query: LiveQuery): Promise<readonly Manifest[]>
  /** Straight from the API server, past every cache. Undefined when it is not there or its kind is unknown. */
  get(key: ResourceKey, apiVersion: string): Promise<Manifest | undefined>
  /**
   * What Helm's `lookup` gives, straight from the API server: the object, or the list object with `apiVersion`, `kind`,
   * `metadata` and `items`, each item with a kind of its own. The namespace does not count for kinds of the whole
   * cluster. Undefined when it is not there. Throws ClusterError in the words of Helm. Hosts without it have no lists.
   *
   * Source: helm v4.2.2 pkg/engine/lookup_func.go
   */
  lookup?(query: LookupQuery): Promise<JsonObject | undefined>
  /** Everything below `roots` by owner references, roots not included. */
  descendants(roots: readonly Manifest[]): Promise<readonly Manifest[]>
  /** Every object of a namespace that has no owners, whoever tracks it. */
  topLevel(namespace: string): Promise<readonly LiveRoot[]>
}

/**
 * Every write throws ClusterError with the server's words, code and reason; where kubectl puts words of its own before
 * them (`error when patching "FILE": `, `error validating options: `, `resource mapping not found for name: …`), the
 * message has them too. A CustomResourceDefinition that was really written is waited for until it is Established, at
 * most 3 s and without an error. Manifests of cluster-scoped kinds may carry a namespace, which does not count.
 */
export interface ClusterWriter {
  apply(target: Manifest, options: ApplyOptions): Promise<WriteResult>
  /** `kubectl replace`: the object must exist; `force` deletes it first. */
  replace(target: Manifest, options: ApplyOptions): Promise<WriteResult>
  /** `kubectl create`: the object must not exist. */
  create(target: Manifest, options: ApplyOptions): Promise<WriteResult>
  /** A plain PUT of the whole object; a resourceVersion in it is a precondition. */
  update(target: Manifest, options: { readonly dryRun: DryRun }): Promise<Manifest>
  delete(key: ResourceKey, apiVersion: string, options: DeleteOptions): Promise<void>
  patch(key: ResourceKey, apiVersion: string, request: PatchRequest): Promise<Manifest>
}

export interface Cluster extends ClusterReader, ClusterWriter {}
