import type { JqEngine } from '@litecd/core/adapters'
import { CompareError, SpecError } from '@litecd/core/errors'
import { formatJson, parseJson } from '@litecd/core/json'
import { runProgramSync } from './run.ts'

/** Argo CD gives a path expression this long for one document. */
const timeoutMs = 1000
const maxOutputBytes = 16 * 1024 * 1024
/** jq and gojq end with it when they cannot compile a program. */
const cannotCompile = 3

/**
 * The path expressions of ignored differences by a jq program of this machine (jq, gojq), for those who want the real
 * jq instead of the one of the core. Each document starts the program once; an expression that takes longer than a
 * second is skipped for it, as are ones that fail or have no output or several.
 *
 * Throws CompareError JQ_INVALID with the program's message for what it cannot compile, SpecError USAGE when there is no
 * such program.
 */
export function programJq(program: string): JqEngine {
  return (source) => {
    const { status, stderr } = run(program, `empty | ${source}`, 'null')
    if (status === cannotCompile) {
      throw new CompareError('JQ_INVALID', stderr.trim(), { data: { program: source } })
    }
    return (document) => {
      const result = run(program, source, formatJson(document, { escapeHtml: false }))
      if (result.status !== 0 || result.ended !== undefined) return undefined
      const lines = result.stdout.toString('utf8').trimEnd().split('\n')
      return lines.length === 1 && lines[0] !== '' ? parseJson(lines[0]!) : undefined
    }
  }
}

function run(program: string, source: string, input: string): ReturnType<typeof runProgramSync> {
  try {
    return runProgramSync(program, ['-c', source], { env: {}, input, timeoutMs, maxOutputBytes })
  } catch (error) {
    throw new SpecError(
      'USAGE',
      `cannot run the jq program ${program}: ${(error as Error).message}`,
      {
        hint: 'Give the whole path of jq or gojq.',
        cause: error,
      },
    )
  }
}
