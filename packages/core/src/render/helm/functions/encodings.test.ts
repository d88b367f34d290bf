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
