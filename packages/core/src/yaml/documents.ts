import { trimSpace } from '../text/index.ts'

/** A piece of a stream of documents, before anyone has read it as YAML. */
export interface YamlPiece {
  /** The lines of the piece, each ended by a line feed. A `---` that opens the stream is part of its first piece. */
  readonly text: string
  /** Where the piece begins in the stream, in UTF-16 units. */
  readonly offset: number
  /** The line of the stream where the piece begins, from 1. */
  readonly line: number
  /**
   * What stands behind the `---` that ends the piece, when that is neither blank nor a comment. Kubernetes refuses to
   * read such a piece: `invalid Yaml document separator: ` and this text.
   */
  readonly badSeparator?: string
}

const separator = '---'
/**
 * Cuts a stream at every line that starts with `---`, as Kubernetes does before it parses: inside a block scalar too.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/util/yaml/decoder.go `YAMLReader`
 */
export function* splitYamlDocuments(text: string): Generator<YamlPiece> {
  let start = 0
  let startLine = 1
  let line = 1
  for (let at = 0; at < text.length; line++) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed + 1
    if (text.startsWith(separator, at)) {
      const rest = trimSpace(text.slice(at + separator.length, end))
      const bad = rest !== '' && !rest.startsWith('#')
      if (bad || at > start) {
        const piece = { text: linesOf(text, start, at), offset: start, line: startLine }
        yield bad ? { ...piece, badSeparator: rest } : piece
        start = end
        startLine = line + 1
      }
    }
    at = end
  }
  if (start < text.length) {
    yield { text: linesOf(text, start, text.length), offset: start, line: startLine }
  }
}

function linesOf(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  const lines = part.includes('\r\n') ? part.replaceAll('\r\n', '\n') : part
  return lines === '' || lines.endsWith('\n') ? lines : lines + '\n'
}
