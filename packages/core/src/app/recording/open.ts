import type { Application } from '../../argo/index.ts'
import { getPath, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { annotationsOf, labelsOf, type Manifest, nameOf, namespaceOf } from '../../kube/index.ts'
import { definedKindOf } from '../../sync/index.ts'

const mask = '++++++++'

/** Annotations that say how to sync. */
const openAnnotation = /^(argocd\.argoproj\.io|litecd\.dev|helm\.sh)\//

const containerPaths: readonly (readonly string[])[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
]

/** What a sync looks at in an object, and nothing else. */
export function openManifest(object: Manifest, labelKey: string): Manifest {
  const { apiVersion, kind } = object
  const label = labelsOf(object)[labelKey]
  const annotations = openAnnotations(annotationsOf(object))
  const metadata: { [field: string]: Json } = {}
  const put = (field: string, value: Json | undefined): void => {
    if (value !== undefined) metadata[field] = value
  }
  const text = (field: string): string | undefined => {
    const value = getPath(object, 'metadata', field)
    return typeof value === 'string' ? value : undefined
  }
  put('name', nameOf(object) === '' ? undefined : nameOf(object))
  put('generateName', text('generateName'))
  put('namespace', namespaceOf(object) === '' ? undefined : namespaceOf(object))
  put('uid', text('uid'))
  put('deletionTimestamp', text('deletionTimestamp'))
  put('annotations', annotations)
  put('labels', label === undefined ? undefined : { [labelKey]: label })
  put('finalizers', texts(getPath(object, 'metadata', 'finalizers')))
  put('managedFields', managersOf(object))
  return { apiVersion, kind, metadata, ...specOf(object) }
}

function openAnnotations(all: { readonly [key: string]: string }): JsonObject | undefined {
  const open = Object.entries(all).filter(([key]) => openAnnotation.test(key))
  return open.length === 0 ? undefined : Object.fromEntries(open)
}

function texts(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return value.filter((item) => typeof item === 'string')
}

/** Who has written the object how, without which fields. */
function managersOf(object: Manifest): Json | undefined {
  const entries = getPath(object, 'metadata', 'managedFields')
  if (!Array.isArray(entries)) return undefined
  return entries.filter(isObject).map(({ manager, operation }) => ({
    manager: typeof manager === 'string' ? manager : '',
    operation: typeof operation === 'string' ? operation : '',
  }))
}

/** Images of containers; the kind that a CustomResourceDefinition defines. */
function specOf(object: Manifest): { readonly spec?: Json } {
  if (definedKindOf(object) !== undefined) {
    const group = getPath(object, 'spec', 'group') as string
    const kind = getPath(object, 'spec', 'names', 'kind') as string
    return { spec: { group, names: { kind } } }
  }
  for (const path of containerPaths) {
    const containers = getPath(object, ...path, 'containers')
    if (!Array.isArray(containers)) continue
    const images = containers
      .filter(isObject)
      .flatMap(({ image }) => (typeof image === 'string' ? [{ image }] : []))
    const bottom: Json = { containers: images }
    return path.reduceRight<Json>((inner, field) => ({ [field]: inner }), bottom) as never
  }
  return {}
}

/** Fields of a source that tell where it lies; the others may hold values that nobody should see. */
const openSourceFields = ['repoURL', 'path', 'targetRevision', 'chart', 'ref', 'name'] as const

function openSource(source: JsonObject): JsonObject {
  const open: { [field: string]: Json } = {}
  for (const field of openSourceFields) {
    const value = source[field]
    if (typeof value === 'string') open[field] = field === 'repoURL' ? withoutUser(value) : value
  }
  return open
}

/** A URL without what stands before its host. */
function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}

/**
 * Operations, states and patches of them: sources lose their parameters, local manifests and `info` their contents,
 * texts whatever `scrub` knows.
 */
export function openState(value: Json, scrub: (text: string) => string): Json {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((item) => openState(item, scrub))
  if (!isObject(value)) return value
  const open: { [field: string]: Json } = {}
  for (const [field, item] of Object.entries(value)) open[field] = openField(field, item, scrub)
  return open
}

function openField(field: string, value: Json, scrub: (text: string) => string): Json {
  if (field === 'source' && isObject(value)) return openSource(value)
  if (field === 'sources' && Array.isArray(value)) return value.filter(isObject).map(openSource)
  if (field === 'manifests' && Array.isArray(value)) return value.map(() => mask)
  if (field === 'info' && Array.isArray(value))
    return value.map(() => ({ name: mask, value: mask }))
  // only messages are free text: a Secret's value that happens to be a phase must not change the phase
  if (typeof value === 'string') return field === 'message' ? scrub(value) : value
  return openState(value, scrub)
}

/** The Application as a beat looks at it. */
export function openApplication(app: Application, scrub: (text: string) => string): Application {
  const { metadata, spec, status, operation } = app
  const annotations = openAnnotations(metadata.annotations ?? {})
  const open = {
    apiVersion: app.apiVersion,
    kind: app.kind,
    metadata: {
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(metadata.deletionTimestamp === undefined
        ? {}
        : { deletionTimestamp: metadata.deletionTimestamp }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      project: spec.project,
      destination: spec.destination,
      ...(spec.source === undefined ? {} : { source: spec.source }),
      ...(spec.sources === undefined ? {} : { sources: spec.sources }),
      ...(spec.syncPolicy === undefined ? {} : { syncPolicy: spec.syncPolicy }),
      ...(spec.revisionHistoryLimit === undefined
        ? {}
        : { revisionHistoryLimit: spec.revisionHistoryLimit }),
    },
    status: {
      ...(status?.operationState === undefined ? {} : { operationState: status.operationState }),
      ...(status?.history === undefined ? {} : { history: status.history }),
    },
    ...(operation === undefined ? {} : { operation }),
  }
  return openState(open as unknown as Json, scrub) as unknown as Application
}
