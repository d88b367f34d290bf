// std: Jsonnet's standard library, native.
// In: slots and values. Out: values. Never: Jsonnet code, I/O.
import { call } from '../calls.ts'
import { leafObject, plainShape } from '../object.ts'
import type { Caller } from '../site.ts'
import {
  type Field,
  type FunctionDef,
  FunctionValue,
  type ObjectValue,
  type Slot,
  type Value,
} from '../values.ts'
import { arraySearch } from './array-search.ts'
import { arrays } from './arrays.ts'
import type { AnyStrict, Definition } from './define.ts'
import { encodings } from './encodings.ts'
import { identity } from './identity.ts'
import { manifestJsonFunctions } from './manifest-json.ts'
import { manifestOtherFunctions } from './manifest-other.ts'
import { manifestTomlFunctions } from './manifest-toml.ts'
import { manifestYamlFunctions } from './manifest-yaml.ts'
import { numbers } from './numbers.ts'
import { objects } from './objects.ts'
import { sets } from './sets.ts'
import { strings } from './strings.ts'
import { types } from './types.ts'

const members = new Map<string, FunctionValue>()
const strict = new Map<FunctionValue, AnyStrict>()

for (const group of [
  types,
  numbers,
  strings,
  encodings,
  arrays,
  arraySearch,
  sets,
  objects,
  manifestJsonFunctions,
  manifestYamlFunctions,
  manifestTomlFunctions,
  manifestOtherFunctions,
]) {
  for (const [name, definition] of Object.entries(group)) {
    const value = name === 'id' ? identity : functionOf(definition)
    members.set(name, value)
    if (definition.strict !== undefined) strict.set(value, definition.strict)
  }
}

function functionOf(definition: Definition): FunctionValue {
  const { parameters, defaults, run } = definition
  const def: FunctionDef = {
    parameters,
    // the function fills in what is left out; here it only counts that it may be
    fallbacks: defaults.map((value) => (value === undefined ? undefined : () => null)),
    required: defaults.filter((value) => value === undefined).length,
    makeFrame: (parent) => [parent],
    code: () => null,
    native: run,
  }
  return new FunctionValue(def, [])
}

/** A function of the library; undefined for anything else, std.pi and std.thisFile included. */
export function stdFunction(name: string): FunctionValue | undefined {
  return members.get(name)
}

/** The function on values, where the library evaluates all arguments in order before anything else. */
export function strictImplementation(fn: FunctionValue): AnyStrict | undefined {
  return strict.get(fn)
}

export function callStd(fn: FunctionValue, slots: readonly Slot[], caller: Caller): Value {
  return call(fn, slots, undefined, caller)
}

const shared: readonly Field[] = [...members, ['pi', Math.PI] as const].map(([name, constant]) =>
  hidden(name, constant),
)

function hidden(name: string, constant: Value): Field {
  return {
    name,
    visibility: 1,
    constant,
    code: () => constant,
    framed: false,
    frame: undefined,
  }
}

/** The library as an object, for a file. */
export function stdObject(thisFile: string): ObjectValue {
  return leafObject(plainShape([...shared, hidden('thisFile', thisFile)]), [])
}
