import { type ErrorCode, type Position, SpecError } from '../errors/index.ts'
import { defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import type { Application } from './application.ts'

/** A remark about a spec that does not stop the work. `path` leads to the place in the object. */
export interface SpecRemark {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  readonly path: readonly (string | number)[]
}

export interface ReadApplication {
  readonly application: Application
  readonly remarks: readonly SpecRemark[]
}

/** Leaf types; `any` is not looked into. */
type Shape =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'intOrString'
  | 'any'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly fields: { readonly [name: string]: Shape }; readonly required?: readonly string[] }

const strings: Shape = { list: 'string' }
const stringMap: Shape = { map: 'string' }
const jsonnetVars: Shape = {
  list: {
    fields: { name: 'string', value: 'string', code: 'boolean' },
    required: ['name', 'value'],
  },
}

const source: Shape = {
  fields: {
    repoURL: 'string',
    path: 'string',
    targetRevision: 'string',
    chart: 'string',
    ref: 'string',
    name: 'string',
    tagPrefix: 'string',
    helm: {
      fields: {
        valueFiles: strings,
        ignoreMissingValueFiles: 'boolean',
        values: 'string',
        valuesObject: 'any',
        parameters: {
          list: { fields: { name: 'string', value: 'string', forceString: 'boolean' } },
        },
        fileParameters: { list: { fields: { name: 'string', path: 'string' } } },
        releaseName: 'string',
        namespace: 'string',
        version: 'string',
        passCredentials: 'boolean',
        skipCrds: 'boolean',
        skipTests: 'boolean',
        skipSchemaValidation: 'boolean',
        kubeVersion: 'string',
        apiVersions: strings,
      },
    },
    kustomize: {
      fields: {
        namePrefix: 'string',
        nameSuffix: 'string',
        images: strings,
        replicas: {
          list: { fields: { name: 'string', count: 'intOrString' }, required: ['name', 'count'] },
        },
        commonLabels: stringMap,
        forceCommonLabels: 'boolean',
        labelWithoutSelector: 'boolean',
        labelIncludeTemplates: 'boolean',
        commonAnnotations: stringMap,
        forceCommonAnnotations: 'boolean',
        commonAnnotationsEnvsubst: 'boolean',
        namespace: 'string',
        patches: {
          list: {
            fields: {
              path: 'string',
              patch: 'string',
              target: {
                fields: {
                  group: 'string',
                  version: 'string',
                  kind: 'string',
                  name: 'string',
                  namespace: 'string',
                  labelSelector: 'string',
                  annotationSelector: 'string',
                },
              },
              options: { map: 'boolean' },
            },
          },
        },
        components: strings,
        ignoreMissingComponents: 'boolean',
        version: 'string',
        kubeVersion: 'string',
        apiVersions: strings,
      },
    },
    directory: {
      fields: {
        recurse: 'boolean',
        include: 'string',
        exclude: 'string',
        jsonnet: { fields: { extVars: jsonnetVars, tlas: jsonnetVars, libs: strings } },
      },
    },
    plugin: {
      fields: {
        name: 'string',
        env: { list: { fields: { name: 'string', value: 'string' }, required: ['name', 'value'] } },
        parameters: {
          list: { fields: { name: 'string', string: 'string', array: strings, map: stringMap } },
        },
      },
    },
  },
  required: ['repoURL'],
}

/** What is looked at of the metadata; everything else there is free. */
const metadata: { readonly [field: string]: Shape } = {
  namespace: 'string',
  labels: stringMap,
  annotations: stringMap,
  finalizers: strings,
}

/** What the API server takes for a name. */
const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const maxNameLength = 253

const spec: Shape = {
  fields: {
    source,
    sources: { list: source },
    sourceHydrator: {
      fields: {
        drySource: 'any',
        syncSource: {
          fields: { repoURL: 'string', targetBranch: 'string', path: 'string' },
          required: ['targetBranch', 'path'],
        },
        hydrateTo: { fields: { targetBranch: 'string' }, required: ['targetBranch'] },
      },
      required: ['drySource', 'syncSource'],
    },
    destination: { fields: { server: 'string', name: 'string', namespace: 'string' } },
    project: 'string',
    syncPolicy: {
      fields: {
        automated: {
          fields: {
            prune: 'boolean',
            selfHeal: 'boolean',
            allowEmpty: 'boolean',
            enabled: 'boolean',
          },
        },
        syncOptions: strings,
        retry: {
          fields: {
            limit: 'integer',
            backoff: { fields: { duration: 'string', factor: 'integer', maxDuration: 'string' } },
            refresh: 'boolean',
          },
        },
        managedNamespaceMetadata: { fields: { labels: stringMap, annotations: stringMap } },
      },
    },
    ignoreDifferences: {
      list: {
        fields: {
          group: 'string',
          kind: 'string',
          name: 'string',
          namespace: 'string',
          jsonPointers: strings,
          jqPathExpressions: strings,
          managedFieldsManagers: strings,
        },
        required: ['kind'],
      },
    },
    info: { list: { fields: { name: 'string', value: 'string' }, required: ['name', 'value'] } },
    revisionHistoryLimit: 'integer',
  },
  required: ['destination', 'project'],
}

