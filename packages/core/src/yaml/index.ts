// yaml: reading and writing YAML the way go-yaml, sigs.k8s.io/yaml and Helm do, down to messages and bytes.
// In: text, JSON values, nodes. Out: JSON values, nodes, text. Never: files, Kubernetes.

export type { NumberMode } from './decode.ts'
export { decodeYamlNode } from './decode-v3.ts'
export { splitYamlDocuments, type YamlPiece } from './documents.ts'
export type { WantedKeys } from './fast.ts'
export { formatYaml, formatYamlPretty, type PrettyOptions } from './format.ts'
export { formatYamlNode, type NodeFormatOptions } from './format-node.ts'
export { formatFloatG } from './go-float.ts'
export { locate, locator, type YamlPlace } from './locate.ts'
export { type YamlKind, YamlNode, type YamlStyle } from './node.ts'
export {
  type ParsedDocument,
  type ParseOptions,
  parseYaml,
  parseYamlDocuments,
  parseYamlNode,
  parseYamlNodes,
} from './parse.ts'
export { convertPrefix, type SourceOptions, type YamlDialect } from './problem.ts'
export { type Resolved, resolvePlain, resolveTagged } from './resolve.ts'
export { tagOf } from './tags.ts'
