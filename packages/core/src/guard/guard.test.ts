import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { dataKindOf, dataKinds } from './data-kinds.ts'
import { guardData } from './guard.ts'
import type { Departure, GuardInput } from './types.ts'

const tracking = { method: 'annotation', labelKey: '', installationId: '' } as const

function make(apiVersion: string, kind: string, name: string, rest: JsonObject = {}): Manifest {
  const { metadata, ...others } = rest
  const place = name.split('/')
  return {
    apiVersion,
    kind,
    ...others,
    metadata: {
      name: place.at(-1)!,
      ...(place.length > 1 ? { namespace: place[0]! } : {}),
      ...(metadata as JsonObject | undefined),
    },
  }
}

const claim = (spec: JsonObject = {}, name = 'db/data'): Manifest =>
  make('v1', 'PersistentVolumeClaim', name, { spec })
const volume = (policy: string | undefined, spec: JsonObject = {}): Manifest =>
  make('v1', 'PersistentVolume', 'pv', {
    spec: { ...spec, ...(policy === undefined ? {} : { persistentVolumeReclaimPolicy: policy }) },
  })
const storage = (name: string, rest: JsonObject = {}): Manifest =>
  make('storage.k8s.io/v1', 'StorageClass', name, rest)
const isDefault = {
  metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
}
const set = (spec: JsonObject = {}): Manifest =>
  make('apps/v1', 'StatefulSet', 'db/pg', {
    spec: {
      replicas: 2,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }],
      ...spec,
    },
  })
const whenDeleted = { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }
const whenScaled = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } }
const crd = make(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'clusters.postgresql.cnpg.io',
  {
    spec: { group: 'postgresql.cnpg.io', names: { kind: 'Cluster' } },
  },
)
const snapshotGroup = 'snapshot.storage.k8s.io/v1'
const tracked = {
  metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/Secret:db/kept' } },
}

interface Case {
  readonly about: string
  readonly gone: readonly Manifest[]
  readonly known?: readonly Manifest[]
  readonly live?: boolean
  readonly how?: Partial<Departure>
  readonly losses: readonly string[]
  readonly kept?: readonly string[]
}

