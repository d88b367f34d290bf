import { annotationLastApplied } from '../argo/index.ts'
import { CompareError } from '../errors/index.ts'
import { deletePath, type JsonObject } from '../json/index.ts'
import {
  applyOwned,
  groupOf,
  type Manifest,
  type MergeType,
  type MergeTypes,
  misfit,
  UnreadableEntry,
  versionOf,
} from '../kube/index.ts'
import { withContext } from './context.ts'
import { addDefaultsOrFail } from './defaults.ts'
import { type Prediction, prediction } from './three-way.ts'

export interface StructuredMergeRules {
  readonly mergeTypes: MergeTypes
  /** Whose applies these are. */
  readonly fieldManager: string
}

/**
 * What a server-side apply of the target would make of the live object, computed here.
 *
 * Throws CompareError DIFF_FAILED with Argo CD's message where the schema is not known, or target or live do not fit it.
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go structuredMergeDiff
 */
export function structuredMergeDiff(
  target: Manifest,
  live: Manifest,
  { mergeTypes, fieldManager }: StructuredMergeRules,
): Prediction {
  return withContext('error calculating structured merge diff', () => {
    const type = typeOf(target, mergeTypes)
    expectFit(live, type, 'building typed value from live resource')
    expectFit(target, type, 'building typed value from config resource')
    const merged = merge(target, live, type, fieldManager)
    if (merged === undefined) return prediction(live, live)
    const predicted = finish(merged, 'predicted live')
    return prediction(finish(live, 'live'), predicted)
  })
}

/** The schema that an object is read with. Throws CompareError DIFF_FAILED when there is none. */
export function typeOf(manifest: Manifest, mergeTypes: MergeTypes): MergeType {
  const { apiVersion, kind } = manifest
  const type = mergeTypes(apiVersion, kind)
  if (type !== undefined) return type
  throw new CompareError(
    'DIFF_FAILED',
    `unable to resolve parseableType for GroupVersionKind: ${kindText(manifest)}`,
    {
      hint: 'The CustomResourceDefinition of this kind must be known to compare it field by field.',
    },
  )
}

/** `apps/v1, Kind=Deployment`, or `/v1, Kind=Service`. */
export function kindText({ apiVersion, kind }: Manifest): string {
  return `${groupOf(apiVersion)}/${versionOf(apiVersion)}, Kind=${kind}`
}

/** Throws CompareError DIFF_FAILED where an object does not fit its schema; `what` was tried with it. */
export function expectFit(object: JsonObject, type: MergeType, what: string): void {
  const problem = misfit(object, type)
  if (problem !== undefined) throw new CompareError('DIFF_FAILED', `error ${what}: ${problem}`)
}

function merge(
  target: Manifest,
  live: Manifest,
  type: MergeType,
  manager: string,
): JsonObject | undefined {
  try {
    return applyOwned({ live, config: target, type, manager })
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error
    throw new CompareError(
      'DIFF_FAILED',
      `error calculating diff: error decoding managed fields: ${error.message}`,
    )
  }
}

function finish(object: JsonObject, what: string): JsonObject {
  const plain = deletePath(object, 'metadata', 'annotations', annotationLastApplied) as Manifest
  const { apiVersion, kind } = plain
  return withContext(`error applying default values in ${what}`, () =>
    addDefaultsOrFail(plain, { apiVersion, kind }),
  )
}
