import { type Position, RenderError } from '../errors/index.ts'

/** Where an error is reported: what every reader of this room accepts. */
export interface SourceOptions {
  /** The user's file, for positions in errors. */
  readonly path?: string | undefined
  /** The line of that file where the text begins, 1 if not given. Go's own messages never count the lines before. */
  readonly line?: number | undefined
  /** Put before the message, for instance {@link convertPrefix}. */
  readonly prefix?: string | undefined
}

/** What sigs.k8s.io/yaml puts before an error of reading, as opposed to an error of decoding. */
export const convertPrefix = 'error converting YAML to JSON: '

/** The dialect of go-yaml: v2 for sigs.k8s.io/yaml, Helm and Argo CD, v3 for Kustomize. */
export type YamlDialect = 'v2' | 'v3'

/** A place in a text: all three count from 0, columns in UTF-16 units. */
export interface Mark {
  readonly offset: number
  readonly line: number
  readonly column: number
}

export function yamlError(
  options: SourceOptions,
  message: string,
  at?: { readonly line: number; readonly column?: number },
): RenderError {
  return new RenderError('YAML_INVALID', (options.prefix ?? '') + message, {
    position: positionOf(options, at),
  })
}

export function budgetError(options: SourceOptions, message: string, at?: Mark): RenderError {
  return new RenderError('BUDGET_EXCEEDED', (options.prefix ?? '') + message, {
    position: positionOf(options, at),
  })
}

function positionOf(
  options: SourceOptions,
  at: { readonly line: number; readonly column?: number } | undefined,
): Position | undefined {
  if (at === undefined) return options.path === undefined ? undefined : { path: options.path }
  const line = at.line + (options.line ?? 1)
  const column = at.column === undefined ? {} : { column: at.column + 1 }
  return { path: options.path ?? '', line, ...column }
}

/**
 * A syntax error in Go's words.
 *
 * The line in the text is go-yaml's, which is off by one for errors of the parser, absent on the first line, and taken
 * from the start of the construct in v3. The position of the error is the true one.
 *
 * Source: go.yaml.in/yaml v2.4.3 and v3.0.4 decode.go, `fail`.
 */
export function syntaxError(
  options: SourceOptions,
  dialect: YamlDialect,
  from: 'scanner' | 'parser',
  problem: string,
  at: Mark,
  context: Mark | undefined,
): RenderError {
  const first = dialect === 'v2' ? at.line : (context?.line ?? 0)
  const second = dialect === 'v2' ? (context?.line ?? 0) : at.line
  let line = first
  if (first !== 0) line += from === 'scanner' ? 1 : 0
  else if (second !== 0) line = second + (from === 'scanner' && dialect === 'v3' ? 1 : 0)
  return yamlError(options, `yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`, at)
}
