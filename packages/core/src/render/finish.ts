import { setTracking, type Tracking } from '../argo/index.ts'
import { RenderError } from '../errors/index.ts'
import { isObject, type Json } from '../json/index.ts'
import { groupOf, type Manifest } from '../kube/index.ts'
import type { FieldTrace, RenderedManifest } from './types.ts'

/**
 * What follows every engine: Lists are replaced by their items (one level), and every object gets tracking.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go GenerateManifests
 */
export function finishManifests(
  rendered: readonly RenderedManifest[],
  app: { readonly appName: string; readonly namespace: string; readonly tracking: Tracking },
): readonly RenderedManifest[] {
  const out: RenderedManifest[] = []
  for (const { manifest, origin, trace } of rendered) {
    const items = expandList(manifest)
    const isList = items[0] !== manifest
    for (const [index, item] of items.entries()) {
      const own = trace !== undefined && isList ? itemTrace(trace, index) : trace
      const rest = own === undefined ? {} : { trace: own }
      out.push({ manifest: track(item, app), origin, ...rest })
    }
  }
  return out
}

function itemTrace(trace: FieldTrace, index: number): FieldTrace {
  return { causesOf: (path) => trace.causesOf(['items', index, ...path]) }
}

function expandList(manifest: Manifest): readonly Manifest[] {
  const items = manifest['items']
  if (Array.isArray(items)) {
    return items.map((item: Json) => {
      if (!isObject(item)) {
        throw new RenderError('MANIFEST_INVALID', 'resource list item has unexpected type')
      }
      return item as Manifest
    })
  }
  if (
    Object.hasOwn(manifest, 'items') &&
    items === null &&
    !Object.hasOwn(manifest, 'spec') &&
    !Object.hasOwn(manifest, 'status')
  ) {
    return []
  }
  return [manifest]
}

function track(
  manifest: Manifest,
  app: { readonly appName: string; readonly namespace: string; readonly tracking: Tracking },
): Manifest {
  const group = typeof manifest.apiVersion === 'string' ? groupOf(manifest.apiVersion) : ''
  if (group === 'apiextensions.k8s.io' && manifest.kind === 'CustomResourceDefinition')
    return manifest
  if (app.appName === '' || app.tracking.labelKey === '') return manifest
  try {
    return setTracking(manifest, app.appName, app.namespace, app.tracking)
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    throw new RenderError(
      'MANIFEST_INVALID',
      `failed to set app instance tracking info on manifest: ${error.message}`,
      {
        cause: error,
        hint: 'Labels and annotations must be maps of strings: quote numbers and booleans.',
      },
    )
  }
}
