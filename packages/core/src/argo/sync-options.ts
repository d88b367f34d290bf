import type { Manifest } from '../kube/index.ts'
import { annotationSyncOptions, csvAnnotation } from './annotations.ts'

/** True when the object's own list has exactly this item (`Prune=false`). */
export function hasSyncOption(manifest: Manifest | undefined, option: string): boolean {
  return manifest !== undefined && csvAnnotation(manifest, annotationSyncOptions).includes(option)
}

/** The text after `NAME=` of the first item of that name; undefined when there is none. */
export function syncOptionValue(options: readonly string[], name: string): string | undefined {
  const prefix = name + '='
  return options.find((option) => option.startsWith(prefix))?.slice(prefix.length)
}

export function syncOptionOf(manifest: Manifest | undefined, name: string): string | undefined {
  if (manifest === undefined) return undefined
  return syncOptionValue(csvAnnotation(manifest, annotationSyncOptions), name)
}

/** `Prune=confirm` or `Delete=confirm` on the object, or on the Application where the object says nothing. */
export function requiresDeletionConfirmation(
  manifest: Manifest | undefined,
  appOptions: readonly string[],
): boolean {
  if (manifest === undefined) return false
  return ['Delete', 'Prune'].some(
    (name) => (syncOptionOf(manifest, name) ?? syncOptionValue(appOptions, name)) === 'confirm',
  )
}
