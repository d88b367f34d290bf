import { ClusterError, isLitecdError } from '@litecd/core/errors'
import { getPath, type JsonObject } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf } from '@litecd/core/kube'

/**
 * Where kubectl's messages name the file of a manifest. Parity: Argo CD writes each manifest to a file of an arbitrary
 * number before it calls kubectl's code; there is no file here, but people search for these texts.
 */
export const manifestFile = '/dev/shm/0'

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** `deployment.apps/web`: kubectl's name printer. */
export function printedName(object: JsonObject): string {
  const apiVersion = String(object['apiVersion'] ?? '')
  const kind = String(object['kind'] ?? '').toLowerCase()
  const group = groupOf(apiVersion)
  return `${group === '' ? kind : `${kind}.${group}`}/${nameOf(object) || '<unknown>'}`
}

/** What kubectl prints to its two streams, as one text. Source: argo-cd v3.5.1 gitops-engine resource_ops.go. */
export function joinOutput(out: string, err: string): string {
  return [out.trim(), err.trim()].filter((text) => text !== '').join('. ')
}

/** The doubled spaces are real: kubectl prints the name of its command there, which is empty inside Argo CD. */
export function missingAnnotationWarning(plural: string, name: string): string {
  return (
    `Warning: resource ${plural}/${name} is missing the ${lastApplied} annotation which is required by  apply. ` +
    ' apply should only be used on resources created declaratively by either  create --save-config or  apply. ' +
    'The missing annotation will be patched automatically.\n'
  )
}

/** Empty unless the object is on its way out. */
export function deletingWarning(live: Manifest): string {
  return getPath(live, 'metadata', 'deletionTimestamp') === undefined
    ? ''
    : `Warning: Detected changes to resource ${nameOf(live)} which is currently being deleted.\n`
}

/** Go's `map[…]` dumps and the advice about validation are taken out of messages, as Argo CD does. */
export function cleaned(message: string): string {
  return message
    .trim()
    .replace(/map\[.*\]/g, '')
    .replace(
      '; if you choose to ignore these errors, turn validation off with --validate=false',
      '',
    )
}

/** The same failure with a message that says more; anything that is no ClusterError becomes one of its kind. */
export function reworded(error: unknown, message: (text: string) => string): ClusterError {
  if (error instanceof ClusterError) {
    return new ClusterError(error.code, cleaned(message(error.message)), {
      status: error.status,
      reason: error.reason,
      retryable: error.retryable,
      data: error.data,
      hint: error.hint,
      cause: error,
    })
  }
  if (!isLitecdError(error)) throw error
  return new ClusterError(error.code, cleaned(message(error.message)), { cause: error })
}
