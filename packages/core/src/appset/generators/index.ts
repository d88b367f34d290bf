import { isLitecdError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { quoteGo } from '../../text/index.ts'
import { appsetError, within } from '../fail.ts'
import type { Params } from '../params.ts'
import type { Renderer } from '../render.ts'
import type { GeneratorItem } from '../types.ts'
import { clusterParams } from './clusters.ts'
import { mergeByKeys, multiply } from './combine.ts'
import { type GeneratorContext, unknownFact } from './context.ts'
import { decisionParams } from './decisions.ts'
import { FactsNeeded, Needs, type TreeRequest } from './facts.ts'
import { gitParams } from './git.ts'
import { listParams } from './list.ts'
import { pluginParams } from './plugin.ts'
import { pullRequestParams } from './pull-requests.ts'
import { scmParams } from './scm.ts'
import { checkSelector, selected } from './selectors.ts'

const kinds = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
] as const
type GeneratorKind = (typeof kinds)[number]

export interface GeneratedSets {
  readonly params: readonly Params[]
  /** The generator's own template. */
  readonly template: JsonObject | undefined
}

/** What each generator of an item gives. Throws APPSET_FAILED in Argo CD's words, or FactsNeeded. */
export function itemSets(item: GeneratorItem, context: GeneratorContext): readonly GeneratedSets[] {
  checkSelector(item.selector)
  return kindsOf(item).map((kind) => {
    const spec = item[kind] as JsonObject
    return {
      params: selected(kindParams(kind, spec, context, 0), item.selector),
      template: isObject(spec['template']) ? spec['template'] : undefined,
    }
  })
}

function kindsOf(item: GeneratorItem): readonly GeneratorKind[] {
  return kinds.filter((kind) => isObject(item[kind]))
}

function kindParams(
  kind: GeneratorKind,
  spec: JsonObject,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  const { facts, renderer } = context
  switch (kind) {
    case 'list':
      return listParams(spec, renderer.goTemplate)
    case 'clusters':
      if (facts.clusters === undefined) throw unknownFact(kind, 'which clusters are registered')
      return clusterParams(spec, facts.clusters, renderer)
    case 'git': {
      const request: TreeRequest = {
        ask: 'tree',
        repoURL: String(spec['repoURL'] ?? ''),
        revision: String(spec['revision'] ?? ''),
      }
      const tree = facts.tree(request)
      if (tree === undefined) throw new FactsNeeded([request])
      return gitParams(spec, tree, context)
    }
    case 'matrix':
      return matrixParams(spec, context, depth)
    case 'merge':
      return mergeParams(spec, context, depth)
    case 'scmProvider':
      return scmParams(spec, context)
    case 'pullRequest':
      return pullRequestParams(spec, context)
    case 'plugin':
      return pluginParams(spec, context)
    case 'clusterDecisionResource':
      return decisionParams(spec, context)
  }
}

function childrenOf(spec: JsonObject): readonly GeneratorItem[] {
  const { generators } = spec
  return Array.isArray(generators) ? (generators.filter(isObject) as readonly GeneratorItem[]) : []
}

function matrixParams(
  spec: JsonObject,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  const [first, second, ...more] = childrenOf(spec)
  if (first === undefined || second === undefined) {
    throw appsetError('found less than two generators, Matrix support only two')
  }
  if (more.length > 0) {
    throw appsetError('found more than two generators, Matrix support only two')
  }
  const outer = within('error failed to get params for first generator in matrix generator: ', () =>
    nestedParams(first, {}, context, depth),
  )
  return multiply(
    outer,
    (params) =>
      within('failed to get params for second generator in the matrix generator: ', () =>
        nestedParams(second, params, context, depth),
      ),
    context,
  )
}

