import {
  type Application,
  type AppProject,
  defaultSettings,
  type Settings,
} from '../../argo/index.ts'
import { ClusterError, InternalError, isLitecdError, SourceError } from '../../errors/index.ts'
import { deepEqual, getPath, isObject, type Json } from '../../json/index.ts'
import { formatKey, keyOf, type Manifest } from '../../kube/index.ts'
import { type Assessment, formatStep, type SyncStep, type TaskOutcome } from '../../sync/index.ts'
import { type OperateInput, type OperateResult, operate, type SyncComparison } from '../operate.ts'
import { openState } from './open.ts'
import type { RecordedBeat, RecordedComparison, RecordedStep, SyncRecording } from './types.ts'

/** Where a replay first did something else than the recording. */
export interface ReplayDifference {
  /** From 1 on. */
  readonly beat: number
  /** From 1 on; absent where the beat's result differs. */
  readonly step?: number
  /** Lines of what was recorded; none where the recording has nothing there. */
  readonly recorded: readonly string[]
  readonly replayed: readonly string[]
}

export interface ReplayedBeat {
  readonly number: number
  readonly repeats: number
  /** When it began; milliseconds since the Unix epoch. */
  readonly at: number | undefined
  /** What was done, one line each: calls in the notation of sync steps, `store` with what it is about. */
  readonly lines: readonly string[]
  readonly result: OperateResult
}

export interface Replay {
  /** Up to the first difference. */
  readonly beats: readonly ReplayedBeat[]
  readonly difference: ReplayDifference | undefined
}

/**
 * Runs a recorded sync again, beat by beat, with the recorded answers and times, and stops at the first step that is not
 * the recorded one.
 */
export async function replaySync(recording: SyncRecording): Promise<Replay> {
  const beats: ReplayedBeat[] = []
  for (const [index, beat] of recording.beats.entries()) {
    const player = new Player(recording, beat)
    const { result, difference } = await player.play()
    if (result !== undefined) {
      beats.push({
        number: index + 1,
        repeats: beat.repeats ?? 0,
        at: beat.times[0],
        lines: player.lines,
        result,
      })
    }
    if (difference !== undefined) return { beats, difference: { beat: index + 1, ...difference } }
  }
  return { beats, difference: undefined }
}

type Difference = Omit<ReplayDifference, 'beat'>

/** Ends a beat that has left the recording. */
class Divergence extends InternalError {
  readonly difference: Difference

  constructor(difference: Difference) {
    super('the replay has left the recording')
    this.difference = difference
  }
}

class Player {
  readonly lines: string[] = []
  private readonly recording: SyncRecording
  private readonly beat: RecordedBeat
  private next = 0
  private clock = 0

  constructor(recording: SyncRecording, beat: RecordedBeat) {
    this.recording = recording
    this.beat = beat
  }

  async play(): Promise<{ readonly result?: OperateResult; readonly difference?: Difference }> {
    const { steps, times, result: recorded } = this.beat
    try {
      const result = await operate(this.input(), {
        clock: { now: () => times[Math.min(this.clock++, times.length - 1)] ?? 0 },
        save: async ({ patch }) => {
          this.meet({ do: 'store', patch: open(patch) as never })
        },
        perform: async (step) => this.answer(step),
      })
      if (this.next < steps.length) {
        const difference = {
          step: this.next + 1,
          recorded: linesOf(steps[this.next]!),
          replayed: [],
        }
        return { result, difference }
      }
      const [want, got] = [recorded, result].map((one) => open(one as unknown as Json))
      if (deepEqual(want!, got!)) return { result }
      return { result, difference: { recorded: resultLines(want!), replayed: resultLines(got!) } }
    } catch (error) {
      if (error instanceof Divergence) return { difference: error.difference }
      const why = isLitecdError(error) ? `${error.code}: ${error.message}` : String(error)
      const step = steps[this.next]
      const replayed = [`the engine failed: ${why}`]
      return { difference: { recorded: step === undefined ? [] : linesOf(step), replayed } }
    }
  }

  /** The recorded outcomes, if these are the recorded calls. */
  private answer(step: Exclude<SyncStep, { readonly kind: 'save' }>): readonly TaskOutcome[] {
    const recorded = this.meet({ do: 'call', calls: formatStep(step), outcomes: [] })
    return recorded.do === 'call' ? recorded.outcomes : []
  }

  private meet(step: RecordedStep): RecordedStep {
    const recorded = this.beat.steps[this.next]
    const same =
      recorded !== undefined &&
      (step.do === 'call'
        ? recorded.do === 'call' && deepEqual(recorded.calls as Json, step.calls as Json)
        : recorded.do === 'store' && deepEqual(recorded.patch, step.patch))
    if (!same) {
      throw new Divergence({
        step: this.next + 1,
        recorded: recorded === undefined ? [] : linesOf(recorded),
        replayed: linesOf(step),
      })
    }
    this.next++
    this.lines.push(...(step.do === 'call' ? step.calls : [storeSummary(step.patch)]))
    return recorded
  }

