import { hookTypesOf, isHook } from '../../argo/index.ts'
import {
  type ClusterFacts,
  formatKey,
  keyOf,
  type Manifest,
  type ResourceKey,
} from '../../kube/index.ts'
import {
  deletePoliciesOf,
  type ForecastAction,
  type ForecastBeat,
  formatManner,
  objectOf,
  type SyncTask,
} from '../../sync/index.ts'
import type { Refuser } from './refusals.ts'
import type { PlannedTask, PlanStep } from './types.ts'

export interface StepWorld {
  readonly facts: Pick<ClusterFacts, 'scopeOf'>
  /** Whether a pair differs, by the text of its key. */
  readonly modified: ReadonlyMap<string, boolean>
  /** Targets that do not differ from what is there. */
  readonly same: ReadonlySet<Manifest>
  /** Places of targets where another Application tracks the object so far, with its name. */
  readonly foreign: ReadonlyMap<string, string>
  readonly refuser: Refuser
}

/** The key as users know it: what belongs to no namespace has none. */
export function placed(
  { group, kind, namespace, name }: ResourceKey,
  facts: Pick<ClusterFacts, 'scopeOf'>,
): ResourceKey {
  const global = facts.scopeOf({ group, kind }) === 'Cluster'
  return { group, kind, namespace: global ? '' : namespace, name }
}

/** What the beats do, by phase and wave, in the order in which the machine asks for it. */
export function stepsOf(beats: readonly ForecastBeat[], world: StepWorld): readonly PlanStep[] {
  let approval = ''
  return beats.flatMap((beat) => {
    const steps = stepsOfBeat(beat, world)
    const [first, ...rest] = steps
    const out = first === undefined ? [] : [{ ...first, approval }, ...rest]
    approval = beat.confirmation ? beat.end.message : first === undefined ? approval : ''
    return out
  })
}

function stepsOfBeat(beat: ForecastBeat, world: StepWorld): readonly PlanStep[] {
  const steps: { phase: PlanStep['phase']; wave: number; tasks: PlannedTask[] }[] = []
  const add = ({ phase, wave }: SyncTask, task: PlannedTask): void => {
    const last = steps[steps.length - 1]
    if (last?.phase === phase && last.wave === wave) last.tasks.push(task)
    else steps.push({ phase, wave, tasks: [task] })
  }
  for (const { task, message } of beat.kept) add(task, keptTask(task, message, world))
  for (const action of beat.actions) {
    add(action.request.task, plannedTask(action, world))
  }
  const waits = beat.end.phase === 'Running' ? beat.end.message : ''
  return steps.map((step, i) => ({
    ...step,
    waits: i === steps.length - 1 ? waits : '',
    approval: '',
  }))
}

function keptTask(task: SyncTask, message: string, { facts }: StepWorld): PlannedTask {
  const object = objectOf(task)
  return { ...described(object, facts), verb: 'keep', note: keptWords[message] ?? message }
}

const keptWords: { readonly [message: string]: string } = {
  'ignored (requires pruning)': 'stays in the cluster until a sync with prune',
  'ignored (no prune)': 'stays in the cluster: Prune=false',
}

/** What a task says of its object. */
export function described(
  object: Manifest,
  facts: Pick<ClusterFacts, 'scopeOf'>,
): Omit<PlannedTask, 'verb'> {
  const hook = isHook(object)
  return {
    key: placed(keyOf(object), facts),
    apiVersion: object.apiVersion,
    hooks: hook ? hookTypesOf(object) : [],
    deletePolicies: hook ? deletePoliciesOf(object) : [],
    manner: '',
  }
}

function plannedTask(action: ForecastAction, world: StepWorld): PlannedTask {
  const { kind, request, refusal } = action
  const object = objectOf(request.task)
  const { recreated } = world.refuser
  const remade = recreated.size === 0 ? undefined : recreated.get(formatKey(keyOf(object)))
  const shown = described(object, world.facts)
  const same = world.same.has(object) || world.modified.get(formatKey(shown.key)) === false
  const verb = verbOf(action, request.task.hook, remade !== undefined, same)
  const owner = world.foreign.size === 0 ? undefined : world.foreign.get(formatKey(shown.key))
  const taken = owner === undefined ? undefined : `taken over from Application ${owner}`
  const note = verb === 'recreate' ? remade : kind === 'delete' ? deleteNote(action) : taken
  return {
    ...shown,
    verb,
    manner: formatManner(request),
    ...(refusal === undefined ? {} : { refusal }),
    ...(note === undefined ? {} : { note }),
  }
}

function verbOf(
  { kind, existed }: ForecastAction,
  hook: boolean,
  remade: boolean,
  same: boolean,
): PlannedTask['verb'] {
  if (kind !== 'apply') return kind
  if (hook) return 'run'
  if (!existed) return 'create'
  if (remade) return 'recreate'
  return same ? 'unchanged' : 'change'
}

function deleteNote({ request }: ForecastAction): string {
  return request.task.operationPhase === undefined
    ? 'left by an earlier sync'
    : 'its delete policy says so'
}
