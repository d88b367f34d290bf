import { describe, expect, it } from 'vitest'
import {
  builtins,
  executeTemplate,
  ParseCache,
  Run,
  TemplateError,
  TemplateSet,
  type Value,
} from './index.ts'

// What is expected was printed by text/template of Go 1.26.8.

const data: Value = new Map<string, Value>([
  ['s', 'text'],
  ['n', 1.5],
  ['i', 3],
  ['big', 1000000],
  ['t', true],
  ['f', false],
  ['nil', null],
  ['l', ['a', 2, null]],
  [
    'm',
    new Map<string, Value>([
      ['b', 1],
      ['a', new Map<string, Value>([['deep', 'x']])],
    ]),
  ],
  ['e', ''],
  ['el', []],
  ['em', new Map<string, Value>([])],
])

function render(text: string): string {
  const set = new TemplateSet('f.tpl', new ParseCache(new Map(builtins)))
  const run = new Run(undefined)
  run.missingKey = 'default'
  return executeTemplate(set, set.add('f.tpl', text), data, run)
}

function failureOf(text: string): string {
  try {
    return `no failure: ${render(text)}`
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError)
    return (error as TemplateError).message
  }
}

describe('executeTemplate', () => {
  it.each<readonly [string, string, string]>([
    ['trim markers', 'a  {{- 1 -}}  b', 'a1b'],
    ['trim markers take line breaks', 'a\n{{- " x " }}\n  {{- 2 -}}\n b', 'a x 2b'],
    ['comments', 'a{{/* c */}}b{{- /* d */ -}} c', 'abc'],
    ['a dash that is a number', '{{-3}}|{{- 3}}|{{3 -}} x', '-3|3|3x'],
    ['what or makes of nil has fields', '{{$a := or .nil .nil}}{{$a.b}}', '<no value>'],
    [
      'so does what and makes of it',
      '{{(and .nil 1).b}} {{(.nil | and).b}}',
      '<no value> <no value>',
    ],
    ['raw strings keep their text', '{{`a\\n{{b}}"`}}', 'a\\n{{b}}"'],
    ['escapes in strings', '{{"a\\tb\\u00e9\\x41\\\\\\""}}', 'a\tbéA\\"'],
    ['characters are numbers', "{{'a'}} {{'\\n'}} {{'\\u00e9'}}", '97 10 233'],
    [
      'spelling decides int or float',
      '{{1}} {{1.0}} {{1e3}} {{1e6}} {{1000000.0}} {{0x1F}} {{0o17}} {{0b11}} {{1_000}} {{.5}} {{1.}}',
      '1 1 1000 1e+06 1e+06 31 15 3 1000 0.5 1',
    ],
    [
      'types of literals',
      '{{printf "%T %T %T %T %T" 1 1.0 1e3 0x10 \'a\'}}',
      'int float64 float64 int int',
    ],
    ['hex floats and complex', '{{0x1p4}} {{1i}} {{printf "%T" 2i}}', '16 (0+1i) complex128'],
    [
      'fields, nested and missing',
      '{{.s}} {{.m.a.deep}} {{.none}} {{.m.none}}',
      'text x <no value> <no value>',
    ],
    ['a nil in a map', '{{.nil}}', '<no value>'],
    ['below a missing key', '{{.none.x}}', '<no value>'],
    ['parenthesised chains', '{{(index .l 0)}} {{(.m).b}} {{(.m.a).deep}}', 'a 1 x'],
    ['floats from JSON', '{{.n}} {{.i}} {{.big}}', '1.5 3 1e+06'],
    ['maps and lists', '{{.m}} {{.l}}', 'map[a:map[deep:x] b:1] [a 2 <nil>]'],
    ['empty ones', '{{.em}} {{.el}} {{.e}}', 'map[] [] '],
    [
      'print family',
      '{{print 1 2 "a" "b" 3 nil}}|{{println 1 "a"}}|{{printf "%5d|%-5s|%05.1f|%q|%v|%x" 42 "ab" 3.14159 "q" .l 255}}',
      '1 2ab3 <nil>|1 a\n|   42|ab   |003.1|"q"|[a 2 <nil>]|ff',
    ],
    [
      'pipelines give their value as the last argument',
      '{{1 | printf "%d %d" 2}} {{"a" | len}}',
      '2 1 1',
    ],
    ['parentheses', '{{printf "%s-%d" (print "a" "b") (len .l)}}', 'ab-3'],
    ['if, else if, else', '{{if .f}}a{{else if .e}}b{{else if .l}}c{{else}}d{{end}}', 'c'],
    [
      'what is false',
      '{{range $v := .x}}{{end}}{{if .el}}1{{end}}{{if .em}}2{{end}}{{if 0}}3{{end}}{{if 0.0}}4{{end}}{{if .nil}}5{{end}}{{if ""}}6{{end}}{{if .m}}7{{end}}',
      '7',
    ],
    [
      'with sets the dot',
      '{{with .m.a}}{{.deep}}{{$.s}}{{end}}{{with .e}}x{{else}}y{{end}}{{with .e}}x{{else with .s}}{{.}}{{end}}',
      'xtextytext',
    ],
    ['with a variable', '{{with $x := .m}}{{$x.b}}{{end}}', '1'],
    [
      'variables',
      '{{$a := 1}}{{$a}}{{$a = 2}}{{$a}}{{if true}}{{$a = 3}}{{$b := 4}}{{end}}{{$a}}',
      '123',
    ],
    ['range over a list', '{{range .l}}<{{.}}>{{end}}', '<a><2><<no value>>'],
    ['range with index', '{{range $i, $v := .l}}{{$i}}={{$v}};{{end}}', '0=a;1=2;2=<no value>;'],
    [
      'range over a map is sorted',
      '{{range $k, $v := .m}}{{$k}}={{$v}};{{end}}',
      'a=map[deep:x];b=1;',
    ],
    [
      'range over nothing',
      '{{range .el}}x{{else}}none{{end}}{{range .none}}x{{else}}none{{end}}',
      'nonenone',
    ],
    ['range over an integer', '{{range 3}}{{.}}{{end}}{{range $i := 2}}{{$i}}{{end}}', '01201'],
    [
      'break and continue',
      '{{range $i, $v := .l}}{{if eq $i 1}}{{continue}}{{end}}{{$i}}{{end}}{{range .l}}{{break}}x{{end}}',
      '02',
    ],
    [
      'a name for both variables of a range is the element',
      '{{range $v, $v := .l}}<{{$v}}>{{end}}',
      '<a><2><<no value>>',
    ],
    [
      'so is a variable that is assigned twice',
      '{{$v := 0}}{{range $v, $v = .em}}{{end}}{{$v}}{{range $v, $v = .m}}{{$v}};{{end}}',
      'map[]map[deep:x];1;',
    ],
    [
      'a break in the else of a range ends that range only',
      '{{range .l}}x{{range $.none}}{{else}}{{break}}{{end}}y{{end}}',
      'xyxyxy',
    ],
    [
      'a continue there goes on with the loop around it',
      '{{range .l}}x{{range $.none}}{{else}}{{continue}}{{end}}y{{end}}',
      'xxx',
    ],
    [
      'what or and and do not come to is not declared',
      '{{$x := 1}}{{if or 1 ($x := 2)}}{{$x}}{{$x = 3}}{{end}}{{$x}}{{if and 1 ($x := 4)}}{{$x}}{{$x = 5}}{{end}}{{$x}}',
      '1343',
    ],
    [
      'not even where an earlier round did',
      '{{$x := 0}}{{range .l}}{{if or (eq . "a" | not) ($x := 2)}}{{$x}}{{end}}{{break}}{{end}}{{range $i := 3}}{{$a := or $i ($x := 7)}}{{$x}}{{end}}',
      '2700',
    ],
    ['the dot in range is the element', '{{range .l}}{{$.s}}{{end}}', 'texttexttext'],
    [
      'define and template',
      '{{define "x"}}[{{.}}]{{end}}{{template "x" 1}}{{template "x"}}',
      '[1][<no value>]',
    ],
    ['block', '{{block "y" .s}}<{{.}}>{{end}}', '<text>'],
    ['and and or stop early', '{{or 1 (index .l 9)}} {{and 0 (index .l 9)}}', '1 0'],
    [
      'comparison',
      '{{eq 1 1}} {{eq "a" "b" "a"}} {{ne 1 2}} {{lt 1 2}} {{le 2 2}} {{gt 2.5 1.5}} {{ge "b" "a"}}',
      'true true true true true true true',
    ],
    ['comparison with nil', '{{eq .nil .nil}} {{eq .nil 1}} {{eq .none .nil}}', 'true false true'],
    ['index', '{{index .l 1}} {{index .m "a" "deep"}} {{index .m "none"}}', '2 x <no value>'],
    ['slice', '{{slice .s 1 3}} {{slice .l 1}} {{slice .s}}', 'ex [2 <nil>] text'],
    ['len', '{{len .s}} {{len .l}} {{len .m}}', '4 3 2'],
    [
      'html, js, urlquery',
      '{{html "<a&\'\\""}} {{js "<\'\\"="}} {{urlquery "a b&c/ä"}}',
      '&lt;a&amp;&#39;&#34; \\u003C\\\'\\"\\u003D a+b%26c%2F%C3%A4',
    ],
    ['a dot alone and spaces', '{{ . | len }}', '12'],
  ])('%s', (_, text, expected) => {
    expect(render(text)).toBe(expected)
  })

  it.each<readonly [string, string, string]>([
    [
      'big ints overflow',
      '{{9223372036854775808}}',
      'template: f.tpl:1:2: executing "f.tpl" at <9223372036854775808>: 9223372036854775808 overflows int',
    ],
    [
      'below a nil',
      '{{.nil.x}}',
      'template: f.tpl:1:6: executing "f.tpl" at <.nil.x>: nil pointer evaluating interface {}.x',
    ],
    [
      'below a string',
      '{{.s.x}}',
      'template: f.tpl:1:4: executing "f.tpl" at <.s.x>: can\'t evaluate field x in type interface {}',
    ],
    [
      'below a number',
      '{{.n.x}}',
      'template: f.tpl:1:4: executing "f.tpl" at <.n.x>: can\'t evaluate field x in type interface {}',
    ],
    [
      'arguments for what is no function',
      '{{.s 1}}',
      'template: f.tpl:1:2: executing "f.tpl" at <.s>: s is not a method but has arguments',
    ],
    [
      'a literal cannot take a piped value',
      '{{1 | 2}}',
      'template: f.tpl:1: non executable command in pipeline stage 2',
    ],
    [
      'nil is no command',
      '{{nil}}',
      'template: f.tpl:1:2: executing "f.tpl" at <nil>: nil is not a command',
    ],
    ['an unknown function', '{{foo 1}}', 'template: f.tpl:1: function "foo" not defined'],
    [
      'wrong count',
      '{{len}}',
      'template: f.tpl:1:2: executing "f.tpl" at <len>: wrong number of args for len: want 1 got 0',
    ],
    [
      'wrong count, too many',
      '{{len 1 2}}',
      'template: f.tpl:1:2: executing "f.tpl" at <len>: wrong number of args for len: want 1 got 2',
    ],
    [
      'wrong type',
      '{{len 3}}',
      'template: f.tpl:1:2: executing "f.tpl" at <len 3>: error calling len: len of type int',
    ],
    [
      'scopes end',
      '{{if true}}{{$b := 4}}{{end}}{{$b}}',
      'template: f.tpl:1: undefined variable "$b"',
    ],
    [
      'undefined assignment',
      '{{$x = 1}}',
      'template: f.tpl:1:7: executing "f.tpl" at <1>: undefined variable: $x',
    ],
    [
      'range over an integer with two variables',
      '{{range $i, $v := 3}}{{end}}',
      'template: f.tpl:1:18: executing "f.tpl" at <3>: can\'t use 3 to iterate over more than one variable',
    ],
    [
      'range over a float',
      '{{range .n}}{{end}}',
      'template: f.tpl:1:8: executing "f.tpl" at <.n>: range can\'t iterate over 1.5',
    ],
    [
      'range over a string',
      '{{range .s}}{{.}}{{end}}',
      'template: f.tpl:1:8: executing "f.tpl" at <.s>: range can\'t iterate over text',
    ],
    [
      'below a round of an integer',
      '{{range 3}}{{.x}}{{end}}',
      'template: f.tpl:1:13: executing "f.tpl" at <.x>: can\'t evaluate field x in type int',
    ],
    [
      'below an element, after a loop over something else',
      '{{range $v := .l}}{{range 2}}{{end}}{{$v.x}}{{end}}',
      'template: f.tpl:1:40: executing "f.tpl" at <$v.x>: can\'t evaluate field x in type interface {}',
    ],
    [
      'below what took the place of an element',
      '{{range $v := .l}}{{$v = 1}}{{$v.x}}{{end}}',
      'template: f.tpl:1:32: executing "f.tpl" at <$v.x>: can\'t evaluate field x in type int',
    ],
    [
      'below an element that outlives its loop',
      '{{$v := 1}}{{range $v = .l}}{{break}}{{end}}{{$v.x}}',
      'template: f.tpl:1:48: executing "f.tpl" at <$v.x>: can\'t evaluate field x in type interface {}',
    ],
    [
      'arguments for parentheses',
      '{{(print 2) 3}}',
      'template: f.tpl:1:2: executing "f.tpl" at <(print 2) 3>: can\'t give argument to non-function print 2',
    ],
    [
      'a piped one for parentheses',
      '{{1 | (print 2)}}',
      'template: f.tpl:1:2: executing "f.tpl" at <1>: can\'t give argument to non-function print 2',
    ],
    [
      'a variable that or did not come to',
      '{{if or 1 (and 2 ($x := 2))}}{{$x}}{{end}}',
      'template: f.tpl:1:31: executing "f.tpl" at <$x>: undefined variable: $x',
    ],
    ['break outside', '{{break}}', 'template: f.tpl:1: {{break}} outside {{range}}'],
    [
      'a template sees no outer variables',
      '{{define "x"}}{{$a}}{{end}}{{$a := 1}}{{template "x"}}',
      'template: f.tpl:1: undefined variable "$a"',
    ],
    [
      'a later define wins unless it is empty',
      '{{define "x"}}1{{end}}{{define "x"}}2{{end}}{{define "x"}} {{end}}{{template "x"}}',
      'template: f.tpl:1: template: multiple definition of template "x"',
    ],
    [
      'an unknown template',
      '{{template "none"}}',
      'template: f.tpl:1:11: executing "f.tpl" at <{{template "none"}}>: template "none" not defined',
    ],
    [
      'an error inside a template',
      '{{define "x"}}{{.a.b}}{{end}}{{template "x" .nil}}{{template "x" .s}}',
      'template: f.tpl:1:18: executing "x" at <.a.b>: can\'t evaluate field a in type string',
    ],
    [
      'and, or, not',
      '{{and 1 0}} {{and 1 2}} {{or 0 ""}} {{or 0 3}} {{not 1}} {{and}}',
      'template: f.tpl:1:59: executing "f.tpl" at <and>: wrong number of args for and: want at least 1 got 0',
    ],
    [
      'comparison of other kinds',
      '{{eq 1 1.0}}',
      'template: f.tpl:1:2: executing "f.tpl" at <eq 1 1.0>: error calling eq: incompatible types for comparison: int and float64',
    ],
    [
      'comparison of maps',
      '{{eq .m .m}}',
      'template: f.tpl:1:2: executing "f.tpl" at <eq .m .m>: error calling eq: non-comparable type map[a:map[deep:x] b:%!s(float64=1)]: map[string]interface {}',
    ],
    [
      'less with maps',
      '{{lt .m .m}}',
      'template: f.tpl:1:2: executing "f.tpl" at <lt .m .m>: error calling lt: invalid type for comparison',
    ],
    [
      'index out of range',
      '{{index .l 3}}',
      'template: f.tpl:1:2: executing "f.tpl" at <index .l 3>: error calling index: reflect: slice index out of range',
    ],
    [
      'index with a wrong key',
      '{{index .m 1}}',
      'template: f.tpl:1:2: executing "f.tpl" at <index .m 1>: error calling index: value has type int; should be string',
    ],
    [
      'index of nil',
      '{{index .nil 1}}',
      'template: f.tpl:1:2: executing "f.tpl" at <index .nil 1>: error calling index: index of untyped nil',
    ],
    [
      'slice out of range',
      '{{slice .s 2 9}}',
      'template: f.tpl:1:2: executing "f.tpl" at <slice .s 2 9>: error calling slice: index out of range: 9',
    ],
    [
      'call',
      '{{call .s}}',
      'template: f.tpl:1:2: executing "f.tpl" at <call .s>: error calling call: non-function .s of type string',
    ],
    [
      'call of a piped text',
      '{{.s | call}}',
      'template: f.tpl:1:7: executing "f.tpl" at <call>: error calling call: non-function text of type string',
    ],
    [
      'call of another piped value',
      '{{1 | call}}',
      'template: f.tpl:1:6: executing "f.tpl" at <call>: error calling call: non-function <int Value> of type int',
    ],
    [
      'slice of nil',
      '{{slice .nil}}',
      'template: f.tpl:1:2: executing "f.tpl" at <slice .nil>: error calling slice: slice of untyped nil',
    ],
    [
      'slice beyond its third index',
      '{{slice .l 0 2 1}}',
      'template: f.tpl:1:2: executing "f.tpl" at <slice .l 0 2 1>: error calling slice: invalid slice index: 2 > 1',
    ],
    ['unclosed action', 'a{{ 1', 'template: f.tpl:1: unclosed action'],
    ['unexpected end', '{{end}}', 'template: f.tpl:1: unexpected {{end}}'],
    ['unclosed if', '{{if 1}}', 'template: f.tpl:1: unexpected EOF'],
    [
      'else after else',
      '{{if 1}}{{else}}{{else}}{{end}}',
      'template: f.tpl:1: expected end; found {{else}}',
    ],
    ['missing value', '{{if}}{{end}}', 'template: f.tpl:1: missing value for if'],
    ['unterminated string', '{{"a}}', 'template: f.tpl:1: unterminated quoted string'],
    ['unterminated raw string', '{{`a}}', 'template: f.tpl:1: unterminated raw quoted string'],
    ['bad character', '{{1 ~ 2}}', 'template: f.tpl:1: unexpected "~" in operand'],
    ['unclosed paren', '{{(1}}', 'template: f.tpl:1: unclosed left paren'],
    ['unexpected paren', '{{1)}}', 'template: f.tpl:1: unexpected right paren'],
    ['undefined variable', '{{$x}}', 'template: f.tpl:1: undefined variable "$x"'],
    ['bad number', '{{1a}}', 'template: f.tpl:1: bad number syntax: "1a"'],
    [
      'two declared variables outside of range',
      '{{$a, $b := 1}}',
      'template: f.tpl:1: too many declarations in command',
    ],
    ['empty action', '{{}}', 'template: f.tpl:1: missing value for command'],
    ['comment not closed', '{{/* a }}', 'template: f.tpl:1: unclosed comment'],
    ['field of a number', '{{1.a}}', 'template: f.tpl:1: bad number syntax: "1.a"'],
    ['keyword as an operand', '{{print if}}', 'template: f.tpl:1: unexpected <if> in operand'],
    [
      'define inside if',
      '{{if 1}}{{define "a"}}{{end}}{{end}}',
      'template: f.tpl:1: unexpected <define> in command',
    ],
    [
      'template name not quoted',
      '{{template x}}',
      'template: f.tpl:1: unexpected "x" in template clause',
    ],
  ])('fails: %s', (_, text, message) => {
    expect(failureOf(text)).toBe(message)
  })
})
