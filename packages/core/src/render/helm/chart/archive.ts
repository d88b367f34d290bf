import { RenderError, SourceError } from '../../../errors/index.ts'
import { gunzip, type TarEntry, untar } from '../../../files/index.ts'
import { goClean, quoteGo } from '../../../text/index.ts'
import { type BufferedFile, maxFileSize, withoutMark } from './buffered.ts'

const maxChartSize = 100 * 1024 * 1024 // helm v4.2.1 pkg/chart/loader/archive MaxDecompressedChartSize
/** Paddings and headers come on top of the content. */
const maxTarSize = maxChartSize + 64 * 1024 * 1024
/** Of an archive and all archives inside it. Our own: Helm has none. */
const maxTotalSize = 512 * 1024 * 1024

/** What the archives of one chart may still unpack to. */
export interface UnpackBudget {
  remaining: number
}

export function unpackBudget(): UnpackBudget {
  return { remaining: maxTotalSize }
}

function illegal(message: string): SourceError {
  return new SourceError('SOURCE_UNSAFE', message)
}

/**
 * The files of a chart archive (.tgz), without its first folder. Links come as empty files, as Go's tar reader shows
 * them.
 *
 * Throws SOURCE_CORRUPT, SOURCE_UNSAFE or BUDGET_EXCEEDED with Helm's texts.
 */
export function readChartArchive(bytes: Uint8Array, budget: UnpackBudget): readonly BufferedFile[] {
  const files: BufferedFile[] = []
  let remaining = maxChartSize
  for (const entry of unpack(bytes, budget)) {
    if (entry.kind === 'directory' || entry.name.endsWith('/')) continue
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

function unpack(bytes: Uint8Array, budget: UnpackBudget): readonly TarEntry[] {
  try {
    const tar = gunzip(bytes, { maxBytes: Math.min(maxTarSize, budget.remaining) })
    budget.remaining -= tar.length
    return untar(tar)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    if (error.code === 'BUDGET_EXCEEDED') {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `decompressed chart is larger than the maximum size ${maxChartSize}`,
        { cause: error },
      )
    }
    const isShort = error.message.startsWith('unexpected end of ')
    throw isShort ? new SourceError(error.code, 'unexpected EOF', { cause: error }) : error
  }
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
