import type { Json } from '../../json/index.ts'
import type { Scope } from '../facts.ts'
import { builtInTable } from './built-in.ts'
import type { Field, FieldType, ScalarType, StructType } from './types.ts'

// The table: one struct a line, then an empty line, then one kind a line.
//
//   struct   NAME[-][%a] FIELD...         `-`: not in client-go's merge schema; `%a`: owned as a whole
//   FIELD    name:TYPE[?][!][~STRATEGY[+STRATEGY][/mergeKey]][%OWNERSHIP][=default]
//            `?` omitempty, `!` omitzero; OWNERSHIP: a atomic, s granular, l set, l+key+key... keyed
//   TYPE     *TYPE pointer, [TYPE list, {TYPE map of strings, #N the struct of line N (base 36), or a letter below
//   kind     apiVersion Kind Scope N
const letters: { readonly [letter: string]: ScalarType } = {
  s: 'string',
  b: 'bool',
  i: 'int32',
  I: 'int64',
  y: 'bytes',
  q: 'quantity',
  x: 'intOrString',
  t: 'time',
  m: 'microTime',
  r: 'raw',
  j: 'fields',
}

interface Table {
  readonly lines: readonly string[]
  readonly structs: (LazyStruct | undefined)[]
  /** `apiVersion Kind` → struct number. */
  readonly kinds: ReadonlyMap<string, number>
  /** `group/Kind` → scope. */
  readonly scopes: ReadonlyMap<string, Scope>
  readonly byName: Map<string, number>
}

let table: Table | undefined

function load(): Table {
  if (table !== undefined) return table
  const [structs, kinds] = builtInTable.trim().split('\n\n') as [string, string]
  const byKind = new Map<string, number>()
  const scopes = new Map<string, Scope>()
  for (const line of kinds.split('\n')) {
    const [apiVersion, kind, scope, number] = line.split(' ') as [string, string, Scope, string]
    byKind.set(`${apiVersion} ${kind}`, Number.parseInt(number, 36))
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
    scopes.set(`${group}/${kind}`, scope)
  }
  const lines = structs.split('\n')
  table = { lines, structs: new Array(lines.length), kinds: byKind, scopes, byName: new Map() }
  return table
}

const headPattern = /^([^-% ]+)(-?)(%a)?/
const fieldPattern =
  /^([^:]+):([*[{]*(?:#[0-9a-z]+|[a-zA-Z]))(\??)(!?)(?:~([a-zA-Z+]*)(?:\/([a-zA-Z]+))?)?(?:%([a-z])((?:\+[a-zA-Z]+)*))?(?:=(.+))?$/

class LazyStruct implements StructType {
  readonly name: string
  readonly hasMergeSchema: boolean
  readonly atomic: boolean
  private readonly line: string
  private parsed: readonly Field[] | undefined
  private exact: Map<string, Field> | undefined
  private folded: Map<string, Field> | undefined

  constructor(line: string) {
    const [, name, missing, atomic] = headPattern.exec(line)!
    this.name = name!
    this.hasMergeSchema = missing !== '-'
    this.atomic = atomic !== undefined
    this.line = line
  }

  get fields(): readonly Field[] {
    this.parsed ??= this.line.split(' ').slice(1).map(parseField)
    return this.parsed
  }

  field(name: string): Field | undefined {
    this.exact ??= new Map(this.fields.map((field) => [field.name, field]))
    const found = this.exact.get(name)
    if (found !== undefined) return found
    this.folded ??= new Map(this.fields.map((field) => [fold(field.name), field]))
    return this.folded.get(fold(name))
  }
}

/** Equal for names that Go's encoding/json takes for the same field. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll('ſ', 's')
}

function parseField(text: string): Field {
  const [, name, type, omitEmpty, omitZero, strategies, mergeKey, ownership, keys, keyDefault] =
    fieldPattern.exec(text)!
  const strategy = (strategies ?? '').split('+')
  return {
    name: name!,
    type: parseType(type!),
    omitEmpty: omitEmpty === '?',
    omitZero: omitZero === '!',
    patchStrategy: strategy.includes('merge')
      ? 'merge'
      : strategy.includes('replace')
        ? 'replace'
        : '',
    retainKeys: strategy.includes('retainKeys'),
    mergeKey: mergeKey ?? '',
    ownership:
      ownership === 'a'
        ? 'atomic'
        : ownership === 's'
          ? 'granular'
          : ownership === 'l'
            ? keys === ''
              ? 'set'
              : 'keyed'
            : undefined,
    listKeys: keys === undefined || keys === '' ? [] : keys.slice(1).split('+'),
    keyDefault: keyDefault === undefined ? undefined : (JSON.parse(keyDefault) as Json),
  }
}

function parseType(text: string): FieldType {
  switch (text[0]) {
    case '*':
      return { kind: 'pointer', to: parseType(text.slice(1)) }
    case '[':
      return { kind: 'list', of: parseType(text.slice(1)) }
    case '{':
      return { kind: 'map', of: parseType(text.slice(1)) }
    case '#': {
      const number = Number.parseInt(text.slice(1), 36)
      return {
        kind: 'struct',
        get struct(): StructType {
          return structAt(number)
        },
      }
    }
    default:
      return { kind: 'scalar', scalar: letters[text]! }
  }
}

function structAt(number: number): LazyStruct {
  const { lines, structs } = load()
  structs[number] ??= new LazyStruct(lines[number]!)
  return structs[number]
}

/**
 * The struct behind a kind of the Kubernetes 1.36 client libraries, or undefined: custom resources, CustomResourceDefinition
 * and APIService have none.
 */
export function structOfKind(apiVersion: string, kind: string): StructType | undefined {
  const number = load().kinds.get(`${apiVersion} ${kind}`)
  return number === undefined ? undefined : structAt(number)
}

/** A struct by its name, such as `core/v1.PodSpec`. */
export function structNamed(name: string): StructType | undefined {
  const { lines, byName } = load()
  if (byName.size === 0) {
    for (const [number, line] of lines.entries()) byName.set(headPattern.exec(line)![1]!, number)
  }
  const number = byName.get(name)
  return number === undefined ? undefined : structAt(number)
}

/** The scope of a kind in any of its built-in versions. */
export function scopeInTable(group: string, kind: string): Scope | undefined {
  return load().scopes.get(`${group}/${kind}`)
}

/** `apiVersion Kind` of every built-in kind. */
export function builtInKinds(): readonly { readonly apiVersion: string; readonly kind: string }[] {
  return [...load().kinds.keys()].map((text) => {
    const [apiVersion, kind] = text.split(' ') as [string, string]
    return { apiVersion, kind }
  })
}
