import { checkPrimeSync, randomBytes } from 'node:crypto'
import type { Chance } from '@litecd/core/render/helm'

/** True randomness and the clock, as the helm program has them. */
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
