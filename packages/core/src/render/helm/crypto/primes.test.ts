import {
  checkPrimeSync,
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
} from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatPrivateKey, type KeySource, makeDsaKey, makeRsaKey } from './keys.ts'
import { firstPrime, isProbablePrime } from './primes.ts'

/** The same bytes for the same seed. */
function seeded(seed: string): KeySource {
  let count = 0
  const next = (): Buffer => createHash('sha512').update(`${seed} ${count++}`).digest()
  return {
    bytes: (size) =>
      Buffer.concat(Array.from({ length: Math.ceil(size / 64) }, next)).subarray(0, size),
  }
}

function oddOf(bits: number, seed: string): bigint {
  const hex = Buffer.from(seeded(seed).bytes(bits / 8)).toString('hex')
  return BigInt(`0x${hex}`) | (1n << BigInt(bits - 1)) | 1n
}

describe('isProbablePrime', () => {
  it('knows every small number', () => {
    const found: number[] = []
    for (let n = 0; n < 5_000; n++) if (isProbablePrime(BigInt(n))) found.push(n)
    const want: number[] = []
    for (let n = 2; n < 5_000; n++) if (want.every((prime) => n % prime !== 0)) want.push(n)
    expect(found).toEqual(want)
  })

  it.each([
    ['strong pseudoprimes to base 2', [2_047n, 3_277n, 4_033n, 3_215_031_751n, 3_474_749_660_383n]],
    ['Carmichael numbers', [561n, 825_265n, 410_041n, 1_590_231_231_043_178_376_951_698_401n]],
    ['squares of primes', [2_053n ** 2n, 65_537n ** 2n, (2n ** 127n - 1n) ** 2n]],
    ['products of large primes', [(2n ** 89n - 1n) * (2n ** 107n - 1n)]],
  ])('is not taken in by %s', (_, numbers) => {
    for (const number of numbers) expect([number, isProbablePrime(number)]).toEqual([number, false])
  })

  it('knows large primes', () => {
    for (const exponent of [89n, 107n, 127n, 521n, 607n, 1_279n]) {
      expect(isProbablePrime(2n ** exponent - 1n)).toBe(true)
    }
  })
})

describe('firstPrime', () => {
  it.each([
    [16, 2n],
    [64, 2n],
    [72, 2n],
    [128, 2n],
    [256, 6n],
    [512, 2n],
    [512, 2n * 65_521n],
    [1024, 2n],
  ])('finds the first prime of %i bits in steps of %i', (bits, step) => {
    const near = oddOf(bits, `${bits} ${step}`)
    const start = near - (near % step) + 1n
    let want = start
    while (!checkPrimeSync(want)) want += step
    expect(firstPrime({ start, step })).toBe(want)
    expect(firstPrime({ start, step, test: checkPrimeSync })).toBe(want)
  })

  it('goes on past the first block of its sieve', () => {
    const start = 1n + (1n << 200n)
    const far = start + 2n * 20_000n
    const want = firstPrime({ start: far, step: 2n })!
    expect(checkPrimeSync(want)).toBe(true)
    expect(firstPrime({ start, step: 2n, fits: (prime) => prime >= far })).toBe(want)
  })

  it('gives up where the row ends', () => {
    // 2^1024 + 643 is the first prime above 2^1024
    const row = { start: (1n << 1024n) + 1n, step: 2n }
    expect(firstPrime({ ...row, count: 321 })).toBeUndefined()
    expect(firstPrime({ ...row, count: 322 })).toBe((1n << 1024n) + 643n)
  })
})

describe('keys', () => {
  it('do not depend on who tests for primes', () => {
    expect(makeRsaKey(1024, seeded('rsa'))).toEqual(
      makeRsaKey(1024, seeded('rsa'), (candidate) => checkPrimeSync(candidate)),
    )
    expect(makeDsaKey(seeded('dsa'))).toEqual(
      makeDsaKey(seeded('dsa'), (candidate) => checkPrimeSync(candidate)),
    )
  })

  it('work in another program', () => {
    const pem = formatPrivateKey(makeRsaKey(2048, seeded('other')))
    const key = createPrivateKey(pem)
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
    const message = Buffer.from('text')
    const signature = sign('sha256', message, key)
    expect(verify('sha256', message, createPublicKey(pem), signature)).toBe(true)
  })
})