function mergeParams(
  spec: JsonObject,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  const children = childrenOf(spec)
  const { mergeKeys } = spec
  if (children.length < 2) {
    throw appsetError('found less than two generators, Merge requires two or more')
  }
  const keys = Array.isArray(mergeKeys) ? mergeKeys.map(String) : []
  const needs = new Needs()
  const sets = children.flatMap((child, index) => {
    const place = `error getting params from generator ${index + 1} of ${children.length}: `
    const params = needs.try(() =>
      within(`error getting param sets from generators: ${place}`, () =>
        nestedParams(child, {}, context, depth),
      ),
    )
    return params === undefined ? [] : [params]
  })
  needs.raise()
  return within('error getting param sets by merge key: ', () =>
    mergeByKeys(sets, keys, context.renderer.goTemplate),
  )
}

/**
 * What a generator inside another gives. Two levels of matrix and merge are the most; what lies deeper is not there for
 * Argo CD. Throws as `itemSets` does.
 */
export function childParameters(
  item: GeneratorItem,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  return nestedParams(item, {}, context, depth)
}

/** The same, once the generator's strings are rendered with the parameters of another one. */
function nestedParams(
  item: GeneratorItem,
  params: Params,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  const present = kindsOf(item).filter(
    (kind) => depth === 0 || (kind !== 'matrix' && kind !== 'merge'),
  )
  const [first, ...more] = within(
    'child generator returned an error on parameter generation: ',
    () => {
      checkSelector(item.selector)
      return present.map((kind) => {
        const rendered = interpolate(item, params, context.renderer)
        return selected(
          kindParams(kind, rendered[kind] as JsonObject, context, depth + 1),
          item.selector,
        )
      })
    },
  )
  if (first === undefined) throw appsetError('child generator generated no parameters')
  // Parity: a child of merge is told the same
  if (more.length > 0) throw appsetError('found more than one generator in matrix.Generators')
  return first
}

/**
 * A generator with its strings rendered. `values`, of generators inside it too, are rendered where the parameters have
 * all they ask for, and left to the generator itself where not. Its own selector is left as it is.
 *
 * Throws APPSET_FAILED in Argo CD's words, BUDGET_EXCEEDED.
 *
 * Source: argo-cd v3.5.1 applicationset/utils/utils.go RenderGeneratorParams
 */
export function interpolate(
  item: GeneratorItem,
  params: Params,
  renderer: Renderer,
): GeneratorItem {
  if (Object.keys(params).length === 0) return item
  const { selector, ...kinds } = item
  const rendered = within('failed to replace parameters in generator: ', () =>
    renderedItem(kinds as JsonObject, params, renderer),
  )
  return { ...rendered, ...(selector === undefined ? {} : { selector }) }
}

function renderedItem(item: JsonObject, params: Params, renderer: Renderer): JsonObject {
  const out: { [kind: string]: Json } = {}
  for (const [kind, spec] of Object.entries(item)) {
    if (!isObject(spec)) out[kind] = renderer.deep(spec, params)
    else if (kind === 'matrix' || kind === 'merge') {
      const { generators, ...rest } = spec
      out[kind] = {
        ...(renderer.deep(rest, params) as JsonObject),
        generators: childrenOf(spec).map((child) =>
          renderedItem(child as JsonObject, params, renderer),
        ),
      }
    } else {
      const { values, ...rest } = spec
      const rendered = renderer.deep(rest, params) as JsonObject
      out[kind] = isObject(values)
        ? { ...rendered, values: leniently(values, params, renderer) }
        : rendered
    }
  }
  return out
}

function leniently(values: JsonObject, params: Params, renderer: Renderer): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== 'string') {
      out[key] = value
      continue
    }
    try {
      out[key] = renderer.text(value, params, 'error')
    } catch (error) {
      if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
      if (!/map has no entry for key|can't evaluate field/.test(error.message)) {
        throw appsetError(
          `failed to pre-resolve Values key ${quoteGo(key)}: ${error.message}`,
          error,
        )
      }
      out[key] = value
    }
  }
  return out
}
