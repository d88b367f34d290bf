import { sortStrings } from '../../json/index.ts'
import {
  bytesToText,
  canBackquote,
  floatText,
  formatFloat,
  isPrint,
  quoteGo,
  quoteRune,
  runeCount,
  textToBytes,
  toHex,
} from '../../text/index.ts'
import {
  ComplexNumber,
  type GoObject,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  type ValueMap,
} from './value.ts'
import { visit } from './walk.ts'

/** `%v` of a value as Sprint prints it: nil is `<nil>`. */
export function formatValue(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return floatText(value)
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    default:
  }
  if (value === null || value === undefined) return '<nil>'
  return printArg(value, 'v', plainFlags)
}

/** fmt.Sprint: a space between operands when neither is a string. */
export function sprint(args: readonly Value[]): string {
  let out = ''
  let previousString = false
  for (const [i, arg] of args.entries()) {
    const isString = typeof arg === 'string'
    if (i > 0 && !isString && !previousString) out += ' '
    out += formatValue(arg)
    previousString = isString
  }
  return out
}

/** fmt.Sprintln: a space between all operands and a line break at the end. */
export function sprintln(args: readonly Value[]): string {
  return args.map(formatValue).join(' ') + '\n'
}

interface Flags {
  readonly sharp: boolean
  /** `%#v`. */
  readonly sharpV: boolean
  readonly plus: boolean
  /** `%+v`. */
  readonly plusV: boolean
  readonly minus: boolean
  readonly zero: boolean
  readonly space: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

const plainFlags: Flags = {
  sharp: false,
  sharpV: false,
  plus: false,
  plusV: false,
  minus: false,
  zero: false,
  space: false,
  width: undefined,
  precision: undefined,
}

/** Text that may be printed for one verb; more would be a bomb. */
const maxField = 1_000_000 // go 1.26 fmt tooLarge

/** fmt.Sprintf with every verb, flag and `[n]` index. */
export function sprintf(format: string, args: readonly Value[]): string {
  return new Formatter(format, args).run()
}

class Formatter {
  private readonly format: string
  private readonly args: readonly Value[]
  private at = 0
  private argument = 0
  private reordered = false
  private goodIndex = true

  constructor(format: string, args: readonly Value[]) {
    this.format = format
    this.args = args
  }

  run(): string {
    let out = ''
    for (;;) {
      const percent = this.format.indexOf('%', this.at)
      if (percent === -1) {
        out += this.format.slice(this.at)
        break
      }
      out += this.format.slice(this.at, percent)
      this.at = percent + 1
      out += this.directive()
    }
    if (this.reordered || this.argument >= this.args.length) return out
    const extra = this.args
      .slice(this.argument)
      .map((arg) =>
        arg === null || arg === undefined ? '<nil>' : `${typeName(arg)}=${formatValue(arg)}`,
      )
    return `${out}%!(EXTRA ${extra.join(', ')})`
  }

  private directive(): string {
    const { format } = this
    const flags = { ...plainFlags } as { -readonly [K in keyof Flags]: Flags[K] }
    let out = ''
    this.goodIndex = true
    for (; ; this.at++) {
      const flag = format[this.at]
      if (flag === '#') flags.sharp = true
      else if (flag === '0') flags.zero = true
      else if (flag === '+') flags.plus = true
      else if (flag === '-') flags.minus = true
      else if (flag === ' ') flags.space = true
      else break
    }
    let afterIndex = this.index()
    if (format[this.at] === '*') {
      this.at++
      const width = this.starArgument()
      if (width === undefined) out += '%!(BADWIDTH)'
      flags.width = width
      if (width !== undefined && width < 0) {
        flags.width = -width
        flags.minus = true
        flags.zero = false
      }
      afterIndex = false
    } else {
      flags.width = this.digits()
      if (afterIndex && flags.width !== undefined) this.goodIndex = false
    }
    if (format[this.at] === '.' && this.at + 1 < format.length) {
      this.at++
      if (afterIndex) this.goodIndex = false
      afterIndex = this.index()
      if (format[this.at] === '*') {
        this.at++
        const precision = this.starArgument()
        flags.precision = precision === undefined || precision < 0 ? undefined : precision
        if (flags.precision === undefined) out += '%!(BADPREC)'
        afterIndex = false
      } else flags.precision = this.digits() ?? 0
    }
    if (!afterIndex) this.index()
    const point = format.codePointAt(this.at)
    if (point === undefined) return `${out}%!(NOVERB)`
    const verb = String.fromCodePoint(point)
    this.at += verb.length
    return out + this.verb(verb, flags)
  }

