import { SourceError } from '../errors/index.ts'
import { type MemoryTreeInput, memoryTree } from './memory.ts'
import { cleanPath, dirName, isInside, joinPath } from './path.ts'
import type { FileTree } from './tree.ts'

/** One member of a tar archive, in the order of the archive. */
export interface TarEntry {
  /** The name as it was written, a trailing slash of a folder included. Not to be trusted. */
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'hardlink' | 'other'
  /** Content of a file; a view of the archive. Empty for everything else. */
  readonly bytes: Uint8Array
  /** Where a link points, as it was written; '' for everything else. */
  readonly target: string
}

export interface TarLimits {
  /** 100,000 unless told. */
  readonly maxEntries?: number
  /** Bytes of all files together. Without a limit of its own: they are views of the archive. */
  readonly maxBytes?: number
}

const block = 512
const maxHeaderBytes = 1024 * 1024 // what Go's archive/tar takes for long names and pax records

const utf8 = new TextDecoder()

/**
 * Reads an uncompressed tar archive: v7, ustar, GNU (long names, base-256 numbers) and pax. Sparse files are refused.
 *
 * @throws SourceError SOURCE_CORRUPT, BUDGET_EXCEEDED
 * Source: POSIX.1-2024 pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format"
 */
export function untar(bytes: Uint8Array, limits: TarLimits = {}): readonly TarEntry[] {
  const maxEntries = limits.maxEntries ?? 100_000
  const maxBytes = limits.maxBytes ?? Number.POSITIVE_INFINITY
  const entries: TarEntry[] = []
  const globals = new Map<string, string>()
  let locals = new Map<string, string>()
  let longName: string | undefined
  let longTarget: string | undefined
  let total = 0
  let at = 0
  while (at < bytes.length) {
    if (at + block > bytes.length) throw corrupt('unexpected EOF')
    const header = bytes.subarray(at, at + block)
    if (isZero(header)) {
      const next = bytes.subarray(at + block, at + 2 * block)
      if (!isZero(next)) throw corrupt('archive/tar: invalid tar header')
      break
    }
    checkSum(header)
    const type = String.fromCharCode(header[156]!)
    const size = sizeOf(locals.get('size') ?? globals.get('size'), header, type)
    const start = at + block
    if (start + size > bytes.length) throw corrupt('unexpected EOF')
    at = start + Math.ceil(size / block) * block

    if ('xgLKXN'.includes(type)) {
      if (size > maxHeaderBytes) throw corrupt('archive/tar: header field too long')
      const content = bytes.subarray(start, start + size)
      if (type === 'L') longName = textUntilZero(content)
      else if (type === 'K') longTarget = textUntilZero(content)
      else if (type === 'x') locals = new Map(paxRecords(content))
      else if (type === 'g') for (const [key, value] of paxRecords(content)) globals.set(key, value)
      continue
    }
    const pax = (key: string): string | undefined => {
      const value = locals.get(key) ?? globals.get(key)
      return value === '' ? undefined : value
    }
    if (type === 'S' || [...locals.keys()].some((key) => key.startsWith('GNU.sparse.'))) {
      throw corrupt('a sparse file cannot be read')
    }
    const name = pax('path') ?? longName ?? headerName(header)
    const target = pax('linkpath') ?? longTarget ?? textUntilZero(header.subarray(157, 257))
    const kind = kindOf(type, name)
    total += kind === 'file' ? size : 0
    if (entries.length >= maxEntries || total > maxBytes) {
      throw new SourceError(
        'BUDGET_EXCEEDED',
        entries.length >= maxEntries
          ? `an archive has more than ${maxEntries} entries`
          : `an archive holds more than ${maxBytes} bytes`,
      )
    }
    entries.push({
      name,
      kind,
      bytes: kind === 'file' ? bytes.subarray(start, start + size) : new Uint8Array(0),
      target: kind === 'link' || kind === 'hardlink' ? target : '',
    })
    locals = new Map()
    longName = undefined
    longTarget = undefined
  }
  return entries
}

/**
 * The files and links of an archive as a tree; of several entries with one name the last. Devices and the like are
 * left out. `strip` drops that many leading folders from every name, and entries that have no more than those.
 *
 * @throws SourceError SOURCE_UNSAFE for a name that is absolute or has '..', and for a link that leaves the archive
 */
