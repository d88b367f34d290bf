import type {
  AskingSet,
  ProviderAnswers,
  ProviderRequest,
  ProviderRequestOf,
} from '../../adapters/index.ts'
import { SourceError, SpecError } from '../../errors/index.ts'
import type { Renderer } from '../render.ts'
import { FactsNeeded, type GeneratorFacts } from './facts.ts'

/** Which hosts of repositories may be asked. */
export interface ScmPolicy {
  readonly enabled: boolean
  /** URLs as generators write them; empty: every host. */
  readonly allowedProviders: readonly string[]
}

export interface GeneratorContext {
  readonly facts: GeneratorFacts
  readonly renderer: Renderer
  /** Files of git generators are matched with doublestar, not as git does. */
  readonly doublestar: boolean
  readonly scm: ScmPolicy
  readonly set: AskingSet
  readonly budget: Budget
}

/** What the generators of one set may use up together: sets of parameters, folders and patterns looked at. */
export class Budget {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws BUDGET_EXCEEDED. */
  spend(steps: number): void {
    this.#spent += steps
    if (this.#spent > this.#limit) {
      throw new SpecError(
        'BUDGET_EXCEEDED',
        `the generators of the set take more than ${this.#limit} steps`,
        { hint: 'A matrix multiplies what its generators give; narrow one of them.' },
      )
    }
  }
}

/** Who else would have to be asked: `generator` needs to know `what`. */
export function unknownFact(generator: string, what: string): SourceError {
  return new SourceError('RENDER_UNSUPPORTED', `the ${generator} generator needs to know ${what}`, {
    hint: 'Nothing here can tell which Applications the set has.',
    data: { generator },
  })
}

const told: { readonly [K in keyof ProviderAnswers]: readonly [generator: string, what: string] } =
  {
    repositories: ['scmProvider', 'what the provider answers'],
    branches: ['scmProvider', 'what the provider answers'],
    path: ['scmProvider', 'what the provider answers'],
    pullRequests: ['pullRequest', 'what the provider answers'],
    plugin: ['plugin', 'what the plugin answers'],
    configMap: ['clusterDecisionResource', 'what the cluster holds'],
    resources: ['clusterDecisionResource', 'what the cluster holds'],
  }

/**
 * What is known about a request, or why nothing is. Throws FactsNeeded where it has not been asked yet,
 * RENDER_UNSUPPORTED where nobody can be asked, BUDGET_EXCEEDED.
 */
export function ask<K extends keyof ProviderAnswers>(
  { facts }: GeneratorContext,
  request: ProviderRequestOf<K>,
): ProviderAnswers[K] | SourceError {
  const { ask: kind } = request as ProviderRequest
  if (facts.answer === undefined) throw unknownFact(...told[kind])
  const answer = facts.answer<K>(request)
  if (answer === undefined) throw new FactsNeeded([request as ProviderRequest])
  if (answer instanceof SourceError && passesThrough(answer)) throw answer
  return answer
}

/** Errors that are ours, not Argo CD's. */
function passesThrough({ code }: SourceError): boolean {
  return code === 'RENDER_UNSUPPORTED' || code === 'BUDGET_EXCEEDED'
}

/** True where credentials or settings are wrong, so that nothing was asked. */
export function isProviderStage(error: SourceError): boolean {
  return error.data['stage'] === 'provider'
}
