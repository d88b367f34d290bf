import type { ResourceOverride, Settings } from '../argo/index.ts'
import { CompareError } from '../errors/index.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { type LuaResult, runLua } from '../lang/lua/index.ts'
import { parseYaml } from '../yaml/index.ts'
import { scriptKey, scriptsFor } from './script-library.ts'

/** What a user may do to an object. */
export interface ResourceAction {
  readonly name: string
  readonly disabled: boolean
  readonly iconClass?: string
  readonly displayName?: string
  readonly params?: readonly { readonly name: string }[]
}

/** One object that an action creates, or the object it was run on as it is to become. */
export interface ImpactedResource {
  readonly operation: 'create' | 'patch'
  readonly resource: Manifest
}

export interface ActionOptions {
  /** User scripts, from `resource.customizations.actions.*`. */
  readonly overrides?: Settings['overrides']
  /** The folder of scripts; without it there are only the user's. */
  readonly health?: Settings['health']
  /** Milliseconds since 1970, for actions that write the time. */
  readonly clock?: (() => number) | undefined
  /** True gives scripts all libraries, as Argo CD's tests of discovery scripts do; its API server does not. */
  readonly openLibs?: boolean
}

/**
 * The actions for an object, by name: those of the user's discovery script, and those of the library where there is none
 * or it asks to be merged. Empty where nobody wrote a script.
 *
 * Throws CompareError LUA_FAILED or BUDGET_EXCEEDED, YAML_INVALID where the setting cannot be read.
 * Source: argo-cd v3.5.1 util/lua/lua.go GetResourceActionDiscovery, ExecuteResourceActionDiscovery
 */
