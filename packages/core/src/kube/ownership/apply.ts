import { deepEqual, type JsonObject } from '../../json/index.ts'
import { combine } from './combine.ts'
import type { FieldSet } from './field-set.ts'
import { isOwnEntry, readManagers } from './managers.ts'
import type { MergeType } from './merge-type.ts'
import { ownedFields } from './owned-fields.ts'
import { reconcileFields } from './reconcile.ts'
import { removeFields } from './remove.ts'

export interface ServerSideApply {
  /** Both fit the type. */
  readonly live: JsonObject
  readonly config: JsonObject
  readonly type: MergeType
  readonly manager: string
}

/**
 * What a server-side apply of `config` makes of `live`, conflicts forced: fields of the config are set; fields that the
 * manager applied before and does not any more go, unless somebody else owns them. Undefined when nothing changes.
 *
 * Nothing is converted: what managers own in other versions of the kind counts as owned by nobody, and nothing goes when
 * the config is of another version than the live object. Throws UnreadableEntry for managed fields that cannot be read.
 * Source: sigs.k8s.io/structured-merge-diff/v6 v6.3.2 merge/update.go; argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go
 */
export function applyOwned({
  live,
  config,
  type,
  manager,
}: ServerSideApply): JsonObject | undefined {
  const version = live['apiVersion']
  const owners = readManagers(live).filter((owner) => owner.version === version)
  const merged = combine(live, config, type) as JsonObject
  const last = owners.find((owner) => isOwnEntry(owner, manager))
  const result =
    last === undefined || config['apiVersion'] !== version
      ? merged
      : prune(
          merged,
          reconcileFields(last.fields, type),
          owners
            .filter((owner) => owner !== last)
            .map((owner) => reconcileFields(owner.fields, type))
            .reduce((all, fields) => all.union(fields), ownedFields(config, type)),
          type,
        )
  return deepEqual(live, result) ? undefined : result
}

/** Takes away what was applied last (`last`) and is neither applied now nor owned by anybody else (`owned`). */
function prune(merged: JsonObject, last: FieldSet, owned: FieldSet, type: MergeType): JsonObject {
  if (last.isEmpty) return merged
  const named = (object: JsonObject): FieldSet => ownedFields(object, type).withNamedFields(type)
  const without = (fields: FieldSet): JsonObject =>
    (removeFields(merged, fields, type) ?? {}) as JsonObject
  const all = named(merged)
  const lastNamed = last.withNamedFields(type)
  const kept = without(all.difference(named(without(lastNamed)).union(owned.withNamedFields(type))))
  // what went without having been applied, because something around it went, comes back
  return without(all.difference(named(kept)).intersection(lastNamed))
}
