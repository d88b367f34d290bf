import { isObject, type Json } from '../json/index.ts'

/** A type of Argo CD's Application: what it is called in messages, and what is in it. */
interface GoType {
  readonly name: string
  readonly fields?: { readonly [field: string]: GoType }
  readonly items?: GoType
  /** Of a map. */
  readonly values?: GoType
  readonly leaf?: 'string' | 'boolean' | 'integer' | 'any'
}

const any: GoType = { name: '', leaf: 'any' }
const string: GoType = { name: 'string', leaf: 'string' }
const bool: GoType = { name: 'bool', leaf: 'boolean' }
const int64: GoType = { name: 'int64', leaf: 'integer' }
const strings: GoType = { name: '[]string', items: string }
const stringMap: GoType = { name: 'map[string]string', values: string }

type Fields = { readonly [field: string]: GoType }
const own = (name: string): string => `v1alpha1.${name}`
const struct = (name: string, fields: Fields): GoType => ({ name: own(name), fields })
const list = (items: GoType, name = `[]${items.name}`): GoType => ({ name, items })
const of = (type: GoType, ...fields: readonly string[]): Fields =>
  Object.fromEntries(fields.map((field) => [field, type]))

const helm = struct('ApplicationSourceHelm', {
  ...of(string, 'releaseName', 'values', 'version', 'namespace', 'kubeVersion'),
  ...of(bool, 'passCredentials', 'ignoreMissingValueFiles', 'skipCrds', 'skipTests'),
  ...of(bool, 'skipSchemaValidation'),
  ...of(strings, 'valueFiles', 'apiVersions'),
  parameters: list(struct('HelmParameter', { ...of(string, 'name', 'value'), forceString: bool })),
  fileParameters: list(struct('HelmFileParameter', of(string, 'name', 'path'))),
})

const kustomize = struct('ApplicationSourceKustomize', {
  ...of(string, 'namePrefix', 'nameSuffix', 'version', 'namespace', 'kubeVersion'),
  ...of(bool, 'forceCommonLabels', 'forceCommonAnnotations', 'commonAnnotationsEnvsubst'),
  ...of(bool, 'labelWithoutSelector', 'labelIncludeTemplates', 'ignoreMissingComponents'),
  ...of(strings, 'components', 'apiVersions'),
  ...of(stringMap, 'commonLabels', 'commonAnnotations'),
  images: list({ name: own('KustomizeImage'), leaf: 'string' }, own('KustomizeImages')),
})

const jsonnetVars = list(struct('JsonnetVar', { ...of(string, 'name', 'value'), code: bool }))
const directory = struct('ApplicationSourceDirectory', {
  recurse: bool,
  ...of(string, 'include', 'exclude'),
  jsonnet: struct('ApplicationSourceJsonnet', {
    extVars: jsonnetVars,
    tlas: jsonnetVars,
    libs: strings,
  }),
})

const source = struct('ApplicationSource', {
  ...of(string, 'repoURL', 'path', 'targetRevision', 'chart', 'ref', 'name', 'tagPrefix'),
  helm,
  kustomize,
  directory,
})

const syncPolicy = struct('SyncPolicy', {
  automated: struct('SyncPolicyAutomated', of(bool, 'prune', 'selfHeal', 'allowEmpty', 'enabled')),
  syncOptions: list(string, own('SyncOptions')),
  retry: struct('RetryStrategy', {
    limit: int64,
    refresh: bool,
    backoff: struct('Backoff', { ...of(string, 'duration', 'maxDuration'), factor: int64 }),
  }),
  managedNamespaceMetadata: struct(
    'ManagedNamespaceMetadata',
    of(stringMap, 'labels', 'annotations'),
  ),
})

const application = struct('Application', {
  ...of(string, 'apiVersion', 'kind'),
  metadata: {
    name: 'v1.ObjectMeta',
    fields: {
      ...of(string, 'name', 'namespace'),
      ...of(stringMap, 'labels', 'annotations'),
      finalizers: strings,
    },
  },
  spec: struct('ApplicationSpec', {
    source,
    sources: list(source, own('ApplicationSources')),
    destination: struct('ApplicationDestination', of(string, 'server', 'name', 'namespace')),
    project: string,
    syncPolicy,
    ignoreDifferences: list(
      struct('ResourceIgnoreDifferences', {
        ...of(string, 'group', 'kind', 'name', 'namespace'),
        ...of(strings, 'jsonPointers', 'jqPathExpressions', 'managedFieldsManagers'),
      }),
      own('IgnoreDifferences'),
    ),
    info: list(struct('Info', of(string, 'name', 'value'))),
    revisionHistoryLimit: int64,
  }),
})

/**
 * What Go's decoder says to a patch that is no Application; undefined when it is one. Fields may be missing, and those
 * that nobody knows do not count.
 *
 * Source: Go 1.26 encoding/json UnmarshalTypeError, argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go
 */
export function decodeProblem(patch: Json): string | undefined {
  return problemIn(patch, application, '', [])
}

function problemIn(
  value: Json,
  type: GoType,
  holder: string,
  path: readonly string[],
): string | undefined {
  if (value === null || type.leaf === 'any') return undefined
  const wrong = (): string => {
    const place = path.length === 0 ? 'value' : `struct field ${holder}.${path.join('.')}`
    return `json: cannot unmarshal ${kindOf(value, type)} into Go ${place} of type ${type.name}`
  }
  if (type.leaf !== undefined) return fits(value, type.leaf) ? undefined : wrong()
  if (type.items !== undefined) {
    if (!Array.isArray(value)) return wrong()
    for (const item of value as readonly Json[]) {
      const problem = problemIn(item, type.items, holder, path)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  if (!isObject(value)) return wrong()
  const name = type.name.slice(type.name.indexOf('.') + 1)
  for (const [key, item] of Object.entries(value)) {
    const inner = type.values ?? (Object.hasOwn(type.fields ?? {}, key) ? type.fields?.[key] : any)
    if (inner === undefined) continue
    const problem =
      type.values === undefined
        ? problemIn(item, inner, name, [...path, key])
        : problemIn(item, inner, holder, path)
    if (problem !== undefined) return problem
  }
  return undefined
}

function fits(value: Json, leaf: 'string' | 'boolean' | 'integer' | 'any'): boolean {
  if (leaf === 'integer') return typeof value === 'bigint' || Number.isInteger(value)
  return typeof value === leaf
}

function kindOf(value: Json, type: GoType): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (typeof value !== 'number' && typeof value !== 'bigint') return 'object'
  return type.leaf === 'integer' ? `number ${value}` : 'number'
}
