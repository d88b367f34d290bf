import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import type { ParityCase, RecordedBeat } from '../../packages/core/test/corpus/argocd-cases.ts'
import { compareAnswers } from './compare.ts'

/** Every path to a leaf, as keys. */
function* leaves(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  const entries = Array.isArray(value)
    ? value.map((item, i) => [`${i}`, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : undefined
  if (entries === undefined) yield path
  else for (const [key, item] of entries) yield* leaves(item, [...path, key])
}

function changed(value: Json, path: readonly string[]): Json {
  const [key, ...rest] = path
  if (key === undefined) {
    if (typeof value === 'boolean') return !value
    return typeof value === 'number' ? value + 1 : `${value} changed`
  }
  if (Array.isArray(value))
    return value.map((item, i) => (`${i}` === key ? changed(item, rest) : item))
  const map = value as JsonObject
  return { ...map, [key]: changed(map[key]!, rest) }
}

interface Tried {
  readonly values: number
  /** Where a change went unnoticed; there must be none. */
  readonly missed: readonly string[]
}

/** Changes each value of a beat in turn and looks whether that is noticed. */
function tryEach(beat: RecordedBeat): Tried {
  const paths = [...leaves(beat as JsonObject)].filter((path) => path[0] !== 'beat')
  const missed = paths.filter((path) => {
    const other = changed(beat as JsonObject, path) as RecordedBeat
    return compareAnswers([beat], [other]).length === 0
  })
  return { values: paths.length, missed: missed.map((path) => `${beat.beat}: ${path.join('.')}`) }
}

/**
 * Shows, without any server, that the comparer calls each recorded answer equal to itself and notices a change of any
 * one value in it. Prints a line for each case that fails; the result is the exit code.
 */
export function selfTest(cases: readonly ParityCase[]): number {
  let failed = 0
  let values = 0
  for (const of of cases) {
    const differences = compareAnswers(of.want, of.want)
    const tried = of.want.map(tryEach)
    for (const one of tried) values += one.values
    const missed = tried.flatMap((one) => one.missed)
    if (differences.length === 0 && missed.length === 0) continue
    failed++
    console.log(`${of.name}: ${differences.length} false differences, ${missed.length} unnoticed`)
    for (const path of missed.slice(0, 5)) console.log(`    ${path}`)
  }
  console.log(
    `${cases.length - failed} of ${cases.length} answers hold; each of ${values} values was changed once`,
  )
  return failed > 0 ? 1 : 0
}
