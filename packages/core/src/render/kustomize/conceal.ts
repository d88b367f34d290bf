import { isLitecdError, type LitecdError, RenderError } from '../../errors/index.ts'
import { isObject, type Json } from '../../json/index.ts'
import { compileRegexp, RegexpIssue } from '../../text/index.ts'
import type { SelectorArgs } from './kustomization.ts'

/** What stands in messages where a value may be secret; it tells nothing of the length. */
export const concealed = '++++++++'

/*
 * Kustomize quotes configurations, patches and whole objects in its messages, and messages end in conditions, logs and
 * reports. The rule here: a message is kustomize's to the letter unless it would show a value of a Secret or of a chart.
 * Such values are `++++++++`, everywhere, for `litecd kustomize build` too. Concealed are
 *
 * - `data` and `stringData` of quoted Secrets, and their last-applied annotation,
 * - every value of `valuesInline`,
 * - what stands behind the `=` of literals of Secret generators,
 * - patches that are Secrets, select Secrets, or cannot be read and speak of them,
 * - source values of replacements that may write into a Secret,
 * - nodes of a Secret that a message shows because they have the wrong kind or type.
 */

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** An object as messages may show it. */
export function shownObject(value: Json): Json {
  if (!isObject(value) || value['kind'] !== 'Secret') return value
  const shown: { [key: string]: Json } = { ...value }
  for (const field of ['data', 'stringData']) {
    if (Object.hasOwn(shown, field)) shown[field] = concealValues(shown[field]!)
  }
  const metadata = shown['metadata']
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined
  if (isObject(metadata) && isObject(annotations) && Object.hasOwn(annotations, lastApplied)) {
    shown['metadata'] = { ...metadata, annotations: { ...annotations, [lastApplied]: concealed } }
  }
  return shown
}

/** Keys stay, everything else is concealed. */
function concealValues(value: Json): Json {
  if (Array.isArray(value)) return value.map(concealValues)
  if (!isObject(value)) return value === null ? null : concealed
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealValues(item)]))
}

/** The configuration of a built-in plugin as messages may show it. */
export function shownConfig(config: Json): Json {
  if (!isObject(config)) return config
  const shown: { [key: string]: Json } = { ...config }
  const target = isObject(config['target']) ? (config['target'] as SelectorArgs) : undefined
  for (const field of ['patch', 'jsonOp', 'patches']) {
    const text = shown[field]
    if (typeof text === 'string') shown[field] = shownPatch(text, target)
  }
  const { paths, valuesInline, replacements } = shown
  if (Array.isArray(paths)) {
    shown['paths'] = paths.map((text: Json) => (typeof text === 'string' ? shownPatch(text) : text))
  }
  if (valuesInline !== undefined) shown['valuesInline'] = concealValues(valuesInline)
  if (Array.isArray(replacements)) shown['replacements'] = replacements.map(shownReplacement)
  return shown
}

function shownReplacement(entry: Json): Json {
  if (!isObject(entry) || entry['sourceValue'] === undefined) return entry
  const targets = Array.isArray(entry['targets']) ? (entry['targets'] as readonly Json[]) : []
  const maySecret = targets.some((target) => {
    const select = isObject(target) ? target['select'] : undefined
    return isObject(select) && maySelectSecrets(select as SelectorArgs)
  })
  return maySecret ? { ...entry, sourceValue: concealed } : entry
}

/** A patch, whether it can be read or not, as messages may show it. */
export function shownPatch(text: string, target?: SelectorArgs): string {
  if (/\bSecret\b/.test(text)) return concealed
  const operations = /^\s*[[-]|\bop['"]?\s*:/.test(text)
  if (!operations || !/data/i.test(text)) return text
  return target === undefined || maySelectSecrets(target) ? concealed : text
}

function maySelectSecrets({ kind = '' }: SelectorArgs): boolean {
  if (kind === '') return true
  const pattern = compileRegexp(`^(?:${kind})$`)
  return pattern instanceof RegexpIssue || pattern.test('Secret')
}

/** `key=value` of a Secret generator, as messages may show it. */
export function shownLiteral(source: string): string {
  const equals = source.indexOf('=')
  return equals === -1 ? concealed : source.slice(0, equals + 1) + concealed
}

const quoted = [
  /(node contents:\n)[\s\S]*$/,
  /(no implemented strategic merge patch strategy for '[^']*' \(')[\s\S]*(?='\)$)/,
  /(cannot (?:decode|unmarshal) \S+ `)[\s\S]*?(?=` (?:as|into) )/,
  /(unknown anchor ')[^']*/,
  /(out of bounds for value )[\s\S]*$/,
]

/** Conceals what a message about a Secret, or the text of one, quotes of it. */
export function concealQuotes(message: string): string {
  let out = message
  for (const pattern of quoted)
    out = out.replace(pattern, (_, before: string) => before + concealed)
  return out
}

/** Runs work on an object; what its errors quote of a Secret is concealed. */
export function concealing<T>(kind: string, work: () => T): T {
  if (kind !== 'Secret') return work()
  try {
    return work()
  } catch (error) {
    throw concealError(error)
  }
}

function concealError(error: unknown): unknown {
  if (!isLitecdError(error)) return error
  const message = concealQuotes(error.message)
  return message === error.message ? error : withMessage(error, message)
}

/** The cause is left out: it holds the text. */
function withMessage(error: LitecdError, message: string): RenderError {
  const { position, hint, data } = error
  const code = error.code as RenderError['code']
  return new RenderError(code, message, { position, hint, data })
}
