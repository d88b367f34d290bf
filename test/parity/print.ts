import { canonicalJson, type Json } from '@litecd/core/json'
import type { Difference } from './compare.ts'
import { notCompared, type Verdict } from './verdict.ts'

const words: { readonly [outcome in Verdict['outcome']]: string } = {
  equal: 'equal  ',
  known: 'known  ',
  unsupported: 'not yet',
  differs: 'DIFFERS',
}

function side(value: Json | undefined, width: number): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return text.length > width ? `${text.slice(0, width)}… (${text.length})` : text
}

/** `path`, then one line for each side; short values stand on one line. */
export function printDifference(difference: Difference, width: number): string {
  const want = side(difference.want, width)
  const got = side(difference.got, width)
  const one = `    ${difference.path}: want ${want}, got ${got}`
  if (one.length <= 120) return one
  return `    ${difference.path}\n      want ${want}\n      got  ${got}`
}

/** The line of a case, and under it what differs: ten differences, or all. */
export function printCase(
  name: string,
  verdict: Verdict,
  seconds: number,
  verbose: boolean,
  notes: readonly string[] = [],
): string {
  const more = [...(verdict.outcome === 'equal' ? verdict.notes : []), ...notes]
  const beside =
    verdict.outcome === 'unsupported'
      ? `: ${verdict.reason}`
      : verdict.outcome === 'known'
        ? `: ${verdict.reasons.join('; ')}`
        : verdict.outcome === 'differs'
          ? ` in ${verdict.differences.length}`
          : ''
  const aside = more.length > 0 ? ` (${more.join('; ')})` : ''
  const lines = [`${words[verdict.outcome]} ${name}${beside}  ${seconds.toFixed(0)} s${aside}`]
  if (verdict.outcome === 'differs') {
    const shown = verbose ? verdict.differences : verdict.differences.slice(0, 10)
    lines.push(...shown.map((one) => printDifference(one, verbose ? 4000 : 240)))
    const rest = verdict.differences.length - shown.length
    if (rest > 0) lines.push(`    … and ${rest} more (-v shows all)`)
  }
  return lines.join('\n')
}

/** `N equal, N differ, N not supported yet`, and what was not compared. */
export function printTotal(verdicts: readonly Verdict[]): string {
  const count = (outcome: Verdict['outcome']): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  const half = verdicts.filter(
    (one) => one.outcome === 'equal' && one.notes.includes(notCompared),
  ).length
  return [
    `${count('equal')} equal, ${count('differs')} differ, ${count('unsupported')} not supported yet`,
    ...(count('known') > 0 ? [`, ${count('known')} differ for a known reason`] : []),
    ...(half > 0 ? [` (managed resources of ${half} equal ones not compared)`] : []),
  ].join('')
}
