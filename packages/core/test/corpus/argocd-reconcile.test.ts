// Whole comparisons in memory: where a recording shows the live objects of an Application, `reconcile` must come to the
// recorded sync status, resources, health, source types and conditions.
import type { Adapters, Cluster } from '@litecd/core/adapters'
import { reconcile } from '@litecd/core/app'
import type { AppProject, ConditionType } from '@litecd/core/argo'
import { ClusterError } from '@litecd/core/errors'
import type { Json, JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import { corpusFolder, findCases, readCase } from './argocd-cases.ts'
import { factsOf } from './argocd-facts.ts'
import { notRecorded, type ReplayedApplication, replay } from './argocd-replay.ts'

/** What a comparison evaluates; other conditions come from elsewhere. */
const compared: readonly ConditionType[] = [
  'InvalidSpecError',
  'ComparisonError',
  'SharedResourceWarning',
  'RepeatedResourceWarning',
  'ExcludedResourceWarning',
]

/** How answers begin that need a dry run on a real API server. */
const notScripted = 'not scripted'

/** Messages of what happens around a comparison: resolving revisions, and remembering failures. */
const notOfComparing = /unable to resolve '|Manifest generation error \(cached\)/

/** Done by nobody yet, or on purpose otherwise: `AREA/NAME app` → why. It fails when one is done. */
const open: ReadonlyMap<string, string> = new Map([])

/** Beats where Argo CD answered from its cache of diffs, although the target had changed. */
const cached: ReadonlySet<string> = new Set([
  'compare/managed-namespace: metadata of the spec changed',
])

const defaultProject: Manifest = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

function projectOf(app: ReplayedApplication): AppProject | undefined {
  const name = app.application.spec.project || 'default'
  const made = app.objects.find((one) => one.kind === 'AppProject' && nameOf(one) === name)
  const found = made ?? (name === 'default' ? defaultProject : undefined)
  return found as unknown as AppProject | undefined
}

/** A cluster that shows the recorded live objects and can do nothing else. */
function clusterOf(app: ReplayedApplication): Cluster {
  const refuse = (what: string) => async (): Promise<never> => {
    throw new ClusterError('CLUSTER_UNREACHABLE', `${notScripted}: ${what}`)
  }
  return {
    facts: async () => factsOf(app),
    managedLiveObjects: async () => (app.managed ?? []).flatMap(({ live }) => live ?? []),
    descendants: async () => [],
    topLevel: refuse('topLevel'),
    get: async () => undefined,
    apply: refuse('apply'),
    replace: refuse('replace'),
    create: refuse('create'),
    update: refuse('update'),
    delete: refuse('delete'),
    patch: refuse('patch'),
  }
}

/** Secrets are recorded masked, and live hooks are not among what the recording shows as managed. */
function isWhole(app: ReplayedApplication): boolean {
  if (app.managed === undefined || app.managed.some(({ kind }) => kind === 'Secret')) return false
  const resources = (app.status['resources'] ?? []) as readonly JsonObject[]
  const conditions = (app.status['conditions'] ?? []) as readonly JsonObject[]
  return (
    resources.length === app.managed.length &&
    !conditions.some(({ message }) => notOfComparing.test(`${message}`))
  )
}

interface Verdict {
  readonly sync: Json
  readonly health: Json
  readonly types: Json
  readonly resources: Json
  readonly conditions: readonly string[]
}

function verdictOf(status: JsonObject): Verdict {
  const conditions = ((status['conditions'] ?? []) as readonly JsonObject[])
    .filter(({ type }) => compared.includes(type as ConditionType))
    .map(({ type, message }) => `${type}: ${message}`)
  return {
    sync: status['sync'] ?? null,
    health: ((status['health'] ?? {}) as JsonObject)['status'] ?? null,
    types: status['sourceTypes'] ?? status['sourceType'] ?? null,
    resources: status['resources'] ?? [],
    conditions,
  }
}

/** The verdict of a comparison that starts without one; undefined where the recording does not determine it. */
async function reconciled(app: ReplayedApplication): Promise<Verdict | undefined> {
  const { sync, resources, health, conditions, sourceType, sourceTypes, reconciledAt, ...before } =
    app.status
  const adapters: Adapters = {
    clock: { now: () => 0 },
    sources: app.sources,
    cluster: clusterOf(app),
  }
  const { status } = await reconcile(
    { ...app.application, status: before },
    {
      project: projectOf(app),
      clusters: [{ server: 'https://kubernetes.default.svc', name: 'in-cluster' }],
      settings: app.settings,
      refresh: { level: 3, hard: false },
    },
    adapters,
  )
  // Only what JSON keeps counts: absent and undefined are the same.
  const verdict = verdictOf(JSON.parse(JSON.stringify(status ?? {})))
  const texts = verdict.conditions.join('\n')
  const elsewhere = [notRecorded, notScripted, 'not supported yet']
  return elsewhere.some((words) => texts.includes(words)) ? undefined : verdict
}

const cases = findCases(corpusFolder)
  .map((path) => {
    const of = readCase(path)
    return { name: of.name, apps: replay(of).filter(isWhole) }
  })
  .filter(({ apps }) => apps.length > 0)

describe('a comparison comes to the recorded status', () => {
  it.for(cases)('$name', async ({ name, apps }, { skip }) => {
    let checked = 0
    for (const app of apps.filter(({ beat }) => !cached.has(`${name}: ${beat}`))) {
      const verdict = await reconciled(app)
      if (verdict === undefined) continue
      checked++
      const { beat } = app
      const got = { app: app.name, beat, ...verdict }
      const want = { app: app.name, beat, ...verdictOf(app.status) }
      if (open.has(`${name} ${app.name}`)) expect(got, 'take it off the list').not.toEqual(want)
      else expect(got).toEqual(want)
    }
    if (checked === 0) skip('needs a real API server, or what litecd cannot do yet')
  })
})
