import type { ApplyOptions } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import {
  deletePath,
  formatJson,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  mergePatch,
  parseJson,
  setPath,
} from '@litecd/core/json'
import { annotationsOf, type Manifest, nameOf, versionOf } from '@litecd/core/kube'
import {
  applyStrategicMerge,
  threeWayJsonMerge,
  threeWayStrategicMerge,
} from '@litecd/core/kube/merge'
import { structOfKind } from '@litecd/core/kube/schema'
import { isConflict } from '../client/index.ts'
import {
  deletingWarning,
  lastApplied,
  manifestFile,
  missingAnnotationWarning,
  reworded,
} from './messages.ts'
import type { RemoteObject } from './objects.ts'

const maxPatchRetry = 5 // kubectl v0.36.1 pkg/cmd/apply/patcher.go
const pauseMs = 1000 // as above, patchRetryBackOffPeriod, after triesBeforeBackOff = 1

export interface Applied {
  readonly live: Manifest
  readonly verb: 'created' | 'unchanged' | 'configured'
  /** What kubectl prints to its error stream beside a success. */
  readonly warnings: string
}

/**
 * The text of the last-applied annotation: the target without that annotation, as Go encodes it, with its newline.
 * `metadata.annotations` is there even when empty.
 */
export function lastAppliedText(target: Manifest): string {
  const bare = deletePath(target, 'metadata', 'annotations', lastApplied)
  const whole = isObject(getPath(bare, 'metadata', 'annotations'))
    ? bare
    : setPath(bare, ['metadata', 'annotations'], {})
  return `${formatJson(whole)}\n`
}

/** Null fields at any depth are taken out; nulls in lists stay. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}

function originalOf(live: Manifest): JsonObject {
  const text = annotationsOf(live)[lastApplied]
  if (text === undefined || text === '') return {}
  let value: Json
  try {
    value = parseJson(text)
  } catch (error) {
    throw new ClusterError('PATCH_FAILED', (error as Error).message, { cause: error })
  }
  if (!isObject(value)) {
    throw new ClusterError('PATCH_FAILED', 'the last applied configuration is not an object')
  }
  return value
}

interface Patch {
  readonly type: 'strategic' | 'merge'
  readonly patch: JsonObject
}

/** Fields that a JSON merge patch may not touch: another kind or name is another object. */
function refuseIdentity(patch: JsonObject): void {
  if (
    Object.hasOwn(patch, 'apiVersion') ||
    Object.hasOwn(patch, 'kind') ||
    getPath(patch, 'metadata', 'name') !== undefined
  ) {
    throw new ClusterError('PATCH_FAILED', 'At least one of apiVersion, kind and name was changed')
  }
}

/**
 * The three-way patch from what was applied last, what is wanted and what is there: strategic for built-in kinds, JSON
 * merge for the rest.
 */
function patchFor(live: Manifest, modified: Manifest): Patch {
  const original = originalOf(live)
  const kind = { apiVersion: modified.apiVersion, kind: modified.kind }
  try {
    if (structOfKind(kind.apiVersion, kind.kind) !== undefined) {
      const patch = threeWayStrategicMerge({ original, modified, current: live, kind })
      return { type: 'strategic', patch }
    }
    const patch = threeWayJsonMerge({ original, modified, current: live })
    refuseIdentity(patch)
    return { type: 'merge', patch }
  } catch (error) {
    // Secrets do not go into messages, whatever kubectl does.
    if (modified.kind === 'Secret') throw error
    const [a, b, c] = [original, modified, live].map((value) => formatJson(value))
    throw reworded(
      error,
      (text) =>
        `creating patch with:\noriginal:\n${a}\nmodified:\n${b}\ncurrent:\n${c}\nfor: ${text}`,
    )
  }
}

/** A patch that the server would refuse to apply is found without asking it. */
function applyLocally(live: Manifest, { type, patch }: Patch): Manifest {
  const kind = { apiVersion: live.apiVersion, kind: live.kind }
  return (
    type === 'strategic' ? applyStrategicMerge(live, patch, kind) : mergePatch(live, patch)
  ) as Manifest
}

