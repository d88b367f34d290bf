import { quoteGo } from '@litecd/core/text'
import type { Io } from '../io.ts'
import { type HelmCommandLine, isTrue } from './helm-flags.ts'

export interface LogLine {
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'
  readonly message: string
  readonly facts?: { readonly [key: string]: string } | undefined
}

/** One line on standard error, as Helm's logger writes it without the time. */
export function log(io: Io, { level, message, facts = {} }: LogLine): void {
  const more = Object.entries(facts).map(([key, value]) => ` ${key}=${logText(value)}`)
  io.stderr(`level=${level} msg=${logText(message)}${more.join('')}\n`)
}

/** Source: Go log/slog text_handler.go needsQuoting */
function logText(text: string): string {
  return text === '' || /[\s"=]|[^\x20-\x7e]/.test(text) ? quoteGo(text) : text
}

/** Whether `--debug` or HELM_DEBUG asks for more. */
export function isDebug(line: HelmCommandLine, io: Io): boolean {
  return line.text('debug') === undefined ? isTrue(io.env['HELM_DEBUG'] ?? '') : line.flag('debug')
}

/** A line that only `--debug` shows. */
export function debug(
  line: HelmCommandLine,
  io: Io,
  message: string,
  facts: { readonly [key: string]: string },
): void {
  if (isDebug(line, io)) log(io, { level: 'DEBUG', message, facts })
}
