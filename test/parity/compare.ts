import { deepEqual, isObject, type Json, type JsonObject } from '@litecd/core/json'
import type { RecordedBeat } from '../../packages/core/test/corpus/argocd-cases.ts'
import { withoutEmptyStructs } from './normalise.ts'

export interface Difference {
  /** Keys joined by dots, from the label of the beat on. */
  readonly path: string
  /** Undefined where Argo CD has nothing. */
  readonly want: Json | undefined
  /** Undefined where we have nothing. */
  readonly got: Json | undefined
}

/**
 * Names of folders on the machine where the oracle ran, or that litecd does not have: where helm puts what it pulls, and
 * where plugins listen.
 */
const foreignFolders: readonly (readonly [RegExp, string])[] = [
  [/--destination (?:<[^>]+>[^ `]*|[^ `]+)/g, '--destination <folder>'],
  [/dial unix \S+\/plugins\//g, 'dial unix <folder>/plugins/'],
]

function withoutFolders(value: Json): Json {
  if (typeof value === 'string') {
    return foreignFolders.reduce((text, [from, to]) => text.replaceAll(from, to), value)
  }
  if (Array.isArray(value)) return value.map(withoutFolders)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      withoutFolders(key) as string,
      withoutFolders(item),
    ]),
  )
}

/** Holds the keys of a list in their order; compared over the keys that both sides have. */
const orderKey = '(order)'

function keyed(list: Json | undefined, keyOf: (item: JsonObject) => string, order: boolean): Json {
  if (!Array.isArray(list)) return list ?? null
  const map: { [key: string]: Json } = {}
  for (const item of list) {
    const base = keyOf(item as JsonObject)
    let key = base
    for (let n = 2; Object.hasOwn(map, key); n++) key = `${base}#${n}`
    map[key] = item
  }
  return order ? { ...map, [orderKey]: Object.keys(map) } : map
}

function resourceKey(item: JsonObject): string {
  return ['group', 'kind', 'namespace', 'name'].map((key) => `${item[key] ?? ''}`).join('/')
}

/** Within one phase the order means nothing, the order of the phases does. */
function syncResults(list: Json | undefined): Json | undefined {
  if (!Array.isArray(list)) return list
  const phases = (list as readonly JsonObject[]).map((item) => `${item['syncPhase'] ?? ''}`)
  const map = keyed(list, (item) => `${item['syncPhase']} ${resourceKey(item)}`, false)
  return {
    ...(map as JsonObject),
    '(phases)': phases.filter((phase, i) => phase !== phases[i - 1]),
  }
}

/** A bag of texts: text → how often. */
function counted(list: Json | undefined): JsonObject {
  const bag: { [text: string]: number } = {}
  for (const text of (list ?? []) as readonly string[]) bag[text] = (bag[text] ?? 0) + 1
  return bag
}

function put(map: JsonObject, key: string, how: (value: Json) => Json | undefined): JsonObject {
  if (!Object.hasOwn(map, key)) return map
  const { [key]: value, ...rest } = map
  const next = how(value!)
  return next === undefined ? rest : { ...rest, [key]: next }
}

function comparableStatus(status: Json): Json {
  if (!isObject(status)) return status
  let next = put(status, 'resources', (list) => keyed(list, resourceKey, true))
  next = put(next, 'conditions', (list) => keyed(list, (item) => `${item['type']}`, true))
  next = put(next, 'applicationStatus', (list) =>
    keyed(list, (item) => `${item['application']}`, true),
  )
  return put(next, 'operationState', (state) => {
    if (!isObject(state)) return state
    return put(state, 'syncResult', (result) =>
      isObject(result) ? put(result, 'resources', syncResults) : result,
    )
  })
}

function comparableThing(thing: Json): Json {
  if (!isObject(thing)) return thing
  const next = put(withoutEmptyStructs(thing), 'status', comparableStatus)
  return { ...next, events: counted(thing['events']) }
}

function each(map: Json, how: (value: Json) => Json): Json {
  if (!isObject(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, how(value)]))
}

/** A recorded beat as maps that can be compared path by path. */
export function comparable(beat: RecordedBeat): JsonObject {
  const { beat: _, ...parts } = withoutFolders(beat) as RecordedBeat
  let next: JsonObject = { applications: {}, applicationsets: {}, ...parts }
  next = put(next, 'applications', (map) => each(map, comparableThing))
  next = put(next, 'applicationsets', (map) => each(map, comparableThing))
  next = put(next, 'objects', (list) => keyed(list, (item) => `${item['object']}`, false))
  return put(next, 'managed', (map) => each(map, (list) => keyed(list, resourceKey, false)))
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function differ(
  path: string,
  want: Json | undefined,
  got: Json | undefined,
  out: Difference[],
): void {
  if (deepEqual(want, got)) return
  if (isObject(want) && isObject(got)) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      if (key === orderKey) {
        const common = (list: Json | undefined, other: JsonObject): Json =>
          (list as readonly string[]).filter((item) => Object.hasOwn(other, item))
        differ(join(path, key), common(want[key], got), common(got[key], want), out)
      } else differ(join(path, key), want[key], got[key], out)
    }
    return
  }
  if (Array.isArray(want) && Array.isArray(got) && want.length === got.length) {
    for (let i = 0; i < want.length; i++) differ(`${path}[${i}]`, want[i], got[i], out)
    return
  }
  out.push({ path, want, got })
}

/**
 * Every difference between what Argo CD answered and what we did. Both sides are normalised already.
 *
 * `managed` is compared only where our side has it: a controller need not expose its diffs.
 */
export function compareAnswers(
  want: readonly RecordedBeat[],
  got: readonly RecordedBeat[],
): readonly Difference[] {
  const out: Difference[] = []
  const length = Math.max(want.length, got.length)
  for (let i = 0; i < length; i++) {
    const theirs = want[i]
    const ours = got[i]
    const label = `${theirs?.beat ?? ours?.beat}`
    if (theirs === undefined || ours === undefined) {
      const side = (beat: RecordedBeat | undefined): Json | undefined =>
        beat === undefined ? undefined : 'recorded'
      out.push({ path: label, want: side(theirs), got: side(ours) })
      continue
    }
    const { managed, ...rest } = comparable(theirs)
    const withManaged = managed !== undefined && ours['managed'] !== undefined
    differ(label, withManaged ? { ...rest, managed } : rest, comparable(ours), out)
  }
  return out
}

/**
 * Splits off health events that lead from the same first to the same last state by another way: which states in between
 * are seen depends on how soon one looks.
 */
export function splitDetours(differences: readonly Difference[]): {
  readonly rest: readonly Difference[]
  readonly detours: readonly Difference[]
} {
  const pattern = /^(.*)\.events\.Normal ResourceUpdated: Updated health status: (.*) -> (.*)$/
  const steps = new Map<string, { differences: Difference[]; balance: Map<string, number> }>()
  for (const difference of differences) {
    const found = pattern.exec(difference.path)
    if (found === null) continue
    const [, where, from, to] = found as unknown as [string, string, string, string]
    const one = steps.get(where) ?? { differences: [], balance: new Map<string, number>() }
    steps.set(where, one)
    one.differences.push(difference)
    const more = Number(difference.got ?? 0) - Number(difference.want ?? 0)
    one.balance.set(from, (one.balance.get(from) ?? 0) - more)
    one.balance.set(to, (one.balance.get(to) ?? 0) + more)
  }
  const detours = [...steps.values()]
    .filter(({ balance }) => [...balance.values()].every((count) => count === 0))
    .flatMap((one) => one.differences)
  return { rest: differences.filter((one) => !detours.includes(one)), detours }
}
