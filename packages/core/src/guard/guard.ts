import { isHook, trackingNameOf } from '../argo/index.ts'
import { formatKey, keyOf, type Manifest } from '../kube/index.ts'
import { type Following, followObject, shortName } from './follow.ts'
import { Inventory } from './inventory.ts'
import { claimsBeyond } from './stateful-sets.ts'
import type { DataLoss, Guarded, GuardInput, KeptData, LossVerdict } from './types.ts'

const order: readonly LossVerdict[] = ['destroyed', 'possible', 'conditional']

/**
 * The data that is destroyed when objects go away: volumes behind claims (by the reclaim policy of their volume or
 * class), claims behind StatefulSets (by their retention policy), everything in a Namespace, every object of a kind whose
 * definition goes, snapshots, and what the table of data kinds names. What cannot be told is said to be possible, never
 * to be safe. Data that is reached on several paths is told once, with its worst verdict.
 *
 * Source: Kubernetes 1.36 (garbage collection, persistent volumes, StatefulSet claim retention), external-snapshotter
 */
export function guardData(input: GuardInput): Guarded {
  const inventory = new Inventory(input.known, input.isSnapshot)
  const foreign = (object: Manifest): boolean =>
    trackingNameOf(object, input.tracking) === undefined && !isHook(object)
  const found: Following = { losses: [], kept: [] }
  const going = new Set(input.departures.map(({ object }) => formatKey(keyOf(object))))
  for (const { object, cause, certain, orphans = false, doubt } of input.departures) {
    const start = {
      path: [`${shortName(object)} is ${cause}`, ...(doubt === undefined ? [] : [doubt])],
      verdict: !certain ? 'conditional' : doubt === undefined ? 'destroyed' : 'possible',
      orphans,
      seen: new Set<string>(),
    } as const
    followObject(object, start, { inventory, going, foreign, found })
  }
  for (const { before, after } of input.shrinkages ?? []) {
    for (const { claim, path } of claimsBeyond(before, after, inventory)) {
      const start = { path, verdict: 'destroyed', orphans: false, seen: new Set<string>() } as const
      followObject(claim, start, { inventory, going, foreign, found })
    }
  }
  return { losses: distinct(found.losses), kept: withoutLost(found) }
}

function nameFor({ key, what }: DataLoss | KeptData): string {
  return `${formatKey(key)} ${what}`
}

function distinct(losses: readonly DataLoss[]): readonly DataLoss[] {
  const worst = new Map<string, DataLoss>()
  for (const loss of losses) {
    const known = worst.get(nameFor(loss))
    if (known === undefined || rank(loss) < rank(known)) worst.set(nameFor(loss), loss)
  }
  return [...worst.values()].sort((a, b) => rank(a) - rank(b) || (nameFor(a) < nameFor(b) ? -1 : 1))
}

function rank({ verdict }: DataLoss): number {
  return order.indexOf(verdict)
}

function withoutLost({ losses, kept }: Following): readonly KeptData[] {
  const lost = new Set(losses.map(nameFor))
  const seen = new Map(
    kept.filter((one) => !lost.has(nameFor(one))).map((one) => [nameFor(one), one]),
  )
  return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
