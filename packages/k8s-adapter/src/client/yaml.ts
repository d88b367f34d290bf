import { ClusterError } from '@litecd/core/errors'
import type { Json } from '@litecd/core/json'
import { load } from 'js-yaml'

/** One YAML (or JSON) document of a kubeconfig. Throws ClusterError CLUSTER_CONFIG with the file and the place. */
export function parseYaml(text: string, file: string): Json {
  try {
    return (load(text, { filename: file }) ?? null) as Json
  } catch (error) {
    throw new ClusterError('CLUSTER_CONFIG', (error as Error).message, { cause: error })
  }
}
