import { SpecError } from '../errors/index.ts'

/** What a generator or a template comes to, in Argo CD's words. */
export function appsetError(message: string, cause?: unknown): SpecError {
  return new SpecError('APPSET_FAILED', message, cause === undefined ? {} : { cause })
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