/**
 * An Application from a manifest: what the API server would say to it, without one.
 *
 * Unknown fields are remarks, since the API server drops them without a word; a wrong type or a missing field is an
 * error, since it refuses them. Errors: SpecError APP_INVALID with `data.path`.
 * Source: argo-cd v3.5.1 manifests/crds/application-crd.yaml
 */
export function readApplication(manifest: Manifest, position?: Position): ReadApplication {
  const name = (manifest['metadata'] as JsonObject | undefined)?.['name']
  const fail = (path: readonly (string | number)[], why: string, hint: string): never => {
    throw new SpecError(
      'APP_INVALID',
      `Application ${typeof name === 'string' ? name : '(without name)'}: ${why}`,
      {
        position,
        hint,
        data: { path: path as Json },
      },
    )
  }
  if (typeof name !== 'string' || name === '') {
    return fail(['metadata'], 'metadata.name is missing', 'Give the Application a name.')
  }
  if (name.length > maxNameLength || !namePattern.test(name)) {
    fail(
      ['metadata', 'name'],
      'metadata.name is no name that the API server takes',
      'Use small letters, digits, dashes and dots, and begin and end with a letter or digit.',
    )
  }
  const found = manifest['spec']
  if (!isObject(found)) fail(['spec'], 'spec is missing', 'Add a spec with source and destination.')
  const remarks: SpecRemark[] = []
  for (const [field, shape] of Object.entries(metadata)) {
    const value = (manifest['metadata'] as JsonObject)[field]
    if (value !== undefined) check(value, shape, ['metadata', field], remarks, fail)
  }
  check(found as Json, spec, ['spec'], remarks, fail)
  const cleaned = { ...manifest, spec: prune(found as Json, spec) }
  return { application: cleaned as unknown as Application, remarks }
}

type Fail = (path: readonly (string | number)[], why: string, hint: string) => never

function check(
  value: Json,
  shape: Shape,
  path: readonly (string | number)[],
  remarks: SpecRemark[],
  fail: Fail,
): void {
  if (value === null || shape === 'any') return
  const wrong = (wanted: string): never =>
    fail(
      path,
      `${dotted(path)} must be ${wanted}, not ${describe(value)}`,
      wanted === leafNames.string && typeof value !== 'object'
        ? 'Put it in quotes: without them YAML does not read it as a text.'
        : `Write ${wanted} there.`,
    )
  if (typeof shape === 'string') {
    if (!fitsLeaf(value, shape)) wrong(leafNames[shape])
    return
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) wrong('a list')
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const place = [...path, index]
      if (item === null) fail(place, `${dotted(place)} is empty`, 'Fill it, or leave it out.')
      check(item, shape.list, place, remarks, fail)
    }
    return
  }
  if (!isObject(value)) {
    wrong('a map')
    return
  }
  if ('map' in shape) {
    for (const key of Object.keys(value)) {
      check(value[key] as Json, shape.map, [...path, key], remarks, fail)
    }
    return
  }
  for (const field of shape.required ?? []) {
    if (value[field] === undefined || value[field] === null) {
      fail(path, `${dotted([...path, field])} is missing`, `Add ${field}.`)
    }
  }
  for (const key of Object.keys(value)) {
    const inner = fieldOf(shape.fields, key)
    if (inner !== undefined) check(value[key] as Json, inner, [...path, key], remarks, fail)
    else remarks.push(unknownField([...path, key], Object.keys(shape.fields)))
  }
}

/** Keys come from a file: `constructor` is a field like any other, and unknown. */
function fieldOf(fields: { readonly [name: string]: Shape }, key: string): Shape | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

function unknownField(path: readonly (string | number)[], known: readonly string[]): SpecRemark {
  const key = String(path.at(-1))
  const near = known.find((name) => isNear(key.toLowerCase(), name.toLowerCase()))
  return {
    code: 'APP_UNKNOWN_FIELD',
    message: `${dotted(path)} is not a field of an Application; the API server drops it`,
    hint: near === undefined ? `Known there: ${known.join(', ')}.` : `Did you mean ${near}?`,
    path,
  }
}

/** One letter more, less, other, or two swapped. */
function isNear(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return (
    a.slice(i + 1) === b.slice(i + 1) ||
    a.slice(i) === b.slice(i + 1) ||
    a.slice(i + 1) === b.slice(i) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2))
  )
}

const leafNames = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'an integer',
  intOrString: 'an integer or a text',
  any: 'anything',
} as const

function fitsLeaf(value: Json, shape: keyof typeof leafNames): boolean {
  const integer =
    typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  switch (shape) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return integer
    case 'intOrString':
      return integer || typeof value === 'string'
    case 'any':
      return true
  }
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a map'
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 40))}`
  return String(value)
}

function dotted(path: readonly (string | number)[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : (index === 0 ? '' : '.') + step,
    )
    .join('')
}

/** Drops what the schema does not know, and nulls, as the API server does on writing. */
function prune(value: Json, shape: Shape): Json {
  if (value === null || typeof shape === 'string') return value
  if ('list' in shape) return (value as readonly Json[]).map((item) => prune(item, shape.list))
  const object = value as JsonObject
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(object)) {
    const inner = 'map' in shape ? shape.map : fieldOf(shape.fields, key)
    const item = object[key] as Json
    if (inner === undefined || item === null) continue
    defineKey(out, key, prune(item, inner))
  }
  return out
}
