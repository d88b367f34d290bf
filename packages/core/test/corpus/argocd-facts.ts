// What a recorded answer says about one Application, and the facts of the cluster it was recorded on.

import { isObject, type JsonObject } from '@litecd/core/json'
import type { ClusterFacts, Manifest } from '@litecd/core/kube'
import { scopeOfBuiltIn } from '@litecd/core/kube'
import { builtInKinds } from '../../src/kube/schema/index.ts'
import type { ReplayedApplication } from './argocd-replay.ts'

/** What a cluster with the built-in kinds serves, in the form that charts see. */
const servedApiVersions = [
  ...new Set(
    [...builtInKinds(), { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' }].flatMap(
      ({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`],
    ),
  ),
].sort()

export function conditionsOf(app: ReplayedApplication): readonly JsonObject[] {
  return (app.status['conditions'] ?? []) as readonly JsonObject[]
}

/** The message of the first condition of a type. */
export function conditionOf(app: ReplayedApplication, type: string): string | undefined {
  return conditionsOf(app).find((condition) => condition['type'] === type)?.['message'] as
    | string
    | undefined
}

/** `group/version` and `group/version/Kind` of a definition. */
function servedByDefinition({ spec }: Manifest): readonly string[] {
  if (!isObject(spec) || !Array.isArray(spec['versions'])) return []
  const { kind } = (spec['names'] ?? {}) as JsonObject
  return spec['versions'].filter(isObject).flatMap(({ name }) => {
    const version = `${spec['group']}/${name}`
    return [version, `${version}/${kind}`]
  })
}

/** The cluster with the built-in kinds and those that the case itself defines. */
export function factsOf(app: ReplayedApplication): ClusterFacts {
  const definitions = app.objects.filter((object) => object.kind === 'CustomResourceDefinition')
  return {
    kubeVersion: 'v1.36.1',
    apiVersions: [...servedApiVersions, ...definitions.flatMap(servedByDefinition)].sort(),
    scopeOf: (kind) => {
      const builtIn = scopeOfBuiltIn(kind)
      if (builtIn !== undefined) return builtIn
      for (const { spec } of definitions) {
        if (!isObject(spec) || spec['group'] !== kind.group) continue
        const { kind: name } = (spec['names'] ?? {}) as JsonObject
        if (name === kind.kind) return spec['scope'] as 'Cluster' | 'Namespaced'
      }
      return undefined
    },
  }
}
