import { compileDiffRules, diffPairs } from '@litecd/core/diff'
import { isLitecdError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { describe, expect, it } from 'vitest'
import { corpusFolder, findCases, readCase } from './argocd-cases.ts'
import { type ManagedResource, type ReplayedApplication, replay } from './argocd-replay.ts'

/** Comparisons that cannot be replayed, and why. Each must still fail: it is taken out when it can. */
const open: ReadonlyMap<string, string> = new Map([
  ['compare/server-side-diff-after-sync', 'the dry runs of the API server are not recorded'],
])

/** Where Argo CD answered from its cache of diffs, although the target had changed: what it shows is the diff before. */
const cached: ReadonlySet<string> = new Set([
  'compare/managed-namespace: metadata of the spec changed',
])

const cases = findCases(corpusFolder).flatMap((path) => {
  const of = readCase(path)
  return of.diff
    ? [{ name: of.name, apps: replay(of).filter((app) => app.managed !== undefined) }]
    : []
})

function diffOf(app: ReplayedApplication, managed: readonly ManagedResource[]): unknown[] {
  const rules = compileDiffRules(app.application, app.settings)
  return diffPairs(
    managed.map(({ group, kind, namespace, name, target, live }) => ({
      key: { group, kind, namespace, name },
      target,
      live,
    })),
    rules,
  ).map(({ key, modified, normalizedLive, predictedLive }) => ({
    object: `${key.group}/${key.kind}/${key.name}`,
    modified,
    normalizedLive,
    predictedLive,
  }))
}

function failureOf(status: JsonObject): string | undefined {
  const conditions = (status['conditions'] ?? []) as readonly { readonly message: string }[]
  const context = 'Failed to compare desired state to live state: '
  return conditions
    .find(({ message }) => message.startsWith(context))
    ?.message.slice(context.length)
}

describe('recorded comparisons', () => {
  for (const { name, apps } of cases) {
    const run = open.has(name) ? it.fails : it
    run(name, () => {
      for (const app of apps.filter(({ beat }) => !cached.has(`${name}: ${beat}`))) {
        // where the comparison failed, Argo CD goes on showing the one before
        const want =
          failureOf(app.status) ??
          app.managed!.map((managed) => ({
            object: `${managed.group}/${managed.kind}/${managed.name}`,
            modified: managed.modified,
            normalizedLive: managed.normalizedLive,
            predictedLive: managed.predictedLive,
          }))
        let got: unknown
        try {
          got = diffOf(app, app.managed!)
        } catch (error) {
          if (!isLitecdError(error)) throw error
          got = error.message
        }
        expect(got, `${app.beat} ${app.name}`).toEqual(want)
      }
    })
  }
})
