import type { ClusterReader, ClusterWriter, JqEngine } from '../adapters/index.ts'
import type { Application, Settings } from '../argo/index.ts'
import {
  compileDiffRules,
  type DiffAnswers,
  type DiffNeeds,
  type DiffRuleOptions,
  type DryRunAnswer,
  diffNeeds,
  diffPairs,
  type ResourceDiff,
  schemasNeeded,
  withDefinitions,
} from '../diff/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { type ClusterFacts, formatKey, type GroupKind, type Manifest } from '../kube/index.ts'
import type { Pair } from './compare.ts'

/** What of a cluster a comparison may ask for. */
type AskedCluster = Pick<ClusterReader, 'get'> & Pick<ClusterWriter, 'apply'>

/**
 * Compares each target with its live object. The cluster is asked for the definitions of custom kinds where their fields
 * must be known, and, for server-side diff, for dry runs.
 *
 * Throws CompareError where a single pair cannot be compared: Argo CD then compares none.
 */
export async function diffResources(
  pairs: readonly Pair[],
  app: Application,
  settings: Settings,
  cluster: AskedCluster,
  facts: Pick<ClusterFacts, 'pluralOf'>,
  jq?: JqEngine,
): Promise<readonly ResourceDiff[]> {
  const plain = compileDiffRules(app, settings, jqOf(jq))
  const definitions = await definitionsOf(schemasNeeded(pairs, plain), cluster, facts)
  const rules = withDefinitions(plain, definitions)
  return diffPairs(pairs, rules, await askFor(diffNeeds(pairs, rules), cluster))
}

/** The engine of a host as an option of rules. */
export function jqOf(jq: JqEngine | undefined): Pick<DiffRuleOptions, 'compileJq'> {
  return jq === undefined ? {} : { compileJq: jq }
}

async function definitionsOf(
  kinds: readonly GroupKind[],
  cluster: AskedCluster,
  facts: Pick<ClusterFacts, 'pluralOf'>,
): Promise<readonly Manifest[]> {
  const found = await Promise.all(
    kinds.map((kind) => {
      const plural = facts.pluralOf?.(kind)
      if (plural === undefined) return undefined
      const name = `${plural}.${kind.group}`
      const key = {
        group: 'apiextensions.k8s.io',
        kind: 'CustomResourceDefinition',
        namespace: '',
        name,
      }
      return cluster.get(key, 'apiextensions.k8s.io/v1')
    }),
  )
  return found.filter((definition) => definition !== undefined)
}

async function askFor(needs: DiffNeeds, cluster: AskedCluster): Promise<DiffAnswers> {
  const dryRuns = new Map<string, DryRunAnswer>()
  for (const { key, target } of needs.dryRuns) {
    dryRuns.set(formatKey(key), await dryRun(target, cluster))
  }
  return { dryRuns }
}

async function dryRun(target: Manifest, cluster: AskedCluster): Promise<DryRunAnswer> {
  try {
    const { live } = await cluster.apply(target, {
      dryRun: 'server',
      serverSide: true,
      force: false,
      validate: false,
      fieldManager: 'argocd-controller',
    })
    return live === undefined ? { error: 'the dry run gave no object' } : { object: live }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { error: error.message }
  }
}
