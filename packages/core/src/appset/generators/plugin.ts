import { SourceError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { appsetError, within } from '../fail.ts'
import { flatStrings, type Params } from '../params.ts'
import { markPluginInput } from '../plugin-input.ts'
import { ask, type GeneratorContext } from './context.ts'

/**
 * What a plugin makes of its input. The input itself is among the parameters, as `generator.input.parameters`.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/plugin.go
 */
export function pluginParams(spec: JsonObject, context: GeneratorContext): readonly Params[] {
  const { configMapRef, input, values } = spec
  const given = isObject(input) ? input['parameters'] : undefined
  const parameters = isObject(given) ? given : {}
  const answer = ask<'plugin'>(context, {
    ask: 'plugin',
    configMap: isObject(configMapRef) ? String(configMapRef['name'] ?? '') : '',
    set: context.set,
    parameters,
  })
  if (answer instanceof SourceError) throw appsetError(answer.message, answer)
  const generator: Json = { input: { parameters: markPluginInput(parameters) } }
  return answer.map((object) => {
    context.budget.spend(1)
    const params = context.renderer.goTemplate ? object : flatStrings(object)
    return within('error generating params: ', () =>
      context.renderer.withValues({ ...params, generator }, values),
    )
  })
}
