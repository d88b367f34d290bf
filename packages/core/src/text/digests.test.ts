import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { md5 } from './md5.ts'
import { toHex } from './sha.ts'
import { sha3 } from './sha3.ts'

describe.each([0, 1, 55, 56, 63, 64, 71, 72, 73, 119, 143, 144, 1000])('%i bytes', (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 37) & 255)
  it.each([
    ['md5', md5],
    ['sha3-512', sha3],
  ] as const)('have the %s that Node gives', (name, digest) => {
    expect(toHex(digest(bytes))).toBe(createHash(name).update(bytes).digest('hex'))
  })
})
