import { sha256, textToBytes } from '../../../text/index.ts'
import type { Chance, ChanceStream } from '../../chance.ts'

export type { Chance, ChanceStream }

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
    stream: (name) => hashStream(() => textToBytes(`${seed}\0${name}`)),
    now: () => now,
    ...(isProbablePrime === undefined ? {} : { isProbablePrime }),
  }
}

/** A stream that follows from its seed: SHA-256 in counter mode. Most streams are never asked, nor is then `seed`. */
export function hashStream(seed: () => Uint8Array): ChanceStream {
  let bytes: ChanceStream['bytes'] | undefined
  return {
    bytes: (wanted) => {
      bytes ??= counterMode(sha256(seed()))
      return bytes(wanted)
    },
  }
}

function counterMode(key: Uint8Array): ChanceStream['bytes'] {
  const block = new Uint8Array(key.length + 8)
  block.set(key)
  const counter = new DataView(block.buffer)
  let count = 0n
  let rest = new Uint8Array(0)
  return (wanted) => {
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
