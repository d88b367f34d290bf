import { isObject, type Json } from '../json/index.ts'

/**
 * Whether labels fit a metav1.LabelSelector: all of `matchLabels` and all of `matchExpressions`. An empty selector fits
 * everything; undefined where it is none.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/apis/meta/v1 LabelSelectorAsSelector
 */
export function fitsSelector(
  selector: Json | undefined,
  labels: { readonly [key: string]: string },
): boolean | undefined {
  if (!isObject(selector)) return undefined
  const { matchLabels, matchExpressions } = selector
  if (isObject(matchLabels)) {
    for (const [key, value] of Object.entries(matchLabels)) if (labels[key] !== value) return false
  }
  if (!Array.isArray(matchExpressions)) return true
  for (const item of matchExpressions) {
    if (!isObject(item) || typeof item['key'] !== 'string') return undefined
    const fits = fitsExpression(item['operator'], item['values'], labels[item['key']])
    if (fits !== true) return fits
  }
  return true
}

function fitsExpression(
  operator: Json | undefined,
  values: Json | undefined,
  value: string | undefined,
): boolean | undefined {
  const list: readonly Json[] = Array.isArray(values) ? values : []
  switch (operator) {
    case 'In':
      return list.length === 0 ? undefined : value !== undefined && list.includes(value)
    case 'NotIn':
      return list.length === 0 ? undefined : value === undefined || !list.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return undefined
  }
}
