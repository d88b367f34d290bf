import type { ApplyOptions, WriteResult } from '@litecd/core/adapters'
import type { Manifest } from '@litecd/core/kube'
import { manifestFile, printedName, reworded } from './messages.ts'
import { atVersionOf, type RemoteObject } from './objects.ts'

const goneLimitMs = 300_000 // kubectl v0.36.1 pkg/cmd/replace/replace.go: 5 minutes

function suffix(options: ApplyOptions): string {
  if (options.dryRun === 'none') return ''
  return options.dryRun === 'client' ? ' (dry run)' : ' (server dry run)'
}

/** `kubectl replace`, with `force` by delete and create. Source: kubectl v0.36.1 pkg/cmd/replace. */
export async function replaceObject(
  remote: RemoteObject,
  target: Manifest,
  options: ApplyOptions,
  programManager: string,
): Promise<WriteResult> {
  const { dryRun } = options
  const send = { fieldManager: programManager, dryRun: dryRun !== 'none' }
  const done = `${printedName(target)} replaced${suffix(options)}`
  if (dryRun === 'client') return { live: undefined, message: done }
  if (options.force && dryRun === 'none') {
    try {
      await remote.delete({ propagationPolicy: 'Background' })
    } catch (error) {
      throw reworded(error, (text) => text)
    }
    await remote.whenGone(goneLimitMs)
    const made = await remote.create(target, send).catch((error: unknown) => {
      throw reworded(error, (text) => text)
    })
    const [kind] = printedName(target).split('/')
    const place = remote.resource.namespaced ? ` from ${remote.namespace} namespace` : ''
    return { live: made, message: `${kind} "${remote.name}" deleted${place}\n${done}` }
  }
  try {
    // Without a version of its own the target takes whatever is there now.
    const live = await remote.find()
    const versioned = live === undefined ? target : atVersionOf(target, live)
    return { live: await remote.update(versioned, send), message: done }
  } catch (error) {
    throw reworded(error, (text) => `error when replacing "${manifestFile}": ${text}`)
  }
}

/** `kubectl create`. No last-applied annotation is stored. */
export async function createObject(
  remote: RemoteObject,
  target: Manifest,
  options: ApplyOptions,
  programManager: string,
): Promise<WriteResult> {
  if (options.dryRun === 'client') {
    return { live: undefined, message: `${printedName(target)} created (dry run)` }
  }
  try {
    const dryRun = options.dryRun === 'server'
    const made = await remote.create(target, { fieldManager: programManager, dryRun })
    return { live: made, message: `${printedName(made)} created${suffix(options)}` }
  } catch (error) {
    throw reworded(error, (text) => text)
  }
}
