import { CompareError, isLitecdError } from '../errors/index.ts'

/** Runs a step of the comparison; an error of it is thrown anew as `CONTEXT: MESSAGE`, as Argo CD wraps errors. */
export function withContext<T>(context: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!isLitecdError(error)) throw error
    throw new CompareError(error.code, `${context}: ${error.message}`, { cause: error })
  }
}
