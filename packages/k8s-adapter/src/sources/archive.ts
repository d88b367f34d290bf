import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SourceError } from '@litecd/core/errors'
import { archiveTree, type FileTree, isGzip, untar } from '@litecd/core/files'

const inflate = promisify(gunzip)

/** Extracted bytes beyond which an archive is refused: what Helm 4.2 loads at most is 100 MiB. */
export const maxExtractedBytes: number = 256 * 1024 * 1024

/**
 * The files of a tar archive, compressed or not. Decompressing happens off the main thread.
 *
 * @throws SourceError SOURCE_CORRUPT, SOURCE_UNSAFE, BUDGET_EXCEEDED
 */
export async function unpack(
  bytes: Uint8Array,
  maxBytes: number = maxExtractedBytes,
): Promise<FileTree> {
  let plain = bytes
  if (isGzip(bytes)) {
    try {
      plain = await inflate(bytes, { maxOutputLength: maxBytes })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new SourceError(
          'BUDGET_EXCEEDED',
          `an archive holds more than the ${maxBytes} bytes that are allowed`,
        )
      }
      throw new SourceError('SOURCE_CORRUPT', 'an archive cannot be decompressed', { cause })
    }
  } else if (bytes.length > maxBytes) {
    throw new SourceError(
      'BUDGET_EXCEEDED',
      `an archive holds more than the ${maxBytes} bytes that are allowed`,
    )
  }
  return archiveTree(untar(plain))
}

/** The part of a tree below a folder. */
export function subTree(tree: FileTree, folder: string): FileTree {
  const at = (path: string): string => (path === '' ? folder : `${folder}/${path}`)
  return {
    entry: (path) => (path === '' ? { name: '', kind: 'directory' } : tree.entry(at(path))),
    read: (path) => tree.read(at(path)),
    list: (path) => tree.list(at(path)),
    ...(tree.contentId === undefined
      ? {}
      : { contentId: (path: string) => tree.contentId!(at(path)) }),
  }
}
