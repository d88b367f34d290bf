import type { Cluster } from '../adapters/index.ts'
import { finalizerHook } from '../argo/index.ts'
import { ClusterError, InternalError } from '../errors/index.ts'
import { getPath, isObject, type Json } from '../json/index.ts'
import { formatKey, handOverFields, keyOf, type Manifest } from '../kube/index.ts'
import type { SyncRequest, SyncStep, TaskOutcome } from '../sync/index.ts'

/** Argo CD's own name in managedFields; another one would leave its fields behind. */
export const fieldManager = 'argocd-controller'

const maxParallel = 20 // argo-cd v3.5.1 --kubectl-parallelism-limit
const maxConflicts = 5 // k8s.io/client-go v0.36.1 util/retry DefaultRetry

/**
 * Makes the calls that a step asks for, some at a time, and gives their outcomes in the order of the requests. What the
 * API server refuses is an outcome; only a broken invariant is thrown.
 */
export async function performStep(
  step: SyncStep,
  cluster: Cluster,
): Promise<readonly TaskOutcome[]> {
  if (step.kind === 'save') throw new InternalError('a save is stored, not performed')
  const { requests } = step
  const outcomes: TaskOutcome[] = new Array(requests.length)
  let next = 0
  const work = async (): Promise<void> => {
    for (let i = next++; i < requests.length; i = next++) {
      outcomes[i] = await perform(requests[i]!, cluster)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, requests.length) }, work))
  return outcomes
}

async function perform(request: SyncRequest, cluster: Cluster): Promise<TaskOutcome> {
  try {
    return await call(request, cluster)
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    return { error: { message: error.message, status: error.status, reason: error.reason } }
  }
}

async function call(request: SyncRequest, cluster: Cluster): Promise<TaskOutcome> {
  switch (request.verb) {
    case 'get':
      return { live: (await cluster.get(request.key, request.apiVersion)) ?? null }
    case 'apply': {
      if (request.migrateFrom !== undefined) {
        await migrate(request.target, request.migrateFrom, cluster)
      }
      const { dryRun, serverSide, force, validate } = request
      const options = { dryRun, serverSide, force, validate, fieldManager }
      return { message: (await cluster.apply(request.target, options)).message }
    }
    case 'create': {
      const { dryRun, validate } = request
      const options = { dryRun, serverSide: false, force: false, validate, fieldManager }
      return { message: (await cluster.create(request.target, options)).message }
    }
    case 'replace': {
      const { dryRun, force } = request
      const options = { dryRun, serverSide: false, force, validate: true, fieldManager }
      return { message: (await cluster.replace(request.target, options)).message }
    }
    case 'update': {
      await cluster.update(request.target, { dryRun: request.dryRun })
      return { message: `${request.target.kind}/${keyOf(request.target).name} updated` }
    }
    case 'delete':
      await cluster.delete(request.key, request.apiVersion, {
        dryRun: 'none',
        propagation: request.propagation,
      })
      return { message: '' }
    case 'release':
      return await release(request.live, cluster)
  }
}

/** Takes the hook finalizer off; whoever changed the object meanwhile keeps the change. */
async function release(live: Manifest, cluster: Cluster): Promise<TaskOutcome> {
  const key = keyOf(live)
  let current: Manifest | undefined = live
  for (let attempt = 1; current !== undefined; attempt++) {
    const finalizers = finalizersOf(current)
    if (!finalizers.includes(finalizerHook)) return { live: current }
    const patch = {
      metadata: {
        resourceVersion: getPath(current, 'metadata', 'resourceVersion') ?? null,
        finalizers: finalizers.filter((finalizer) => finalizer !== finalizerHook),
      },
    }
    try {
      return { live: await cluster.patch(key, live.apiVersion, { type: 'merge', patch }) }
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error
      if (error.status === 404) return { live: null }
      if (error.status !== 409 || attempt === maxConflicts) {
        throw prefixed('failed to update resource: failed to update resource: ', error)
      }
    }
    try {
      current = await cluster.get(key, live.apiVersion)
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error
      throw prefixed('failed to get resource: failed to get resource: ', error)
    }
  }
  return { live: null }
}

function finalizersOf(object: Manifest): readonly Json[] {
  const finalizers = getPath(object, 'metadata', 'finalizers')
  return Array.isArray(finalizers) ? finalizers : []
}

/** Moves the fields of a client-side manager to Argo CD's, so that the apply that follows owns them. */
async function migrate(target: Manifest, from: string, cluster: Cluster): Promise<void> {
  const key = keyOf(target)
  for (let attempt = 1; ; attempt++) {
    try {
      const fresh = await cluster.get(key, target.apiVersion)
      if (fresh === undefined) return
      const patch = migrationPatch(fresh, from)
      if (patch === undefined) return
      await cluster.patch(key, target.apiVersion, { type: 'json', patch })
      return
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error
      if (error.status === 409 && attempt < maxConflicts) continue
      const what = `Failed to perform client-side apply migration for ${formatKey(key)}: `
      throw prefixed(what, error)
    }
  }
}

/** Undefined where there is nothing to move. The version makes it fail on anything newer. */
export function migrationPatch(live: Manifest, from: string): Json | undefined {
  const entries = getPath(live, 'metadata', 'managedFields')
  if (!Array.isArray(entries)) return undefined
  const known = entries.filter(isObject)
  const moved = handOverFields(known, from, fieldManager)
  if (moved === known) return undefined
  return [
    { op: 'replace', path: '/metadata/managedFields', value: moved },
    {
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: getPath(live, 'metadata', 'resourceVersion') ?? '',
    },
  ]
}

function prefixed(prefix: string, error: ClusterError): ClusterError {
  return new ClusterError(error.code, prefix + error.message, {
    status: error.status,
    reason: error.reason,
    retryable: error.retryable,
    cause: error,
  })
}
