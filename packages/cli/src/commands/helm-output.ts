import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { RenderError } from '@litecd/core/errors'
import type { RenderedDocument } from '@litecd/core/render/helm'
import { textToBytes } from '@litecd/core/text'
import type { Io } from '../io.ts'

/**
 * `--output-dir`: a file for each template, CRDs and manifests first, and a line on standard output for each document.
 *
 * The release name comes between the folder and the paths of manifests and hooks, not of CRDs, unless it is ''.
 */
export function writeOutputFolder(
  documents: readonly RenderedDocument[],
  folder: string,
  releaseName: string,
  io: Io,
): void {
  const written = new Set<string>()
  for (const document of documents) {
    const base = document.isCrd || releaseName === '' ? folder : join(folder, releaseName)
    const shown = `${base}/${document.path}`
    const path = resolve(io.cwd, shown)
    // Parity: a hook is added to whatever is there, from an earlier run too
    const isMore = written.has(path) || (document.hooks !== undefined && existsSync(path))
    const advice =
      document.hooks === undefined ? '\n\nUse --debug flag to render out invalid YAML' : ''
    makeFolder(dirname(path), dirname(shown), advice)
    const bytes = textToBytes(`---\n# Source: ${document.path}\n${document.text}\n`)
    try {
      if (isMore) appendFileSync(path, bytes)
      else writeFileSync(path, bytes)
    } catch (error) {
      throw failure(error, `open ${shown}`, advice)
    }
    written.add(path)
    io.stdout(`wrote ${shown}\n`)
  }
}

function makeFolder(path: string, shown: string, advice: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    throw failure(error, `${isFile ? 'stat' : 'mkdir'} ${shown}`, advice)
  }
}

/** What Go says of the same. */
function failure(error: unknown, what: string, advice: string): unknown {
  const reason = {
    EACCES: 'permission denied',
    EEXIST: 'not a directory',
    EISDIR: 'is a directory',
    ENOTDIR: 'not a directory',
    EROFS: 'read-only file system',
  }[(error as NodeJS.ErrnoException).code ?? '']
  if (reason === undefined) return error
  return new RenderError('HELM_FAILED', `${what}: ${reason}${advice}`, { cause: error })
}
