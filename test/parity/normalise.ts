import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import type {
  Names,
  ParityCase,
  RecordedBeat,
} from '../../packages/core/test/corpus/argocd-cases.ts'

/** Folders of the controller under test, which its messages may name. */
export interface RunNames extends Names {
  readonly workFolders: readonly string[]
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b\d{1,2}:\d\d(?:AM|PM)\b/g, '<time>'], // when a retry is due
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b10\.0\.0\.\d{1,3}\b/g, '<clusterIP>'],
  [/-(presync|sync|postsync|syncfail|predelete|postdelete)-\d{10}\b/g, '-$1-<unix>'],
  [/\/(?:dev\/shm|tmp)\/\d+/g, '<file>'],
]

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A function that puts the placeholders of FORMAT.md in place of what varies from run to run. */
export function contraction(names: RunNames, same: ParityCase['same']): (text: string) => string {
  const literals: (readonly [string, string])[] = [
    [names.token, '$TOKEN'],
    [names.repo, '$REPO'],
    [names.charts, '$CHARTS'],
    [names.server, '$SERVER'],
    [names.namespace, '$NS'],
    [names.app, '$APP'],
    ...names.workFolders.map((folder) => [folder, '<work>'] as const),
    ...names.commits.map((sha, i) => [sha, `<commit ${i + 1}>`] as const),
  ]
  const shorts = names.commits.flatMap((sha, i) => {
    const whole = (length: number): RegExp =>
      new RegExp(`(?<![0-9a-f])${escaped(sha.slice(0, length))}(?![0-9a-f])`, 'g')
    return [
      [whole(8), `<commit ${i + 1} short8>`],
      [whole(7), `<commit ${i + 1} short>`],
    ] as const
  })
  return (text) => {
    let result = text
    for (const [from, to] of literals) if (from !== '') result = result.replaceAll(from, to)
    for (const [from, to] of [...shorts, ...patterns, ...same]) {
      result = result.replaceAll(from, to)
    }
    return result
  }
}

function rename(value: Json, contract: (text: string) => string): Json {
  if (typeof value === 'string') return contract(value)
  if (Array.isArray(value)) return value.map((item) => rename(item, contract))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      contract(key),
      key === 'nodePort' && typeof item === 'number' ? '<nodePort>' : rename(item, contract),
    ]),
  )
}

/** The answer of a run in the words of a recorded one. */
export function normalise(
  beats: readonly RecordedBeat[],
  names: RunNames,
  of: ParityCase,
): readonly RecordedBeat[] {
  const contract = contraction(names, of.same)
  return beats.map((beat) => ({ ...(rename(beat, contract) as RecordedBeat), beat: beat.beat }))
}

function without(map: Json | undefined, keys: readonly string[]): Json | undefined {
  if (!isObject(map)) return map
  const isEmpty = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0
  return Object.fromEntries(
    Object.entries(map).filter(([key, value]) => !(keys.includes(key) && isEmpty(value))),
  )
}

function change(map: JsonObject, key: string, how: (value: Json) => Json | undefined): JsonObject {
  const value = map[key]
  if (value === undefined) return map
  const next = how(value)
  const { [key]: _, ...rest } = map
  return next === undefined ? rest : { ...map, [key]: next }
}

function onObject(how: (value: JsonObject) => Json | undefined): (value: Json) => Json | undefined {
  return (value) => (isObject(value) ? how(value) : value)
}

const plainOperation = onObject((operation) => without(operation, ['initiatedBy', 'retry']))

/**
 * An Application without the empty structs that Argo CD's encoder writes or not, depending on who wrote the object
 * last; a reader must take `{}` and absence for the same. `operation.sync` is a pointer: there `{}` means something.
 */
export function withoutEmptyStructs(application: JsonObject): JsonObject {
  const status = onObject((value) => {
    let next = without(value, ['sync', 'health', 'summary', 'sourceHydrator']) as JsonObject
    next = change(
      next,
      'sync',
      onObject((sync) => {
        const compared = change(
          sync,
          'comparedTo',
          onObject((to) => without(to, ['source', 'destination'])),
        )
        return without(compared, ['comparedTo'])
      }),
    )
    next = change(next, 'history', (history) =>
      Array.isArray(history)
        ? history.map((entry) => without(entry, ['source', 'initiatedBy'])!)
        : history,
    )
    return change(
      next,
      'operationState',
      onObject((state) => change(state, 'operation', plainOperation)),
    )
  })
  return change(change(application, 'status', status), 'operation', plainOperation)
}
