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
