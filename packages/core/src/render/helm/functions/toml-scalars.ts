import { int64, type Value } from '../../../lang/gotemplate/index.ts'
import {
  fixedZone,
  parseGoFloat,
  parseGoInt,
  parseGoTime,
  quoteGo,
  TimeIssue,
  utc,
  type Zone,
} from '../../../text/index.ts'
import { TimeValue } from './time-value.ts'
import { rune, TomlReader } from './toml-reader.ts'

const letters = /\p{L}+/uy
/** From two digits and a separator on, whatever a time could hold. */
const dateTime = /(?!0[-:])\d+[-:][-\d:Tt .Zz+]*/y
const float = /\d[\d_]*[.eE][-\d_.+eE]*/y
const integer = /\d[\d_]*/y
const based: { readonly [letter: string]: readonly [RegExp, RegExp, string] } = {
  b: [/0b[01_]*/y, /[01]/, 'a binary'],
  o: [/0o[0-7_]*/y, /[0-7]/, 'an octal'],
  x: [/0x[0-9A-Fa-f_]*/y, /[0-9A-Fa-f]/, 'a hexadecimal'],
}
/** What strings hold without further meaning. */
const plain = /[^\\"'\r\n]+/y

const escapes: { readonly [letter: string]: string } = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}
const hexEscapes: { readonly [letter: string]: readonly [number, string] } = {
  x: [2, 'two'],
  u: [4, 'four'],
  U: [8, 'eight'],
}

const local = (name: string): Zone => ({ ...fixedZone(name, 0), name })
const timeLayouts: readonly (readonly [string, Zone])[] = [
  ['2006-01-02T15:04:05.999999999Z07:00', utc],
  ['2006-01-02T15:04:05.999999999', local('datetime-local')],
  ['2006-01-02', local('date-local')],
  ['15:04:05.999999999', local('time-local')],
  ['2006-01-02T15:04Z07:00', utc],
  ['2006-01-02T15:04', local('datetime-local')],
  ['15:04', local('time-local')],
]

/** Strings, numbers, times and booleans of TOML, with the messages of BurntSushi/toml for those that are none. */
export abstract class TomlScalars extends TomlReader {
  /** Undefined when nothing of the kind begins here. */
  protected scalar(): Value | undefined {
    const char = this.peek()
    if (char === undefined) return undefined
    if (char === '"' || char === "'") {
      if (this.text.startsWith(char.repeat(3), this.at)) return this.multiline()
      // what follows two quotes is looked at before they are a string
      if (this.text[this.at + 1] === char) this.checkCharacters(this.at + 2, this.at + 3)
      return this.string()
    }
    return this.unquoted(char)
  }

  /** What a pattern takes where its end is known from what follows, which is read first. */
  private taken(pattern: RegExp): string | undefined {
    const text = this.take(pattern)
    if (text !== undefined) this.peek()
    return text
  }

  private unquoted(char: string): Value | undefined {
    if (/\d/.test(char)) return this.numberOrTime()
    if (char === '+' || char === '-') return this.signed(char)
    if (char === '.') return this.failAfter("floats must start with a digit, not '.'")
    const word = this.take(/inf|nan/y)
    if (word !== undefined) return word === 'inf' ? Number.POSITIVE_INFINITY : Number.NaN
    const found = this.taken(letters)
    if (found === undefined) return undefined
    if (found === 'true' || found === 'false') return found === 'true'
    // what began as inf or nan is told without what was read for that
    const shown = found.replace(/^i(?=n)(?:n(?=a))?|^n(?=a)/, '')
    return this.fail(`expected value but found ${quoteGo(shown)} instead`)
  }

  private numberOrTime(): Value {
    const letter = this.text[this.at] === '0' ? (this.text[this.at + 1] ?? '') : ''
    if (Object.hasOwn(based, letter)) {
      const [pattern, digit, name] = based[letter]!
      this.at += 2
      const next = this.peek() ?? '\0'
      if (!digit.test(next)) this.fail(`not ${name} number: '0${letter}${next}'`)
      this.at -= 2
      return this.integer(this.taken(pattern)!)
    }
    const time = this.taken(dateTime)
    if (time !== undefined) return this.time(time.trim())
    const text = this.taken(float)
    return text === undefined ? this.integer(this.taken(integer)!) : this.float(text)
  }

  private signed(sign: string): Value {
    const word = this.take(/[+-](?:inf|nan)/y)
    if (word !== undefined) {
      if (word.endsWith('nan')) return Number.NaN
      return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    }
    const start = this.taken(/[+-](?:in?|na?)/y)
    if (start !== undefined) return this.fail(`invalid float: '${start}'`)
    const other = /[+-]0[box]/y
    const prefix = this.take(other)
    if (prefix !== undefined) {
      return this.fail(`cannot use sign with non-decimal numbers: '${prefix}'`)
    }
    this.at++
    const char = this.peek()
    if (char === '.') return this.failAfter("floats must start with a digit, not '.'")
    if (char === undefined || !/\d/.test(char)) {
      return this.failAfter(`expected a digit but got ${rune(char)}`)
    }
    const text = this.taken(float)
    return text === undefined ? this.integer(sign + this.taken(integer)!) : this.float(sign + text)
  }

  private integer(text: string): Value {
    if (!areUnderscoresInside(text)) {
      this.fail(`Invalid integer ${quoteGo(text)}: underscores must be surrounded by digits`)
    }
    if (hasLeadingZero(text)) {
      this.fail(`Invalid integer ${quoteGo(text)}: cannot have leading zeroes`)
    }
    const value = parseGoInt(text.replaceAll('_', ''), 0)
    if (typeof value !== 'bigint') return this.fail(`${text} is out of range for int64`)
    return int64(value)
  }

