// kube/schema: what the Go structs of Kubernetes 1.36 say about the built-in kinds. Generated data, decoded when used.
// In: an apiVersion and a kind. Out: fields, types, merge keys, scopes. Never: OpenAPI of a cluster, custom resources.
export { builtInKinds, scopeInTable, structNamed, structOfKind } from './decode.ts'
export { type TypedOptions, throughStruct, throughType } from './typed.ts'
export type { Field, FieldType, ScalarType, StructType } from './types.ts'
