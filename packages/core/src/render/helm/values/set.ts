import { RenderError } from '../../../errors/index.ts'
import { type Json, parseJson } from '../../../json/index.ts'
import { int64, typeName, type Value, type ValueMap } from '../../../lang/gotemplate/index.ts'
import { isSpace, parseGoInt, quoteGo, quoteRune } from '../../../text/index.ts'
import { goValue } from '../functions/index.ts'

const maxIndex = 65_536 // helm v4.2.1 pkg/strvals MaxIndex
const maxLevel = 30 // MaxNestedNameLevel
const maxGrown = 2_000_000

/** False where a number in JSON is too large for float64, which Go refuses to read. */
export function isReadable(json: Json): boolean {
  if (typeof json === 'number') return Number.isFinite(json)
  if (typeof json !== 'object' || json === null) return true
  return Object.values(json).every((item) => isReadable(item as Json))
}

/** What is wrong with a `--set` text, in Helm's words. */
export class SetIssue extends Error {
  override readonly name = 'SetIssue'
}

/** How a value is read: typed as --set, as text, as JSON, as the content of a file, or verbatim to the end. */
export type SetMode = 'typed' | 'string' | 'json' | 'file' | 'literal'

/**
 * Parses `key=value,…` into `target`, in place.
 *
 * `readFile` gives the content for mode 'file'. Throws SetIssue, and whatever `readFile` throws.
 * Source: helm v4.2.1 pkg/strvals
 */
export function parseSet(
  text: string,
  target: ValueMap,
  mode: SetMode,
  readFile: (path: string) => string = () => '',
): void {
  new SetParser(text, mode, readFile).run(target)
}

/** The text ended. `after` is what had been read of the current part. */
interface Part {
  readonly text: string
  /** Undefined at the end of the text. */
  readonly stop: string | undefined
}

type Outcome = 'more' | 'end'

class SetParser {
  private readonly chars: readonly string[]
  private at = 0
  private grown = 0
  private readonly mode: SetMode
  private readonly readFile: (path: string) => string

  constructor(text: string, mode: SetMode, readFile: (path: string) => string) {
    this.chars = [...text]
    this.mode = mode
    this.readFile = readFile
  }

  run(target: ValueMap): void {
    try {
      while (this.key(target, 0) === 'more') {
        // until the text ends
      }
    } catch (error) {
      // Parity: an index that is not closed ends the text without an error
      if (!(error instanceof EndOfText)) throw error
    }
  }

  private until(stops: string): Part {
    let text = ''
    while (this.at < this.chars.length) {
      const char = this.chars[this.at++]!
      if (stops.includes(char)) return { text, stop: char }
      if (char === '\\' && this.mode !== 'literal') {
        const escaped = this.chars[this.at++]
        if (escaped === undefined) break
        text += escaped
      } else text += char
    }
    return { text, stop: undefined }
  }

  private key(target: ValueMap, level: number): Outcome {
    const { text: key, stop } = this.until(this.mode === 'literal' ? '=[.' : '=[,.')
    switch (stop) {
      case undefined:
        if (key === '') return 'end'
        throw new SetIssue(`key ${quoteGo(key)} has no value`)
      case '[':
        return this.indexed(target, key, level)
      case '=':
        return this.assign((value) => set(target, key, value))
      case ',':
        set(target, key, '')
        throw new SetIssue(`key ${quoteGo(key)} has no value (cannot end with ,)`)
      default:
        return this.nested(target, key, level + 1)
    }
  }

  private indexed(target: ValueMap, key: string, level: number): Outcome {
    const index = this.index()
    const present = target.get(key)
    let list: Value[] = []
    if (target.has(key)) {
      if (!Array.isArray(present)) throw conversion(present, '[]interface {}')
      list = present
    }
    const result = this.item(list, index, level)
    set(target, key, result.list)
    if (result.issue !== undefined) throw result.issue
    return result.outcome
  }

  private nested(target: ValueMap, key: string, level: number): Outcome {
    if (level > maxLevel) {
      throw new SetIssue(
        `value name nested level is greater than maximum supported nested level of ${maxLevel}`,
      )
    }
    const present = target.get(key)
    let inner: ValueMap = new Map()
    if (target.has(key)) {
      if (!(present instanceof Map)) throw conversion(present, 'map[string]interface {}')
      inner = present
    }
    let outcome: Outcome
    try {
      outcome = this.key(inner, level)
    } catch (error) {
      if (inner.size > 0) set(target, key, inner)
      throw error
    }
    if (outcome === 'more' && inner.size === 0) {
      throw new SetIssue(`key map ${quoteGo(key)} has no value`)
    }
    if (inner.size > 0) set(target, key, inner)
    return outcome
  }

  private index(): number {
    const { text, stop } = this.until(']')
    // Helm takes the end of the text here for the end of all
    if (stop === undefined) throw new EndOfText()
    const value = parseGoInt(text, 10)
    if (typeof value === 'bigint') return Number(value)
    const reason = value === 'range' ? 'value out of range' : 'invalid syntax'
    throw new SetIssue(`error parsing index: strconv.Atoi: parsing ${quoteGo(text)}: ${reason}`)
  }

