import { isLitecdError } from '../errors/index.ts'
import { defineKey, type Json } from '../json/index.ts'
import { Cursor } from './cursor.ts'
import { goKeyText } from './go-syntax.ts'
import { resolvePlain } from './resolve.ts'
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalars.ts'
import { maxDepth } from './scanner.ts'
import { skipBlockScalar } from './skip-scalars.ts'

/** Returned for a text that has to be read the long way: it may be wrong, or only unusual. */
export const unsure: unique symbol = Symbol('unsure')

type Target = { [key: string]: Json }

/**
 * Tells what is wanted of the value of a key of a mapping: true for all of it, false for nothing, or what is wanted of
 * the keys below.
 */
export type WantedKeys = (key: string) => WantedKeys | boolean

/** Breaks other than a line feed, marks, controls and halves of surrogate pairs. */
const unusual =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/

const lf = 0x0a
const space = 0x20
const hash = 0x23
const colon = 0x3a
const dash = 0x2d
const quote = 0x22
const apostrophe = 0x27

/** Stands for every list that is not built. */
const skipped: Json[] = []

/** By first character: 1 where a plain scalar may be something else than text, 2 where it cannot be plain at all. */
const firstClass: Uint8Array = (() => {
  const classes = new Uint8Array(128)
  for (const char of '0123456789+-.~yYnNtTfFoO<') classes[char.charCodeAt(0)] = 1
  for (const char of '\0\t\n ,[]{}#&*!|>\'"%@`?:') classes[char.charCodeAt(0)] = 2
  return classes
})()

/**
 * Reads the first document of a text that uses nothing but plain YAML: block mappings and lists, flow collections,
 * scalars, comments. It accepts only what the scanner and the decoder of the v2 dialect accept, with the same value,
 * and gives up at the first sign of anything else; their rules about keys, indentation and messages are not here.
 *
 * Keys whose value is not wanted are read and left out; a strict reader wants all.
 */
export function parseFast(
  text: string,
  strict: boolean,
  wanted: WantedKeys | true = true,
): Json | typeof unsure {
  if (unusual.test(text)) return unsure
  try {
    return new FastReader(text, strict).document(strict || wanted)
  } catch (error) {
    if (error === unsure) return unsure
    if (isLitecdError(error)) return unsure
    throw error
  }
}

/**
 * Every method that reads a value leaves `at` on the next content: the first character of a line that is no comment,
 * in `column`. At the end of the document `column` is -1.
 */
class FastReader {
  private readonly cursor: Cursor
  private readonly text: string
  private readonly strict: boolean
  private at = 0
  private lineStart = 0
  private column = -1
  private depth = 0
  /** Inside a value that nobody wants: it is read without being built. */
  private skipping = false

  constructor(text: string, strict: boolean) {
    this.cursor = new Cursor(text, 'v2', {}, true)
    this.text = this.cursor.text
    this.strict = strict
  }

  document(wanted: WantedKeys | true): Json {
    this.nextContent()
    if (this.column === -1 && this.text.startsWith('---', this.at)) {
      this.at += 3
      this.endLine()
    }
    if (this.column === -1) return this.text.charCodeAt(this.at) === 0 ? null : this.giveUp()
    const value = this.block(-1, wanted)
    if (this.column !== -1) this.giveUp()
    return value
  }

  private giveUp(): never {
    throw unsure
  }

  private enter(): void {
    if (++this.depth > maxDepth) this.giveUp()
  }

  /** From anywhere between two lines' contents: steps over blanks, comments and line ends to the next content. */
  private nextContent(): void {
    const { text } = this
    let at = this.at
    for (;;) {
      let code = text.charCodeAt(at)
      while (code === space) code = text.charCodeAt(++at)
      if (code === hash) {
        at = text.indexOf('\n', at)
        if (at === -1) at = text.length - 1
        code = text.charCodeAt(at)
      }
      if (code === lf) {
        this.lineStart = ++at
        continue
      }
      this.at = at
      if (code === 0) {
        this.column = -1
        return
      }
      this.column = at - this.lineStart
      if (this.column === 0 && (code === dash || code === 0x2e || code === 0x25)) this.marker(code)
      return
    }
  }

