import { isLitecdError, RenderError } from '../../../errors/index.ts'
import type { FileTree } from '../../../files/index.ts'
import type { RenderAnswer, RenderNeed } from '../../types.ts'
import type { Chart } from '../chart/index.ts'
import { type BuildInput, dependencyNeeds, withDependencies } from './dependencies.ts'

/** The dependencies that a chart on a disk does not hold. */
export interface DependencyUpdate {
  /** What must be fetched. */
  readonly needs: readonly RenderNeed[]
  /** The chart with what was fetched. Throws HELM_FAILED in the words of `helm dependency update`. */
  finish(answers: { readonly [id: string]: RenderAnswer }): Chart
}

/**
 * Brings missing dependencies as `helm template --dependency-update` does, but into memory: nothing is written.
 *
 * `disk` is the whole disk, `path` the folder of the chart in it without the first slash.
 */
export function updateDependencies(chart: Chart, disk: FileTree, path: string): DependencyUpdate {
  const input: BuildInput = { tree: disk, path, answers: {}, source: {}, isUpdate: true }
  return {
    needs: dependencyNeeds(chart, input),
    finish(answers) {
      try {
        return withDependencies(chart, { ...input, answers })
      } catch (error) {
        if (!isLitecdError(error)) throw error
        const { reason } = error.data
        const options = { cause: error, retryable: error.retryable }
        throw new RenderError(
          error.code,
          typeof reason === 'string' ? reason : error.message,
          options,
        )
      }
    },
  }
}
