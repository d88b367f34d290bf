/**
 * What one evaluation may use. Exceeding one ends it with RenderError, code BUDGET_EXCEEDED; exceeding `maxStack` says
 * what go-jsonnet says.
 */
export interface Limits {
  /** Frames: calls, thunks, fields and levels of output. go-jsonnet's default is 500. */
  readonly maxStack: number
  /** Frames opened in all. */
  readonly steps: number
  /** UTF-16 units in one string. */
  readonly stringLength: number
  /** Elements in one array. */
  readonly arrayLength: number
  /** Object literals that one object is made of, through `+`. */
  readonly layers: number
  /** UTF-16 units of output text. */
  readonly output: number
}

export const defaultLimits: Limits = {
  maxStack: 500, // go-jsonnet 0.22 vm.go MakeVM; Argo CD never raises it
  steps: 20_000_000,
  stringLength: 1 << 26,
  arrayLength: 5_000_000,
  layers: 200_000,
  output: 1 << 28,
}