  private verb(verb: string, flags: { -readonly [K in keyof Flags]: Flags[K] }): string {
    if (verb === '%') return '%'
    if (!this.goodIndex) return `%!${verb}(BADINDEX)`
    if (this.argument >= this.args.length) return `%!${verb}(MISSING)`
    const arg = this.args[this.argument++]
    if (verb === 'v') {
      flags.sharpV = flags.sharp
      flags.sharp = false
      flags.plusV = flags.plus
      flags.plus = false
    }
    return printArg(arg, verb, flags)
  }

  /** `[n]`: the next argument; true when one was found. */
  private index(): boolean {
    if (this.format[this.at] !== '[') return false
    this.reordered = true
    const close = this.format.indexOf(']', this.at)
    if (close === -1) {
      this.goodIndex = false
      this.at++
      return false
    }
    const text = this.format.slice(this.at + 1, close)
    this.at = close + 1
    const number = /^[0-9]+$/.test(text) ? Number(text) : 0
    const good = /^[0-9]+$/.test(text) && number <= maxField
    if (good && number >= 1 && number <= this.args.length) {
      this.argument = number - 1
      return true
    }
    this.goodIndex = false
    return good
  }

  private digits(): number | undefined {
    const match = /^[0-9]+/.exec(this.format.slice(this.at, this.at + 20))
    if (match === null) return undefined
    if (match[0].length > 7 || Number(match[0]) > 10 * maxField) {
      // as Go does with crazy numbers: the rest of the format is gone
      this.at = this.format.length
      return undefined
    }
    this.at += match[0].length
    return Number(match[0])
  }

