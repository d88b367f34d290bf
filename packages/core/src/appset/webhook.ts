import {
  apiMatcher,
  type PullRequestEvent,
  type PushEvent,
  repositoryMatcher,
  revisionOf,
} from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import { hostnameOf, parseGoUrl, UrlIssue } from '../text/index.ts'
import { contextOf, type GenerateOptions } from './generate.ts'
import type { GeneratorContext } from './generators/context.ts'
import { FactsNeeded, type GeneratorFacts } from './generators/facts.ts'
import { childParameters, interpolate } from './generators/index.ts'
import type { Params } from './params.ts'
import type { ApplicationSet, GeneratorItem } from './types.ts'

/** A look at a set is short, whatever its generators come to: beyond this they are taken for unknown. */
const maxSteps = 1_000_000
const maxParameters = 5_000

type SetEvent = PushEvent | PullRequestEvent

/** How generators are looked at. */
interface Look {
  readonly event: SetEvent
  readonly context: GeneratorContext
  readonly fitsRepository: (url: string) => boolean
  readonly fitsApi: (url: string) => boolean
  /** Templates in fields fit everything: nobody knows yet what will stand there. */
  readonly lenient: boolean
}

/**
 * Whether a push or a pull request concerns a set, so that it has to be generated again. Which files have changed does
 * not count.
 *
 * The second generator of a matrix is looked at with the parameters of the first. Where those would have to be asked for,
 * or cannot be had, a template in it counts as a hit: one look too many at the set is better than none. (Argo CD asks
 * for them, and takes an error for no hit.)
 *
 * Source: argo-cd v3.5.1 applicationset/webhook/webhook.go
 */
export function concernsSet(
  set: ApplicationSet,
  event: SetEvent,
  facts: GeneratorFacts,
  options: GenerateOptions = {},
): boolean {
  if (event.kind === 'push' && !event.forSets) return false
  const none = (): boolean => false
  const context = tried(() => contextOf(set, facts, options, maxSteps))
  // its templates cannot be read: it cannot be generated either
  if (context === undefined) return false
  const look: Look = {
    event,
    context,
    fitsRepository: event.kind === 'push' ? repositoryMatcher(event.urls[0] ?? '') : none,
    fitsApi:
      event.kind === 'pullRequest' && event.host === 'github' ? apiMatcher(event.apiUrl) : none,
    lenient: false,
  }
  return set.spec.generators.some((item) => isObject(item['plugin']) || concernsItem(item, look, 0))
}

/** A generator besides plugins, whose place matters. */
function concernsItem(item: GeneratorItem, look: Look, depth: number): boolean {
  const { git, pullRequest, matrix, merge } = item
  return (
    (isObject(git) && fitsGit(git, look)) ||
    (isObject(pullRequest) && fitsPullRequest(pullRequest, look)) ||
    // what lies deeper is not there for Argo CD
    (depth < 2 && isObject(matrix) && fitsMatrix(matrix, look, depth)) ||
    (depth < 2 &&
      isObject(merge) &&
      childrenOf(merge).some((child) => concernsItem(child, look, depth + 1)))
  )
}

function fitsMatrix(matrix: JsonObject, look: Look, depth: number): boolean {
  const [first, second, ...more] = childrenOf(matrix)
  if (first === undefined || second === undefined || more.length > 0) return false
  if (concernsItem(first, look, depth + 1)) return true
  const concerns = (item: GeneratorItem, lenient: boolean): boolean =>
    isObject(item['plugin']) || concernsItem(item, { ...look, lenient }, depth + 1)
  if (concerns(second, false)) return true
  const params = parametersOf(first, look.context, depth)
  if (params === undefined || params.length > maxParameters) return concerns(second, true)
  return params.some((one) => {
    const rendered = tried(() => interpolate(second, one, look.context.renderer))
    return rendered === undefined ? concerns(second, true) : concerns(rendered, look.lenient)
  })
}

/** Undefined where they are not known without asking somebody, or there are none because of an error. */
function parametersOf(
  item: GeneratorItem,
  context: GeneratorContext,
  depth: number,
): readonly Params[] | undefined {
  return tried(() => childParameters(item, context, depth))
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof FactsNeeded || isLitecdError(error)) return undefined
    throw error
  }
}

function childrenOf(spec: JsonObject): readonly GeneratorItem[] {
  const { generators } = spec
  return Array.isArray(generators) ? (generators.filter(isObject) as readonly GeneratorItem[]) : []
}

/** A field as it is; undefined where it is a template that may become anything. */
function field(value: Json | undefined, { lenient }: Look): string | undefined {
  const text = typeof value === 'string' ? value : ''
  return lenient && text.includes('{{') ? undefined : text
}

function fitsGit(git: JsonObject, look: Look): boolean {
  const { event } = look
  if (event.kind !== 'push') return false
  const url = field(git['repoURL'], look)
  if (url !== undefined && !look.fitsRepository(url)) return false
  const revision = field(git['revision'], look)
  if (revision === undefined) return true
  const short = revisionOf(revision)
  if (short === '' || short === 'HEAD') return event.touchedHead
  return short === event.revision || revision === event.revision
}

function fitsPullRequest(generator: JsonObject, look: Look): boolean {
  const { event } = look
  if (event.kind !== 'pullRequest') return false
  const provider = generator[event.host]
  if (!isObject(provider)) return false
  const is = (name: string, wanted: string, fold = false): boolean => {
    const value = field(provider[name], look)
    if (value === undefined) return true
    return fold ? value.toLowerCase() === wanted.toLowerCase() : value === wanted
  }
  const api = field(provider['api'], look)
  switch (event.host) {
    case 'github':
      return (
        is('owner', event.owner, true) &&
        is('repo', event.repository, true) &&
        (api === undefined || look.fitsApi(api || 'https://api.github.com/'))
      )
    case 'gitlab':
      return is('project', event.projectId) && (api === undefined || hostOf(api) === event.hostname)
    case 'azuredevops':
      return is('project', event.project) && is('repo', event.repository)
  }
}

function hostOf(api: string): string | undefined {
  const url = parseGoUrl(api || 'https://gitlab.com/')
  return url instanceof UrlIssue ? undefined : hostnameOf(url)
}
