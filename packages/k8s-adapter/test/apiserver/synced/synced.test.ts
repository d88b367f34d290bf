import { readFileSync } from 'node:fs'
import type { Cluster } from '@litecd/core/adapters'
import { type Json, parseJson } from '@litecd/core/json'
import { keyOf, type Manifest } from '@litecd/core/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  sharedClient,
} from '../../../../../test/apiserver/index.ts'
import type { KubeClient } from '../../../src/client/index.ts'
import { createCluster } from '../../../src/cluster/index.ts'
import { applyOptions, differences, type Way } from './judge.ts'
import { placed, plainManifests } from './plain.ts'

// A manifest that was applied and left alone is Synced, whatever its kind, however it is written.

type Form = 'plain' | 'every field'

const everyField = parseJson(
  readFileSync(new URL('./every-field.json', import.meta.url), 'utf8'),
) as unknown as readonly Manifest[]

const claimTypes = ['spec.volumeClaimTemplates[0].kind', 'spec.volumeClaimTemplates[0].apiVersion']
const allocation = (path: string): readonly string[] =>
  ['allocationMode', 'count'].map((field) => `${path}.devices.requests[name=r].exactly.${field}`)

/**
 * What Argo CD's own engine calls a difference for ever (argo-cd v3.5.1 gitops-engine/pkg/diff, asked with these pairs):
 * the server sets a default inside a list that the engine does not know. For ResourceClaims it has no schema in server-side
 * apply; what it says of the client-side pair stands for both.
 */
const unequalForEver: { readonly [kind: string]: readonly string[] } = {
  'plain client-side EndpointSlice': ['endpoints[0].conditions'],
  'plain server-side EndpointSlice': ['endpoints[0].conditions'],
  'plain server-side StatefulSet': claimTypes,
  'every field server-side StatefulSet': claimTypes,
  'plain client-side ResourceClaim': allocation('spec'),
  'plain server-side ResourceClaim': allocation('spec'),
  'plain client-side ResourceClaimTemplate': allocation('spec.spec'),
  'plain server-side ResourceClaimTemplate': allocation('spec.spec'),
}

/** A field of a kind and what somebody makes of it by hand; of other kinds it is a label. */
const byHand: { readonly [kind: string]: readonly [patch: Json, field: string] } = {
  ConfigMap: [{ data: { a: 'other' } }, 'data.a'],
  CronJob: [{ spec: { schedule: '@daily' } }, 'spec.schedule'],
  Deployment: [{ spec: { replicas: 1 } }, 'spec.replicas'],
  FlowSchema: [{ spec: { matchingPrecedence: 8999 } }, 'spec.matchingPrecedence'],
  HorizontalPodAutoscaler: [{ spec: { maxReplicas: 9 } }, 'spec.maxReplicas'],
  Lease: [{ spec: { holderIdentity: 'other' } }, 'spec.holderIdentity'],
  PodDisruptionBudget: [{ spec: { minAvailable: '51%' } }, 'spec.minAvailable'],
  ReplicaSet: [{ spec: { replicas: 1 } }, 'spec.replicas'],
  ReplicationController: [{ spec: { replicas: 1 } }, 'spec.replicas'],
  ResourceQuota: [{ spec: { hard: { cpu: '600m' } } }, 'spec.hard.cpu'],
  Secret: [{ data: { b: 'eA==' } }, 'data.b'],
  Service: [{ spec: { selector: { a: 'other' } } }, 'spec.selector.a'],
  StatefulSet: [{ spec: { replicas: 1 } }, 'spec.replicas'],
}
const label: readonly [Json, string] = [
  { metadata: { labels: { app: 'other' } } },
  'metadata.labels.app',
]

describe.skipIf(!canStartApiServer('the comparison of all kinds'))('on a real API server', () => {
  let client: KubeClient
  let cluster: Cluster
  const namespaces = new Map<string, string>()
  const forms: readonly Form[] = ['plain', 'every field']
  const ways: readonly Way[] = ['client-side', 'server-side']
  const name = (form: Form, way: Way): string => `${form === 'plain' ? 'plain' : 'full'}-${way}`

  beforeAll(async () => {
    client = await sharedClient()
    cluster = createCluster({ client })
    for (const form of forms) {
      for (const way of ways) {
        namespaces.set(`${form} ${way}`, await freshNamespace(client, 'synced'))
      }
    }
  })
  afterAll(() => client.close())

  const kinds = plainManifests('any', 'any')
  it('knows at least sixty kinds in both forms', () => {
    const names = (list: readonly Manifest[]): readonly string[] =>
      list.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
    expect(new Set(names(kinds)).size).toBeGreaterThanOrEqual(60)
    expect(names(everyField)).toEqual(names(kinds))
  })

  const cases = forms.flatMap((form) =>
    ways.flatMap((way) =>
      kinds.map(({ apiVersion, kind }, index) => ({ form, way, apiVersion, kind, index })),
    ),
  )
  it.each(cases)('$form, $way: $apiVersion $kind', async ({ form, way, kind, index }) => {
    const namespace = namespaces.get(`${form} ${way}`)!
    const target =
      form === 'plain'
        ? plainManifests(name(form, way), namespace)[index]!
        : renamed(everyField[index]!, name(form, way), namespace)
    await cluster.apply(target, applyOptions(way))
    const left = unequalForEver[`${form} ${way} ${kind}`] ?? []
    expect(await differences(cluster, target, way)).toEqual(left)

    const isFixed = target['immutable'] === true
    const [patch, field] = (isFixed ? label : byHand[kind]) ?? label
    await cluster.patch(keyOf(target), target.apiVersion, {
      type: 'merge',
      patch,
      fieldManager: 'somebody',
    })
    const changed = await differences(cluster, target, way)
    expect(changed.filter((one) => !left.includes(one))).toEqual([field])

    await cluster.delete(keyOf(target), target.apiVersion, {
      dryRun: 'none',
      propagation: 'Background',
    })
    if (!('namespace' in (target['metadata'] as object))) {
      await eventually('the object is gone', async () => {
        const live = await cluster.get(keyOf(target), target.apiVersion)
        return live === undefined || nameIsOwn(target, name(form, way))
      })
    }
  })
})

/** The fixture's names are those of the plain manifests; only what has no name by its kind gets another. */
function renamed(manifest: Manifest, name: string, namespace: string): Manifest {
  const { name: known, ...metadata } = manifest['metadata'] as { [field: string]: Json }
  const own = known === 'grown' ? {} : { name: known! }
  return placed({ ...manifest, metadata: { ...metadata, ...own } }, name, namespace)
}

/** Objects with a name of this case alone may take their time to go. */
function nameIsOwn(target: Manifest, name: string): boolean {
  return (target['metadata'] as { readonly name: string }).name === name
}
