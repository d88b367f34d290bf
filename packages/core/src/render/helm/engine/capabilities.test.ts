import { expect, it } from 'vitest'
import { memoryTree } from '../../../files/index.ts'
import { loadChart, renderChart } from '../index.ts'

function shown(template: string): string {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 0.1.0\n',
    'templates/a.yaml': `shown: ${template}`,
  }
  const { documents } = renderChart(loadChart(memoryTree(files), ''), { releaseName: 'rel' })
  return documents[0]!.text
}

// printed by helm 4.2.2; a copy has lost what Go's struct does not export
it.each<readonly [string, string]>([
  ['{{ (deepCopy .).Capabilities.KubeVersion }}', 'v1.36.0'],
  ['{{ (deepCopy .Capabilities).KubeVersion.String }}', 'v1.36.0'],
  ['{{ printf "%v" (deepCopy .).Capabilities.KubeVersion }}', '{v1.36.0  1 36}'],
  ['{{ (deepCopy .Capabilities.APIVersions).Has "v1" }}', 'true'],
  ['{{ deepCopy .Capabilities.APIVersions | typeOf }}', 'common.VersionSet'],
  ['{{ deepCopy .Capabilities.KubeVersion }}', '{v1.36.0  1 36}'],
  ['{{ printf "%v" .Capabilities.KubeVersion }}', '{v1.36.0 v1.36.0 1 36}'],
  [
    '{{ toJson .Capabilities.HelmVersion }}',
    '{"version":"v4.2.1","git_commit":"d591a19b953bd9cfdf7d9ddd83c2f4ffdaeafb29","git_tree_state":"clean","go_version":"go1.26.1","kube_client_version":"v1.36"}',
  ],
  [
    '{{ printf "%05s" (dict "a" .Capabilities) | trunc 54 }}',
    'map[0000a:%!s(*common.Capabilities=&{{v1.36.0 v1.36.0 ',
  ],
  [
    '{{ printf "%s" (dict "a" .Capabilities) | trunc 60 }}',
    'map[a:%!s(*common.Capabilities=&{{v1.36.0 v1.36.0 1 36} [v1 ',
  ],
])('%s', (template, expected) => {
  expect(shown(template)).toContain(`shown: ${expected}`)
})
