import type { Json } from '../json/index.ts'

/**
 * Another jq than the one of this package, for the path expressions of ignored differences: compiles `del(EXPRESSION)`
 * and runs it on documents. The answer is the one output, undefined when there was none, several, or a failure.
 *
 * Throws CompareError JQ_INVALID for what cannot be compiled.
 */
export type JqEngine = (source: string) => (document: Json) => Json | undefined
