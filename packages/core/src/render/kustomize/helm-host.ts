import type { FileTree } from '../../files/index.ts'
import type { RenderOptions } from '../helm/index.ts'

/** A chart that is not in the tree. */
export interface ChartRequest {
  readonly repo: string
  readonly name: string
  /** A version or a range. */
  readonly version: string
}

/** How charts are inflated. */
export interface HelmHost {
  readonly enabled: boolean
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
  readonly chance?: RenderOptions['chance']
  /** Brings a chart, whose folder is the root of the tree; throws when it must be fetched first. */
  readonly chart?: (request: ChartRequest) => FileTree
}
