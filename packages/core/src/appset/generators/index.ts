import { isLitecdError, SourceError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { fitsSelector } from '../../kube/index.ts'
import { appsetError } from '../fail.ts'
import { flatStrings, type Params } from '../params.ts'
import type { Renderer } from '../render.ts'
import type { GeneratorItem } from '../types.ts'
import { clusterParams } from './clusters.ts'
import { mergeByKeys, multiply } from './combine.ts'
import { type GeneratorFacts, TreeNeeded, type TreeRequest } from './facts.ts'
import { gitParams } from './git.ts'
import { listParams } from './list.ts'

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

export interface GeneratorContext {
  readonly facts: GeneratorFacts
  readonly renderer: Renderer
  /** Files of git generators are matched with doublestar, not as git does. */
  readonly doublestar: boolean
}

export interface GeneratedSets {
  readonly params: readonly Params[]
  /** The generator's own template. */
  readonly template: JsonObject | undefined
}

/** What each generator of an item gives. Throws APPSET_FAILED in Argo CD's words, or TreeNeeded. */
export function itemSets(item: GeneratorItem, context: GeneratorContext): readonly GeneratedSets[] {
  return kindsOf(item).map((kind) => {
    const spec = item[kind] as JsonObject
    return {
      params: select(kindParams(kind, spec, context, 0), item.selector),
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
      if (facts.clusters === undefined) throw unknown(kind, 'which clusters are registered')
      return clusterParams(spec, facts.clusters, renderer)
    case 'git': {
      const request: TreeRequest = {
        repoURL: String(spec['repoURL'] ?? ''),
        revision: String(spec['revision'] ?? ''),
      }
      const tree = facts.tree(request)
      if (tree === undefined) throw new TreeNeeded(request)
      return gitParams(spec, tree, renderer, context)
    }
    case 'matrix':
      return matrixParams(spec, context, depth)
    case 'merge':
      return mergeParams(spec, context, depth)
    default:
      throw unknown(kind, 'what the provider answers')
  }
}

function unknown(kind: GeneratorKind, what: string): SourceError {
  return new SourceError('RENDER_UNSUPPORTED', `the ${kind} generator needs to know ${what}`, {
    hint: 'Nothing here can tell which Applications the set has.',
    data: { generator: kind },
  })
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
    childParams('matrix', first, context, depth),
  )
  return multiply(
    outer,
    (params) =>
      within('failed to get params for second generator in the matrix generator: ', () =>
        childParams('matrix', interpolate(second, params, context.renderer), context, depth),
      ),
    context.renderer.goTemplate,
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
  if (keys.length === 0) {
    throw appsetError('no merge keys were specified, Merge requires at least one')
  }
  const sets = children.map((child) =>
    within('error getting params for generator in merge generator: ', () =>
      childParams('merge', child, context, depth),
    ),
  )
  return mergeByKeys(sets, keys, context.renderer.goTemplate)
}

/** Two levels of matrix and merge are the most; what lies deeper is not there for Argo CD. */
function childParams(
  parent: 'matrix' | 'merge',
  item: GeneratorItem,
  context: GeneratorContext,
  depth: number,
): readonly Params[] {
  const present = kindsOf(item).filter(
    (kind) => depth === 0 || (kind !== 'matrix' && kind !== 'merge'),
  )
  const [kind, ...more] = present
  if (kind === undefined) throw appsetError('child generator generated no parameters')
  if (more.length > 0) {
    throw appsetError(
      `found more than one generator in ${parent}${parent === 'matrix' ? '.Generators' : ' generator'}`,
    )
  }
  return within('child generator returned an error on parameter generation: ', () =>
    select(kindParams(kind, item[kind] as JsonObject, context, depth + 1), item.selector),
  )
}

/** Argo CD's words before an error of its own; other errors go on as they are. */
function within<T>(prefix: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
    throw appsetError(`${prefix}${error.message}`, error)
  }
}

/**
 * A generator with its strings rendered. Its `values` are rendered where the parameters have all they ask for, and left
 * to the generator itself where not; its selector is left as it is.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/generator_spec_processor.go InterpolateGenerator
 */
function interpolate(item: GeneratorItem, params: Params, renderer: Renderer): GeneratorItem {
  if (Object.keys(params).length === 0) return item
  const out: { [kind: string]: Json } = {}
  for (const [kind, spec] of Object.entries(item)) {
    if (spec === undefined) continue
    if (kind === 'selector' || !isObject(spec)) {
      out[kind] = spec
      continue
    }
    const { values, ...rest } = spec
    const rendered = renderer.deep(rest, params) as JsonObject
    out[kind] = isObject(values)
      ? { ...rendered, values: leniently(values, params, renderer) }
      : rendered
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
      out[key] = value
    }
  }
  return out
}

/** The sets that a selector fits, by their values flattened and printed. */
function select(sets: readonly Params[], selector: JsonObject | undefined): readonly Params[] {
  if (selector === undefined) return sets
  return sets.filter((params) => {
    const fits = fitsSelector(selector, flatStrings(params))
    if (fits === undefined) {
      throw appsetError('error parsing label selector: it is no label selector')
    }
    return fits
  })
}
