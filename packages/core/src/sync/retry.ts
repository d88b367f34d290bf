import type { Instant } from '../adapters/index.ts'
import type { RetryStrategy } from '../argo/index.ts'
import { parseDuration } from '../text/index.ts'

const defaultDurationMs = 5_000
const defaultFactor = 2
const defaultMaxMs = 180_000

/** When the next attempt is due, or why that cannot be told. */
export type RetryTime = { readonly at: Instant } | { readonly error: string }

/**
 * `duration × factor^count` after the last attempt, at most `maxDuration` where that is above zero.
 *
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go NextRetryAt
 */
export function nextRetryAt(
  retry: RetryStrategy | undefined,
  last: Instant,
  count: number,
): RetryTime {
  const { duration, factor, maxDuration } = retry?.backoff ?? {}
  const base = readDuration(duration, defaultDurationMs)
  if ('error' in base) return base
  const limit = readDuration(maxDuration, defaultMaxMs)
  if ('error' in limit) return limit
  const wait = base.ms * (factor ?? defaultFactor) ** count
  return { at: last + Math.trunc(limit.ms > 0 ? Math.min(limit.ms, wait) : wait) }
}

/** A bare integer is seconds, anything else a Go duration. */
function readDuration(
  text: string | undefined,
  fallbackMs: number,
): { readonly ms: number } | { readonly error: string } {
  if (text === undefined || text === '') return { ms: fallbackMs }
  if (/^[+-]?\d+$/.test(text)) return { ms: Number(text) * 1_000 }
  const parsed = parseDuration(text)
  return 'ms' in parsed ? parsed : { error: `unable to parse ${text} as a duration` }
}
