// What the core says of fields that may not change, held against a real API server.
import { LitecdError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { keyOf, type Manifest } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { frozenCases } from '../../../core/test/support/frozen-cases.ts'
import type { KubeClient } from '../../src/client/index.ts'
import { createCluster } from '../../src/cluster/index.ts'

/** Cases that need what is not here: a bound claim, a custom kind, a Job that a controller has suspended or started. */
const left: { readonly [about: string]: string } = {
  'a custom kind': 'its definition is not installed',
}

const options = {
  dryRun: 'none',
  serverSide: false,
  force: false,
  validate: true,
  fieldManager: 'argocd-controller',
} as const

describe.skipIf(!canStartApiServer('fields that may not change'))('a real API server', () => {
  let client: KubeClient
  let namespace: string

  beforeAll(async () => {
    client = await sharedClient()
    namespace = await freshNamespace(client, 'frozen')
  })
  afterAll(() => client?.close())

  const chosen = frozenCases.filter(([about]) => left[about] === undefined)
  it.each(chosen.map((one, i) => [one[0], i] as const))('%s', async (_about, index) => {
    const [, live, target, expected] = chosen[index]!
    const cluster = createCluster({ client })
    const placed = (object: Manifest): Manifest => {
      const { status: _status, ...rest } = object
      // a definition's name is that of its kind
      const name = object.kind === 'CustomResourceDefinition' ? 'foos.x.io' : `frozen-${index}`
      return {
        ...rest,
        metadata: { ...(object['metadata'] as JsonObject), name, namespace },
      } as Manifest
    }
    const before = placed(live)
    await cluster.apply(before, options)
    try {
      const phase = (live['status'] as JsonObject | undefined)?.['phase'] ?? 'Bound'
      if (live.kind === 'PersistentVolumeClaim') {
        await cluster.patch(keyOf(before), before.apiVersion, {
          type: 'merge',
          subresource: 'status',
          patch: { status: { phase, capacity: { storage: '1Gi' } } },
        })
      }
      const said = await cluster.apply(placed(target), { ...options, dryRun: 'server' }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof LitecdError) return error.message
          throw error
        },
      )
      const certain = expected.filter(([, sure]) => sure)
      if (expected.length > 0 && certain.length === 0) return
      // client-side apply replaces bindings by `auth reconcile`; the API server itself would refuse them
      if (target.kind === 'RoleBinding') return
      expect(said === undefined ? 'taken' : `refused: ${said}`).toMatch(
        certain.length > 0
          ? /^refused: [\s\S]*(immutable|forbidden|may not|cannot|can not|missing from|must have)/i
          : /^taken$/,
      )
    } finally {
      await cluster.delete(keyOf(before), before.apiVersion, {
        dryRun: 'none',
        propagation: 'Background',
      })
      // a definition takes a while, and the next one has its name
      const isGone = async (): Promise<boolean> =>
        (await cluster.get(keyOf(before), before.apiVersion)) === undefined
      if (live.kind === 'CustomResourceDefinition') await eventually('the definition', isGone)
    }
  })
})
