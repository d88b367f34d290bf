import { RenderError } from '../../../errors/index.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../../json/index.ts'
import type { ValueMap } from '../../../lang/gotemplate/index.ts'
import { trimSpace } from '../../../text/index.ts'
import { mergeMaps, parseValues } from '../chart/index.ts'
import { jsonOf, mapOfJson } from '../functions/index.ts'
import { isReadable, parseSet, SetIssue, type SetMode } from './set.ts'

/** What the user says about values; each list in order, the lists in Helm's order. */
export interface UserValues {
  /** -f: a name for errors and provenance, and the text. */
  readonly files?: readonly { readonly name: string; readonly text: string }[] | undefined
  /** --set-json */
  readonly setJson?: readonly string[] | undefined
  /** --set */
  readonly set?: readonly string[] | undefined
  /** --set-string */
  readonly setString?: readonly string[] | undefined
  /** --set-file */
  readonly setFile?: readonly string[] | undefined
  /** --set-literal */
  readonly setLiteral?: readonly string[] | undefined
  /** Gives the files that --set-file names; throws where there is none. */
  readonly readFile?: ((path: string) => string) | undefined
}

/**
 * The values of the user, merged: files, then --set-json, --set, --set-string, --set-file, --set-literal.
 *
 * Throws YAML_INVALID or HELM_VALUES with Helm's texts. Source: helm v4.2.1 pkg/cli/values/options.go
 */
export function mergeUserValues(user: UserValues): ValueMap {
  let base: JsonObject = {}
  for (const { name, text } of user.files ?? []) {
    try {
      base = mergeMaps(base, parseValues(text, name))
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      throw new RenderError(error.code, `failed to parse ${name}: ${error.message}`, {
        position: error.position,
        cause: error,
      })
    }
  }
  let values = mapOfJson(base)
  for (const text of user.setJson ?? []) values = setJson(values, text)
  apply(values, user.set, 'typed', '--set data: ')
  apply(values, user.setString, 'string', '--set-string data: ')
  apply(values, user.setFile, 'file', '--set-file data: ', user.readFile)
  apply(values, user.setLiteral, 'literal', '--set-literal data: ')
  return values
}

function apply(
  values: ValueMap,
  texts: readonly string[] | undefined,
  mode: SetMode,
  flag: string,
  readFile?: (path: string) => string,
): void {
  for (const text of texts ?? []) {
    try {
      parseSet(text, values, mode, readFile)
    } catch (error) {
      if (!(error instanceof Error) || isBudget(error)) throw error
      throw new RenderError('HELM_VALUES', `failed parsing ${flag}${error.message}`, {
        cause: error,
      })
    }
  }
}

function isBudget(error: Error): boolean {
  return error instanceof RenderError && error.code === 'BUDGET_EXCEEDED'
}

function setJson(values: ValueMap, text: string): ValueMap {
  if (trimSpace(text).startsWith('{')) {
    const refuse = (cause: unknown): never => {
      throw new RenderError('HELM_VALUES', `failed parsing --set-json data JSON: ${text}`, {
        cause,
      })
    }
    let json: Json = null
    try {
      json = parseJson(trimSpace(text))
    } catch (error) {
      refuse(error)
    }
    if (!isReadable(json)) refuse(undefined)
    if (!isObject(json)) return values
    return mapOfJson(mergeMaps(jsonOf(values) as JsonObject, json))
  }
  try {
    parseSet(text, values, 'json')
  } catch (error) {
    if (!(error instanceof SetIssue)) throw error
    throw new RenderError('HELM_VALUES', `failed parsing --set-json data ${text}`, { cause: error })
  }
  return values
}
