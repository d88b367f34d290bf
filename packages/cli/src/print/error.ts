import type { LitecdError, Position } from '@litecd/core/errors'
import { isObject, type Json } from '@litecd/core/json'
import { harmless, harmlessLine } from './color.ts'

/** `path:line:column`, as editors and terminals understand it. */
export function formatPosition(position: Position): string {
  const line = position.line === undefined ? '' : `:${position.line}`
  const column =
    position.line === undefined || position.column === undefined ? '' : `:${position.column}`
  return `${harmlessLine(position.path)}${line}${column}`
}

/** One error for a terminal: where, the code, what, how it came there, and what to do about it. */
export function printError(error: LitecdError): string {
  const where = error.position === undefined ? 'litecd' : formatPosition(error.position)
  const hint = error.hint === undefined ? '' : `  ${error.hint}\n`
  const trail = templateTrail(error).map((line) => `  ${line}\n`)
  return harmless(`${where}: ${error.code}: ${error.message}\n${trail.join('')}${hint}`)
}

/** Longer trails are those of a recursion; the ends tell enough. */
const maxFrames = 10

/** For templates: the value that was nil, and the includes that led to the place, the nearest first. */
function templateTrail({ data }: LitecdError): readonly string[] {
  const lines: string[] = []
  if (typeof data['nil'] === 'string') lines.push(`nil: ${harmlessLine(data['nil'])}`)
  const stack = Array.isArray(data['stack']) ? data['stack'] : []
  const callers = stack.slice(0, -1).reverse().flatMap(callerLine)
  if (callers.length <= maxFrames) return [...lines, ...callers]
  const half = maxFrames / 2
  const left = callers.length - maxFrames
  return [...lines, ...callers.slice(0, half), `… ${left} more`, ...callers.slice(-half)]
}

function callerLine(frame: Json): readonly string[] {
  if (!isObject(frame)) return []
  const { path, line, column } = frame
  if (typeof path !== 'string' || typeof line !== 'number' || typeof column !== 'number') return []
  return [`included at ${formatPosition({ path, line, column })}`]
}
