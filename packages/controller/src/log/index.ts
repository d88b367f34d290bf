// log: one JSON object a line on standard error. In: a level, a message, facts. Out: a line. Never: secrets.
export interface Logger {
  debug(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

export type Facts = { readonly [name: string]: string | number | boolean | undefined }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function createLogger(least: LogLevel, write: (line: string) => void): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, facts: Facts = {}): void => {
      if (order.indexOf(level) < order.indexOf(least)) return
      const own = { time: new Date().toISOString(), level, message }
      write(`${JSON.stringify({ ...own, ...facts, ...own })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
