import { pointLength, pointList } from '../code-points.ts'
import { log } from '../go-math.ts'
import { indexValue } from '../index-value.ts'
import { fail } from '../machine.ts'
import { toText } from '../manifest.ts'
import { numberText } from '../numbers.ts'
import { hasField, indexObject } from '../object.ts'
import { checkString, minus, needNumber } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, ObjectValue, typeName, type Value } from '../values.ts'
import { charText } from './code-point.ts'
import {
  type FormatFlags,
  renderDecimal,
  renderHex,
  renderInteger,
  renderScientific,
} from './format-number.ts'
import { length } from './types.ts'

interface FormatCode {
  readonly key: string | null
  readonly flags: FormatFlags
  readonly width: number | '*'
  readonly precision: number | '*' | null
  readonly type: string
  readonly capitals: boolean
}

/** std.format: `%` with an array of values, an object of values, or one value. */
export function formatText(template: Value, values: Value, caller: Caller): string {
  const codes = parseTemplate(template, caller)
  if (values instanceof ObjectValue) return formatObject(codes, values, caller)
  const list = values instanceof ArrayValue ? values : new ArrayValue([values])
  return formatArray(codes, list, caller)
}

const parsed = new Map<string, readonly (string | FormatCode)[]>()

function parseTemplate(template: Value, caller: Caller): readonly (string | FormatCode)[] {
  if (typeof template !== 'string') {
    // whatever has a length and elements will do
    const count = length(template, caller)
    const chars = Array.from({ length: count }, (_, i) => {
      return toText(indexValue(template, i, caller), caller)
    })
    return new TemplateParser(chars, caller).parse()
  }
  const known = parsed.get(template)
  if (known !== undefined) return known
  const codes = new TemplateParser(pointList(template), caller).parse()
  if (parsed.size >= 500) parsed.clear()
  if (template.length < 10_000) parsed.set(template, codes)
  return codes
}

const conversions: Readonly<Record<string, string>> = {
  d: 'd',
  i: 'd',
  u: 'd',
  o: 'o',
  x: 'x',
  X: 'x',
  e: 'e',
  E: 'e',
  f: 'f',
  F: 'f',
  g: 'g',
  G: 'g',
  c: 'c',
  s: 's',
  '%': '%',
}

class TemplateParser {
  private readonly chars: readonly string[]
  private readonly caller: Caller
  private at = 0

  constructor(chars: readonly string[], caller: Caller) {
    this.chars = chars
    this.caller = caller
  }

  parse(): readonly (string | FormatCode)[] {
    const codes: (string | FormatCode)[] = []
    let plain = ''
    while (this.at < this.chars.length) {
      const char = this.chars[this.at++]!
      if (char !== '%') plain += char
      else {
        codes.push(plain, this.code())
        plain = ''
      }
    }
    codes.push(plain)
    return codes
  }

  private peek(): string {
    return this.chars[this.at] ?? fail('Truncated format code.', this.caller)
  }

  private code(): FormatCode {
    const key = this.mappingKey()
    const flags = this.flags()
    const width = this.width()
    const precision = this.precision()
    if ('hlL'.includes(this.peek())) this.at++
    const char = this.peek()
    const type = Object.hasOwn(conversions, char) ? conversions[char] : undefined
    if (type === undefined) return fail(`Unrecognised conversion type: ${char}`, this.caller)
    this.at++
    return { key, flags, width, precision, type, capitals: 'XEFG'.includes(char) }
  }

  private mappingKey(): string | null {
    if (this.peek() !== '(') return null
    const close = this.chars.indexOf(')', this.at)
    if (close === -1) fail('Truncated format code.', this.caller)
    const key = this.chars.slice(this.at + 1, close).join('')
    this.at = close + 1
    return key
  }

  private flags(): FormatFlags {
    const flags = { alternate: false, zero: false, left: false, blank: false, plus: false }
    for (;;) {
      const char = this.peek()
      if (char === '#') flags.alternate = true
      else if (char === '0') flags.zero = true
      else if (char === '-') flags.left = true
      else if (char === ' ') flags.blank = true
      else if (char === '+') flags.plus = true
      else return flags
      this.at++
    }
  }

  private width(): number | '*' {
    if (this.chars[this.at] === '*') {
      this.at++
      return '*'
    }
    let width = 0
    for (;;) {
      const char = this.peek()
      if (char < '0' || char > '9' || char.length > 1) return width
      width = width * 10 + Number(char)
      this.at++
    }
  }

  private precision(): number | '*' | null {
    if (this.peek() !== '.') return null
    this.at++
    return this.width()
  }
}

