import { isObject, type Json, type JsonObject } from '../json/index.ts'
import type { GeneratorItem } from './types.ts'

const providerMs = 30 * 60_000

/**
 * After how many milliseconds generators want to be asked again, the least of them; 0 when none does. `pollMs` is for
 * git and cluster decisions that say nothing else.
 *
 * Source: argo-cd v3.5.1 applicationset/generators, GetRequeueAfter
 */
export function requeueAfter(generators: readonly GeneratorItem[], pollMs: number): number {
  const wanted = generators.flatMap((item) =>
    Object.entries(item).map(([kind, spec]) => (isObject(spec) ? waitOf(kind, spec, pollMs) : 0)),
  )
  return leastOf(wanted)
}

function waitOf(kind: string, spec: JsonObject, pollMs: number): number {
  switch (kind) {
    case 'git':
    case 'clusterDecisionResource':
      return own(spec['requeueAfterSeconds']) ?? pollMs
    case 'scmProvider':
    case 'pullRequest':
    case 'plugin':
      return own(spec['requeueAfterSeconds']) ?? providerMs
    case 'matrix':
    case 'merge': {
      const { generators } = spec
      return Array.isArray(generators)
        ? requeueAfter(generators.filter(isObject) as readonly GeneratorItem[], pollMs)
        : 0
    }
    default:
      return 0
  }
}

function own(seconds: Json | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

function leastOf(waits: readonly number[]): number {
  const real = waits.filter((ms) => ms > 0)
  return real.length === 0 ? 0 : Math.min(...real)
}

/** True when clusters, of this set or of a generator inside another, decide what it generates. */
export function asksForClusters(generators: readonly GeneratorItem[]): boolean {
  return generators.some(
    (item) =>
      ['matrix', 'merge'].some((kind) => {
        const inner = item[kind]
        const children = isObject(inner) ? inner['generators'] : undefined
        return (
          Array.isArray(children) && asksForClusters(children.filter(isObject) as GeneratorItem[])
        )
      }) || isObject(item['clusters']),
  )
}
