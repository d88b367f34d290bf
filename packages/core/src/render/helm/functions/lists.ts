import {
  deepEqualValues,
  FunctionFailure,
  itemsOf,
  TypedSlice,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { isEmpty, toInt64 } from './convert.ts'
import { define, type FunctionList, kindOrPanic } from './define.ts'

type Make = (verb: string) => readonly (readonly [string, ReturnType<typeof define>])[]

/** The same function under two names: the plain one panics, the `must` one returns its error; both read alike. */
function both(name: string, must: string, def: ReturnType<typeof define>): ReturnType<Make> {
  return [
    [name, def],
    [must, def],
  ]
}

export const listFunctions: FunctionList = [
  ['list', define('a*', (args) => args)],
  ['tuple', define('a*', (args) => args)],
  ...both(
    'append',
    'mustAppend',
    define('aa', ([list, v]) => [...listOf(list, 'Cannot push on'), v]),
  ),
  ...both(
    'push',
    'mustPush',
    define('aa', ([list, v]) => [...listOf(list, 'Cannot push on'), v]),
  ),
  ...both(
    'prepend',
    'mustPrepend',
    define('aa', ([list, v]) => [v, ...listOf(list, 'Cannot prepend on')]),
  ),
  ...both(
    'first',
    'mustFirst',
    define('a', ([list]) => listOf(list, 'Cannot find first on')[0]),
  ),
  ...both(
    'last',
    'mustLast',
    define('a', ([list]) => listOf(list, 'Cannot find last on').at(-1)),
  ),
  ...both(
    'rest',
    'mustRest',
    define('a', ([list]) => {
      const items = listOf(list, 'Cannot find rest on')
      return items.length === 0 ? nilList() : items.slice(1)
    }),
  ),
  ...both(
    'initial',
    'mustInitial',
    define('a', ([list]) => {
      const items = listOf(list, 'Cannot find initial on')
      return items.length === 0 ? nilList() : items.slice(0, -1)
    }),
  ),
  ...both(
    'reverse',
    'mustReverse',
    define('a', ([list]) => listOf(list, 'Cannot find reverse on').toReversed()),
  ),
  ...both(
    'compact',
    'mustCompact',
    define('a', ([list]) => listOf(list, 'Cannot compact on').filter((item) => !isEmpty(item))),
  ),
  ...both(
    'uniq',
    'mustUniq',
    define('a', ([list], { run }) => {
      const out: Value[] = []
      for (const item of listOf(list, 'Cannot find uniq on')) {
        run.charge(out.length)
        if (!includes(out, item)) out.push(item)
      }
      return out
    }),
  ),
  ...both(
    'without',
    'mustWithout',
    define('aa*', ([list, ...omit], { run }) => {
      const items = listOf(list, 'Cannot find without on')
      run.charge(items.length * omit.length)
      return items.filter((item) => !includes(omit, item))
    }),
  ),
  ...both(
    'has',
    'mustHas',
    define('aa', ([needle, list], { run }) => {
      if (list === null || list === undefined) return false
      const items = listOf(list, 'Cannot find has on')
      run.charge(items.length)
      return includes(items, needle)
    }),
  ),
  ...both(
    'slice',
    'mustSlice',
    define('aa*', ([list, ...indices]) => slice(list, indices)),
  ),
  ...both(
    'chunk',
    'mustChunk',
    define('ia', ([size, list]) => chunk(Number(size), list)),
  ),
  [
    'concat',
    define('a*', (lists, { run }) => {
      const parts = lists.map((list: Value) => {
        const items = itemsOf(list)
        if (items === undefined) {
          throw new FunctionFailure(`Cannot concat type ${kindOrPanic(list)} as list`)
        }
        return items
      })
      const total = parts.reduce((sum, items) => sum + items.length, 0)
      run.checkItems(total)
      return total === 0 ? nilList() : parts.flat()
    }),
  ],
]

/** A nil `[]interface {}`: it is `null` in JSON. */
export function nilList(): TypedSlice {
  return new TypedSlice('interface {}', [], { isNil: true })
}

function listOf(list: Value, message: string): readonly Value[] {
  const items = itemsOf(list)
  if (items === undefined) throw new FunctionFailure(`${message} type ${kindOrPanic(list)}`)
  return items
}

function includes(list: readonly Value[], needle: Value): boolean {
  return list.some((item) => deepEqualValues(needle, item))
}

function slice(list: Value, indices: readonly Value[]): Value {
  const items = itemsOf(list)
  if (items === undefined) {
    throw new FunctionFailure(`list should be type of slice or array but ${kindOrPanic(list)}`)
  }
  if (items.length === 0) return null
  const start = indices.length > 0 ? Number(toInt64(indices[0])) : 0
  const end = indices.length > 1 ? Number(toInt64(indices[1])) : items.length
  if (start < 0 || start > end || end > items.length) {
    throw new FunctionFailure('reflect.Value.Slice: slice index out of bounds')
  }
  if (list instanceof Uint8Array) return list.slice(start, end)
  const part = items.slice(start, end)
  return list instanceof TypedSlice
    ? new TypedSlice(list.elementType, part, { goType: list.goType })
    : part
}

function chunk(size: number, list: Value): Value {
  const items = itemsOf(list)
  if (items === undefined) throw new FunctionFailure(`Cannot chunk type ${kindOrPanic(list)}`)
  const count = Math.floor((items.length - 1) / size) + 1
  if (!Number.isFinite(count) || count < 0) {
    throw new FunctionFailure('runtime error: makeslice: len out of range')
  }
  const out: Value[] = []
  for (let i = 0; i < count; i++) {
    const length = i < count - 1 ? size : items.length % size || size
    if (length < 0) throw new FunctionFailure('runtime error: makeslice: len out of range')
    out.push(items.slice(i * size, i * size + length))
  }
  return new TypedSlice('[]interface {}', out)
}
