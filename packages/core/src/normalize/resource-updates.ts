import {
  annotationIgnoreResourceUpdates,
  parseGoBool,
  type ResourceOverride,
  type Settings,
} from '../argo/index.ts'
import { canonicalJson } from '../json/index.ts'
import { annotationsOf, groupOf, type Manifest } from '../kube/index.ts'
import { sha256, textToBytes, toHex } from '../text/index.ts'
import {
  applyIgnoreRules,
  compileIgnoreRules,
  type IgnoreRules,
  type JqCompiler,
} from './ignore.ts'
import { compileJqDeletion } from './jq.ts'

const always = ['/metadata/resourceVersion', '/metadata/generation', '/metadata/managedFields']

/**
 * What is not looked at when a live object was updated: `ignoreResourceUpdates` of the settings, with their
 * `ignoreDifferences` unless these are kept apart, and what every update changes. Undefined where the settings let every
 * update count.
 *
 * Throws CompareError JQ_INVALID where a path expression cannot be compiled.
 * Source: argo-cd v3.5.1 util/settings/settings.go GetIgnoreResourceUpdatesOverrides
 */
export function compileUpdateRules(
  settings: Settings,
  compileJq: JqCompiler = compileJqDeletion,
): IgnoreRules | undefined {
  if (!settings.ignoreResourceUpdatesEnabled) return undefined
  const both = settings.ignoreDifferencesOnResourceUpdates
  const overrides: { [key: string]: ResourceOverride } = {}
  for (const key of new Set([...Object.keys(settings.overrides), '*/*'])) {
    const override = Object.hasOwn(settings.overrides, key) ? settings.overrides[key] : undefined
    const sets = [override?.ignoreResourceUpdates, both ? override?.ignoreDifferences : undefined]
    overrides[key] = {
      ignoreDifferences: {
        jsonPointers: [
          ...sets.flatMap((set) => set?.jsonPointers ?? []),
          ...(key === '*/*' ? always : []),
        ],
        jqPathExpressions: sets.flatMap((set) => set?.jqPathExpressions ?? []),
        managedFieldsManagers: [],
      },
    }
  }
  return compileIgnoreRules([], overrides, compileJq)
}

/**
 * Whether updates of a live object can be told apart: it belongs to an Application, is one, or asks for it.
 *
 * Source: argo-cd v3.5.1 controller/cache/cache.go shouldHashManifest
 */
export function hasFingerprint(live: Manifest, isTracked: boolean): boolean {
  const isApplication = live.kind === 'Application' && groupOf(live.apiVersion) === 'argoproj.io'
  if (isTracked || isApplication) return true
  return parseGoBool(annotationsOf(live)[annotationIgnoreResourceUpdates]) === true
}

/** Equal for two states of an object whose differences are all ignored; with the same health none needs a comparison. */
export function updateFingerprint(live: Manifest, rules: IgnoreRules): string {
  const { manifest } = applyIgnoreRules(live, rules)
  return toHex(sha256(textToBytes(canonicalJson(manifest ?? null))))
}
