import { RenderError } from '../../../errors/index.ts'
import { defineKey, isObject, type Json, parseJson } from '../../../json/index.ts'
import {
  BudgetError,
  type CallContext,
  FunctionFailure,
  mapOf,
  type Value,
  type ValueMap,
} from '../../../lang/gotemplate/index.ts'
import { convertPrefix, formatYaml, parseYaml } from '../../../yaml/index.ts'
import { goValue, jsonOf, mapOfJson } from './convert.ts'
import { define, type FunctionList } from './define.ts'
import { nilMap } from './dicts.ts'
import { jsonText } from './json-text.ts'
import { nilList } from './lists.ts'
import { toYamlPretty } from './pretty.ts'
import { formatToml } from './toml-encode.ts'
import { parseToml } from './toml-parse.ts'

export const encodingFunctions: FunctionList = [
  ['toYaml', define('a', ([value]) => quietly(() => toYaml(value)))],
  ['mustToYaml', define('a', ([value]) => marshal(() => toYaml(value)))],
  ['toYamlPretty', define('a', ([value]) => withoutBreak(toYamlPretty(value)))],
  ['fromYaml', define('s', ([text], context) => errorMap(() => fromYaml(text, context)))],
  [
    'fromYamlArray',
    define('s', ([text], context) => errorList(() => fromYamlArray(text, context))),
  ],
  ['toJson', define('a', ([value]) => quietly(() => jsonText(value, true)))],
  ['mustToJson', define('a', ([value]) => jsonText(value, true))],
  ['toPrettyJson', define('a', ([value]) => quietly(() => jsonText(value, true, '  ')))],
  ['mustToPrettyJson', define('a', ([value]) => jsonText(value, true, '  '))],
  ['toRawJson', define('a', ([value]) => jsonText(value, false))],
  ['mustToRawJson', define('a', ([value]) => jsonText(value, false))],
  ['fromJson', define('s', ([text], context) => fromJson(text, context))],
  [
    'fromJsonArray',
    define('s', ([text], context) =>
      errorList(() => {
        const list = listFromJson(readJson(text, context), '')
        checkRange(text)
        return list
      }),
    ),
  ],
  [
    'mustFromJson',
    define('s', ([text], context) => {
      const value = goValue(readJson(text, context))
      checkRange(text)
      return value
    }),
  ],
  [
    'toToml',
    define('a', ([value]) => {
      try {
        return formatToml(value)
      } catch (error) {
        // a nil is a panic, which Helm does not catch here
        if (value === null || value === undefined) throw error
        return messageOf(error)
      }
    }),
  ],
  ['mustToToml', define('a', ([value]) => formatToml(value))],
  [
    'fromToml',
    define('s', ([text], context) =>
      errorMap(() => {
        chargeReading(text, maxText, context)
        context.run.charge(text.length * 4)
        return parseToml(text)
      }),
    ),
  ],
]

/** The longest texts that are read, in UTF-16 units: a value takes many times the memory of its text. */
const maxText = 8 * 1024 * 1024
const maxJson = 4 * maxText

function chargeReading(text: string, max: number, { run }: CallContext): void {
  if (text.length > max) {
    throw new BudgetError(`template budget exceeded: a document of more than ${max} units`)
  }
  run.charge(text.length >> 2)
}

/** The JSON of a text in Go's words where it is none. */
function readJson(text: string, context: CallContext): Json {
  chargeReading(text, maxJson, context)
  return parseJson(text, ({ message }) => {
    throw new FunctionFailure(message)
  })
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/gs

/** Numbers beyond float64 are an error that is found after the text has been read. */
function checkRange(text: string): void {
  // none is that large without an exponent or hundreds of digits
  if (!/[0-9][eE]|[0-9]{200}/.test(text)) return
  for (const [token] of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"') || Number.isFinite(Number(token))) continue
    throw new FunctionFailure(
      `json: cannot unmarshal number ${token} into Go value of type float64`,
    )
  }
}

/** What was read stays beside an error that came after it; numbers that are too large are nil. */
function fromJson(text: string, context: CallContext): Value {
  let json: Json = null
  const value = errorMap(() => {
    json = readJson(text, context)
    return mapFromJson(json, '')
  })
  const range = errorMap(() => {
    checkRange(text)
    return undefined
  })
  if (range === undefined) return value
  const map = mapOf(isObject(json) ? goValue(withoutInfinite(json)) : value) ?? new Map()
  if (!map.has('Error')) map.set('Error', mapOf(range)!.get('Error'))
  return map
}

function withoutInfinite(json: Json): Json {
  if (typeof json === 'number') return Number.isFinite(json) ? json : null
  if (Array.isArray(json)) return json.map(withoutInfinite)
  if (!isObject(json)) return json
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(json)) defineKey(out, key, withoutInfinite(value))
  return out
}

function messageOf(error: unknown): string {
  if (error instanceof RenderError && error.code !== 'BUDGET_EXCEEDED') return error.message
  throw error
}

/** Helm swallows errors of these functions. */
function quietly(run: () => string): string {
  try {
    return run()
  } catch (error) {
    messageOf(error)
    return ''
  }
}

function marshal(run: () => string): string {
  try {
    return run()
  } catch (error) {
    const message = messageOf(error)
    throw new FunctionFailure(
      message.startsWith('json: ') ? `error marshaling into JSON: ${message}` : message,
    )
  }
}

function withoutBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

export function toYaml(value: Value): string {
  return withoutBreak(formatYaml(jsonOf(value)))
}

function errorMap(run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    const map: ValueMap = new Map()
    map.set('Error', messageOf(error))
    return map
  }
}

function errorList(run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    return [messageOf(error)]
  }
}

const jsonPrefix = 'error unmarshaling JSON: while decoding JSON: '

function yamlValue(text: string, context: CallContext): Json {
  chargeReading(text, maxText, context)
  return parseYaml(text, { numbers: 'float64', prefix: convertPrefix })
}

/** A null leaves what there was, which is an empty map; fromJson makes it nil. */
function fromYaml(text: string, context: CallContext): Value {
  const json = yamlValue(text, context)
  return json === null ? new Map() : mapFromJson(json, jsonPrefix)
}

function fromYamlArray(text: string, context: CallContext): Value {
  const json = yamlValue(text, context)
  return json === null ? [] : listFromJson(json, jsonPrefix)
}

function jsonKind(json: Json): string {
  if (Array.isArray(json)) return 'array'
  if (isObject(json)) return 'object'
  return typeof json === 'boolean' ? 'bool' : typeof json === 'string' ? 'string' : 'number'
}

function mapFromJson(json: Json, prefix: string): Value {
  if (json === null) return nilMap()
  if (isObject(json)) return mapOfJson(json)
  throw new FunctionFailure(
    `${prefix}json: cannot unmarshal ${jsonKind(json)} into Go value of type map[string]interface {}`,
  )
}

function listFromJson(json: Json, prefix: string): Value {
  if (json === null) return nilList()
  if (Array.isArray(json)) return goValue(json)
  throw new FunctionFailure(
    `${prefix}json: cannot unmarshal ${jsonKind(json)} into Go value of type []interface {}`,
  )
}
