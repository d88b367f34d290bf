import { corrupt, tooLarge } from './object.ts'

/** Applies a pack delta: copies from `base` and inserts from the delta itself. */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  let at = 0
  const varint = (): number => {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = delta[at++]
      if (byte === undefined) throw corrupt('a delta is cut short')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }
  if (varint() !== base.length) throw corrupt('a delta does not fit its base')
  const size = varint()
  if (size > maxBytes) throw tooLarge(size, maxBytes)
  const out = Buffer.allocUnsafe(size)
  let written = 0
  while (at < delta.length) {
    const op = delta[at++]!
    if (op & 0x80) {
      let offset = 0
      let length = 0
      if (op & 0x01) offset = delta[at++]!
      if (op & 0x02) offset += delta[at++]! * 0x100
      if (op & 0x04) offset += delta[at++]! * 0x10000
      if (op & 0x08) offset += delta[at++]! * 0x1000000
      if (op & 0x10) length = delta[at++]!
      if (op & 0x20) length += delta[at++]! * 0x100
      if (op & 0x40) length += delta[at++]! * 0x10000
      if (length === 0) length = 0x10000
      if (!(offset + length <= base.length && written + length <= size)) {
        throw corrupt('a delta copies from outside its base')
      }
      base.copy(out, written, offset, offset + length)
      written += length
    } else {
      if (op === 0 || at + op > delta.length || written + op > size) {
        throw corrupt('a delta holds an unknown instruction')
      }
      delta.copy(out, written, at, at + op)
      at += op
      written += op
    }
  }
  if (written !== size) throw corrupt('a delta makes an object of the wrong size')
  return out
}
