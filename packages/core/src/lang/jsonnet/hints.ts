/** What to do about an error, or undefined when we have nothing better to say than the error itself. */

import { stdNames } from './std-names.ts'

export function unknownVariableHint(name: string, visible: readonly string[]): string | undefined {
  if (stdNames.has(name)) return `Did you mean std.${name}?`
  const near = closest(name, visible)
  if (near !== undefined) return `Did you mean ${near}?`
  return 'Variables come from local, function parameters and for; fields need self. or $. in front.'
}

export function missingFieldHint(name: string, fields: readonly string[]): string | undefined {
  const near = closest(name, fields)
  if (near !== undefined) return `Did you mean ${near}?`
  if (fields.length === 0) return 'The object has no fields.'
  if (fields.length > 12) return undefined
  return `The object has: ${fields.join(', ')}.`
}

/** Hints that the text of a message alone can give. */
export function messageHint(message: string): string | undefined {
  for (const [pattern, hint] of patterns) if (pattern.test(message)) return hint
  return undefined
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /^couldn't open import/,
    'Paths are looked up beside the importing file, then in the library paths from the last to the first. Is the library vendored and its folder listed?',
  ],
  [
    /^max stack frames exceeded/,
    'Something refers to itself without end: a local, a field or a function without a last case. Use super or tailstrict where it is meant.',
  ],
  [/manifest function/, 'Call the function, give it all its arguments, or hide the field with ::.'],
  [
    /^Missing argument: /,
    'The function needs this argument; for a top-level function it is a TLA.',
  ],
  [
    /^Undefined external variable: /,
    'Give it as an external variable (extVars, or -V NAME=VALUE).',
  ],
  [
    /^Attempt to use super when there is no super class/,
    'super is what stands to the left of this object in a +; here nothing does.',
  ],
  [
    /^Expected a comma before next field|^Expected a comma before next array element/,
    'A comma is missing at the end of the line before.',
  ],
  [
    /^Expected , or ; but got/,
    'A local ends with a semicolon: local x = 1; and then the expression that uses it.',
  ],
  [
    /^Unexpected type null, expected|^Unexpected type null$/,
    'An if without else gives null; std.get(object, field, default) reads a field that may be absent.',
  ],
  [
    /^Not a binary operator: =/,
    'Comparison is ==; an operator may not be followed directly by - or !, so put a space there.',
  ],
  [
    /^Duplicate field/,
    'A literal may name a field only once; use + with another object to override.',
  ],
  [
    /^Unexpected type object, expected (array|string)|^Unexpected type array, expected object/,
    'std.objectFields, std.objectValues and std.objectKeysValues turn an object into an array.',
  ],
]

/** The candidate that is at most a third of its letters away from `name`. */
function closest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates.slice(0, 2000)) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(change, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
