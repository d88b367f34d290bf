// One beat of the planner as a question and its answer, for tables of tests.
import type { Application, Operation, OperationState } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import { formatKey, keyOf, type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import {
  type Assessment,
  type BeatEnd,
  beginBeat,
  formatStep,
  type SyncRequest,
  type SyncStep,
  type SyncWorld,
  type TaskOutcome,
} from '@litecd/core/sync'

export const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'default', destination: { namespace: 'app' }, source: { repoURL: '' } },
}

export interface Notes {
  readonly [annotation: string]: string
}

export const wave: (number: number) => Notes = (number: number): Notes => ({
  'argocd.argoproj.io/sync-wave': String(number),
})
export const options: (text: string) => Notes = (text: string): Notes => ({
  'argocd.argoproj.io/sync-options': text,
})
export const hook: (type: string, policy?: string) => Notes = (
  type: string,
  policy?: string,
): Notes => ({
  'argocd.argoproj.io/hook': type,
  ...(policy === undefined ? {} : { 'argocd.argoproj.io/hook-delete-policy': policy }),
})

export function object(
  kind: string,
  name: string,
  annotations: Notes = {},
  rest: JsonObject = {},
): Manifest {
  const place = scopeOfBuiltIn({ group: '', kind }) === 'Cluster' ? {} : { namespace: 'app' }
  const apiVersion = kind === 'Job' ? 'batch/v1' : kind === 'Deployment' ? 'apps/v1' : 'v1'
  const known = kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io/v1' : apiVersion
  return { apiVersion: known, kind, metadata: { name, ...place, annotations }, ...rest }
}

export interface Question {
  readonly targets?: readonly Manifest[]
  readonly live?: readonly Manifest[]
  readonly operation?: Operation
  readonly world?: Partial<SyncWorld>
  readonly rows?: NonNullable<OperationState['syncResult']>['resources']
  readonly phase?: 'Running' | 'Terminating'
  readonly answer?: (step: SyncStep, request: SyncRequest) => TaskOutcome | undefined
}

export interface Answer {
  readonly steps: readonly SyncStep[]
  readonly end: BeatEnd
  /** Steps in their notation. */
  readonly lines: readonly string[]
  /** Requests of the real writes. */
  readonly writes: readonly SyncRequest[]
}

/** One beat; whatever is not answered otherwise succeeds. */
export function ask(question: Question): Answer {
  const { targets = [], live = [], operation = { sync: { prune: true } } } = question
  const state: OperationState = {
    operation,
    phase: question.phase ?? 'Running',
    startedAt: '2026-01-02T03:04:05Z',
    syncResult: { revision: 'abc', resources: question.rows ?? [] },
  }
  const world: SyncWorld = {
    app,
    instance: 'shop',
    tracking: { method: 'annotation', labelKey: '', installationId: '' },
    facts: {
      kubeVersion: '',
      apiVersions: [],
      scopeOf: (kind) => scopeOfBuiltIn(kind) ?? 'Namespaced',
    },
    revision: 'abcdef0123456789',
    targets,
    live,
    permits: () => undefined,
    assess: (): Assessment => ({ health: { status: 'Healthy' } }),
    modified: () => undefined,
    waveDelayMs: 0,
    ...question.world,
  }
  const steps: SyncStep[] = []
  const beat = beginBeat(state, world)
  let next = beat.next([])
  while (next.done !== true) {
    const step = next.value
    if (step.kind === 'save') next = beat.next([])
    else {
      steps.push(step)
      next = beat.next(
        step.requests.map((one) => question.answer?.(step, one) ?? success(one, live)),
      )
    }
  }
  const real = steps.flatMap((step) =>
    step.kind === 'apply' || step.kind === 'prune' || step.kind === 'delete' ? step.requests : [],
  )
  return { steps, end: next.value, lines: steps.flatMap(formatStep), writes: real }
}

function success(request: SyncRequest, live: readonly Manifest[]): TaskOutcome {
  if (request.verb === 'get') {
    const found = live.find((one) => formatKey(keyOf(one)) === formatKey(request.key))
    return { live: found ?? null }
  }
  if (request.verb === 'release') return { live: request.live }
  return { message: 'done' }
}

/** Name → wave, of every task that the first look tries and the prunes that follow over several beats. */
