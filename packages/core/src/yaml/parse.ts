import type { Json } from '../json/index.ts'
import { Composer } from './compose.ts'
import { type DecodeOptions, decodeV2 } from './decode.ts'
import { decodeYamlNode } from './decode-v3.ts'
import { parseFast, unsure, type WantedKeys } from './fast.ts'
import type { YamlNode } from './node.ts'
import type { SourceOptions, YamlDialect } from './problem.ts'

export interface ParseOptions extends DecodeOptions {
  /** v2 if not given. `strict` and `numbers` count in v2 only: v3 refuses double keys and keeps integers. */
  readonly dialect?: YamlDialect | undefined
  /** What of the value {@link parseYaml} must give; what is not wanted is checked all the same, and may be left out. */
  readonly wanted?: WantedKeys | undefined
}

/**
 * The first document of a text as JSON; null for an empty one. What follows the document is not looked at.
 *
 * Errors: RenderError YAML_INVALID with Go's message (`yaml: line 3: did not find expected key`), BUDGET_EXCEEDED when
 * it nests deeper than 500 levels.
 *
 * Source: sigs.k8s.io/yaml v1.6.0 `YAMLToJSON`, which is how Argo CD, Helm and the API machinery read YAML
 */
export function parseYaml(text: string, options: ParseOptions = {}): Json {
  const dialect = options.dialect ?? 'v2'
  if (dialect === 'v2' && !options.scalarsAsText) {
    const value = parseFast(text, options.strict ?? false, options.wanted)
    if (value !== unsure) return value
  }
  const document = new Composer(text, dialect, options).next()
  if (document === undefined) return null
  return dialect === 'v2' ? decodeV2(document, options) : decodeYamlNode(document, options)
}

/** One document of a stream. */
export interface ParsedDocument {
  readonly value: Json
  /** The line where the document begins (its `---`, or its first content), from 1. */
  readonly line: number
}

/** All documents of a stream, as YAML itself separates them: `---` inside a block scalar that is indented less, `...`. */
export function* parseYamlDocuments(
  text: string,
  options: ParseOptions = {},
): Generator<ParsedDocument> {
  const dialect = options.dialect ?? 'v2'
  const composer = new Composer(text, dialect, options)
  for (;;) {
    const document = composer.next()
    if (document === undefined) return
    const value = dialect === 'v2' ? decodeV2(document, options) : decodeYamlNode(document, options)
    yield { value, line: document.line + (options.line ?? 1) - 1 }
  }
}

/**
 * The documents of a text as nodes of the v3 dialect, with tags, styles, anchors, comments and positions.
 *
 * Errors: as {@link parseYaml}.
 */
export function parseYamlNodes(text: string, options: SourceOptions = {}): YamlNode[] {
  const composer = new Composer(text, 'v3', options)
  const documents: YamlNode[] = []
  for (;;) {
    const document = composer.next()
    if (document === undefined) return documents
    documents.push(document)
  }
}

/** The first document of a text as a node; undefined when there is none. What follows it is not looked at. */
export function parseYamlNode(text: string, options: SourceOptions = {}): YamlNode | undefined {
  return new Composer(text, 'v3', options).next()
}
