import type { HealthStatus } from '../../argo/index.ts'
import { isObject } from '../../json/index.ts'
import {
  byField,
  type Condition,
  degraded,
  each,
  type Facts,
  healthy,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { cannotIndex, join, stop } from './strict.ts'

const astraNone = progressing('No status available')

const astraTask: Rule = (facts) => {
  const state = facts.status('state')
  if (state === undefined) return astraNone
  if (state === 'Completed') return healthy(`${facts.kind} Completed`)
  return state === 'Running' ? progressing(`${facts.kind} Running`) : degraded(state)
}

function astraApplication(facts: Facts): HealthStatus {
  const known = ({ type, status }: Condition): boolean =>
    type === 'Ready' && (status === 'True' || status === 'False')
  const { status, message } = facts.conditions?.find(known) ?? {}
  if (status === 'True') {
    const state = facts.status('protectionState')
    return healthy(join(7, 'Astra Application Ready, protectionState: ', state))
  }
  if (status === 'False')
    return degraded(join(11, 'Astra Application Degraded, message: ', message))
  return astraNone
}

function cephCluster(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('Waiting for status to be reported')
  const health = facts.status('ceph', 'health')
  const parts: string[] = []
  let gives = progressing
  if (health !== undefined) {
    if (health === 'HEALTH_OK') gives = healthy
    if (health === 'HEALTH_ERR' || health === 'HEALTH_WARN') gives = degraded
    parts.push(join(51, 'Ceph health is ', health, cephDetails(facts)))
  }
  const state = facts.status('state')
  if (gives === healthy && state !== undefined) {
    parts.push(join(57, 'Ceph cluster state is ', state))
    if (state === 'Error') gives = degraded
    else if (state !== 'Created' && state !== 'Connected') gives = progressing
  }
  const message = facts.status('message') ?? ''
  if (message !== '') parts.push(show(message))
  return gives(parts.join(' - '))
}

function cephDetails(facts: Facts): string {
  const details = facts.status('ceph', 'details')
  if (!isObject(details)) return ''
  const texts = Object.keys(details)
    .sort()
    .flatMap((key) => {
      const detail = details[key]
      return isObject(detail) && detail['message'] !== undefined ? [show(detail['message'])] : []
    })
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`
}

function cephObjectStore(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('Waiting for status to be reported')
  const phase = facts.status('phase')
  const endpoint = show(facts.status('info', 'endpoint'))
  const tail = endpoint === '' ? '' : ` - endpoint: ${endpoint}`
  const head =
    phase === undefined
      ? 'Waiting for status to be reported'
      : join(14, 'Ceph object store phase is ', phase)
  const message = `${head}${tail}`
  if (phase === 'Ready') return healthy(message)
  return (phase === 'Failure' ? degraded : progressing)(message)
}

function dataVolume(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return astraNone
  const phase = facts.status('phase') ?? 'No status available'
  if (phase === 'Succeeded') return healthy(phase)
  if (phase === 'Paused') return suspended(phase)
  const failed = facts.conditions?.find(
    ({ type, status, reason }) => type === 'Running' && status === 'False' && reason === 'Error',
  )
  if (failed !== undefined) return degraded(failed['message'])
  return (phase === 'Failed' || phase === 'Unknown' ? degraded : progressing)(phase)
}

const minioFailures = [
  'Statefulset not controlled by operator',
  'Another MinIO Tenant already exists in the namespace',
  'Tenant credentials are not set properly',
  'Different versions across MinIO Pools',
  'Pool Decommissioning Not Allowed',
]

function storageCluster(facts: Facts): HealthStatus {
  const rows = [
    ['Degraded', degraded],
    ['Progressing', progressing],
    ['Available', healthy],
  ] as const
  for (const [type, gives] of rows) {
    const found = facts.conditions?.find((one) => one['type'] === type && one['status'] === 'True')
    if (found !== undefined) return gives(found['message'])
  }
  return unknown('StorageCluster is in an unknown state.')
}

/** Volumes, object stores, backups. */
export const storageRules: Rules = {
  'astra.netapp.io/AppVault': byField(
    ['status', 'state'],
    {
      available: (facts) => healthy(`${facts.kind} Available`),
      Available: (facts) => healthy(`${facts.kind} Available`),
      failed: (facts) => degraded(`${facts.kind} Failed`),
      Failed: (facts) => degraded(`${facts.kind} Failed`),
    },
    astraNone,
  ),
  'astra.netapp.io/Application': astraApplication,
  ...each(
    'astra.netapp.io',
    ['Backup', 'ExecHooksRun', 'ResourceBackup', 'ResticVolumeBackup', 'Snapshot'],
    () => astraTask,
  ),
  'astra.netapp.io/ExecHook': byField(
    ['spec', 'enabled'],
    {
      true: (facts) => healthy(`${facts.kind} enabled`),
      false: (facts) => suspended(`${facts.kind} disabled`),
    },
    astraNone,
  ),
  'astra.netapp.io/Schedule': (facts) => {
    const last = facts.status('lastScheduleTime')
    return healthy(
      last === undefined
        ? 'Protection policy not yet executed'
        : `Protection policy lastScheduleTime: ${show(last)}`,
    )
  },
  'cdi.kubevirt.io/DataVolume': dataVolume,
  'ceph.rook.io/CephCluster': cephCluster,
  'ceph.rook.io/CephObjectStore': cephObjectStore,
  'minio.min.io/Tenant': (facts) => {
    const state = facts.status('currentState')
    if (state === undefined) return progressing('No status info available')
    if (state === 'Initialized') return healthy(state)
    if (typeof state === 'object') stop(9, 'attempt to call a non-function object')
    if (typeof state !== 'string') cannotIndex(9, state, 'find')
    return (minioFailures.includes(show(state)) ? degraded : progressing)(state)
  },
  'objectbucket.io/ObjectBucketClaim': (facts) => {
    if (!facts.hasStatus) return progressing('Waiting for status to be reported')
    const phase = facts.status('phase')
    if (phase === undefined) return progressing('Waiting for phase to be reported')
    const message = join(10, 'Object bucket claim phase is ', phase)
    if (phase === 'Bound') return healthy(message)
    return (phase === 'Failed' ? degraded : progressing)(message)
  },
  'ocs.openshift.io/StorageCluster': storageCluster,
  'trident.netapp.io/TridentBackendConfig': (facts) => {
    const last = facts.status('lastOperationStatus')
    if (last === 'Success' && facts.status('phase') === 'Bound') {
      return healthy(facts.status('message'))
    }
    if (last === 'Failed') return degraded(facts.status('message'))
    return progressing('Waiting for backend creation')
  },
  'trident.netapp.io/TridentOrchestrator': byField(
    ['status', 'status'],
    {
      Installed: (facts) => healthy(facts.status('message')),
      Failed: (facts) => degraded(facts.status('message')),
      Error: (facts) => degraded(facts.status('message')),
    },
    progressing('Waiting for trident installation'),
  ),
}
