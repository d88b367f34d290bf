import type { Json } from '../json/index.ts'

/** One program over one value. */
export interface JqRequest {
  readonly program: string
  readonly input: Json
}

export type JqAnswer = { readonly outputs: readonly Json[] } | { readonly error: string }

/** A batch, because the engine is often another process. */
export interface JqEngine {
  run(requests: readonly JqRequest[]): Promise<readonly JqAnswer[]>
}
