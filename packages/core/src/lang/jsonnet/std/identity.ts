import { type FunctionDef, FunctionValue, force, type Value } from '../values.ts'

const def: FunctionDef = {
  parameters: ['x'],
  fallbacks: [undefined],
  required: 1,
  makeFrame: (parent) => [parent],
  code: () => null,
  native: (slots, caller): Value => force(slots[0]!, caller),
}

/** std.id, the key function of sorting where none is given. */
export const identity: FunctionValue = new FunctionValue(def, [])
