import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../src/files/index.ts'
import { loadChart, renderChart } from '../../src/render/helm/index.ts'

interface Vector {
  readonly values: string
  readonly template: string
  readonly files?: { readonly [path: string]: string }
  readonly out?: string
  readonly error?: string
}

const file = new URL('../../../../corpus/helm/vectors.jsonl', import.meta.url)
const vectors = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector)

function answer(vector: Vector): { readonly out: string } | { readonly error: string } {
  const tree = memoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'values.yaml': vector.values,
    'templates/t.yaml': `{{- define "t" }}${vector.template}{{ end }}\nr: {{ include "t" . | toJson }}\n`,
    ...vector.files,
  })
  try {
    const { text } = renderChart(loadChart(tree, ''), { releaseName: 'rel' })
    const match = /^---\n# Source: c\/templates\/t.yaml\nr: (".*")\n$/s.exec(text)
    return match === null ? { error: `unexpected output ${text}` } : { out: JSON.parse(match[1]!) }
  } catch (error) {
    return { error: `Error: ${(error as Error).message}` }
  }
}

describe('every recorded answer of helm', () => {
  it('has the vectors', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(1062)
  })

  // one test for a hundred: a test each would cost more than the renders
  const groups = Array.from({ length: Math.ceil(vectors.length / 100) }, (_, i) => i)
  it.each(groups)('vectors from %d00', (group) => {
    for (const vector of vectors.slice(group * 100, group * 100 + 100)) {
      const { template } = vector
      const want = vector.out === undefined ? { error: vector.error } : { out: vector.out }
      expect({ template, ...answer(vector) }).toEqual({ template, ...want })
    }
  })
})
