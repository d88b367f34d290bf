// Scripted syncs (corpus/sync): what the planner asks for, beat by beat, in the notation of its steps. The script answers
// every call that `want.txt` names with success unless `case.yaml` refuses it; a call that is not named is a difference.
// What was written is there in the next beat and what was deleted is gone, unless `live/beat-N` or `held` say otherwise.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Application, Operation, OperationState } from '@litecd/core/argo'
import { assessHealth } from '@litecd/core/health'
import { type JsonObject, setPath } from '@litecd/core/json'
import {
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  type ResourceKey,
  scopeOfBuiltIn,
} from '@litecd/core/kube'
import {
  type BeatEnd,
  beginBeat,
  formatEnd,
  formatStep,
  formatTask,
  newOperationState,
  type SyncRequest,
  type SyncStep,
  type SyncWorld,
  stateAfter,
  type TaskOutcome,
} from '@litecd/core/sync'
import { load, loadAll } from 'js-yaml'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../../corpus/sync/', import.meta.url))

/** `case.yaml` */
interface Script {
  readonly about: string
  readonly source: string
  /** How the answer was obtained. */
  readonly recorded: string
  readonly operation?: Operation
  readonly revision?: string
  readonly startedAt?: string
  /** `STEP KIND NAMESPACE/NAME` → the error of the cluster. */
  readonly refused?: { readonly [call: string]: string }
  /** The same for an object that is not there any more: 404. */
  readonly gone?: readonly string[]
  /** Objects that stay, with a deletionTimestamp, when they are deleted. */
  readonly held?: readonly string[]
  /** `KIND NAMESPACE/NAME` → why the project forbids it. */
  readonly forbidden?: { readonly [object: string]: string }
  /** `apiVersion/Kind` that the cluster does not serve. */
  readonly unknownKinds?: readonly string[]
  /** For ApplyOutOfSyncOnly: objects that do not differ. */
  readonly same?: readonly string[]
  /** Beats after which the operation is terminated. */
  readonly terminateAfter?: number
  /** Objects that vanish between two beats: number of the beat that does not see them → objects. */
  readonly vanish?: { readonly [beat: string]: readonly string[] }
  /** Print the rows at the end. */
  readonly rows?: boolean
}

function manifestsIn(path: string): readonly Manifest[] {
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => loadAll(readFileSync(join(path, name), 'utf8')) as Manifest[])
}

function nameOfObject(key: ResourceKey): string {
  const kind = key.group === '' ? key.kind : `${key.group}/${key.kind}`
  return `${kind} ${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}`
}

class ScriptedSync {
  private readonly script: Script
  private readonly path: string
  private readonly app: Application
  private readonly targets: readonly Manifest[]
  private readonly live: Map<string, Manifest> = new Map()
  private readonly known: ReadonlySet<string>
  private readonly lines: string[] = []

