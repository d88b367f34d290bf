import { corrupt } from './object.ts'

/** One packet of git's protocol: data, or one of the three marks. */
export type Packet =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'flush' | 'delimiter' | 'end' }

/** Splits a whole answer into packets. @throws SourceError SOURCE_CORRUPT. Source: git gitprotocol-common */
export function* readPackets(bytes: Buffer): Generator<Packet> {
  let at = 0
  while (at < bytes.length) {
    const digits = bytes.toString('latin1', at, at + 4)
    if (!/^[0-9a-f]{4}$/i.test(digits))
      throw corrupt('the server does not speak the protocol of git')
    const length = Number.parseInt(digits, 16)
    if (length < 4) {
      if (length === 3) throw corrupt('the server sent a packet of unknown kind')
      yield { kind: length === 0 ? 'flush' : length === 1 ? 'delimiter' : 'end' }
      at += 4
      continue
    }
    if (at + length > bytes.length) throw corrupt('the answer of the server is cut short')
    yield { kind: 'data', bytes: bytes.subarray(at + 4, at + length) }
    at += length
  }
}

export function packet(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const flushPacket: Buffer = Buffer.from('0000')
export const delimiterPacket: Buffer = Buffer.from('0001')
