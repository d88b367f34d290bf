/**
 * Where everything comes from that is random or depends on the clock.
 *
 * A render asks for a stream for each template file, so that a new file does not change what the others get.
 */
export interface Chance {
  stream(name: string): ChanceStream
  /** The time of the render. */
  now(): { readonly unixSeconds: number; readonly nanos: number }
  /**
   * A quick test of large numbers for primality, where the host has one. It must agree with the truth; without it
   * Miller-Rabin runs here.
   */
  isProbablePrime?(candidate: bigint): boolean
}

export interface ChanceStream {
  bytes(count: number): Uint8Array
}

/** What a template looks up: an object, or a list. */
export interface LookupQuery {
  readonly apiVersion: string
  readonly kind: string
  /** '' for kinds of the whole cluster, and for lists over all namespaces. */
  readonly namespace: string
  /** '' asks for a list. */
  readonly name: string
}

/** What templates get of the world beside their sources. */
export interface TemplateWorld {
  /**
   * Randomness and time. When absent they follow from the Application and the chart, and time stands still: the same
   * commit always renders the same.
   */
  readonly chance?: Chance
  /**
   * What `lookup` finds: live objects and lists of the destination namespace, Secrets among them only with `secrets`;
   * with `cluster` whatever the identity that reads the cluster may see, in every namespace. When absent nothing, as
   * under `helm template`. What is not granted is empty. Lists need {@link ClusterReader.lookup}.
   */
  readonly lookup?: 'objects' | 'secrets' | 'cluster'
}
