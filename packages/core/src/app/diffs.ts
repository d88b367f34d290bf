import type { Application, Settings } from '../argo/index.ts'
import { compileDiffRules, diffPairs } from '../diff/index.ts'
import type { Pair } from './compare.ts'

/**
 * For each pair whether target and live differ.
 *
 * Throws CompareError where a single pair cannot be compared: Argo CD then compares none.
 */
export function diffResources(
  pairs: readonly Pair[],
  app: Application,
  settings: Settings,
): readonly boolean[] {
  const rules = compileDiffRules(app, settings)
  return diffPairs(pairs, rules).map(({ modified }) => modified)
}
