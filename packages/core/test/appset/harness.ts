import type { ProviderAnswers, ProviderRequest } from '../../src/adapters/index.ts'
import { Budget, type GeneratorContext } from '../../src/appset/generators/context.ts'
import {
  type ClusterFact,
  type FactRequest,
  FactsNeeded,
  GatheredFacts,
  type TreeRequest,
} from '../../src/appset/generators/facts.ts'
import { itemSets } from '../../src/appset/generators/index.ts'
import type { Params } from '../../src/appset/params.ts'
import { Renderer } from '../../src/appset/render.ts'
import type { GeneratorItem } from '../../src/appset/types.ts'
import { isLitecdError, type SourceError } from '../../src/errors/index.ts'
import { type FileTree, memoryTree } from '../../src/files/index.ts'

export interface World {
  readonly goTemplate?: boolean
  readonly goTemplateOptions?: readonly string[]
  readonly clusters?: readonly ClusterFact[]
  readonly files?: { readonly [path: string]: string }
  readonly tree?: (request: TreeRequest) => FileTree | SourceError
  /** What providers answer; throws for what the case does not ask. */
  readonly answer?: (
    request: ProviderRequest,
  ) => ProviderAnswers[keyof ProviderAnswers] | SourceError
  readonly scm?: GeneratorContext['scm']
  readonly doublestar?: boolean
}

export interface Outcome {
  readonly params?: readonly Params[]
  /** The message of what failed. */
  readonly error?: string
  /** What was asked, in rounds. */
  readonly asked: readonly (readonly FactRequest[])[]
}

/** What one item of `generators` gives, everything answered that it asks for. */
export function generated(item: GeneratorItem, world: World = {}): Outcome {
  const facts = new GatheredFacts({ clusters: world.clusters ?? [], providers: true })
  const asked: (readonly FactRequest[])[] = []
  const tree = memoryTree(world.files ?? {})
  for (;;) {
    const context: GeneratorContext = {
      facts,
      renderer: new Renderer(
        {
          goTemplate: world.goTemplate === true,
          goTemplateOptions: world.goTemplateOptions ?? [],
        },
        'set',
      ),
      doublestar: world.doublestar === true,
      scm: world.scm ?? { enabled: true, allowedProviders: [] },
      set: { namespace: 'team', name: 'set' },
      budget: new Budget(1_000_000),
    }
    try {
      return { params: itemSets(item, context).flatMap(({ params }) => params), asked }
    } catch (error) {
      if (isLitecdError(error)) return { error: error.message, asked }
      if (!(error instanceof FactsNeeded)) throw error
      asked.push(error.requests)
      for (const request of error.requests) {
        if (request.ask === 'tree') facts.put(request, world.tree?.(request) ?? tree)
        else {
          if (world.answer === undefined) throw new Error(`${request.ask} is not to be asked`)
          facts.put(request, world.answer(request))
        }
      }
    }
  }
}

export function paramsOf(item: GeneratorItem, world: World = {}): readonly Params[] {
  const { params, error } = generated(item, world)
  if (params === undefined) throw new Error(error)
  return params
}

export function errorOf(item: GeneratorItem, world: World = {}): string {
  const { error, params } = generated(item, world)
  if (error === undefined) throw new Error(`it gave ${JSON.stringify(params)}`)
  return error
}
