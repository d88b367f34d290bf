import type { Application } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import {
  formatJson,
  isObject,
  type Json,
  type JsonObject,
  mergePatch,
  parseJson,
} from '../json/index.ts'
import { quoteGo } from '../text/index.ts'
import { convertPrefix, parseYaml } from '../yaml/index.ts'
import { decodeProblem } from './decode.ts'
import { appsetError, messageOf } from './fail.ts'
import { fillEmpty, type Params } from './params.ts'
import type { Renderer } from './render.ts'
import type { ApplicationSet } from './types.ts'

const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io'

/** The set's template with what a generator's own one says before it. */
export function templateFor(set: ApplicationSet, own: JsonObject | undefined): JsonObject {
  return own === undefined ? set.spec.template : fillEmpty(own, set.spec.template)
}

/**
 * The Application of one set of parameters. An empty set of parameters leaves the template as it is.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/template/template.go, utils RenderTemplateParams
 */
export function renderApplicationOf(
  set: ApplicationSet,
  template: JsonObject,
  params: Params,
  renderer: Renderer,
): Application {
  const isEmpty = Object.keys(params).length === 0
  const rendered = (isEmpty ? template : renderer.deep(template, params)) as JsonObject
  const metadata = isObject(rendered['metadata']) ? rendered['metadata'] : {}
  let app: JsonObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: isEmpty ? metadata : withFinalizer(metadata, set),
    spec: rendered['spec'] ?? {},
  }
  const { templatePatch } = set.spec
  if (templatePatch !== undefined && templatePatch !== '') {
    app = patched(app, renderPatch(templatePatch, params, renderer))
  }
  const namespace = set.metadata.namespace
  return {
    ...app,
    metadata: {
      ...(app['metadata'] as JsonObject),
      ...(namespace === undefined ? {} : { namespace }),
    },
  } as unknown as Application
}

function withFinalizer(metadata: JsonObject, set: ApplicationSet): JsonObject {
  const { finalizers } = metadata
  if (Array.isArray(finalizers) && finalizers.length > 0) return metadata
  if (set.spec.syncPolicy?.preserveResourcesOnDeletion === true) return metadata
  return { ...metadata, finalizers: [resourcesFinalizer] }
}

function renderPatch(text: string, params: Params, renderer: Renderer): string {
  try {
    return renderer.text(text, params)
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
    throw appsetError(`error replacing values in templatePatch: ${error.message}`, error)
  }
}

/**
 * The Application with a patch: lists are replaced but for finalizers, which are added to, null removes, and the project
 * stays as it was.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/template/patch.go
 */
function patched(app: JsonObject, text: string): JsonObject {
  const json = text.startsWith('{') ? text : jsonOfYaml(text)
  const refuse = (reason: string, cause?: unknown): never => {
    throw appsetError(`invalid templatePatch ${quoteGo(json)}: ${reason}`, cause)
  }
  const patch = parseJson(json, ({ message }) => refuse(message))
  const problem = decodeProblem(patch)
  if (problem !== undefined || !isObject(patch)) return refuse(problem ?? 'it is null')
  const out = mergePatch(app, withoutDirectives(patch)) as JsonObject
  const before = app['metadata'] as JsonObject
  const wanted = isObject(patch['metadata']) ? patch['metadata'] : {}
  const kept = Array.isArray(before['finalizers']) ? before['finalizers'] : []
  const metadata: { [key: string]: Json } = { ...(out['metadata'] as JsonObject) }
  if (Array.isArray(wanted['finalizers'])) {
    metadata['finalizers'] = [...new Set([...kept, ...wanted['finalizers']])]
  }
  const removed = wanted['$deleteFromPrimitiveList/finalizers']
  if (Array.isArray(removed)) {
    const left = (metadata['finalizers'] as readonly Json[] | undefined) ?? []
    metadata['finalizers'] = left.filter((one) => !removed.includes(one))
  }
  const project = (app['spec'] as JsonObject)['project']
  const spec = { ...(out['spec'] as JsonObject), ...(project === undefined ? {} : { project }) }
  return { ...out, metadata, spec }
}

function withoutDirectives(value: Json): Json {
  if (!isObject(value)) return value
  const out: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(value)) {
    if (!key.startsWith('$')) out[key] = withoutDirectives(item)
  }
  return out
}

function jsonOfYaml(text: string): string {
  try {
    return formatJson(parseYaml(text))
  } catch (error) {
    const message = messageOf(error)
    const bare = message.startsWith(convertPrefix) ? message.slice(convertPrefix.length) : message
    throw appsetError(`error while converting template to json ${quoteGo(text)}: ${bare}`, error)
  }
}
