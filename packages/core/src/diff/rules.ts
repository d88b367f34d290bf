import {
  type Application,
  annotationCompareOptions,
  parseCsv,
  type Settings,
  type Tracking,
} from '../argo/index.ts'
import { type Manifest, type MergeTypes, mergeTypesWith } from '../kube/index.ts'
import {
  compileIgnoreRules,
  compileJqDeletion,
  compileKnownTypes,
  type IgnoreRules,
  type JqCompiler,
  type KnownTypes,
  type TrustedManagers,
} from '../normalize/index.ts'
import { withContext } from './context.ts'

/** Everything that decides how the pairs of one Application are compared. */
export interface DiffRules {
  readonly tracking: Tracking
  readonly ignore: IgnoreRules
  readonly knownTypes: KnownTypes
  readonly trustedManagers: TrustedManagers
  /** The schemas for structured merge, server-side diff and trusted managers. */
  readonly mergeTypes: MergeTypes
  /** Whose server-side applies these are: `argocd-controller`. */
  readonly fieldManager: string
  readonly ignoreAggregatedRoles: boolean
  /** The API server is asked what it would make of each target. */
  readonly serverSideDiff: boolean
  /** Server-side apply is computed here; a sync option of a single resource asks for it too. */
  readonly structuredMerge: boolean
  /** With server-side diff: differences that admission webhooks make count as well. */
  readonly includeMutationWebhook: boolean
}

const builtInTypes = mergeTypesWith([])

export interface DiffRuleOptions {
  /** Another jq than the one of this package. */
  readonly compileJq?: JqCompiler
  /** The schemas of all kinds, such as `mergeTypesWith(definitions)`; without it only built-in kinds have one. */
  readonly mergeTypes?: MergeTypes
}

/**
 * The rules of an Application and the settings.
 *
 * Throws CompareError JQ_INVALID with Argo CD's message when a path expression cannot be compiled, wherever it is
 * written and whatever kinds it is for.
 * Source: argo-cd v3.5.1 controller/state.go, util/argo/diff/diff.go
 */
export function compileDiffRules(
  app: Application,
  settings: Settings,
  { compileJq = compileJqDeletion, mergeTypes = builtInTypes }: DiffRuleOptions = {},
): DiffRules {
  const options = parseCsv(app.metadata.annotations?.[annotationCompareOptions])
  const asked = settings.serverSideDiff || options.includes('ServerSideDiff=true')
  const ignoreDifferences = app.spec.ignoreDifferences ?? []
  return {
    tracking: settings.tracking,
    ignore: withContext('failed to create diff normalizer', () =>
      compileIgnoreRules(ignoreDifferences, settings.overrides, compileJq),
    ),
    knownTypes: compileKnownTypes(settings.overrides),
    trustedManagers: { ignoreDifferences, overrides: settings.overrides },
    mergeTypes,
    fieldManager: 'argocd-controller',
    ignoreAggregatedRoles: settings.ignoreAggregatedRoles,
    serverSideDiff: asked && !options.includes('ServerSideDiff=false'),
    structuredMerge: (app.spec.syncPolicy?.syncOptions ?? []).includes('ServerSideApply=true'),
    includeMutationWebhook: options.includes('IncludeMutationWebhook=true'),
  }
}

/** The same rules with the schemas of the kinds that some CustomResourceDefinitions define. */
export function withDefinitions(rules: DiffRules, definitions: readonly Manifest[]): DiffRules {
  if (definitions.length === 0) return rules
  const more = mergeTypesWith(definitions)
  return {
    ...rules,
    mergeTypes: (apiVersion, kind) => rules.mergeTypes(apiVersion, kind) ?? more(apiVersion, kind),
  }
}
