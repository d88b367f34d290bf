import type { Ast, Pattern } from './ast.ts'

// Built-ins that are made of others. The names that they bind hold a space, so that no program can see them.

const dot: Ast = { type: 'identity' }
const each: Ast = { type: 'iterate', of: dot }
const nothing: Ast = call('empty')

function call(name: string, ...args: readonly Ast[]): Ast {
  return { type: 'call', name, args, builtIn: true }
}
function pipe(first: Ast, ...rest: readonly Ast[]): Ast {
  return rest.reduce((left, right): Ast => ({ type: 'pipe', left, right }), first)
}
function comma(left: Ast, right: Ast): Ast {
  return { type: 'comma', left, right }
}
function list(of: Ast): Ast {
  return { type: 'array', of }
}
function when(test: Ast, then: Ast, otherwise?: Ast): Ast {
  return { type: 'if', test, then, otherwise }
}
function op(left: Ast, operator: string, right: Ast): Ast {
  return { type: 'binary', operator, left, right }
}
function text(value: string): Ast {
  return { type: 'string', format: undefined, parts: [value] }
}
function number(value: number): Ast {
  return { type: 'number', text: String(value) }
}
function field(of: Ast, name: string): Ast {
  return { type: 'index', of, key: text(name) }
}
function at(of: Ast, key: Ast): Ast {
  return { type: 'index', of, key }
}
function ref(name: string): Ast {
  return { type: 'variable', name: `$ ${name}` }
}
function bound(name: string): Pattern {
  return { type: 'variable', name: `$ ${name}` }
}
/** `source as $name | body` */
function bind(source: Ast, name: string, body: Ast): Ast {
  return { type: 'bind', source, patterns: [bound(name)], body }
}
/** A local function without arguments that may call itself. */
function loop(body: (again: Ast) => Ast): Ast {
  const again = call(' again')
  return {
    type: 'define',
    definition: { name: ' again', parameters: [], body: body(again) },
    body: again,
  }
}
function label(name: string, body: (leave: Ast) => Ast): Ast {
  const mark = `$ ${name}`
  return { type: 'label', name: mark, body: body({ type: 'break', name: mark }) }
}
function fold(source: Ast, item: string, start: Ast, update: Ast): Ast {
  const extract = undefined
  return { type: 'reduce', source, pattern: bound(item), start, update, extract }
}
function scan(source: Ast, item: string, start: Ast, update: Ast, extract: Ast): Ast {
  return { type: 'foreach', source, pattern: bound(item), start, update, extract }
}
function isType(...types: readonly string[]): Ast {
  const tests = types.map((type) => op(call('type'), '==', text(type)))
  return tests.reduce((left, right) => op(left, 'or', right))
}
/** The keys of `.a["b"][0]`, where all of them are written out; undefined for other programs. */
function constantPath(paths: Ast): Ast | undefined {
  if (paths.type === 'group') return constantPath(paths.of)
  if (paths.type !== 'index') return undefined
  const { of, key } = paths
  const plain =
    key.type === 'number' ||
    (key.type === 'string' &&
      key.format === undefined &&
      key.parts.length === 1 &&
      typeof key.parts[0] === 'string')
  if (!plain) return undefined
  if (of.type === 'identity') return key
  const before = constantPath(of)
  return before && comma(before, key)
}
const keep = (test: Ast): Ast => when(test, dot, nothing)
const nil: Ast = { type: 'null' }
const yes: Ast = { type: 'true' }
const no: Ast = { type: 'false' }

/** The first output only. */
const firstOf = (source: Ast): Ast => label('first', (leave) => pipe(source, comma(dot, leave)))
/** True when there is no output at all. */
const hasNone = (source: Ast): Ast => firstOf(comma(pipe(source, no), yes))

const recurse = (step: Ast): Ast => loop((again) => comma(dot, pipe(step, again)))

/** Lets through the items whose count passes a test; `count` goes down from `limit`. */
const counted = (source: Ast, limit: Ast, pass: (leave: Ast) => Ast): Ast =>
  label('counted', (leave) => scan(source, 'item', limit, op(dot, '-', number(1)), pass(leave)))

