import { getPath, isObject } from '../json/index.ts'
import {
  annotationsOf,
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '../kube/index.ts'

/** What is known of a cluster, by key, kind and namespace. */
export class Inventory {
  readonly isSnapshot: boolean
  private readonly objects: readonly Manifest[]
  private readonly byKey: ReadonlyMap<string, Manifest>
  private readonly byKind: ReadonlyMap<string, readonly Manifest[]>

  constructor(objects: readonly Manifest[], isSnapshot: boolean) {
    this.isSnapshot = isSnapshot
    this.objects = objects
    this.byKey = new Map(objects.map((object) => [formatKey(keyOf(object)), object]))
    const byKind = new Map<string, Manifest[]>()
    for (const object of objects) {
      const kind = kindOf(object)
      const list = byKind.get(kind)
      if (list === undefined) byKind.set(kind, [object])
      else list.push(object)
    }
    this.byKind = byKind
  }

  get(key: ResourceKey): Manifest | undefined {
    return this.byKey.get(formatKey(key))
  }

  ofKind(group: string, kind: string): readonly Manifest[] {
    return this.byKind.get(`${group}/${kind}`) ?? []
  }

  inNamespace(namespace: string): readonly Manifest[] {
    return this.objects.filter((object) => namespaceOf(object) === namespace)
  }

  /** The volume that a claim is bound to. */
  volumeOf(claim: Manifest): Manifest | undefined {
    const name = getPath(claim, 'spec', 'volumeName')
    if (typeof name === 'string' && name !== '') {
      return this.get({ group: '', kind: 'PersistentVolume', namespace: '', name })
    }
    return this.ofKind('', 'PersistentVolume').find((volume) => {
      const claimed = getPath(volume, 'spec', 'claimRef')
      return (
        isObject(claimed) &&
        claimed['name'] === nameOf(claim) &&
        claimed['namespace'] === namespaceOf(claim)
      )
    })
  }

  /** The class of a claim; `'none'` where it wants none, undefined where it is not known. */
  classOf(claim: Manifest): Manifest | 'none' | undefined {
    const name = classNameOf(claim)
    if (name === '') return 'none'
    const classes = this.ofKind('storage.k8s.io', 'StorageClass')
    if (name !== undefined) return classes.find((one) => nameOf(one) === name)
    const marks = ['storageclass.kubernetes.io/is-default-class']
    return classes.find((one) => marks.some((mark) => annotationsOf(one)[mark] === 'true'))
  }
}

/** Undefined where the claim leaves the choice to the cluster. */
export function classNameOf(claim: Manifest): string | undefined {
  const name =
    getPath(claim, 'spec', 'storageClassName') ??
    annotationsOf(claim)['volume.beta.kubernetes.io/storage-class']
  return typeof name === 'string' ? name : undefined
}

export function kindOf(object: Manifest): string {
  return `${groupOf(object.apiVersion)}/${object.kind}`
}
