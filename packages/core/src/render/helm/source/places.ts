import type { LitecdError } from '../../../errors/index.ts'
import { joinPath } from '../../../files/index.ts'
import { isObject, type JsonObject } from '../../../json/index.ts'
import type { RenderInput } from '../../types.ts'

/** Helm's positions begin with the chart's name; the user's files lie in the chart's folder. */
export function positionIn(error: LitecdError, input: RenderInput): LitecdError['position'] {
  const { position } = error
  if (position === undefined) return { path: joinPath(input.path, 'Chart.yaml') }
  const path = pathIn(position.path, input)
  return path === undefined ? position : { ...position, path }
}

/** The facts of an error with the include stack in the user's files. */
export function dataIn({ data }: LitecdError, input: RenderInput): JsonObject {
  const { stack } = data
  if (!Array.isArray(stack)) return data
  return {
    ...data,
    stack: stack.map((frame) => {
      if (!isObject(frame) || typeof frame['path'] !== 'string') return frame
      return { ...frame, path: pathIn(frame['path'], input) ?? frame['path'] }
    }),
  }
}

/** Undefined for what lies in no file of the tree, such as a chart out of an archive. */
function pathIn(shown: string, input: RenderInput): string | undefined {
  const path = shown.replace('<path to cached source>/', '')
  if (input.tree.entry(path) !== undefined) return path
  const inside = joinPath(input.path, path.slice(path.indexOf('/') + 1))
  return input.tree.entry(inside) === undefined ? undefined : inside
}
