// chance: true randomness and the clock, for templates that are to have them.
// In: nothing. Out: a Chance of the core. Never: seeds, anything that could be repeated.
import { checkPrimeSync, randomBytes } from 'node:crypto'
import type { Chance } from '@litecd/core/adapters'

/** Randomness and time as the helm program has them. */
export function realChance(): Chance {
  return {
    stream: () => ({ bytes: (count) => randomBytes(count) }),
    now: () => {
      const milliseconds = Date.now()
      return {
        unixSeconds: Math.floor(milliseconds / 1000),
        nanos: (milliseconds % 1000) * 1_000_000,
      }
    },
    isProbablePrime: (candidate) => checkPrimeSync(candidate),
  }
}
