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

/**
 * A table: a list from 1 without gaps at its end, and keys in the order of their insertion. A removed key keeps its
 * place, so that a traversal may remove what it visits.
 */
export class LuaTable {
  readonly list: LuaValue[] = []
  metatable: LuaTable | undefined
  // made with the first key outside the list: most tables are only a list or only a few keys
  private hash: Hash | undefined

  get length(): number {
    return this.list.length
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
    if (typeof key === 'number' && Number.isInteger(key) && key >= 1) {
      if (key <= this.list.length) {
        this.list[key - 1] = value
        while (this.list.length > 0 && this.list.at(-1) === undefined) this.list.pop()
        return
      }
      if (key === this.list.length + 1) {
        if (value !== undefined) this.append(key, value)
        else this.put(key, undefined)
        return
      }
    }
    this.put(key, value)
  }

  private append(key: number, value: LuaValue): void {
    this.put(key, undefined)
    this.list.push(value)
    for (let next = key + 1; this.hash !== undefined; next++) {
      const place = this.hash?.places.get(next)
      const moved = place === undefined ? undefined : this.hash.values[place]
      if (place === undefined || moved === undefined) return
      this.hash.values[place] = undefined
      this.list.push(moved)
    }
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

  /** The entry after a key, or the first one; undefined at the end, null when the key is not in the table. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined | null {
    let index = 0
    if (key !== undefined) {
      if (typeof key === 'number' && key >= 1 && key <= this.list.length && Number.isInteger(key)) {
        index = key
      } else {
        const place = this.hash?.places.get(key)
        if (place === undefined) return typeof key === 'number' ? this.nextPlaced(0) : null
        return this.nextPlaced(place + 1)
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
  const trimmed = text.trim()
  if (/^[+-]?0[xX][0-9a-fA-F]+$/.test(trimmed)) {
    const negative = trimmed.startsWith('-')
    const value = Number(trimmed.replace(/^[+-]/, ''))
    return negative ? -value : value
  }
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined
}
