import { type LitecdError, type Position, RenderError } from '../../../errors/index.ts'
import type { JsonObject } from '../../../json/index.ts'
import { TemplateError, type TemplateFrame } from '../../../lang/gotemplate/index.ts'
import { trimSpace } from '../../../text/index.ts'
import { failEnd, failStart } from '../functions/index.ts'

/** The name of the set of templates; errors in the text of a `tpl` bear it in place of a file. */
export const setName = 'gotpl'

/**
 * A parse error as Helm shows it: everything before the last `: ` is cut off, whatever it was.
 *
 * Source: helm v4.2.1 pkg/engine/engine.go cleanupParseError
 */
export function parseFailure(error: TemplateError, chart: string): RenderError {
  const tokens = error.message.split(': ')
  const message = `parse error at (${tokens[1] ?? ''}): ${tokens.at(-1)}`
  return new RenderError('TEMPLATE_PARSE', message, {
    position: error.position,
    data: { chart },
    cause: error,
  })
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

/** A budget that ran out, with the file that was being rendered. */
export function budgetFailure(error: LitecdError, path: string, chart: string): RenderError {
  return new RenderError('BUDGET_EXCEEDED', error.message, {
    position: error.position ?? { path },
    data: { chart },
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

/** The deepest place that lies in a file of the chart: the text of a `tpl` is no file. */
function innermost(error: TemplateError): Position | undefined {
  const frame = frames(error).findLast(({ file }) => file !== setName)
  return frame === undefined ? undefined : positionOf(frame)
}

function positionOf({ file, line, character }: TemplateFrame): Required<Position> {
  return { path: file, line, column: character }
}

/**
 * Facts for machines: the chart, the include stack, outermost first, and the path of the value that was nil. No values
 * and no literals of templates.
 */
function frameData(error: TemplateError, chart: string): JsonObject {
  const stack = frames(error)
  const last = stack.at(-1)
  const nil = last === undefined ? undefined : (last.nil ?? requiredPath(last))
  return {
    chart,
    stack: stack.map((frame) => ({ template: frame.template, ...positionOf(frame) })),
    ...(nil === undefined ? {} : { nil }),
  }
}

/** What `required` was given, where the template says it as a path. */
function requiredPath({ node, message }: TemplateFrame): string | undefined {
  if (!message.startsWith('error calling required: ')) return undefined
  return /^required .* ((?:\$\w*)?(?:\.\w+)+)$/s.exec(node)?.[1]
}