/** Delete and create again; when the new one is refused, the old one comes back. */
async function recreate(
  remote: RemoteObject,
  old: Manifest,
  modified: Manifest,
  fieldManager: string,
): Promise<Manifest> {
  await remote.delete({ propagationPolicy: 'Background' })
  await remote.whenGone(Number.POSITIVE_INFINITY)
  try {
    return await remote.create(modified, { fieldManager })
  } catch (error) {
    try {
      await remote.create(old, { fieldManager })
    } catch (second) {
      throw reworded(
        error,
        (text) =>
          'An error occurred force-replacing the existing object with the newly provided one:\n\n' +
          `${text}.\n\nAdditionally, an error occurred attempting to restore the original object:\n\n` +
          `${(second as Error).message}`,
      )
    }
    throw error
  }
}

/** Sends the patch; after a conflict looks again, up to five times. */
async function patchWithRetries(
  remote: RemoteObject,
  live: Manifest,
  modified: Manifest,
  options: ApplyOptions,
): Promise<{ readonly live: Manifest; readonly changed: boolean }> {
  let current = live
  for (let retry = 0; ; retry++) {
    try {
      const { type, patch } = patchFor(current, modified)
      if (Object.keys(patch).length === 0) return { live: current, changed: false }
      const { fieldManager } = options
      const dryRun = options.dryRun === 'server'
      const fieldValidation = options.validate ? undefined : 'Ignore'
      const patched = await remote.patch(type, patch, { fieldManager, dryRun, fieldValidation })
      return { live: patched, changed: true }
    } catch (error) {
      if (isConflict(error) && retry < maxPatchRetry) {
        if (retry > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
        current = await remote.get()
        continue
      }
      const refused = error instanceof ClusterError && [409, 422].includes(error.status)
      if (refused && options.force && options.dryRun === 'none') {
        const made = await recreate(remote, current, modified, options.fieldManager)
        return { live: made, changed: true }
      }
      throw reworded(error, (text) => `error when patching "${manifestFile}": ${text}`)
    }
  }
}

/**
 * `kubectl apply`, client side.
 *
 * Source: kubectl v0.36.1 pkg/cmd/apply/{apply,patcher}.go, and the cleaning of argo-cd v3.5.1 gitops-engine
 * pkg/utils/kube. Throws ClusterError with the text that Argo CD would show.
 */
export async function clientApply(
  remote: RemoteObject,
  target: Manifest,
  options: ApplyOptions,
): Promise<Applied> {
  if (nameOf(target) === '') {
    const prefix = getPath(target, 'metadata', 'generateName')
    if (typeof prefix === 'string' && prefix !== '') {
      const message = `from ${prefix}: cannot use generate name with apply`
      throw new ClusterError('CLUSTER_REFUSED', message)
    }
  }
  const modified = setPath(
    target,
    ['metadata', 'annotations', lastApplied],
    lastAppliedText(target),
  )
  const live = await remote.find().catch((error: unknown) => {
    throw reworded(error, (text) => `${retrieving(remote, target)}${text}`)
  })
  if (live === undefined) {
    const fresh = withoutNulls(modified) as Manifest
    if (options.dryRun === 'client') return { live: fresh, verb: 'created', warnings: '' }
    const fieldValidation = options.validate ? undefined : 'Ignore'
    const dryRun = options.dryRun === 'server'
    const made = await remote
      .create(fresh, { fieldManager: options.fieldManager, dryRun, fieldValidation })
      .catch((error: unknown) => {
        throw reworded(error, (text) => text)
      })
    return { live: made, verb: 'created', warnings: '' }
  }
  const warning = Object.hasOwn(annotationsOf(live), lastApplied)
    ? ''
    : missingAnnotationWarning(remote.resource.plural, nameOf(target))
  let result: { readonly live: Manifest; readonly changed: boolean }
  if (options.dryRun === 'client') {
    try {
      const patch = patchFor(live, modified)
      const changed = Object.keys(patch.patch).length > 0
      result = { live: changed ? applyLocally(live, patch) : live, changed }
    } catch (error) {
      throw reworded(error, (text) => text)
    }
  } else result = await patchWithRetries(remote, live, modified, options)
  return {
    live: result.live,
    verb: result.changed ? 'configured' : 'unchanged',
    warnings: warning + deletingWarning(result.live),
  }
}

function retrieving(remote: RemoteObject, target: Manifest): string {
  const { group, plural } = remote.resource
  const version = versionOf(target.apiVersion)
  return (
    'error when retrieving current configuration of:\n' +
    `Resource: "${group}/${version}, Resource=${plural}", ` +
    `GroupVersionKind: "${group}/${version}, Kind=${target.kind}"\n` +
    `Name: "${remote.name}", Namespace: "${remote.namespace}"\n` +
    `from server for: "${manifestFile}": `
  )
}
