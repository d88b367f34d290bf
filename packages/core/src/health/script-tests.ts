import type { HealthStatus } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { dirName, type FileTree, joinPath, readText, walkFiles } from '../files/index.ts'
import { canonicalJson, deepEqual, isObject, type Json, type JsonObject } from '../json/index.ts'
import { groupOf, keyOf, type Manifest, nameOf } from '../kube/index.ts'
import { parseYaml } from '../yaml/index.ts'
import { type ActionOptions, discoverActions, type ImpactedResource, runAction } from './actions.ts'
import { runHealthScript } from './custom.ts'
import { findHealthScript, readScriptLibrary, scriptKey } from './script-library.ts'

export interface ScriptTestOptions {
  /** The folder of the tree that holds the library; the root when absent. */
  readonly dir?: string
  /** Milliseconds since 1970 that scripts are told. */
  readonly now?: number
}

export interface ScriptTestResult {
  /** For the title of a test: the folder, the action where there is one, and the input. */
  readonly name: string
  /** The file that asks for the test. */
  readonly path: string
  /** What was expected and what came instead; absent when they are equal. */
  readonly failure?: string
}

/**
 * Runs the tests that lie beside Lua scripts in Argo CD's layout: `health_test.yaml` in the folder of a kind and
 * `actions/action_test.yaml` below it. Results are in the order of the files and of the tests in them. A test that
 * cannot be read is a failure, too; nothing is thrown.
 *
 * Scripts may use the libraries that Argo CD gives them: all of them in checks, none but a safe `os` in actions. What an
 * action writes that depends on the time is not compared.
 *
 * Source: argo-cd v3.5.1 util/lua/health_test.go, custom_actions_test.go
 *
 * @example
 * for (const { name, failure } of testScripts(tree)) it(name, () => expect(failure).toBeUndefined())
 */
export function testScripts(
  tree: FileTree,
  options: ScriptTestOptions = {},
): readonly ScriptTestResult[] {
  const dir = options.dir ?? ''
  const suite: Suite = {
    tree,
    library: readScriptLibrary(tree, dir),
    now: options.now ?? Date.UTC(2001, 1, 3, 4, 5, 6),
  }
  const results: ScriptTestResult[] = []
  for (const { path, entry } of walkFiles(tree, dir)) {
    if (entry.kind !== 'file') continue
    const folder = dirName(path)
    const title = dir === '' ? folder : folder.slice(dir.length + 1)
    if (entry.name === 'health_test.yaml') results.push(...healthTests(suite, path, title))
    if (entry.name === 'action_test.yaml') results.push(...actionTests(suite, path, title))
  }
  return results
}

interface Suite {
  readonly tree: FileTree
  readonly library: ReturnType<typeof readScriptLibrary>
  readonly now: number
}

class Mismatch extends Error {}

function attempt(name: string, path: string, run: () => void): ScriptTestResult {
  try {
    run()
    return { name, path }
  } catch (error) {
    if (!(error instanceof Mismatch) && !isLitecdError(error)) throw error
    return { name, path, failure: error.message }
  }
}

/** The entries of a list in a test file, each with the title of its test; a file that cannot be read is one failure. */
function* entriesIn(
  suite: Suite,
  path: string,
  field: string,
): Generator<{ readonly entry: JsonObject } | { readonly problem: string }> {
  let value: Json
  try {
    value = readYaml(suite, path)
  } catch (error) {
    if (!(error instanceof Mismatch) && !isLitecdError(error)) throw error
    yield { problem: error.message }
    return
  }
  const list = isObject(value) ? (value[field] ?? []) : undefined
  if (!Array.isArray(list) || !list.every(isObject)) {
    yield { problem: `${path}: ${field} must be a list of objects` }
    return
  }
  for (const entry of list as readonly JsonObject[]) yield { entry }
}

function healthTests(suite: Suite, path: string, title: string): readonly ScriptTestResult[] {
  return [...entriesIn(suite, path, 'tests')].map((item) => {
    if ('problem' in item) return { name: title, path, failure: item.problem }
    const input = textOf(fieldOf(item.entry, 'inputPath'))
    return attempt(`${title} ${input}`, path, () => {
      const live = readManifest(suite, joinPath(dirName(path), input))
      const script = findHealthScript(live, suite.library)
      if (script === undefined) throw new Mismatch(`there is no health.lua for ${scriptKey(live)}`)
      const clock = (): number => suite.now
      const found = runHealthScript(live, script, { openLibs: true, clock })
      const wanted = fieldOf(item.entry, 'healthStatus')
      const expected = isObject(wanted ?? null) ? (wanted as JsonObject) : {}
      const isSame =
        textOf(fieldOf(expected, 'status')) === (found?.status ?? '') &&
        textOf(fieldOf(expected, 'message')) === (found?.message ?? '')
      if (!isSame) throw new Mismatch(`expected ${showHealth(expected)}, got ${showHealth(found)}`)
    })
  })
}

