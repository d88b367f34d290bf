import { type CallContext, FunctionFailure, TypedSlice } from '../../../lang/gotemplate/index.ts'
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

function ready(pattern: string, text: string, must: boolean, context: CallContext): GoRegexp {
  context.run.charge(Math.ceil(regexpCost(pattern, text) / costPerStep))
  const regexp = compileRegexp(pattern)
  if (!(regexp instanceof RegexpIssue)) return regexp
  throw new FunctionFailure(must ? regexp.message : mustCompileText(pattern, regexp))
}

/** A `[]string`, nil when there is nothing. */
function strings(items: readonly string[] | undefined): TypedSlice {
  return items === undefined ? new TypedSlice('string', [], { isNil: true }) : stringSlice(items)
}

/** The plain function panics on a bad pattern, the `must` one returns the error; only their texts differ. */
const pairs = (['', 'must'] as const).flatMap((prefix): FunctionList => {
  const must = prefix === 'must'
  const name = (word: string): string => (must ? 'mustR' : 'r') + word.slice(1)
  return [
    [
      name('regexFindAll'),
      define('ssi', ([re, s, n], c) => strings(ready(re, s, must, c).findAll(s, Number(n)))),
    ],
    [name('regexFind'), define('ss', ([re, s], c) => ready(re, s, must, c).find(s) ?? '')],
    [
      name('regexReplaceAll'),
      define('sss', ([re, s, by], c) => ready(re, s, must, c).replaceAll(s, by)),
    ],
    [
      name('regexReplaceAllLiteral'),
      define('sss', ([re, s, by], c) => ready(re, s, must, c).replaceAllLiteral(s, by)),
    ],
    [
      name('regexSplit'),
      define('ssi', ([re, s, n], c) => strings(ready(re, s, must, c).split(s, Number(n)))),
    ],
  ]
})

export const regexpFunctions: FunctionList = [
  ...pairs,
  [
    'regexMatch',
    define('ss', ([re, s], context) =>
      compileRegexp(re) instanceof RegexpIssue ? false : ready(re, s, true, context).test(s),
    ),
  ],
  ['mustRegexMatch', define('ss', ([re, s], context) => ready(re, s, true, context).test(s))],
  ['regexQuoteMeta', define('s', ([s]) => quoteRegexp(s))],
]
