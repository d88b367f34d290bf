/** base^exponent mod modulus. */
export function powMod(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  const factor = base % modulus
  const bits = exponent.toString(2)
  // left to right with a window of four bits
  const table = [1n, factor]
  for (let i = 2; i < 16; i++) table.push((table[i - 1]! * factor) % modulus)
  const padded = bits.padStart(Math.ceil(bits.length / 4) * 4, '0')
  for (let i = 0; i < padded.length; i += 4) {
    for (let k = 0; k < 4; k++) result = (result * result) % modulus
    const digit = Number.parseInt(padded.slice(i, i + 4), 2)
    if (digit !== 0) result = (result * table[digit]!) % modulus
  }
  return result
}

/** The inverse of `value` mod `modulus`; undefined when there is none. */
export function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [r0, r1] = [modulus, ((value % modulus) + modulus) % modulus]
  let [t0, t1] = [0n, 1n]
  while (r1 !== 0n) {
    const quotient = r0 / r1
    ;[r0, r1] = [r1, r0 - quotient * r1]
    ;[t0, t1] = [t1, t0 - quotient * t1]
  }
  return r0 === 1n ? ((t0 % modulus) + modulus) % modulus : undefined
}

export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/** Big-endian bytes, padded to `size` where given. */
export function toBytes(value: bigint, size?: number): Uint8Array {
  let hex = value.toString(16)
  if (hex.length % 2 === 1) hex = '0' + hex
  if (size !== undefined) hex = hex.padStart(size * 2, '0')
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  )
}

/** The number of big-endian bytes. */
export function fromBytes(bytes: Uint8Array): bigint {
  let hex = '0x0'
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return BigInt(hex)
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
