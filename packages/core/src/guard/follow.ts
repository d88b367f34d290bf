import { getPath, isObject } from '../json/index.ts'
import { formatKey, groupOf, keyOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'
import { dataKindOf } from './data-kinds.ts'
import { classNameOf, type Inventory, kindOf } from './inventory.ts'
import { claimsOf, hasClaims, retentionOf } from './stateful-sets.ts'
import type { DataLoss, KeptData, LossVerdict } from './types.ts'

/** What was found so far. */
export interface Following {
  readonly losses: DataLoss[]
  readonly kept: KeptData[]
}

export interface Trail {
  readonly path: readonly string[]
  readonly verdict: LossVerdict
  /** What the object owns stays. */
  readonly orphans: boolean
  /** Keys on this trail: nothing is followed twice. */
  readonly seen: ReadonlySet<string>
}

export interface Ground {
  readonly inventory: Inventory
  /** Keys of everything that goes for a reason of its own. */
  readonly going: ReadonlySet<string>
  /** Belongs to no Application: no repository can bring it back. */
  readonly foreign: (object: Manifest) => boolean
  readonly found: Following
}

type Step = (object: Manifest, trail: Trail, ground: Ground) => void

const steps: { readonly [groupKind: string]: Step } = {
  '/PersistentVolumeClaim': followClaim,
  '/PersistentVolume': followVolume,
  '/Namespace': followNamespace,
  'apps/StatefulSet': followStatefulSet,
  'apiextensions.k8s.io/CustomResourceDefinition': followDefinition,
  'snapshot.storage.k8s.io/VolumeSnapshot': followSnapshot,
  'snapshot.storage.k8s.io/VolumeSnapshotContent': followSnapshotContent,
}

/** Follows one object that goes away to the data behind it. */
export function followObject(object: Manifest, trail: Trail, ground: Ground): void {
  const name = formatKey(keyOf(object))
  if (trail.seen.has(name)) return
  const next = { ...trail, seen: new Set([...trail.seen, name]) }
  const step = steps[kindOf(object)] ?? followDataKind
  step(object, next, ground)
}

/** `PersistentVolumeClaim db/data` */
export function shortName(object: Manifest): string {
  const namespace = namespaceOf(object)
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${nameOf(object)}`
}

function lose(
  object: Manifest,
  what: string,
  trail: Trail,
  ground: Ground,
  because?: string,
  verdict: LossVerdict = 'destroyed',
): void {
  ground.found.losses.push({
    key: keyOf(object),
    apiVersion: object.apiVersion,
    // a condition on the way outweighs what is not known at its end
    verdict: trail.verdict === 'destroyed' ? verdict : trail.verdict,
    what,
    path: because === undefined ? trail.path : [...trail.path, because],
  })
}

function keep(object: Manifest, what: string, trail: Trail, ground: Ground, because: string): void {
  const path = [...trail.path, because]
  ground.found.kept.push({ key: keyOf(object), apiVersion: object.apiVersion, what, path })
}

function below(trail: Trail, sentence: string): Trail {
  return { ...trail, path: [...trail.path, sentence] }
}

function followClaim(claim: Manifest, trail: Trail, ground: Ground): void {
  const { inventory } = ground
  const what = `the volume of ${shortName(claim)}`
  const volume = inventory.volumeOf(claim)
  if (volume !== undefined) {
    const policy = policyOf(volume)
    const because = `its PersistentVolume ${nameOf(volume)} has reclaim policy ${policy}`
    if (policy === 'Retain') keep(claim, what, trail, ground, because)
    else lose(claim, what, trail, ground, because)
    return
  }
  const storage = inventory.classOf(claim)
  const name = classNameOf(claim)
  if (storage === 'none') {
    const because = 'it has no class, and its PersistentVolume is not known here'
    lose(claim, what, trail, ground, because, 'possible')
  } else if (storage === undefined) {
    const which = name === undefined ? 'the default StorageClass' : `StorageClass ${name}`
    const because = `neither its PersistentVolume nor ${which} is known here; classes reclaim with Delete by default`
    lose(claim, what, trail, ground, because, 'possible')
  } else {
    const policy = getPath(storage, 'reclaimPolicy') ?? 'Delete'
    const because = `StorageClass ${nameOf(storage)} reclaims with ${String(policy)}`
    if (policy === 'Retain') keep(claim, what, trail, ground, because)
    else lose(claim, what, trail, ground, because)
  }
}

function policyOf(volume: Manifest): string {
  const policy = getPath(volume, 'spec', 'persistentVolumeReclaimPolicy')
  return typeof policy === 'string' ? policy : 'Retain'
}

/** A volume that is still claimed waits for its claim. */
function followVolume(volume: Manifest, trail: Trail, ground: Ground): void {
  const policy = policyOf(volume)
  const what = `what lies behind ${shortName(volume)}`
  if (policy === 'Retain') {
    keep(volume, what, trail, ground, 'its reclaim policy is Retain')
    return
  }
  const claimed = getPath(volume, 'spec', 'claimRef')
  const because = `its reclaim policy is ${policy}`
  if (!isObject(claimed)) {
    lose(volume, what, trail, ground, because)
    return
  }
  const key = {
    group: '',
    kind: 'PersistentVolumeClaim',
    namespace: String(claimed['namespace'] ?? ''),
    name: String(claimed['name'] ?? ''),
  }
  const waits = ground.inventory.get(key) !== undefined && !ground.going.has(formatKey(key))
  const words = waits
    ? `${because}, and it goes as soon as its claim ${key.namespace}/${key.name} does`
    : because
  lose(volume, what, trail, ground, words, waits ? 'conditional' : 'destroyed')
}

function followStatefulSet(set: Manifest, trail: Trail, ground: Ground): void {
  if (!hasClaims(set)) return
  const what = `the volumes of ${shortName(set)}`
  if (trail.orphans) {
    keep(set, what, trail, ground, 'it is deleted without what it owns')
    return
  }
  if (retentionOf(set, 'whenDeleted') === 'Retain') {
    keep(set, what, trail, ground, 'its claims stay: whenDeleted is Retain')
    return
  }
  const next = below(trail, 'its claims go with it: whenDeleted is Delete')
  for (const claim of claimsOf(set, ground.inventory)) followObject(claim, next, ground)
}

/** Every object of a Namespace goes with it, whoever made it. */
function followNamespace(namespace: Manifest, trail: Trail, ground: Ground): void {
  const name = nameOf(namespace)
  const { inventory, found } = ground
  const inside = inventory.inNamespace(name)
  const next = below(trail, 'everything in it is deleted')
  const before = found.losses.length
  for (const object of inside) {
    if (kindOf(object) !== 'apps/StatefulSet') followObject(object, next, ground)
    // claims of StatefulSets go whatever their retention says
    else for (const claim of claimsOf(object, inventory)) followObject(claim, next, ground)
  }
  const secrets = inside.filter((object) => holdsSettings(object) && ground.foreign(object))
  if (inventory.isSnapshot && secrets.length > 0) {
    const names = secrets.slice(0, shownNames).map((one) => `${one.kind} ${nameOf(one)}`)
    const more = secrets.length - names.length
    const what = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}, which no Application tracks`
    lose(namespace, what, next, ground)
  }
  if (!inventory.isSnapshot) {
    const known = found.losses.length > before ? 'whatever else is in' : 'whatever is in'
    const what = `${known} Namespace ${name}`
    const because = 'what others have made there is not known here'
    lose(namespace, what, next, ground, because, 'possible')
  }
}

