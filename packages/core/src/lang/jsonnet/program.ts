import { compile } from './compile.ts'
import { StaticFailure } from './failure.ts'
import { frameMaker } from './frames.ts'
import { parse } from './parser.ts'
import { resolve } from './resolve.ts'
import type { Source } from './source.ts'
import type { Code } from './values.ts'

/** A source that is ready to run, or what is wrong with it. */
export type Program = { readonly code: Code } | { readonly failure: StaticFailure }

/** Reads, checks and compiles a source. */
export function loadProgram(source: Source): Program {
  try {
    const tree = parse(source)
    const makeFrame = frameMaker(resolve(tree, source).size)
    const code = compile(tree, source)
    return { code: () => code(makeFrame([])) }
  } catch (error) {
    if (error instanceof StaticFailure) return { failure: error }
    throw error
  }
}
