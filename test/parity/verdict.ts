import { isObject, type Json } from '@litecd/core/json'
import type { ParityCase, RecordedBeat } from '../../packages/core/test/corpus/argocd-cases.ts'
import { compareAnswers, type Difference, splitDetours } from './compare.ts'
import { type KnownDifference, sortOut } from './known.ts'
import type { Failure } from './play.ts'

export type Verdict =
  | { readonly outcome: 'equal'; readonly notes: readonly string[] }
  | { readonly outcome: 'known'; readonly reasons: readonly string[] }
  | { readonly outcome: 'unsupported'; readonly reason: string }
  | { readonly outcome: 'differs'; readonly differences: readonly Difference[] }

/** How litecd says, in a condition, event or message, that a source needs what it cannot do yet: code or words. */
const unsupportedWords = /RENDER_UNSUPPORTED|(?:is|are) not supported yet/

/** The first text at any depth that says so. */
function unsupportedText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return unsupportedWords.test(value) ? value : undefined
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  for (const part of parts) {
    const found = unsupportedText(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** What the controller's own answer says that it cannot do yet; never a list of names. */
export function unsupported(got: readonly RecordedBeat[]): string | undefined {
  const text = unsupportedText(got as unknown as Json)
  if (text === undefined) return undefined
  return (text.split('desc = ').at(-1) ?? text).replaceAll(/\s+/g, ' ').slice(0, 160)
}

/** The note of an equal case whose diffs our side does not show. */
export const notCompared = 'managed not compared'

/** Compares the normalised answer of a run with the recorded one. */
export function judge(
  of: ParityCase,
  got: readonly RecordedBeat[],
  failures: readonly Failure[],
  known: readonly KnownDifference[],
): Verdict {
  const failed = failures.map(({ at, words }) => ({
    path: `(runner).${at}`,
    want: undefined,
    got: words,
  }))
  const differences = [...failed, ...compareAnswers(of.want, got)]
  const { rest, detours } = splitDetours(differences)
  const { open, explained } = sortOut(of.name, rest, known)
  if (open.length === 0) {
    if (explained.length > 0) return { outcome: 'known', reasons: explained }
    const left = of.want.some((beat) => beat['managed'] !== undefined)
    const exposed = got.some((beat) => beat['managed'] !== undefined)
    const notes = [
      ...(left && !exposed ? [notCompared] : []),
      ...(detours.length > 0 ? ['health events by another way'] : []),
    ]
    return { outcome: 'equal', notes }
  }
  const reason = unsupported(got)
  return reason === undefined
    ? { outcome: 'differs', differences: open }
    : { outcome: 'unsupported', reason }
}
