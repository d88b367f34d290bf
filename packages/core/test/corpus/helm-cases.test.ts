// Charts with what helm printed for them (corpus/helm/cases): expected.yaml is its output for chart/ with the options of
// case.yaml; where that names an Application, its manifests are those of the output.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApplicationSource, defaultSettings } from '@litecd/core/argo'
import { memoryTree } from '@litecd/core/files'
import type { JsonObject } from '@litecd/core/json'
import { helmRenderer, type RenderInput } from '@litecd/core/render'
import { loadChart, type RenderOptions, renderChart } from '@litecd/core/render/helm'
import { parseYaml, splitYamlDocuments } from '@litecd/core/yaml'
import { describe, expect, it } from 'vitest'

interface Case {
  readonly options?: Omit<RenderOptions, 'files'> & { readonly files?: readonly string[] }
  readonly application?: string
}

const folder = fileURLToPath(new URL('../../../../corpus/helm/cases/', import.meta.url))

function read(...path: readonly string[]): string {
  return readFileSync(join(folder, ...path), 'utf8')
}

function filesBelow(dir: string): { readonly [path: string]: string } {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.map((path) => [path.slice(dir.length + 1), readFileSync(path, 'utf8')]),
  )
}

function inputOf(name: string, application: JsonObject): RenderInput {
  const { source } = application['spec'] as unknown as { source: ApplicationSource }
  return {
    source,
    tree: memoryTree(filesBelow(join(folder, name))),
    path: source.path ?? '',
    revision: '0'.repeat(40),
    context: {
      appName: 'app',
      namespace: 'demo',
      project: 'default',
      kubeVersion: 'v1.36.1',
      apiVersions: ['v1'],
      settings: defaultSettings,
      multiSource: false,
    },
    refs: {},
    answers: {},
  }
}

const cases = readdirSync(folder).map((name) => ({
  name,
  of: parseYaml(read(name, 'case.yaml')) as unknown as Case,
}))

describe('corpus/helm/cases', () => {
  it.each(cases)('$name', ({ name, of }) => {
    const expected = read(name, 'expected.yaml')
    if (of.application === undefined) {
      const { files = [], ...options } = of.options!
      const tree = memoryTree(filesBelow(join(folder, name, 'chart')))
      const render = renderChart(loadChart(tree, ''), {
        ...options,
        files: files.map((file) => ({ name: file, text: read(name, file) })),
      })
      expect(render.text).toBe(expected)
      return
    }
    const input = inputOf(name, parseYaml(read(name, of.application)) as JsonObject)
    expect(helmRenderer.needs(input)).toEqual([])
    expect(helmRenderer.render(input).map(({ manifest }) => manifest)).toEqual(
      [...splitYamlDocuments(expected)]
        .map(({ text }) => parseYaml(text))
        .filter((value) => value !== null),
    )
  })
})
