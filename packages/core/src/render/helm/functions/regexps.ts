import {
  BudgetError,
  type CallContext,
  FunctionFailure,
  TypedSlice,
} from '../../../lang/gotemplate/index.ts'
import {
  compileRegexp,
  type GoRegexp,
  mustCompileText,
  quoteRegexp,
  RegexpIssue,
  regexpCost,
} from '../../../text/index.ts'
import { define, type FunctionList } from './define.ts'
import { stringSlice } from './strings.ts'

/** Matching is linear in pattern × text; this much of it is one step of the run. */
const costPerStep = 256

/** No chart has a pattern of that size; reading one takes far longer than its text suggests. */
const maxPattern = 65_536

function checkPattern(pattern: string, { run }: CallContext): void {
  if (pattern.length > maxPattern) {
    throw new BudgetError(
      `template budget exceeded: a regular expression of more than ${maxPattern} units`,
    )
  }
  if (pattern.length > 1_000) run.charge(pattern.length * 50)
}

function ready(pattern: string, text: string, must: boolean, context: CallContext): GoRegexp {
  checkPattern(pattern, context)
  context.run.charge(Math.ceil(regexpCost(pattern, text) / costPerStep))
  const regexp = compileRegexp(pattern)
  if (!(regexp instanceof RegexpIssue)) return regexp
  throw new FunctionFailure(must ? regexp.message : mustCompileText(pattern, regexp))
}

/** A `[]string`, nil when there is nothing. Each part was a match. */
function strings(items: readonly string[] | undefined, { run }: CallContext): TypedSlice {
  run.charge((items?.length ?? 0) * 4)
  return items === undefined ? new TypedSlice('string', [], { isNil: true }) : stringSlice(items)
}

/** As many parts as are wanted, but no more than a run allows; asked for one more, so that too many are seen. */
function most(n: bigint, { run }: CallContext): number {
  const allowed = Math.floor(run.limits.size / 8) + 1
  return n < 0n || n > BigInt(allowed) ? allowed : Number(n)
}

/** Stops a result that grows too long, and counts what each match takes. */
function growing({ run }: CallContext): (length: number) => void {
  return (length) => {
    run.step()
    run.checkSize(length)
  }
}

/** The plain function panics on a bad pattern, the `must` one returns the error; only their texts differ. */
const pairs = (['', 'must'] as const).flatMap((prefix): FunctionList => {
  const must = prefix === 'must'
  const name = (word: string): string => (must ? 'mustR' : 'r') + word.slice(1)
  return [
    [
      name('regexFindAll'),
      define('ssi', ([re, s, n], c) => strings(ready(re, s, must, c).findAll(s, most(n, c)), c)),
    ],
    [name('regexFind'), define('ss', ([re, s], c) => ready(re, s, must, c).find(s) ?? '')],
    [
      name('regexReplaceAll'),
      define('sss', ([re, s, by], c) => ready(re, s, must, c).replaceAll(s, by, growing(c))),
    ],
    [
      name('regexReplaceAllLiteral'),
      define('sss', ([re, s, by], c) => ready(re, s, must, c).replaceAllLiteral(s, by, growing(c))),
    ],
    [
      name('regexSplit'),
      define('ssi', ([re, s, n], c) => strings(ready(re, s, must, c).split(s, most(n, c)), c)),
    ],
  ]
})

export const regexpFunctions: FunctionList = [
  ...pairs,
  [
    'regexMatch',
    define('ss', ([re, s], context) => {
      checkPattern(re, context)
      return compileRegexp(re) instanceof RegexpIssue ? false : ready(re, s, true, context).test(s)
    }),
  ],
  ['mustRegexMatch', define('ss', ([re, s], context) => ready(re, s, true, context).test(s))],
  ['regexQuoteMeta', define('s', ([s]) => quoteRegexp(s))],
]
