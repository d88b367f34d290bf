import type { Application } from '../argo/index.ts'
import { isLitecdError, type LitecdError, SpecError } from '../errors/index.ts'
import { Budget, type GeneratorContext, type ScmPolicy } from './generators/context.ts'
import { type FactRequest, FactsNeeded, type GeneratorFacts, Needs } from './generators/facts.ts'
import { type GeneratedSets, itemSets } from './generators/index.ts'
import { Renderer } from './render.ts'
import { renderApplicationOf, templateFor } from './template.ts'
import type { ApplicationSet, GeneratorItem } from './types.ts'

/** More than any cluster runs; a set that comes to more has exploded. */
export const maxApplications = 20_000
/** Sets of parameters, and folders and files that patterns look at; a second of work is some millions. */
const maxSteps = 20_000_000

export interface GenerateOptions {
  /** `ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_NEW_GIT_FILE_GLOBBING`; false where absent. */
  readonly newGitFileGlobbing?: boolean
  /** Every host may be asked where absent. */
  readonly scm?: ScmPolicy
}

export type GeneratedApplications =
  | { readonly applications: readonly Application[]; readonly duplicates: readonly string[] }
  /** Find these out and ask again; what is wanted after that is not known yet. */
  | { readonly needs: readonly FactRequest[] }

/**
 * The Applications of a set, in the order of its generators. `duplicates` are names that several of them have: Argo CD
 * then creates and updates none of those.
 *
 * Throws APPSET_FAILED in the words of the condition that Argo CD writes, RENDER_UNSUPPORTED for generators that ask
 * for what the facts cannot tell, BUDGET_EXCEEDED. One failing generator fails the whole set, as in Argo CD.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/template/template.go GenerateApplications
 */
export function generateApplications(
  set: ApplicationSet,
  facts: GeneratorFacts,
  options: GenerateOptions = {},
): GeneratedApplications {
  const applications: Application[] = []
  const steps = applicationSteps(set, facts, options)
  for (;;) {
    const step = steps.next()
    if (step.done !== true) {
      applications.push(step.value)
      continue
    }
    if (step.value !== undefined) return { needs: step.value }
    return { applications, duplicates: duplicatesOf(applications) }
  }
}

/** The same one Application at a time, for hosts that have other things to do; returns what is still to be fetched. */
export function* applicationSteps(
  set: ApplicationSet,
  facts: GeneratorFacts,
  options: GenerateOptions = {},
): Generator<Application, readonly FactRequest[] | undefined, undefined> {
  const { spec } = set
  let failing: SetFailureReason = 'ApplicationGenerationFromParamsError'
  let count = 0
  try {
    const context = contextOf(set, facts, options)
    const { renderer } = context
    for (const item of evaluated(spec.generators, context)) {
      failing = 'ApplicationGenerationFromParamsError'
      if ('error' in item) throw item.error
      failing = 'RenderTemplateParamsError'
      for (const { params, template: own } of item.sets) {
        const template = templateFor(set, own)
        for (const one of params) {
          yield renderApplicationOf(set, template, one, renderer)
          if (++count > maxApplications) {
            throw new SpecError(
              'BUDGET_EXCEEDED',
              `the set comes to more than ${maxApplications} Applications`,
            )
          }
        }
      }
    }
    return undefined
  } catch (error) {
    if (error instanceof FactsNeeded) return error.requests
    if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
    throw new SpecError('APPSET_FAILED', error.message, { cause: error, data: { reason: failing } })
  }
}

/** What the generators of a set are evaluated in. Throws APPSET_FAILED for unknown options of its templates. */
export function contextOf(
  { spec, metadata }: ApplicationSet,
  facts: GeneratorFacts,
  options: GenerateOptions,
  steps: number = maxSteps,
): GeneratorContext {
  const goTemplateOptions = spec.goTemplateOptions ?? []
  return {
    facts,
    renderer: new Renderer(
      { goTemplate: spec.goTemplate === true, goTemplateOptions },
      metadata.name,
    ),
    doublestar: options.newGitFileGlobbing === true,
    scm: options.scm ?? { enabled: true, allowedProviders: [] },
    set: { namespace: metadata.namespace ?? '', name: metadata.name },
    budget: new Budget(steps),
  }
}

type Evaluated = { readonly sets: readonly GeneratedSets[] } | { readonly error: unknown }

/**
 * What every generator gives, up to the first that fails. Throws FactsNeeded with what all of them lack: nothing is
 * rendered before everything is known.
 */
function evaluated(
  generators: readonly GeneratorItem[],
  context: GeneratorContext,
): readonly Evaluated[] {
  const needs = new Needs()
  const out: Evaluated[] = []
  try {
    for (const item of generators) {
      const sets = needs.try(() => itemSets(item, context))
      if (sets !== undefined) out.push({ sets })
    }
  } catch (error) {
    if (error instanceof FactsNeeded) throw error
    out.push({ error })
  }
  needs.raise()
  return out
}

/** Why there are no Applications, as the condition of a set gives it. */
export type SetFailureReason = 'ApplicationGenerationFromParamsError' | 'RenderTemplateParamsError'

/** The reason of an error of `generateApplications` or `applicationSteps`. */
export function failureReasonOf(error: LitecdError): SetFailureReason {
  return error.data['reason'] === 'RenderTemplateParamsError'
    ? 'RenderTemplateParamsError'
    : 'ApplicationGenerationFromParamsError'
}

function duplicatesOf(applications: readonly Application[]): readonly string[] {
  const seen = new Set<string>()
  const out = new Set<string>()
  for (const { metadata } of applications) {
    if (seen.has(metadata.name)) out.add(metadata.name)
    seen.add(metadata.name)
  }
  return [...out]
}
