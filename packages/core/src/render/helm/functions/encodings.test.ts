import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../../files/index.ts'
import { loadChart } from '../chart/index.ts'
import { renderChart } from '../render.ts'

// What is expected was printed by helm v4.2.2.

function shown(expression: string): string {
  const tree = memoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n',
    'templates/x.yaml': `# {{ ${expression} }}`,
  })
  const { text } = renderChart(loadChart(tree, ''), { releaseName: 'r' })
  return text
    .split('\n')
    .find((line) => line.startsWith('# ') && !line.startsWith('# Source'))!
    .slice(2)
}

describe('toYamlPretty', () => {
  const bytes = '(b64dec "//79")'
  it.each([
    [
      'fields in their order',
      '.Capabilities.KubeVersion',
      'version: v1.36.0\nmajor: "1"\nminor: "36"',
    ],
    [
      'fields by the names of Go',
      'list (set (dict) "k" .Capabilities.HelmVersion)',
      '- k:\n    version: v4.2.1\n    gitcommit: d591a19b953bd9cfdf7d9ddd83c2f4ffdaeafb29\n    gittreestate: clean\n    goversion: go1.26.1\n    kubeclientversion: v1.36',
    ],
    ['versions as text', 'semver "1.2.3-a"', '1.2.3-a'],
    [
      'bytes that are no text',
      `dict "a" ${bytes} ${bytes} (list ${bytes})`,
      '!!binary //79:\n  - !!binary //79\na: !!binary //79',
    ],
    [
      'many of them on lines of their own',
      `dict "a" (repeat 18 ${bytes}) "b" (list (repeat 17 ${bytes}))`,
      `a: !!binary |\n  ${'//79'.repeat(17)}//\n  79\nb:\n  - !!binary ${'//79'.repeat(17)}`,
    ],
    [
      'times beside them',
      `dict "t" (toDate "2006-01-02" "2020-01-02") "b" ${bytes}`,
      'b: !!binary //79\nt: 2020-01-02T00:00:00Z',
    ],
  ])('writes %s', (_, expression, want) => {
    expect(JSON.parse(shown(`${expression} | toYamlPretty | toJson`))).toBe(want)
  })
})

describe('toJson', () => {
  it('keeps fields in their order', () => {
    expect(shown('.Capabilities.HelmVersion | toJson')).toBe(
      '{"version":"v4.2.1","git_commit":"d591a19b953bd9cfdf7d9ddd83c2f4ffdaeafb29","git_tree_state":"clean","go_version":"go1.26.1","kube_client_version":"v1.36"}',
    )
  })
})

describe('what cannot be read', () => {
  it.each([
    [
      'fromJson `{"a":1e400,"b":[1,1e999]}` | toJson',
      '{"Error":"json: cannot unmarshal number 1e400 into Go value of type float64","a":null,"b":[1,null]}',
    ],
    [
      'fromJsonArray `[1,1e400]` | toJson',
      '["json: cannot unmarshal number 1e400 into Go value of type float64"]',
    ],
    [
      'fromYaml "? {k: 2001-12-14t21:59:43.10-05:00}\\n: v" | toJson',
      '{"Error":"error converting YAML to JSON: yaml: invalid map key: map[interface {}]interface {}{\\"k\\":\\"2001-12-14t21:59:43.10-05:00\\"}"}',
    ],
    [
      'fromToml "a = 1\\nb" | toJson',
      '{"Error":"toml: line 2: unexpected EOF; expected key separator \'=\'"}',
    ],
  ])('%s', (expression, want) => {
    expect(shown(expression)).toBe(want)
  })
})