  private float(text: string): Value {
    const parts = text.split(/[.eE]+/).filter((part) => part !== '')
    if (!parts.every(areUnderscoresInside)) {
      this.fail(`Invalid float ${quoteGo(text)}: underscores must be surrounded by digits`)
    }
    if (hasLeadingZero(parts[0]!)) {
      this.fail(`Invalid float ${quoteGo(text)}: cannot have leading zeroes`)
    }
    if (/\.(?!\d)/.test(text)) {
      this.fail(`Invalid float ${quoteGo(text)}: '.' must be followed by one or more digits`)
    }
    const value = parseGoFloat(text.replaceAll('_', ''))
    if (value === 'range') return this.fail(`${text} is out of range for float64`)
    if (typeof value !== 'number') return this.fail(`Invalid float value: ${quoteGo(text)}`)
    return value
  }

  private time(text: string): Value {
    const clean = text.replace(/z/g, 'Z').replace(/[t ]/g, 'T')
    for (const [layout, zone] of timeLayouts) {
      const time = parseGoTime(layout, clean, zone)
      if (time instanceof TimeIssue) continue
      // Go takes numbers without a leading zero, TOML does not
      const head = /^[-\dT:]*/.exec(layout)![0]
      const isShifted = [...head].some((char, i) => !/\d/.test(char) && clean[i] !== char)
      if (isShifted) break
      return new TimeValue(time)
    }
    return this.fail(`invalid datetime: ${quoteGo(clean)}`)
  }

  /** A string on one line, in either quotes. */
  protected string(): string {
    const quote = this.text[this.at]!
    const start = ++this.at
    for (;;) {
      this.skip(plain)
      const char = this.peek()
      if (char === undefined)
        this.failAfter(`unexpected EOF; expected ${quote === '"' ? `'"'` : `"'"`}`)
      if (char === '\n') this.fail('strings cannot contain newlines')
      if (char === '\r') this.fail('strings cannot contain newlines', 1)
      if (char === quote) break
      if (char === '\\' && quote === '"') this.escape(start)
      else this.at++
    }
    const body = this.text.slice(start, this.at++)
    return quote === '"' ? this.unescape(body) : body
  }

  /** A string in three quotes of a kind. */
  private multiline(): string {
    const quote = this.text[this.at]!
    const triple = quote.repeat(3)
    this.at += 3
    const start = this.at
    for (;;) {
      this.skip(plain)
      const char = this.peek()
      if (char === undefined) {
        const shown = quote === '"' ? `'${triple}'` : `"${triple}"`
        this.failAfter(`unexpected EOF; expected ${shown}`)
      }
      if (char === quote) {
        const run = quotesAt(this.text, this.at, quote)
        if (run > 5) {
          this.at += 5
          const six = quote.repeat(6)
          this.fail(`unexpected ${quote === '"' ? `'${six}'` : `"${six}"`}`)
        }
        this.at += run
        if (run >= 3) break
      } else if (char === '\\' && quote === '"') {
        if (/[\r\n]/.test(this.text[this.at + 1] ?? '')) this.at += 2
        else this.escape(start)
      } else this.at++
    }
    const end = this.at - 3
    this.peek()
    const body = this.text.slice(start, end).replace(/^\r?\n/, '')
    return quote === '"' ? this.unescape(withoutEscapedBreaks(body)) : body
  }

  /** Reads over an escape; `start` is where the string began, which an error shows. */
  private escape(start: number): void {
    this.at++
    const char = this.peek()
    if (char === undefined) this.fail("invalid escape in string '\\\0'", 1)
    if (Object.hasOwn(hexEscapes, char)) {
      const [count, name] = hexEscapes[char]!
      this.at++
      for (let i = 0; i < count; i++) {
        const digit = this.peek()
        if (digit !== undefined && /[0-9A-Fa-f]/.test(digit)) this.at++
        else {
          const got = this.text.slice(start, this.at) + (digit ?? '')
          this.failAfter(
            `expected ${name} hexadecimal digits after '\\${char}', but got ${quoteGo(got)} instead`,
          )
        }
      }
      return
    }
    if (!Object.hasOwn(escapes, char) && char !== ' ' && char !== '\t') {
      this.failAfter(`invalid escape in string '\\${char}'`)
    }
    this.at++
  }

  private unescape(body: string): string {
    return body.replace(
      /\\(?:u(.{4})|U(.{8})|x(..)|(.))/gs,
      (_, four?: string, eight?: string, two?: string, letter?: string) => {
        const hex = four ?? eight ?? two
        if (hex === undefined) {
          return escapes[letter!] ?? this.fail(`invalid escape: '\\${letter}'`)
        }
        const point = Number.parseInt(hex, 16)
        if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
          this.fail(`Escaped character '\\u${hex}' is not valid UTF-8.`)
        }
        return String.fromCodePoint(point)
      },
    )
  }
}

function quotesAt(text: string, at: number, quote: string): number {
  let end = at
  while (text[end] === quote) end++
  return end - at
}

/** A backslash takes the end of its line and all white space up to the next character with it. */
function withoutEscapedBreaks(body: string): string {
  return body.replace(/\\(?:\\|([ \t\r\n]*))/g, (all, space?: string) =>
    space?.includes('\n') === true ? '' : all,
  )
}

function areUnderscoresInside(text: string): boolean {
  if (/^[+-]?(?:nan|inf)$/.test(text)) return true
  return !/(?:^|[^0-9A-Fa-f])_/.test(text) && /[0-9A-Fa-f]$/.test(text)
}

function hasLeadingZero(text: string): boolean {
  return /^0(?![box])./.test(text) || /^[+-]0./.test(text)
}
