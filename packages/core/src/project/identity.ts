import type { Application, AppProject, Settings } from '../argo/index.ts'
import { compileGlob } from '../text/index.ts'

/** Who syncs: a user to impersonate, or the controller itself; or why nobody may. */
export type SyncIdentity = { readonly user: string | undefined } | { readonly error: string }

const forbiddenChars = /[!*[\]{}\\/]/

/**
 * The service account that a project names for a destination: the first entry that fits, as a user name. None: undefined.
 * Globs know no separators and no negation, and the namespace is that of the destination, not of each object.
 *
 * Source: argo-cd v3.5.1 util/settings/impersonation.go DeriveServiceAccountToImpersonate
 */
export function serviceAccountFor(
  project: AppProject,
  app: Application,
  server: string,
): SyncIdentity {
  const namespace = app.spec.destination.namespace ?? ''
  for (const item of project.spec.destinationServiceAccounts ?? []) {
    const text = (field: string): string => String(item[field] ?? '')
    const fitsServer = compileGlob(text('server'))
    if (fitsServer === undefined) {
      return { error: `invalid glob pattern for destination server: ${text('server')}` }
    }
    const fitsNamespace = compileGlob(text('namespace'))
    if (fitsNamespace === undefined) {
      return { error: `invalid glob pattern for destination namespace: ${text('namespace')}` }
    }
    if (!fitsServer(server) || !fitsNamespace(namespace)) continue
    const account = text('defaultServiceAccount')
    if (account.replace(/^ +| +$/g, '') === '' || forbiddenChars.test(account)) {
      return { error: `default service account contains invalid chars '${account}'` }
    }
    if (account.includes(':')) return { user: `system:serviceaccount:${account}` }
    const own = namespace === '' ? (app.metadata.namespace ?? '') : namespace
    return { user: `system:serviceaccount:${own}:${account}` }
  }
  return { user: undefined }
}

/**
 * Who syncs an Application. Where impersonation is enforced nobody does without a matching entry.
 *
 * Source: argo-cd v3.5.1 controller/sync.go SyncAppState
 */
export function syncIdentityOf(
  project: AppProject,
  app: Application,
  server: string,
  { enabled, enforced }: Settings['impersonation'],
): SyncIdentity {
  if (!enabled) return { user: undefined }
  const identity = serviceAccountFor(project, app, server)
  if ('error' in identity) {
    return { error: `failed to derive service account to impersonate: ${identity.error}` }
  }
  if (identity.user !== undefined || !enforced) return identity
  const namespace = app.spec.destination.namespace ?? ''
  return {
    error: `no matching service account found for destination server ${server} and namespace ${namespace}`,
  }
}

/**
 * Who deletes what an Application leaves: as for syncs, but nothing is enforced.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go applyImpersonationConfig
 */
export function deletionIdentityOf(
  project: AppProject,
  app: Application,
  server: string,
  { enabled }: Settings['impersonation'],
): SyncIdentity {
  if (!enabled) return { user: undefined }
  const identity = serviceAccountFor(project, app, server)
  return 'error' in identity
    ? {
        error: `cannot apply impersonation: error deriving service account to impersonate: ${identity.error}`,
      }
    : identity
}
