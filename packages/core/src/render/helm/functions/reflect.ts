import { deepEqualValues, kindOf, typeName, type Value } from '../../../lang/gotemplate/index.ts'
import { isEmpty } from './convert.ts'
import { define, type FunctionList } from './define.ts'

export const reflectFunctions: FunctionList = [
  ['typeOf', define('a', ([v]) => typeName(v))],
  ['typeIs', define('sa', ([type, v]) => type === typeName(v))],
  ['typeIsLike', define('sa', ([type, v]) => type === typeName(v) || '*' + type === typeName(v))],
  ['kindOf', define('a', ([v]) => kindOf(v))],
  ['kindIs', define('sa', ([kind, v]) => kind === kindOf(v))],
  ['deepEqual', define('aa', ([a, b]) => deepEqualValues(a, b))],
  [
    'default',
    define('aa*', ([fallback, ...given]) =>
      given.length === 0 || isEmpty(given[0]) ? fallback : given[0],
    ),
  ],
  ['empty', define('a', ([v]) => isEmpty(v))],
  ['coalesce', define('a*', (args) => args.find((v: Value) => !isEmpty(v)))],
  ['all', define('a*', (args) => args.every((v: Value) => !isEmpty(v)))],
  ['any', define('a*', (args) => args.some((v: Value) => !isEmpty(v)))],
  ['ternary', define('aab', ([yes, no, condition]) => (condition ? yes : no))],
]
