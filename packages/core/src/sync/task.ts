import {
  annotationHelmHookDeletePolicy,
  annotationHookDeletePolicy,
  csvAnnotation,
  isHook,
  type OperationPhase,
  type ResultCode,
  type SyncPhase,
  waveOf,
} from '../argo/index.ts'
import { getPath } from '../json/index.ts'
import { groupOf, keyOf, type Manifest, namespaceOf, type ResourceKey } from '../kube/index.ts'
import type { SyncTask } from './types.ts'

export const phaseOrder: readonly SyncPhase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail']

/** A task while a beat works on it; what leaves the beat is the readonly {@link SyncTask}. */
export interface Task extends SyncTask {
  phase: SyncPhase
  wave: number
  live: Manifest | undefined
  skipDryRun: boolean
  status: ResultCode | undefined
  operationPhase: OperationPhase | undefined
  message: string
  /** Its row says that it was about to be run when an earlier beat was lost. */
  intended: boolean
  /** …and that its object was not there yet. */
  toBeMade: boolean
  /** A hook that the lost beat has made: it counts as run. */
  made: boolean
}

export function makeTask(
  phase: SyncPhase,
  target: Manifest | undefined,
  live: Manifest | undefined,
): Task {
  const object = (target ?? live) as Manifest
  return {
    phase,
    wave: waveOf(object),
    hook: isHook(object),
    target,
    live,
    skipDryRun: false,
    status: undefined,
    operationPhase: undefined,
    message: '',
    intended: false,
    toBeMade: false,
    made: false,
  }
}

/** The target where there is one: the object that names the task. */
export function objectOf(task: SyncTask): Manifest {
  return (task.target ?? task.live) as Manifest
}

export function taskKeyOf(task: SyncTask): ResourceKey {
  return keyOf(objectOf(task))
}

/** As {@link taskKeyOf}, but where there is a live object its namespace counts: cluster-scoped targets carry a foreign one. */
export function comparedKeyOf(task: SyncTask): ResourceKey {
  const key = taskKeyOf(task)
  return task.live === undefined ? key : { ...key, namespace: namespaceOf(task.live) }
}

export function isPrune(task: SyncTask): boolean {
  return task.target === undefined
}

export function isPending(task: SyncTask): boolean {
  return task.operationPhase === undefined
}

export function isRunning(task: SyncTask): boolean {
  return task.operationPhase === 'Running'
}

export function isCompleted(task: SyncTask): boolean {
  const phase = task.operationPhase
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error'
}

export function isDeleting(live: Manifest | undefined): boolean {
  return live !== undefined && typeof getPath(live, 'metadata', 'deletionTimestamp') === 'string'
}

/** Tasks of one phase and wave run together. */
export function sameStep(a: SyncTask, b: SyncTask): boolean {
  return a.phase === b.phase && a.wave === b.wave
}

export type DeletePolicy = 'HookSucceeded' | 'HookFailed' | 'BeforeHookCreation'

const argoPolicies: ReadonlySet<string> = new Set([
  'HookSucceeded',
  'HookFailed',
  'BeforeHookCreation',
])
const helmPolicies: { readonly [name: string]: DeletePolicy } = {
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
  'before-hook-creation': 'BeforeHookCreation',
}

/**
 * When a hook is deleted. Both annotations add up; without a valid word it is BeforeHookCreation.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/hook/delete_policy.go
 */
export function deletePoliciesOf(hook: Manifest): readonly DeletePolicy[] {
  const own = csvAnnotation(hook, annotationHookDeletePolicy).filter((word) =>
    argoPolicies.has(word),
  ) as DeletePolicy[]
  const helm = csvAnnotation(hook, annotationHelmHookDeletePolicy).flatMap((word) =>
    Object.hasOwn(helmPolicies, word) ? [helmPolicies[word]!] : [],
  )
  const all = [...new Set([...own, ...helm])]
  return all.length === 0 ? ['BeforeHookCreation'] : all
}

/** A live hook that its policy condemns. */
export function deletesOn(task: SyncTask, policy: DeletePolicy): boolean {
  return task.hook && task.live !== undefined && deletePoliciesOf(objectOf(task)).includes(policy)
}

/** A hook of an earlier sync that must go before this one's can be made. */
export function deletesBeforeCreation(task: Task): boolean {
  return isPending(task) && !task.made && deletesOn(task, 'BeforeHookCreation')
}

export function isNamespaceKind(object: Manifest | undefined): object is Manifest {
  return object !== undefined && object.kind === 'Namespace' && groupOf(object.apiVersion) === ''
}

export function isCrd(object: Manifest): boolean {
  return (
    object.kind === 'CustomResourceDefinition' &&
    groupOf(object.apiVersion) === 'apiextensions.k8s.io'
  )
}

/** `group/Kind` that a CustomResourceDefinition defines; undefined where it does not say. */
export function definedKindOf(object: Manifest): string | undefined {
  if (!isCrd(object)) return undefined
  const group = getPath(object, 'spec', 'group')
  const kind = getPath(object, 'spec', 'names', 'kind')
  return typeof group === 'string' && typeof kind === 'string' ? `${group}/${kind}` : undefined
}