const limit = (source: Ast): Ast =>
  when(
    op(ref('n'), '>', number(0)),
    counted(source, ref('n'), (leave) =>
      comma(ref('item'), when(op(dot, '<=', number(0)), leave, nothing)),
    ),
    when(
      op(ref('n'), '==', number(0)),
      nothing,
      call('error', text("limit doesn't support negative count")),
    ),
  )

const skip = (source: Ast): Ast =>
  when(
    op(ref('n'), '>', number(0)),
    counted(source, ref('n'), () => when(op(dot, '<', number(0)), ref('item'), nothing)),
    when(
      op(ref('n'), '==', number(0)),
      source,
      call('error', text("skip doesn't support negative count")),
    ),
  )

const nth = (source: Ast): Ast =>
  when(
    op(ref('n'), '>=', number(0)),
    firstOf(skip(source)),
    call('error', text("nth doesn't support negative index")),
  )

/** `name_by(f)` gets its keys from f on each item. */
const by =
  (name: string): Macro =>
  ([f]) =>
    call(name, list(pipe(each, list(f!))))

const regexp = (
  name: string,
  body: (pattern: Ast, flags: Ast) => Ast,
): { [name: string]: Macro } => ({
  [`${name}/1`]: ([pattern]) => bind(pattern!, 're', body(ref('re'), nil)),
  [`${name}/2`]: ([pattern, flags]) =>
    bind(pattern!, 're', bind(flags!, 'flags', body(ref('re'), ref('flags')))),
})

const matches = (pattern: Ast, flags: Ast): Ast => ({
  type: 'iterate',
  of: call(' match', pattern, flags),
})

/** Deletes the paths of all outputs at once. */
const remove = (paths: Ast): Ast => call('delpaths', list(call('path', paths)))

/**
 * The text with each match replaced. Several outputs of the replacement give several texts, the first outputs of all
 * matches the first text, and so on.
 */
const replace = (replacement: Ast, pattern: Ast, flags: Ast): Ast =>
  bind(
    dot,
    'text',
    pipe(
      fold(
        matches(pattern, flags),
        'match',
        { type: 'object', entries: [] },
        call(
          ' replace',
          ref('text'),
          ref('match'),
          list(pipe(ref('match'), field(dot, 'captures'), call(' captures'), replacement)),
        ),
      ),
      call(' replaced', ref('text')),
      each,
    ),
  )

type Macro = (args: readonly Ast[], operator?: string) => Ast

