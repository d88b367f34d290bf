import type { JsonObject } from '../json/index.ts'
import type { Destination, ObjectMeta } from './application.ts'

/** argoproj.io/v1alpha1 AppProject. */
export interface AppProject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly spec: AppProjectSpec
  readonly status?: JsonObject
  /** Not part of the object: clusters scoped to the project, filled in when the effective project is made. */
  readonly scopedClusters?: readonly { readonly server: string; readonly name: string }[]
  /** Nor is this: patterns with `!` only deny, as the guide promises; otherwise one that does not hit permits. */
  readonly strictDenies?: boolean
}

export interface KindPattern {
  readonly group: string
  readonly kind: string
  /** Globs over names; only in cluster resource lists. */
  readonly name?: string
}

export interface AppProjectSpec {
  readonly description?: string
  readonly sourceRepos?: readonly string[]
  readonly destinations?: readonly Destination[]
  readonly sourceNamespaces?: readonly string[]
  readonly clusterResourceWhitelist?: readonly KindPattern[]
  readonly clusterResourceBlacklist?: readonly KindPattern[]
  readonly namespaceResourceWhitelist?: readonly KindPattern[]
  readonly namespaceResourceBlacklist?: readonly KindPattern[]
  /** Its presence asks for a search; a warning needs `warn: true`. */
  readonly orphanedResources?: {
    readonly warn?: boolean
    readonly ignore?: readonly {
      readonly group?: string
      readonly kind?: string
      readonly name?: string
    }[]
  }
  readonly roles?: readonly JsonObject[]
  readonly syncWindows?: readonly SyncWindow[]
  readonly signatureKeys?: readonly { readonly keyID: string }[]
  readonly permitOnlyProjectScopedClusters?: boolean
  readonly destinationServiceAccounts?: readonly JsonObject[]
  readonly sourceIntegrity?: JsonObject
}

export interface SyncWindow {
  readonly kind?: 'allow' | 'deny'
  readonly schedule?: string
  readonly duration?: string
  readonly applications?: readonly string[]
  readonly namespaces?: readonly string[]
  readonly clusters?: readonly string[]
  readonly manualSync?: boolean
  readonly timeZone?: string
  readonly andOperator?: boolean
  readonly syncOverrun?: boolean
  readonly description?: string
}
