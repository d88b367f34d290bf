import { structOfKind } from '../schema/index.ts'
import { extensionType } from './extension-kinds.ts'
import type { MergeType } from './merge-type.ts'
import { structType } from './struct-types.ts'

/**
 * The schema of a built-in kind for server-side apply; undefined for other kinds.
 *
 * Source: k8s.io/client-go v0.36.1 applyconfigurations; k8s.io/apiextensions-apiserver, k8s.io/kube-aggregator v0.36.1
 */
export function mergeTypeOfKind(apiVersion: string, kind: string): MergeType | undefined {
  const struct = structOfKind(apiVersion, kind)
  if (struct?.hasMergeSchema === true) return structType(struct)
  return extensionType(apiVersion, kind)
}
