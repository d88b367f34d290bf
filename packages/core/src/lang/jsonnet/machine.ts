import { type ErrorCode, RenderError } from '../../errors/index.ts'
import { messageHint } from './hints.ts'
import type { Limits } from './limits.ts'
import { type Caller, Site, traceLine } from './site.ts'

/**
 * The evaluator's registers. There is one set, since an evaluation never waits; the front door saves and restores it
 * around every piece of work, so that one evaluation may be started inside another.
 */
export interface Machine {
  /** Frames in use, and where each was entered from. `callers` is only valid below `depth`. */
  depth: number
  callers: Caller[]
  /** Depth of the innermost frame that a tail call may replace. */
  trimmable: number
  /** Evaluations that may still be started. */
  steps: number
  limits: Limits
  world: World
}

/** What a program can ask of the outside. */
export interface World {
  readonly extVar: (name: string, caller: Caller) => unknown
  readonly importCode: (from: string, path: string, caller: Caller) => unknown
  readonly importText: (from: string, path: string, caller: Caller) => string
  readonly importBytes: (from: string, path: string, caller: Caller) => Uint8Array
  readonly trace: (line: string) => void
  readonly maxTrace: number
}

export const machine: Machine = {
  depth: 0,
  callers: [],
  trimmable: -1,
  steps: 0,
  limits: undefined as unknown as Limits,
  world: undefined as unknown as World,
}

/** Opens a frame. The caller of this function closes it with `machine.depth--`, except when an error passes. */
export function enter(caller: Caller): void {
  const m = machine
  if (m.depth >= m.limits.maxStack) stackExceeded(caller)
  if (--m.steps < 0) stepsExceeded(caller)
  m.callers[m.depth++] = caller
}

/** Counts work that opens no frames. One step stands for some fifty nanoseconds. */
export function spend(steps: number, caller: Caller): void {
  machine.steps -= steps
  if (machine.steps < 0) stepsExceeded(caller)
}

function stepsExceeded(caller: Caller): never {
  return budgetExceeded(`more than ${machine.limits.steps} evaluation steps`, caller)
}

function stackExceeded(caller: Caller): never {
  throw runtimeError('BUDGET_EXCEEDED', 'max stack frames exceeded.', caller)
}

/** Ends the evaluation as a Jsonnet `error` would. Throws RenderError. */
export function fail(message: string, caller: Caller, hint?: string): never {
  throw runtimeError('JSONNET_RUNTIME', message, caller, hint)
}

/** Ends the evaluation because the program asks for too much. Throws RenderError with BUDGET_EXCEEDED. */
export function budgetExceeded(what: string, caller: Caller): never {
  throw runtimeError('BUDGET_EXCEEDED', `budget exceeded: ${what}`, caller)
}

function runtimeError(
  code: ErrorCode,
  message: string,
  caller: Caller,
  hint?: string,
): RenderError {
  const { callers, depth, world } = machine
  const frames = [caller, ...callers.slice(0, depth).reverse()]
  const place = frames.find(
    (frame): frame is Site => frame instanceof Site && frame.source !== undefined,
  )
  const start = place?.source?.position(place.begin)
  return new RenderError(code, `RUNTIME ERROR: ${message}\n${traceText(frames, world.maxTrace)}`, {
    ...(place?.source === undefined || start === undefined
      ? {}
      : { position: { path: place.source.name, ...start } }),
    hint: hint ?? messageHint(message),
    data: place?.source === undefined ? {} : { line: place.source.lines(place.begin, place.end) },
  })
}

/** Source: go-jsonnet 0.22 error_formatter.go buildStackTrace */
function traceText(frames: readonly Caller[], max: number): string {
  const above = Math.floor(max / 2)
  const below = max - above
  if (max === 0 || frames.length <= max) return frames.map(traceLine).join('\n') + '\n'
  const lines = [
    ...frames.slice(0, above).map(traceLine),
    '\t...',
    ...frames.slice(frames.length - below).map(traceLine),
  ]
  return lines.join('\n') + '\n'
}
