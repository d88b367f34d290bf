import { type ErrorCode, SourceError } from '@litecd/core/errors'
import { HttpError } from './http/index.ts'

/** The code of an answer that is no success. */
export function codeOfStatus(status: number): {
  readonly code: ErrorCode
  readonly retryable: boolean
} {
  if (status === 401 || status === 403) return { code: 'SOURCE_REFUSED', retryable: false }
  if (status === 404 || status === 410) return { code: 'SOURCE_NOT_FOUND', retryable: false }
  if (status >= 500 || status === 429 || status === 408)
    return { code: 'SOURCE_UNREACHABLE', retryable: true }
  return { code: 'SOURCE_REFUSED', retryable: false }
}

/** Rethrows a failed exchange as SourceError, with what it was for before it. */
export function exchangeError(error: unknown, prefix: string): SourceError {
  if (error instanceof SourceError) return reworded(error, prefix)
  if (!(error instanceof HttpError)) throw error
  const own =
    error.kind === 'too-large'
      ? 'BUDGET_EXCEEDED'
      : error.kind === 'scheme'
        ? 'SOURCE_REFUSED'
        : 'SOURCE_UNREACHABLE'
  return new SourceError(own, prefix + error.message, {
    retryable: own === 'SOURCE_UNREACHABLE' && error.kind !== 'redirects',
    cause: error,
  })
}

/** The same error with words before its own. */
export function reworded(error: SourceError, prefix: string): SourceError {
  return new SourceError(error.code, prefix + error.message, {
    retryable: error.retryable,
    hint: error.hint,
    data: error.data,
    cause: error,
  })
}

/**
 * The same error with where it happened, for those who say it in other words: `stage` and `reason` (what helm itself
 * would say), see SourceFetcher.
 */
export function staged(
  error: SourceError,
  stage: 'index' | 'name' | 'chart' | 'version' | 'tags' | 'archive',
  reason: string,
  more: { readonly [key: string]: string } = {},
): SourceError {
  return new SourceError(error.code, error.message, {
    retryable: error.retryable,
    hint: error.hint,
    data: { ...error.data, stage, reason, ...more },
    cause: error.cause ?? error,
  })
}
