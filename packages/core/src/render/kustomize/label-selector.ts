import { fail } from './fail.ts'

/** Whether a map of labels, made when it is needed, is selected. */
export type LabelSelector = (labels: () => ReadonlyMap<string, string>) => boolean

type Test = (labels: ReadonlyMap<string, string>) => boolean

const word = /^[^\s,()=!<>]+/

/**
 * Reads a selector of Kubernetes: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1`. An empty one selects everything.
 *
 * Source: k8s.io/apimachinery pkg/labels/selector.go
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.trim() === '') return () => true
  const tests: Test[] = []
  let rest = text.trim()
  while (rest !== '') {
    const { test, after } = parseRequirement(rest, text)
    tests.push(test)
    rest = after.trimStart()
    if (rest === '') break
    if (!rest.startsWith(',')) refuse(`found '${rest}', expected: ',' or 'end of string'`)
    rest = rest.slice(1).trimStart()
    if (rest === '') refuse("found '', expected: identifier after ','")
  }
  return (labels) => {
    const map = labels()
    return tests.every((test) => test(map))
  }
}

function refuse(why: string): never {
  return fail(`unable to parse requirement: ${why}`)
}

function parseRequirement(
  text: string,
  whole: string,
): { readonly test: Test; readonly after: string } {
  let rest = text
  const negated = rest.startsWith('!')
  if (negated) rest = rest.slice(1).trimStart()
  const key = word.exec(rest)?.[0]
  if (key === undefined) return refuse(`found '${whole}', expected: identifier`)
  rest = rest.slice(key.length).trimStart()
  if (negated) return { test: (labels) => !labels.has(key), after: rest }
  if (rest === '' || rest.startsWith(',')) return { test: (labels) => labels.has(key), after: rest }
  const set = /^(in|notin)\s*\(([^)]*)\)/.exec(rest)
  if (set !== null) {
    const values = new Set(set[2]!.split(',').map((value) => value.trim()))
    const inside = set[1] === 'in'
    return {
      test: (labels) =>
        inside
          ? labels.has(key) && values.has(labels.get(key)!)
          : !(labels.has(key) && values.has(labels.get(key)!)),
      after: rest.slice(set[0].length),
    }
  }
  const operator = /^(?:==|=|!=|>|<)/.exec(rest)?.[0]
  if (operator === undefined) {
    return refuse(`found '${rest}', expected: in, notin, =, ==, !=, gt, lt`)
  }
  rest = rest.slice(operator.length).trimStart()
  const value = word.exec(rest)?.[0] ?? ''
  return { test: comparison(key, operator, value), after: rest.slice(value.length) }
}

function comparison(key: string, operator: string, value: string): Test {
  switch (operator) {
    case '!=':
      return (labels) => !labels.has(key) || labels.get(key) !== value
    case '>':
    case '<': {
      const bound = Number(value)
      return (labels) => {
        const found = labels.get(key)
        if (found === undefined || !/^-?\d+$/.test(found)) return false
        return operator === '>' ? Number(found) > bound : Number(found) < bound
      }
    }
    default:
      return (labels) => labels.get(key) === value
  }
}
