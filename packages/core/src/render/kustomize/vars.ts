import { RenderError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { parseGoFloat } from '../../text/index.ts'
import type { YamlNode } from '../../yaml/index.ts'
import type { FieldSpec } from './config.ts'
import { fail } from './fail.ts'
import { visitField } from './field-spec.ts'
import { gvkOf, gvkText, idKey, isCluster, type ResId } from './id.ts'
import type { VarArgs } from './kustomization.ts'
import { isMissing, isText, nodeToJson } from './node.ts'
import type { Objects } from './objects.ts'
import { lookUp, splitFieldPath } from './replacement-path.ts'

export interface Var {
  readonly name: string
  readonly target: ResId
  readonly path: string
}

export function readVar(args: VarArgs): Var {
  const objref = args.objref ?? {}
  const versioned = objref.apiVersion ? gvkOf(objref.apiVersion, '') : undefined
  return {
    name: args.name ?? '',
    target: {
      group: versioned?.group || (objref.group ?? ''),
      version: versioned?.version ?? objref.version ?? '',
      kind: objref.kind ?? '',
      name: objref.name ?? '',
      namespace: objref.namespace ?? '',
    },
    path: args.fieldref?.fieldPath || 'metadata.name',
  }
}

/** A variable as its entry is written. */
export function writtenVar(args: VarArgs): string {
  const { group = '', version = '', kind = '' } = args.objref ?? {}
  return `{${args.name ?? ''} ${gvkText({ group, version, kind })} {${args.fieldref?.fieldPath ?? ''}}}`
}

function varText(variable: Var): string {
  return `{${variable.name} ${gvkText(variable.target)} {${variable.path}}}`
}

/** Notes on the objects which variables they are the source of, as they are when the level is done. */
export function markVars(objects: Objects, variables: readonly Var[]): void {
  for (const variable of variables) {
    const { target } = variable
    const exact = target.namespace !== '' || isCluster(target)
    const wanted = idKey(target)
    const found = objects.list.filter((resource) =>
      resource
        .allIds()
        .some((id) =>
          exact ? idKey(id) === wanted : id.name === target.name && gvkText(id) === gvkText(target),
        ),
    )
    if (found.length > 1) {
      fail(
        `found ${found.length} resId matches for var ${varText(variable)} (unable to disambiguate)`,
      )
    }
    found[0]?.vars.push(variable.name)
  }
}

export function addVars(known: Map<string, Var>, more: Iterable<Var>): void {
  for (const variable of more) {
    if (known.has(variable.name)) fail(`var '${variable.name}' already encountered`)
    known.set(variable.name, variable)
  }
}

/** Characters that variables may write in one build. */
const maxInserted = 100_000_000

function sizeOf(node: YamlNode): number {
  return node.content.reduce((sum, child) => sum + sizeOf(child), node.value.length)
}

/**
 * Puts the values of variables where they are named. Returns the variables that nothing names, sorted.
 *
 * Source: kustomize v5.8.1 api/internal/accumulator/resaccumulator.go, api/filters/refvar
 */
export function resolveVars(
  objects: Objects,
  variables: ReadonlyMap<string, Var>,
  specs: readonly FieldSpec[],
): readonly string[] {
  if (variables.size === 0) return []
  const values = new Map<string, Value>()
  for (const name of [...variables.keys()].sort()) {
    values.set(name, readValue(objects, variables.get(name)!))
  }
  const used = new Set<string>()
  let left = maxInserted
  const insert = (node: YamlNode): boolean => {
    const changed = substitute(node, values, used)
    if (changed) left -= sizeOf(node)
    if (left < 0) {
      throw new RenderError('BUDGET_EXCEEDED', 'the vars of a build write too much')
    }
    return changed
  }
  for (const resource of objects.list) {
    for (const spec of specs) visitField(resource, spec, insert)
  }
  return [...values.keys()].filter((name) => !used.has(name))
}

/** What a variable stands for; undefined for maps and lists, which are never inserted. */
type Value = { readonly text: string; readonly tag: string } | undefined

function readValue(objects: Objects, variable: Var): Value {
  const source = objects.list.find((resource) => resource.vars.includes(variable.name))
  if (source === undefined) {
    return fail(
      `var '${varText(variable)}' cannot be mapped to a field in the set of known resources`,
    )
  }
  let node: YamlNode | undefined
  try {
    node = lookUp(source.node!, indexed(splitFieldPath(variable.path)))
  } catch {
    node = undefined
  }
  if (node === undefined) {
    return fail(`field specified in var '${varText(variable)}' not found in corresponding resource`)
  }
  if (node.kind !== 'scalar') return undefined
  return typed(node)
}

function typed(node: YamlNode): Value {
  if (node.tag === '!!int' || node.tag === '!!bool') {
    const value: Json = nodeToJson(node)
    return { text: String(value), tag: node.tag }
  }
  if (node.tag === '!!float') {
    const number = parseGoFloat(node.value)
    return { text: typeof number === 'number' ? plainNumber(number) : node.value, tag: node.tag }
  }
  return { text: node.value, tag: '!!str' }
}

/** Without an exponent. */
function plainNumber(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  const digits = whole + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}

/** `a[0]` as `a` and `0`. */
function indexed(path: readonly string[]): string[] {
  return path.flatMap((part) => {
    const match = /^(.*)\[(\d+)\]$/.exec(part)
    return match === null || part.includes('=') ? [part] : [match[1]!, match[2]!]
  })
}

/** Whether anything changed. */
function substitute(node: YamlNode, values: Values, used: Set<string>): boolean {
  if (isMissing(node)) return false
  if (node.kind === 'scalar') return isText(node) && replaceIn(node, values, used)
  let changed = false
  if (node.kind === 'mapping') {
    for (let i = 0; i < node.content.length; i += 2) {
      const key = node.content[i]!
      if (!isText(key)) fail(`invalid map key: value='${key.value}', tag='${key.tag}'`)
      const value = node.content[i + 1]!
      if (isText(value) && replaceIn(value, values, used)) changed = true
    }
  } else {
    for (const item of node.content) {
      if (!isText(item)) fail('invalid value type expect a string')
      if (replaceIn(item, values, used)) changed = true
    }
  }
  return changed
}

type Values = ReadonlyMap<string, Value>

function replaceIn(node: YamlNode, values: Values, used: Set<string>): boolean {
  const { text, tag } = expand(node.value, values, used)
  const changed = text !== node.value || (tag !== '!!str' && tag !== node.tag)
  node.value = text
  node.tag = tag
  node.tagged = false
  node.style = tag === '!!str' && text.includes('\n') ? 'literal' : ''
  return changed
}

function expand(
  input: string,
  values: Values,
  used: Set<string>,
): { readonly text: string; readonly tag: string } {
  let out = ''
  let done = 0
  for (let at = 0; at < input.length; at++) {
    if (input[at] !== '$' || at + 1 >= input.length) continue
    out += input.slice(done, at)
    const next = input[at + 1]!
    const close = next === '(' ? input.indexOf(')', at + 2) : -1
    if (next === '$') {
      out += '$'
      at++
    } else if (close !== -1) {
      const name = input.slice(at + 2, close)
      const value = values.get(name)
      if (value !== undefined) used.add(name)
      if (at === 0 && close === input.length - 1) {
        return value ?? { text: input, tag: '!!str' }
      }
      out += value?.text ?? `$(${name})`
      at = close
    } else {
      out += '$' + next
      at++
    }
    done = at + 1
  }
  return { text: out + input.slice(done), tag: '!!str' }
}
