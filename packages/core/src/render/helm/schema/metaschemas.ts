import type { JsonObject } from '../../../json/index.ts'
import type { Draft, SchemaSource } from './schema.ts'

const self = { $ref: '#' }
const nonNegative = { $ref: '#/definitions/nonNegativeInteger' }
const stringArray = { $ref: '#/definitions/stringArray' }
const schemaArray = { $ref: '#/definitions/schemaArray' }
const schemaMap = { type: 'object', additionalProperties: self }

/** The metaschemas of drafts 4, 6 and 7 as the specifications define them, without annotations. */
function classic(draft: 4 | 6 | 7): JsonObject {
  const isFour = draft === 4
  const anySchema = isFour ? { anyOf: [{ type: 'boolean' }, self] } : self
  const positiveDefault0 = { $ref: '#/definitions/nonNegativeIntegerDefault0' }
  const items = { anyOf: [self, schemaArray] }
  const typed = {
    anyOf: [
      { $ref: '#/definitions/simpleTypes' },
      {
        type: 'array',
        items: { $ref: '#/definitions/simpleTypes' },
        minItems: 1,
        uniqueItems: true,
      },
    ],
  }
  const bound = { type: 'number' }
  const shared = {
    $schema: { type: 'string', ...(isFour ? {} : { format: 'uri' }) },
    title: { type: 'string' },
    description: { type: 'string' },
    multipleOf: isFour
      ? { type: 'number', minimum: 0, exclusiveMinimum: true }
      : { type: 'number', exclusiveMinimum: 0 },
    maximum: bound,
    exclusiveMaximum: isFour ? { type: 'boolean' } : bound,
    minimum: bound,
    exclusiveMinimum: isFour ? { type: 'boolean' } : bound,
    maxLength: nonNegative,
    minLength: positiveDefault0,
    pattern: { type: 'string', format: 'regex' },
    additionalItems: anySchema,
    items,
    maxItems: nonNegative,
    minItems: positiveDefault0,
    uniqueItems: { type: 'boolean' },
    maxProperties: nonNegative,
    minProperties: positiveDefault0,
    required: stringArray,
    additionalProperties: anySchema,
    definitions: schemaMap,
    properties: schemaMap,
    patternProperties: isFour
      ? schemaMap
      : { ...schemaMap, ...(draft === 7 ? { propertyNames: { format: 'regex' } } : {}) },
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, stringArray] } },
    type: typed,
    format: { type: 'string' },
    allOf: schemaArray,
    anyOf: schemaArray,
    oneOf: schemaArray,
    not: self,
  }
  const properties = isFour
    ? {
        id: { type: 'string' },
        ...shared,
        enum: { type: 'array', minItems: 1, uniqueItems: true },
      }
    : {
        $id: { type: 'string', format: 'uri-reference' },
        $ref: { type: 'string', format: 'uri-reference' },
        ...shared,
        examples: { type: 'array', items: true },
        contains: self,
        propertyNames: self,
        const: true,
        enum: { type: 'array', minItems: 1, uniqueItems: true },
        ...(draft === 7
          ? {
              $comment: { type: 'string' },
              readOnly: { type: 'boolean' },
              writeOnly: { type: 'boolean' },
              contentMediaType: { type: 'string' },
              contentEncoding: { type: 'string' },
              if: self,
              // biome-ignore lint/suspicious/noThenProperty: it is the keyword
              then: self,
              else: self,
            }
          : {}),
      }
  return {
    ...(isFour
      ? { id: metaschemaUrls[4] + '#', $schema: metaschemaUrls[4] + '#' }
      : { $id: metaschemaUrls[draft] + '#', $schema: metaschemaUrls[draft] + '#' }),
    definitions: {
      schemaArray: { type: 'array', minItems: 1, items: self },
      nonNegativeInteger: { type: 'integer', minimum: 0 },
      nonNegativeIntegerDefault0: { allOf: [nonNegative, { default: 0 }] },
      simpleTypes: {
        enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
      },
      stringArray: isFour
        ? { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true }
        : { type: 'array', items: { type: 'string' }, uniqueItems: true },
    },
    type: isFour ? 'object' : ['object', 'boolean'],
    properties,
    ...(isFour
      ? { dependencies: { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] } }
      : {}),
  }
}

