import {
  type FunctionDef,
  FunctionFailure,
  TypedMap,
  TypedSlice,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { bytesToText, compileGlob, encodeBase64, goBase } from '../../../text/index.ts'
import type { ChartFile } from '../chart/index.ts'
import { define, toYaml } from '../functions/index.ts'

/** `.Files`: contents by name, with the methods that read them. */
export function filesValue(files: readonly ChartFile[]): TypedMap {
  return filesMap(new Map(files.map(({ name, bytes }) => [name, bytes])))
}

type Contents = ReadonlyMap<string, Uint8Array>

function filesMap(contents: Contents): TypedMap {
  return new TypedMap('engine.files', new Map<string, Value>(contents), {
    elementType: '[]uint8',
    zero: new TypedSlice('uint8', [], { isNil: true }),
    methods: () => methodsOf(contents),
  })
}

function methodsOf(contents: Contents): { readonly [name: string]: FunctionDef } {
  return {
    GetBytes: define('s', ([name]) => contents.get(name) ?? new Uint8Array(0)),
    Get: define('s', ([name]) => textOf(contents.get(name))),
    Glob: define('s', ([pattern], { run }) => {
      run.charge(contents.size)
      const matches = compileGlob(pattern, '/') ?? (() => true)
      return filesMap(new Map([...contents].filter(([name]) => matches(name))))
    }),
    AsConfig: define('', () => toYaml(baseNames(contents, bytesToText))),
    AsSecrets: define('', () => toYaml(baseNames(contents, encodeBase64))),
    Lines: define('s', ([name]) => {
      const bytes = contents.get(name)
      if (bytes === undefined) return new TypedSlice('string', [])
      const text = bytesToText(bytes)
      // Parity: Helm looks at the last byte without asking whether there is one
      if (text === '') throw new FunctionFailure('runtime error: index out of range [-1]')
      return new TypedSlice('string', (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n'))
    }),
  }
}

const texts = new WeakMap<Uint8Array, string>()

function textOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return ''
  let text = texts.get(bytes)
  if (text === undefined) {
    text = bytesToText(bytes)
    texts.set(bytes, text)
  }
  return text
}

function baseNames(contents: Contents, show: (bytes: Uint8Array) => string): Value {
  return new Map<string, Value>([...contents].map(([name, bytes]) => [goBase(name), show(bytes)]))
}
