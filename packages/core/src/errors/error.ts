import type { Json } from '../json/index.ts'
import type { ErrorCode } from './codes.ts'

/** A place in a user's file. Lines and columns count from 1; columns count UTF-16 units. */
export interface Position {
  readonly path: string
  readonly line?: number
  readonly column?: number
}

export interface LitecdErrorOptions {
  readonly position?: Position | undefined
  readonly retryable?: boolean | undefined
  /** What to do about it, one sentence for the user. */
  readonly hint?: string | undefined
  /** Facts for machines. Secrets must be masked before they come here. */
  readonly data?: { readonly [key: string]: Json } | undefined
  readonly cause?: unknown
}

/**
 * The only error that core throws. Branch on the class, on `code` or on `retryable`, never on `message`: messages are
 * for people, and those that Argo CD shows are matched to the letter.
 */
export abstract class LitecdError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly position: Position | undefined
  readonly hint: string | undefined
  readonly data: { readonly [key: string]: Json }

  constructor(code: ErrorCode, message: string, options: LitecdErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.position = options.position
    this.hint = options.hint
    this.data = options.data ?? {}
  }

  toJSON(): { readonly [key: string]: Json } {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      ...(this.position === undefined ? {} : { position: { ...this.position } as never }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(Object.keys(this.data).length === 0 ? {} : { data: this.data }),
      retryable: this.retryable,
    }
  }
}

/** An Application, AppProject or ApplicationSet is wrong. Becomes InvalidSpecError. */
export class SpecError extends LitecdError {
  override readonly name = 'SpecError'
}

/** A source was not found, not reachable, refused, or its revision is unknown. Becomes ComparisonError. */
export class SourceError extends LitecdError {
  override readonly name = 'SourceError'
}

/** A template, values, kustomization, Jsonnet or YAML file is wrong. Becomes ComparisonError. */
export class RenderError extends LitecdError {
  override readonly name = 'RenderError'
}

/** A jq expression, JSON pointer, Lua check or schema is wrong. Becomes ComparisonError. */
export class CompareError extends LitecdError {
  override readonly name = 'CompareError'
}

/** The project does not allow it. Becomes InvalidSpecError, or a failed sync result. */
export class PermissionError extends LitecdError {
  override readonly name = 'PermissionError'
}

/** The API server said no: `reason` and `status` are its own. Becomes SyncError, or a failed sync result. */
export class ClusterError extends LitecdError {
  override readonly name = 'ClusterError'
  /** HTTP status code, 0 when there was no answer. */
  readonly status: number
  /** metav1.Status reason, such as `NotFound` or `Conflict`; empty when there was none. */
  readonly reason: string

  constructor(
    code: ErrorCode,
    message: string,
    options: LitecdErrorOptions & { readonly status?: number; readonly reason?: string } = {},
  ) {
    super(code, message, options)
    this.status = options.status ?? 0
    this.reason = options.reason ?? ''
  }
}

/** Ours: a broken invariant. The message says what was expected. Becomes UnknownError. */
export class InternalError extends LitecdError {
  override readonly name = 'InternalError'
  constructor(message: string, options: LitecdErrorOptions = {}) {
    super('INTERNAL', message, options)
  }
}

export function isLitecdError(error: unknown): error is LitecdError {
  return error instanceof LitecdError
}
