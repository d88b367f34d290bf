import { parseGoFloat, parseGoInt, quoteGo, unquoteRune } from '../../text/index.ts'
import type { NumberNode } from './nodes.ts'
import { ComplexNumber } from './value.ts'

type NumberParts = Omit<NumberNode, 'type' | 'pos'>

/** A number literal, or what is wrong with it. */
export type NumberResult = NumberParts | { readonly error: string }

/** Reads a character constant, an integer, a float or an imaginary number. */
export function parseNumber(
  text: string,
  type: 'charConstant' | 'complex' | 'number',
): NumberResult {
  if (type === 'charConstant') return parseChar(text)
  if (type === 'complex' || text.endsWith('i')) {
    const complex = parseComplex(text)
    if (complex !== undefined) return complex
  }
  return parseReal(text)
}

function parseChar(text: string): NumberResult {
  const rune = unquoteRune(text, 1, "'")
  if (rune === undefined) return { error: 'invalid syntax' }
  if (text.slice(rune.end) !== "'") return { error: `malformed character constant: ${text}` }
  const point = rune.byte ?? rune.text.codePointAt(0)!
  return { text, int: BigInt(point), uint: BigInt(point), float: point, complex: undefined }
}

function parseComplex(text: string): NumberResult | undefined {
  const match = /^(.*?[0-9_.])?([+-]?[^+-]*(?:[eEpP][+-][0-9_]+)?)i$/.exec(text)
  if (match === null) return undefined
  const real = match[1] === undefined || match[1] === '' ? 0 : parseGoFloat(match[1])
  const imaginary = parseGoFloat(match[2]!)
  const whole = parseGoFloat(text.slice(0, -1))
  if (typeof whole === 'number') return complexParts(text, 0, whole)
  if (typeof real !== 'number' || typeof imaginary !== 'number') return undefined
  return complexParts(text, real, imaginary)
}

function complexParts(text: string, real: number, imaginary: number): NumberParts {
  const complex = new ComplexNumber(real, imaginary)
  if (imaginary !== 0) return { text, int: undefined, uint: undefined, float: undefined, complex }
  return { text, ...integersOf(real), float: real, complex }
}

function integersOf(value: number): { int: bigint | undefined; uint: bigint | undefined } {
  const whole = Number.isInteger(value) ? BigInt(value) : undefined
  return {
    int: whole !== undefined && whole >= -(1n << 63n) && whole < 1n << 63n ? whole : undefined,
    uint: whole !== undefined && whole >= 0n && whole < 1n << 64n ? whole : undefined,
  }
}

function parseReal(text: string): NumberResult {
  if (text === '0' || /^[1-9][0-9]{0,14}$/.test(text)) {
    const int = BigInt(text)
    return { text, int, uint: int, float: Number(text), complex: undefined }
  }
  const unsigned = parseGoInt(text, 0, { unsigned: true })
  const signed = parseGoInt(text, 0)
  let int = typeof signed === 'bigint' ? signed : undefined
  let uint = typeof unsigned === 'bigint' ? unsigned : undefined
  if (int === 0n) uint = 0n
  let float = int !== undefined ? Number(int) : uint !== undefined ? Number(uint) : undefined
  if (float === undefined) {
    const value = parseGoFloat(text)
    if (typeof value === 'number') {
      if (!/[.eEpP]/.test(text)) return { error: `integer overflow: ${quoteGo(text)}` }
      float = value
      ;({ int, uint } = integersOf(value))
    }
  }
  if (float === undefined) return { error: `illegal number syntax: ${quoteGo(text)}` }
  return { text, int, uint, float, complex: undefined }
}
