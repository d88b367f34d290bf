import { RenderError, SourceError } from '../../../errors/index.ts'
import { bytesToText, goClean, quoteGo } from '../../../text/index.ts'
import { type BufferedFile, maxFileSize, withoutMark } from './buffered.ts'
import { gunzip } from './inflate.ts'

const maxChartSize = 100 * 1024 * 1024 // helm v4.2.1 pkg/chart/loader/archive MaxDecompressedChartSize
/** Paddings and headers come on top of the content. */
const maxTarSize = maxChartSize + 64 * 1024 * 1024
const maxEntries = 100_000

function illegal(message: string): SourceError {
  return new SourceError('SOURCE_UNSAFE', message)
}

/**
 * The files of a chart archive (.tgz), without its first folder.
 *
 * Throws SOURCE_CORRUPT, SOURCE_UNSAFE or BUDGET_EXCEEDED with Helm's texts.
 */
export function readChartArchive(bytes: Uint8Array): readonly BufferedFile[] {
  const tar = gunzip(bytes, maxTarSize)
  const files: BufferedFile[] = []
  let remaining = maxChartSize
  for (const entry of tarEntries(tar)) {
    if (files.length >= maxEntries) {
      throw new RenderError('BUDGET_EXCEEDED', `chart archive has more than ${maxEntries} files`)
    }
    const name = safeName(entry.name)
    const { length } = entry.bytes
    if (length > remaining) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `decompressed chart is larger than the maximum size ${maxChartSize}`,
      )
    }
    if (length > maxFileSize) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `decompressed chart file ${quoteGo(entry.name)} is larger than the maximum file size ${maxFileSize}`,
      )
    }
    remaining -= length
    files.push({ name, bytes: withoutMark(entry.bytes) })
  }
  if (files.length === 0) throw new SourceError('SOURCE_CORRUPT', 'no files in chart archive')
  return files
}

function safeName(raw: string): string {
  const delimiter = raw.includes('\\') ? '\\' : '/'
  const parts = raw.split(delimiter)
  let name = parts.slice(1).join('/')
  if (name.startsWith('/')) throw illegal('chart illegally contains absolute paths')
  name = goClean(name)
  if (name === '.') {
    throw illegal(`chart illegally contains content outside the base directory: ${quoteGo(raw)}`)
  }
  if (name.startsWith('..')) throw illegal('chart illegally references parent directory')
  if (/^[a-zA-Z]:\//.test(name)) throw illegal('chart contains illegally named files')
  if (parts[0] === 'Chart.yaml') throw illegal('chart yaml not in base directory')
  return name
}

interface TarEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Everything in a tar but folders and headers; links come as empty files, as Go's reader shows them. */
function* tarEntries(tar: Uint8Array): Generator<TarEntry> {
  let at = 0
  let longName: string | undefined
  let pax: { [key: string]: string } = {}
  while (at + 512 <= tar.length) {
    const header = tar.subarray(at, at + 512)
    if (header.every((byte) => byte === 0)) return
    checkSum(header)
    const isUstar = field(header, 257, 5) === 'ustar'
    const isGnu = field(header, 257, 8).startsWith('ustar  ')
    const type = String.fromCharCode(header[156]!)
    const prefix = isUstar && !isGnu ? field(header, 345, 155) : ''
    const size = pax['size'] === undefined ? octal(header, 124, 12) : Number(pax['size'])
    at += 512
    const hasData = !'123456'.includes(type)
    const end = at + (hasData ? size : 0)
    if (end > tar.length) throw new SourceError('SOURCE_CORRUPT', 'unexpected EOF')
    const bytes = tar.subarray(at, end)
    at += hasData ? Math.ceil(size / 512) * 512 : 0
    if (type === 'x') {
      pax = { ...pax, ...paxRecords(bytes) }
      continue
    }
    if (type === 'g') continue
    if (type === 'L') {
      longName = bytesToText(bytes).replace(/\0.*$/s, '')
      continue
    }
    if (type === 'K') continue
    const short = field(header, 0, 100)
    const name = pax['path'] ?? longName ?? (prefix === '' ? short : `${prefix}/${short}`)
    longName = undefined
    pax = {}
    if (type === '5' || name.endsWith('/')) continue
    yield { name, bytes }
  }
}

function field(header: Uint8Array, from: number, size: number): string {
  const bytes = header.subarray(from, from + size)
  const end = bytes.indexOf(0)
  return bytesToText(end === -1 ? bytes : bytes.subarray(0, end))
}

function octal(header: Uint8Array, from: number, size: number): number {
  if (header[from]! & 0x80) {
    let value = header[from]! & 0x7f
    for (let i = 1; i < size; i++) value = value * 256 + header[from + i]!
    return value
  }
  const text = field(header, from, size).trim()
  if (!/^[0-7]*$/.test(text))
    throw new SourceError('SOURCE_CORRUPT', 'archive/tar: invalid tar header')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function checkSum(header: Uint8Array): void {
  const wanted = octal(header, 148, 8)
  let sum = 0
  for (const [i, byte] of header.entries()) sum += i >= 148 && i < 156 ? 32 : byte
  if (sum !== wanted) throw new SourceError('SOURCE_CORRUPT', 'archive/tar: invalid tar header')
}

function paxRecords(bytes: Uint8Array): { [key: string]: string } {
  const out: { [key: string]: string } = {}
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(32, at)
    const length = space === -1 ? Number.NaN : Number(bytesToText(bytes.subarray(at, space)))
    if (!(length > 0)) throw new SourceError('SOURCE_CORRUPT', 'archive/tar: invalid tar header')
    const record = bytesToText(bytes.subarray(space + 1, at + length - 1))
    const equals = record.indexOf('=')
    out[record.slice(0, equals)] = record.slice(equals + 1)
    at += length
  }
  return out
}
