import { RenderError } from '../../errors/index.ts'
import { filepathMatch, trimSpace } from '../../text/index.ts'
import { splitDocuments } from './engine/index.ts'

interface Printed {
  readonly path: string
  readonly text: string
}

/** The stream that `helm template` prints: manifests, trimmed as a whole, then hooks as they are. */
export function manifestText(manifests: readonly Printed[], hooks: readonly Printed[]): string {
  const print = ({ path, text }: Printed): string => `---\n# Source: ${path}\n${text}\n`
  return `${trimSpace(manifests.map(print).join(''))}\n${hooks.map(print).join('')}`
}

/**
 * What `--show-only` leaves of the stream: for each pattern the documents whose path below the chart matches.
 *
 * Throws HELM_FAILED when a pattern matches nothing. Source: helm v4.2.1 pkg/cmd/template.go
 */
export function showOnly(text: string, patterns: readonly string[]): string {
  const documents = splitDocuments(text).map((piece) => ({
    text: piece.text,
    path: /# Source: [^/\n]+\/(.+)/.exec(piece.text)?.[1],
  }))
  let out = ''
  for (const pattern of patterns) {
    const found = documents.filter(
      ({ path }) => path !== undefined && filepathMatch(pattern, path) === true,
    )
    if (found.length === 0) {
      throw new RenderError('HELM_FAILED', `could not find template ${pattern} in chart`)
    }
    for (const document of found) out += `---\n${document.text}\n`
  }
  return out
}
