import { annotationLastApplied, hasSyncOption } from '../../argo/index.ts'
import { getPath, isObject, type JsonObject, parseJson } from '../../json/index.ts'
import {
  annotationsOf,
  type FrozenChange,
  formatKey,
  frozenChanges,
  groupOf,
  keyOf,
  type Manifest,
  namespaceOf,
} from '../../kube/index.ts'
import { objectOf, type SyncRequest } from '../../sync/index.ts'
import type { RefusalReason } from './types.ts'

export interface RefusalWorld {
  /** Live objects were read from a cluster, so that an annotation tells what was applied last. */
  readonly isSnapshot: boolean
  /** Namespaces that are there; undefined where that is not known. */
  readonly namespaces: ReadonlySet<string> | undefined
  /** Whether the cluster serves the kind of an object; undefined where that is not known. */
  readonly serves: (object: Manifest) => boolean | undefined
  /** Nothing of the object changes, so that nothing of it can be refused for a change. */
  readonly isSame?: (object: Manifest) => boolean
  /** Whether the class of a claim lets it grow; undefined where that is not known. */
  readonly expands?: (claim: Manifest) => boolean | undefined
  /** The default answer: what a dry run on a cluster said. */
  readonly told?: (request: SyncRequest) => string | undefined
}

interface Answer {
  readonly reason: RefusalReason
  readonly message: string
}

/** Says what the API server will refuse, as far as that can be known without asking it, and remembers why. */
export class Refuser {
  private readonly world: RefusalWorld
  /** By key. */
  readonly reasons: Map<string, RefusalReason> = new Map()
  /** Objects that a force deletes and makes again, with the fields that make it necessary. */
  readonly recreated: Map<string, string> = new Map()
  /** Changes that may be refused. */
  readonly doubtful: Map<string, readonly FrozenChange[]> = new Map()
  private readonly made: Set<string> = new Set()

  constructor(world: RefusalWorld) {
    this.world = world
  }

  refuses(request: SyncRequest): string | undefined {
    if (!('target' in request)) return undefined
    const { target } = request
    const key = formatKey(keyOf(target))
    const answer = this.answer(request, target)
    if (answer === undefined) {
      if (request.dryRun === 'none') this.made.add(placeName(target))
      return undefined
    }
    this.reasons.set(key, answer.reason)
    return answer.message
  }

  private answer(
    request: SyncRequest & { readonly target: Manifest },
    target: Manifest,
  ): Answer | undefined {
    const told = this.world.told?.(request)
    if (told !== undefined) return { reason: 'server', message: told }
    const { task } = request
    const { apiVersion } = target as JsonObject
    if (typeof apiVersion !== 'string' || apiVersion === '') {
      return { reason: 'kind', message: "groupVersion shouldn't be empty" }
    }
    if (this.world.serves(target) === false && !this.made.has(definitionOf(target))) {
      const message = `no matches for kind "${target.kind}" in version "${target.apiVersion}"`
      return { reason: 'kind', message }
    }
    const namespace = namespaceOf(target)
    const missing =
      task.live === undefined &&
      namespace !== '' &&
      target.kind !== 'Namespace' &&
      this.world.namespaces?.has(namespace) === false &&
      !this.made.has(`/Namespace/${namespace}`)
    if (missing) return { reason: 'namespace', message: `namespaces "${namespace}" not found` }
    return task.live === undefined ? undefined : this.frozen(request, target, task.live)
  }

  private frozen(
    request: SyncRequest & { readonly target: Manifest },
    target: Manifest,
    live: Manifest,
  ): Answer | undefined {
    const key = formatKey(keyOf(objectOf(request.task)))
    const replaces = request.verb === 'replace' || request.verb === 'update'
    if (request.verb === 'replace' && request.force) {
      this.recreated.set(key, 'Replace=true with Force=true deletes it first')
      return undefined
    }
    if (this.world.isSame?.(target) === true) return undefined
    const original = this.world.isSnapshot ? lastAppliedTo(live) : (live as JsonObject)
    const expands = target.kind === 'PersistentVolumeClaim' ? this.world.expands?.(live) : undefined
    const changes = frozenChanges({ live, target, original, replaces, expands })
    if (changes.length === 0) return undefined
    const certain = changes.filter((change) => change.certain)
    if (certain.length === 0) {
      this.doubtful.set(key, changes)
      return undefined
    }
    const fields = certain.map(({ field }) => field).join(', ')
    if (reconcilesRoles(request, target)) {
      this.recreated.set(key, `${fields} changes: kubectl auth reconcile makes it anew`)
      return undefined
    }
    if (request.verb === 'apply' && request.force) {
      this.recreated.set(key, `${fields} cannot change: Force=true deletes it and makes it anew`)
      return undefined
    }
    const message = certain.map((change) => `${change.field}: ${change.message}`).join('; ')
    return { reason: 'immutable', message }
  }
}

/** Client-side apply of roles and bindings goes through `kubectl auth reconcile`, which replaces what cannot change. */
function reconcilesRoles(request: SyncRequest, target: Manifest): boolean {
  return (
    request.verb === 'apply' &&
    !request.serverSide &&
    target.apiVersion === 'rbac.authorization.k8s.io/v1'
  )
}

function placeName(object: Manifest): string {
  const { group, kind, name } = keyOf(object)
  if (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io') {
    const defined = getPath(object, 'spec', 'names', 'kind')
    return `definition ${String(getPath(object, 'spec', 'group'))}/${String(defined)}`
  }
  return `${group}/${kind}/${name}`
}

function definitionOf(object: Manifest): string {
  return `definition ${groupOf(object.apiVersion)}/${object.kind}`
}

function lastAppliedTo(live: Manifest): JsonObject | undefined {
  const text = annotationsOf(live)[annotationLastApplied]
  if (text === undefined) return undefined
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    // what kubectl cannot read tells nothing about what was applied
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** The reason of a row that the machine refused by itself, from its words. */
export function reasonOf(message: string): RefusalReason {
  if (/is not permitted in project/.test(message)) return 'project'
  if (/^error validating options/.test(message)) return 'spec'
  if (/ not found$|could not find|no matches for kind/.test(message)) return 'kind'
  return 'spec'
}

const advice: { readonly [reason in RefusalReason]?: string } = {
  immutable:
    'Give it another name, delete it by hand before the sync, or set Replace=true and Force=true on it, which deletes it and makes it anew.',
  namespace: 'Set CreateNamespace=true, or make the namespace first.',
  kind: 'Install its CustomResourceDefinition first; SkipDryRunOnMissingResource=true helps only where the sync makes it.',
}

export function hintFor(reason: RefusalReason, object: Manifest | undefined): string | undefined {
  const replaced = hasSyncOption(object, 'Replace=true')
  if (reason === 'immutable' && replaced) {
    return 'Replace=true alone updates it in place; with Force=true it is deleted and made anew.'
  }
  return advice[reason]
}