function formatArray(
  codes: readonly (string | FormatCode)[],
  values: ArrayValue,
  caller: Caller,
): string {
  const count = values.items.length
  let next = 0
  const star = (): Value => {
    if (next >= count) {
      fail(`Not enough values to format: ${count}, expected at least ${next}`, caller)
    }
    return values.at(next++, caller)
  }
  let out = ''
  for (const code of codes) {
    if (typeof code === 'string') {
      out += code
      continue
    }
    const width = code.width === '*' ? star() : code.width
    const precision = code.precision === '*' ? star() : code.precision
    let text = '%'
    if (code.type !== '%') {
      if (next >= count) {
        fail(`Not enough values to format: ${count}, expected more than ${next}`, caller)
      }
      text = formatValue(values.at(next, caller), code, width, precision, String(next), caller)
      next++
    }
    out = checkString(out + pad(text, width, code.flags.left, caller), caller)
  }
  if (next < count) fail(`Too many values to format: ${count}, expected ${next}`, caller)
  return out
}

function formatObject(
  codes: readonly (string | FormatCode)[],
  values: ObjectValue,
  caller: Caller,
): string {
  let out = ''
  for (const code of codes) {
    if (typeof code === 'string') {
      out += code
      continue
    }
    let text = '%'
    if (code.type !== '%') {
      const { key } = code
      if (key === null) return fail('Mapping keys required.', caller)
      if (!hasField(values, key, true, caller)) fail(`No such field: ${key}`, caller)
      const value = indexObject(values, key, caller)
      if (code.precision === '*') fail('Cannot use * precision with object.', caller)
      text = formatValue(value, code, plainWidth(code, caller), code.precision, key, caller)
    }
    out = checkString(out + pad(text, plainWidth(code, caller), code.flags.left, caller), caller)
  }
  return out
}

function plainWidth(code: FormatCode, caller: Caller): number {
  if (code.width === '*') return fail('Cannot use * field width with object.', caller)
  return code.width
}

function pad(text: string, width: Value, left: boolean, caller: Caller): string {
  if (width === 0) return text
  const missing = Math.ceil(minus(width, pointLength(text), caller))
  if (missing <= 0) return text
  checkWidth(missing, caller)
  const spaces = ' '.repeat(missing)
  return left ? text + spaces : spaces + text
}

function checkWidth(width: number, caller: Caller): void {
  // as deep as go-jsonnet's recursion over the width goes
  if (width > 1_000_000) fail('max stack frames exceeded.', caller)
}

function formatValue(
  value: Value,
  code: FormatCode,
  width: Value,
  precision: Value,
  place: string,
  caller: Caller,
): string {
  const { flags, type, capitals } = code
  if (type === 's') return toText(value, caller)
  if (type === 'c') return formatChar(value, caller)
  if (typeof value !== 'number') {
    return fail(`Format required number at ${place}, got ${typeName(value)}`, caller)
  }
  const zeros = flags.zero && !flags.left ? needNumber(width, caller) : 0
  checkWidth(zeros, caller)
  const digits = precision === null ? undefined : needNumber(precision, caller)
  const minDigits = digits ?? 0
  checkWidth(minDigits, caller)
  const fraction = digits ?? 6
  switch (type) {
    case 'd':
      return renderInteger(
        value <= -1,
        Math.floor(Math.abs(value)),
        zeros,
        minDigits,
        flags,
        10,
        '',
      )
    case 'o': {
      const prefix = flags.alternate ? '0' : ''
      const whole = Math.floor(Math.abs(value))
      return renderInteger(value <= -1, whole, zeros, minDigits, flags, 8, prefix)
    }
    case 'x':
      return renderHex(Math.floor(value), zeros, minDigits, flags, capitals)
    case 'f':
      return renderDecimal(value, zeros, flags, flags.alternate, true, fraction, caller)
    case 'e':
      return renderScientific(value, zeros, flags, true, capitals, fraction, caller)
    default:
      return formatGeneral(value, zeros, flags, capitals, fraction, caller)
  }
}

function formatGeneral(
  value: number,
  zeros: number,
  flags: FormatFlags,
  capitals: boolean,
  precision: number,
  caller: Caller,
): string {
  const { alternate } = flags
  const exponent = value === 0 ? 0 : Math.floor(log(Math.abs(value)) / log(10))
  if (exponent < -4 || exponent >= precision) {
    return renderScientific(value, zeros, flags, alternate, capitals, precision - 1, caller)
  }
  const before = Math.max(1, exponent + 1)
  return renderDecimal(value, zeros, flags, alternate, alternate, precision - before, caller)
}

function formatChar(value: Value, caller: Caller): string {
  if (typeof value === 'number') return charText(value, caller)
  if (typeof value !== 'string') {
    return fail(`%c expected number / string, got: ${typeName(value)}`, caller)
  }
  const length = pointLength(value)
  if (length !== 1) fail(`%c expected 1-sized string got: ${numberText(length)}`, caller)
  return value
}
