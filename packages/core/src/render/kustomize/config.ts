import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { nameReferences, placesOf } from './facts/index.ts'
import { fail, within } from './fail.ts'
import { compareGvk, type Gvk, gvkText, isSelected } from './id.ts'
import type { FieldSpecArgs } from './kustomization.ts'
import { fieldSpecShape } from './kustomization-shapes.ts'
import type { Loader } from './loader.ts'
import { readShape, type Shape } from './shape.ts'

/** A place in objects of some kinds. */
export interface FieldSpec extends Gvk {
  readonly path: string
  readonly steps: readonly string[]
  readonly create: boolean
}

export interface NameReference extends Gvk {
  readonly referrers: readonly FieldSpec[]
}

/** Where the transformers of one level act. */
export interface Config {
  readonly namePrefix: readonly FieldSpec[]
  readonly nameSuffix: readonly FieldSpec[]
  readonly namespace: readonly FieldSpec[]
  readonly commonLabels: readonly FieldSpec[]
  readonly labels: readonly FieldSpec[]
  readonly templateLabels: readonly FieldSpec[]
  readonly commonAnnotations: readonly FieldSpec[]
  readonly varReference: readonly FieldSpec[]
  readonly images: readonly FieldSpec[]
  readonly replicas: readonly FieldSpec[]
  readonly nameReference: readonly NameReference[]
}

type ListName = Exclude<keyof Config, 'nameReference'>

/** List → the name of it in messages. */
const lists: { readonly [list in ListName]: string } = {
  namePrefix: 'NamePrefix',
  nameSuffix: 'NameSuffix',
  namespace: 'NameSpace',
  commonAnnotations: 'CommonAnnotations',
  commonLabels: 'CommonLabels',
  labels: 'Labels',
  templateLabels: 'TemplateLabels',
  varReference: 'VarReference',
  images: 'Images',
  replicas: 'Replicas',
}
const listNames = Object.keys(lists) as ListName[]

/** Cuts a path at slashes; `\/` is a slash in a name. */
export function splitPath(path: string, delimiter: string = '/'): string[] {
  let parts = path.split(delimiter)
  if (parts.length > 1 && parts[0] === '') parts = parts.slice(1)
  const out = [parts[0]!]
  for (const part of parts.slice(1)) {
    const last = out.at(-1)!
    if (last.endsWith('\\')) out[out.length - 1] = last.slice(0, -1) + delimiter + part
    else out.push(part)
  }
  return out
}

export function fieldSpec(path: string, create: boolean, gvk: Partial<Gvk> = {}): FieldSpec {
  const { group = '', version = '', kind = '' } = gvk
  return { group, version, kind, path, steps: splitPath(path), create }
}

export function fieldSpecOf(args: FieldSpecArgs): FieldSpec {
  return fieldSpec(args.path ?? '', args.create ?? false, args)
}

/** A line of the built-in table. */
function parseLine(line: string): FieldSpec {
  const space = line.indexOf(' ')
  const path = line.slice(space + 1)
  const create = path.endsWith('!')
  return fieldSpec(create ? path.slice(0, -1) : path, create, parseGvk(line.slice(0, space)))
}

function parseGvk(text: string): Gvk {
  if (text === '*') return { group: '', version: '', kind: '' }
  const [group, version, kind] = splitPath('/' + text) as [string, string, string]
  return { group, version, kind }
}

const empty: Config = {
  ...(Object.fromEntries(listNames.map((name) => [name, []])) as unknown as {
    [list in ListName]: FieldSpec[]
  }),
  nameReference: [],
}

function makeDefaults(): Config {
  const config: { [list in ListName]?: readonly FieldSpec[] } = {}
  for (const name of listNames) {
    config[name] = sorted(placesOf(name).map(parseLine))
  }
  return {
    ...(config as { [list in ListName]: readonly FieldSpec[] }),
    nameReference: sorted(
      nameReferences().map(([target, lines]) => ({
        ...parseGvk(target),
        referrers: mergeSpecs([], lines.map(parseLine), 'NameReference'),
      })),
    ),
  }
}

const defaults = makeDefaults()

function sorted<T extends Gvk>(list: readonly T[]): T[] {
  return [...list].sort(compareGvk)
}

/** Adds what is not there yet; the same place twice must agree on `create`. */
export function mergeSpecs(
  into: readonly FieldSpec[],
  more: readonly FieldSpec[],
  name: string,
): readonly FieldSpec[] {
  if (more.length === 0) return into
  const out = [...into]
  for (const spec of more) {
    const known = out.find((other) => other.path === spec.path && isSelected(other, spec))
    if (known === undefined) out.push(spec)
    else if (known.create !== spec.create) {
      fail(
        name === ''
          ? 'conflicting fieldspecs'
          : `failed to merge ${name} fieldSpec: conflicting fieldspecs`,
      )
    }
  }
  return out
}

/**
 * Parity: lists are merged anew even into nothing, and then a place for all kinds behind one for some is dropped, as
 * `configurations` files rely on.
 */
