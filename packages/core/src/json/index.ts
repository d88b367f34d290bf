// json: JSON values as Go's encoders and decoders see them.
// In: text or values. Out: values or text. Never: YAML, Kubernetes, I/O.

export { cloneJson, deepFreeze, defineKey } from './clone.ts'
export { compareStrings, deepEqual, sortStrings } from './equal.ts'
export { canonicalJson, formatJson, goFloat, quoteJson } from './format.ts'
export { createMergePatch, mergePatch } from './merge-patch.ts'
export { type JsonIssue, parseJson, parseJsonAt } from './parse.ts'
export { deletePath, getPath, setPath } from './path.ts'
export { parsePointer, removePointer } from './pointer.ts'
export {
  isObject,
  isScalar,
  type Json,
  type JsonArray,
  type JsonObject,
  type JsonScalar,
} from './value.ts'
