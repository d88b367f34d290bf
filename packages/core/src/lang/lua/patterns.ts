import type { Machine } from './machine.ts'
import type { LuaValue } from './values.ts'

/** A match of a pattern: where it is, from 0, and its captures. */
export interface PatternMatch {
  readonly start: number
  readonly end: number
  readonly captures: readonly LuaValue[]
}

const positionCapture = -2
const openCapture = -1
const maxDepth = 200

/** Lua's patterns over texts of bytes. Every step of the search is charged. */
export class Matcher {
  private readonly machine: Machine
  private readonly text: string
  private readonly pattern: string
  private captures: { start: number; length: number }[] = []
  private depth = 0

  constructor(machine: Machine, text: string, pattern: string) {
    this.machine = machine
    this.text = text
    this.pattern = pattern
  }

  /** The first match at or after a place. */
  find(from: number): PatternMatch | undefined {
    const isAnchored = this.pattern.startsWith('^')
    for (let start = from; start <= this.text.length; start++) {
      const found = this.matchAt(start, isAnchored ? 1 : 0)
      if (found !== undefined || isAnchored) return found
    }
    return undefined
  }

  private matchAt(start: number, patternStart: number): PatternMatch | undefined {
    this.captures = []
    const end = this.match(start, patternStart)
    if (end < 0) return undefined
    const captures = this.captures.map((capture) =>
      capture.length === positionCapture
        ? capture.start + 1
        : this.text.slice(capture.start, capture.start + this.closedLength(capture)),
    )
    return { start, end, captures }
  }

  private closedLength({ length }: { readonly length: number }): number {
    return length === openCapture ? this.machine.fail('unfinished capture at EOS') : length
  }

  /** The end of a match, or -1. */
  private match(textStart: number, patternStart: number): number {
    let at = textStart
    let place = patternStart
    const { pattern, text, machine } = this
    if (++this.depth > maxDepth) machine.fail('pattern too complex')
    try {
      for (;;) {
        machine.step()
        if (place >= pattern.length) return at
        const char = pattern[place]!
        const next = pattern[place + 1]
        if (char === '(') {
          return next === ')'
            ? this.withCapture(at, place + 2, positionCapture)
            : this.withCapture(at, place + 1, openCapture)
        }
        if (char === ')') return this.endCapture(at, place + 1)
        if (char === '$' && place + 1 === pattern.length) return at === text.length ? at : -1
        if (char === '%' && next === 'b') {
          at = this.balanced(at, place + 2)
          if (at < 0) return -1
          place += 4
          continue
        }
        if (char === '%' && next !== undefined && next >= '0' && next <= '9') {
          const capture = this.captures[Number(next) - 1]
          if (capture === undefined || capture.length < 0)
            return machine.fail('invalid capture index')
          const wanted = text.slice(capture.start, capture.start + capture.length)
          machine.step(wanted.length)
          if (!text.startsWith(wanted, at)) return -1
          at += wanted.length
          place += 2
          continue
        }
        const end = this.classEnd(place)
        const repeat = pattern[end]
        if (repeat === '*') return this.greedy(at, place, end, 0)
        if (repeat === '+') return this.greedy(at, place, end, 1)
        if (repeat === '-') return this.lazy(at, place, end)
        const fits = this.single(at, place, end)
        if (repeat === '?') {
          if (fits) {
            const found = this.match(at + 1, end + 1)
            if (found >= 0) return found
          }
          place = end + 1
          continue
        }
        if (!fits) return -1
        at++
        place = end
      }
    } finally {
      this.depth--
    }
  }

  private greedy(at: number, place: number, end: number, least: number): number {
    let count = 0
    while (this.single(at + count, place, end)) {
      this.machine.step()
      count++
    }
    for (; count >= least; count--) {
      const found = this.match(at + count, end + 1)
      if (found >= 0) return found
    }
    return -1
  }

  private lazy(start: number, place: number, end: number): number {
    for (let at = start; ; at++) {
      const found = this.match(at, end + 1)
      if (found >= 0) return found
      if (!this.single(at, place, end)) return -1
    }
  }

  private withCapture(at: number, place: number, length: number): number {
    this.captures.push({ start: at, length })
    const depth = this.captures.length
    const end = this.match(at, place)
    if (end < 0) this.captures.length = depth - 1
    return end
  }

  private endCapture(at: number, place: number): number {
    const open = this.captures.findLast(({ length }) => length === openCapture)
    if (open === undefined) return this.machine.fail('invalid pattern capture')
    open.length = at - open.start
    const end = this.match(at, place)
    if (end < 0) open.length = openCapture
    return end
  }

  private balanced(at: number, place: number): number {
    const open = this.pattern[place]
    const close = this.pattern[place + 1]
    if (open === undefined || close === undefined) {
      return this.machine.fail('malformed pattern (missing arguments to %b)')
    }
    if (this.text[at] !== open) return -1
    let level = 1
    for (let index = at + 1; index < this.text.length; index++) {
      this.machine.step()
      const char = this.text[index]
      if (char === close) {
        if (--level === 0) return index + 1
      } else if (char === open) level++
    }
    return -1
  }

  private single(at: number, place: number, end: number): boolean {
    if (at >= this.text.length) return false
    const code = this.text.charCodeAt(at)
    const char = this.pattern[place]!
    if (char === '.') return true
    if (char === '%') return isOfClass(code, this.pattern[place + 1]!)
    if (char === '[') return this.inSet(code, place, end - 1)
    return this.pattern.charCodeAt(place) === code
  }

  /** Where the item that starts at a place ends. */
  private classEnd(start: number): number {
    const { pattern, machine } = this
    let place = start + 1
    if (pattern[start] === '%') {
      if (place >= pattern.length) machine.fail("malformed pattern (ends with '%')")
      return place + 1
    }
    if (pattern[start] !== '[') return place
    if (pattern[place] === '^') place++
    do {
      if (place >= pattern.length) machine.fail(`unexpected EOS at ${pattern.length - 1}`)
      place += pattern[place] === '%' ? 2 : 1
    } while (pattern[place] !== ']')
    return place + 1
  }

  private inSet(code: number, start: number, last: number): boolean {
    const { pattern } = this
    let place = start + 1
    const isNegated = pattern[place] === '^'
    if (isNegated) place++
    let isIn = false
    while (place < last) {
      if (pattern[place] === '%') {
        isIn ||= isOfClass(code, pattern[place + 1]!)
        place += 2
      } else if (pattern[place + 1] === '-' && place + 2 < last) {
        isIn ||= pattern.charCodeAt(place) <= code && code <= pattern.charCodeAt(place + 2)
        place += 3
      } else {
        isIn ||= pattern.charCodeAt(place) === code
        place++
      }
    }
    return isIn !== isNegated
  }
}

const classes: { readonly [letter: string]: RegExp } = {
  a: /[A-Za-z]/,
  c: /[\x00-\x1f\x7f]/,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[\t-\r ]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[A-Fa-f0-9]/,
  z: /\x00/,
}

function isOfClass(code: number, letter: string): boolean {
  const lower = letter.toLowerCase()
  const found = classes[lower]
  if (found === undefined) return letter.charCodeAt(0) === code
  return found.test(String.fromCharCode(code)) === (letter === lower)
}
