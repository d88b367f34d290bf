import { sha256, textToBytes } from '../../../text/index.ts'

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

/**
 * Chance that is none: everything follows from the seed, and time stands still. Two renders of the same input give the
 * same bytes on every host.
 */
export function seededChance(
  seed: string,
  options: {
    readonly now?: { readonly unixSeconds: number; readonly nanos: number }
    readonly isProbablePrime?: (candidate: bigint) => boolean
  } = {},
): Chance {
  const { now = { unixSeconds: 1_735_689_600, nanos: 123_456_789 }, isProbablePrime } = options
  return {
    stream: (name) => hashStream(`${seed}\0${name}`),
    now: () => now,
    ...(isProbablePrime === undefined ? {} : { isProbablePrime }),
  }
}

/** SHA-256 in counter mode. */
function hashStream(seed: string): ChanceStream {
  const key = sha256(textToBytes(seed))
  const block = new Uint8Array(key.length + 8)
  block.set(key)
  const counter = new DataView(block.buffer)
  let count = 0n
  let rest = new Uint8Array(0)
  return {
    bytes: (wanted) => {
      const out = new Uint8Array(wanted)
      let filled = 0
      while (filled < wanted) {
        if (rest.length === 0) {
          counter.setBigUint64(key.length, count++)
          rest = new Uint8Array(sha256(block))
        }
        const part = rest.subarray(0, wanted - filled)
        out.set(part, filled)
        filled += part.length
        rest = rest.subarray(part.length)
      }
      return out
    },
  }
}

/** A number from 0 up to, not including, `limit`, without bias. */
export function randomBelow(stream: ChanceStream, limit: number): number {
  if (limit <= 1) return 0
  const ceiling = Math.floor(2 ** 32 / limit) * limit
  for (;;) {
    const value = new DataView(stream.bytes(4).buffer).getUint32(0)
    if (value < ceiling) return value % limit
  }
}

/** A number of exactly `bits` random bits, or fewer when leading ones are zero. */
export function randomBits(stream: ChanceStream, bits: number): bigint {
  const bytes = stream.bytes(Math.ceil(bits / 8))
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value & ((1n << BigInt(bits)) - 1n)
}