  private starArgument(): number | undefined {
    const arg = this.args[this.argument]
    if (this.argument >= this.args.length) return undefined
    this.argument++
    const value = typeof arg === 'bigint' ? arg : arg instanceof SizedInt ? arg.value : undefined
    if (value === undefined || value > maxField || value < -maxField) return undefined
    return Number(value)
  }
}

function pad(text: string, flags: Flags, zeroAllowed = true): string {
  if (flags.width === undefined) return text
  const missing = flags.width - runeCount(text)
  if (missing <= 0) return text
  if (flags.minus) return text + ' '.repeat(missing)
  return (flags.zero && zeroAllowed ? '0' : ' ').repeat(missing) + text
}

function printArg(arg: Value, verb: string, flags: Flags): string {
  if (arg === null || arg === undefined) {
    return verb === 'T' || verb === 'v' ? pad('<nil>', flags) : `%!${verb}(<nil>)`
  }
  if (verb === 'T') return pad(truncate(typeName(arg), flags), flags)
  if (verb === 'p') return pointer(arg, flags)
  return print(arg, verb, flags, 0, false)
}

/** Addresses differ from run to run in Go as well. */
function pointer(arg: Value, flags: Flags): string {
  const hasAddress =
    Array.isArray(arg) ||
    arg instanceof Map ||
    arg instanceof Uint8Array ||
    arg instanceof TypedSlice ||
    arg instanceof TypedMap ||
    (arg instanceof Struct && arg.kind === 'ptr')
  return hasAddress
    ? pad(flags.sharp ? 'c000012345' : '0xc000012345', flags)
    : badVerb(arg, 'p', flags)
}

function badVerb(arg: Value, verb: string, flags: Flags): string {
  return `%!${verb}(${typeName(arg)}=${print(arg, 'v', flags, 0, true)})`
}

/** `erroring`: methods are not called while a bad verb is reported. */
function print(value: Value, verb: string, flags: Flags, depth: number, erroring: boolean): string {
  visit()
  switch (typeof value) {
    case 'string':
      return printString(value, verb, flags)
    case 'boolean':
      return verb === 't' || verb === 'v' ? pad(String(value), flags) : badVerb(value, verb, flags)
    case 'number':
      return printFloat(value, verb, flags) ?? badVerb(value, verb, flags)
    case 'bigint':
      return printInteger(value, true, verb, flags) ?? badVerb(value, verb, flags)
    default:
  }
  if (value === null || value === undefined) {
    // an element of a list or map: Go writes it whatever the verb is
    return flags.sharpV ? 'interface {}(nil)' : '<nil>'
  }
  // wrapping errors is for fmt.Errorf alone
  if (verb === 'w') return badVerb(value, verb, flags)
  if (Array.isArray(value)) return printList(value, '[]interface {}', false, verb, flags, depth)
  if (value instanceof Map) {
    return printMap(value, 'map[string]interface {}', false, verb, flags, depth)
  }
  if (value instanceof Uint8Array) return printBytes(value, verb, flags, depth)
  return printObject(value, verb, flags, depth, erroring)
}

function printObject(
  value: GoObject,
  verb: string,
  flags: Flags,
  depth: number,
  erroring: boolean,
): string {
  if (!erroring && !flags.sharpV && 'vsxXq'.includes(verb)) {
    const text = value.text()
    if (text !== undefined) return printString(text, verb, flags)
  }
  if (!erroring && flags.sharpV) {
    const text = value.goSyntax()
    if (text !== undefined) return pad(truncate(text, flags), flags)
  }
  if (value instanceof SizedInt) {
    const signed = !value.kind.startsWith('u')
    return printInteger(value.value, signed, verb, flags) ?? badVerb(value, verb, flags)
  }
  if (value instanceof ComplexNumber) return printComplex(value, verb, flags)
  if (value instanceof TypedSlice) {
    if (value.elementType === 'uint8' && 'sqxX'.includes(verb)) {
      const bytes = value.items.map((item) => Number((item as SizedInt).value))
      return printBytes(Uint8Array.from(bytes), verb, flags, depth)
    }
    return printList(value.items, value.goType, value.isNil, verb, flags, depth)
  }
  if (value instanceof TypedMap) {
    return printMap(value.map, value.goType, value.isNil, verb, flags, depth)
  }
  return printStruct(value as Struct, verb, flags, depth)
}

function truncate(text: string, flags: Flags): string {
  if (flags.precision === undefined) return text
  const chars = [...text]
  return chars.length <= flags.precision ? text : chars.slice(0, flags.precision).join('')
}

function printString(text: string, verb: string, flags: Flags): string {
  switch (verb) {
    case 'v':
      return flags.sharpV ? printQuoted(text, flags) : pad(truncate(text, flags), flags)
    case 's':
      return pad(truncate(text, flags), flags)
    case 'q':
      return printQuoted(text, flags)
    case 'x':
    case 'X':
      return printHex(textToBytes(text), verb, flags)
    default:
      return badVerb(text, verb, flags)
  }
}

function printQuoted(text: string, flags: Flags): string {
  const shown = truncate(text, flags)
  if (flags.sharp && canBackquote(shown)) return pad('`' + shown + '`', flags)
  return pad(quoteGo(shown, flags.plus), flags)
}

function printHex(bytes: Uint8Array, verb: string, flags: Flags): string {
  const used = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision)
  const prefix = flags.sharp ? `0${verb}` : ''
  const cased = (text: string): string => (verb === 'X' ? text.toUpperCase() : text)
  let out = ''
  if (used.length > 0) {
    out = flags.space
      ? Array.from(used, (byte) => prefix + cased(toHex(Uint8Array.of(byte)))).join(' ')
      : prefix + cased(toHex(used))
  }
  return pad(out, flags)
}

