import { deepEqual, isObject, type Json, type JsonObject } from '../../../json/index.ts'
import { compileRegexp, RegexpIssue, runeCount } from '../../../text/index.ts'
import { type Failure, failure, quoteText, rootCauses } from './errors.ts'
import { formats } from './formats.ts'
import { decimalText, groupDigits, isMultiple } from './numbers.ts'
import type { Schema } from './schema.ts'

/** Properties and items that no keyword has looked at yet. */
interface Unevaluated {
  readonly properties: Set<string>
  readonly items: Set<number>
}

interface Scope {
  readonly schema: Schema
  /** Equal for schemas that look at the same value. */
  readonly value: number
  readonly parent: Scope | undefined
}

/** Steps of one validation that are allowed; a schema may multiply its work by itself. */
export interface Meter {
  charge(steps: number): void
}

/**
 * The failure of a value against a schema, or undefined. Keywords are looked at in the order of
 * santhosh-tekuri/jsonschema v6; properties, which it takes in random order, in byte order.
 */
export function validate(schema: Schema, value: Json, meter: Meter): Failure | undefined {
  const scope = { schema, value: 0, parent: undefined }
  const result = new Validation(
    schema,
    value,
    [],
    scope,
    false,
    unevaluatedOf(value, schema, false),
    meter,
  ).run()
  return result.failure
}

/** Order in which several types are named. */
const typeOrder = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return 'number'
  return typeof value
}

function isInteger(value: Json): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function display(value: Json): string {
  if (typeof value === 'string') return quoteText(value)
  if (value === null) return '<nil>'
  if (typeof value === 'object') return 'value'
  // numbers of the schema keep their spelling, which is gone here; integers look the same
  return typeof value === 'number' ? decimalText(value) : String(value)
}

function unevaluatedOf(value: Json, schema: Schema, wanted: boolean): Unevaluated {
  const properties = new Set<string>()
  const items = new Set<number>()
  if (isObject(value)) {
    if (!schema.allPropertiesEvaluated && (wanted || schema.unevaluatedProperties !== undefined)) {
      for (const key of Object.keys(value)) properties.add(key)
    }
  } else if (Array.isArray(value)) {
    if (!schema.allItemsEvaluated && (wanted || schema.unevaluatedItems !== undefined)) {
      for (let i = schema.itemsEvaluated; i < value.length; i++) items.add(i)
    }
  }
  return { properties, items }
}

interface Result {
  readonly failure: Failure | undefined
  readonly unevaluated: Unevaluated
}

class Validation {
  private readonly schema: Schema
  private readonly value: Json
  private readonly at: readonly string[]
  private readonly scope: Scope
  /** Only whether it fails is asked. */
  private readonly quick: boolean
  private readonly unevaluated: Unevaluated
  private readonly meter: Meter
  private readonly failures: Failure[] = []

  constructor(
    schema: Schema,
    value: Json,
    at: readonly string[],
    scope: Scope,
    quick: boolean,
    unevaluated: Unevaluated,
    meter: Meter,
  ) {
    this.schema = schema
    this.value = value
    this.at = at
    this.scope = scope
    this.quick = quick
    this.unevaluated = unevaluated
    this.meter = meter
  }

  run(): Result {
    this.meter.charge(1)
    const failed = this.check()
    return { failure: failed, unevaluated: this.unevaluated }
  }

  private fail(message: string, causes: readonly Failure[] = []): Failure {
    return failure(this.at, message, causes)
  }

  private add(message: string, causes?: readonly Failure[]): void {
    this.failures.push(this.fail(message, causes))
  }

  private addResult(result: Failure | undefined): void {
    if (result !== undefined) this.failures.push(result)
  }

  private check(): Failure | undefined {
    const { schema, value } = this
    if (schema.bool !== undefined) return schema.bool ? undefined : this.fail('false schema')
    if (this.inCycle()) return this.fail('reference cycle')
    const type = typeOf(value)
    const { types } = schema
    if (types !== undefined && types.length > 0) {
      const fits = types.includes(type) || (types.includes('integer') && isInteger(value))
      if (!fits) {
        const want = typeOrder.filter((name) => types.includes(name)).join(' or ')
        return this.fail(`got ${type}, want ${want}`)
      }
    }
    if (schema.constant !== undefined && !deepEqual(value, schema.constant.value)) {
      const want = schema.constant.value
      const shown = typeof want === 'object' && want !== null
      return this.fail(shown ? "'const' failed" : `value must be ${display(want)}`)
    }
    if (schema.enumeration !== undefined) {
      if (!schema.enumeration.some((item) => deepEqual(value, item))) {
        return this.fail(enumText(schema.enumeration))
      }
    }
    if (schema.format !== undefined && typeof value === 'string') {
      const issue = formatIssue(schema.format, value)
      if (issue !== undefined) {
        return this.fail(`${quoteText(value)} is not valid ${schema.format}: ${issue}`)
      }
    }
    if (schema.ref !== undefined) {
      const failed = this.reference(schema.ref)
      if (schema.draft < 2019) return failed
      this.addResult(failed)
    }
    if (isObject(value)) this.object(value)
    else if (Array.isArray(value)) this.array(value)
    else if (typeof value === 'string') this.string(value)
    else if (typeof value === 'number' || typeof value === 'bigint') this.number(value)
    if (this.failures.length === 0 || !this.quick) {
      if (schema.draft >= 2019) this.dynamicReferences()
      this.combined()
      if (schema.draft >= 2019) this.leftOver()
    }
    if (this.failures.length < 2) return this.failures[0]
    return failure(this.at, 'validation failed', this.failures, 'group')
  }

