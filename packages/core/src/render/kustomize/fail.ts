import { isLitecdError, type Position, RenderError } from '../../errors/index.ts'

/** Something remote that is not there yet; it passes unwrapped. */
export class MissingRemote extends RenderError {}

/** An error in kustomize's words. */
export function fail(message: string, position?: Position, cause?: unknown): never {
  throw new RenderError('KUSTOMIZE_FAILED', message, { position, cause })
}

/** Puts kustomize's words before those of an error; what stops a budget keeps its code. */
export function wrap(error: unknown, prefix: string, position?: Position): RenderError {
  if (!isLitecdError(error)) throw error
  if (error instanceof MissingRemote) return error
  const known = error.code === 'BUDGET_EXCEEDED' || error.code === 'RENDER_UNSUPPORTED'
  return new RenderError(known ? error.code : 'KUSTOMIZE_FAILED', `${prefix}: ${error.message}`, {
    position: error.position ?? position,
    hint: error.hint,
    data: error.data,
    cause: error,
  })
}

/**
 * Adds the kustomization file of a level to an error: `data.kustomizations` has those that lead to it, outermost first.
 * An error that knows no place stands in the innermost of them.
 */
export function inLevel(error: unknown, file: string): unknown {
  if (!isLitecdError(error) || error instanceof MissingRemote) return error
  const below = error.data['kustomizations']
  const chain = Array.isArray(below) ? (below as readonly string[]) : []
  return new RenderError(error.code, error.message, {
    position: error.position ?? { path: chain.at(-1) ?? file },
    hint: error.hint,
    data: { ...error.data, kustomizations: [file, ...chain] },
    cause: error.cause,
  })
}

/** An error in other words of kustomize: place and files stay. */
export function reworded(error: unknown, message: string): unknown {
  if (!isLitecdError(error)) return error
  const { position, hint, data } = error
  const code = error.code === 'RENDER_UNSUPPORTED' ? error.code : 'KUSTOMIZE_FAILED'
  return new RenderError(code, message, { position, hint, data, cause: error })
}

/** Runs `work`; its errors get the prefix. */
export function within<T>(prefix: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw wrap(error, prefix)
  }
}

export function messageOf(error: unknown): string {
  if (!isLitecdError(error)) throw error
  return error.message
}
