import { describe, expect, it } from 'vitest'
import { MemoryCluster } from '../../test/support/memory-cluster.ts'
import type { Cluster } from '../adapters/index.ts'
import { ClusterError, InternalError } from '../errors/index.ts'
import { getPath } from '../json/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import type { SyncRequest, SyncTask } from '../sync/index.ts'
import { migrationPatch, performStep } from './perform.ts'

const finalizer = 'argocd.argoproj.io/hook-finalizer'
const hook: Manifest = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate', namespace: 'app', finalizers: ['example.com/hold', finalizer] },
}
const task = { live: hook, target: hook } as unknown as SyncTask

function seen(memory: MemoryCluster): Manifest {
  memory.see(hook)
  return memory.live[0]!
}

async function release(cluster: Cluster, live: Manifest): Promise<unknown> {
  const requests: SyncRequest[] = [{ verb: 'release', task, live }]
  return (await performStep({ kind: 'release', requests }, cluster))[0]
}

describe('release', () => {
  it('takes off its own finalizer only', async () => {
    const memory = new MemoryCluster()
    await release(memory.cluster(), seen(memory))
    expect(getPath(memory.live[0], 'metadata', 'finalizers')).toEqual(['example.com/hold'])
  })

  it('looks again when somebody was faster, and keeps the change', async () => {
    const memory = new MemoryCluster()
    const stale = seen(memory)
    memory.see({ ...hook, metadata: { ...(hook['metadata'] as object), labels: { a: 'b' } } })
    await release(memory.cluster(), stale)
    expect(getPath(memory.live[0], 'metadata', 'labels', 'a')).toBe('b')
    expect(getPath(memory.live[0], 'metadata', 'finalizers')).toEqual(['example.com/hold'])
  })

  it('is content when the object is gone', async () => {
    const memory = new MemoryCluster()
    const live = seen(memory)
    memory.objects.clear()
    expect(await release(memory.cluster(), live)).toEqual({ live: null })
  })

  it('gives up after five conflicts', async () => {
    const memory = new MemoryCluster()
    const live = seen(memory)
    let tries = 0
    const cluster: Cluster = {
      ...memory.cluster(),
      patch: async () => {
        tries++
        throw new ClusterError('CLUSTER_CONFLICT', 'changed', { status: 409, reason: 'Conflict' })
      },
    }
    expect(await release(cluster, live)).toEqual({
      error: {
        message: 'failed to update resource: failed to update resource: changed',
        status: 409,
        reason: 'Conflict',
      },
    })
    expect(tries).toBe(5)
  })
})

describe('migration of fields', () => {
  const owned: Manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'conf',
      namespace: 'app',
      resourceVersion: '7',
      managedFields: [
        {
          manager: 'kubectl-client-side-apply',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsV1: { 'f:data': {} },
        },
      ],
    },
  }

  it('hands over under the version that was read', () => {
    expect(migrationPatch(owned, 'kubectl-client-side-apply')).toEqual([
      {
        op: 'replace',
        path: '/metadata/managedFields',
        value: [
          {
            manager: 'argocd-controller',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsV1: { 'f:data': {} },
          },
        ],
      },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ])
    expect(migrationPatch(owned, 'nobody')).toBeUndefined()
  })

  it('fails the object when it does not get through', async () => {
    const memory = new MemoryCluster()
    const cluster: Cluster = {
      ...memory.cluster(),
      get: async () => owned,
      patch: async () => {
        throw new ClusterError('CLUSTER_REFUSED', 'no', { status: 403, reason: 'Forbidden' })
      },
    }
    const request: SyncRequest = {
      verb: 'apply',
      task,
      target: owned,
      dryRun: 'none',
      serverSide: true,
      force: true,
      validate: true,
      migrateFrom: 'kubectl-client-side-apply',
    }
    const [outcome] = await performStep({ kind: 'apply', requests: [request] }, cluster)
    expect(outcome).toEqual({
      error: {
        message: 'Failed to perform client-side apply migration for /ConfigMap/app/conf: no',
        status: 403,
        reason: 'Forbidden',
      },
    })
  })
})

describe('performStep', () => {
  it('keeps the order of the requests and the number of calls at a time', async () => {
    let open = 0
    let most = 0
    const memory = new MemoryCluster()
    const cluster: Cluster = {
      ...memory.cluster(),
      get: async (key) => {
        most = Math.max(most, ++open)
        await new Promise((done) => setTimeout(done, Number(key.name.slice(1)) % 3))
        open--
        return { ...hook, metadata: { name: key.name } }
      },
    }
    const requests = Array.from({ length: 50 }, (_, i): SyncRequest => {
      const key = { ...keyOf(hook), name: `n${i}` }
      return { verb: 'get', task, key, apiVersion: 'batch/v1' }
    })
    const outcomes = await performStep({ kind: 'read', requests }, cluster)
    expect(
      outcomes.map((outcome) => getPath(outcome as never, 'live', 'metadata', 'name')),
    ).toEqual(requests.map((_, i) => `n${i}`))
    expect(most).toBe(20)
  })

  it('throws what is no answer of the cluster', async () => {
    const memory = new MemoryCluster()
    const cluster: Cluster = {
      ...memory.cluster(),
      get: async () => {
        throw new InternalError('a fault')
      },
    }
    const request: SyncRequest = { verb: 'get', task, key: keyOf(hook), apiVersion: 'batch/v1' }
    await expect(performStep({ kind: 'read', requests: [request] }, cluster)).rejects.toThrow(
      'a fault',
    )
  })

  it('uses its own name for an update of a namespace', async () => {
    const memory = new MemoryCluster()
    const target: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'extra' } }
    const request: SyncRequest = { verb: 'update', task, target, dryRun: 'none' }
    expect(await performStep({ kind: 'apply', requests: [request] }, memory.cluster())).toEqual([
      { message: 'Namespace/extra updated' },
    ])
  })
})