const shownNames = 3

/** Secrets and ConfigMaps that the cluster does not make anew by itself. */
function holdsSettings(object: Manifest): boolean {
  if (groupOf(object.apiVersion) !== '') return false
  if (getPath(object, 'metadata', 'ownerReferences') !== undefined) return false
  if (object.kind === 'ConfigMap') return nameOf(object) !== 'kube-root-ca.crt'
  if (object.kind !== 'Secret') return false
  const type = object['type']
  return type !== 'kubernetes.io/service-account-token' && type !== 'helm.sh/release.v1'
}

/** Every object of the kind goes with its definition, in all namespaces. */
function followDefinition(definition: Manifest, trail: Trail, ground: Ground): void {
  const group = getPath(definition, 'spec', 'group')
  const kind = getPath(definition, 'spec', 'names', 'kind')
  if (typeof group !== 'string' || typeof kind !== 'string') return
  const { inventory } = ground
  const objects = inventory.ofKind(group, kind)
  const next = below(trail, `every ${kind} of the cluster is deleted with it`)
  for (const object of objects) followObject(object, next, ground)
  const count =
    objects.length === 1 ? 'the one' : objects.length === 0 ? 'every' : `all ${objects.length}`
  if (inventory.isSnapshot && objects.length === 0) {
    const because = `no ${kind} is in the snapshot`
    lose(definition, `every ${kind} of the cluster`, trail, ground, because, 'possible')
    return
  }
  const unknown = inventory.isSnapshot ? '' : ', and those that are not known here'
  lose(
    definition,
    `${objects.length === 0 ? `every ${kind} of the cluster` : `${count} known ${kind}${unknown}`}`,
    trail,
    ground,
  )
}