/** A vocabulary of drafts 2019-09 and 2020-12: a metaschema of some keywords. */
function vocabulary(draft: 2019 | 2020, name: string): JsonObject {
  const modern = draft === 2020
  const again = modern ? { $dynamicRef: '#meta' } : { $recursiveRef: '#' }
  const base = modern
    ? 'https://json-schema.org/draft/2020-12'
    : 'https://json-schema.org/draft/2019-09'
  const list = { $ref: '#/$defs/schemaArray' }
  const map = { type: 'object', additionalProperties: again }
  const count = { $ref: '#/$defs/nonNegativeInteger' }
  const countFrom0 = { $ref: '#/$defs/nonNegativeIntegerDefault0' }
  const strings = { $ref: '#/$defs/stringArray' }
  const uriRef = { type: 'string', format: 'uri-reference' }
  const anchor = {
    type: 'string',
    pattern: modern ? '^[A-Za-z_][-A-Za-z0-9._]*$' : '^[A-Za-z][-A-Za-z0-9.:_]*$',
  }
  const arrays = { schemaArray: { type: 'array', minItems: 1, items: again } }
  const bodies: { readonly [name: string]: JsonObject } = {
    core: {
      properties: {
        $id: modern
          ? { $ref: '#/$defs/uriReferenceString', pattern: '^[^#]*#?$' }
          : { ...uriRef, pattern: '^[^#]*#?$' },
        $schema: modern ? { $ref: '#/$defs/uriString' } : { type: 'string', format: 'uri' },
        $anchor: modern ? { $ref: '#/$defs/anchorString' } : anchor,
        $ref: modern ? { $ref: '#/$defs/uriReferenceString' } : uriRef,
        ...(modern
          ? {
              $dynamicRef: { $ref: '#/$defs/uriReferenceString' },
              $dynamicAnchor: { $ref: '#/$defs/anchorString' },
            }
          : { $recursiveRef: uriRef, $recursiveAnchor: { type: 'boolean' } }),
        $vocabulary: {
          type: 'object',
          propertyNames: modern ? { $ref: '#/$defs/uriString' } : { type: 'string', format: 'uri' },
          additionalProperties: { type: 'boolean' },
        },
        $comment: { type: 'string' },
        $defs: map,
      },
      ...(modern
        ? {
            $defs: {
              anchorString: anchor,
              uriString: { type: 'string', format: 'uri' },
              uriReferenceString: uriRef,
            },
          }
        : {}),
    },
    applicator: {
      properties: {
        ...(modern
          ? { prefixItems: list, items: again }
          : {
              additionalItems: again,
              unevaluatedItems: again,
              items: { anyOf: [again, list] },
              unevaluatedProperties: again,
            }),
        contains: again,
        additionalProperties: again,
        properties: map,
        patternProperties: { ...map, propertyNames: { format: 'regex' } },
        dependentSchemas: map,
        propertyNames: again,
        if: again,
        // biome-ignore lint/suspicious/noThenProperty: it is the keyword
        then: again,
        else: again,
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: again,
      },
      $defs: arrays,
    },
    unevaluated: {
      properties: { unevaluatedItems: again, unevaluatedProperties: again },
    },
    validation: {
      properties: {
        multipleOf: { type: 'number', exclusiveMinimum: 0 },
        maximum: { type: 'number' },
        exclusiveMaximum: { type: 'number' },
        minimum: { type: 'number' },
        exclusiveMinimum: { type: 'number' },
        maxLength: count,
        minLength: countFrom0,
        pattern: { type: 'string', format: 'regex' },
        maxItems: count,
        minItems: countFrom0,
        uniqueItems: { type: 'boolean' },
        maxContains: count,
        minContains: count,
        maxProperties: count,
        minProperties: countFrom0,
        required: strings,
        dependentRequired: { type: 'object', additionalProperties: strings },
        const: true,
        enum: { type: 'array', items: true },
        type: {
          anyOf: [
            { $ref: '#/$defs/simpleTypes' },
            {
              type: 'array',
              items: { $ref: '#/$defs/simpleTypes' },
              minItems: 1,
              uniqueItems: true,
            },
          ],
        },
      },
      $defs: {
        nonNegativeInteger: { type: 'integer', minimum: 0 },
        nonNegativeIntegerDefault0: count,
        simpleTypes: {
          enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
        },
        stringArray: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      },
    },
    'meta-data': {
      properties: {
        title: { type: 'string' },
        description: { type: 'string' },
        deprecated: { type: 'boolean' },
        readOnly: { type: 'boolean' },
        writeOnly: { type: 'boolean' },
        examples: { type: 'array', items: true },
      },
    },
    [modern ? 'format-annotation' : 'format']: { properties: { format: { type: 'string' } } },
    content: {
      properties: {
        contentMediaType: { type: 'string' },
        contentEncoding: { type: 'string' },
        contentSchema: again,
      },
    },
  }
  return {
    $schema: `${base}/schema`,
    $id: `${base}/meta/${name}`,
    ...(modern ? { $dynamicAnchor: 'meta' } : { $recursiveAnchor: true }),
    type: ['object', 'boolean'],
    ...bodies[name],
  }
}

