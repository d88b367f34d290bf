import { formatJson, isObject, type JsonObject } from '../json/index.ts'
import { mapOf, Struct, TypedMap, type Value, type ValueMap } from '../lang/gotemplate/index.ts'
import { textToBytes } from '../text/index.ts'

const inputs = new WeakSet<object>()

/** Remembers that these are the inputs of a plugin, whose values templates see as Argo CD's Go values. */
export function markPluginInput(parameters: JsonObject): JsonObject {
  const copy = { ...parameters }
  inputs.add(copy)
  return copy
}

/**
 * Puts Go's view of a plugin's input into parameters: every value is JSON that nobody has decoded.
 *
 * Parity: `{{ .generator.input.parameters.x }}` prints bytes, and `.Raw` is what can be worked with.
 */
export function withPluginInput(params: JsonObject, map: ValueMap): ValueMap {
  const generator = params['generator']
  const input = isObject(generator) ? generator['input'] : undefined
  const parameters = isObject(input) ? input['parameters'] : undefined
  if (!isObject(parameters) || !inputs.has(parameters)) return map
  const values: ValueMap = new Map()
  for (const [key, value] of Object.entries(parameters)) {
    const raw = textToBytes(formatJson(value, { escapeHtml: false }))
    values.set(key, new Struct('v1.JSON', [['Raw', raw]]))
  }
  const inputMap = mapOf(mapOf(map.get('generator') as Value)?.get('input') as Value)
  inputMap?.set(
    'parameters',
    new TypedMap('v1alpha1.PluginParameters', values, { elementType: 'v1.JSON' }),
  )
  return map
}