  /** Everything behind an index. An issue is handed back so that what has been set so far is kept, as Helm does. */
  private item(
    list: Value[],
    index: number,
    level: number,
  ): { readonly list: Value[]; readonly outcome: Outcome; readonly issue?: unknown } {
    let outcome: Outcome = 'more'
    let current = list
    try {
      if (index < 0) throw new SetIssue(`negative ${index} index not allowed`)
      const { text, stop } = this.until('[.=')
      if (text !== '') {
        const shown = [...text].map((char) => quoteRune(char)).join(' ')
        throw new SetIssue(`unexpected data at end of array index: [${shown}]`)
      }
      if (stop === undefined) return { list, outcome: 'end' }
      if (stop === '=') {
        outcome = this.assign((value) => {
          current = this.setIndex(current, index, value)
        }, true)
      } else if (stop === '[') {
        const next = this.index()
        const present = current[index]
        if (present !== null && present !== undefined && !Array.isArray(present)) {
          throw conversion(present, '[]interface {}')
        }
        const inner = this.item(present ?? [], next, level)
        if (inner.issue !== undefined || inner.outcome === 'end') return { ...inner, list: current }
        current = this.setIndex(current, index, inner.list)
      } else {
        const present = current[index]
        const inner: ValueMap = present instanceof Map ? present : new Map()
        if (index < current.length && present !== inner) current[index] = inner
        outcome = this.key(inner, level)
        // the end of the text behind an element means that nothing is set
        if (outcome === 'more') current = this.setIndex(current, index, inner)
      }
    } catch (error) {
      return { list: current, outcome, issue: error }
    }
    return { list: current, outcome }
  }

  private setIndex(list: Value[], index: number, value: Value): Value[] {
    if (index > maxIndex) {
      throw new SetIssue(`index of ${index} is greater than maximum supported index of ${maxIndex}`)
    }
    this.grown += Math.max(0, index + 1 - list.length)
    if (this.grown > maxGrown) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `indexes of one --set make more than ${maxGrown} list elements`,
      )
    }
    while (list.length <= index) list.push(null)
    list[index] = value
    return list
  }

  private assign(store: (value: Value) => void, isItem = false): Outcome {
    if (this.mode === 'json') return this.assignJson(store)
    if (this.mode === 'literal') {
      const text = this.chars.slice(this.at).join('')
      this.at = this.chars.length
      store(text)
      return 'more'
    }
    const char = this.chars[this.at]
    if (char === undefined) {
      store('')
      return isItem ? 'more' : 'end'
    }
    if (char === '{') {
      this.at++
      store(this.valueList())
      return 'more'
    }
    store(this.read(this.until(',').text))
    return 'more'
  }

  private valueList(): Value[] {
    const list: Value[] = []
    for (;;) {
      const { text, stop } = this.until(',}')
      if (stop === undefined) throw new SetIssue("list must terminate with '}'")
      list.push(this.read(text))
      if (stop === '}') {
        if (this.chars[this.at] === ',') this.at++
        return list
      }
    }
  }

  private read(text: string): Value {
    if (this.mode === 'string') return text
    if (this.mode === 'file') return this.readFile(text)
    return typedValue(text)
  }

  /** True when nothing but blanks is left before a comma or the end; eats them. */
  private blank(): boolean {
    for (;;) {
      const char = this.chars[this.at]
      if (char === undefined) return true
      this.at++
      if (char === ',') return true
      if (!isSpace(char)) {
        this.at--
        return false
      }
    }
  }

  private assignJson(store: (value: Value) => void): Outcome {
    if (this.blank()) {
      store(null)
      return 'more'
    }
    const text = this.chars.slice(this.at).join('')
    const length = jsonLength(text)
    const json = parseJson(text.slice(0, length), ({ message }) => {
      throw new SetIssue(message)
    })
    if (!isReadable(json)) throw new SetIssue('a number is out of range')
    store(goValue(json))
    this.at += [...text.slice(0, length)].length
    this.blank()
    return 'more'
  }
}

/** The text ended where Helm takes that for success. */
class EndOfText extends SetIssue {
  constructor() {
    super('error parsing index: EOF')
  }
}

/** Where the first JSON value of a text ends. */
function jsonLength(text: string): number {
  const start = /^[ \t\r\n]*/.exec(text)![0].length
  const first = text[start]
  if (first === '{' || first === '[' || first === '"') {
    let depth = 0
    let inString = false
    for (let i = start; i < text.length; i++) {
      const char = text[i]!
      if (inString) {
        if (char === '\\') i++
        else if (char === '"') {
          inString = false
          if (depth === 0) return i + 1
        }
      } else if (char === '"') inString = true
      else if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') {
        if (--depth === 0) return i + 1
      }
    }
    return text.length
  }
  return start + /^[^\s,\]}]*/.exec(text.slice(start))![0].length
}

function conversion(value: Value, wanted: string): SetIssue {
  const is = value === null || value === undefined ? 'nil' : typeName(value)
  return new SetIssue(
    `unable to parse key: interface conversion: interface {} is ${is}, not ${wanted}`,
  )
}

/** An empty key is not set. */
function set(target: ValueMap, key: string, value: Value): void {
  if (key !== '') target.set(key, value)
}

/** true, false and null in any case, integers that do not start with 0, and 0 itself; all else is text. */
function typedValue(text: string): Value {
  const lower = text.toLowerCase()
  if (lower === 'true') return true
  if (lower === 'false') return false
  if (lower === 'null') return null
  if (text === '0') return int64(0n)
  if (text !== '' && !text.startsWith('0')) {
    const value = parseGoInt(text, 10)
    if (typeof value === 'bigint') return int64(value)
  }
  return text
}
