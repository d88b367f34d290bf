import type { HealthStatus, HealthStatusCode } from '../../argo/index.ts'
import { getPath, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { groupOf, type Manifest } from '../../kube/index.ts'
import { stops } from './stops.ts'
import { cannotIndex, pathOf, stop, typeName } from './strict.ts'

/** Undefined: the check has nothing to say, which counts as no health. Throws CompareError where it cannot go on. */
export type Rule = (facts: Facts) => HealthStatus | undefined
export type Rules = { readonly [groupKind: string]: Rule }
export type Condition = JsonObject

// the checks of these groups take false for absent; the others stop at it
const lenient =
  /^(?:core\.spinkube\.dev|game\.kruise\.io|projectcontour\.io|promoter\.argoproj\.io)\//

/** A live object as the checks of custom resources read it: null is absent, a wrong type is absent. */
export class Facts {
  readonly manifest: Manifest
  private readonly stops: (typeof stops)[string]

  /** `key` is that of the check. Throws CompareError LUA_FAILED where the status is one that no check can read. */
  constructor(manifest: Manifest, key: string) {
    this.manifest = manifest
    this.stops = (Object.hasOwn(stops, key) ? stops[key] : undefined) ?? ['', '', '']
    const status = this.get('status')
    if (typeof status === 'number' || typeof status === 'boolean') this.stopAt(0, status)
  }

  /** Stops where Argo CD's check does, if it does. */
  private stopAt(which: 0 | 1 | 2, value: Json): void {
    if (value === false && which !== 2 && lenient.test(this.manifest.apiVersion)) return
    const [line, what] = this.stops[which].split(' ')
    if (line === undefined || what === undefined) return
    if (which !== 1) cannotIndex(line, value, what)
    if (what === '#') stop(line, '__len undefined')
    stop(line, `bad argument #1 to ${what} (table expected, got ${typeName(value)})`)
  }

  /** As {@link get}, for a path whose every step is taken for granted by the line of the check. */
  at(line: number, ...path: readonly string[]): Json | undefined {
    return pathOf(line, this.manifest, ...path)
  }

  get kind(): string {
    return this.manifest.kind
  }

  get group(): string {
    return groupOf(this.manifest.apiVersion)
  }

  get(...path: readonly string[]): Json | undefined {
    return getPath(this.manifest, ...path) ?? undefined
  }

  /** Below `.status`. */
  status(...path: readonly string[]): Json | undefined {
    return this.get('status', ...path)
  }

  get hasStatus(): boolean {
    return this.status() !== undefined
  }

  /** A list of objects; undefined when there is none. */
  list(...path: readonly string[]): readonly JsonObject[] | undefined {
    const value = this.get(...path)
    if (Array.isArray(value)) return value.filter(isObject)
    return undefined
  }

  /** `.status.conditions`, or undefined when there is no such list. What is no object has no fields. */
  get conditions(): readonly Condition[] | undefined {
    const value = this.status('conditions')
    if (value === undefined) return undefined
    if (!Array.isArray(value)) {
      if (!isObject(value)) this.stopAt(1, value)
      return isObject(value) ? this.valuesIn(value) : undefined
    }
    if (value.every(isObject)) return value
    return value.flatMap((item: Json) => (item === null ? [] : [this.conditionIn(item)]))
  }

  // some checks ask for a list and find none in a map; others take its values
  private valuesIn(map: JsonObject): readonly Condition[] {
    if (!this.stops[1].endsWith(' pairs')) return []
    return Object.values(map).flatMap((item) => (item === null ? [] : [this.conditionIn(item)]))
  }

  private conditionIn(item: Json): Condition {
    if (isObject(item)) return item
    if (Array.isArray(item) || typeof item === 'string' || this.stops[2] === '') return {}
    // stops only when somebody looks at it
    const stopHere = (): never => {
      this.stopAt(2, item)
      throw new TypeError('a condition without fields')
    }
    const fields = ['type', 'status', 'reason', 'message', 'observedGeneration', 'severity']
    return Object.defineProperties(
      {},
      Object.fromEntries(fields.map((field) => [field, { get: stopHere, enumerable: true }])),
    )
  }

  condition(type: string): Condition | undefined {
    return this.conditions?.find((condition) => condition['type'] === type)
  }

  isCondition(type: string, status: string): boolean {
    return this.conditions?.some((one) => one['type'] === type && one['status'] === status) ?? false
  }

  /** True when the controller has seen the newest spec. */
  get isObserved(): boolean {
    return this.status('observedGeneration') === this.get('metadata', 'generation')
  }
}

// a message that is no text makes the whole verdict void: see libraryCheck
function make(status: HealthStatusCode): (message?: Json) => HealthStatus {
  return (message) => ({
    status,
    ...(message === undefined || message === null ? {} : { message: message as string }),
  })
}

export const healthy: (message?: Json) => HealthStatus = make('Healthy')
export const progressing: (message?: Json) => HealthStatus = make('Progressing')
export const degraded: (message?: Json) => HealthStatus = make('Degraded')
export const suspended: (message?: Json) => HealthStatus = make('Suspended')
export const missing: (message?: Json) => HealthStatus = make('Missing')
export const unknown: (message?: Json) => HealthStatus = make('Unknown')

/** A value inside a message; what is absent has no text. */
export function show(value: Json | undefined): string {
  return value === undefined || value === null ? '' : String(value)
}

export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' ? value : undefined
}

