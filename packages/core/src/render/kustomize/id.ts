import { isClusterScoped, kindsOf } from './facts/index.ts'

/** Group, version and kind; empty texts select everything where a Gvk is used to select. */
export interface Gvk {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface ResId extends Gvk {
  readonly name: string
  readonly namespace: string
}

export const noNamespace = '_non_namespaceable_'

export function gvkOf(apiVersion: string, kind: string): Gvk {
  const slash = apiVersion.indexOf('/')
  return slash === -1
    ? { group: '', version: apiVersion, kind }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind }
}

export function apiVersionOf(gvk: Gvk): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
}

export function isSelected(gvk: Gvk, selector: Gvk): boolean {
  if (selector.group !== '' && gvk.group !== selector.group) return false
  if (selector.version !== '' && gvk.version !== selector.version) return false
  return selector.kind === '' || gvk.kind === selector.kind
}

export function isCluster(gvk: Gvk): boolean {
  return isClusterScoped(apiVersionOf(gvk), gvk.kind)
}

/** The namespace that counts for identity. */
export function effectiveNamespace(id: ResId): string {
  if (isCluster(id)) return noNamespace
  return id.namespace === '' ? 'default' : id.namespace
}

/** Equal exactly for ids that kustomize takes for the same. */
export function idKey(id: ResId): string {
  return `${id.group}|${id.version}|${id.kind}|${id.name}|${effectiveNamespace(id)}`
}

export function gvkText(gvk: Gvk): string {
  return `${gvk.kind || '[noKind]'}.${gvk.version || '[noVer]'}.${gvk.group || '[noGrp]'}`
}

export function idText(id: ResId): string {
  return `${gvkText(id)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`
}

/** The rank of kinds in the legacy order. */
export function kindRanks(
  first: readonly string[] = kindsOf('first'),
  last: readonly string[] = kindsOf('last'),
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const [i, kind] of first.entries()) ranks.set(kind, i - first.length)
  for (const [i, kind] of last.entries()) ranks.set(kind, 1 + i)
  return ranks
}

export function gvkSortText(gvk: Gvk): string {
  return `${gvk.group || '~G'}_${gvk.version || '~V'}_${gvk.kind || '~K'}`
}

const ranks = kindRanks()

export function compareGvk(a: Gvk, b: Gvk): number {
  const rank = (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0)
  if (rank !== 0) return rank
  const x = gvkSortText(a)
  const y = gvkSortText(b)
  return x < y ? -1 : x > y ? 1 : 0
}
