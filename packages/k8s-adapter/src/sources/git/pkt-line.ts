import { corrupt } from './object.ts'

/** One packet of git's protocol: data, or one of the three marks. */
export type Packet =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'flush' | 'delimiter' | 'end' }

/** Splits an answer into packets as it comes. Source: git gitprotocol-common, "pkt-line Format" */
export class PacketReader {
  #rest: Buffer = Buffer.alloc(0)

  /** False when the answer ended within a packet. */
  isDone(): boolean {
    return this.#rest.length === 0
  }

  /** The packets that are whole by now. @throws SourceError SOURCE_CORRUPT */
  *push(chunk: Buffer): Generator<Packet> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (at + 4 <= bytes.length) {
      const digits = bytes.toString('latin1', at, at + 4)
      if (!/^[0-9a-f]{4}$/i.test(digits))
        throw corrupt('the server does not speak the protocol of git')
      const length = Number.parseInt(digits, 16)
      if (length === 3) throw corrupt('the server sent a packet of unknown kind')
      if (at + length > bytes.length) break
      if (length < 4) {
        yield { kind: length === 0 ? 'flush' : length === 1 ? 'delimiter' : 'end' }
        at += 4
      } else {
        yield { kind: 'data', bytes: bytes.subarray(at + 4, at + length) }
        at += length
      }
    }
    this.#rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at))
  }
}

/** Splits a whole answer into packets. @throws SourceError SOURCE_CORRUPT */
export function* readPackets(bytes: Buffer): Generator<Packet> {
  const reader = new PacketReader()
  yield* reader.push(bytes)
  if (!reader.isDone()) throw corrupt('the answer of the server is cut short')
}

export function packet(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const flushPacket: Buffer = Buffer.from('0000')
export const delimiterPacket: Buffer = Buffer.from('0001')
