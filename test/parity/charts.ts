import { createHash } from 'node:crypto'
import { load } from 'js-yaml'
import { type Files, fileOf } from '../../packages/core/test/corpus/argocd-cases.ts'
import { tarGz } from './tar.ts'

/** Path → bytes, as they are served. */
export type Served = ReadonlyMap<string, Uint8Array>

function bytesOf(path: string, files: Files): Uint8Array {
  const content = files[path]
  const file = content === undefined || content === null ? undefined : fileOf(content)
  if (file === undefined || 'link' in file) throw new Error(`${path} is no file`)
  return file.bytes
}

/** Packages charts and writes the index.yaml that a Helm repository has. Newest first is the reader's business. */
export function packCharts(charts: { readonly [folder: string]: Files }): Served {
  const served = new Map<string, Uint8Array>()
  const entries: { [name: string]: unknown[] } = {}
  for (const files of Object.values(charts)) {
    const chart = load(Buffer.from(bytesOf('Chart.yaml', files)).toString()) as {
      readonly name: string
      readonly version: string
    }
    const archive = tarGz(
      Object.keys(files).map((path) => ({
        path: `${chart.name}/${path}`,
        bytes: bytesOf(path, files),
      })),
    )
    const file = `${chart.name}-${chart.version}.tgz`
    served.set(file, archive)
    const entry = {
      ...chart,
      urls: [file],
      created: '2026-01-01T00:00:00Z',
      digest: createHash('sha256').update(archive).digest('hex'),
    }
    entries[chart.name] = [...(entries[chart.name] ?? []), entry]
  }
  if (served.size > 0) {
    const index = { apiVersion: 'v1', entries, generated: '2026-01-01T00:00:00Z' }
    served.set('index.yaml', Buffer.from(JSON.stringify(index, null, 2)))
  }
  return served
}

/** Plain files of a case's `web`: text as it is, everything else as JSON. */
export function webFiles(web: Files): Served {
  return new Map(
    Object.entries(web).map(([path, content]) => [
      path,
      Array.isArray(content) ? Buffer.from(JSON.stringify(content)) : bytesOf(path, web),
    ]),
  )
}
