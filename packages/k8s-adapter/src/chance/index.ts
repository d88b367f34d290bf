// chance: true randomness and the clock, for templates that are to have them.
// In: nothing. Out: a Chance of the core. Never: seeds, anything that could be repeated.
import { createRequire } from 'node:module'
import type { Chance } from '@litecd/core/adapters'

// loaded when the first template asks: few do, and it is a tenth of the start of the program
const nodeCrypto = (): typeof import('node:crypto') => createRequire(import.meta.url)('node:crypto')

/** Randomness and time as the helm program has them. */
export function realChance(): Chance {
  return {
    stream: () => ({ bytes: (count) => nodeCrypto().randomBytes(count) }),
    now: () => {
      const milliseconds = Date.now()
      return {
        unixSeconds: Math.floor(milliseconds / 1000),
        nanos: (milliseconds % 1000) * 1_000_000,
      }
    },
    isProbablePrime: (candidate) => nodeCrypto().checkPrimeSync(candidate),
  }
}
