import type { IgnoreDifference, Settings } from '../argo/index.ts'
import { CompareError } from '../errors/index.ts'
import type { JsonObject } from '../json/index.ts'
import {
  compareTyped,
  deducedType,
  entriesOf,
  type FieldSet,
  fieldsOf,
  formatSteps,
  groupOf,
  type Manifest,
  type MergeType,
  misfit,
  nameOf,
  namespaceOf,
  removeFields,
  UnreadableEntry,
} from '../kube/index.ts'
import { matchGlob } from '../text/index.ts'

/** Whose changes win over the target, by object. */
export interface TrustedManagers {
  readonly ignoreDifferences: readonly IgnoreDifference[]
  readonly overrides: Settings['overrides']
}

/**
 * The managers of `managedFieldsManagers` that are trusted with an object: those of the settings for exactly its group
 * and kind, those for everything, then those of the Application.
 *
 * Source: argo-cd v3.5.1 util/argo/diff/ignore.go
 */
export function trustedManagersOf(
  target: Manifest,
  { ignoreDifferences, overrides }: TrustedManagers,
): ReadonlySet<string> {
  const group = groupOf(target.apiVersion)
  const inSettings = [`${group}/${target.kind}`, '*/*'].flatMap((key) =>
    Object.hasOwn(overrides, key)
      ? (overrides[key]!.ignoreDifferences?.managedFieldsManagers ?? [])
      : [],
  )
  const inApplication = ignoreDifferences
    .filter(
      (entry) =>
        matchGlob(entry.group ?? '', group) &&
        matchGlob(entry.kind, target.kind) &&
        ((entry.name ?? '') === '' || entry.name === nameOf(target)) &&
        ((entry.namespace ?? '') === '' || entry.namespace === namespaceOf(target)),
    )
    .flatMap((entry) => entry.managedFieldsManagers ?? [])
  return new Set([...inSettings, ...inApplication])
}

export interface TrustedFields {
  readonly target: Manifest
  readonly live: Manifest
  /** What was taken from both, by manager: paths such as `.spec.replicas`. */
  readonly removed: readonly { readonly manager: string; readonly fields: readonly string[] }[]
}

/**
 * Takes from both objects the fields that trusted managers own and that differ. Without a schema lists are owned as one;
 * objects that do not fit theirs stay as they are.
 *
 * Throws CompareError DIFF_FAILED for an entry of a trusted manager that cannot be read.
 * Source: argo-cd v3.5.1 util/argo/managedfields/managed_fields.go
 */
export function withoutTrustedFields(
  target: Manifest,
  live: Manifest,
  managers: ReadonlySet<string>,
  schema: MergeType | undefined,
): TrustedFields {
  const entries = entriesOf(live).filter(({ manager }) => managers.has(manager as string))
  const unchanged: TrustedFields = { target, live, removed: [] }
  if (entries.length === 0) return unchanged
  const type = schema ?? deducedType
  if (misfit(live, type) !== undefined || misfit(target, type) !== undefined) return unchanged
  const { modified } = compareTyped(live, target, type)
  return entries.reduce<TrustedFields>((state, entry) => {
    const manager = entry['manager'] as string
    const fields = readEntry(entry, manager).intersection(modified)
    if (fields.isEmpty) return state
    return {
      target: removeFields(state.target, fields, type) as Manifest,
      live: removeFields(state.live, fields, type) as Manifest,
      removed: [...state.removed, { manager, fields: [...fields.paths()].map(formatSteps) }],
    }
  }, unchanged)
}

function readEntry(entry: JsonObject, manager: string): FieldSet {
  try {
    return fieldsOf(entry)
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error
    const message = `error normalizing manager ${manager}: ${error.message}`
    throw new CompareError('DIFF_FAILED', message)
  }
}
