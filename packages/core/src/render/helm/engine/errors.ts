import { type LitecdError, RenderError } from '../../../errors/index.ts'
import type { JsonObject } from '../../../json/index.ts'
import { TemplateError, type TemplateFrame } from '../../../lang/gotemplate/index.ts'
import { trimSpace } from '../../../text/index.ts'
import { failEnd, failStart } from '../functions/index.ts'

/**
 * A parse error as Helm shows it: everything before the last `: ` is cut off, whatever it was.
 *
 * Source: helm v4.2.1 pkg/engine/engine.go cleanupParseError
 */
export function parseFailure(error: TemplateError): RenderError {
  const tokens = error.message.split(': ')
  const message = `parse error at (${tokens[1] ?? ''}): ${tokens.at(-1)}`
  return new RenderError('TEMPLATE_PARSE', message, { position: error.position, cause: error })
}

/**
 * An error of execution as Helm 4 shows it: the text of `fail` and `required` alone, a list of frames where every
 * error in the chain is the engine's own, and Go's one line otherwise.
 *
 * Source: helm v4.2.1 pkg/engine/engine.go reformatExecErrorMsg
 */
export function executionFailure(error: TemplateError, chart: string): RenderError {
  return new RenderError('TEMPLATE_EXEC', executionText(error), {
    position: innermost(error) ?? error.position,
    data: frameData(error, chart),
    cause: error,
  })
}

function executionText(error: TemplateError): string {
  const { message } = error
  const [, location = ''] = message.split(': ', 2)
  const rest = message.slice(message.indexOf(': ', message.indexOf(': ') + 2) + 2)
  const start = rest.indexOf(failStart)
  const end = rest.lastIndexOf(failEnd)
  if (start !== -1 && end > start) {
    return `execution error at (${location}): ${rest.slice(start + failStart.length, end)}`
  }
  const blocks: string[] = []
  for (const text of chainTexts(error)) {
    const block = traceBlock(text)
    if (block === undefined) return message
    if (blocks.at(-1) !== block) blocks.push(block)
  }
  return trimSpace(blocks.join(''))
}

/**
 * The message of what `renderChart` throws, with the advice that Helm adds to whatever goes wrong once the values are
 * known.
 *
 * Source: helm v4.2.1 pkg/cmd/template.go
 */
export function renderErrorText(error: LitecdError): string {
  const isAdvised =
    error.code === 'TEMPLATE_PARSE' ||
    error.code === 'TEMPLATE_EXEC' ||
    /^(YAML parse error on|chart requires kubeVersion)/.test(error.message)
  const advice = '\n\nUse --debug flag to render out invalid YAML'
  return isAdvised ? error.message + advice : error.message
}

/** The texts of an error and of what caused it. */
function chainTexts(error: TemplateError): readonly string[] {
  const texts: string[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    texts.push(current.message)
  }
  return texts
}

/** One error of the chain, taken apart by its text as Helm does; undefined when it is not the engine's. */
function traceBlock(text: string): string | undefined {
  const prefix = 'template: '
  if (!text.startsWith(prefix)) return undefined
  const rest = text.slice(prefix.length)
  if (rest.startsWith('no template ')) return `${text}\n`
  const executing = rest.indexOf(': executing ')
  if (executing !== -1) {
    const block = executingBlock(rest.slice(0, executing), rest.slice(executing + 12))
    if (block !== undefined) return block
  }
  const last = rest.lastIndexOf(': ')
  if (last === -1) return undefined
  return blockOf(rest.slice(0, last), '', cutNested(rest.slice(last + 2)))
}

function executingBlock(location: string, after: string): string | undefined {
  if (!after.startsWith('"')) return undefined
  const quote = after.indexOf('"', 1)
  if (quote === -1) return undefined
  const name = after.slice(1, quote)
  const tail = after.slice(quote + 1)
  if (!tail.startsWith(' at <')) return undefined
  const node = tail.slice(' at <'.length)
  const close = node.indexOf('>: ')
  if (close === -1) return undefined
  const where = `executing "${name}" at <${node.slice(0, close)}>:`
  return blockOf(location, where, cutNested(node.slice(close + 3)))
}

function cutNested(message: string): string {
  const nested = message.indexOf(' template:')
  return nested === -1 ? message : message.slice(0, nested)
}

function blockOf(location: string, where: string, message: string): string {
  return (
    (location === '' ? '' : `${location}\n  `) +
    (where === '' ? '' : `${where}\n    `) +
    (message === '' ? '' : `${message}\n`)
  )
}

function frames(error: TemplateError): readonly TemplateFrame[] {
  const out: TemplateFrame[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof TemplateError && current.frame !== undefined) out.push(current.frame)
  }
  return out
}

function innermost(
  error: TemplateError,
): { path: string; line: number; column: number } | undefined {
  const frame = frames(error).at(-1)
  return frame === undefined
    ? undefined
    : { path: frame.file, line: frame.line, column: frame.column + 1 }
}

/** Facts for machines: the include stack, outermost first, and the path of the value that was nil. */
function frameData(error: TemplateError, chart: string): JsonObject {
  const stack = frames(error)
  const last = stack.at(-1)
  const isNil = last?.message.startsWith('nil pointer evaluating') ?? false
  return {
    chart,
    stack: stack.map(({ template, file, line, column, node }) => ({
      template,
      file,
      line,
      column,
      node,
    })),
    ...(isNil ? { nil: last!.node } : {}),
  }
}
