import type { Cluster } from '../../adapters/index.ts'
import type { Application, Settings } from '../../argo/index.ts'
import { isLitecdError } from '../../errors/index.ts'
import { deepEqual, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { formatKey, groupOf, keyOf, type Manifest, type Scope } from '../../kube/index.ts'
import { type Assessment, formatStep, type SyncStep, type TaskOutcome } from '../../sync/index.ts'
import type { OperateInput, OperatePorts, OperateResult, SyncComparison } from '../operate.ts'
import { openApplication, openManifest, openState } from './open.ts'
import { Scrubber } from './scrub.ts'
import {
  type RecordedBeat,
  type RecordedCluster,
  type RecordedComparison,
  type RecordedStep,
  recordingFormat,
  recordingVersion,
  type SyncRecording,
} from './types.ts'

export type RecordedSettings = SyncRecording['settings']

type Draft<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Records the beats of one sync. Inputs and ports pass through it on their way to `operate`, which does not notice.
 *
 * @example
 * const beat = recorder.begin(input, ports)
 * beat.end(await operate(beat.input, beat.ports))
 */
export class SyncRecorder {
  private readonly head: Pick<SyncRecording, 'engine' | 'application' | 'settings'>
  private readonly objects = new Table<Manifest>()
  private readonly clusters = new Table<RecordedCluster>()
  private readonly beats: Draft<RecordedBeat>[] = []
  private readonly scrubber = new Scrubber()
  private truncated = false

  constructor(app: Application, settings: Settings, engine: string) {
    this.head = {
      engine,
      application: `${app.metadata.namespace ?? settings.controllerNamespace}/${app.metadata.name}`,
      settings: {
        controllerNamespace: settings.controllerNamespace,
        trackingMethod: settings.tracking.method,
        labelKey: settings.tracking.labelKey,
        installationId: settings.tracking.installationId,
        syncTimeoutMs: settings.timeouts.syncMs,
        syncWaveDelayMs: settings.timeouts.syncWaveDelayMs,
      },
    }
  }

  get isEmpty(): boolean {
    return this.beats.length === 0
  }

  begin(input: OperateInput, ports: OperatePorts): BeatRecorder {
    return new BeatRecorder(input, ports, this)
  }

  /** Takes no more beats; the recording says that there were some. */
  truncate(): void {
    this.truncated = true
  }

  recording(): SyncRecording {
    const body = {
      objects: this.objects.items,
      clusters: this.clusters.items,
      beats: this.beats,
      ...(this.truncated ? { truncated: true as const } : {}),
    }
    return { format: recordingFormat, version: recordingVersion, ...this.head, ...body }
  }

  /** @internal */
  keepObject(object: Manifest): number {
    this.scrubber.learn(object)
    return this.objects.indexOf(openManifest(object, this.head.settings.labelKey))
  }

  /** @internal */
  learn(object: Manifest): Manifest {
    this.scrubber.learn(object)
    return openManifest(object, this.head.settings.labelKey)
  }

  /** @internal */
  keepCluster(cluster: RecordedCluster): number {
    return this.clusters.indexOf(cluster)
  }

  /** Messages are taken clean only now: a beat may learn of a Secret after it has heard its value. @internal */
  keepBeat(beat: RecordedBeat, app: Application): void {
    if (this.truncated) return
    const { scrub } = this.scrubber
    const open = openState(beat as unknown as Json, scrub) as unknown as RecordedBeat
    const clean = { ...open, app: openApplication(app, scrub) }
    const last = this.beats[this.beats.length - 1]
    if (last !== undefined && isSame(last, clean)) last.repeats = (last.repeats ?? 0) + 1
    else this.beats.push(clean)
  }
}

/** Two waits look alike but for their times. */
function isSame(a: RecordedBeat, b: RecordedBeat): boolean {
  const { times: _a, repeats: _r, ...one } = a
  const { times: _b, ...other } = b
  return deepEqual(one as unknown as Json, other as unknown as Json)
}

/** Values with their places; equal ones have one. */
class Table<T> {
  readonly items: T[] = []
  private readonly places = new Map<string, number>()

  indexOf(item: T): number {
    const text = JSON.stringify(item)
    let place = this.places.get(text)
    if (place === undefined) {
      place = this.items.push(item) - 1
      this.places.set(text, place)
    }
    return place
  }
}

/** One beat on its way through `operate`. */
export class BeatRecorder {
  readonly input: OperateInput
  readonly ports: OperatePorts
  private readonly recorder: SyncRecorder
  private readonly times: number[] = []
  private readonly steps: RecordedStep[] = []
  private comparison: RecordedBeat['comparison']
  private connection: string | undefined

  constructor(input: OperateInput, ports: OperatePorts, recorder: SyncRecorder) {
    this.recorder = recorder
    this.input = {
      ...input,
      compare: async (request) => {
        const comparison = await this.noting(
          () => input.compare(request),
          (refusal) => {
            this.comparison = { refusal }
          },
        )
        return this.watch(comparison)
      },
      connect: (): Promise<Cluster> =>
        this.noting(input.connect, (refusal) => {
          this.connection = refusal
        }),
    }
    this.ports = {
      ...ports,
      clock: {
        now: () => {
          const now = ports.clock.now()
          this.times.push(now)
          return now
        },
      },
      save: async (change) => {
        await ports.save(change)
        this.steps.push({ do: 'store', patch: change.patch })
      },
      trace: (step, outcomes) => {
        if (step.kind !== 'save') this.steps.push(this.callsOf(step, outcomes))
        ports.trace?.(step, outcomes)
      },
    }
  }

  /** Keeps the beat, unless nothing happened in it. */
  end(result: OperateResult): void {
    if (this.steps.length === 0 && this.comparison === undefined) return
    const { app, project, projectError } = this.input
    this.recorder.keepBeat(
      {
        app,
        ...(project === undefined
          ? {}
          : { project: { syncWindows: project.spec.syncWindows ?? [] } }),
        ...(projectError === undefined ? {} : { projectError }),
        times: this.times,
        ...(this.comparison === undefined ? {} : { comparison: this.comparison }),
        ...(this.connection === undefined ? {} : { connection: this.connection }),
        steps: this.steps,
        result,
      },
      app,
    )
  }

  private async noting<T>(work: () => Promise<T>, note: (refusal: string) => void): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isLitecdError(error)) note(error.message)
      throw error
    }
  }

  private callsOf(
    step: Exclude<SyncStep, { readonly kind: 'save' }>,
    outcomes: readonly TaskOutcome[],
  ): RecordedStep {
    return {
      do: 'call',
      calls: formatStep(step),
      outcomes: outcomes.map((outcome) =>
        'live' in outcome && outcome.live !== null
          ? { live: this.recorder.learn(outcome.live) }
          : outcome,
      ),
    }
  }

  /** The comparison as it was, with every question to it noted. */
  private watch(comparison: SyncComparison): SyncComparison {
    const { recorder } = this
    const forbidden: { [key: string]: string } = {}
    const health: { [key: string]: Assessment[] } = {}
    const modified: { [key: string]: boolean } = {}
    const kept: { [key: string]: number | { readonly refusal: string } } = {}
    const recorded: Draft<RecordedComparison> = {
      revision: comparison.revision,
      ...(comparison.revisions === undefined ? {} : { revisions: comparison.revisions }),
      comparedTo: comparison.comparedTo as JsonObject,
      conditions: comparison.conditions.map(({ type, message }) => ({ type, message })),
      targets: comparison.targets.map((target) => recorder.keepObject(target)),
      live: comparison.live.map((live) => recorder.keepObject(live)),
      cluster: recorder.keepCluster(clusterOf(comparison)),
      forbidden,
      health,
      modified,
      ...(comparison.keepIgnored === undefined ? {} : { kept }),
    }
    this.comparison = recorded
    const { keepIgnored } = comparison
    return {
      ...comparison,
      permits: (manifest, scope) => {
        const refusal = comparison.permits(manifest, scope)
        if (refusal !== undefined) forbidden[formatKey(keyOf(manifest))] = refusal
        return refusal
      },
      assess: (live) => {
        const answer = comparison.assess(live)
        const key = formatKey(keyOf(live))
        const known = health[key] ?? []
        health[key] = [...known, answer]
        return answer
      },
      modified: (key) => {
        const answer = comparison.modified(key)
        if (answer !== undefined) modified[formatKey(key)] = answer
        return answer
      },
      ...(keepIgnored === undefined
        ? {}
        : {
            keepIgnored: (target: Manifest, live: Manifest) => {
              const key = formatKey(keyOf(target))
              try {
                const merged = keepIgnored(target, live)
                kept[key] = recorder.keepObject(merged)
                return merged
              } catch (error) {
                if (isLitecdError(error)) kept[key] = { refusal: error.message }
                throw error
              }
            },
          }),
    }
  }
}

/** What the cluster serves, and the scopes of the kinds that take part. */
function clusterOf({ facts, targets, live }: SyncComparison): RecordedCluster {
  const scopes: { [kind: string]: Scope } = {}
  for (const object of [...targets, ...live]) {
    if (!isObject(object)) continue
    const group = groupOf(object.apiVersion)
    const scope = facts.scopeOf({ group, kind: object.kind })
    if (scope !== undefined) scopes[`${group}/${object.kind}`] = scope
  }
  for (const kind of ['Namespace']) scopes[`/${kind}`] ??= 'Cluster'
  return { kubeVersion: facts.kubeVersion, apiVersions: facts.apiVersions, scopes }
}
