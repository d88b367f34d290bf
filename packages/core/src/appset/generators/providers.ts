import type { ScmProviderName, ScmQuery } from '../../adapters/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { compileRegexp, type GoRegexp, quoteGo, RegexpIssue } from '../../text/index.ts'
import { appsetError } from '../fail.ts'
import type { GeneratorContext } from './context.ts'

/** Names of blocks in the order in which Argo CD looks for them, and the provider that each one means. */
export type ProviderBlocks = readonly (readonly [block: string, provider: ScmProviderName])[]

/** The first block of a generator that names a provider; undefined where there is none. */
export function queryOf(
  spec: JsonObject,
  blocks: ProviderBlocks,
  { set }: GeneratorContext,
): ScmQuery | undefined {
  for (const [block, provider] of blocks) {
    const config = spec[block]
    if (isObject(config)) return { provider, config, set }
  }
  return undefined
}

/**
 * Throws APPSET_FAILED where the installation forbids to ask. Hosts are compared by their text, and only blocks of
 * `withUrl` are looked at.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/scm_provider.go ScmProviderAllowed
 */
export function checkAllowed(
  spec: JsonObject,
  withUrl: readonly string[],
  { scm }: GeneratorContext,
): void {
  if (!scm.enabled) throw appsetError('scm providers are disabled')
  const config = withUrl.map((block) => spec[block]).find(isObject)
  const url = config?.['api']
  if (typeof url !== 'string' || url === '' || scm.allowedProviders.length === 0) return
  if (scm.allowedProviders.includes(url)) return
  throw appsetError(
    `scm provider not allowed: scm provider ${quoteGo(url)} not allowed, must use one of the following: ${scm.allowedProviders.join(', ')}`,
  )
}

/** A regular expression of a filter; undefined where the filter has none of that name. */
export function compileFilter(filter: JsonObject, field: string): GoRegexp | undefined {
  const source = filter[field]
  if (typeof source !== 'string') return undefined
  const compiled = compileRegexp(source)
  if (compiled instanceof RegexpIssue) {
    const name = field[0]!.toUpperCase() + field.slice(1)
    throw appsetError(`error compiling ${name} regexp ${quoteGo(source)}: ${compiled.message}`)
  }
  return compiled
}

export function filtersOf(spec: JsonObject): readonly JsonObject[] {
  const { filters } = spec
  return Array.isArray(filters) ? (filters as readonly Json[]).filter(isObject) : []
}
