import { getPath, isObject, type Json, type JsonObject } from '../json/index.ts'
import { type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import type { Inventory } from './inventory.ts'

/** A claim of a StatefulSet, known or made up from its template. */
export interface SetClaim {
  readonly claim: Manifest
  readonly path: readonly string[]
}

/** `whenDeleted` or `whenScaled` of a StatefulSet; Retain where it says nothing. */
export function retentionOf(
  set: Manifest,
  when: 'whenDeleted' | 'whenScaled',
): 'Retain' | 'Delete' {
  const policy = getPath(set, 'spec', 'persistentVolumeClaimRetentionPolicy', when)
  return policy === 'Delete' ? 'Delete' : 'Retain'
}

export function hasClaims(set: Manifest): boolean {
  return templatesOf(set).length > 0
}

/** The claims of ordinals from `from` up to, but not with, `to`; known ones beyond that too where `to` is undefined. */
export function claimsOf(
  set: Manifest,
  inventory: Inventory,
  range: { readonly from?: number; readonly to?: number } = {},
): readonly Manifest[] {
  const start = numberOr(getPath(set, 'spec', 'ordinals', 'start'), 0)
  const first = range.from ?? start
  const last = range.to ?? start + numberOr(getPath(set, 'spec', 'replicas'), 1)
  return templatesOf(set).flatMap((template) => {
    const prefix = `${nameOf(template)}-${nameOf(set)}-`
    const known = inventory
      .ofKind('', 'PersistentVolumeClaim')
      .filter((claim) => namespaceOf(claim) === namespaceOf(set))
      .filter((claim) => {
        const ordinal = ordinalOf(nameOf(claim), prefix)
        if (ordinal === undefined || ordinal < first) return false
        return range.to === undefined || ordinal < range.to
      })
    if (known.length > 0 || inventory.isSnapshot) return known
    return Array.from({ length: Math.max(0, Math.min(last - first, maxClaims)) }, (_, i) =>
      fromTemplate(template, set, `${prefix}${first + i}`),
    )
  })
}

const maxClaims = 100

/** Claims of replicas that a StatefulSet will have no more, where it deletes them. */
export function claimsBeyond(
  before: Manifest,
  after: Manifest,
  inventory: Inventory,
): readonly SetClaim[] {
  if (retentionOf(after, 'whenScaled') !== 'Delete') return []
  const start = numberOr(getPath(after, 'spec', 'ordinals', 'start'), 0)
  const replicas = (set: Manifest): number => numberOr(getPath(set, 'spec', 'replicas'), 1)
  const [was, is] = [replicas(before), replicas(after)]
  if (is >= was) return []
  const name = `StatefulSet ${namespaceOf(after)}/${nameOf(after)}`
  return claimsOf(before, inventory, { from: start + is, to: start + was }).map((claim) => ({
    claim,
    path: [`${name} is scaled from ${was} to ${is} replicas`, 'whenScaled is Delete'],
  }))
}

function ordinalOf(name: string, prefix: string): number | undefined {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^\d+$/.test(rest) ? Number(rest) : undefined
}

function templatesOf(set: Manifest): readonly JsonObject[] {
  const templates = getPath(set, 'spec', 'volumeClaimTemplates')
  return Array.isArray(templates) ? templates.filter(isObject) : []
}

function fromTemplate(template: JsonObject, set: Manifest, name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: namespaceOf(set) },
    spec: template['spec'] ?? {},
  }
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : fallback
}