function followSnapshot(snapshot: Manifest, trail: Trail, ground: Ground): void {
  const { inventory } = ground
  const what = `the snapshot of ${shortName(snapshot)}`
  const name =
    getPath(snapshot, 'status', 'boundVolumeSnapshotContentName') ??
    getPath(snapshot, 'spec', 'source', 'volumeSnapshotContentName')
  const group = 'snapshot.storage.k8s.io'
  const content =
    typeof name === 'string'
      ? inventory.get({ group, kind: 'VolumeSnapshotContent', namespace: '', name })
      : undefined
  const wanted = getPath(snapshot, 'spec', 'volumeSnapshotClassName')
  const kept = inventory.ofKind(group, 'VolumeSnapshotClass').find((one) => nameOf(one) === wanted)
  const [policy, source] =
    content !== undefined
      ? [getPath(content, 'spec', 'deletionPolicy'), `VolumeSnapshotContent ${nameOf(content)}`]
      : [kept?.['deletionPolicy'], `VolumeSnapshotClass ${String(wanted)}`]
  if (policy === 'Retain')
    keep(snapshot, what, trail, ground, `${source} has deletion policy Retain`)
  else if (policy === 'Delete') {
    lose(snapshot, what, trail, ground, `${source} has deletion policy Delete`)
  } else {
    const because = 'neither its content nor its class is known here'
    lose(snapshot, what, trail, ground, because, 'possible')
  }
}

function followSnapshotContent(content: Manifest, trail: Trail, ground: Ground): void {
  const what = `the snapshot behind ${shortName(content)}`
  const policy = getPath(content, 'spec', 'deletionPolicy')
  const because = `its deletion policy is ${String(policy)}`
  if (policy === 'Retain') keep(content, what, trail, ground, because)
  else lose(content, what, trail, ground, because)
}

function followDataKind(object: Manifest, trail: Trail, ground: Ground): void {
  const row = dataKindOf(groupOf(object.apiVersion), object.kind)
  if (row === undefined) return
  const what = `${row.what} ${namespaceOf(object) === '' ? '' : `${namespaceOf(object)}/`}${nameOf(object)}`
  const fate = row.fate?.(object) ?? 'destroyed'
  if (fate === 'kept') keep(object, what, trail, ground, `${object.kind}: ${row.because}`)
  else lose(object, what, trail, ground, `${object.kind}: ${row.because}`, fate)
}
