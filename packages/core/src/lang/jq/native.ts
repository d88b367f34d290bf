import type { Json } from '../../json/index.ts'

/** A built-in function of the input and its arguments. `charge` counts work beyond a step. Throws JqError. */
export type JqFunction = (
  value: Json,
  args: readonly Json[],
  charge: (amount: number) => void,
) => Json

export type JqFunctions = { readonly [signature: string]: JqFunction }
