import type { Json } from '../../json/index.ts'

/**
 * How many Applications of a step may be under way at once; undefined for any number. A percentage of `total` is rounded
 * down, but is at least 1 unless it is written `0%`. A text that is no percentage counts as 1.
 *
 * Source: argo-cd v3.5.1 applicationset/progressivesync/progressive_sync.go UpdateApplicationSetApplicationStatusProgress,
 * k8s.io/apimachinery v0.36 pkg/util/intstr GetScaledValueFromIntOrPercent
 */
export function maxUpdateOf(maxUpdate: Json | undefined, total: number): number | undefined {
  if (maxUpdate === undefined || maxUpdate === null) return undefined
  if (typeof maxUpdate === 'number' || typeof maxUpdate === 'bigint') return Number(maxUpdate)
  if (typeof maxUpdate !== 'string') return 0
  const percent = /^([+-]?\d+)%$/.exec(maxUpdate)?.[1]
  const value = percent === undefined ? 0 : Math.floor((Number(percent) * total) / 100)
  return maxUpdate !== '0%' && value < 1 ? 1 : value
}
