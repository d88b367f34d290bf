import { bitLength, powMod } from './numbers.ts'

export type PrimeTest = (candidate: bigint) => boolean

/** Odd primes below a limit, and products of neighbours among them that one division of a large number serves. */
interface PrimeTable {
  readonly limit: number
  readonly primes: Uint32Array
  readonly products: readonly PrimeProduct[]
}

interface PrimeProduct {
  /** Below 2^53: the remainder is an exact number. */
  readonly product: bigint
  /** Where its primes are in the table. */
  readonly start: number
  readonly end: number
}

let table: PrimeTable | undefined

/** The primes below at least `limit`; made once, and again when more are wanted. */
function primesBelow(limit: number): PrimeTable {
  if (table === undefined || table.limit < limit) table = makeTable(limit)
  return table
}

function makeTable(limit: number): PrimeTable {
  // the number at i is 2 i + 1
  const isComposite = new Uint8Array(limit >> 1)
  const primes: number[] = []
  for (let i = 1; i < isComposite.length; i++) {
    if (isComposite[i] === 1) continue
    const prime = 2 * i + 1
    primes.push(prime)
    for (let k = (prime * prime) >> 1; prime < 65_536 && k < isComposite.length; k += prime) {
      isComposite[k] = 1
    }
  }
  const products: PrimeProduct[] = []
  for (let start = 0; start < primes.length; ) {
    let product = 1
    let end = start
    while (end < primes.length && product * primes[end]! <= Number.MAX_SAFE_INTEGER) {
      product *= primes[end++]!
    }
    products.push({ product: BigInt(product), start, end })
    start = end
  }
  return { limit, primes: Uint32Array.from(primes), products }
}

const trialLimit = 2_048

/** Whether no odd prime below {@link trialLimit} divides a larger number. */
function survivesTrial(candidate: bigint): boolean {
  const { primes, products } = primesBelow(trialLimit)
  for (const { product, start, end } of products) {
    const rest = Number(candidate % product)
    for (let i = start; i < end; i++) {
      if (rest % primes[i]! === 0) return candidate === BigInt(primes[i]!)
    }
    if (primes[end - 1]! > trialLimit) break
  }
  return true
}

/** Trial division and Miller-Rabin; the bases are the first primes, enough for numbers that were not made to fool it. */
export function isProbablePrime(candidate: bigint): boolean {
  if (candidate < 4n) return candidate === 2n || candidate === 3n
  return candidate % 2n === 1n && survivesTrial(candidate) && passesMillerRabin(candidate)
}

/**
 * Rounds of Miller-Rabin after which a number of so many bits that came by chance is composite with less than 2^-112.
 *
 * Source: FIPS 186-5 appendix B.3, as in Go crypto/internal/fips140/rsa/keygen.go
 */
function roundsFor(bits: number): number {
  const steps = [
    [1345, 4],
    [476, 5],
    [400, 6],
    [347, 7],
    [308, 8],
    [55, 27],
  ] as const
  return steps.find(([least]) => bits >= least)?.[1] ?? 34
}

/** Miller-Rabin for an odd number from 5 on. Base 2 comes first: squares and shifts do, and few composites pass. */
function passesMillerRabin(candidate: bigint): boolean {
  const minusOne = candidate - 1n
  let twos = 0
  while (BigInt.asUintN(32, minusOne >> BigInt(twos)) === 0n) twos += 32
  while (BigInt.asUintN(1, minusOne >> BigInt(twos)) === 0n) twos++
  const odd = minusOne >> BigInt(twos)
  const isWitness = (power: bigint): boolean => {
    let x = power
    if (x === 1n || x === minusOne) return false
    for (let i = 1; i < twos; i++) {
      x = (x * x) % candidate
      if (x === minusOne) return false
    }
    return true
  }
  if (isWitness(powerOfTwoMod(odd, candidate))) return false
  const { primes } = primesBelow(trialLimit)
  for (const base of primes.subarray(0, roundsFor(bitLength(candidate)))) {
    // a multiple of the number tells nothing
    if (BigInt(base) >= candidate) break
    if (isWitness(powMod(BigInt(base), odd, candidate))) return false
  }
  return true
}

