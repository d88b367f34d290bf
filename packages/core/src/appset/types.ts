import type { ObjectMeta } from '../argo/index.ts'
import { SpecError } from '../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import { type Manifest, nameOf } from '../kube/index.ts'

/** One item of `generators`: a generator under its kind, and perhaps a selector. */
export interface GeneratorItem {
  readonly selector?: JsonObject
  readonly [kind: string]: Json | undefined
}

export interface ApplicationSet {
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly goTemplate?: boolean
    readonly goTemplateOptions?: readonly string[]
    readonly generators: readonly GeneratorItem[]
    readonly template: JsonObject
    readonly templatePatch?: string
    readonly syncPolicy?: {
      readonly preserveResourcesOnDeletion?: boolean
      readonly applicationsSync?: string
    }
    readonly preservedFields?: {
      readonly annotations?: readonly string[]
      readonly labels?: readonly string[]
    }
    readonly ignoreApplicationDifferences?: readonly {
      readonly name?: string
      readonly jsonPointers?: readonly string[]
      readonly jqPathExpressions?: readonly string[]
    }[]
    readonly strategy?: {
      readonly type?: string
      readonly rollingSync?: { readonly steps?: readonly JsonObject[] }
      readonly deletionOrder?: string
    }
  }
  readonly status?: ApplicationSetStatus
}

export interface SetCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime?: string
}

export type ProgressStatus = 'Waiting' | 'Pending' | 'Progressing' | 'Healthy'

/** One entry of `status.applicationStatus`. */
export interface ApplicationProgress {
  readonly application: string
  readonly lastTransitionTime?: string
  readonly message: string
  readonly status: ProgressStatus
  /** From '1' on; '-1' for an Application in no step. */
  readonly step: string
  readonly targetRevisions: readonly string[]
}

export interface ApplicationSetStatus {
  readonly conditions?: readonly SetCondition[]
  readonly resources?: readonly JsonObject[]
  readonly resourcesCount?: number
  readonly health?: JsonObject
  readonly applicationStatus?: readonly ApplicationProgress[]
}

/** Throws SpecError APPSET_INVALID where generating could not even begin. */
export function readApplicationSet(manifest: Manifest): ApplicationSet {
  const fail = (message: string): never => {
    throw new SpecError('APPSET_INVALID', message, {
      hint: 'Compare it with the ApplicationSet schema of Argo CD v3.5.',
    })
  }
  const spec = manifest['spec']
  if (nameOf(manifest) === '') fail('metadata.name: required')
  if (!isObject(spec)) return fail('spec: required, and an object')
  const { generators, template, goTemplateOptions, templatePatch } = spec
  if (!Array.isArray(generators)) fail('spec.generators: required, and a list')
  else if (!generators.every(isObject)) fail('spec.generators: a list of objects')
  if (!isObject(template)) fail('spec.template: required, and an object')
  if (
    goTemplateOptions !== undefined &&
    !(Array.isArray(goTemplateOptions) && goTemplateOptions.every((one) => typeof one === 'string'))
  ) {
    fail('spec.goTemplateOptions: a list of strings')
  }
  if (templatePatch !== undefined && typeof templatePatch !== 'string') {
    fail('spec.templatePatch: a string')
  }
  return manifest as unknown as ApplicationSet
}
