import { expect, it } from 'vitest'
import { decodeYamlNode } from './decode-v3.ts'
import { formatYamlNode } from './format-node.ts'
import { YamlNode } from './node.ts'
import { parseYamlNode, parseYamlNodes } from './parse.ts'

const again = (text: string, options = {}): string => formatYamlNode(parseYamlNode(text)!, options)

// Texts that go-yaml v3.0.4 writes back byte for byte with SetIndent(2) and CompactSeqIndent.
it.each([
  '# head\n\n# first\na: 1 # one\n# below a\n\nb: # of b\n- x # of x\n- # in\n  y: 1\n',
  'a: &x {k: v, "w": \'q\'}\nb: *x\n',
  'a: |\n  text\nb: >-\n  folded\nc: "d"\n',
  'a:\nb: !!str 5\nc: !foo bar\n',
  'a:\n- b\n- - c\n  - d\n- e: 1\n  f:\n  - g\n',
  'a: [1, # one\n  2]\n',
  'k: | # note\n  x\n',
  '- a\n# between\n- b\n\n# end\n',
])('keeps %j', (text) => {
  expect(again(text)).toBe(text)
})

it.each([
  ['a:   1\nb:\n    c:   2\n', 'a: 1\nb:\n  c: 2\n'],
  ['x: &x {a: 1}\ny:\n  <<: *x\n', 'x: &x {a: 1}\ny:\n  !!merge <<: *x\n'],
  ['a: "x\n  y"\n', 'a: "x y"\n'],
  ['a:\n  - b\n', 'a:\n- b\n'],
  ['? a\n: b\n', 'a: b\n'],
  ['---\na: 1\n...\n', 'a: 1\n'],
])('rewrites %j', (text, want) => {
  expect(again(text)).toBe(want)
})

it('indents lists where it is told to', () => {
  expect(again('a:\n- b: 1\n  c:\n  - d\n', { compactLists: false })).toBe(
    'a:\n  - b: 1\n    c:\n      - d\n',
  )
  expect(again('a:\n- b: 1\n', { indent: 4, compactLists: false })).toBe('a:\n    - b: 1\n')
})

it('quotes text that would read as something else', () => {
  const mapping = new YamlNode('mapping', '!!map')
  const pairs: [string, string][] = [
    ['a', '1'],
    ['b', 'true'],
    ['c', 'text'],
    ['d', 'x\ny'],
    ['e', 'yes'],
  ]
  for (const [key, value] of pairs) {
    mapping.content.push(
      new YamlNode('scalar', '!!str', key),
      new YamlNode('scalar', '!!str', value),
    )
  }
  expect(formatYamlNode(mapping)).toBe('a: "1"\nb: "true"\nc: text\nd: |-\n  x\n  y\ne: yes\n')
})

it('writes the tag of a scalar that does not look like its tag', () => {
  expect(formatYamlNode(new YamlNode('scalar', '!!int', 'abc'))).toBe('!!int abc\n')
  expect(() => decodeYamlNode(new YamlNode('scalar', '!!int', 'abc'))).toThrow(
    'yaml: cannot decode !!str `abc` as a !!int',
  )
})

it('says where nodes are, how they are written and what is said about them', () => {
  const [document] = parseYamlNodes('# h\na: # l\n  - "b" # m\n')
  const [key, list] = document!.content[0]!.content
  expect(key).toMatchObject({ value: 'a', tag: '!!str', line: 2, column: 1, headComment: '# h' })
  expect(list).toMatchObject({ kind: 'sequence', tag: '!!seq', line: 3, column: 3 })
  expect(list!.content[0]).toMatchObject({ value: 'b', style: 'double', lineComment: '# m' })
})
