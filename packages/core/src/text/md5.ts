const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const table = new Int32Array(64)
// RFC 1321: the integer part of 2^32 times abs(sin(i + 1))
for (let i = 0; i < 64; i++) table[i] = Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32)

/** MD5, 16 bytes. */
export function md5(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n, true)
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state as unknown as [number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      let mix: number
      let word: number
      if (round === 0) {
        mix = (b & c) | (~b & d)
        word = i
      } else if (round === 1) {
        mix = (d & b) | (~d & c)
        word = (5 * i + 1) & 15
      } else if (round === 2) {
        mix = b ^ c ^ d
        word = (3 * i + 5) & 15
      } else {
        mix = c ^ (b | ~d)
        word = (7 * i) & 15
      }
      const sum = (a + mix + table[i]! + view.getInt32(block + word * 4, true)) | 0
      const shift = shifts[round * 4 + (i & 3)]!
      a = d
      d = c
      c = b
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
    }
    state[0] = state[0]! + a
    state[1] = state[1]! + b
    state[2] = state[2]! + c
    state[3] = state[3]! + d
  }
  const out = new DataView(new ArrayBuffer(16))
  for (let i = 0; i < 4; i++) out.setInt32(i * 4, state[i]!, true)
  return new Uint8Array(out.buffer)
}
