import { fail } from './fail.ts'
import { gvkSortText, gvkText, kindRanks, type ResId } from './id.ts'
import type { SortOptions } from './kustomization.ts'
import type { Resource } from './resource.ts'

/**
 * The objects in the order in which they are written.
 *
 * Source: kustomize v5.8.1 api/internal/builtins/SortOrderTransformer.go
 */
export function orderObjects(list: readonly Resource[], options: SortOptions): Resource[] {
  const { order, legacySortOptions: legacy } = options
  if (order !== 'fifo' && order !== 'legacy') {
    fail("the field 'sortOptions.order' must be one of [fifo, legacy]")
  }
  if (order === 'fifo') {
    if (legacy !== undefined) {
      fail(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
      )
    }
    return [...list]
  }
  const ranks =
    legacy === undefined ? kindRanks() : kindRanks(legacy.orderFirst ?? [], legacy.orderLast ?? [])
  const keyed = list.map((resource) => {
    const { id } = resource
    return {
      resource,
      id,
      rank: ranks.get(id.kind) ?? 0,
      gvk: gvkSortText(id),
      text: idSortText(id),
    }
  })
  keyed.sort((a, b) => {
    if (a.gvk !== b.gvk) {
      if (a.rank !== b.rank) return a.rank - b.rank
      const less = a.gvk < b.gvk ? -1 : 1
      const namespaces = a.id.kind === 'Namespace' && b.id.kind === 'Namespace'
      return namespaces && (a.id.group === '' || b.id.group === '') ? -less : less
    }
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0
  })
  return keyed.map(({ resource }) => resource)
}

function idSortText(id: ResId): string {
  return `${gvkText(id)}|${id.namespace || '~X'}|${id.name || '~N'}`
}