  constructor(path: string) {
    this.path = path
    this.script = load(readFileSync(join(path, 'case.yaml'), 'utf8')) as Script
    this.app = load(readFileSync(join(path, 'application.yaml'), 'utf8')) as Application
    this.targets = manifestsIn(join(path, 'targets'))
    this.see(manifestsIn(join(path, 'live')))
    const beats = readdirSync(path).filter((name) => name.startsWith('beat-'))
    const all = [
      ...this.targets,
      ...this.live.values(),
      ...beats.flatMap((beat) => manifestsIn(join(path, beat))),
    ]
    const unknown = this.script.unknownKinds ?? []
    this.known = new Set(
      [...all, { apiVersion: 'v1', kind: 'Namespace' }]
        .map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)
        .filter((kind) => !unknown.includes(kind))
        .flatMap((kind) => [kind, kind.slice(0, kind.lastIndexOf('/'))]),
    )
  }

  play(): string {
    const operation = this.script.operation ?? { sync: {} }
    let state: OperationState = {
      ...newOperationState(operation, 0),
      startedAt: this.script.startedAt ?? '2026-01-02T03:04:05Z',
    }
    for (let beat = 1; beat <= 20; beat++) {
      this.see(manifestsIn(join(this.path, `beat-${beat}`)))
      for (const object of this.script.vanish?.[beat] ?? []) this.forget(object)
      const end = this.beat(beat, state)
      state = stateAfter(JSON.parse(JSON.stringify(state)) as OperationState, end)
      if (end.phase !== 'Running') break
      if (!existsSync(join(this.path, `beat-${beat + 1}`)) && this.isStuck(beat)) break
      if (this.script.terminateAfter === beat) state = { ...state, phase: 'Terminating' }
    }
    if (this.script.rows === true) {
      for (const row of state.syncResult?.resources ?? []) {
        const words = [row.syncPhase, row.status ?? '-', row.hookPhase ?? '-', nameOfObject(row)]
        this.lines.push(`row     ${words.join(' ')}: ${row.message ?? ''}`)
      }
    }
    return `${this.lines.join('\n')}\n`
  }

  private isStuck(beat: number): boolean {
    const more = this.script.vanish?.[beat + 1] !== undefined || this.script.terminateAfter === beat
    const [last, before] = this.lines.slice(-2).reverse()
    return !more && last?.slice(8) === before?.slice(8).replace(' [pause]', '')
  }

  private beat(number: number, state: OperationState): BeatEnd {
    const say = (lines: readonly string[]): void => {
      for (const line of lines) {
        const first = !this.lines.some((known) => known.startsWith(`beat ${number} `))
        this.lines.push(`${first ? `beat ${number}`.padEnd(8) : ' '.repeat(8)}${line}`)
      }
    }
    const run = beginBeat(state, this.world())
    let next = run.next([])
    while (next.done !== true) {
      const step: SyncStep = next.value
      if (step.kind === 'save') {
        next = run.next([])
        continue
      }
      say(formatStep(step))
      next = run.next(step.requests.map((request) => this.answer(step, request)))
    }
    say([formatEnd(next.value)])
    return next.value
  }

  private answer(step: SyncStep, request: SyncRequest): TaskOutcome {
    const task = formatTask(request.task).split(' ').slice(2).join(' ')
    const refusal = this.script.refused?.[`${step.kind} ${task}`]
    if (refusal !== undefined)
      return { error: { message: refusal, status: 422, reason: 'Invalid' } }
    if (request.verb === 'get') {
      return { live: this.live.get(formatKey(placed(request.key))) ?? null }
    }
    if (request.verb === 'release') {
      const live = withoutFinalizer(request.live)
      this.see([live])
      return { live }
    }
    if (request.verb === 'delete') {
      const key = formatKey(placed(request.key))
      if (this.script.gone?.includes(task) === true || !this.live.has(key)) {
        return { error: { message: `${task} not found`, status: 404, reason: 'NotFound' } }
      }
      if (this.script.held?.includes(task) === true) {
        const held = setPath(
          this.live.get(key)!,
          ['metadata', 'deletionTimestamp'],
          '2026-01-02T03:04:06Z',
        )
        this.live.set(key, held)
      } else this.live.delete(key)
      return { message: '' }
    }
    const { target } = request
    const known = this.live.has(formatKey(placed(keyOf(target))))
    if (request.dryRun === 'none') this.see([target])
    const group = groupOf(target.apiVersion)
    const kind = target.kind.toLowerCase() + (group === '' ? '' : `.${group}`)
    return { message: `${kind}/${keyOf(target).name} ${known ? 'configured' : 'created'}` }
  }

  private see(manifests: readonly Manifest[]): void {
    for (const manifest of manifests) {
      const key = placed(keyOf(manifest))
      const { namespace: _namespace, ...metadata } = manifest['metadata'] as JsonObject
      const live = key.namespace === '' ? { ...manifest, metadata } : manifest
      this.live.set(formatKey(key), live)
    }
  }

  private forget(object: string): void {
    for (const [key, live] of this.live)
      if (nameOfObject(keyOf(live)) === object) this.live.delete(key)
  }

  /** A namespace that no target makes carries no tracking and is nobody's. */
  private isManaged(live: Manifest): boolean {
    if (live.kind !== 'Namespace') return true
    return this.targets.some(
      (target) => nameOfObject(placed(keyOf(target))) === nameOfObject(keyOf(live)),
    )
  }

  private world(): SyncWorld {
    const { script } = this
    return {
      app: this.app,
      instance: this.app.metadata.name,
      tracking: { method: 'annotation', labelKey: '', installationId: '' },
      facts: {
        kubeVersion: 'v1.36.1',
        apiVersions: [...this.known],
        scopeOf: (kind) => scopeOfBuiltIn(kind) ?? 'Namespaced',
      },
      revision: script.revision ?? '0123456789abcdef0123456789abcdef01234567',
      targets: this.targets,
      live: [...this.live.values()].filter((live) => this.isManaged(live)),
      permits: (manifest) => script.forbidden?.[nameOfObject(keyOf(manifest))],
      assess: (live) => assessHealth(live),
      modified: (key) => !(script.same?.includes(nameOfObject(key)) ?? false),
      waveDelayMs: 2_000,
    }
  }
}

function placed(key: ResourceKey): ResourceKey {
  return scopeOfBuiltIn(key) === 'Cluster' ? { ...key, namespace: '' } : key
}

function withoutFinalizer(live: Manifest): Manifest {
  const { finalizers, ...metadata } = live['metadata'] as { finalizers: readonly string[] }
  const left = finalizers.filter((name) => name !== 'argocd.argoproj.io/hook-finalizer')
  return { ...live, metadata: { ...metadata, ...(left.length === 0 ? {} : { finalizers: left }) } }
}

describe('scripted syncs', () => {
  const cases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'case.yaml')))

  it.each(cases)('%s', (name) => {
    const path = join(folder, name)
    expect(new ScriptedSync(path).play()).toBe(readFileSync(join(path, 'want.txt'), 'utf8'))
  })

  it.each(cases)('%s says where its answer comes from', (name) => {
    const script = load(readFileSync(join(folder, name, 'case.yaml'), 'utf8')) as Script
    for (const text of [script.about, script.source, script.recorded]) {
      expect(text).toMatch(/\w/)
    }
  })
})