function printInteger(
  value: bigint,
  signed: boolean,
  verb: string,
  flags: Flags,
): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV && !signed
        ? integer(value, 16, 'v', { ...flags, sharp: true })
        : integer(value, 10, verb, flags)
    case 'd':
      return integer(value, 10, verb, flags)
    case 'b':
      return integer(value, 2, verb, flags)
    case 'o':
    case 'O':
      return integer(value, 8, verb, flags)
    case 'x':
    case 'X':
      return integer(value, 16, verb, flags)
    case 'c':
      return pad(runeOf(value), flags)
    case 'q':
      return pad(quoteRune(runeOf(value), flags.plus), flags)
    case 'U':
      return unicode(value, flags)
    default:
      return undefined
  }
}

function runeOf(value: bigint): string {
  const point = BigInt.asUintN(64, value)
  if (point > 0x10ffffn || (point >= 0xd800n && point <= 0xdfffn)) return '\ufffd'
  return String.fromCodePoint(Number(point))
}

function integer(value: bigint, base: number, verb: string, flags: Flags): string {
  const negative = value < 0n
  let precision = flags.precision ?? 0
  if (flags.precision !== undefined) {
    if (precision === 0 && value === 0n) return ' '.repeat(flags.width ?? 0)
  } else if (flags.zero && !flags.minus && flags.width !== undefined) {
    precision = flags.width - (negative || flags.plus || flags.space ? 1 : 0)
  }
  let digits = (negative ? -value : value).toString(base)
  if (verb === 'X') digits = digits.toUpperCase()
  digits = digits.padStart(precision, '0')
  if (flags.sharp) {
    if (base === 2) digits = '0b' + digits
    else if (base === 8 && !digits.startsWith('0')) digits = '0' + digits
    else if (base === 16) digits = (verb === 'X' ? '0X' : '0x') + digits
  }
  if (verb === 'O') digits = '0o' + digits
  const sign = negative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  return pad(sign + digits, flags, false)
}

function unicode(value: bigint, flags: Flags): string {
  const point = BigInt.asUintN(64, value)
  let text =
    'U+' +
    point
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(4, flags.precision ?? 4), '0')
  const rune = runeOf(value)
  if (flags.sharp && point <= 0x10ffffn && isPrint(rune)) text += ` '${rune}'`
  return pad(text, flags, false)
}

function printFloat(value: number, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return float(value, 'g', -1, flags)
    case 'b':
    case 'g':
    case 'G':
    case 'x':
    case 'X':
      return float(value, verb, -1, flags)
    case 'f':
    case 'F':
      return float(value, 'f', 6, flags)
    case 'e':
    case 'E':
      return float(value, verb, 6, flags)
    default:
      return undefined
  }
}

function float(value: number, format: string, standard: number, flags: Flags): string {
  const precision = flags.precision ?? standard
  let text = formatFloat(value, format, precision)
  if (text[0] !== '-' && text[0] !== '+') text = '+' + text
  if (flags.space && text[0] === '+' && !flags.plus) text = ' ' + text.slice(1)
  if (text[1] === 'I' || text[1] === 'N') {
    if (text[1] === 'N' && !flags.space && !flags.plus) text = text.slice(1)
    else if (text[0] === '+' && !flags.plus) return pad(text, flags, false)
    return pad(text, flags, false)
  }
  if (flags.sharp && format !== 'b') text = keepZeros(text, format, precision)
  if (flags.plus || text[0] !== '+') {
    if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > text.length) {
      return text[0] + text.slice(1).padStart(flags.width - 1, '0')
    }
    return pad(text, flags)
  }
  return pad(text.slice(1), flags)
}

