import { labelInstanceDefault } from './annotations.ts'
import type { Tracking } from './tracking.ts'

/** What ConfigMaps argocd-cm and argocd-cmd-params-cm say, as far as the core reads them. Source: spec of argo-cd v3.5.1. */
export interface Settings {
  readonly tracking: Tracking
  /** Which source types are rendered as themselves; a disabled one falls back to Directory. */
  readonly sourceTypes: {
    readonly helm: boolean
    readonly kustomize: boolean
    readonly jsonnet: boolean
  }
  readonly kustomizeBuildOptions: string
  readonly kustomizeVersions: readonly string[]
  /** Lower-case schemes that Helm value files may have. */
  readonly helmValuesFileSchemes: readonly string[]
  /** Keyed by `group/Kind`, `Kind` for core kinds, or a glob over that text. */
  readonly overrides: { readonly [key: string]: ResourceOverride }
  readonly health: HealthSettings
  readonly ignoreAggregatedRoles: boolean
  readonly ignoreDifferencesOnResourceUpdates: boolean
  readonly ignoreResourceUpdatesEnabled: boolean
  readonly exclusions: readonly FilteredResource[]
  readonly inclusions: readonly FilteredResource[]
  readonly maskedAnnotations: readonly string[]
  readonly globalProjects: readonly {
    readonly labelSelector: unknown
    readonly projectName: string
  }[]
  readonly inClusterEnabled: boolean
  readonly impersonation: { readonly enabled: boolean; readonly enforced: boolean }
  /** Projects that ask for signed commits get what they ask for. */
  readonly verifiesCommits: boolean
  /** Where Argo CD's own objects live. */
  readonly controllerNamespace: string
  /** Globs (or /regular expressions/) of other namespaces that may hold Applications. */
  readonly applicationNamespaces: readonly string[]
  /** Combined size of the manifests of one directory source, bytes. */
  readonly maxManifestBytes: number
  readonly serverSideDiff: boolean
  readonly selfHeal: SelfHealSettings
  /** litecd's own: failed syncs are rolled back unless the Application says otherwise. */
  readonly autoRollback: boolean
  readonly timeouts: {
    readonly reconciliationMs: number
    readonly jitterMs: number
    readonly hardReconciliationMs: number
    readonly repoErrorGraceMs: number
    readonly syncMs: number
    readonly syncWaveDelayMs: number
  }
}

export interface SelfHealSettings {
  readonly timeoutMs: number
  readonly backoffInitialMs: number
  readonly backoffFactor: number
  readonly backoffCapMs: number
}

/** What decides the health of objects besides the user's overrides. No setting of Argo CD: flags of litecd. */
export interface HealthSettings {
  /** Scripts of a folder laid out like Argo CD's library, by the folder of a kind: `group/Kind`; `_` is any text. */
  readonly library: { readonly [folder: string]: KindScripts }
  /** Of kinds nobody wrote a check for: none, or what kstatus says of any object. */
  readonly unknown: 'none' | 'kstatus'
}

/** The Lua scripts for one kind, or for the kinds that a pattern fits. */
export interface KindScripts {
  readonly healthLua?: string
  readonly discoveryLua?: string
  /** By the name of the action. */
  readonly actions: { readonly [name: string]: string }
}

export interface ResourceOverride {
  readonly healthLua?: string
  readonly useOpenLibs?: boolean
  /** YAML: `mergeBuiltinActions`, `discovery.lua` and `definitions`; read when an action is asked for. */
  readonly actions?: string
  readonly ignoreDifferences?: IgnoreRuleSet
  readonly ignoreResourceUpdates?: IgnoreRuleSet
  readonly knownTypeFields?: readonly { readonly field: string; readonly type: string }[]
}

export interface IgnoreRuleSet {
  readonly jsonPointers: readonly string[]
  readonly jqPathExpressions: readonly string[]
  readonly managedFieldsManagers: readonly string[]
}

export interface FilteredResource {
  readonly apiGroups: readonly string[]
  readonly kinds: readonly string[]
  readonly clusters: readonly string[]
}

const builtInExclusions: readonly FilteredResource[] = [
  { apiGroups: ['events.k8s.io', 'metrics.k8s.io'], kinds: [], clusters: [] },
  { apiGroups: [''], kinds: ['Event'], clusters: [] },
  { apiGroups: ['coordination.k8s.io'], kinds: ['Lease'], clusters: [] },
]

/** What Argo CD v3.5.1 does with empty ConfigMaps. */
export const defaultSettings: Settings = {
  tracking: { method: 'annotation', labelKey: labelInstanceDefault, installationId: '' },
  sourceTypes: { helm: true, kustomize: true, jsonnet: true },
  kustomizeBuildOptions: '',
  kustomizeVersions: [],
  helmValuesFileSchemes: ['https', 'http'],
  overrides: {
    '*/*': {
      ignoreDifferences: {
        jsonPointers: ['/status'],
        jqPathExpressions: [],
        managedFieldsManagers: [],
      },
    },
  },
  health: { library: {}, unknown: 'none' },
  ignoreAggregatedRoles: false,
  ignoreDifferencesOnResourceUpdates: true,
  ignoreResourceUpdatesEnabled: true,
  exclusions: builtInExclusions,
  inclusions: [],
  maskedAnnotations: [],
  globalProjects: [],
  inClusterEnabled: true,
  impersonation: { enabled: false, enforced: true },
  verifiesCommits: true,
  controllerNamespace: 'argocd',
  applicationNamespaces: [],
  maxManifestBytes: 10_000_000,
  serverSideDiff: false,
  autoRollback: false,
  selfHeal: { timeoutMs: 0, backoffInitialMs: 2_000, backoffFactor: 3, backoffCapMs: 300_000 },
  timeouts: {
    reconciliationMs: 120_000,
    jitterMs: 60_000,
    hardReconciliationMs: 0,
    repoErrorGraceMs: 180_000,
    syncMs: 0,
    syncWaveDelayMs: 2_000,
  },
}
