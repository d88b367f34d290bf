import { formatJson, type Json, type JsonObject } from '../../json/index.ts'
import { formatYaml } from '../../yaml/index.ts'
import type { FieldTrace } from '../types.ts'
import { Accumulator } from './accumulator.ts'
import { concealing, shownObject } from './conceal.ts'
import { fieldSpec } from './config.ts'
import { inLevel, wrap } from './fail.ts'
import type { HelmHost } from './helm-host.ts'
import { effectiveNamespace } from './id.ts'
import type { Kustomization } from './kustomization.ts'
import { Level } from './level.ts'
import { Loader, type Remotes, type Volume } from './loader.ts'
import { orderObjects } from './order.ts'
import { originName, originText, transformationsName, transformationsText } from './origin-text.ts'
import { addHashes } from './plugins.ts'
import { checkMeta, localConfig } from './read.ts'
import { fixReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { type BuildLimits, BuildSession } from './session.ts'
import { stepAt } from './trace/index.ts'
import { setTexts } from './transform.ts'
import { resolveVars } from './vars.ts'

export interface BuildOptions {
  /** Files may only be read in or below the folder that names them; true if not given. */
  readonly rootOnly?: boolean
  /** Order of the output where the root file says nothing: `legacy` if not given. */
  readonly reorder?: 'legacy' | 'none' | undefined
  readonly managedByLabel?: boolean
  readonly helm?: HelmHost
  readonly remotes: Remotes
  readonly limits?: BuildLimits
  /** The root file, edited in memory. */
  readonly kustomization?: Kustomization | undefined
  /** Told every warning as it comes up. */
  readonly warn?: (line: string) => void
  /** Told what kustomize logs, without the time before it. */
  readonly log?: (line: string) => void
  /** Notes what made each field: {@link BuiltObject.trace}. Costs time and memory. */
  readonly traceFields?: boolean
}

export interface BuiltObject {
  readonly value: JsonObject
  readonly file: string
  readonly line: number | undefined
  /** Files that shaped it since, in order. */
  readonly inputs: readonly string[]
  /** What made each field, when {@link BuildOptions.traceFields} asks for it. */
  readonly trace: FieldTrace | undefined
  /** The namespace that counts, `default` where none is written; '' for objects outside of namespaces. */
  readonly scope: string
}

export interface Build {
  readonly objects: readonly BuiltObject[]
  readonly warnings: readonly string[]
}

const version = 'v5.8.1'
const noHelm: HelmHost = { enabled: false }

/**
 * Builds a kustomization.
 *
 * Errors: KUSTOMIZE_FAILED in kustomize's words; BUDGET_EXCEEDED; RENDER_UNSUPPORTED for plugins that would run programs.
 * Source: kustomize v5.8.1 api/krusty/kustomizer.go
 */
export function buildKustomization(volume: Volume, path: string, options: BuildOptions): Build {
  const session = new BuildSession(options.helm ?? noHelm, options)
  const loader = Loader.start(volume, path, options.rootOnly ?? true, options.remotes)
  const root = new Level(session, loader, { kustomization: options.kustomization })
  const { kustomization } = root
  session.useOpenApi(kustomization.openapi, loader, true)
  const metadata = kustomization.buildMetadata ?? []
  if (metadata.length > 0) root.trackOrigins()
  const all = root.accumulate(new Accumulator())
  try {
    return finishBuild(session, root.kustomization, all, options)
  } catch (error) {
    throw inLevel(error, root.file.path)
  }
}

/** What happens once, to the objects of all levels. */
function finishBuild(
  session: BuildSession,
  kustomization: Kustomization,
  all: Accumulator,
  options: BuildOptions,
): Build {
  const metadata = kustomization.buildMetadata ?? []
  const settle = (kind: 'transformer', text: string): void => {
    const touched = all.objects.takeTouched()
    if (session.trace === undefined) return
    const step = stepAt(kind, text)
    for (const resource of touched) session.trace.after(resource, step)
  }
  addHashes(all.objects)
  settle('transformer', 'hash of the content')
  fixReferences(all.objects, all.config.nameReference)
  settle('transformer', 'name of another object')
  const unused = resolveVars(all.objects, all.vars, all.config.varReference)
  if (unused.length > 0) {
    session.log(`well-defined vars that were never replaced: ${unused.join(',')}`)
  }
  settle('transformer', 'vars')
  all.objects.replaceAll(all.objects.list.filter(isKept))
  if (kustomization.sortOptions !== undefined && options.reorder !== undefined) {
    session.log(orderedTwice)
  }
  const order = kustomization.sortOptions ?? {
    order: options.reorder === 'none' ? 'fifo' : 'legacy',
  }
  all.objects.replaceAll(orderObjects(all.objects.list, order))
  if (options.managedByLabel === true || metadata.includes('managedByLabel')) {
    const labels = { 'app.kubernetes.io/managed-by': `kustomize-${version}` }
    setTexts(all.objects, labels, [fieldSpec('metadata/labels', true)])
    settle('transformer', 'managedByLabel')
  }
  const objects = all.objects.list.map((resource) => ({
    ...finish(resource, metadata),
    trace: session.trace?.of(resource),
  }))
  return { objects, warnings: session.warnings }
}

const orderedTwice =
  "Warning: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag ('--reorder'). Using the " +
  'kustomization file over the CLI flag.'

function isKept(resource: Resource): boolean {
  if (resource.node === undefined || resource.node.content.length === 0) return false
  try {
    checkMeta(resource.node)
  } catch {
    checkMeta(resource.withNotes()) // the message shows the notes
  }
  const mark = resource.annotations().get(localConfig)
  return mark === undefined || mark === 'false'
}

const internalName =
  /^internal\.config\.kubernetes\.io\/(?:previousKinds|previousNames|prefixes|suffixes|previousNamespaces|allowNameChange|allowKindChange|refBy|generatorBehavior|needsHashSuffix|path|index|seqindent|id|annotations-migration-resource-id|helm-generated)$/
const legacyNames = ['config.kubernetes.io/path', 'config.kubernetes.io/index', 'config.k8s.io/id']

function finish(resource: Resource, metadata: readonly string[]): Omit<BuiltObject, 'trace'> {
  const annotations = resource.annotations()
  for (const name of [...annotations.keys()]) {
    if (internalName.test(name) || legacyNames.includes(name)) annotations.delete(name)
  }
  const set = (name: string, isWanted: boolean, text: string | undefined): void => {
    if (!isWanted) annotations.delete(name)
    else if (text !== undefined) annotations.set(name, text)
  }
  const { origin, transformations } = resource
  set(
    originName,
    metadata.includes('originAnnotations'),
    origin === undefined ? undefined : originText(origin),
  )
  set(
    transformationsName,
    metadata.includes('transformerAnnotations'),
    transformations.length === 0 ? undefined : transformationsText(transformations),
  )
  resource.setTexts('annotations', annotations)
  let value: Json
  try {
    value = concealing(resource.kind, () => resource.toJson())
  } catch (error) {
    throw wrap(error, 'map[string]interface {}(nil)', {
      path: resource.file,
      ...(resource.line === undefined ? {} : { line: resource.line }),
    })
  }
  return {
    value: value as JsonObject,
    file: resource.file,
    line: resource.line,
    inputs: resource.inputs,
    scope: resource.isClusterScoped() ? '' : effectiveNamespace(resource.id),
  }
}

/** What `kustomize build` prints. */
export function buildText(build: Build): string {
  return build.objects
    .map(({ value, file, line }) => {
      try {
        return formatYaml(value)
      } catch (error) {
        throw wrap(error, formatJson(shownObject(value)), {
          path: file,
          ...(line === undefined ? {} : { line }),
        })
      }
    })
    .join('---\n')
}