function showHealth(health: JsonObject | HealthStatus | undefined): string {
  const { status, message } = (health ?? {}) as { status?: Json; message?: Json }
  const text = textOf(message)
  return `${textOf(status) || 'no health'}${text === '' ? '' : ` ${JSON.stringify(text)}`}`
}

function actionTests(suite: Suite, path: string, title: string): readonly ScriptTestResult[] {
  const results: ScriptTestResult[] = []
  for (const item of entriesIn(suite, path, 'discoveryTests')) {
    if ('problem' in item) return [{ name: title, path, failure: item.problem }]
    const input = textOf(fieldOf(item.entry, 'inputPath'))
    results.push(
      attempt(`${title} discovery ${input}`, path, () =>
        discoveryTest(suite, dirName(path), item.entry),
      ),
    )
  }
  for (const item of entriesIn(suite, path, 'actionTests')) {
    if ('problem' in item) {
      results.push({ name: title, path, failure: item.problem })
      continue
    }
    const input = textOf(fieldOf(item.entry, 'inputPath'))
    results.push(
      attempt(`${title} ${textOf(fieldOf(item.entry, 'action'))} ${input}`, path, () =>
        actionTest(suite, dirName(path), item.entry),
      ),
    )
  }
  return results
}

function discoveryTest(suite: Suite, dir: string, entry: JsonObject): void {
  const live = readManifest(suite, joinPath(dir, textOf(fieldOf(entry, 'inputPath'))))
  const options: ActionOptions = { ...actionOptions(suite, suite.now), openLibs: true }
  const found = discoverActions(live, options)
  const list = fieldOf(entry, 'result') ?? []
  const expected = (Array.isArray(list) ? list : []).filter(isObject).map(plainAction)
  const actions = found.map((action) => plainAction(action as unknown as JsonObject))
  const extra = actions.find((one) => !expected.some((other) => deepEqual(one, other)))
  if (extra !== undefined) throw new Mismatch(`not expected: ${canonicalJson(extra)}`)
  const absent = expected.find((one) => !actions.some((other) => deepEqual(one, other)))
  if (absent !== undefined) throw new Mismatch(`expected, and not there: ${canonicalJson(absent)}`)
}

