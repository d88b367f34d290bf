import { indexValue } from '../index-value.ts'
import { quoteString } from '../json-text.ts'
import { enter, fail, machine } from '../machine.ts'
import { toText } from '../manifest.ts'
import { numberText } from '../numbers.ts'
import { fieldNames, hasField, indexObject } from '../object.ts'
import { checkString, needObject } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, ObjectValue, typeName, type Value } from '../values.ts'
import { type Definitions, lazy } from './define.ts'
import { deepJoin } from './strings.ts'
import { length } from './types.ts'

function iniLines(body: Value, caller: Caller): readonly string[] {
  const object = needObject(body, caller)
  return fieldNames(object, false, caller).flatMap((name) => {
    const value = indexObject(object, name, caller)
    const values =
      value instanceof ArrayValue ? value.items.map((_, i) => value.at(i, caller)) : [value]
    return values.map((each) => `${name} = ${toText(each, caller)}`)
  })
}

function ini(value: Value, caller: Caller): string {
  const object = needObject(value, caller)
  const lines = hasField(object, 'main', false, caller)
    ? [...iniLines(indexObject(object, 'main', caller), caller)]
    : []
  const sections = needObject(indexObject(object, 'sections', caller), caller)
  for (const name of fieldNames(sections, false, caller)) {
    lines.push(`[${name}]`, ...iniLines(indexObject(sections, name, caller), caller))
  }
  return checkString([...lines, ''].join('\n'), caller)
}

function python(value: Value, caller: Caller): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string') return quoteString(value)
  enter(caller)
  let text: string
  if (value instanceof ObjectValue) {
    const fields = fieldNames(value, false, caller).map(
      (name) => `${quoteString(name)}: ${python(indexObject(value, name, caller), caller)}`,
    )
    text = `{${fields.join(', ')}}`
  } else if (value instanceof ArrayValue) {
    text = `[${value.items.map((_, i) => python(value.at(i, caller), caller)).join(', ')}]`
  } else {
    return fail('cannot manifest function', caller)
  }
  machine.depth--
  return checkString(text, caller)
}

function pythonVars(value: Value, caller: Caller): string {
  const object = needObject(value, caller)
  const lines = fieldNames(object, false, caller).map(
    (name) => `${name} = ${python(indexObject(object, name, caller), caller)}\n`,
  )
  return checkString(lines.join(''), caller)
}

/** A JSONML node: text, or [tag, attributes?, children…]. */
function xml(node: Value, caller: Caller): string {
  if (typeof node === 'string') return node
  enter(caller)
  const tag = deepJoin(indexValue(node, 0, caller), caller)
  const count = length(node, caller)
  const second = count > 1 ? indexValue(node, 1, caller) : null
  const attributes = second instanceof ObjectValue ? second : undefined
  const texts =
    attributes === undefined
      ? []
      : fieldNames(attributes, false, caller).map(
          (name) => ` ${name}="${toText(indexObject(attributes, name, caller), caller)}"`,
        )
  let children = ''
  for (let i = attributes === undefined ? 1 : 2; i < count; i++) {
    children += xml(indexValue(node, i, caller), caller)
  }
  machine.depth--
  return checkString(`<${tag}${texts.join('')}>${children}</${tag}>`, caller)
}

export const manifestOtherFunctions: Definitions = {
  manifestIni: lazy(['ini'], ':927:5-71', (args) => ini(args.get(0), args.caller)),
  manifestPython: lazy(['v'], ':1332:7-39', (args) => python(args.get(0), args.caller)),
  manifestPythonVars: lazy(['conf'], ':1344:5-34', (args) => pythonVars(args.get(0), args.caller)),
  manifestXmlJsonml: lazy(['value'], ':1348:7-75', (args) => {
    const value = args.get(0)
    if (!(value instanceof ArrayValue)) {
      const type = typeName(value)
      return fail(`Expected a JSONML value (an array), got ${type}`, args.caller)
    }
    return xml(value, args.caller)
  }),
}
