// Every function that a template may call, with what helm answered (corpus/helm/functions.jsonl).
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../src/files/index.ts'
import type { JsonObject } from '../../src/json/index.ts'
import {
  capabilitiesValue,
  collectTemplates,
  defaultHelmVersion,
  defaultKubeVersion,
  runTemplates,
} from '../../src/render/helm/engine/index.ts'
import { helmFunctions, mapOfJson, seededChance } from '../../src/render/helm/functions/index.ts'
import { loadChart } from '../../src/render/helm/index.ts'
import { ChartInstance, coalesceValues } from '../../src/render/helm/values/index.ts'

interface FunctionRows {
  readonly function: string
  /** A template, its output, and the error instead of it. */
  readonly rows: readonly (readonly [string, string, string?])[]
}

const [head, ...rest] = readFileSync(
  new URL('../../../../corpus/helm/functions.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
const { values } = JSON.parse(head!) as { readonly values: JsonObject }
const functions = rest.map((line) => JSON.parse(line) as FunctionRows)

function answer(template: string): readonly [string, string?] {
  const tree = memoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'templates/t.yaml': template,
  })
  const root = ChartInstance.of(loadChart(tree, ''))
  const templates = collectTemplates(
    root,
    coalesceValues(root, mapOfJson(values), () => {}),
    {
      name: 'rel',
      namespace: 'default',
      isUpgrade: false,
      capabilities: capabilitiesValue(defaultKubeVersion, [], defaultHelmVersion),
    },
  )
  const chance = seededChance('helm-functions')
  const host = { chance, stream: chance.stream(''), lookup: undefined }
  try {
    return [runTemplates(templates, host, {})[0]!.text]
  } catch (error) {
    return ['', (error as Error).message]
  }
}

describe('every function of templates', () => {
  it('has rows', () => {
    const known = new Map(functions.map((of) => [of.function, of.rows]))
    for (const name of helmFunctions.keys()) {
      expect(known.get(name)?.length ?? 0, name).toBeGreaterThanOrEqual(3)
    }
  })

  it('has an error row wherever arguments can be wrong', () => {
    for (const { function: name, rows } of functions) {
      const { params, variadic } = helmFunctions.get(name)!
      const takesAnything = variadic === true && params.length === 1 && params[0] === 'interface {}'
      const hasError = rows.some(([, , error]) => error !== undefined)
      expect(hasError || takesAnything, name).toBe(true)
    }
  })

  it.each(functions)('$function', ({ rows }) => {
    expect(rows.map(([template]) => [template, ...answer(template)])).toEqual(rows)
  })
})
