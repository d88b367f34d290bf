import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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
    mkdirSync(dirname(path), { recursive: true })
    const bytes = textToBytes(`---\n# Source: ${document.path}\n${document.text}\n`)
    if (isMore) appendFileSync(path, bytes)
    else writeFileSync(path, bytes)
    written.add(path)
    io.stdout(`wrote ${shown}\n`)
  }
}
