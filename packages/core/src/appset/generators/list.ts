import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { appsetError, messageOf } from '../fail.ts'
import { objectsIn, objectsProblem } from '../go-json.ts'
import type { Params } from '../params.ts'
import { prefixed } from '../render.ts'

/** Source: argo-cd v3.5.1 applicationset/generators/list.go */
export function listParams(spec: JsonObject, goTemplate: boolean): readonly Params[] {
  const { elements, elementsYaml } = spec
  const out: Params[] = []
  for (const element of Array.isArray(elements) ? elements : []) {
    if (!isObject(element))
      throw appsetError(`error unmarshling list element ${JSON.stringify(element)}`)
    out.push(goTemplate ? element : flatElement(element))
  }
  if (typeof elementsYaml === 'string' && elementsYaml !== '')
    out.push(...yamlElements(elementsYaml))
  return out
}

function flatElement(element: JsonObject): Params {
  const out: { [name: string]: Json } = {}
  for (const [key, value] of Object.entries(element)) {
    if (key === 'values') {
      if (!isObject(value) || !Object.values(value).every((one) => typeof one === 'string')) {
        throw appsetError('error parsing values map')
      }
      Object.assign(out, prefixed('values', value))
    } else if (typeof value === 'string') out[key] = value
    // Argo CD prints its error with a verb that it gives no error for
    else throw appsetError('error parsing value as string %!w(<nil>)')
  }
  return out
}

function yamlElements(text: string): readonly Params[] {
  let value: Json
  try {
    value = parseYaml(text)
  } catch (error) {
    throw appsetError(`error unmarshling decoded ElementsYaml ${messageOf(error)}`, error)
  }
  const problem = objectsProblem(value)
  if (problem !== undefined) throw appsetError(`error unmarshling decoded ElementsYaml ${problem}`)
  return objectsIn(value)
}
