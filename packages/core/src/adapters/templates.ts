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

/** What templates get of the world beside their sources. */
export interface TemplateWorld {
  /**
   * Randomness and time. When absent they follow from the Application and the chart, and time stands still: the same
   * commit always renders the same.
   */
  readonly chance?: Chance
  /**
   * What `lookup` finds: live objects of the destination namespace, by name; Secrets among them only with `secrets`.
   * When absent nothing, as under `helm template`. What is not granted, and lists, are empty in any case.
   */
  readonly lookup?: 'objects' | 'secrets'
}
