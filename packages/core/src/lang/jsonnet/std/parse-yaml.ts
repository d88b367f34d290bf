import { isLitecdError } from '../../../errors/index.ts'
import type { Json } from '../../../json/index.ts'
import { convertPrefix, parseYaml } from '../../../yaml/index.ts'
import { fail } from '../machine.ts'
import type { Caller } from '../site.ts'

/**
 * std.parseYaml: the value of the only document, or an array of documents where a `---` line separates or opens them;
 * null where there is nothing.
 *
 * Source: go-jsonnet 0.22 yaml.go
 */
export function parseYamlText(text: string, caller: Caller): Json {
  const { pieces, stream } = cut(text)
  const documents: Json[] = []
  for (const piece of pieces) {
    try {
      documents.push(parseYaml(piece, { prefix: convertPrefix }))
    } catch (error) {
      if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
      fail(`failed to parse YAML: ${error.message}`, caller)
    }
  }
  if (documents.length === 0) return null
  return stream ? documents : documents[0]!
}

/** Documents begin at lines that are `---` alone or `---` and a blank; the line belongs to what follows. */
function cut(text: string): { readonly pieces: readonly string[]; readonly stream: boolean } {
  const pieces: string[] = []
  let piece = ''
  let stream = false
  for (const line of text.split(/\r?\n/)) {
    if (/^---($|[ \t])/.test(line)) {
      stream = true
      if (piece !== '') {
        pieces.push(piece)
        piece = ''
      }
    }
    piece += line + '\n'
  }
  // the original reads lines, and the last one is empty where the text ends with a line feed
  if (piece !== '') pieces.push(piece)
  return { pieces, stream }
}