/** The `#` flag: a decimal point always, trailing zeros up to the precision. */
function keepZeros(text: string, format: string, precision: number): string {
  const exponent = format === 'x' || format === 'X' ? /[pP].*$/.exec(text) : /[eE].*$/.exec(text)
  const tail = exponent === null ? '' : exponent[0]
  let body = text.slice(0, text.length - tail.length)
  let digits = 'gGx'.includes(format) ? (precision === -1 ? 6 : precision) : 0
  const significant = body.slice(1).replace('.', '').replace(/^0+/, '')
  digits -= significant.length
  if (!body.includes('.')) {
    if (body.slice(1) === '0') digits--
    body += '.'
  }
  return body + '0'.repeat(Math.max(0, digits)) + tail
}

function printComplex(value: ComplexNumber, verb: string, flags: Flags): string {
  const real = printFloat(value.real, verb, flags)
  const imaginary = printFloat(value.imaginary, verb, { ...flags, plus: true })
  return real === undefined ? badVerb(value, verb, flags) : `(${real}${imaginary}i)`
}

const printed = new WeakMap<Uint8Array, string>()
const keptFrom = 1024

/** `[1 2 3]`. Long ones are kept: they are files, which charts print by mistake along with everything else. */
function numbersOf(bytes: Uint8Array): string {
  if (bytes.length < keptFrom) return `[${bytes.join(' ')}]`
  let text = printed.get(bytes)
  if (text === undefined) {
    text = `[${bytes.join(' ')}]`
    printed.set(bytes, text)
  }
  return text
}

function printBytes(bytes: Uint8Array, verb: string, flags: Flags, depth: number): string {
  switch (verb) {
    case 's':
      return pad(truncate(bytesToText(bytes), flags), flags)
    case 'q':
      return printQuoted(bytesToText(bytes), flags)
    case 'x':
    case 'X':
      return printHex(bytes, verb, flags)
    case 'v':
    case 'd':
      if (flags.sharpV) {
        const type = depth === 0 ? '[]byte' : '[]uint8'
        return `${type}{${Array.from(bytes, (byte) => '0x' + byte.toString(16)).join(', ')}}`
      }
      if (flags === plainFlags) return numbersOf(bytes)
      return `[${Array.from(bytes, (byte) => integer(BigInt(byte), 10, verb, flags)).join(' ')}]`
    default: {
      const items = Array.from(bytes, (byte) => new SizedInt('uint8', BigInt(byte)))
      return printList(items, '[]uint8', false, verb, flags, depth)
    }
  }
}

function printList(
  items: readonly Value[],
  type: string,
  isNil: boolean,
  verb: string,
  flags: Flags,
  depth: number,
): string {
  const parts = items.map((item) => print(item, verb, flags, depth + 1, false))
  if (!flags.sharpV) return `[${parts.join(' ')}]`
  return isNil ? `${type}(nil)` : `${type}{${parts.join(', ')}}`
}

function printMap(
  map: ValueMap,
  type: string,
  isNil: boolean,
  verb: string,
  flags: Flags,
  depth: number,
): string {
  const parts = sortStrings([...map.keys()]).map(
    (key) =>
      printString(key, verb, flags) + ':' + print(map.get(key), verb, flags, depth + 1, false),
  )
  if (!flags.sharpV) return `map[${parts.join(' ')}]`
  return isNil ? `${type}(nil)` : `${type}{${parts.join(', ')}}`
}

function printStruct(value: Struct, verb: string, flags: Flags, depth: number): string {
  if (value.kind === 'ptr' && depth > 0) {
    return 'vpbodxX'.includes(verb) ? pointer(value, plainFlags) : badVerb(value, verb, flags)
  }
  const named = flags.plusV || flags.sharpV
  const parts = [...value.fields].map(
    ([name, field]) => (named ? name + ':' : '') + print(field, verb, flags, depth + 1, false),
  )
  const body = `{${parts.join(flags.sharpV ? ', ' : ' ')}}`
  const star = value.kind === 'ptr' ? '&' : ''
  return star + (flags.sharpV ? value.goType.replace(/^\*/, '') : '') + body
}
