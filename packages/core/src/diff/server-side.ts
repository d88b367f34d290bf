import { annotationLastApplied } from '../argo/index.ts'
import { CompareError } from '../errors/index.ts'
import { deletePath, isObject, type Json, type JsonObject } from '../json/index.ts'
import {
  combine,
  compareTyped,
  entriesOf,
  FieldSet,
  fieldsOf,
  type Manifest,
  nameOf,
  ownedFields,
  removeFields,
  UnreadableEntry,
} from '../kube/index.ts'
import { withContext } from './context.ts'
import { remarshal } from './remarshal.ts'
import { expectFit, kindText, type StructuredMergeRules, typeOf } from './structured-merge.ts'
import { type Prediction, prediction } from './three-way.ts'

/** What the API server answered to a dry run of a server-side apply. */
export type DryRunAnswer =
  | {
      /** The object it would store, managed fields included. */
      readonly object: Manifest
    }
  | { readonly error: string }

interface ServerSideRules extends StructuredMergeRules {
  readonly includeMutationWebhook: boolean
  /** What holds for the kind, ignore rules and known types; undefined when a rule ignores the object as a whole. */
  readonly normalize: (manifest: Manifest) => Manifest | undefined
}

/**
 * Compares the live object with what the API server would make of it. What admission webhooks would change is taken out
 * again, unless it is asked for.
 *
 * Throws CompareError DIFF_FAILED with Argo CD's message where the dry run failed, or where nobody described the kind.
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go serverSideDiff
 */
export function serverSideDiff(
  target: Manifest,
  live: Manifest,
  answer: DryRunAnswer,
  rules: ServerSideRules,
): Prediction {
  return withContext('error calculating server side diff: serverSideDiff error', () => {
    const resource = `${target.kind}/${nameOf(target)}`
    if ('error' in answer) {
      throw new CompareError(
        'DIFF_FAILED',
        `error running server side apply in dryrun mode for resource ${resource}: ${answer.error}`,
      )
    }
    const predicted = rules.includeMutationWebhook
      ? answer.object
      : withContext(`error removing non config mutations for resource ${resource}`, () =>
          withoutWebhookChanges(answer.object, live, rules),
        )
    const [before, after] = [rules.normalize(live), rules.normalize(remarshal(predicted))]
    return prediction(withoutBookkeeping(before), withoutBookkeeping(after))
  })
}

function withoutBookkeeping(manifest: Manifest | undefined): JsonObject {
  const object = deletePath((manifest ?? {}) as Manifest, 'metadata', 'managedFields')
  const plain = deletePath(object, 'metadata', 'resourceVersion')
  return deletePath(plain, 'metadata', 'annotations', annotationLastApplied)
}

/** What only others own is as it is in the live object; what Argo CD owns is as the server would have it. */
function withoutWebhookChanges(
  predicted: Manifest,
  live: Manifest,
  { mergeTypes, fieldManager }: StructuredMergeRules,
): Manifest {
  if (entriesOf(predicted).length === 0) {
    throw new CompareError(
      'DIFF_FAILED',
      `predictedLive for resource ${predicted.kind}/${nameOf(predicted)} must have the managedFields`,
    )
  }
  const type = typeOf(predicted, mergeTypes)
  const what = `state from unstructured to ${kindText(predicted)}`
  expectFit(predicted, type, `converting predicted live ${what}`)
  expectFit(live, type, `converting live ${what}`)
  const own = fieldsOfManager(predicted, fieldManager)
  if (own.isEmpty) {
    const message = `no managed fields found for manager: ${fieldManager}`
    throw new CompareError('DIFF_FAILED', message)
  }
  const foreign = withoutOwnedAncestors(ownedFields(predicted, type).difference(own), own)
  const removed = compareTyped(live, predicted, type).removed.difference(foreign)
  const kept = removeFields(predicted, withoutCompositeKeys(foreign), type)
  return removeFields(combine(live, kept, type), removed, type) as Manifest
}

function fieldsOfManager(object: JsonObject, name: string): FieldSet {
  try {
    return entriesOf(object)
      .map((entry) => ({ manager: entry['manager'], fields: fieldsOf(entry) }))
      .filter(({ manager }) => manager === name)
      .reduce((all, { fields }) => all.union(fields), new FieldSet())
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error
    throw new CompareError('DIFF_FAILED', `error building managedFields set: ${error.message}`)
  }
}

/** To remove a field is to remove all below it: what holds something that Argo CD owns must stay. */
function withoutOwnedAncestors(foreign: FieldSet, own: FieldSet): FieldSet {
  return FieldSet.of(
    [...foreign.paths()].filter((path) => {
      let below: FieldSet | undefined = own
      for (const step of path) below = below?.below(step)
      return below === undefined || below.isEmpty
    }),
  )
}

/** Fields that are one of several keys of a list item must stay for the item to be found. */
function withoutCompositeKeys(fields: FieldSet): FieldSet {
  return FieldSet.of([...fields.paths()].filter((path) => !isCompositeKey(path)))
}

function isCompositeKey(path: readonly string[]): boolean {
  const last = path.at(-1)!
  if (!last.startsWith('f:')) return false
  return path.slice(0, -1).some((step) => {
    if (!step.startsWith('k:')) return false
    const key = JSON.parse(step.slice(2)) as Json
    return isObject(key) && Object.keys(key).length > 1 && Object.hasOwn(key, last.slice(2))
  })
}
