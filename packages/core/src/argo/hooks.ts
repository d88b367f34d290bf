import { annotationOf, type Manifest } from '../kube/index.ts'
import { annotationHelmHook, annotationHook, csvAnnotation } from './annotations.ts'
import type { HookType, SyncPhase } from './application.ts'

const argoTypes: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip'])
const helmTypes: { readonly [name: string]: SyncPhase } = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
}

/**
 * Hook types of an object, in order and without repeats. The Helm annotation counts only when the Argo CD one holds no
 * valid type.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/hook, hook/helm
 */
export function hookTypesOf(manifest: Manifest): readonly HookType[] {
  const own = csvAnnotation(manifest, annotationHook).filter((type) => argoTypes.has(type))
  if (own.length > 0) return own as HookType[]
  const mapped = csvAnnotation(manifest, annotationHelmHook).flatMap(
    (type) => helmTypes[type] ?? [],
  )
  return [...new Set(mapped)]
}

/** `hook: Skip` alone: the object is a resource that is never applied. */
export function isSkipped(manifest: Manifest): boolean {
  const types = hookTypesOf(manifest)
  return types.length === 1 && types[0] === 'Skip'
}

/** True for hooks, also for those without any valid type (see {@link isIgnoredHook}). */
export function isHook(manifest: Manifest): boolean {
  if (annotationOf(manifest, annotationHook) !== undefined) return !isSkipped(manifest)
  const helm = annotationOf(manifest, annotationHelmHook)
  return helm !== undefined && helm !== 'crd-install'
}

/** A hook without a type that Argo CD knows (helm `test`, unknown words): dropped without a word. */
export function isIgnoredHook(manifest: Manifest): boolean {
  return isHook(manifest) && hookTypesOf(manifest).length === 0
}

/** PreDelete and PostDelete hooks act when the Application is deleted. The two annotations are read independently. */
export function isDeleteHook(manifest: Manifest, type: 'PreDelete' | 'PostDelete'): boolean {
  const helm = type === 'PreDelete' ? 'pre-delete' : 'post-delete'
  return (
    csvAnnotation(manifest, annotationHook).includes(type) ||
    csvAnnotation(manifest, annotationHelmHook).includes(helm)
  )
}