  /** `---` and `...` end the document; a directive is not for here. */
  private marker(code: number): void {
    if (code === 0x25) this.giveUp()
    const { text, at } = this
    if (text.charCodeAt(at + 1) !== code || text.charCodeAt(at + 2) !== code) return
    if (isBlankOrEnd(text.charCodeAt(at + 3))) this.column = -1
  }

  /** Behind a value: nothing but a comment may follow on the line. */
  private endLine(): void {
    const { text } = this
    let at = this.at
    let code = text.charCodeAt(at)
    if (code === space) {
      while (code === space) code = text.charCodeAt(++at)
      if (code === hash) {
        at = text.indexOf('\n', at)
        if (at === -1) at = text.length - 1
        code = text.charCodeAt(at)
      }
    }
    if (code !== lf && code !== 0) this.giveUp()
    this.at = at
    this.nextContent()
  }

  /** The node at `at`, inside a collection in column `parent`. */
  private block(parent: number, wanted: WantedKeys | true): Json {
    const { text, at } = this
    const code = text.charCodeAt(at)
    if (code === dash && isBlankOrEnd(text.charCodeAt(at + 1))) return this.list(this.column, false)
    if (code === quote || code === apostrophe) {
      const { lineStart } = this
      const value = this.quoted(code)
      let end = this.at
      while (text.charCodeAt(end) === space) end++
      if (text.charCodeAt(end) !== colon) {
        this.endLine()
        return value
      }
      if (this.lineStart !== lineStart) this.giveUp()
      this.at = at
      return this.mapping(this.column, wanted)
    }
    if (code < 128 && firstClass[code] === 2) return this.special(code, parent)
    return this.isKey() ? this.mapping(this.column, wanted) : this.plain(parent)
  }

  /** Whether the plain text at `at` ends in a colon on its line. */
  private isKey(): boolean {
    const { text } = this
    let at = this.at
    for (;;) {
      const code = text.charCodeAt(++at)
      if (code === colon) {
        if (isBlankOrEnd(text.charCodeAt(at + 1))) return true
      } else if (code === lf || code === 0) return false
      else if (code === hash && text.charCodeAt(at - 1) === space) return false
    }
  }

  /** A value that starts with an indicator. */
  private special(code: number, parent: number): Json {
    if (code === 0x7c || code === 0x3e) {
      const { cursor } = this
      cursor.offset = this.at
      cursor.lineStart = this.lineStart
      cursor.indent = parent
      const isSkipped = this.skipping && skipBlockScalar(cursor)
      const value = isSkipped ? null : scanBlockScalar(cursor, code === 0x7c).value
      this.at = cursor.offset
      this.lineStart = cursor.lineStart
      this.nextContent()
      return value
    }
    if (code === 0x5b || code === 0x7b) {
      const value = code === 0x5b ? this.flowList() : this.flowMapping()
      this.endLine()
      return value
    }
    // These begin plain text where no blank follows
    const isPlain = code === colon || code === 0x3f
    if (isPlain && !isBlankOrEnd(this.text.charCodeAt(this.at + 1))) return this.plain(parent)
    return this.giveUp()
  }

  private list(column: number, indentless: boolean): Json[] {
    this.enter()
    const { text } = this
    const items: Json[] = this.skipping ? skipped : []
    for (;;) {
      let at = this.at + 1
      while (text.charCodeAt(at) === space) at++
      this.at = at
      const code = text.charCodeAt(at)
      let value: Json
      if (code === lf || code === hash || code === 0) {
        this.nextContent()
        value = this.column > column ? this.block(column, true) : null
      } else {
        this.column = at - this.lineStart
        value = this.block(column, true)
      }
      if (items !== skipped) items.push(value)
      if (this.column < column) break
      if (this.column > column) this.giveUp()
      if (text.charCodeAt(this.at) !== dash || !isBlankOrEnd(text.charCodeAt(this.at + 1))) {
        if (!indentless) this.giveUp()
        break
      }
    }
    this.depth--
    return items
  }

