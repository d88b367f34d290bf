import { describe, expect, it } from 'vitest'
import { LitecdError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { type LuaOptions, runLua } from './index.ts'

function run(script: string, options: Partial<LuaOptions> = {}): Json | undefined {
  return runLua(script, { globals: {}, libraries: 'closed', ...options }).json
}

function failure(script: string, options: Partial<LuaOptions> = {}): [string, string] {
  try {
    run(script, options)
  } catch (error) {
    if (error instanceof LitecdError) return [error.code, error.message]
    throw error
  }
  throw new Error('the script did not fail')
}

const open = { libraries: 'open' } as const

describe('the language', () => {
  it.each<[string, Json]>([
    ['return {1 + 2 * 3 ^ 2, 7 % -3, -2 ^ 2, 2 ^ 3 ^ 2}', [19, -2, -4, 512]],
    ['return {"a" .. 1 .. "b" .. 6 / 2 .. 1e21 .. 0.5}', ['a1b31e+210.5']],
    ['return {1 == 1.0, "1" == 1, not nil, nil == false}', [true, false, true, false]],
    ['return {"10" + 5, #"abc", #{1, 2, nil}}', [15, 3, 2]],
    ['local t = {a = {b = 1}} t.a["c"] = 2 return t', { a: { b: 1, c: 2 } }],
    ['local a, b, c = (function() return 1, 2 end)() return {a, b, tostring(c)}', [1, 2, 'nil']],
    [
      'local f = {} for i = 1, 3 do f[i] = function() return i end end return {f[1](), f[3]()}',
      [1, 3],
    ],
    ['local n = 0 for i = 10, 1, -3 do n = n + i end return {n}', [22]],
    ['local n = 0 repeat local m = n n = n + 1 until m == 3 return {n}', [4]],
    ['local n = 0 while true do n = n + 1 if n > 4 then break end end return {n}', [5]],
    ['for i = 1, 3 do if i == 2 then goto go end end do return {0} end ::go:: return {1}', [1]],
    [
      'local r = {} for i = 1, 4 do if i % 2 == 0 then goto next end r[#r + 1] = i ::next:: end return r',
      [1, 3],
    ],
    ['local function f(...) return select("#", ...), ... end return {(f(nil, 2))}', [2]],
    [
      'local t = setmetatable({}, {__index = function(_, k) return k .. "!" end}) return {t.x}',
      ['x!'],
    ],
    ['return {pcall(function() error("x", 0) end)}', [false, 'x']],
    ['local ok, e = pcall(function() error({code = 4}) end) return {e.code}', [4]],
    ['t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t', [3, 2, 1]],
    ['t = {1, 2} table.insert(t, 1, 0) table.remove(t) return {table.concat(t, "-")}', ['0-1']],
    ['local k = {} for key in pairs({a = 1, b = 2}) do k[#k + 1] = key end return k', ['a', 'b']],
    ['return {[==[\na]]b]==], "\\65\\n"} -- end', ['a]]b', 'A\n']],
    ['return {}', []],
  ])('%s', (script, expected) => {
    expect(run(script)).toEqual(expected)
  })
})

describe('the libraries', () => {
  it.each<[string, Json]>([
    ['return {("a-b"):gsub("%-", "+")}', ['a+b', 1]],
    ['return {("key=value"):match("^(%w+)=(%w+)$")}', ['key', 'value']],
    ['return {("x(a(b)c)y"):match("%b()")}', ['(a(b)c)']],
    ['return {("a.b"):find(".", 1, true)}', [2, 2]],
    ['return {("THE (quick) fox"):find("%((%a+)%)")}', [5, 11, 'quick']],
    ['return {("hello"):gsub("l", {l = "L"})}', ['heLLo', 2]],
    ['local r = {} for w in ("a b c"):gmatch("%a") do r[#r + 1] = w end return r', ['a', 'b', 'c']],
    [
      'return {string.format("%5.2f|%d|%s|%05d|%-3s|%x|%%", 3.14159, 42, "é", 7, "a", 255)}',
      [' 3.14|42|é|00007|a  |ff|%'],
    ],
    ['return {("é"):len(), ("héllo"):upper(), ("abc"):sub(-2)}', [2, 'HÉLLO', 'bc']],
    [
      'return {math.floor(3.7), math.max(1, 5, 2), os.date("!%Y-%m-%d", 86400)}',
      [3, 5, '1970-01-02'],
    ],
    ['return {os.time({year = "2024", month = 1, day = 1, hour = 0})}', [1704067200]],
  ])('open: %s', (script, expected) => {
    expect(run(script, open)).toEqual(expected)
  })

  it('leaves texts without methods, and the clock in the table library, when closed', () => {
    const script =
      'return {string == nil, os == nil, math == nil, io == nil, type(table.time), type(require("os").date)}'
    expect(run(script)).toEqual([true, true, true, true, 'function', 'function'])
    expect(run('return {require("os").time()}', { clock: () => 5_000 })).toEqual([5])
    expect(failure('return ("a"):upper()')[1]).toBe(
      "<string>:1: attempt to index a non-table object(string) with key 'upper'",
    )
  })

  it('gives null as nil, which shortens lists', () => {
    const globals = { obj: { list: [1, null, 3], none: null, text: 'ü' } }
    expect(run('return {#obj.list, obj.list[2], obj.none == nil, obj.text}', { globals })).toEqual([
      2,
      3,
      true,
      'ü',
    ])
  })
})

describe('failures', () => {
  it.each<[string, string]>([
    ['local x\nreturn x.y', "<string>:2: attempt to index a non-table object(nil) with key 'y'"],
    ['x = nil\nx()', '<string>:2: attempt to call a non-function object'],
    ['return "a" .. nil', '<string>:1: cannot perform concat operation between string and nil'],
    ['return {} + 1', '<string>:1: cannot perform add operation between table and number'],
    ['return 1 < "2"', '<string>:1: attempt to compare number with string'],
    ['\nerror("no")', '<string>:2: no'],
    ['ipairs(nil)', '<string>:1: bad argument #1 to ipairs (table expected, got nil)'],
    ['x = = 1', "<string> line:1(column:5) near '=':   syntax error\n"],
    ['if x then', '<string> at EOF:   syntax error\n'],
    ['return {1, a = 2}', 'cannot encode mixed or invalid key types'],
    ['local t = {} t.t = t return t', 'cannot encode recursively nested tables to JSON'],
    ['local function f() return f() + 1 end f()', '<string>:1: stack overflow'],
  ])('%s', (script, message) => {
    expect(failure(script)).toEqual(['LUA_FAILED', message])
  })
})

describe('budgets', () => {
  it.each([
    'while true do end',
    'while true do pcall(error) end',
    '::a:: goto a',
    'local s = "x" while true do s = s .. s end',
    'local t = {} for i = 1, 1e9 do t[i] = {} end',
    'return ("x"):rep(1e9)',
    'return (("a"):rep(3000)):find(".-.-.-.-b")',
    'return loadstring("return 1" .. ("+1"):rep(100000))()',
    'return unpack({}, 1, 1e9)',
  ])('%s', (script) => {
    const limits = { maxSteps: 300_000, maxBytes: 4_000_000 }
    expect(failure(script, { ...open, limits })[0]).toBe('BUDGET_EXCEEDED')
  })
})

describe('as gopher-lua has it', () => {
  it.each<[string, Json]>([
    [
      'return {string.format("%5.2s|%-5d|%05d|%+d|%x|%q", "abc", 3, 42, 5, 255, "a\\nb")}',
      ['   ab|3    |00042|+5|ff|"a\\nb"'],
    ],
    ['return {string.format("%d|%d|%s|%e", "7", "x", 1.5, "x")}', ['7|0|1.5|%!e(string=x)']],
    [
      'return {string.format("%g|%g|%G", 100000, 1234567, 2^53)}',
      ['100000|1.234567e+06|9.007199254740992E+15'],
    ],
    ['local t = {1, nil, 3} return {#t, table.maxn(t)}', [3, 3]],
    ['local t = {} t[4] = 1 local n = #t t[4] = nil return {n, #t}', [4, 0]],
    ['local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t', [3, 2, 1]],
    [
      'return {1234567.5 .. "", 2^63 .. "", 1e15 .. ""}',
      ['1.2345675e+06', '9.223372036854776e+18', '1000000000000000'],
    ],
    [
      'return {tostring(tonumber("1e3")), tostring(tonumber("0x10")), tostring(tonumber(" 7 "))}',
      ['nil', '16', '7'],
    ],
    ['return {(string.gsub("abc", "b", "%"))}', ['a%c']],
    ['local n = 0 for _ in string.gmatch("aaa", "^a") do n = n + 1 end return {n}', [1]],
    [
      'return {select(2, pcall(function() return "1e3" + {} end))}',
      ['<string>:1: cannot perform add operation between number and table'],
    ],
    [
      'return {select(2, pcall(function() return nil <= 1 end))}',
      ['<string>:1: attempt to compare nil with number'],
    ],
    ['return {os.date("!%a %w %P %x", 0)}', ['mon 4 am 00/00/00']],
    ['return {os.time({year = "2024", month = "02", day = "03", hour = 0})}', [1706918400]],
  ])('%s', (script, expected) => expect(run(script, { libraries: 'open' })).toEqual(expected))

  it.each<[string, string]>([
    ['break', 'compile error near line(1) <string>: no loop to break'],
    ['for i = 1 do end', "<string> line:1(column:12) near 'do':   syntax error\n"],
    ['local t = {} return {t, t}', 'cannot encode recursively nested tables to JSON'],
    ['return {1, nil, 3}', 'cannot encode sparse array'],
  ])('%s fails', (script, message) => expect(() => run(script)).toThrow(message))

  it('pays for the gaps of a list', () => {
    expect(() => run('local t = {} for i = 1, 60 do t = {} t[60000000] = 1 end')).toThrow('bytes')
  })
})
