import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { fitsSelector } from '../../kube/index.ts'
import { byteLength, quoteGo } from '../../text/index.ts'
import { appsetError } from '../fail.ts'
import { flatStrings, type Params } from '../params.ts'

const nameRule = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const nameText = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${nameRule}')`
const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const dnsRule = `${dnsLabel}(\\.${dnsLabel})*`
const dnsText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${dnsRule}')`

/**
 * The sets of parameters that a selector fits, by their values flattened and printed.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/generator_spec_processor.go Transform
 */
export function selected(
  sets: readonly Params[],
  selector: JsonObject | undefined,
): readonly Params[] {
  if (selector === undefined) return sets
  return sets.filter((params) => fitsSelector(selector, flatStrings(params)) === true)
}

/**
 * Throws APPSET_FAILED for a selector that is none. Values may be anything; keys are label keys.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/selector.go, k8s.io/apimachinery v0.36.1 pkg/api/validate/content
 */
export function checkSelector(selector: JsonObject | undefined): void {
  const { matchLabels, matchExpressions } = selector ?? {}
  for (const key of Object.keys(isObject(matchLabels) ? matchLabels : {}).sort()) {
    refuse(keyProblems(key))
  }
  for (const item of Array.isArray(matchExpressions) ? matchExpressions : []) {
    const expression = isObject(item) ? item : {}
    const operator = String(expression['operator'] ?? '')
    const values = Array.isArray(expression['values'])
      ? (expression['values'] as readonly Json[])
      : []
    const problems = [...keyProblems(String(expression['key'] ?? ''))]
    switch (operator) {
      case 'In':
      case 'NotIn':
        if (values.length > 0) break
        problems.push(
          "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
        )
        break
      case 'Exists':
      case 'DoesNotExist':
        if (values.length === 0) break
        problems.push(
          `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`,
        )
        break
      default:
        refuse([`${quoteGo(operator)} is not a valid pod selector operator`])
    }
    refuse(problems)
  }
}

function refuse(problems: readonly string[]): void {
  const [first, ...more] = problems
  if (first === undefined) return
  const text = more.length === 0 ? first : `[${problems.join(', ')}]`
  throw appsetError(`error parsing label selector: ${text}`)
}

function keyProblems(key: string): readonly string[] {
  const texts = labelKeyTexts(key)
  return texts.length === 0 ? [] : [`key: Invalid value: ${quoteGo(key)}: ${texts.join('; ')}`]
}

function labelKeyTexts(key: string): readonly string[] {
  const parts = key.split('/')
  const name = parts.at(-1) ?? ''
  const out: string[] = []
  if (parts.length > 2) {
    return [
      `a valid label key ${nameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  if (parts.length === 2) {
    const [prefix = ''] = parts
    if (prefix === '') out.push('prefix part must be non-empty')
    else {
      if (prefix.length > 253) out.push('prefix part must be no more than 253 bytes')
      if (!new RegExp(`^${dnsRule}$`).test(prefix)) out.push(`prefix part ${dnsText}`)
    }
  }
  if (name === '') out.push('name part must be non-empty')
  else if (byteLength(name) > 63) out.push('name part must be no more than 63 bytes')
  if (!new RegExp(`^${nameRule}$`).test(name)) out.push(`name part ${nameText}`)
  return out
}
