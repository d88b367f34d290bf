import { existsSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import type { Difference } from './compare.ts'

/** A fault or an accident of Argo CD that we do not imitate. */
export interface KnownDifference {
  /** `AREA/NAME` */
  readonly case: string
  /** Paths of differences; `*` stands for any text. */
  readonly paths: readonly string[]
  readonly reason: string
}

/** Reads corpus/argocd-known-differences.yaml. An entry without a reason or a path is an Error. */
export function readKnown(path: string): readonly KnownDifference[] {
  if (!existsSync(path)) return []
  const list = (load(readFileSync(path, 'utf8')) ?? []) as readonly KnownDifference[]
  for (const entry of list) {
    if (!entry.case || !entry.reason || !Array.isArray(entry.paths) || entry.paths.length === 0) {
      throw new Error(`${path}: each entry needs case, paths and reason: ${JSON.stringify(entry)}`)
    }
  }
  return list
}

/** True when the whole text fits a pattern in which `*` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(`^${source}$`).test(text)
}

/** Splits differences into those that the table explains and those that it does not. */
export function sortOut(
  name: string,
  differences: readonly Difference[],
  known: readonly KnownDifference[],
): { readonly open: readonly Difference[]; readonly explained: readonly string[] } {
  const entries = known.filter((entry) => entry.case === name)
  const reasons = new Set<string>()
  const open = differences.filter((difference) => {
    const entry = entries.find((one) => one.paths.some((path) => fits(path, difference.path)))
    if (entry === undefined) return true
    reasons.add(entry.reason)
    return false
  })
  return { open, explained: [...reasons] }
}
