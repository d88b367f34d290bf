import { concatBytes, fromBytes, toBytes } from './numbers.ts'

/** A DER element of a tag and its content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...content)
  return concatBytes(Uint8Array.of(tag), lengthBytes(body.length), body)
}

function lengthBytes(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes = toBytes(BigInt(length))
  return concatBytes(Uint8Array.of(0x80 | bytes.length), bytes)
}

export function sequence(...content: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...content)
}

/** A non-negative INTEGER. */
export function integer(value: bigint): Uint8Array {
  const bytes = toBytes(value)
  return bytes[0]! >= 0x80 ? der(0x02, Uint8Array.of(0), bytes) : der(0x02, bytes)
}

export function objectId(id: string): Uint8Array {
  const [first, second, ...rest] = id.split('.').map(Number) as [number, number, ...number[]]
  const out: number[] = [first * 40 + second]
  for (const part of rest) {
    const digits = [part & 0x7f]
    for (let more = part >>> 7; more > 0; more >>>= 7) digits.unshift((more & 0x7f) | 0x80)
    out.push(...digits)
  }
  return der(0x06, Uint8Array.from(out))
}

export const derNull: Uint8Array = Uint8Array.of(0x05, 0x00)

export function octetString(bytes: Uint8Array): Uint8Array {
  return der(0x04, bytes)
}

/** A BIT STRING without unused bits, or with those of its last byte. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return der(0x03, Uint8Array.of(unused), bytes)
}

/** One element of a DER text. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  /** The whole element. */
  readonly raw: Uint8Array
}

/** The elements of a DER content; undefined when it is malformed. */
export function readDer(bytes: Uint8Array): readonly DerElement[] | undefined {
  const out: DerElement[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]!
    let length = bytes[at + 1]
    if (length === undefined) return undefined
    let start = at + 2
    if (length >= 0x80) {
      const count = length & 0x7f
      if (count === 0 || count > 4 || start + count > bytes.length) return undefined
      length = Number(fromBytes(bytes.subarray(start, start + count)))
      start += count
    }
    if (start + length > bytes.length) return undefined
    out.push({
      tag,
      content: bytes.subarray(start, start + length),
      raw: bytes.subarray(at, start + length),
    })
    at = start + length
  }
  return out
}

/** The elements inside the only SEQUENCE of a DER text. */
export function readSequence(bytes: Uint8Array): readonly DerElement[] | undefined {
  const outer = readDer(bytes)
  return outer?.length === 1 && outer[0]!.tag === 0x30 ? readDer(outer[0]!.content) : undefined
}

/** The value of an INTEGER that is not negative. */
export function readInteger(element: DerElement | undefined): bigint | undefined {
  return element?.tag === 0x02 && element.content.length > 0
    ? fromBytes(element.content)
    : undefined
}
