import { readFileSync } from 'node:fs'
import { isLitecdError } from '@litecd/core/errors'
import { memoryTree } from '@litecd/core/files'
import type { Json } from '@litecd/core/json'
import { evaluateJsonnet, treeImporter } from '@litecd/core/lang/jsonnet'
import { describe, expect, it } from 'vitest'

interface Case {
  readonly program: string
  readonly value?: Json
  readonly output?: string
  readonly error?: string
}

function cases(name: string): readonly Case[] {
  const path = new URL(`../../../../corpus/jsonnet/${name}.jsonl`, import.meta.url)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Case)
}

function run(program: string): { readonly output: string } | { readonly error: string } {
  const importer = treeImporter(memoryTree({}))
  try {
    const result = evaluateJsonnet({ entry: { name: '<program>', text: program }, importer })
    return { output: result.text() + '\n' }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { error: error.message }
  }
}

describe('the pairs of the specification', () => {
  it.each(cases('pairs'))('$program', ({ program, value, error }) => {
    const got = run(program)
    if (error !== undefined) {
      expect('error' in got && got.error.split('\n')[0]).toBe(error)
    } else {
      expect('output' in got ? JSON.parse(got.output) : got).toEqual(value)
    }
  })
})

// Our library functions are native: frames inside go-jsonnet's library are only shown where people look.
function withoutLibrary(error: string | undefined): string | undefined {
  return error?.replaceAll(/^\t<std>.*\n/gm, '')
}

describe.each(['values', 'syntax', 'errors'])('%s', (name) => {
  it.each(cases(name))('$program', ({ program, output, error }) => {
    const got = run(program)
    if (output !== undefined) expect(got).toEqual({ output })
    else if (error!.includes('\t<std>')) {
      expect('error' in got && withoutLibrary(got.error)).toBe(withoutLibrary(error))
    } else expect(got).toEqual({ error })
  })
})