  private mapping(column: number, wanted: WantedKeys | true): Json {
    this.enter()
    const { text, skipping } = this
    const object: Target | null = skipping ? null : {}
    for (;;) {
      const key = this.key()
      const below = wanted === true || wanted(key)
      this.skipping = skipping || below === false
      let at = this.at
      while (text.charCodeAt(at) === space) at++
      this.at = at
      const code = text.charCodeAt(at)
      let value: Json
      if (code === lf || code === hash || code === 0) {
        this.nextContent()
        if (this.column > column) value = this.block(column, below || true)
        else if (
          this.column === column &&
          text.charCodeAt(this.at) === dash &&
          isBlankOrEnd(text.charCodeAt(this.at + 1))
        ) {
          value = this.list(column, true)
        } else value = null
      } else if (code === quote || code === apostrophe) {
        value = this.quoted(code)
        this.endLine()
      } else if (code < 128 && firstClass[code] === 2) {
        value = this.special(code, column)
      } else {
        if (code === dash && isBlankOrEnd(text.charCodeAt(at + 1))) this.giveUp()
        value = this.plain(column)
      }
      if (object !== null && below !== false) {
        if (this.strict && Object.hasOwn(object, key)) this.giveUp()
        if (key === '__proto__') defineKey(object, key, value)
        else object[key] = value
      }
      this.skipping = skipping
      if (this.column < column) break
      if (this.column > column) this.giveUp()
    }
    this.depth--
    return object
  }

  /** A key, up to behind its colon. */
  private key(): string {
    const { text } = this
    const start = this.at
    const first = text.charCodeAt(start)
    if (first === quote || first === apostrophe) {
      const line = this.lineStart
      const key = this.quoted(first)
      let at = this.at
      while (text.charCodeAt(at) === space) at++
      if (text.charCodeAt(at) !== colon || !isBlankOrEnd(text.charCodeAt(at + 1))) this.giveUp()
      if (this.lineStart !== line || at - start > 1000) this.giveUp()
      this.at = at + 1
      return key
    }
    if (first < 128 && firstClass[first] === 2) this.giveUp()
    if (first === dash && isBlankOrEnd(text.charCodeAt(start + 1))) this.giveUp()
    let at = start
    let code = first
    for (;;) {
      if (code === colon) {
        if (isBlankOrEnd(text.charCodeAt(at + 1))) break
      } else if (code === lf || code === 0 || code === 0x09) this.giveUp()
      else if (code === hash && text.charCodeAt(at - 1) === space) this.giveUp()
      code = text.charCodeAt(++at)
    }
    this.at = at + 1
    let end = at
    while (text.charCodeAt(end - 1) === space) end--
    if (end - start > 1000) this.giveUp()
    if (!isText(first)) return this.keyText(text.slice(start, end))
    return this.skipping ? '' : text.slice(start, end)
  }

  private keyText(key: string): string {
    if (key === '<<') this.giveUp()
    const resolved = resolvePlain(key, 'v2')
    if (resolved.tag === '!!str' || resolved.tag === '!!timestamp') return key
    // Another key may read the same: which one wins is for the decoder to say.
    if (this.strict) this.giveUp()
    return goKeyText(resolved) ?? this.giveUp()
  }