/** 2^exponent mod modulus: squares, and a shift for every five bits. */
function powerOfTwoMod(exponent: bigint, modulus: bigint): bigint {
  const digits = exponent.toString(32)
  let result = 1n << BigInt(Number.parseInt(digits[0]!, 32))
  for (let i = 1; i < digits.length; i++) {
    for (let k = 0; k < 4; k++) result = (result * result) % modulus
    const shift = BigInt(Number.parseInt(digits[i]!, 32))
    result = ((result * result) << shift) % modulus
  }
  return result % modulus
}

/**
 * Numbers in a row from which a prime is wanted: `start`, `start + step`, …; `start` is odd, `step` even, and they have
 * no factor in common.
 */
export interface PrimeSearch {
  readonly start: bigint
  readonly step: bigint
  /** How many of them; endless when absent. */
  readonly count?: number
  readonly fits?: (candidate: bigint) => boolean
  /** {@link isProbablePrime} when absent. */
  readonly test?: PrimeTest | undefined
}

const block = 8_192

/** The first number of a row that is prime and fits; undefined when there is none. */
export function firstPrime(search: PrimeSearch): bigint | undefined {
  const { start, step, count = Number.POSITIVE_INFINITY, fits = () => true } = search
  // a number too small for the sieve might be one of its primes
  const bits = bitLength(start)
  const isLarge = bits > 64
  const test = search.test ?? (isLarge ? passesMillerRabin : isProbablePrime)
  // the larger the number, the dearer the test that a prime of the sieve spares
  const sieve = isLarge ? new Sieve(start, step, bits << 8) : undefined
  for (let first = 0; first < count; first += block) {
    const size = Math.min(block, count - first)
    const isHit = sieve?.next()
    for (let i = 0; i < size; i++) {
      if (isHit?.[i] === 1) continue
      const candidate = start + BigInt(first + i) * step
      if (fits(candidate) && test(candidate)) return candidate
    }
  }
  return undefined
}

/** Tells block by block which numbers of a row have small factors. */
class Sieve {
  private readonly primes: Uint32Array
  /** For each prime the place of its next multiple, counted from the start of the block; `never` when it has none. */
  private readonly places: Uint32Array
  private readonly isHit = new Uint8Array(block)

  constructor(start: bigint, step: bigint, limit: number) {
    const { primes, products } = primesBelow(limit)
    this.primes = primes
    this.places = new Uint32Array(primes.length)
    for (const { product, start: from, end } of products) {
      const startRest = Number(start % product)
      const stepRest = Number(step % product)
      for (let i = from; i < end; i++) {
        const prime = primes[i]!
        this.places[i] = firstMultiple(startRest % prime, stepRest % prime, prime)
      }
    }
  }

  next(): Uint8Array {
    const { primes, places, isHit } = this
    isHit.fill(0)
    for (let i = 0; i < primes.length; i++) {
      let place = places[i]!
      if (place === never) continue
      const prime = primes[i]!
      for (; place < block; place += prime) isHit[place] = 1
      places[i] = place - block
    }
    return isHit
  }
}

const never = 0xffff_ffff

/** The least k for which `prime` divides `start + k step`. */
function firstMultiple(start: number, step: number, prime: number): number {
  if (start === 0) return 0
  if (step === 0) return never
  const back = prime - start
  if (step === 2) return back % 2 === 0 ? back / 2 : (back + prime) / 2
  return (back * inverseBelow(step, prime)) % prime
}

/** The inverse of `value` mod a prime, both below 2^26. */
function inverseBelow(value: number, prime: number): number {
  let [r0, r1, t0, t1] = [prime, value, 0, 1]
  while (r1 !== 0) {
    const quotient = Math.floor(r0 / r1)
    ;[r0, r1] = [r1, r0 - quotient * r1]
    ;[t0, t1] = [t1, t0 - quotient * t1]
  }
  return t0 < 0 ? t0 + prime : t0
}