/** One row of a table of conditions. */
export interface Row {
  readonly type?: string
  /** Any status when absent; `!True` is any other than True. */
  readonly status?: 'True' | 'False' | 'Unknown' | '!True'
  readonly reasons?: readonly string[]
  readonly gives: (message?: Json) => HealthStatus
  /** The message of the condition when absent. */
  readonly message?: string | ((condition: Condition, facts: Facts) => Json | undefined)
}

export const byReason = (condition: Condition): Json | undefined => condition['reason']
export const byMessageOrReason = (condition: Condition): Json | undefined =>
  condition['message'] ?? condition['reason']

function matches(row: Row, condition: Condition): boolean {
  if (row.type !== undefined && condition['type'] !== row.type) return false
  if (row.reasons !== undefined && !row.reasons.includes(show(condition['reason']))) return false
  if (row.status === undefined) return true
  return row.status === '!True'
    ? condition['status'] !== 'True'
    : condition['status'] === row.status
}

function answer(row: Row, condition: Condition, facts: Facts): HealthStatus {
  if (row.message === undefined) return row.gives(condition['message'])
  return row.gives(typeof row.message === 'string' ? row.message : row.message(condition, facts))
}

/** The first condition, in the order of the object, that fits a row decides. */
export function firstOf(rows: readonly Row[], otherwise: HealthStatus | Rule): Rule {
  return (facts) => {
    for (const condition of facts.conditions ?? []) {
      const row = rows.find((one) => matches(one, condition))
      if (row !== undefined) return answer(row, condition, facts)
    }
    return typeof otherwise === 'function' ? otherwise(facts) : otherwise
  }
}

/** The first row that some condition fits decides. */
export function byPriority(rows: readonly Row[], otherwise: HealthStatus | Rule): Rule {
  return (facts) => {
    for (const row of rows) {
      const condition = facts.conditions?.find((one) => matches(row, one))
      if (condition !== undefined) return answer(row, condition, facts)
    }
    return typeof otherwise === 'function' ? otherwise(facts) : otherwise
  }
}

/** Ready False is Degraded and Ready True Healthy, with the message of the condition. */
export function ready(waiting: string): Rule {
  return firstOf(
    [
      { type: 'Ready', status: 'False', gives: degraded },
      { type: 'Ready', status: 'True', gives: healthy },
    ],
    progressing(waiting),
  )
}

/** The value of one field decides. */
export function byField(
  path: readonly string[],
  values: { readonly [value: string]: HealthStatus | ((facts: Facts) => HealthStatus) },
  otherwise: HealthStatus | Rule,
): Rule {
  return (facts) => {
    const value = facts.get(...path)
    const found =
      typeof value === 'object' || value === undefined || !Object.hasOwn(values, String(value))
        ? otherwise
        : values[String(value)]!
    return typeof found === 'function' ? found(facts) : found
  }
}

/** The same check for several kinds of a group. */
export function each(group: string, kinds: readonly string[], rule: (kind: string) => Rule): Rules {
  return Object.fromEntries(kinds.map((kind) => [`${group}/${kind}`, rule(kind)]))
}