const vocabularies: { readonly [draft: number]: readonly string[] } = {
  2019: ['core', 'applicator', 'validation', 'meta-data', 'format', 'content'],
  2020: [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'format-annotation',
    'content',
  ],
}

function modern(draft: 2019 | 2020): JsonObject {
  const again = draft === 2020 ? { $dynamicRef: '#meta' } : { $recursiveRef: '#' }
  const strings =
    draft === 2020
      ? { $ref: 'meta/validation#/$defs/stringArray' }
      : { $ref: 'meta/validation#/$defs/stringArray' }
  return {
    $schema: metaschemaUrls[draft],
    $id: metaschemaUrls[draft],
    ...(draft === 2020 ? { $dynamicAnchor: 'meta' } : { $recursiveAnchor: true }),
    allOf: vocabularies[draft]!.map((name) => ({ $ref: `meta/${name}` })),
    type: ['object', 'boolean'],
    properties: {
      definitions: { type: 'object', additionalProperties: again },
      dependencies: { type: 'object', additionalProperties: { anyOf: [again, strings] } },
      ...(draft === 2020
        ? {
            $recursiveAnchor: { $ref: 'meta/core#/$defs/anchorString' },
            $recursiveRef: { $ref: 'meta/core#/$defs/uriReferenceString' },
          }
        : {}),
    },
  }
}

export const metaschemaUrls: { readonly [draft in Draft]: string } = {
  4: 'http://json-schema.org/draft-04/schema',
  6: 'http://json-schema.org/draft-06/schema',
  7: 'http://json-schema.org/draft-07/schema',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
}

/** The draft that a `$schema` names; undefined for one that is not known. */
export function draftOf(url: string): Draft | undefined {
  const [address, fragment = ''] = url.split('#')
  if (fragment !== '') return undefined
  const name = address!.replace(/^https?:\/\//, '')
  if (name === 'json-schema.org/schema') return 2020
  const found = Object.entries(metaschemaUrls).find(
    ([, known]) => known.replace(/^https?:\/\//, '') === name,
  )
  return found === undefined ? undefined : (Number(found[0]) as Draft)
}

/** The text of a metaschema or vocabulary by its URL. */
export function metaschemaSource(url: string): SchemaSource | undefined {
  const draft = draftOf(url)
  if (draft !== undefined) return draft === 2019 || draft === 2020 ? modern(draft) : classic(draft)
  const match = /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/meta\/([a-z-]+)$/.exec(url)
  if (match === null) return undefined
  const year = match[1] === '2019-09' ? 2019 : 2020
  return vocabularies[year]!.includes(match[2]!) ? vocabulary(year, match[2]!) : undefined
}
