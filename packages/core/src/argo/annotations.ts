import { annotationOf, type Manifest } from '../kube/index.ts'

export const annotationRefresh = 'argocd.argoproj.io/refresh'
export const annotationManifestGeneratePaths = 'argocd.argoproj.io/manifest-generate-paths'
export const annotationSkipReconcile = 'argocd.argoproj.io/skip-reconcile'
export const annotationCompareOptions = 'argocd.argoproj.io/compare-options'
export const annotationSyncOptions = 'argocd.argoproj.io/sync-options'
export const annotationSyncWave = 'argocd.argoproj.io/sync-wave'
export const annotationHook = 'argocd.argoproj.io/hook'
export const annotationHookDeletePolicy = 'argocd.argoproj.io/hook-delete-policy'
export const annotationTrackingId = 'argocd.argoproj.io/tracking-id'
export const annotationInstallationId = 'argocd.argoproj.io/installation-id'
export const annotationIgnoreHealthCheck = 'argocd.argoproj.io/ignore-healthcheck'
export const annotationIgnoreDefaultLinks = 'argocd.argoproj.io/ignore-default-links'
export const annotationIgnoreResourceUpdates = 'argocd.argoproj.io/ignore-resource-updates'
export const annotationDeletionApproved = 'argocd.argoproj.io/deletion-approved'
export const annotationMigrationManager = 'argocd.argoproj.io/client-side-apply-migration-manager'
/** litecd's own: `true` lets failed syncs be rolled back. */
export const annotationAutoRollback = 'litecd.dev/auto-rollback'
/** litecd's own: what was Healthy last, and what was rolled back. */
export const annotationRollbackState = 'litecd.dev/rollback-state'
export const annotationLinkPrefix = 'link.argocd.argoproj.io/'
export const annotationHelmHook = 'helm.sh/hook'
export const annotationHelmHookWeight = 'helm.sh/hook-weight'
export const annotationHelmHookDeletePolicy = 'helm.sh/hook-delete-policy'
export const annotationHelmResourcePolicy = 'helm.sh/resource-policy'
export const annotationLastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
export const labelInstanceDefault = 'app.kubernetes.io/instance'
export const labelInstanceLegacy = 'applications.argoproj.io/app-name'
export const finalizerResources = 'resources-finalizer.argocd.argoproj.io'
export const finalizerPreDelete = 'pre-delete-finalizer.argocd.argoproj.io'
export const finalizerPostDelete = 'post-delete-finalizer.argocd.argoproj.io'
export const finalizerHook = 'argocd.argoproj.io/hook-finalizer'

/** Items of a comma-separated annotation: trimmed, empty and repeated ones dropped, in order. */
export function csvAnnotation(manifest: Manifest, key: string): readonly string[] {
  return parseCsv(annotationOf(manifest, key))
}

const none: readonly string[] = []

export function parseCsv(text: string | undefined): readonly string[] {
  if (text === undefined) return none
  return [...new Set(text.split(',').map((item) => item.trim()))].filter((item) => item !== '')
}

/** Go's strconv.ParseBool; undefined for any other text. */
export function parseGoBool(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  return undefined
}

/** Go's strconv.Atoi on a signed decimal; undefined for any other text or outside int64. */
export function parseGoInt(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined
  const value = Number(text)
  return Math.abs(value) < 2 ** 63 ? value : undefined
}

/**
 * The sync wave: `argocd.argoproj.io/sync-wave`, else `helm.sh/hook-weight` on any object, else 0.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/syncwaves
 */
export function waveOf(manifest: Manifest): number {
  return (
    parseGoInt(annotationOf(manifest, annotationSyncWave)) ??
    parseGoInt(annotationOf(manifest, annotationHelmHookWeight)) ??
    0
  )
}
