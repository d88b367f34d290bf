import { quoteGo } from '../../text/index.ts'
import { fail } from './fail.ts'
import { labelKeyProblems, labelValueProblems } from './label-names.ts'

/** Whether a map of labels, made when it is needed, is selected. */
export type LabelSelector = (labels: () => ReadonlyMap<string, string>) => boolean

type Test = (labels: ReadonlyMap<string, string>) => boolean

/**
 * Reads a selector of Kubernetes: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1`. An empty one selects everything.
 *
 * Source: k8s.io/apimachinery v0.19.8 pkg/labels/selector.go, as kyaml holds it
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tests = new SelectorReader(text).read()
  if (tests.length === 0) return () => true
  return (labels) => {
    const map = labels()
    return tests.every((test) => test(map))
  }
}

const comparisons = ['=', '==', '!=', '>', '<']

class SelectorReader {
  private readonly tokens: readonly string[]
  private at = 0

  constructor(text: string) {
    // the last token is the end: ''
    this.tokens = [...text.matchAll(/[^=!(),<>\s]+|==|!=|[=!(),<>]/g)]
      .map(([token]) => token)
      .concat('')
  }

  /** Inside a list of values `in` and `notin` are names as others are. */
  private isName(token: string, isOperator = false): boolean {
    return /^[^=!(),<>]/.test(token) && !(isOperator && /^(?:in|notin)$/.test(token))
  }

  private get next(): string {
    return this.tokens[this.at]!
  }

  private take(): string {
    const token = this.next
    if (this.at < this.tokens.length - 1) this.at++
    return token
  }

  read(): readonly Test[] {
    const tests: Test[] = []
    while (this.next !== '') {
      if (!this.isName(this.next) && this.next !== '!') {
        fail(`found '${this.next}', expected: !, identifier, or 'end of string'`)
      }
      tests.push(this.requirement())
      const separator = this.take()
      if (separator === '') break
      if (separator !== ',') fail(`found '${separator}', expected: ',' or 'end of string'`)
      if (!this.isName(this.next) && this.next !== '!') {
        fail(`found '${this.next}', expected: identifier after ','`)
      }
    }
    return tests
  }

  private requirement(): Test {
    let negated = false
    if (this.next === '!') {
      negated = true
      this.take()
    }
    const key = this.take()
    if (!this.isName(key)) refuse(`found '${key}', expected: identifier`)
    const problems = labelKeyProblems(key)
    if (problems.length > 0) refuse(`invalid label key ${quoteGo(key)}: ${problems.join('; ')}`)
    if (negated) return (labels) => !labels.has(key)
    if (this.next === '' || this.next === ',') return (labels) => labels.has(key)
    const operator = this.take()
    if (operator === 'in' || operator === 'notin') {
      const values = this.checked(key, this.list())
      return operator === 'in'
        ? (labels) => labels.has(key) && values.has(labels.get(key)!)
        : (labels) => !(labels.has(key) && values.has(labels.get(key)!))
    }
    if (!comparisons.includes(operator)) {
      refuse(`found '${operator}', expected: '=', '!=', '==', 'in', notin'`)
    }
    return this.comparison(key, operator, this.value())
  }

  private comparison(key: string, operator: string, value: string): Test {
    if (operator === '>' || operator === '<') {
      const bound = integer(value)
      if (bound === undefined) refuse("for 'Gt', 'Lt' operators, the value must be an integer")
      this.checked(key, new Set([value]))
      return (labels) => {
        const found = integer(labels.get(key) ?? '')
        return found !== undefined && (operator === '>' ? found > bound : found < bound)
      }
    }
    this.checked(key, new Set([value]))
    return operator === '!='
      ? (labels) => !labels.has(key) || labels.get(key) !== value
      : (labels) => labels.get(key) === value
  }

  private value(): string {
    if (this.next === '' || this.next === ',') return ''
    const value = this.take()
    return this.isName(value) ? value : refuse(`found '${value}', expected: identifier`)
  }

  /** Values in parentheses; an empty place between commas is the empty value. */
  private list(): ReadonlySet<string> {
    const open = this.take()
    if (open !== '(') refuse(`found '${open}' expected: '('`)
    const values = new Set<string>()
    if (this.next === ')') {
      this.take()
      return values.add('')
    }
    if (!this.isName(this.next) && this.next !== ',') {
      refuse(`found '${this.next}', expected: ',', ')' or identifier`)
    }
    for (;;) {
      const token = this.take()
      if (this.isName(token)) {
        values.add(token)
        if (this.next !== ',' && this.next !== ')')
          refuse(`found '${this.next}', expected: ',' or ')'`)
      } else if (token === ',') {
        if (values.size === 0 || this.next === ')' || this.next === ',') values.add('')
        if (this.next === ',') this.take()
      } else refuse(`found '${token}', expected: ',', or identifier`)
      if (this.next === ')') break
    }
    this.take()
    return values
  }

  private checked(key: string, values: ReadonlySet<string>): ReadonlySet<string> {
    for (const value of [...values].sort()) {
      const problems = labelValueProblems(value)
      if (problems.length > 0) {
        refuse(
          `invalid label value: ${quoteGo(value)}: at key: ${quoteGo(key)}: ${problems.join('; ')}`,
        )
      }
    }
    return values
  }
}

function refuse(why: string): never {
  return fail(`unable to parse requirement: ${why}`)
}

function integer(text: string): bigint | undefined {
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
}
