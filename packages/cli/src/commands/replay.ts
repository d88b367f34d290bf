import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseRecording, type Replay, replaySync, type SyncRecording } from '@litecd/core/app'
import { SpecError } from '@litecd/core/errors'
import { type CommandSpec, helpText, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { harmless } from '../print/color.ts'

const spec: CommandSpec = {
  name: 'replay',
  usage: 'litecd replay FILE [-o text|json]',
  about:
    'Runs a recorded sync again, step by step, with the answers and times of the recording, and shows what it does. No\n' +
    'cluster is asked. `litecd controller --record-syncs DIR` writes such files; they hold no values of Secrets.',
  maxArguments: 1,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      help: 'text, or json: one object with the beats, the first difference and the end',
      choices: ['text', 'json'],
    },
  },
  after:
    'Exit codes: 0 the sync goes and ends as it was recorded; 1 it does not, and the first step that differs is shown;\n' +
    '2 the command line is wrong; 3 the file is no recording.',
}

/** `litecd replay`: a recorded sync, run again. */
export async function replayCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const [file] = flags.positionals
  if (file === undefined) throw usage('FILE is missing')
  const parsed = parseRecording(readText(file, io))
  if ('problem' in parsed) {
    throw new SpecError('RECORDING_INVALID', `${file}: ${parsed.problem}`, {
      hint: 'litecd controller --record-syncs DIR writes recordings.',
    })
  }
  const { recording } = parsed
  const replay = await replaySync(recording)
  io.stdout(flags.text('output') === 'json' ? json(recording, replay) : text(recording, replay))
  return replay.difference === undefined ? exitCodes.same : exitCodes.changes
}

function usage(message: string): SpecError {
  return new SpecError('USAGE', `litecd replay: ${message}`, {
    hint: 'litecd replay --help tells the flags.',
  })
}

function readText(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw usage((error as Error).message)
  }
}

function json(recording: SyncRecording, { beats, difference }: Replay): string {
  const report = {
    application: recording.application,
    recordedBy: recording.engine,
    same: difference === undefined,
    ...(recording.truncated === true ? { truncated: true } : {}),
    beats,
    ...(difference === undefined ? {} : { difference }),
  }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

function text(recording: SyncRecording, { beats, difference }: Replay): string {
  const lines = [`${recording.application}: a sync recorded by litecd ${recording.engine}`]
  for (const beat of beats) {
    const at = beat.at === undefined ? '' : ` at ${new Date(beat.at).toISOString()}`
    const repeats = beat.repeats === 0 ? '' : `, then ${beat.repeats} times the same`
    lines.push('', `beat ${beat.number}${at}${repeats}`, ...indented(beat.lines))
    const { state } = beat.result
    if (state !== undefined) lines.push(`  ${state.phase}: ${state.message ?? ''}`)
  }
  lines.push('')
  if (difference === undefined) {
    const end = recording.truncated === true ? ', as far as the recording goes' : ''
    lines.push(`The sync goes and ends as it was recorded${end}.`)
  } else {
    const step = difference.step === undefined ? 'its result' : `step ${difference.step}`
    lines.push(
      `The sync leaves the recording in beat ${difference.beat}: ${step} is another one.`,
      'recorded:',
      ...indented(difference.recorded.length === 0 ? ['nothing'] : difference.recorded),
      'now:',
      ...indented(difference.replayed.length === 0 ? ['nothing'] : difference.replayed),
    )
  }
  return harmless(`${lines.join('\n')}\n`)
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}
