// jsonnet: Jsonnet programs as go-jsonnet 0.22 evaluates them.
// In: a program, an importer, variables, limits. Out: JSON, texts, what was imported. Never: disk, clocks, Kubernetes.
export { JsonnetCache } from './cache.ts'
export {
  evaluateJsonnet,
  type JsonnetOptions,
  type JsonnetResult,
  type JsonnetVariable,
} from './evaluate.ts'
export { type ImportedFile, type Importer, notFound, treeImporter } from './importer.ts'
export { defaultLimits, type Limits } from './limits.ts'
export type { JsonnetPlace } from './places.ts'
