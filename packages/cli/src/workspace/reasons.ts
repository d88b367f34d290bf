import type { RenderOutcome } from '@litecd/core/app'
import { type Application, sourcesOf } from '@litecd/core/argo'
import { changesTouching, type PathChange } from '@litecd/core/files'
import { deepEqual, type Json } from '@litecd/core/json'

/** Whether all that decides about what an Application renders and does is the same. */
export function sameApplication(a: Application, b: Application): boolean {
  return (
    deepEqual(a.spec as unknown as Json, b.spec as unknown as Json) &&
    deepEqual((a.metadata.labels ?? {}) as Json, (b.metadata.labels ?? {}) as Json) &&
    deepEqual((a.metadata.annotations ?? {}) as Json, (b.metadata.annotations ?? {}) as Json) &&
    deepEqual(
      (a.metadata.finalizers ?? []) as unknown as Json,
      (b.metadata.finalizers ?? []) as unknown as Json,
    )
  )
}

/**
 * The changes among `possible` that were part of what a render read. One that failed had its reasons in what it read so
 * far; undefined where that is not all known, as with several sources.
 */
export function touchedBy(
  app: Application,
  outcome: RenderOutcome,
  possible: readonly PathChange[],
): readonly PathChange[] | undefined {
  if ('failure' in outcome) {
    const { reads } = outcome.failure
    if (reads === undefined) return undefined
    const seen = changesTouching(reads, possible)
    return seen.length > 0 || sourcesOf(app.spec).length === 1 ? seen : undefined
  }
  const out = new Set<PathChange>()
  for (const source of outcome.sources) {
    for (const change of changesTouching(source.reads, possible)) out.add(change)
  }
  return [...out]
}

const shownChanges = 3

export function describeChanges(changes: readonly PathChange[]): string {
  const words = { added: 'new', removed: 'gone', modified: 'changed' } as const
  const shown = changes.slice(0, shownChanges).map(({ path, change }) => `${path} ${words[change]}`)
  const rest = changes.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
