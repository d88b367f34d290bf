import type { SourceError } from '../../errors/index.ts'
import type { FileTree } from '../../files/index.ts'

/** A registered cluster: what its Secret says. */
export interface ClusterFact {
  readonly name: string
  readonly server: string
  readonly project?: string
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
}

export interface TreeRequest {
  readonly repoURL: string
  /** A branch, tag, commit or constraint; '' is HEAD. */
  readonly revision: string
}

/** What generators know of the world. */
export interface GeneratorFacts {
  /** Undefined when nobody can tell, which fails the generators that ask. */
  readonly clusters: readonly ClusterFact[] | undefined
  /** A checkout; why there is none; undefined when it has not been fetched yet. */
  tree(request: TreeRequest): FileTree | SourceError | undefined
}

/** Thrown inside the room: a checkout is wanted that the facts do not hold yet. */
export class TreeNeeded extends Error {
  readonly request: TreeRequest

  constructor(request: TreeRequest) {
    super(`${request.repoURL} ${request.revision} is needed`)
    this.request = request
  }
}
