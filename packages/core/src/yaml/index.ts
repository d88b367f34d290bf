// yaml: reading and writing YAML the way go-yaml, sigs.k8s.io/yaml and Helm do, down to messages and bytes.
// In: text, JSON values, nodes. Out: JSON values, nodes, text. Never: files, Kubernetes.

export { splitYamlDocuments, type YamlPiece } from './documents.ts'
export { formatYaml, formatYamlPretty, type PrettyOptions } from './format.ts'
export { formatFloatG } from './go-float.ts'
export { quoteGo } from './go-syntax.ts'
export { type NumberMode, type ParseOptions, parseYaml } from './parse.ts'
export { convertPrefix, type SourceOptions, type YamlDialect } from './problem.ts'
