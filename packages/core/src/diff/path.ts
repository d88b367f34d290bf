import { SpecError } from '../errors/index.ts'
import { canonicalJson, deepEqual, isObject, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'

/** One step of a path: a key, an index, or the key fields of a list element. */
export type PathStep = string | number | { readonly [field: string]: Json }

/** `spec.template.spec.containers[name=web].image`; keys that are no plain words stand in `["…"]`. */
export function formatPath(path: readonly PathStep[]): string {
  let out = ''
  for (const step of path) {
    if (typeof step === 'number') out += `[${step}]`
    else if (typeof step === 'object') {
      out += `[${Object.entries(step)
        .map(
          ([field, value]) =>
            `${field}=${typeof value === 'string' ? value : canonicalJson(value)}`,
        )
        .join(',')}]`
    } else if (/^[A-Za-z_$][\w$-]*$/.test(step)) out += (out === '' ? '' : '.') + step
    else out += `[${JSON.stringify(step)}]`
  }
  return out
}

/** The same path by positions in the lists of a manifest; undefined where it does not lead to anything. */
export function positionsOf(
  manifest: Manifest,
  path: readonly PathStep[],
): readonly (string | number)[] | undefined {
  const out: (string | number)[] = []
  let value: Json | undefined = manifest
  for (const step of path) {
    if (typeof step === 'string') {
      if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
      out.push(step)
      value = value[step]
      continue
    }
    if (!Array.isArray(value)) return undefined
    const items = value as readonly Json[]
    const at = typeof step === 'number' ? step : items.findIndex((item) => isItem(item, step))
    if (items[at] === undefined) return undefined
    out.push(at)
    value = items[at]
  }
  return out
}

/** Whether a list item is the one that key fields name; of a list of plain values, `value` does. */
export function isItem(item: Json, step: { readonly [field: string]: Json }): boolean {
  return isObject(item)
    ? Object.entries(step).every(([field, wanted]) => deepEqual(item[field], wanted))
    : deepEqual(item, step['value'])
}

const word = /^[^.[\]/]+/

/**
 * Reads what {@link formatPath} writes, and JSON pointers: `spec.containers[name=web].image`, `spec.containers[0].image`,
 * `data["app.yaml"]`, `/spec/containers/0/image`.
 *
 * Throws SpecError USAGE that names the character at which it stops to be a path.
 */
export function parsePath(text: string): readonly PathStep[] {
  if (text.startsWith('/')) return pointerSteps(text)
  const out: PathStep[] = []
  let at = text.startsWith('.') ? 1 : 0
  while (at < text.length) {
    if (text[at] === '[') {
      const end = closingBracket(text, at)
      out.push(bracketStep(text.slice(at + 1, end)))
      at = end + 1
    } else {
      const [found] = word.exec(text.slice(at)) ?? []
      if (found === undefined) throw badPath(text, at)
      out.push(found)
      at += found.length
    }
    if (text[at] === '.' && at + 1 < text.length) at++
    else if (at < text.length && text[at] !== '[') throw badPath(text, at)
  }
  return out
}

function pointerSteps(text: string): readonly PathStep[] {
  return text
    .slice(1)
    .split('/')
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      return /^\d+$/.test(name) ? Number(name) : name
    })
}

function closingBracket(text: string, open: number): number {
  const quoted = /^\["(?:[^"\\]|\\.)*"\]/.exec(text.slice(open))
  const end = quoted === null ? text.indexOf(']', open) : open + quoted[0].length - 1
  if (end < 0) throw badPath(text, open)
  return end
}

function bracketStep(inner: string): PathStep {
  if (/^\d+$/.test(inner)) return Number(inner)
  if (inner.startsWith('"')) return String(scalar(inner))
  return Object.fromEntries(
    inner.split(',').map((pair) => {
      const cut = pair.indexOf('=')
      return cut < 0 ? ['value', scalar(pair)] : [pair.slice(0, cut), scalar(pair.slice(cut + 1))]
    }),
  )
}

function scalar(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function badPath(text: string, at: number): SpecError {
  return new SpecError('USAGE', `not a path from character ${at + 1} on: ${text}`, {
    hint: 'Write spec.containers[name=web].image, or a JSON pointer.',
  })
}