export function mergeConfigs(a: Config, b: Config): Config {
  if (a === b || b === empty || (a === empty && b === defaults)) return b === empty ? a : b
  const merged: { [list in ListName]?: readonly FieldSpec[] } = {}
  for (const name of listNames) merged[name] = sorted(mergeSpecs(a[name], b[name], lists[name]))
  let references = a.nameReference
  for (const reference of b.nameReference) references = addReference(references, reference)
  return {
    ...(merged as { [list in ListName]: readonly FieldSpec[] }),
    nameReference: sorted(references),
  }
}

function addReference(
  into: readonly NameReference[],
  more: NameReference,
): readonly NameReference[] {
  let found = false
  const out = into.map((reference) => {
    if (gvkText(reference) !== gvkText(more)) return reference
    found = true
    const referrers = mergeSpecs(reference.referrers, more.referrers, 'NameReference')
    return { ...reference, referrers }
  })
  return found ? out : [...out, more]
}

export const emptyConfig: Config = empty

const specList: Shape = { list: fieldSpecShape }
const configShape: Shape = {
  fields: {
    ...Object.fromEntries(listNames.map((name) => [name, specList])),
    nameReference: {
      list: {
        fields: { group: 'string', version: 'string', kind: 'string', fieldSpecs: specList },
      },
    },
  },
}

/** The defaults, with the `configurations` of a level merged in. */
export function loadConfig(loader: Loader, configurations: readonly string[]): Config {
  let own = empty
  for (const path of configurations) {
    const text = loader.text(path)
    own = mergeConfigs(own, parseConfig(text, loader.pathOf(path)))
  }
  return mergeConfigs(defaults, own)
}

/** What the `crds` of a level say. */
export function loadCrds(loader: Loader, crds: readonly string[]): Config {
  let config = empty
  for (const path of crds) config = mergeConfigs(config, crdConfig(loader.text(path), path))
  return config
}

function parseConfig(text: string, path: string): Config {
  const written = within('error converting YAML to JSON', () => parseYaml(text, { path }))
  const value = within('error unmarshaling JSON: while decoding JSON', () =>
    readShape(written, configShape, {
      struct: 'TransformerConfig',
      strict: true,
    }),
  ) as { readonly [name: string]: readonly JsonObject[] | undefined }
  const config: { [list in ListName]?: readonly FieldSpec[] } = {}
  for (const name of listNames) {
    config[name] = sorted((value[name] ?? []).map((spec) => fieldSpecOf(spec as FieldSpecArgs)))
  }
  return {
    ...(config as { [list in ListName]: readonly FieldSpec[] }),
    nameReference: sorted(
      (value['nameReference'] ?? []).map((reference) => ({
        group: (reference['group'] as string | undefined) ?? '',
        version: (reference['version'] as string | undefined) ?? '',
        kind: (reference['kind'] as string | undefined) ?? '',
        referrers: ((reference['fieldSpecs'] as readonly FieldSpecArgs[] | undefined) ?? []).map(
          fieldSpecOf,
        ),
      })),
    ),
  }
}

const crdMarks = {
  'x-kubernetes-annotation': 'commonAnnotations',
  'x-kubernetes-label-selector': 'commonLabels',
  'x-kubernetes-identity': 'namePrefix',
} as const

/** Source: kustomize v5.8.1 api/internal/accumulator/loadconfigfromcrds.go */
function crdConfig(text: string, path: string): Config {
  const types = within(`unable to parse open API definition from '${path}'`, () =>
    parseYaml(text, { path }),
  )
  if (!isObject(types)) return empty
  const found: { -readonly [list in ListName]?: FieldSpec[] } = {}
  let references: readonly NameReference[] = []
  const walk = (
    type: string,
    kind: string,
    steps: readonly string[],
    open: readonly string[],
  ): void => {
    if (open.includes(type)) return
    for (const [name, property] of Object.entries(propertiesOf(types, type))) {
      if (!isObject(property)) continue
      const at = [...steps, name]
      for (const [mark, list] of Object.entries(crdMarks)) {
        if (typeof property[mark] !== 'string') continue
        found[list] = [...(found[list] ?? []), fieldSpec(at.join('/'), false, { kind })]
      }
      const version = property['x-kubernetes-object-ref-api-version']
      const target = property['x-kubernetes-object-ref-kind']
      if (typeof version === 'string' && typeof target === 'string') {
        const key = property['x-kubernetes-object-ref-name-key'] ?? 'name'
        references = addReference(references, {
          group: '',
          version,
          kind: target,
          referrers: [fieldSpec([...at, String(key)].join('/'), false, { kind })],
        })
      }
      if (typeof property['$ref'] === 'string') walk(property['$ref'], kind, at, [...open, type])
    }
  }
  for (const type of Object.keys(types)) {
    const properties = propertiesOf(types, type)
    if (!['kind', 'apiVersion', 'metadata'].every((name) => Object.hasOwn(properties, name)))
      continue
    walk(type, type.slice(type.lastIndexOf('.') + 1), [], [])
  }
  return { ...empty, ...found, nameReference: references }
}

function propertiesOf(types: JsonObject, type: string): JsonObject {
  const definition: Json | undefined = types[type]
  const schema = isObject(definition) ? (definition['Schema'] ?? definition['schema']) : undefined
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) ? properties : {}
}
