/** A Lua value. Undefined is nil; a text holds one byte in each UTF-16 unit, as Lua's strings are bytes. */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction

/** A function of either side. Results are a list, as Lua's are. */
export class LuaFunction {
  readonly name: string
  readonly call: (args: LuaValue[]) => LuaValue[]
  /** Set for functions written in Lua: a call of them is a level of the stack. */
  readonly isLua: boolean

  constructor(name: string, call: (args: LuaValue[]) => LuaValue[], isLua = false) {
    this.name = name
    this.call = call
    this.isLua = isLua
  }
}

interface Hash {
  readonly places: Map<LuaValue, number>
  readonly keys: LuaValue[]
  readonly values: LuaValue[]
}

const noHash: Hash = { places: new Map(), keys: [], values: [] }

/** Integers up to this go to the list of a table, however wide the gap. */
const mostListed = 67_108_864

/**
 * A table: a list from 1 that may have gaps, and other keys in the order of their insertion. A removed key keeps its
 * place, so that a traversal may remove what it visits.
 */
export class LuaTable {
  /** What is nil at its end was set once, and still counts for `table.remove`. */
  readonly list: LuaValue[] = []
  metatable: LuaTable | undefined
  // made with the first key outside the list: most tables are only a list or only a few keys
  private hash: Hash | undefined
  private filled = 0

  /** Up to the last item of the list that is not nil. */
  get length(): number {
    return this.filled
  }

  /** How many places a list must get for a key; 0 for what has one or lies outside. */
  gapBefore(key: LuaValue): number {
    return isListed(key) ? Math.max(0, key - this.list.length) : 0
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.list.length && Number.isInteger(key)) {
      return this.list[key - 1]
    }
    const place = this.hash?.places.get(key)
    return place === undefined ? undefined : this.hash!.values[place]
  }

  /** The key is neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue): void {
    if (!isListed(key)) {
      this.put(key, value)
      return
    }
    while (this.list.length < key - 1) this.list.push(undefined)
    if (key > this.list.length) this.list.push(value)
    else this.list[key - 1] = value
    this.refill(key)
  }

  insert(place: number, value: LuaValue): void {
    this.list.splice(place - 1, 0, value)
    this.refill(this.list.length)
  }

  removeAt(place: number): LuaValue {
    const [removed] = this.list.splice(place - 1, 1)
    this.refill(this.list.length)
    return removed
  }

  private refill(changed: number): void {
    if (changed < this.filled && this.filled <= this.list.length) return
    this.filled = Math.min(Math.max(this.filled, changed), this.list.length)
    while (this.filled > 0 && this.list[this.filled - 1] === undefined) this.filled--
  }

  private put(key: LuaValue, value: LuaValue): void {
    const place = this.hash?.places.get(key)
    if (place !== undefined) this.hash!.values[place] = value
    else if (value !== undefined) {
      this.hash ??= { places: new Map(), keys: [], values: [] }
      this.hash.places.set(key, this.hash.keys.length)
      this.hash.keys.push(key)
      this.hash.values.push(value)
    }
  }

  /** The entry after a key, or the first one; undefined at the end. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined {
    let index = 0
    if (key !== undefined) {
      if (typeof key === 'number' && key >= 1 && key <= this.list.length && Number.isInteger(key)) {
        index = key
      } else {
        const place = this.hash?.places.get(key)
        // Parity: a key that is not there counts as the first one outside the list
        return this.nextPlaced((place ?? 0) + 1)
      }
    }
    for (; index < this.list.length; index++) {
      if (this.list[index] !== undefined) return [index + 1, this.list[index]]
    }
    return this.nextPlaced(0)
  }

  private nextPlaced(from: number): readonly [LuaValue, LuaValue] | undefined {
    const { keys, values } = this.hash ?? noHash
    for (let place = from; place < keys.length; place++) {
      if (values[place] !== undefined) return [keys[place], values[place]]
    }
    return undefined
  }

  /** The entries outside the list. */
  *placed(): Generator<readonly [LuaValue, LuaValue]> {
    const { keys, values } = this.hash ?? noHash
    for (let place = 0; place < keys.length; place++) {
      if (values[place] !== undefined) yield [keys[place], values[place]]
    }
  }
}

function isListed(key: LuaValue): key is number {
  return typeof key === 'number' && key >= 1 && key < mostListed && Number.isInteger(key)
}

/** What `error` raises, or a failed operation: any Lua value. No Error, because scripts may raise and catch many. */
export class LuaError {
  readonly value: LuaValue

  constructor(value: LuaValue) {
    this.value = value
  }
}

/** A script that cannot be parsed. */
export class LuaSyntaxError extends Error {}

export function typeOf(value: LuaValue): string {
  if (value === undefined) return 'nil'
  if (value instanceof LuaTable) return 'table'
  if (value instanceof LuaFunction) return 'function'
  return typeof value
}

export function isTrue(value: LuaValue): boolean {
  return value !== undefined && value !== false
}

/** Numbers as gopher-lua prints them: integers without a point, others as Go's %v. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) {
    return BigInt(value).toString()
  }
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value)
  const digits = exponent.slice(1)
  return `${mantissa}e${exponent[0]}${digits.length < 2 ? `0${digits}` : digits}`
}

/** The number that a text stands for in arithmetic, or undefined. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
  return parseGoInteger(trimmed, 0) ?? parseGoFloat(trimmed)
}

const prefixes: { readonly [prefix: string]: number } = { '0x': 16, '0b': 2, '0o': 8 }

/** As Go's ParseInt: base 0 goes by the prefix, and `_` may stand between digits. */
export function parseGoInteger(text: string, base: number): number | undefined {
  const match = /^([+-]?)(\w+)$/.exec(text)
  if (match === null || base === 1 || base < 0 || base > 36) return undefined
  let digits = match[2]!.toLowerCase()
  let radix = base
  if (base === 0) {
    const known = prefixes[digits.slice(0, 2)]
    radix = known ?? (digits.length > 1 && digits.startsWith('0') ? 8 : 10)
    if (known !== undefined) digits = digits.slice(2)
    digits = digits.replaceAll(/(?<=\w)_(?=\w)/g, '')
  }
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
  if (digits === '' || ![...digits].every((digit) => allowed.includes(digit))) return undefined
  const value = Number.parseInt(digits, radix)
  if (value > 2 ** 63) return undefined
  return match[1] === '-' ? -value : value
}

/** As Go's ParseFloat, without hexadecimal fractions. */
export function parseGoFloat(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : undefined
  }
  if (/^[+-]?nan$/i.test(text)) return /^n/i.test(text) ? Number.NaN : undefined
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text)
  if (infinite === null) return undefined
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}
