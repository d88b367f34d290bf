import { gzipSync } from 'node:zlib'

const block = 512

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`
}

function header(path: string, size: number): Buffer {
  const bytes = Buffer.alloc(block)
  const name = Buffer.from(path)
  if (name.length > 100) throw new Error(`${path} is too long for a ustar name`)
  name.copy(bytes, 0)
  bytes.write(octal(0o644, 8), 100)
  bytes.write(octal(0, 8), 108)
  bytes.write(octal(0, 8), 116)
  bytes.write(octal(size, 12), 124)
  bytes.write(octal(0, 12), 136)
  bytes.write('        ', 148)
  bytes.write('0', 156)
  bytes.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of bytes) sum += byte
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

/** A gzipped ustar archive of regular files, always the same bytes for the same files. */
export function tarGz(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [
    header(path, bytes.length),
    Buffer.from(bytes),
    Buffer.alloc((block - (bytes.length % block)) % block),
  ])
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]))
}
