import { RenderError } from '../../errors/index.ts'

/** Where a template failed; a frame of the include stack. */
export interface TemplateFrame {
  /** The template that was executing: a file or a define. */
  readonly template: string
  /** The file whose text holds the node. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Bytes from the start of the line, counted from 0, as Go prints it. */
  readonly column: number
  /** The same place as editors count it: UTF-16 units, from 1. */
  readonly character: number
  /** The value that was nil as the template spells it, such as `.Values.image`, when that was the trouble. */
  readonly nil: string | undefined
  /** The node printed back. */
  readonly node: string
  /** The message without its location. */
  readonly message: string
}

/** A text/template error: `template: FILE:LINE:COL: executing "NAME" at <NODE>: MESSAGE`, or a parse error. */
export class TemplateError extends RenderError {
  readonly frame: TemplateFrame | undefined

  constructor(
    code: 'TEMPLATE_PARSE' | 'TEMPLATE_EXEC',
    message: string,
    options: {
      readonly frame?: TemplateFrame
      readonly line?: number
      readonly file?: string
      readonly cause?: unknown
    },
  ) {
    const { frame, cause } = options
    const path = frame?.file ?? options.file ?? ''
    const line = frame?.line ?? options.line
    super(code, message, {
      position: {
        path,
        ...(line === undefined ? {} : { line }),
        ...(frame === undefined ? {} : { column: frame.character }),
      },
      ...(cause === undefined ? {} : { cause }),
    })
    this.frame = frame
  }
}

/** An error that a function returned, or a panic that the engine recovered. */
export class FunctionFailure extends RenderError {
  constructor(message: string, cause?: unknown) {
    super('TEMPLATE_EXEC', message, cause === undefined ? {} : { cause })
  }
}

/** A budget of the run is used up; never wrapped, never recovered. */
export class BudgetError extends RenderError {
  constructor(message: string) {
    super('BUDGET_EXCEEDED', message)
  }
}

/**
 * The host ran out of stack, which is a budget too. Asked with little stack left, so nothing here may need much; V8 says
 * so with a SyntaxError when a regular expression was the last straw.
 */
export function isStackOverflow(error: unknown): boolean {
  if (error instanceof RangeError) {
    return error.message.includes('call stack') || error.message.includes('recursion')
  }
  return error instanceof SyntaxError && error.message.endsWith('Stack overflow')
}

/** The host's own limits: a call stack, a string or an array that cannot grow further. */
export function hostLimit(error: unknown): BudgetError | undefined {
  if (isStackOverflow(error)) {
    return new BudgetError(
      'template budget exceeded: templates nested deeper than the stack of the host allows',
    )
  }
  return error instanceof RangeError
    ? new BudgetError(`template budget exceeded: ${error.message}`)
    : undefined
}