  private inCycle(): boolean {
    const { schema, value } = this.scope
    for (let scope = this.scope.parent; scope?.value === value; scope = scope.parent) {
      if (scope.schema === schema) return true
    }
    return false
  }

  /** Another schema on the same value. */
  private same(schema: Schema, quick = false): Failure | undefined {
    const wanted = this.unevaluated.properties.size > 0 || this.unevaluated.items.size > 0
    const result = new Validation(
      schema,
      this.value,
      this.at,
      { schema, value: this.scope.value, parent: this.scope },
      this.quick || quick,
      unevaluatedOf(this.value, schema, wanted),
      this.meter,
    ).run()
    if (result.failure === undefined) {
      for (const key of this.unevaluated.properties) {
        if (!result.unevaluated.properties.has(key)) this.unevaluated.properties.delete(key)
      }
      for (const i of this.unevaluated.items) {
        if (!result.unevaluated.items.has(i)) this.unevaluated.items.delete(i)
      }
    }
    return result.failure
  }

  /** A schema on a member of the value. */
  private member(schema: Schema, value: Json, step: string): Failure | undefined {
    return new Validation(
      schema,
      value,
      [...this.at, step],
      { schema, value: this.scope.value + 1, parent: this.scope },
      this.quick,
      unevaluatedOf(value, schema, false),
      this.meter,
    ).run().failure
  }

  private reference(schema: Schema): Failure | undefined {
    const failed = this.same(schema)
    if (failed === undefined) return undefined
    return failure(this.at, 'validation failed', rootCauses(failed), 'reference')
  }

  private dynamicReferences(): void {
    const { recursiveRef, dynamicRef } = this.schema
    if (recursiveRef !== undefined) {
      let target = recursiveRef
      if (target.recursiveAnchor === true) {
        for (let scope: Scope | undefined = this.scope; scope !== undefined; scope = scope.parent) {
          if (scope.schema.resource.recursiveAnchor === true) target = scope.schema.resource
        }
      }
      this.addResult(this.reference(target))
    }
    if (dynamicRef !== undefined) {
      let { target } = dynamicRef
      const { anchor } = dynamicRef
      if (anchor !== '' && target.dynamicAnchor === anchor) {
        for (let scope: Scope | undefined = this.scope; scope !== undefined; scope = scope.parent) {
          target = scope.schema.resource.dynamicAnchors?.get(anchor) ?? target
        }
      }
      this.addResult(this.reference(target))
    }
  }

  private missing(value: JsonObject, required: readonly string[]): string | undefined {
    const missing = required.filter((key) => !Object.hasOwn(value, key))
    return missing.length === 0 ? undefined : missing.map(quoteText).join(', ')
  }

  private range(
    name: string,
    got: number,
    least: number | undefined,
    most: number | undefined,
  ): void {
    if (least !== undefined && got < least) {
      this.add(`min${name}: got ${groupDigits(got)}, want ${groupDigits(least)}`)
    }
    if (most !== undefined && got > most) {
      this.add(`max${name}: got ${groupDigits(got)}, want ${groupDigits(most)}`)
    }
  }

  private object(value: JsonObject): void {
    const { schema } = this
    const keys = Object.keys(value).sort()
    this.range('Properties', keys.length, schema.minProperties, schema.maxProperties)
    if (schema.required !== undefined) {
      const missing = this.missing(value, schema.required)
      const many = schema.required.filter((key) => !Object.hasOwn(value, key)).length > 1
      if (missing !== undefined) this.add(`missing ${many ? 'properties' : 'property'} ${missing}`)
    }
    if (this.quick && this.failures.length > 0) return
    for (const [name, dependency] of schema.dependencies ?? []) {
      if (!Object.hasOwn(value, name)) continue
      if (!Array.isArray(dependency)) this.addResult(this.same(dependency as Schema))
      else this.dependent(value, name, dependency)
    }
    this.properties(value, keys)
    if (schema.draft === 4) return
    if (schema.propertyNames !== undefined) this.names(schema.propertyNames, keys)
    if (schema.draft === 6) return
    for (const [name, dependent] of schema.dependentSchemas ?? []) {
      if (Object.hasOwn(value, name)) this.addResult(this.same(dependent))
    }
    for (const [name, required] of schema.dependentRequired ?? []) {
      if (Object.hasOwn(value, name)) this.dependent(value, name, required)
    }
  }