  private input(): OperateInput {
    const { app, project, projectError } = this.beat
    return {
      app,
      settings: settingsOf(this.recording),
      project: project === undefined ? undefined : projectOf(app, project),
      ...(projectError === undefined ? {} : { projectError }),
      compare: async () => {
        const { comparison } = this.beat
        if (comparison === undefined) {
          throw new InternalError('the recorded beat compared nothing, the replayed one does')
        }
        if ('refusal' in comparison) throw new SourceError('SOURCE_UNREACHABLE', comparison.refusal)
        return this.comparisonOf(comparison)
      },
      connect: async () => {
        const refusal = this.beat.connection
        if (refusal !== undefined) throw new ClusterError('CLUSTER_UNREACHABLE', refusal)
        return undefined as never // every call goes to `perform`
      },
    }
  }

  private comparisonOf(recorded: RecordedComparison): SyncComparison {
    const { objects, clusters } = this.recording
    const at = (index: number): Manifest => objects[index]!
    const cluster = clusters[recorded.cluster]!
    const asked = new Map<string, number>()
    const { kept } = recorded
    return {
      revision: recorded.revision,
      ...(recorded.revisions === undefined ? {} : { revisions: recorded.revisions }),
      comparedTo: recorded.comparedTo as SyncComparison['comparedTo'],
      conditions: recorded.conditions,
      targets: recorded.targets.map(at),
      live: recorded.live.map(at),
      facts: {
        kubeVersion: cluster.kubeVersion,
        apiVersions: cluster.apiVersions,
        scopeOf: ({ group, kind }) => own(cluster.scopes, `${group}/${kind}`),
      },
      permits: (manifest) => own(recorded.forbidden, formatKey(keyOf(manifest))),
      assess: (live) => {
        const key = formatKey(keyOf(live))
        const answers: readonly Assessment[] = own(recorded.health, key) ?? []
        const turn = asked.get(key) ?? 0
        asked.set(key, turn + 1)
        return answers[Math.min(turn, answers.length - 1)] ?? { health: undefined }
      },
      modified: (key) => own(recorded.modified, formatKey(key)),
      ...(kept === undefined
        ? {}
        : {
            keepIgnored: (target: Manifest) => {
              const answer = own(kept, formatKey(keyOf(target)))
              if (answer === undefined) return target
              if (typeof answer === 'number') return at(answer)
              throw new ClusterError('PATCH_FAILED', answer.refusal)
            },
          }),
    }
  }
}

function own<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function settingsOf({ settings }: SyncRecording): Settings {
  return {
    ...defaultSettings,
    controllerNamespace: settings.controllerNamespace,
    tracking: {
      method: settings.trackingMethod as Settings['tracking']['method'],
      labelKey: settings.labelKey,
      installationId: settings.installationId,
    },
    timeouts: {
      ...defaultSettings.timeouts,
      syncMs: settings.syncTimeoutMs,
      syncWaveDelayMs: settings.syncWaveDelayMs,
    },
  }
}

function projectOf(
  app: Application,
  { syncWindows }: NonNullable<RecordedBeat['project']>,
): AppProject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: app.spec.project ?? 'default' },
    spec: { syncWindows },
  }
}

/** In the form in which recordings keep it; what is in that form already stays. */
function open(value: Json): Json {
  return openState(value, (text) => text)
}

function linesOf(step: RecordedStep): readonly string[] {
  return step.do === 'call' ? step.calls : storeLines(step.patch)
}

/** The parts that a patch changes, short: `store    phase Succeeded, 3 rows, history`. */
function storeSummary(patch: Json): string {
  const state = getPath(patch, 'status', 'operationState')
  const field = (name: string): Json | undefined => (isObject(state) ? state[name] : undefined)
  const rows = getPath(field('syncResult'), 'resources')
  const words = [
    ...(typeof field('phase') === 'string' ? [`phase ${field('phase') as string}`] : []),
    ...(Array.isArray(rows) ? [rows.length === 1 ? '1 row' : `${rows.length} rows`] : []),
    ...(typeof field('message') === 'string' ? ['message'] : []),
    ...(getPath(patch, 'status', 'history') === undefined ? [] : ['history']),
    ...(getPath(patch, 'operation') === null ? ['end of the operation'] : []),
  ]
  return `store    ${words.length === 0 ? 'state' : words.join(', ')}`
}

function storeLines(patch: Json): readonly string[] {
  return JSON.stringify(patch, undefined, 2)
    .split('\n')
    .map((line, index) => (index === 0 ? `store    ${line}` : line))
}

function resultLines(result: Json): readonly string[] {
  return JSON.stringify(result, undefined, 2)
    .split('\n')
    .map((line, index) => (index === 0 ? `result   ${line}` : line))
}
