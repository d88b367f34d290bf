import { isObject, type Json } from '../json/index.ts'
import { FunctionFailure, type FunctionTable } from '../lang/gotemplate/index.ts'
import { define, goValue, helmFunctions, toYaml } from '../render/helm/functions/index.ts'
import { parseYaml } from '../yaml/index.ts'
import { messageOf } from './fail.ts'
import { cannot } from './go-json.ts'
import { normalizeName, slugify } from './slug.ts'

const helmOnly = new Set([
  'include',
  'tpl',
  'required',
  'lookup',
  'mustToYaml',
  'toYamlPretty',
  'toToml',
  'mustToToml',
  'fromToml',
  'fromJsonArray',
  'getHostByName',
])

function readYaml(text: string, fits: (value: Json) => boolean, what: string): Json {
  let value: Json
  try {
    value = parseYaml(text)
  } catch (error) {
    throw new FunctionFailure(messageOf(error), error)
  }
  if (value !== null && !fits(value)) {
    throw new FunctionFailure(cannot(value, what))
  }
  return value
}

/**
 * What templates of ApplicationSets may call: text/template's functions, sprig's without the environment, Argo CD's own.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/utils.go, template_functions.go
 */
export const appsetFunctions: FunctionTable = new Map([
  ...[...helmFunctions].filter(([name]) => !helmOnly.has(name)),
  ['normalize', define('s', ([text]) => normalizeName(text))] as const,
  [
    'slugify',
    define('a*', (args) => {
      const text = args.at(-1)
      if (typeof text !== 'string') {
        throw new FunctionFailure('interface conversion: interface {} is not string')
      }
      const max = args.length > 1 ? Number(args[0]) : undefined
      const whole = args.length > 2 ? args[1] === true : undefined
      return slugify(text, max, whole)
    }),
  ] as const,
  ['toYaml', define('a', ([value]) => toYaml(value))] as const,
  [
    'fromYaml',
    define('s', ([text]) => goValue(readYaml(text, isObject, 'map[string]interface {}') ?? {})),
  ] as const,
  [
    'fromYamlArray',
    define('s', ([text]) => goValue(readYaml(text, Array.isArray, '[]interface {}') ?? [])),
  ] as const,
])
