import { annotationTrackingId } from '../argo/index.ts'
import { canonicalJson, isObject, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import type { RenderedTarget } from './explain.ts'

/** The suffix that Kustomize makes from the content of ConfigMaps and Secrets. */
const hashSuffix = /-[bcdfghkmt2456789]{10}$/

/** More of one kind than this on a side are not compared with each other. */
const maxOfKind = 100
const enough = 0.6

/**
 * Finds among objects that come those that continue one that goes: the same kind and the same name in another namespace,
 * the same name but for the hash of its content, or mostly the same fields. Each object is used once, the best pairs first.
 */
export function pairRenamed(
  gone: readonly RenderedTarget[],
  come: readonly RenderedTarget[],
): ReadonlyMap<RenderedTarget, RenderedTarget> {
  const candidates: {
    readonly from: RenderedTarget
    readonly to: RenderedTarget
    readonly score: number
  }[] = []
  const goneByKind = Map.groupBy(gone, kindOf)
  for (const [kind, targets] of Map.groupBy(come, kindOf)) {
    const olds = goneByKind.get(kind) ?? []
    const compareFields = olds.length <= maxOfKind && targets.length <= maxOfKind
    const fields = new Map<RenderedTarget, ReadonlySet<string>>()
    const fieldsOf = (target: RenderedTarget): ReadonlySet<string> => {
      const known = fields.get(target) ?? leavesOf(target.manifest)
      fields.set(target, known)
      return known
    }
    for (const to of targets) {
      for (const from of olds) {
        const named = nameScore(from, to)
        const score = named > 0 || !compareFields ? named : similarity(fieldsOf(from), fieldsOf(to))
        if (score >= enough) candidates.push({ from, to, score })
      }
    }
  }
  const out = new Map<RenderedTarget, RenderedTarget>()
  const used = new Set<RenderedTarget>()
  for (const { from, to } of candidates.sort((a, b) => b.score - a.score)) {
    if (out.has(to) || used.has(from)) continue
    out.set(to, from)
    used.add(from)
  }
  return out
}

function kindOf({ key }: RenderedTarget): string {
  return `${key.group}/${key.kind}`
}

function nameScore({ key: from }: RenderedTarget, { key: to }: RenderedTarget): number {
  if (from.name === to.name) return 3
  const stem = from.name.replace(hashSuffix, '')
  const isHashed = stem !== from.name && stem === to.name.replace(hashSuffix, '')
  return isHashed && from.namespace === to.namespace ? 2 : 0
}

/** How much of two sets is in both, from 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  const both = [...a].filter((item) => b.has(item)).length
  return both / (a.size + b.size - both)
}

/** Every field of an object that says more than which object it is. */
function leavesOf(manifest: Manifest): ReadonlySet<string> {
  const out = new Set<string>()
  const collect = (value: Json, path: string): void => {
    if (Array.isArray(value))
      for (const item of value as readonly Json[]) collect(item, `${path}[]`)
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`)
    } else out.add(`${path}=${canonicalJson(value)}`)
  }
  for (const [field, value] of Object.entries(manifest)) {
    if (field === 'apiVersion' || field === 'kind') continue
    collect(value as Json, field)
  }
  for (const leaf of out) {
    const names = /^metadata\.(name|namespace)=/.test(leaf)
    if (names || leaf.startsWith(`metadata.annotations.${annotationTrackingId}=`)) out.delete(leaf)
  }
  return out
}
