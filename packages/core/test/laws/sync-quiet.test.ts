// Every change of an Application wakes its loops again. A beat that finds the world as the last one left it must
// therefore store nothing, or a waiting operation never rests.

import { keyOf, type Manifest } from '@litecd/core/kube'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OperationHost } from '../support/operation-host.ts'
import { objectOfThing, type Thing, things } from '../support/random-sync.ts'

const mostBeats = 40

function held(object: Manifest): Manifest {
  const metadata = object['metadata'] as { readonly [key: string]: string }
  return { ...object, metadata: { ...metadata, finalizers: ['example.com/hold'] } }
}

function hostOf(list: readonly Thing[], holds: readonly boolean[]): OperationHost {
  const fates = new Map(list.map((thing, i) => [`t${i}`, thing.fate]))
  const objects = list.map((thing, i) => {
    const object = objectOfThing(thing, i)
    return { thing, object: holds[i] === true ? held(object) : object }
  })
  const host = new OperationHost({
    operation: { sync: { prune: true, syncOptions: ['CreateNamespace=true'] } },
    targets: objects.filter(({ thing }) => thing.role !== 'prune').map(({ object }) => object),
    live: objects
      .filter(({ thing }) => thing.role === 'prune' || (thing.role !== 'resource' && thing.left))
      .map(({ object }) => object),
    assess: (live) => {
      if (live.kind === 'ConfigMap') return { health: undefined }
      const fate = fates.get(keyOf(live).name)
      if (fate === 'slow') return { health: { status: 'Progressing' } }
      return { health: { status: fate === 'degraded' ? 'Degraded' : 'Healthy' } }
    },
  })
  host.memory.refuses = (verb, target) => {
    const name = 'apiVersion' in target ? keyOf(target as Manifest).name : (target.name as string)
    const writes = verb === 'apply' || verb === 'delete'
    return writes && fates.get(name) === 'refused' ? 'refused' : undefined
  }
  return host
}

/** Beats until one stores nothing, and what the beats after it store. */
async function changesAtRest(host: OperationHost): Promise<readonly object[] | undefined> {
  let changes: object[] = []
  host.afterSave = ({ patch }) => changes.push(patch)
  for (let beat = 0; beat < mostBeats; beat++) {
    changes = []
    const { requeueAfterMs = 0 } = await host.beat()
    host.now += Math.min(requeueAfterMs, 2000)
    if (host.idle) return []
    if (changes.length > 0) continue
    await host.beat()
    await host.beat()
    return changes
  }
  return undefined
}

describe('an operation that waits', () => {
  it('changes nothing in a world that stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        things,
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        async (list, holds) => {
          expect(await changesAtRest(hostOf(list, holds))).toEqual([])
        },
      ),
      { numRuns: 200, seed: 20260102 },
    )
  })

  it('rests while a hook is held', async () => {
    const hook: Thing = {
      kind: 'ConfigMap',
      role: 'PreSync',
      wave: 0,
      policy: '',
      options: '',
      fate: 'healthy',
      left: true,
    }
    const host = hostOf([hook, { ...hook, role: 'resource' }], [true])
    expect(await changesAtRest(host)).toEqual([])
    expect(host.app.status?.operationState?.message).toBe(
      'waiting for deletion of hook /ConfigMap/t0',
    )
  })
})
