import { isLitecdError, SpecError } from '../errors/index.ts'

/** What a generator or a template comes to, in Argo CD's words. */
export function appsetError(message: string, cause?: unknown): SpecError {
  return new SpecError('APPSET_FAILED', message, cause === undefined ? {} : { cause })
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Argo CD's words before an error of its own; other errors go on as they are. */
export function within<T>(prefix: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
    throw appsetError(`${prefix}${error.message}`, error)
  }
}
