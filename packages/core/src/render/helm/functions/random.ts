import { FunctionFailure } from '../../../lang/gotemplate/index.ts'
import { encodeBase64 } from '../../../text/index.ts'
import { randomBelow } from './chance.ts'
import { define, type FunctionList } from './define.ts'
import { hostOf } from './host.ts'

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')

function randomText(alphabet: string): ReturnType<typeof define> {
  return define('i', ([count], context) => {
    const size = Number(count)
    context.run.checkSize(size)
    context.run.charge(2 * Math.max(0, size))
    const { stream } = hostOf(context)
    // bytes beyond the last full round of the alphabet would prefer its first letters
    const ceiling = 256 - (256 % alphabet.length)
    let out = ''
    while (out.length < size) {
      for (const byte of stream.bytes(Math.min(size - out.length, 4096))) {
        if (byte < ceiling) out += alphabet[byte % alphabet.length]!
      }
    }
    return out
  })
}

export const randomFunctions: FunctionList = [
  ['randAlphaNum', randomText(letters + digits)],
  ['randAlpha', randomText(letters)],
  ['randNumeric', randomText(digits)],
  ['randAscii', randomText(ascii)],
  [
    'randBytes',
    define('i', ([count], context) => {
      if (count < 0n) throw new FunctionFailure('runtime error: makeslice: len out of range')
      context.run.checkSize(Number(count))
      context.run.charge(Number(count))
      return encodeBase64(hostOf(context).stream.bytes(Number(count)))
    }),
  ],
  [
    'randInt',
    define('ii', ([min, max], context) => {
      if (max <= min) throw new FunctionFailure('invalid argument to Intn')
      return min + BigInt(randomBelow(hostOf(context).stream, Number(max - min)))
    }),
  ],
  [
    'shuffle',
    define('s', ([s], context) => {
      context.run.charge(s.length * 2)
      const chars = [...(s as string)]
      const { stream } = hostOf(context)
      for (let i = chars.length - 1; i > 0; i--) {
        const j = randomBelow(stream, i + 1)
        ;[chars[i], chars[j]] = [chars[j]!, chars[i]!]
      }
      return chars.join('')
    }),
  ],
  [
    'uuidv4',
    define('', (_, context) => {
      const bytes = hostOf(context).stream.bytes(16)
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    }),
  ],
]