/** Keyed by `name/arity`; what programs cannot call by name has a space. */
export const macros: { readonly [signature: string]: Macro } = {
  'assign 2': ([paths, value]) => {
    const set = call('setpath', ref('path'), ref('value'))
    const known = constantPath(paths!)
    const all =
      known === undefined
        ? fold(call('path', paths!), 'path', dot, set)
        : bind({ type: 'array', of: known }, 'path', set)
    return bind(value!, 'value', all)
  },
  // the first output of the change, or deletion where there is none
  'modify 2': ([paths, change]) =>
    bind(
      dot,
      'whole',
      pipe(
        fold(
          call('path', paths!),
          'path',
          list(comma(dot, { type: 'emptyArray' })),
          bind(
            dot,
            'state',
            pipe(
              list(firstOf(pipe(at(dot, number(0)), call('getpath', ref('path')), change!))),
              call(' modified', ref('state'), ref('path')),
            ),
          ),
        ),
        bind(at(dot, number(1)), 'gone', pipe(at(dot, number(0)), call('delpaths', ref('gone')))),
      ),
    ),
  'update 2': ([paths, value], operator) =>
    bind(value!, 'by', op(paths!, '|=', op(dot, operator!, ref('by')))),

  'map/1': ([f]) => list(pipe(each, f!)),
  'map_values/1': ([f]) => op(each, '|=', f!),
  'add/1': ([f]) => pipe(list(f!), call('add')),
  'in/1': ([object]) => bind(dot, 'key', pipe(object!, call('has', ref('key')))),
  'select/1': ([test]) => keep(test!),
  'recurse/0': () => recurse({ type: 'optional', of: each }),
  'recurse/1': ([f]) => recurse(f!),
  'recurse/2': ([f, test]) => recurse(pipe(f!, keep(test!))),
  'to_entries/0': () => call(' entries'),
  'from_entries/0': () => call(' fromEntries'),
  'with_entries/1': ([f]) => pipe(call(' entries'), list(pipe(each, f!)), call(' fromEntries')),
  'while/2': ([test, next]) =>
    loop((again) => when(test!, comma(dot, pipe(next!, again)), nothing)),
  'until/2': ([test, next]) => loop((again) => when(test!, dot, pipe(next!, again))),
  'repeat/1': ([f]) => loop((again) => comma(f!, again)),
  'range/1': ([to]) => bind(to!, 'to', call(' range', number(0), ref('to'), number(1))),
  'range/2': ([from, to]) =>
    bind(from!, 'from', bind(to!, 'to', call(' range', ref('from'), ref('to'), number(1)))),
  'range/3': ([from, to, by]) =>
    bind(
      from!,
      'from',
      bind(to!, 'to', bind(by!, 'by', call(' range', ref('from'), ref('to'), ref('by')))),
    ),
  'min_by/1': by(' minBy'),
  'max_by/1': by(' maxBy'),
  'sort_by/1': by(' sortBy'),
  'group_by/1': by(' groupBy'),
  'unique_by/1': by(' uniqueBy'),
  'arrays/0': () => keep(isType('array')),
  'objects/0': () => keep(isType('object')),
  'iterables/0': () => keep(isType('array', 'object')),
  'booleans/0': () => keep(isType('boolean')),
  'numbers/0': () => keep(isType('number')),
  'finites/0': () => keep(call('isfinite')),
  'normals/0': () => keep(call('isnormal')),
  'strings/0': () => keep(isType('string')),
  'nulls/0': () => keep(isType('null')),
  'values/0': () => keep(op(dot, '!=', nil)),
  'scalars/0': () => when(isType('array', 'object'), nothing, dot),
  'combinations/0': () =>
    loop((again) =>
      when(
        op(call('length'), '==', number(0)),
        { type: 'emptyArray' },
        bind(
          { type: 'iterate', of: at(dot, number(0)) },
          'head',
          op(
            list(ref('head')),
            '+',
            pipe({ type: 'slice', of: dot, from: number(1), to: undefined }, again),
          ),
        ),
      ),
    ),
  'combinations/1': ([n]) =>
    pipe(list(call('limit', n!, call('repeat', dot))), call('combinations')),
  'walk/1': ([f]) =>
    loop((again) =>
      pipe(
        when(
          isType('array'),
          list(pipe(each, again)),
          when(isType('object'), op(each, '|=', again)),
        ),
        f!,
      ),
    ),
  'first/0': () => at(dot, number(0)),
  'first/1': ([source]) => firstOf(source!),
  'last/0': () => at(dot, { type: 'sign', sign: '-', of: number(1) }),
  'isempty/1': ([source]) => hasNone(source!),
  'all/0': () => call('all', each, dot),
  'all/1': ([test]) => call('all', each, test!),
  'all/2': ([source, test]) => hasNone(pipe(source!, keep(pipe(test!, call('not'))))),
  'any/0': () => call('any', each, dot),
  'any/1': ([test]) => call('any', each, test!),
  'any/2': ([source, test]) => pipe(hasNone(pipe(source!, keep(test!))), call('not')),
  'limit/2': ([n, source]) => bind(n!, 'n', limit(source!)),
  'skip/2': ([n, source]) => bind(n!, 'n', skip(source!)),
  'nth/1': ([n]) => bind(n!, 'n', at(dot, ref('n'))),
  'nth/2': ([n, source]) => bind(n!, 'n', nth(source!)),
  'del/1': ([paths]) => remove(paths!),
  'paths/0': () => pipe(call('path', call('recurse')), keep(op(dot, '!=', { type: 'emptyArray' }))),
  'paths/1': ([test]) =>
    pipe(
      call('path', pipe(call('recurse'), keep(test!))),
      keep(op(dot, '!=', { type: 'emptyArray' })),
    ),
  'pick/1': ([paths]) =>
    bind(
      dot,
      'whole',
      fold(
        call('path', paths!),
        'path',
        nil,
        call('setpath', ref('path'), pipe(ref('whole'), call('getpath', ref('path')))),
      ),
    ),
  'truncate_stream/1': ([stream]) =>
    bind(
      dot,
      'depth',
      pipe(
        nil,
        stream!,
        when(
          op(pipe(at(dot, number(0)), call('length')), '>', ref('depth')),
          op(at(dot, number(0)), '|=', {
            type: 'slice',
            of: dot,
            from: ref('depth'),
            to: undefined,
          }),
          nothing,
        ),
      ),
    ),
  'fromstream/1': ([stream]) =>
    scan(
      stream!,
      'event',
      nil,
      call(' streamed', ref('event')),
      when(field(dot, 'done'), field(dot, 'value'), nothing),
    ),
  'tostream/0': () => ({ type: 'iterate', of: call(' events') }),
  'fromdateiso8601/0': () => pipe(call('strptime', text('%Y-%m-%dT%H:%M:%S%z')), call('mktime')),
  'todateiso8601/0': () => call('strftime', text('%Y-%m-%dT%H:%M:%SZ')),
  'fromdate/0': () => call('fromdateiso8601'),
  'todate/0': () => call('todateiso8601'),
  ...regexp('match', matches),
  ...regexp('test', (pattern, flags) => call(' test', pattern, flags)),
  ...regexp('capture', (pattern, flags) =>
    pipe(matches(pattern, flags), field(dot, 'captures'), call(' captures')),
  ),
  ...regexp('scan', (pattern, flags) =>
    pipe(
      matches(pattern, op(flags, '+', text('g'))),
      when(
        op(field(dot, 'captures'), '==', { type: 'emptyArray' }),
        field(dot, 'string'),
        list(field({ type: 'iterate', of: field(dot, 'captures') }, 'string')),
      ),
    ),
  ),
  ...regexp('splits', (pattern, flags) => ({
    type: 'iterate',
    of: call(' split', pattern, op(flags, '+', text('g'))),
  })),
  'split/2': ([pattern, flags]) => list(call('splits', pattern!, flags!)),
  'sub/2': ([pattern, replacement]) => bind(pattern!, 're', replace(replacement!, ref('re'), nil)),
  'sub/3': ([pattern, replacement, flags]) =>
    bind(pattern!, 're', bind(flags!, 'flags', replace(replacement!, ref('re'), ref('flags')))),
  'gsub/2': ([pattern, replacement]) =>
    bind(pattern!, 're', replace(replacement!, ref('re'), text('g'))),
  'gsub/3': ([pattern, replacement, flags]) =>
    bind(
      pattern!,
      're',
      bind(flags!, 'flags', replace(replacement!, ref('re'), op(ref('flags'), '+', text('g')))),
    ),
  'inputs/0': () => call('input'),
  'INDEX/1': ([key]) => call('INDEX', each, key!),
  'INDEX/2': ([stream, key]) =>
    fold(
      stream!,
      'row',
      { type: 'object', entries: [] },
      op(at(dot, pipe(ref('row'), key!, call('tostring'))), '=', ref('row')),
    ),
  'JOIN/2': ([table, key]) => bind(table!, 'table', list(pipe(each, joined(key!)))),
  'JOIN/3': ([table, stream, key]) => bind(table!, 'table', pipe(stream!, joined(key!))),
  'JOIN/4': ([table, stream, key, join]) =>
    bind(table!, 'table', pipe(stream!, joined(key!), join!)),
  'IN/1': ([stream]) => call('any', op(stream!, '==', dot), dot),
  'IN/2': ([source, stream]) => call('any', op(source!, '==', stream!), dot),
}

function joined(key: Ast): Ast {
  return list(comma(dot, at(ref('table'), key)))
}
