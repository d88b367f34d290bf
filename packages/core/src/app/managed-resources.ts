import { type Application, isDeleteHook, isHook, type Settings } from '../argo/index.ts'
import { compileDiffRules, maskDiff, type ResourceDiff } from '../diff/index.ts'
import { type Manifest, nameOf, type ResourceKey } from '../kube/index.ts'

/** An object of an Application as it was compared, for showing: of Secrets nothing but masks. */
export interface ManagedResource extends ResourceKey {
  /** What the sources ask for; undefined where nothing does. */
  readonly targetState: Manifest | undefined
  readonly liveState: Manifest | undefined
  /** Live as it was compared. */
  readonly normalizedLiveState: Manifest | undefined
  /** What live would be after a sync. */
  readonly predictedLiveState: Manifest | undefined
  readonly modified: boolean
}

/**
 * The diffs of a comparison as Argo CD's API shows them (`/api/v1/applications/NAME/managed-resources`): without hooks.
 *
 * Throws CompareError where the Application's rules cannot be read or a masked Secret cannot be compared.
 * Source: argo-cd v3.5.1 controller/appcontroller.go hideSecretData
 */
export function managedResources(
  diffs: readonly ResourceDiff[],
  app: Application,
  settings: Settings,
): readonly ManagedResource[] {
  const rules = compileDiffRules(app, settings)
  return diffs.filter(isManaged).map((diff) => {
    const { key, target, live, normalizedLive, predictedLive, modified } = maskDiff(
      diff,
      rules,
      settings.maskedAnnotations,
    )
    return {
      ...key,
      // of objects with generateName the key has a made-up name
      name: nameOf((live ?? target)!),
      targetState: target,
      liveState: live,
      normalizedLiveState: normalizedLive,
      predictedLiveState: predictedLive,
      modified,
    }
  })
}

function isManaged({ target, live }: ResourceDiff): boolean {
  const object = (live ?? target)!
  return !(
    isHook(object) ||
    isDeleteHook(object, 'PreDelete') ||
    isDeleteHook(object, 'PostDelete')
  )
}
