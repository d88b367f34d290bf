import type { YamlNode } from '../../yaml/index.ts'
import { expectKind, getField, isEmpty, isMissing } from './node.ts'

/** The key values of every element, each only once. */
export function tuplesOf(
  sources: readonly (YamlNode | undefined)[],
  keys: readonly string[],
): string[][] {
  const seen = new Set<string>()
  const tuples: string[][] = []
  for (const source of sources) {
    for (const element of source?.content ?? []) {
      const tuple =
        keys[0] === ''
          ? [element.value]
          : keys.map((key) => {
              const value = getField(element, key)
              return isEmpty(value) ? '' : value!.value
            })
      const name = tuple.join('\u0000')
      if (seen.has(name)) continue
      seen.add(name)
      tuples.push(tuple)
    }
  }
  return tuples
}

/** Tuples that agree where both say something complete each other. */
export function unify(tuples: string[][]): void {
  for (let i = 0; i < tuples.length; i++) {
    const first = tuples[i]!
    for (let j = 0; j < tuples.length; j++) {
      const union = unionOf(first, tuples[j]!)
      if (union === undefined) continue
      tuples[i] = union
      tuples[j] = union
    }
  }
}

export function unionOf(a: readonly string[], b: readonly string[]): string[] | undefined {
  let common = false
  const union: string[] = []
  for (const [i, left] of a.entries()) {
    const right = b[i]!
    if (left === right) common = true
    else if (left !== '' && right !== '') return undefined
    union.push(left !== '' ? left : right)
  }
  return common ? union : undefined
}

/** Positions of the keys that some tuple has a value for; all when there is none. */
export function validPositions(
  tuples: readonly (readonly string[])[],
  keys: readonly string[],
): readonly number[] {
  const all = keys.map((_, at) => at)
  const valid = all.filter((at) => tuples.some((tuple) => tuple[at] !== ''))
  return valid.length === 0 ? all : valid
}

export function findElement(
  list: YamlNode,
  keys: readonly string[],
  values: readonly string[],
): YamlNode | undefined {
  if (list.kind !== 'sequence') return undefined
  if (keys[0] === '') return list.content.find((element) => element.value === values[0])
  return list.content.find(
    (element) =>
      element.kind === 'mapping' &&
      keys.every((key, i) => getField(element, key)?.value === values[i]),
  )
}

/** Puts `element` in the place of the elements with these key values, or removes them. */
export function setElement(
  list: YamlNode,
  element: YamlNode | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  const wantsMaps = keys[0] !== '' && values.length > 0 && values[0] !== ''
  const content: YamlNode[] = []
  let hit = false
  for (const candidate of list.content) {
    if (isMissing(candidate)) continue
    if (candidate.kind === 'mapping' && candidate.content.length === 0) continue
    if (candidate.kind !== 'mapping' && wantsMaps) {
      content.push(candidate)
      continue
    }
    if (!hasKeys(candidate, keys, values)) {
      if (values.length > 0) content.push(candidate)
      continue
    }
    hit = true
    if (element !== undefined) content.push(element)
  }
  list.content = content
  if (!isMissing(element) && !hit) list.content.push(element)
}

export function hasKeys(
  element: YamlNode,
  keys: readonly string[],
  values: readonly string[],
): boolean {
  let matched = false
  for (const [i, key] of keys.entries()) {
    if (i < values.length) matched = hasKey(element, key, values[i]!)
    if (!matched) return false
  }
  return matched
}

export function hasKey(element: YamlNode, key: string, value: string): boolean {
  if (key === '') {
    expectKind(element, 'scalar')
    return element.value === value
  }
  expectKind(element, 'mapping')
  const field = getField(element, key)
  return field !== undefined && (value === '' || field.value === value)
}

export function appendAll(list: YamlNode, more: YamlNode, keys: readonly string[]): YamlNode {
  for (const element of [...more.content]) {
    if (keys[0] === '') {
      setElement(list, element, [''], [element.value])
      continue
    }
    const values: string[] = []
    for (const key of keys) {
      expectKind(element, 'mapping')
      const value = isMissing(element) ? undefined : getField(element, key)
      if (value === undefined) list.content.push(element)
      else values.push(value.value)
    }
    if (keys.length > 1) setElement(list, undefined, keys, values)
    setElement(list, element, keys, values)
  }
  return list
}
