// yaml: reading and writing YAML the way go-yaml, sigs.k8s.io/yaml and Helm do, down to messages and bytes.
// In: text, JSON values, nodes. Out: JSON values, nodes, text. Never: files, Kubernetes.

export { type ParseOptions, parseYaml } from './parse.ts'