/** What there is of an action, with what is empty left out. */
function plainAction(action: JsonObject): JsonObject {
  const params = fieldOf(action, 'params') ?? []
  const names = (Array.isArray(params) ? params : [])
    .filter(isObject)
    .map((param) => textOf(fieldOf(param, 'name')))
  const fields: JsonObject = {
    name: fieldOf(action, 'name') ?? null,
    disabled: fieldOf(action, 'disabled') ?? null,
    iconClass: fieldOf(action, 'iconClass') ?? null,
    displayName: fieldOf(action, 'displayName') ?? null,
    params: names.join(','),
  }
  const isEmpty = (value: Json): boolean => value === null || value === '' || value === false
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function actionTest(suite: Suite, dir: string, entry: JsonObject): void {
  const live = readManifest(suite, joinPath(dir, textOf(fieldOf(entry, 'inputPath'))))
  const action = textOf(fieldOf(entry, 'action'))
  const parameters = textsOf(fieldOf(entry, 'parameters'))
  const wantedError = textOf(fieldOf(entry, 'expectedErrorMessage'))
  const runAt = (now: number): readonly ImpactedResource[] =>
    runAction(live, action, parameters, actionOptions(suite, now))
  let found: readonly ImpactedResource[]
  try {
    found = runAt(suite.now)
  } catch (error) {
    if (wantedError === '' || !isLitecdError(error)) throw error
    if (error.message === wantedError) return
    throw new Mismatch(`expected the error ${JSON.stringify(wantedError)}, got ${error.message}`)
  }
  if (wantedError !== '') {
    throw new Mismatch(`expected the error ${JSON.stringify(wantedError)}, got none`)
  }
  // another time: what differs depends on the clock
  const later = runAt(suite.now + (((366 + 31) * 24 + 1) * 60 + 1) * 61_000)
  const expected = readExpected(suite, joinPath(dir, textOf(fieldOf(entry, 'expectedOutputPath'))))
  if (found.length !== expected.length) {
    throw new Mismatch(`expected ${expected.length} objects, got ${found.length}`)
  }
  found.forEach(({ operation, resource }, index) => {
    const other = later[index]?.resource
    if (operation === 'patch' && !deepEqual({ ...keyOf(resource) }, { ...keyOf(live) })) {
      throw new Mismatch(`only the object itself can be patched, not ${nameOf(resource)}`)
    }
    const problems = expected.map((one) => difference(comparable(one), resource, other, ''))
    if (problems.includes(undefined)) return
    throw new Mismatch(problems[Math.min(index, problems.length - 1)] ?? 'nothing is expected')
  })
}

/** Of workloads the status is their controller's, and examples carry any. */
function comparable(expected: JsonObject): JsonObject {
  const version = textOf(expected['apiVersion'])
  return groupOf(version) === 'apps' ? { ...expected, status: null } : expected
}

function actionOptions(suite: Suite, now: number): ActionOptions {
  return { health: { library: suite.library, unknown: 'none' }, clock: () => now }
}

// the API server's own fields: actions do not set them, and examples carry any value
const servers = [
  '.metadata.creationTimestamp',
  '.metadata.generation',
  '.metadata.resourceVersion',
  '.metadata.uid',
]

/**
 * The first difference, told; undefined when there is none. As in a comparison by `kubectl diff`, fields beyond the
 * expected ones do not count; null expects nothing in particular, and what is empty counts as absent.
 */
function difference(
  expected: Json | undefined,
  found: Json | undefined,
  later: Json | undefined,
  path: string,
): string | undefined {
  if (servers.includes(path) || expected === null) return undefined
  if (isObject(expected ?? null) && isObject(found ?? {})) {
    const right = (found ?? {}) as JsonObject
    const after = isObject(later ?? null) ? (later as JsonObject) : {}
    for (const [key, value] of Object.entries(expected as JsonObject)) {
      const told = difference(value, right[key], after[key], `${path}.${key}`)
      if (told !== undefined) return told
    }
    return undefined
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    const after = Array.isArray(later) ? later : []
    for (const [index, item] of expected.entries()) {
      const told = difference(item, found[index], after[index], `${path}[${index}]`)
      if (told !== undefined) return told
    }
    return undefined
  }
  const dependsOnTime = !deepEqual(found ?? null, later ?? null)
  if (dependsOnTime || deepEqual(plain(expected), plain(found))) return undefined
  return `${path.slice(1)}: expected ${show(expected)}, got ${show(found)}`
}

function plain(value: Json | undefined): Json {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.length === 0) return null
  return isObject(value) && Object.keys(value).length === 0 ? null : value
}

function show(value: Json | undefined): string {
  return value === undefined || value === null ? 'nothing' : canonicalJson(value)
}

/** Of the old style one object, of the new one a list of `unstructuredObj`. */
function readExpected(suite: Suite, path: string): readonly JsonObject[] {
  const value = readYaml(suite, path)
  if (isObject(value)) return [value]
  if (!Array.isArray(value)) throw new Mismatch(`${path}: must be an object or a list`)
  return value.map((item: Json, index) => {
    const object = isObject(item) ? item['unstructuredObj'] : undefined
    if (object !== undefined && isObject(object)) return object
    throw new Mismatch(`${path}: entry ${index + 1} has no unstructuredObj`)
  })
}

function readYaml({ tree }: Suite, path: string): Json {
  const text = readText(tree, path)
  if (text === undefined) throw new Mismatch(`${path}: no such file`)
  return parseYaml(text, { path, numbers: 'int64' })
}

function readManifest(suite: Suite, path: string): Manifest {
  const value = readYaml(suite, path)
  if (isObject(value) && typeof value['kind'] === 'string') return value as Manifest
  throw new Mismatch(`${path}: is no Kubernetes object`)
}

/** As Go's decoder finds fields: by their name, or else whatever their case. */
function fieldOf(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name]
  const lower = name.toLowerCase()
  const key = Object.keys(object).find((one) => one.toLowerCase() === lower)
  return key === undefined ? undefined : object[key]
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: Json | undefined): { readonly [name: string]: string } {
  if (!isObject(value ?? null)) return {}
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, text]) => [name, String(text)]),
  )
}
