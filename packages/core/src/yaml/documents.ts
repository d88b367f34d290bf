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
  let counted = 0
  for (let at = separatorFrom(text, 0); at !== -1; ) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed + 1
    const rest = trimSpace(text.slice(at + separator.length, end))
    const bad = rest !== '' && !rest.startsWith('#')
    if (bad || at > start) {
      const piece = { text: linesOf(text, start, at), offset: start, line: startLine }
      yield bad ? { ...piece, badSeparator: rest } : piece
      line += countLines(text, counted, at)
      counted = at
      start = end
      startLine = line + 1
    }
    at = separatorFrom(text, end)
  }
  if (start < text.length) {
    yield { text: linesOf(text, start, text.length), offset: start, line: startLine }
  }
}

/** The first line from the start of a line on that begins with a separator, -1 when there is none. */
function separatorFrom(text: string, lineStart: number): number {
  if (text.startsWith(separator, lineStart)) return lineStart
  const feed = text.indexOf('\n' + separator, lineStart)
  return feed === -1 ? -1 : feed + 1
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines++
  }
  return lines
}

function linesOf(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  const lines = part.includes('\r\n') ? part.replaceAll('\r\n', '\n') : part
  return lines === '' || lines.endsWith('\n') ? lines : lines + '\n'
}
