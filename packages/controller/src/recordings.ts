import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  type OperateInput,
  type OperatePorts,
  type OperateResult,
  operate,
  SyncRecorder,
} from '@litecd/core/app'
import type { Application, Settings } from '@litecd/core/argo'
import type { Logger } from './log/index.ts'

export interface RecordingLimits {
  /** A recording that has become larger takes no more beats. */
  readonly fileBytes: number
  /** The oldest recordings of the folder go. */
  readonly files: number
  /** A sync that is under way is written this often; its end always is. */
  readonly everyMs: number
}

export const recordingLimits: RecordingLimits = {
  fileBytes: 8 * 1024 * 1024,
  files: 200,
  everyMs: 10_000,
}

interface Running {
  readonly startedAt: string
  readonly recorder: SyncRecorder
  /** Its file; undefined until there is one. */
  name: string | undefined
  writtenAt: number
  full: boolean
}

/** Writes every sync into a file of its own: `NAMESPACE_NAME_START.json`, with a number where that is taken. */
export class Recordings {
  private readonly folder: string
  private readonly engine: string
  private readonly log: Logger
  private readonly limits: RecordingLimits
  private readonly running = new Map<string, Running>()

  /** Throws when the folder cannot be made. */
  constructor(
    folder: string,
    engine: string,
    log: Logger,
    limits: RecordingLimits = recordingLimits,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.folder = folder
    this.engine = engine
    this.log = log
    this.limits = limits
  }

  /** One beat of `operate`, recorded. What goes wrong with the recording is logged and changes nothing. */
  async beat(key: string, input: OperateInput, ports: OperatePorts): Promise<OperateResult> {
    const known = this.recorderOf(key, input.app, input.settings)
    const beat = known.recorder.begin(input, ports)
    const result = await operate(beat.input, beat.ports)
    try {
      beat.end(result)
      this.write(key, known, result)
    } catch (error) {
      this.log.warn('sync not recorded', { application: key, error: String(error) })
    }
    return result
  }

  /** The Application is gone, with the sync that was under way. */
  forget(key: string): void {
    this.running.delete(key)
  }

  /** Of the sync that is under way, or of a new one. */
  private recorderOf(key: string, app: Application, settings: Settings): Running {
    const known = this.running.get(key)
    const state = app.status?.operationState
    if (known !== undefined && (known.startedAt === '' || state?.startedAt === known.startedAt)) {
      return known
    }
    const begun = {
      startedAt: '',
      recorder: new SyncRecorder(app, settings, this.engine),
      name: undefined,
      writtenAt: 0,
      full: false,
    }
    this.running.set(key, begun)
    return begun
  }

  private write(key: string, known: Running, { state }: OperateResult): void {
    if (state === undefined || known.recorder.isEmpty) {
      this.running.delete(key)
      return
    }
    const running: Running = { ...known, startedAt: state.startedAt }
    this.running.set(key, running)
    const over = state.finishedAt !== undefined && state.phase !== 'Running'
    if (over) this.running.delete(key)
    if (running.full || (!over && Date.now() - running.writtenAt < this.limits.everyMs)) return
    let text = JSON.stringify(running.recorder.recording())
    if (text.length > this.limits.fileBytes) {
      running.full = true
      running.recorder.truncate()
      text = JSON.stringify(running.recorder.recording())
    }
    running.name ??= this.freeName(`${key.replace('/', '_')}_${startOf(state.startedAt)}`)
    this.store(running.name, text)
    running.writtenAt = Date.now()
  }

  /** Two syncs may begin in one second. */
  private freeName(base: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? `${base}.json` : `${base}-${number}.json`
      if (!existsSync(join(this.folder, name))) return name
    }
  }

  /** A reader sees the file as it was or as it is, never half of it. */
  private store(name: string, text: string): void {
    const file = join(this.folder, name)
    writeFileSync(`${file}.tmp`, text, { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
    const all = readdirSync(this.folder).filter((one) => ownName.test(one))
    if (all.length <= this.limits.files) return
    const byAge = all
      .map((one) => ({ one, at: statSync(join(this.folder, one)).mtimeMs }))
      .sort((a, b) => a.at - b.at)
    for (const { one } of byAge.slice(0, all.length - this.limits.files)) {
      rmSync(join(this.folder, one), { force: true })
    }
  }
}

function startOf(startedAt: string): string {
  return startedAt.replaceAll(/[:-]/g, '')
}

const ownName = /^[a-z0-9.-]+_[a-z0-9.-]+_\d{8}T\d{6}Z(-\d+)?\.json$/
