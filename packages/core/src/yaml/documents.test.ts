import { expect, it } from 'vitest'
import { splitYamlDocuments } from './documents.ts'

it.each([
  ['', []],
  ['a: 1', [['a: 1\n', 1]]],
  [
    'a\n---\nb\n',
    [
      ['a\n', 1],
      ['b\n', 3],
    ],
  ],
  ['---\na\n', [['---\na\n', 1]]],
  [
    '---\n---\na\n',
    [
      ['---\n', 1],
      ['a\n', 3],
    ],
  ],
  [
    'a\n--- # c\nb',
    [
      ['a\n', 1],
      ['b\n', 3],
    ],
  ],
  [
    'a: |\n  x\n---\n  y\n',
    [
      ['a: |\n  x\n', 1],
      ['  y\n', 4],
    ],
  ],
  [
    'a\r\n---\r\nb\r\nc\r\n',
    [
      ['a\n', 1],
      ['b\nc\n', 3],
    ],
  ],
  ['a\n---\n', [['a\n', 1]]],
  [
    'a\n---\n---\nb',
    [
      ['a\n', 1],
      ['---\nb\n', 3],
    ],
  ],
] as const)('%j', (text, pieces) => {
  expect([...splitYamlDocuments(text)].map((piece) => [piece.text, piece.line])).toEqual(pieces)
})

it('tells which separator Kubernetes would refuse', () => {
  expect([...splitYamlDocuments('a\n---b \nc')]).toEqual([
    { text: 'a\n', offset: 0, line: 1, badSeparator: 'b' },
    { text: 'c\n', offset: 8, line: 3 },
  ])
  expect([...splitYamlDocuments('-----BEGIN\na')][0]).toEqual({
    text: '',
    offset: 0,
    line: 1,
    badSeparator: '--BEGIN',
  })
})
