import type { HealthStatus, HealthStatusCode, ResourceOverride } from '../argo/index.ts'
import { CompareError } from '../errors/index.ts'
import { isObject, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { type LuaClock, runLua } from '../lang/lua/index.ts'
import { matchGlob } from '../text/index.ts'
import { scriptKey } from './script-library.ts'

const codes = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
] as const satisfies readonly HealthStatusCode[]

/**
 * The user's own check for an object's kind: of an exact key, or else of the first glob that fits.
 *
 * Parity: Argo CD takes any of several globs that fit, at random; here it is the first as they are written. `*` crosses
 * the slash, but a key with a slash never fits a core kind.
 * Source: argo-cd v3.5.1 util/lua/lua.go GetHealthScript
 */
export function findOverride(
  live: Manifest,
  overrides: { readonly [key: string]: ResourceOverride },
): ResourceOverride | undefined {
  const key = scriptKey(live)
  const exact = Object.hasOwn(overrides, key) ? overrides[key] : undefined
  if (hasScript(exact)) return exact
  return Object.entries(overrides).find(
    ([pattern, override]) => hasScript(override) && matchGlob(pattern, key),
  )?.[1]
}

function hasScript(override: ResourceOverride | undefined): boolean {
  return override?.healthLua !== undefined && override.healthLua !== ''
}

export interface ScriptRun {
  readonly openLibs: boolean
  /** For `os.time` and `os.date`. */
  readonly clock?: LuaClock | undefined
}

/**
 * What a script says of an object. Undefined for an empty answer, which hides the built-in checks of the kind. Throws
 * CompareError LUA_FAILED or BUDGET_EXCEEDED.
 *
 * Source: argo-cd v3.5.1 util/lua/lua.go ExecuteHealthLua
 */
export function runHealthScript(
  live: Manifest,
  script: string,
  { openLibs, clock }: ScriptRun,
): HealthStatus | undefined {
  const { type, json } = runLua(script, {
    globals: { obj: live as Json, actionParams: {} },
    libraries: openLibs ? 'open' : 'closed',
    ...(clock === undefined ? {} : { clock }),
  })
  if (type === 'nil') return undefined
  if (json === undefined) {
    throw new CompareError('LUA_FAILED', `expect table output from Lua script, not ${type}`)
  }
  // what Go's decoder cannot put into its struct counts as nothing
  if (!isObject(json)) return undefined
  const { status = '', message = '' } = json
  if (typeof status !== 'string' || typeof message !== 'string') return undefined
  if (!isCode(status)) {
    return { status: 'Unknown', message: 'Lua returned an invalid health status' }
  }
  return { status, ...(message === '' ? {} : { message }) }
}

function isCode(text: string): text is HealthStatusCode {
  return codes.some((code) => code === text)
}