  private dependent(value: JsonObject, name: string, required: readonly string[]): void {
    const missing = this.missing(value, required)
    if (missing !== undefined) {
      this.add(`properties ${missing} required, if ${quoteText(name)} exists`)
    }
  }

  private properties(value: JsonObject, keys: readonly string[]): void {
    const { schema } = this
    const additional: string[] = []
    for (const key of keys) {
      if (this.quick && this.failures.length > 0) return
      let evaluated = false
      const own = schema.properties?.get(key)
      if (own !== undefined) {
        evaluated = true
        this.addResult(this.member(own, value[key]!, key))
      }
      for (const { regexp, schema: matched } of schema.patternProperties ?? []) {
        if (!regexp.test(key)) continue
        evaluated = true
        this.addResult(this.member(matched, value[key]!, key))
      }
      if (!evaluated && schema.additionalProperties !== undefined) {
        evaluated = true
        if (typeof schema.additionalProperties !== 'boolean') {
          this.addResult(this.member(schema.additionalProperties, value[key]!, key))
        } else if (!schema.additionalProperties) additional.push(key)
      }
      if (evaluated) this.unevaluated.properties.delete(key)
    }
    if (additional.length > 0) {
      this.add(`additional properties ${additional.map(quoteText).join(', ')} not allowed`)
    }
  }

  private names(schema: Schema, keys: readonly string[]): void {
    for (const key of keys) {
      const failed = validate(schema, key, this.meter)
      if (failed !== undefined) {
        this.failures.push(
          failure([], `invalid propertyName ${quoteText(key)}`, rootCauses(failed)),
        )
      }
    }
  }

  private array(value: readonly Json[]): void {
    const { schema } = this
    this.range('Items', value.length, schema.minItems, schema.maxItems)
    if (schema.uniqueItems === true) {
      const twins = duplicates(value, this.meter)
      if (twins !== undefined) this.add(`items at ${twins[0]} and ${twins[1]} are equal`)
    }
    if (schema.draft < 2020) this.classicItems(value)
    else {
      const prefix = schema.prefixItems ?? []
      for (const [i, item] of value.entries()) {
        const own = prefix[i]
        // Parity: what follows the prefix is counted from 0 again
        const step = own === undefined ? i - prefix.length : i
        const used = own ?? schema.items2020
        if (used !== undefined) this.addResult(this.member(used, item, String(step)))
      }
    }
    if (schema.contains !== undefined) this.contains(schema.contains, value)
  }

  private classicItems(value: readonly Json[]): void {
    const { items, additionalItems } = this.schema
    let evaluated = 0
    if (Array.isArray(items)) {
      evaluated = Math.min(items.length, value.length)
      for (let i = 0; i < evaluated; i++) {
        this.addResult(this.member(items[i]!, value[i]!, String(i)))
      }
    } else if (items !== undefined) {
      for (const [i, item] of value.entries()) {
        this.addResult(this.member(items as Schema, item, String(i)))
      }
      evaluated = value.length
    }
    if (additionalItems === false && evaluated !== value.length) {
      this.add(`last ${value.length - evaluated} additionalItem(s) not allowed`)
    } else if (typeof additionalItems === 'object') {
      // Parity: the index counts from the first additional item
      for (const [i, item] of value.slice(evaluated).entries()) {
        this.addResult(this.member(additionalItems, item, String(i)))
      }
    }
  }

  private contains(schema: Schema, value: readonly Json[]): void {
    const { minContains, maxContains, draft } = this.schema
    const failures: Failure[] = []
    const matched: number[] = []
    for (const [i, item] of value.entries()) {
      const failed = this.member(schema, item, String(i))
      if (failed !== undefined) failures.push(failed)
      else {
        matched.push(i)
        if (draft >= 2020) this.unevaluated.items.delete(i)
      }
    }
    const found = `matched ${matched.length} items at ${matched.join(' ')}`
    if (minContains !== undefined) {
      if (matched.length < minContains) {
        const got = matched.length === 0 ? 'none matched' : found
        this.add(`min ${minContains} items required to match contains schema, but ${got}`, failures)
      }
    } else if (matched.length === 0) this.add('no items match contains schema', failures)
    if (maxContains !== undefined && matched.length > maxContains) {
      this.add(`max ${maxContains} items required to match contains schema, but ${found}`)
    }
  }