  /** A scalar without quotes in a block collection. */
  private plain(parent: number): Json {
    const { text } = this
    const start = this.at
    const { lineStart } = this
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length - 1
    let at = start
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === colon) {
        const next = text.charCodeAt(at + 1)
        if (next === space || next === lf || next === 0 || next === 0x09) this.giveUp()
      } else if (code === hash && at > start) {
        const before = text.charCodeAt(at - 1)
        if (before === space || before === 0x09) break
      }
    }
    this.at = end
    this.nextContent()
    if (this.column > parent && at === end) return this.longPlain(parent, start, lineStart)
    if (this.skipping && isText(text.charCodeAt(start))) return null
    while (isBlankOrEnd(text.charCodeAt(at - 1))) at--
    return this.resolve(text.slice(start, at))
  }

  private longPlain(parent: number, start: number, lineStart: number): Json {
    const { cursor } = this
    cursor.offset = start
    cursor.lineStart = lineStart
    cursor.indent = parent
    const { value } = scanPlain(cursor)
    this.at = cursor.offset
    this.lineStart = cursor.lineStart
    const next = cursor.code()
    // On a line of its own a colon or a tab is not content.
    if (next === colon || next === 0x09) this.giveUp()
    this.nextContent()
    return this.resolve(value)
  }

  private resolve(text: string): Json {
    if (isText(text.charCodeAt(0))) return text
    const { tag, value } = resolvePlain(text, 'v2')
    if (tag === '!!str' || tag === '!!timestamp') return text
    if (typeof value === 'bigint' || tag === '!!float') {
      if (!Number.isFinite(Number(value)) || typeof value === 'bigint') this.giveUp()
    }
    return value
  }

  private quoted(code: number): string {
    const { text } = this
    const start = this.at + 1
    const end = text.indexOf(code === quote ? '"' : "'", start)
    if (end === -1) this.giveUp()
    const value = text.slice(start, end)
    const isSimple =
      code === quote
        ? !value.includes('\\') && !value.includes('\n')
        : text.charCodeAt(end + 1) !== apostrophe && !value.includes('\n')
    if (isSimple) {
      this.at = end + 1
      return value
    }
    const { cursor } = this
    cursor.offset = this.at
    cursor.lineStart = this.lineStart
    const token = scanQuoted(cursor, code)
    this.at = cursor.offset
    this.lineStart = cursor.lineStart
    return token.value
  }

  // ---- flow collections: `at` is behind what was read, on whatever follows

  private flowSpace(): number {
    const { text } = this
    let code = text.charCodeAt(this.at)
    while (code === space || code === lf) {
      if (code === lf) {
        this.lineStart = this.at + 1
        const next = text.charCodeAt(this.at + 1)
        if (next === dash || next === 0x2e || next === 0x25) this.giveUp()
      }
      code = text.charCodeAt(++this.at)
    }
    return code
  }

  private flowList(): Json[] {
    this.enter()
    const items: Json[] = []
    this.at++
    for (;;) {
      let code = this.flowSpace()
      if (code === 0x5d) break
      items.push(this.flowValue(code))
      code = this.flowSpace()
      if (code === 0x2c) this.at++
      else if (code !== 0x5d) this.giveUp()
    }
    this.at++
    this.depth--
    return items
  }

  private flowMapping(): Json {
    this.enter()
    const object: Target = {}
    this.at++
    for (;;) {
      let code = this.flowSpace()
      if (code === 0x7d) break
      const key = this.flowKey(code)
      code = this.flowSpace()
      const value = code === 0x2c || code === 0x7d ? null : this.flowValue(code)
      if (this.strict && Object.hasOwn(object, key)) this.giveUp()
      if (key === '__proto__') defineKey(object, key, value)
      else object[key] = value
      code = this.flowSpace()
      if (code === 0x2c) this.at++
      else if (code !== 0x7d) this.giveUp()
    }
    this.at++
    this.depth--
    return object
  }

  private flowKey(code: number): string {
    const { text } = this
    const start = this.at
    const line = this.lineStart
    const isQuoted = code === quote || code === apostrophe
    const raw = isQuoted ? this.quoted(code) : this.flowPlain(code)
    while (text.charCodeAt(this.at) === space) this.at++
    if (text.charCodeAt(this.at) !== colon) this.giveUp()
    if (this.lineStart !== line || this.at - start > 1000) this.giveUp()
    this.at++
    if (isQuoted) return raw
    return isText(code) ? raw : this.keyText(raw)
  }

  private flowValue(code: number): Json {
    if (code === quote || code === apostrophe) return this.quoted(code)
    if (code === 0x5b) return this.flowList()
    if (code === 0x7b) return this.flowMapping()
    return this.resolve(this.flowPlain(code))
  }

  private flowPlain(first: number): string {
    const { text } = this
    if (first < 128 && firstClass[first] === 2) this.giveUp()
    if (first === dash && isBlankOrEnd(text.charCodeAt(this.at + 1))) this.giveUp()
    const start = this.at
    let at = start
    for (;;) {
      const code = text.charCodeAt(++at)
      if (code === colon) {
        if (isBlankOrEnd(text.charCodeAt(at + 1))) break
      } else if (code === 0x2c || code === 0x5d || code === 0x7d) break
      else if (code === hash && text.charCodeAt(at - 1) === space) this.giveUp()
      else if (
        code === lf ||
        code === 0 ||
        code === 0x09 ||
        code === 0x5b ||
        code === 0x7b ||
        code === 0x3f
      ) {
        this.giveUp()
      }
    }
    this.at = at
    let end = at
    while (text.charCodeAt(end - 1) === space) end--
    return text.slice(start, end)
  }
}

/** Whether a plain scalar with this first character cannot be anything but text. */
function isText(first: number): boolean {
  return first >= 128 || firstClass[first] !== 1
}

function isBlankOrEnd(code: number): boolean {
  return code === space || code === lf || code === 0 || code === 0x09
}
