import { describe, expect, it } from 'vitest'
import { evaluateJsonnet, type ImportedFile } from './index.ts'

const lib = `{
  make(name):: {
    name: name,
    spec: { replicas: 1, images: [{ name: 'web' }] },
  },
}`

const main = `local lib = import 'lib.libsonnet';
{
  a: lib.make('x') + { spec+: { replicas: 3 } },
  b: { [k]: { v: k } for k in ['p', 'q'] },
  c: std.mapWithKey(function(k, v) v + 1, { n: 1 }),
  'odd "name"': { assert true, x: 1 },
}`

function placesAt(...path: (string | number)[]): readonly string[] {
  const files: { readonly [path: string]: string } = { 'main.jsonnet': main, 'lib.libsonnet': lib }
  const result = evaluateJsonnet({
    entry: { path: 'main.jsonnet' },
    importer: (_from, name): ImportedFile | string => ({
      path: name,
      bytes: new TextEncoder().encode(files[name] ?? ''),
    }),
  })
  return result.placesOf(path).map((place) => `${place.path}:${place.line}:${place.column}`)
}

describe('where a program writes a value', () => {
  it.each<[(string | number)[], string[]]>([
    [['a', 'name'], ['lib.libsonnet:3:5']],
    [
      ['a', 'spec', 'replicas'],
      ['main.jsonnet:3:33', 'lib.libsonnet:4:13'],
    ],
    [
      ['a', 'spec'],
      ['main.jsonnet:3:24', 'lib.libsonnet:4:5'],
    ],
    [['a', 'spec', 'images', 0, 'name'], ['lib.libsonnet:4:37']],
    [['b', 'q', 'v'], ['main.jsonnet:4:15']],
    [['b', 'q'], ['main.jsonnet:4:8']],
    // what the library makes is where its result is used
    [['c', 'n'], ['main.jsonnet:5:3']],
    [['odd "name"', 'x'], ['main.jsonnet:6:32']],
  ])('%j', (path, places) => {
    expect(placesAt(...path)).toEqual(places)
  })

  it.each<[(string | number)[]]>([[[]], [['z']], [['a', 0]], [['a', 'name', 'x']]])(
    '%j is nowhere',
    (path) => expect(placesAt(...path)).toEqual([]),
  )
})