export function discoverActions(live: Manifest, options: ActionOptions): readonly ResourceAction[] {
  const found = new Map<string, ResourceAction>()
  for (const script of discoveryScripts(live, options)) {
    const json = tableOf(run(live, script, {}, options))
    if (Array.isArray(json) && json.length === 0) continue
    if (!isObject(json)) {
      throw new CompareError(
        'LUA_FAILED',
        'error unmarshaling action table: json: cannot unmarshal array into Go value of type map[string]interface {}',
      )
    }
    for (const [name, value] of Object.entries(json)) {
      if (!found.has(name)) found.set(name, readAction(name, value))
    }
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function discoveryScripts(live: Manifest, options: ActionOptions): readonly string[] {
  const own = userActions(live, options)
  if (own !== undefined && !own.merge) return [own.discovery]
  const shared = options.health && scriptsFor(live, options.health.library)?.discoveryLua
  return [...(own === undefined ? [] : [own.discovery]), ...(shared === undefined ? [] : [shared])]
}

function readAction(name: string, value: Json): ResourceAction {
  if (Array.isArray(value)) return { name, disabled: false }
  const fail = (field: string, want: string): never => {
    throw new CompareError(
      'LUA_FAILED',
      `error unmarshaling resource action: action ${name}: ${field} must be ${want}`,
    )
  }
  if (!isObject(value)) return fail('the value', 'a table')
  const text = (field: string): string | undefined => {
    const found = value[field] ?? undefined
    if (found === undefined || typeof found === 'string') return found
    return fail(field, 'a text')
  }
  const disabled = value['disabled'] ?? false
  if (typeof disabled !== 'boolean') return fail('disabled', 'a boolean')
  const iconClass = text('iconClass')
  const displayName = text('displayName')
  const list = value['params'] ?? []
  if (!Array.isArray(list)) return fail('params', 'a list')
  const params = list.map((item: Json) => {
    const param = isObject(item) ? (item['name'] ?? '') : undefined
    return typeof param === 'string' ? { name: param } : fail('params', 'a list of names')
  })
  return {
    name: text('name') ?? name,
    disabled,
    ...(iconClass === undefined ? {} : { iconClass }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(params.length === 0 ? {} : { params }),
  }
}

/**
 * Runs an action on an object and returns what it changes: nothing is written anywhere. Of an object that is patched,
 * tables that the script left empty are maps again where they were maps before.
 *
 * Throws CompareError LUA_FAILED where there is no such action, the script fails, or returns something else;
 * BUDGET_EXCEEDED where it does not end.
 * Source: argo-cd v3.5.1 util/lua/lua.go GetResourceAction, ExecuteResourceAction
 */
export function runAction(
  live: Manifest,
  name: string,
  parameters: { readonly [name: string]: string },
  options: ActionOptions,
): readonly ImpactedResource[] {
  const script = actionScript(live, name, options)
  const json = tableOf(run(live, script, parameters, options))
  const impacted: readonly ImpactedResource[] = Array.isArray(json)
    ? json.map(readImpacted)
    : [{ operation: 'patch', resource: asManifest(json) }]
  return impacted.map((one) =>
    one.operation === 'patch'
      ? { ...one, resource: cleanMap(one.resource, live) as Manifest }
      : one,
  )
}

function actionScript(live: Manifest, name: string, options: ActionOptions): string {
  const own = userActions(live, options)?.definitions.find((one) => one.name === name)
  if (own !== undefined) return own.script
  const actions = options.health && scriptsFor(live, options.health.library)?.actions
  const script = actions !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (script !== undefined) return script
  throw new CompareError('LUA_FAILED', 'built-in script does not exist', {
    hint: `There is no action ${name} for ${scriptKey(live)}.`,
  })
}

function run(
  live: Manifest,
  script: string,
  parameters: { readonly [name: string]: string },
  { clock, openLibs }: ActionOptions,
): LuaResult {
  return runLua(script, {
    globals: { obj: live as Json, actionParams: parameters },
    libraries: openLibs === true ? 'open' : 'closed',
    ...(clock === undefined ? {} : { clock }),
  })
}

function tableOf({ type, json }: LuaResult): Json {
  if (json !== undefined) return json
  throw new CompareError('LUA_FAILED', `expect table output from Lua script, not ${type}`)
}

function readImpacted(item: Json): ImpactedResource {
  const operation = isObject(item) ? item['operation'] : undefined
  if (operation !== 'create' && operation !== 'patch') {
    throw new CompareError(
      'LUA_FAILED',
      `unsupported operation: ${operation === undefined ? '' : canonicalJson(operation)}`,
    )
  }
  return { operation, resource: asManifest((item as JsonObject)['resource'] ?? null) }
}

function asManifest(value: Json): Manifest {
  const hasKind = isObject(value) && typeof value['kind'] === 'string' && value['kind'] !== ''
  if (hasKind && typeof value['apiVersion'] === 'string') return value as Manifest
  throw new CompareError(
    'LUA_FAILED',
    `Object '${hasKind ? 'apiVersion' : 'Kind'}' is missing in '${canonicalJson(value)}'`,
  )
}

// Lua has one empty table; what it stands for is known from the object before the action
function cleanMap(made: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(made).map(([key, value]): readonly [string, Json] => {
      const old = Object.hasOwn(before, key) ? before[key] : undefined
      if (Array.isArray(value) && value.length === 0 && isObject(old ?? null)) return [key, {}]
      return [key, cleanValue(value, old)]
    }),
  )
}

function cleanValue(value: Json, old: Json | undefined): Json {
  if (old === undefined) return value
  if (isObject(value)) return isObject(old) ? cleanMap(value, old) : value
  if (!Array.isArray(value) || !Array.isArray(old)) return value
  return value.map((item: Json, index): Json => cleanValue(item, old[index] as Json | undefined))
}

interface UserActions {
  readonly merge: boolean
  readonly discovery: string
  readonly definitions: readonly { readonly name: string; readonly script: string }[]
}

/** Of an exact key only. */
function userActions(live: Manifest, { overrides = {} }: ActionOptions): UserActions | undefined {
  const key = scriptKey(live)
  const override: ResourceOverride | undefined = Object.hasOwn(overrides, key)
    ? overrides[key]
    : undefined
  if (override?.actions === undefined || override.actions === '') return undefined
  const value = parseYaml(override.actions)
  const fields = isObject(value) ? value : {}
  const list = fields['definitions'] ?? []
  const text = (found: Json | undefined): string => (typeof found === 'string' ? found : '')
  return {
    merge: fields['mergeBuiltinActions'] === true,
    discovery: text(fields['discovery.lua']),
    definitions: (Array.isArray(list) ? list : []).filter(isObject).map((item: JsonObject) => ({
      name: text(item['name']),
      script: text(item['action.lua']),
    })),
  }
}
