/** Strings as sequences of code points. Strings without surrogates, nearly all, are indexed directly. */

import { machine } from './machine.ts'

const surrogate = /[\ud800-\udfff]/

let lastText = ''
let lastPoints: readonly string[] | undefined

/** The code points of a text that has surrogates; undefined when its units are its code points. */
function pointsOf(text: string): readonly string[] | undefined {
  if (text === lastText) return lastPoints
  const points = surrogate.test(text) ? [...text] : undefined
  // the next frame that is opened notices
  machine.steps -= text.length >> (points === undefined ? 6 : 3)
  lastText = text
  lastPoints = points
  return points
}

export function pointLength(text: string): number {
  return pointsOf(text)?.length ?? text.length
}

/** The character at a valid index. */
export function pointAt(text: string, index: number): string {
  return pointsOf(text)?.[index] ?? text[index]!
}

/** Characters from `from` up to `to`; both within the text. */
export function pointSlice(text: string, from: number, to: number): string {
  const points = pointsOf(text)
  return points === undefined ? text.slice(from, to) : points.slice(from, to).join('')
}

export function pointList(text: string): readonly string[] {
  return pointsOf(text) ?? text.split('')
}
