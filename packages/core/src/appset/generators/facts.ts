import type { ProviderAnswers, ProviderRequest, ProviderRequestOf } from '../../adapters/index.ts'
import type { SourceError } from '../../errors/index.ts'
import type { FileTree } from '../../files/index.ts'
import { canonicalJson, type Json } from '../../json/index.ts'

/** A registered cluster: what its Secret says. */
export interface ClusterFact {
  readonly name: string
  readonly server: string
  readonly project?: string
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
}

export interface TreeRequest {
  readonly ask: 'tree'
  readonly repoURL: string
  /** A branch, tag, commit or constraint; '' is HEAD. */
  readonly revision: string
}

/** Something that a generator has to know, as data. */
export type FactRequest = TreeRequest | ProviderRequest

/** What generators know of the world. */
export interface GeneratorFacts {
  /** Undefined when nobody can tell, which fails the generators that ask. */
  readonly clusters: readonly ClusterFact[] | undefined
  /** A checkout; why there is none; undefined when it has not been fetched yet. */
  tree(request: TreeRequest): FileTree | SourceError | undefined
  /**
   * An answer; why there is none; undefined when nobody has been asked yet. Left out where nobody can be asked, which
   * fails the generators that would.
   */
  answer?<K extends keyof ProviderAnswers>(
    request: ProviderRequestOf<K>,
  ): ProviderAnswers[K] | SourceError | undefined
}

/** The same text for requests that are the same. */
export function factKey(request: FactRequest): string {
  return canonicalJson(request as unknown as Json)
}

export interface GatheredFactsOptions {
  /** Undefined when nobody can tell. */
  readonly clusters: readonly ClusterFact[] | undefined
  /** False where there is nobody who could answer what is no checkout. */
  readonly providers: boolean
  /** May throw what speaks against a checkout. */
  readonly beforeTree?: (request: TreeRequest) => void
}

/** Facts that are gathered while generators ask: put in what was wanted and generate again. */
export class GatheredFacts implements GeneratorFacts {
  readonly clusters: readonly ClusterFact[] | undefined
  readonly answer?: NonNullable<GeneratorFacts['answer']>
  readonly #known = new Map<string, unknown>()
  readonly #beforeTree: ((request: TreeRequest) => void) | undefined

  constructor({ clusters, providers, beforeTree }: GatheredFactsOptions) {
    this.clusters = clusters
    this.#beforeTree = beforeTree
    if (providers) this.answer = (request) => this.#known.get(factKey(request)) as never
  }

  get size(): number {
    return this.#known.size
  }

  put(
    request: FactRequest,
    answer: FileTree | ProviderAnswers[keyof ProviderAnswers] | SourceError,
  ): void {
    this.#known.set(factKey(request), answer)
  }

  tree(request: TreeRequest): FileTree | SourceError | undefined {
    this.#beforeTree?.(request)
    return this.#known.get(factKey(request)) as FileTree | SourceError | undefined
  }
}

/** Thrown inside the room: facts are wanted that are not there yet. */
export class FactsNeeded extends Error {
  readonly requests: readonly FactRequest[]

  constructor(requests: readonly FactRequest[]) {
    super(`${requests.length} facts are needed`)
    this.requests = requests
  }
}

/** More are asked for in the next round. */
const maxRequests = 2_000

/**
 * Gathers what several pieces of work lack, so that it can be asked for at once. What comes after a piece that lacks
 * something cannot fail yet: the piece may fail first.
 */
export class Needs {
  readonly #requests = new Map<string, FactRequest>()

  /** Undefined where facts are wanted. */
  try<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof FactsNeeded)) {
        this.raise()
        throw error
      }
      for (const request of error.requests) this.add(request)
      if (this.#requests.size >= maxRequests) this.raise()
      return undefined
    }
  }

  add(request: FactRequest): void {
    this.#requests.set(factKey(request), request)
  }

  /** Throws FactsNeeded when anything is wanted. */
  raise(): void {
    if (this.#requests.size > 0) throw new FactsNeeded([...this.#requests.values()])
  }
}
