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

/** Ten times and more what the largest known programs use; all but endless work ends within a second. */
export const defaultLimits: Limits = {
  maxStack: 500, // go-jsonnet 0.22 vm.go MakeVM; Argo CD never raises it
  steps: 10_000_000, // the whole of kube-prometheus needs 0.4 million
  stringLength: 1 << 25,
  arrayLength: 2_000_000,
  layers: 100_000,
  output: 1 << 26,
}
