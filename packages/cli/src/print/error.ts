import type { LitecdError, Position } from '@litecd/core/errors'
import { harmless, harmlessLine } from './color.ts'

/** `path:line:column`, as editors and terminals understand it. */
export function formatPosition(position: Position): string {
  const line = position.line === undefined ? '' : `:${position.line}`
  const column =
    position.line === undefined || position.column === undefined ? '' : `:${position.column}`
  return `${harmlessLine(position.path)}${line}${column}`
}

/** One error for a terminal: where, the code, what, and what to do about it. */
export function printError(error: LitecdError): string {
  const where = error.position === undefined ? 'litecd' : formatPosition(error.position)
  const hint = error.hint === undefined ? '' : `  ${error.hint}\n`
  return harmless(`${where}: ${error.code}: ${error.message}\n${hint}`)
}