export function archiveTree(entries: readonly TarEntry[], strip = 0): FileTree {
  const files = new Map<string, string | Uint8Array | { readonly link: string }>()
  for (const entry of entries) {
    const full = safePath(entry.name)
    const path = full.split('/').slice(strip).join('/')
    if (path === '' || entry.kind === 'directory' || entry.kind === 'other') continue
    // a file that takes the place of a folder, or the other way round, takes everything below with it
    for (let dir = dirName(path); dir !== ''; dir = dirName(dir)) files.delete(dir)
    if (entry.kind === 'file') files.set(path, entry.bytes)
    else if (entry.kind === 'link') {
      const reached = joinPath(dirName(full), entry.target)
      if (
        entry.target.startsWith('/') ||
        !isInside(reached, full.split('/').slice(0, strip).join('/'))
      ) {
        throw unsafe(`illegal filepath in symlink: ${entry.name}`)
      }
      files.set(path, { link: entry.target })
    } else {
      const original = files.get(safePath(entry.target).split('/').slice(strip).join('/'))
      if (original === undefined) throw unsafe(`${entry.name} is a hard link to nothing`)
      files.set(path, original)
    }
  }
  const kept: { [path: string]: string | Uint8Array | { readonly link: string } } =
    Object.create(null)
  const folders = new Set<string>()
  for (const path of files.keys()) {
    for (let dir = dirName(path); dir !== ''; dir = dirName(dir)) folders.add(dir)
  }
  for (const [path, content] of files) if (!folders.has(path)) kept[path] = content
  return memoryTree(kept as MemoryTreeInput)
}

const maxNameLength = 4096 // Linux PATH_MAX

function safePath(name: string): string {
  if (name.length > maxNameLength) {
    throw new SourceError('BUDGET_EXCEEDED', `a name in an archive is longer than ${maxNameLength}`)
  }
  const path = cleanPath(name)
  if (name.startsWith('/') || name.includes('\0') || path === '..' || path.startsWith('../')) {
    throw unsafe(`illegal filepath in archive: ${name}`)
  }
  return path
}

function kindOf(type: string, name: string): TarEntry['kind'] {
  if (type === '0' || type === '\0' || type === '7')
    return name.endsWith('/') ? 'directory' : 'file'
  if (type === '5') return 'directory'
  if (type === '2') return 'link'
  return type === '1' ? 'hardlink' : 'other'
}

function sizeOf(pax: string | undefined, header: Uint8Array, type: string): number {
  const size = pax !== undefined && pax !== '' ? Number(pax) : number(header.subarray(124, 136))
  if (!Number.isSafeInteger(size) || size < 0) throw corrupt('archive/tar: invalid tar header')
  // links, devices and folders have no content, whatever their header claims
  return '123456'.includes(type) ? 0 : size
}

/** An octal number, or one in base 256 when the highest bit is set. */
function number(field: Uint8Array): number {
  if ((field[0]! & 0x80) !== 0) {
    let value = field[0]! & 0x7f
    if (value & 0x40) throw corrupt('archive/tar: invalid tar header')
    for (const byte of field.subarray(1)) value = value * 256 + byte
    return value
  }
  const text = textUntilZero(field).trim()
  if (text === '') return 0
  if (!/^[0-7]+$/.test(text)) throw corrupt('archive/tar: invalid tar header')
  return Number.parseInt(text, 8)
}

function checkSum(header: Uint8Array): void {
  let unsigned = 0
  let signed = 0
  for (let i = 0; i < block; i++) {
    const byte = i >= 148 && i < 156 ? 0x20 : header[i]!
    unsigned += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  const want = number(header.subarray(148, 156))
  if (want !== unsigned && want !== signed) throw corrupt('archive/tar: invalid tar header')
}

function headerName(header: Uint8Array): string {
  const name = textUntilZero(header.subarray(0, 100))
  const isUstar = utf8.decode(header.subarray(257, 263)) === 'ustar\0'
  const prefix = isUstar ? textUntilZero(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** `length key=value\n` records; the length counts itself. */
function* paxRecords(content: Uint8Array): Generator<readonly [string, string]> {
  let at = 0
  while (at < content.length) {
    const space = content.indexOf(0x20, at)
    const length = space === -1 ? Number.NaN : Number(utf8.decode(content.subarray(at, space)))
    const end = at + length
    if (!(length > space - at + 1) || end > content.length || content[end - 1] !== 0x0a) {
      throw corrupt('archive/tar: invalid tar header')
    }
    const record = utf8.decode(content.subarray(space + 1, end - 1))
    const equals = record.indexOf('=')
    if (equals <= 0) throw corrupt('archive/tar: invalid tar header')
    yield [record.slice(0, equals), record.slice(equals + 1)]
    at = end
  }
}

function textUntilZero(field: Uint8Array): string {
  const end = field.indexOf(0)
  return utf8.decode(end === -1 ? field : field.subarray(0, end))
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

function corrupt(message: string): SourceError {
  return new SourceError('SOURCE_CORRUPT', message)
}

function unsafe(message: string): SourceError {
  return new SourceError('SOURCE_UNSAFE', message)
}