const cases: readonly Case[] = [
  {
    about: 'a claim whose volume says Delete',
    gone: [claim({ volumeName: 'pv' })],
    known: [volume('Delete')],
    losses: ['destroyed the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim whose volume says Retain',
    gone: [claim({ volumeName: 'pv' })],
    known: [volume('Retain')],
    losses: [],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim whose volume was made by hand: Retain is its default',
    gone: [claim({})],
    known: [volume(undefined, { claimRef: { namespace: 'db', name: 'data' } })],
    losses: [],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'the volume counts, not the class that made it',
    gone: [claim({ volumeName: 'pv', storageClassName: 'fast' })],
    known: [volume('Retain'), storage('fast', { reclaimPolicy: 'Delete' })],
    losses: [],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim of a class that says nothing',
    gone: [claim({ storageClassName: 'fast' })],
    known: [storage('fast')],
    losses: ['destroyed the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim of a class that says Retain',
    gone: [claim({ storageClassName: 'safe' })],
    known: [storage('safe', { reclaimPolicy: 'Retain' })],
    losses: [],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim of the default class',
    gone: [claim({})],
    known: [storage('slow'), storage('safe', { reclaimPolicy: 'Retain', ...isDefault })],
    losses: [],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim of a class that nobody knows',
    gone: [claim({ storageClassName: 'fast' })],
    losses: ['possible the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim without a class',
    gone: [claim({ storageClassName: '' })],
    known: [storage('safe', { reclaimPolicy: 'Retain', ...isDefault })],
    losses: ['possible the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim that goes only if somebody confirms',
    gone: [claim({ storageClassName: 'fast' })],
    known: [storage('fast')],
    how: { certain: false },
    losses: ['conditional the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a claim that somebody else may keep',
    gone: [claim({ storageClassName: 'fast' })],
    known: [storage('fast')],
    how: { doubt: 'another Application renders it' },
    losses: ['possible the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'a volume that says Delete',
    gone: [volume('Delete')],
    losses: ['destroyed what lies behind PersistentVolume pv'],
  },
  {
    about: 'a volume that is still claimed waits',
    gone: [volume('Delete', { claimRef: { namespace: 'db', name: 'data' } })],
    known: [claim({ volumeName: 'pv' })],
    losses: ['conditional what lies behind PersistentVolume pv'],
  },
  {
    about: 'a volume that says Retain',
    gone: [volume('Retain')],
    losses: [],
    kept: ['what lies behind PersistentVolume pv'],
  },
  {
    about: 'a StatefulSet keeps its claims',
    gone: [set()],
    losses: [],
    kept: ['the volumes of StatefulSet db/pg'],
  },
  {
    about: 'a StatefulSet that deletes its claims',
    gone: [set(whenDeleted)],
    known: [storage('fast', isDefault)],
    losses: [
      'destroyed the volume of PersistentVolumeClaim db/data-pg-0',
      'destroyed the volume of PersistentVolumeClaim db/data-pg-1',
    ],
  },
  {
    about: 'a StatefulSet that deletes its claims, as they are in the cluster',
    gone: [set(whenDeleted)],
    known: [
      claim({ storageClassName: 'fast' }, 'db/data-pg-7'),
      claim({}, 'db/data-other-0'),
      storage('fast'),
    ],
    live: true,
    losses: ['destroyed the volume of PersistentVolumeClaim db/data-pg-7'],
  },
  {
    about: 'a StatefulSet that is deleted without what it owns',
    gone: [set(whenDeleted)],
    how: { orphans: true },
    losses: [],
    kept: ['the volumes of StatefulSet db/pg'],
  },
  {
    about: 'a StatefulSet without claims',
    gone: [set({ volumeClaimTemplates: [] })],
    losses: [],
  },
  {
    about: 'a Namespace with a StatefulSet whose claims would stay otherwise',
    gone: [make('v1', 'Namespace', 'db')],
    known: [set({ replicas: 1 }), storage('fast', isDefault)],
    losses: [
      'destroyed the volume of PersistentVolumeClaim db/data-pg-0',
      'possible whatever else is in Namespace db',
    ],
  },
  {
    about: 'a Namespace of which nothing is known',
    gone: [make('v1', 'Namespace', 'db')],
    losses: ['possible whatever is in Namespace db'],
  },
  {
    about: 'a Namespace in a snapshot',
    gone: [make('v1', 'Namespace', 'db')],
    known: [
      claim({ volumeName: 'pv' }),
      volume('Retain'),
      claim({ storageClassName: 'fast' }, 'other/data'),
      make('v1', 'Secret', 'db/password'),
      make('v1', 'Secret', 'db/kept', tracked),
      make('v1', 'Secret', 'db/token', { type: 'kubernetes.io/service-account-token' }),
      make('v1', 'ConfigMap', 'db/kube-root-ca.crt'),
    ],
    live: true,
    losses: ['destroyed Secret password, which no Application tracks'],
    kept: ['the volume of PersistentVolumeClaim db/data'],
  },
  {
    about: 'an empty Namespace in a snapshot',
    gone: [make('v1', 'Namespace', 'db')],
    known: [make('v1', 'ConfigMap', 'db/kube-root-ca.crt')],
    live: true,
    losses: [],
  },
  {
    about: 'a definition takes every object of its kind along, and what lies behind them',
    gone: [crd],
    known: [make('postgresql.cnpg.io/v1', 'Cluster', 'db/pg')],
    losses: [
      'destroyed the one known Cluster, and those that are not known here',
      'destroyed the PostgreSQL cluster db/pg',
    ],
  },
  {
    about: 'a definition of which no object is known',
    gone: [crd],
    losses: ['destroyed every Cluster of the cluster'],
  },
  {
    about: 'a definition of which no object is in the snapshot',
    gone: [crd],
    live: true,
    losses: ['possible every Cluster of the cluster'],
  },
  {
    about: 'a snapshot by its content',
    gone: [
      make(snapshotGroup, 'VolumeSnapshot', 'db/daily', {
        status: { boundVolumeSnapshotContentName: 'c' },
      }),
    ],
    known: [
      make(snapshotGroup, 'VolumeSnapshotContent', 'c', { spec: { deletionPolicy: 'Delete' } }),
    ],
    losses: ['destroyed the snapshot of VolumeSnapshot db/daily'],
  },
  {
    about: 'a snapshot by its class',
    gone: [
      make(snapshotGroup, 'VolumeSnapshot', 'db/daily', { spec: { volumeSnapshotClassName: 'k' } }),
    ],
    known: [make(snapshotGroup, 'VolumeSnapshotClass', 'k', { deletionPolicy: 'Retain' })],
    losses: [],
    kept: ['the snapshot of VolumeSnapshot db/daily'],
  },
  {
    about: 'a snapshot of which nothing else is known',
    gone: [make(snapshotGroup, 'VolumeSnapshot', 'db/daily')],
    losses: ['possible the snapshot of VolumeSnapshot db/daily'],
  },
  {
    about: 'the content of a snapshot',
    gone: [
      make(snapshotGroup, 'VolumeSnapshotContent', 'c', { spec: { deletionPolicy: 'Delete' } }),
    ],
    losses: ['destroyed the snapshot behind VolumeSnapshotContent c'],
  },
  {
    about: 'a Kafka that keeps its claims',
    gone: [
      make('kafka.strimzi.io/v1beta2', 'Kafka', 'q/k', {
        spec: { kafka: { storage: { deleteClaim: false } } },
      }),
    ],
    losses: [],
    kept: ['the Kafka cluster q/k'],
  },
  {
    about: 'a Kafka that deletes them',
    gone: [
      make('kafka.strimzi.io/v1beta2', 'Kafka', 'q/k', {
        spec: { kafka: { storage: { deleteClaim: true } } },
      }),
    ],
    losses: ['destroyed the Kafka cluster q/k'],
  },
  {
    about: 'a bucket at a provider',
    gone: [
      make('s3.aws.upbound.io/v1beta1', 'Bucket', 'assets'),
      make('s3.aws.upbound.io/v1beta1', 'Bucket', 'logs', { spec: { deletionPolicy: 'Orphan' } }),
    ],
    losses: ['destroyed the Bucket at the provider assets'],
    kept: ['the Bucket at the provider logs'],
  },
  {
    about: 'what holds no data',
    gone: [
      make('apps/v1', 'Deployment', 'db/web'),
      make('v1', 'Secret', 'db/a'),
      make('v1', 'Service', 'db/a'),
    ],
    losses: [],
  },
  {
    about: 'data reached twice is told once, with its worst verdict',
    gone: [claim({ storageClassName: 'fast' }), make('v1', 'Namespace', 'db')],
    known: [claim({ storageClassName: 'fast' }), storage('fast')],
    live: true,
    losses: ['destroyed the volume of PersistentVolumeClaim db/data'],
  },
]

describe('guardData', () => {
  it.each(cases)('$about', ({ gone, known = [], live = false, how, losses, kept = [] }) => {
    const input: GuardInput = {
      departures: gone.map((object) => ({ object, cause: 'pruned', certain: true, ...how })),
      known: [...gone, ...known],
      isSnapshot: live,
      tracking,
    }
    const found = guardData(input)
    expect(found.losses.map(({ verdict, what }) => `${verdict} ${what}`)).toEqual(losses)
    expect(found.kept.map(({ what }) => what)).toEqual(kept)
  })

  it('tells the whole way from the change to the data', () => {
    const found = guardData({
      departures: [
        {
          object: set({ ...whenDeleted, replicas: 1 }),
          cause: 'pruned by the automated sync',
          certain: true,
        },
      ],
      known: [storage('fast', isDefault)],
      isSnapshot: false,
      tracking,
    })
    expect(found.losses[0]?.path).toEqual([
      'StatefulSet db/pg is pruned by the automated sync',
      'its claims go with it: whenDeleted is Delete',
      'StorageClass fast reclaims with Delete',
    ])
  })

  it.each([
    ['keeps its claims', {}, []],
    ['deletes them', whenScaled, ['db/data-pg-1', 'db/data-pg-2']],
    [
      'deletes them, counted from another number',
      { ...whenScaled, ordinals: { start: 5 } },
      ['db/data-pg-6', 'db/data-pg-7'],
    ],
  ])('follows a StatefulSet that is scaled down and %s', (_about, spec, names) => {
    const found = guardData({
      departures: [],
      shrinkages: [{ before: set({ ...spec, replicas: 3 }), after: set({ ...spec, replicas: 1 }) }],
      known: [storage('fast', isDefault)],
      isSnapshot: false,
      tracking,
    })
    expect(found.losses.map(({ what }) => what)).toEqual(
      names.map((name) => `the volume of PersistentVolumeClaim ${name}`),
    )
  })

  it('ends where owners form a circle', () => {
    const inner = make('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a', {
      spec: { group: 'apiextensions.k8s.io', names: { kind: 'CustomResourceDefinition' } },
    })
    expect(
      guardData({
        departures: [{ object: inner, cause: 'pruned', certain: true }],
        known: [inner],
        isSnapshot: false,
        tracking,
      }).losses,
    ).toHaveLength(1)
  })
})

describe('the table of data kinds', () => {
  it('has one line a kind, none of them built in', () => {
    const names = dataKinds.map(({ kind }) => kind)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/\.[a-z-]+\/\w+$/.test(name))).toEqual([])
  })

  it('takes a pattern for everything below it only', () => {
    expect(dataKindOf('rds.services.k8s.aws', 'DBInstance')?.what).toBe('the DBInstance at AWS')
    expect(dataKindOf('services.k8s.aws', 'DBInstance')).toBeUndefined()
    expect(dataKindOf('', 'Bucket')).toBeUndefined()
  })
})
