import { isObject, type Json } from '../../../json/index.ts'

/** Fields that tell elements of lists apart, where an element has them: keys by which lists merge, and names. */
const identities: readonly (readonly string[])[] = [
  ['name'],
  ['containerPort', 'protocol'],
  ['port', 'protocol'],
  ['mountPath'],
  ['devicePath'],
  ['topologyKey', 'whenUnsatisfiable'],
  ['key'],
  ['type'],
  ['ip'],
  ['uid'],
]

/** Whether two elements are the same one, before and after a change. */
export function sameElement(a: Json, b: Json, atSamePlace: boolean): boolean {
  if (!isObject(a) || !isObject(b)) return atSamePlace && !isObject(a) && !isObject(b)
  for (const fields of identities) {
    const [first] = fields
    const inBoth = Object.hasOwn(a, first!) && Object.hasOwn(b, first!)
    if (!inBoth) continue
    return fields.every((field) => (a[field] ?? '') === (b[field] ?? ''))
  }
  return atSamePlace
}

/** Where the fields of a patch stand that made the value at `path`: elements of its lists stand in another order. */
export function pathInPatch(
  value: Json,
  patch: Json,
  path: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  const out: (string | number)[] = []
  let [at, there]: [Json | undefined, Json | undefined] = [value, patch]
  for (const step of path) {
    if (typeof step === 'number') {
      if (!Array.isArray(at) || !Array.isArray(there)) return undefined
      const element: Json | undefined = at[step]
      if (element === undefined) return undefined
      const list: readonly Json[] = there
      const index = list.findIndex(
        (other, i) => other === element || sameElement(other, element, i === step),
      )
      if (index === -1) return undefined
      out.push(index)
      at = element
      there = list[index]
    } else {
      if (!isObject(at) || !isObject(there) || !Object.hasOwn(there, step)) return undefined
      out.push(step)
      at = at[step]
      there = there[step]
    }
  }
  return out
}
