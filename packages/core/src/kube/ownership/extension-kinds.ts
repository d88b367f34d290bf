import { structNamed } from '../schema/index.ts'
import {
  atomicList,
  deducedType,
  type MergeMap,
  type MergeType,
  mapOf,
  untypedScalar,
} from './merge-type.ts'
import { structType } from './struct-types.ts'

// Two kinds of the API server that the Kubernetes client libraries do not have.

const text: MergeType = { scalar: 'string' }
const number: MergeType = { scalar: 'numeric' }
const flag: MergeType = { scalar: 'boolean' }
const texts: MergeType = { list: atomicList(text) }

type Fields = { readonly [name: string]: MergeType | (() => MergeType) }

/** Fields; those that lead back to the struct itself are given as functions. */
function struct(fields: Fields): MergeType {
  const map: MergeMap = {
    atomic: false,
    rest: undefined,
    deduced: false,
    field(name) {
      if (!Object.hasOwn(fields, name)) return undefined
      const type = fields[name]
      return typeof type === 'function' ? type() : type
    },
    // Parity: the OpenAPI of a cluster, where Argo CD has these kinds from, names no defaults.
    keyDefault: () => undefined,
  }
  return { map }
}

function named(type: MergeType, names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]))
}

const list = (item: MergeType): MergeType => ({ list: atomicList(item) })
const mapTo = (item: () => MergeType) => (): MergeType => ({ map: mapOf(item(), {}) })
const keyed = (key: string, item: MergeType): MergeType => ({
  list: { item, ownership: 'keyed', keys: [key] },
})

const conditions = keyed(
  'type',
  struct({ ...named(text, 'message reason status type'), lastTransitionTime: untypedScalar }),
)

const schema = (): MergeType => jsonSchema
const schemas = (): MergeType => ({ list: atomicList(jsonSchema) })

const jsonSchema: MergeType = struct({
  ...named(text, '$ref $schema description format id pattern title type'),
  ...named(text, 'x-kubernetes-list-type x-kubernetes-map-type'),
  ...named(number, 'maxItems maxLength maxProperties maximum'),
  ...named(number, 'minItems minLength minProperties minimum multipleOf'),
  ...named(flag, 'exclusiveMaximum exclusiveMinimum nullable uniqueItems'),
  ...named(flag, 'x-kubernetes-embedded-resource x-kubernetes-int-or-string'),
  ...named(flag, 'x-kubernetes-preserve-unknown-fields'),
  ...named(texts, 'required x-kubernetes-list-map-keys'),
  // a schema or a boolean, a schema or a list of them, or any value
  ...named(deducedType, 'additionalItems additionalProperties default example items'),
  enum: list(deducedType),
  externalDocs: struct(named(text, 'description url')),
  dependencies: mapTo(() => deducedType),
  definitions: mapTo(schema),
  patternProperties: mapTo(schema),
  properties: mapTo(schema),
  not: schema,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  'x-kubernetes-validations': keyed(
    'rule',
    struct({
      ...named(text, 'fieldPath message messageExpression reason rule'),
      optionalOldSelf: flag,
    }),
  ),
})

const names = struct({
  ...named(text, 'kind listKind plural singular'),
  ...named(texts, 'categories shortNames'),
})

const version = struct({
  ...named(text, 'deprecationWarning name'),
  ...named(flag, 'deprecated served storage'),
  additionalPrinterColumns: list(
    struct({ ...named(text, 'description format jsonPath name type'), priority: number }),
  ),
  schema: struct({ openAPIV3Schema: jsonSchema }),
  selectableFields: list(struct(named(text, 'jsonPath'))),
  subresources: struct({
    scale: struct(named(text, 'labelSelectorPath specReplicasPath statusReplicasPath')),
    status: { map: mapOf(deducedType, { deduced: true }) },
  }),
})

const conversion = struct({
  strategy: text,
  webhook: struct({
    clientConfig: struct({
      ...named(text, 'caBundle url'),
      service: struct({ ...named(text, 'name namespace path'), port: number }),
    }),
    conversionReviewVersions: texts,
  }),
})

const definitionSpec = struct({
  ...named(text, 'group scope'),
  conversion,
  names,
  preserveUnknownFields: flag,
  versions: list(version),
})

const definitionStatus = struct({
  acceptedNames: names,
  conditions: keyed(
    'type',
    struct({
      ...named(text, 'message reason status type'),
      lastTransitionTime: untypedScalar,
      observedGeneration: number,
    }),
  ),
  observedGeneration: number,
  storedVersions: texts,
})

const serviceSpec = struct({
  ...named(text, 'caBundle group version'),
  ...named(number, 'groupPriorityMinimum versionPriority'),
  insecureSkipTLSVerify: flag,
  service: struct({ ...named(text, 'name namespace'), port: number }),
})

function object(spec: MergeType, status: MergeType): MergeType {
  const metadata = (): MergeType => structType(structNamed('meta/v1.ObjectMeta')!)
  return struct({ ...named(text, 'apiVersion kind'), metadata, spec, status })
}

const kinds: { readonly [kind: string]: MergeType } = {
  'apiextensions.k8s.io/v1 CustomResourceDefinition': object(definitionSpec, definitionStatus),
  'apiregistration.k8s.io/v1 APIService': object(serviceSpec, struct({ conditions })),
}

export function extensionType(apiVersion: string, kind: string): MergeType | undefined {
  const name = `${apiVersion} ${kind}`
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}
