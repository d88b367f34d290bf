import type { ApplyOptions } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import type { Manifest } from '@litecd/core/kube'
import { isConflict } from '../client/index.ts'
import { clientSideManagers, upgradePatch } from './managed-fields.ts'
import { deletingWarning, reworded } from './messages.ts'
import type { RemoteObject } from './objects.ts'

const maxPatchRetry = 5 // kubectl v0.36.1 pkg/cmd/apply/patcher.go

/** Hands fields over; true when there was something to hand over. */
async function migrate(
  remote: RemoteObject,
  live: Manifest,
  managers: readonly string[],
  options: ApplyOptions,
): Promise<boolean> {
  let current = live
  for (let attempt = 1; ; attempt++) {
    const patch = upgradePatch(current, managers, options.fieldManager)
    if (patch === undefined) return false
    try {
      const dryRun = options.dryRun !== 'none'
      await remote.patch('json', patch, { fieldManager: options.fieldManager, dryRun })
      return true
    } catch (error) {
      if (!isConflict(error) || attempt === maxPatchRetry) throw error
      current = await remote.get()
    }
  }
}

/**
 * `kubectl apply --server-side --force-conflicts`: one request, and three when the object was applied on the client
 * side before.
 *
 * Source: kubectl v0.36.1 pkg/cmd/apply/apply.go. Throws ClusterError with the server's words.
 */
export async function serverApply(
  remote: RemoteObject,
  target: Manifest,
  options: ApplyOptions,
): Promise<{ readonly live: Manifest; readonly warnings: string }> {
  if (options.force) {
    const message = 'error validating options: --force cannot be used with --server-side'
    throw new ClusterError('CLUSTER_REFUSED', message)
  }
  const send = (): Promise<Manifest> =>
    remote.patch('apply', target, {
      fieldManager: options.fieldManager,
      force: true,
      dryRun: options.dryRun !== 'none',
      fieldValidation: options.validate ? undefined : 'Ignore',
    })
  let live: Manifest
  try {
    live = await send()
  } catch (error) {
    throw reworded(error, (text) =>
      error instanceof ClusterError && error.status === 415
        ? `Server-side apply not available on the server: (${text})`
        : text,
    )
  }
  const managers = clientSideManagers(live)
  let warnings = ''
  if (managers.length > 0) {
    let step = 'server rejected managed fields migration to Server-Side Apply'
    try {
      if (await migrate(remote, live, managers, options)) {
        step = 'failed to re-apply configuration after performing Server-Side Apply migration'
        live = await send()
      }
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error
      warnings +=
        `Warning: ${step}. This is non-fatal and will be retried next time you apply. ` +
        `Error: ${error.message}\n`
    }
  }
  return { live, warnings: warnings + deletingWarning(live) }
}
