import type { AppProject, SyncOperation } from '../../argo/index.ts'
import {
  apiVersionOf,
  type ClusterFacts,
  type FrozenChange,
  formatKey,
  keyOf,
  type Manifest,
  type Scope,
} from '../../kube/index.ts'
import {
  type Forecast,
  forecastSync,
  newOperationState,
  newSyncResult,
  objectOf,
} from '../../sync/index.ts'
import { objectionOf, syncTargetsOf, syncWorldOf } from '../operate.ts'
import { compare, comparisonOf, type PlanSyncInput } from './compared.ts'
import { decide } from './decision.ts'
import { hintFor, Refuser, reasonOf } from './refusals.ts'
import { placed, stepsOf } from './steps.ts'
import type { Refusal, SyncPlan } from './types.ts'

const anything: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
}

/**
 * The next sync of an Application, without a cluster: the decision to sync, and the machine that runs syncs, run forward.
 * Tasks come in the order in which the controller would ask for them.
 *
 * Throws CompareError where target and live object cannot be compared, as a comparison does.
 */
export function planSync(given: PlanSyncInput): SyncPlan {
  const input = { ...given, facts: rememberedFacts(given.facts) }
  const { app, settings } = input
  const project = input.project ?? anything
  const compared = compare(input, project)
  const decision = decide(input, project, compared)
  const { operation, trigger } = decision
  const start = input.now ?? 0
  const state = { ...newOperationState(operation, start) }
  const sync = state.operation.sync ?? {}
  const comparison = comparisonOf(input, project, compared)
  const objection = objectionOf(sync, comparison)
  const refuser = new Refuser({
    ...input.refusals,
    // live objects may differ in fields that do not count and are written all the same
    ...(input.refusals.isSnapshot ? {} : { isSame: (target) => compared.same.has(target) }),
  })
  const targets = syncTargetsOf(app, sync, comparison)
  const world = syncWorldOf({ app, settings }, comparison, targets)
  const forecast = forecastSync(
    { ...state, syncResult: newSyncResult(app, state.operation) },
    world,
    {
      namespaceExists: input.namespaceExists ?? false,
      refuses: (request) => refuser.refuses(request),
    },
  )
  const blocked = [...decision.refusals, ...(objection === undefined ? [] : objections(objection))]
  const inside = refusalsOf(forecast, refuser, input)
  const { modified, same, foreign } = compared
  const shown = { facts: input.facts, modified, same, foreign, refuser }
  const nothing = compared.status === 'Synced'
  return {
    kind: 'sync',
    trigger,
    verdict: nothing ? 'nothing' : blocked.length > 0 ? 'blocked' : verdictOf(forecast),
    message: nothing || blocked.length > 0 ? (objection?.message ?? '') : forecast.end.message,
    operation: sync,
    retries: state.operation.retry?.limit ?? 0,
    refusals: [...blocked, ...inside],
    steps: stepsOf(forecast.beats, shown),
    remarks: remarksOf(input, sync),
  }
}

/** The scope of a kind is asked for with every object. */
function rememberedFacts(facts: ClusterFacts): ClusterFacts {
  const known = new Map<string, Map<string, Scope | undefined>>()
  return {
    kubeVersion: facts.kubeVersion,
    apiVersions: facts.apiVersions,
    scopeOf: (kind) => {
      let scopes = known.get(kind.kind)
      if (scopes === undefined) known.set(kind.kind, (scopes = new Map()))
      if (!scopes.has(kind.group)) scopes.set(kind.group, facts.scopeOf(kind))
      return scopes.get(kind.group)
    },
  }
}

function verdictOf({ end }: Forecast): SyncPlan['verdict'] {
  if (end.phase === 'Running') return 'waits'
  return end.phase === 'Succeeded' ? 'succeeds' : 'fails'
}

function objections({ message }: { readonly message: string }): readonly Refusal[] {
  const shared = message.startsWith('Shared resource found')
  const forbidden = /is not permitted|do not match any of the allowed/.test(message)
  const reason = shared ? 'shared' : forbidden ? 'project' : 'spec'
  const hint = 'It begins once the other Application does not track the object any more.'
  return [{ reason, message, certain: true, ...(shared ? { hint } : {}) }]
}

function refusalsOf(
  { end, beats }: Forecast,
  refuser: Refuser,
  { facts }: PlanSyncInput,
): readonly Refusal[] {
  // rows, requests and refusals go by the keys of the machine, in which cluster-scoped objects carry a namespace
  const failed = end.resources.filter(({ status }) => status === 'SyncFailed')
  if (failed.length + refuser.doubtful.size === 0) return []
  const objects = new Map<string, Manifest>()
  for (const { request } of beats.flatMap(({ actions }) => actions)) {
    const object = objectOf(request.task)
    objects.set(formatKey(keyOf(object)), object)
  }
  const refused = failed.map((row): Refusal => {
    const name = formatKey(row)
    const message = row.message ?? ''
    const reason = refuser.reasons.get(name) ?? reasonOf(message)
    const hint = hintFor(reason, objects.get(name))
    return {
      reason,
      message,
      key: placed(row, facts),
      apiVersion: apiVersionOf(row.group, row.version),
      certain: true,
      ...(hint === undefined ? {} : { hint }),
    }
  })
  const doubtful = [...refuser.doubtful].flatMap(([name, changes]): readonly Refusal[] => {
    const object = objects.get(name)
    if (object === undefined) return []
    return [
      {
        reason: 'immutable',
        message: changes.map(({ field, message }) => `${field}: ${message}`).join('; '),
        key: placed(keyOf(object), facts),
        apiVersion: object.apiVersion,
        certain: false,
        hint: doubtHint(changes),
      },
    ]
  })
  return [...refused, ...doubtful]
}

function remarksOf(input: PlanSyncInput, sync: SyncOperation): readonly string[] {
  const { app, project, namespaceExists } = input
  const namespace = app.spec.destination.namespace ?? ''
  const owns = input.targets.resources.some(
    ({ key }) => key.kind === 'Namespace' && key.group === '' && key.name === namespace,
  )
  const makes = !owns && (sync.syncOptions ?? []).includes('CreateNamespace=true')
  return [
    ...(project === undefined
      ? [
          `project ${app.spec.project || 'default'} is not known here: nothing of what it forbids is checked`,
        ]
      : []),
    ...(input.cluster === undefined && project !== undefined
      ? ['the destination cluster is not known here']
      : []),
    ...(makes && namespaceExists === undefined
      ? [`whether namespace ${namespace} is there is not known; the plan makes it`]
      : []),
  ]
}

function doubtHint(changes: readonly FrozenChange[]): string {
  return changes.some(({ message }) => message.includes('must support resize'))
    ? 'It passes only where the StorageClass says allowVolumeExpansion: true.'
    : 'It passes only where the cluster holds this value already.'
}
