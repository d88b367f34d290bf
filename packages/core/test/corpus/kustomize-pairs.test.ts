import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../src/files/index.ts'
import { buildKustomization, buildText, type Remotes } from '../../src/render/kustomize/index.ts'

interface Pair {
  readonly id: string
  readonly dir?: string
  readonly files: { readonly [path: string]: string }
  readonly out?: string
  readonly err?: string
}

const file = new URL('../../../../corpus/kustomize/pairs.jsonl', import.meta.url)
const pairs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair)

const offline: Remotes = {
  file: (url) => ({ error: new Error(`${url} is not here`) }),
  repo: (spec) => ({ error: new Error(`${spec.raw} is not here`) }),
}

/**
 * Go prints its own values in some messages: maps before what went wrong with them, pointers. The text behind counts.
 */
function tail(message: string): string {
  return message
    .replace(/^(?:map\[string\]interface \{\}\{.*\}|\{.*\}): /s, 'MAP: ')
    .replace('map[string]interface {}(nil): ', 'MAP: ')
    .trim()
}

function answer(pair: Pair): string {
  const volume = { tree: memoryTree(pair.files), display: '/r' }
  try {
    return buildText(buildKustomization(volume, pair.dir ?? '', { remotes: offline }))
  } catch (error) {
    return `ERROR: ${tail((error as Error).message)}`
  }
}

describe('every recorded answer of kustomize', () => {
  it('has the pairs', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(180)
  })

  it.each(pairs.map((pair) => [pair.id, pair] as const))('%s', (_, pair) => {
    const want = pair.out ?? `ERROR: ${tail(pair.err!)}`
    expect(answer(pair)).toBe(want)
  })
})