  private string(value: string): void {
    const { schema } = this
    if (schema.minLength !== undefined || schema.maxLength !== undefined) {
      this.range('Length', runeCount(value), schema.minLength, schema.maxLength)
    }
    if (schema.pattern !== undefined) {
      this.meter.charge(value.length >> 4)
      if (!schema.pattern.test(value)) {
        this.add(`${quoteText(value)} does not match pattern ${quoteText(schema.pattern.source)}`)
      }
    }
  }

  private number(value: number | bigint): void {
    const { schema } = this
    const bound = (
      name: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum',
      breaks: (limit: number | bigint) => boolean,
    ): void => {
      const limit = schema[name]
      if (limit !== undefined && breaks(limit)) {
        this.add(`${name}: got ${decimalText(value)}, want ${decimalText(limit)}`)
      }
    }
    bound('minimum', (limit) => value < limit)
    bound('maximum', (limit) => value > limit)
    bound('exclusiveMinimum', (limit) => value <= limit)
    bound('exclusiveMaximum', (limit) => value >= limit)
    const { multipleOf } = schema
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.add(`multipleOf: got ${decimalText(value)}, want ${decimalText(multipleOf)}`)
    }
  }

  private combined(): void {
    const { schema } = this
    if (schema.not !== undefined && this.same(schema.not, true) === undefined) {
      this.add("'not' failed")
    }
    if (schema.allOf !== undefined) {
      const failures: Failure[] = []
      for (const part of schema.allOf) {
        const failed = this.same(part)
        if (failed !== undefined) failures.push(failed)
        if (failed !== undefined && this.quick) break
      }
      if (failures.length > 0) this.add("'allOf' failed", failures)
    }
    if (schema.anyOf !== undefined && schema.anyOf.length > 0) this.anyOf(schema.anyOf)
    if (schema.oneOf !== undefined && schema.oneOf.length > 0) this.oneOf(schema.oneOf)
    if (schema.condition !== undefined) {
      const branch =
        this.same(schema.condition, true) === undefined ? schema.then : schema.otherwise
      if (branch !== undefined) this.addResult(this.same(branch))
    }
  }

  private anyOf(parts: readonly Schema[]): void {
    const failures: Failure[] = []
    let matched = false
    for (const part of parts) {
      const failed = this.same(part)
      if (failed !== undefined) failures.push(failed)
      else {
        matched = true
        if (this.unevaluated.properties.size === 0 && this.unevaluated.items.size === 0) break
      }
    }
    if (!matched) this.add("'anyOf' failed", failures)
  }

  private oneOf(parts: readonly Schema[]): void {
    const failures: Failure[] = []
    let matched = -1
    for (const [i, part] of parts.entries()) {
      const failed = this.same(part, matched !== -1)
      if (failed !== undefined) {
        if (matched === -1) failures.push(failed)
      } else if (matched === -1) matched = i
      else {
        this.add(`'oneOf' failed, subschemas ${matched}, ${i} matched`)
        break
      }
    }
    if (matched === -1) this.add("'oneOf' failed, none matched", failures)
  }

  private leftOver(): void {
    const { unevaluatedProperties, unevaluatedItems } = this.schema
    const { value } = this
    if (isObject(value) && unevaluatedProperties !== undefined) {
      for (const key of [...this.unevaluated.properties].sort()) {
        if (Object.hasOwn(value, key)) {
          this.addResult(this.member(unevaluatedProperties, value[key]!, key))
        }
      }
      this.unevaluated.properties.clear()
    }
    if (Array.isArray(value) && unevaluatedItems !== undefined) {
      for (const i of this.unevaluated.items) {
        this.addResult(this.member(unevaluatedItems, value[i] as Json, String(i)))
      }
      this.unevaluated.items.clear()
    }
  }
}

function enumText(values: readonly Json[]): string {
  if (values.some((value) => typeof value === 'object' && value !== null)) return "'enum' failed"
  if (values.length === 1) return `value must be ${display(values[0]!)}`
  return `value must be one of ${values.map(display).join(', ')}`
}

function formatIssue(format: string, text: string): string | undefined {
  if (format === 'regex') {
    const regexp = compileRegexp(text)
    return regexp instanceof RegexpIssue ? regexp.message : undefined
  }
  return Object.hasOwn(formats, format) ? formats[format]!(text) : undefined
}

function duplicates(value: readonly Json[], meter: Meter): readonly [number, number] | undefined {
  meter.charge((value.length * value.length) >> 3)
  for (let i = 1; i < value.length; i++) {
    for (let j = 0; j < i; j++) if (deepEqual(value[i], value[j])) return [j, i]
  }
  return undefined
}
